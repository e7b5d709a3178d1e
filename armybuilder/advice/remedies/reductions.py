"""A finding with the data to settle it, and ways to reduce a number.

The smallest sufficient ways are tried (`Promises`); several steps are the solver's.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Remedy, Subject
from armybuilder.engine import Finding
from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line, path_text
from armybuilder.engine.loadout import Taken
from armybuilder.engine.nouns import counted
from armybuilder.engine.rulebook import commanding, may_have
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.wording import listed
from armybuilder.loading.limits import MAX_MODELS

#: How many ways are tried where each is enough, and where none is.
ENOUGH, PARTIAL = 5, 2


class Reduction(NamedTuple):
    """A way to lower a number by about `less`, with the function that makes the answer."""

    less: int
    answer: Callable[[], Remedy]


def best(ways: Iterable[Reduction], excess: int) -> Iterator[Remedy]:
    """Return the answers of ways that are enough: of the newest unit, and of the smallest."""
    newest = [way for way in ways if way.less >= excess][::-1]
    smallest = sorted(newest, key=lambda way: way.less)
    return islice(
        distinct(way.answer() for way in (*smallest[: ENOUGH - 1], *newest[:1], *smallest)), ENOUGH
    )


def partial_ways(ways: Iterable[Reduction], excess: int, least: int = 1) -> Iterator[Remedy]:
    """Return the answers of the largest ways that are not enough: offered where no other is."""
    ordered = sorted(ways, key=lambda way: -way.less)
    parts = (way.answer() for way in ordered if least <= way.less < excess)
    return (replace(one, spare=True) for one in islice(distinct(parts), PARTIAL))


def distinct(answers: Iterable[Remedy]) -> Iterator[Remedy]:
    """Yield the answers, of those with one label only the first."""
    labels: set[str] = set()
    for answer in answers:
        if answer.label not in labels:
            labels.add(answer.label)
            yield answer


def models_answer(line: Line, name: str, models: int, note: str = "") -> Remedy:
    """Return an answer that sets this number of models."""
    fields = {"act": "models", "unit": line.pick.id, "models": str(models)}
    if line.unit.size is None and line.pick.models - models == 1:
        label = _("Remove one {unit}")
    elif models > line.pick.models:
        label = _("Raise {unit} to {number}")
    else:
        label = _("Reduce {unit} to {number}")
    return Remedy(with_note(label.format(unit=name, number=models), note), fields)


def removal(line: Line, name: str) -> Remedy:
    """Return the line off the list."""
    several = line.unit.size is None and line.pick.models > 1
    points = counted(line.points, "point") if line.unit.price.start is not None else ""
    label = _("Remove {unit}").format(unit=f"{line.pick.models} × {name}" if several else name)
    return Remedy(with_note(label, points), {"act": "remove", "unit": line.pick.id})


def option_answer(
    line: Line, place: int, name: str = "", number: int = 0, note: str = ""
) -> Remedy:
    """Return an answer that sets an option's number, by default none."""
    option, path = line.loadout.taken[place].option.name, path_text(line, place)
    fields = {"act": "option-number", "unit": line.pick.id, "option": path, "number": str(number)}
    if number:
        label = (
            _("Reduce {option} to {number} on {unit}") if name else _("Reduce {option} to {number}")
        )
    else:
        label = _("Remove {option} from {unit}") if name else _("Remove {option}")
    words = label.format(option=option, number=number, unit=name)
    return Remedy(with_note(words, note), fields)


def brought(line: Line, worth: Callable[[Taken], int]) -> dict[int, int]:
    """Return the given options' worth, by the option they are on; -1: the unit."""
    every = line.loadout.taken
    by_place: dict[int, int] = {}
    for taken in every:
        less = worth(taken) if taken.pick.given else 0
        if less > 0:
            place = taken.parent
            while place >= 0 and every[place].pick.given:
                place = every[place].parent
            by_place[place] = by_place.get(place, 0) + less
    return by_place


def with_note(label: str, note: str) -> str:
    """Return a button's words with something in brackets."""
    return f"{label} ({note})" if note else label


class Reducer:
    """Finds reductions for one list in one line-up."""

    def __init__(self, tally: Tally, subject: Subject) -> None:
        self.tally = tally
        self.system = subject.system
        self.names = subject.names

    def name(self, line: Line) -> str:
        """Return the line's name on the page."""
        return self.names.get(line.pick.id, line.name)

    @cached_property
    def lines(self) -> dict[str, Line]:
        return {line.pick.id: line for line in self.tally.lines}

    @cached_property
    def supplies(self) -> frozenset[str]:
        """The abilities whose ratings command the list, or make its faction."""
        return commanding(self.system)

    def leads(self, line: Line) -> bool:
        """Return whether command of the list, or its faction, may depend on the line."""
        unit = line.unit
        unknown = {field.removeprefix("ratings.") for field in unit.blank_fields}
        return any(unit.ratings.get(one) or one in unknown for one in self.supplies)

    def models(self, line: Line, excess: int, each: int = 1) -> Iterator[Reduction]:
        """Yield reductions of a line's models, each of which counts this much."""
        models, name = line.pick.models, self.name(line)
        if each <= 0 or line.models == 0:
            return
        fewer = _no_more(line, models - -(-excess // each))
        low = 1 if line.unit.size is None else line.unit.size[0].number(line.place)
        if fewer >= max(low, 1):
            less = each * (models - fewer)
            yield Reduction(less, partial(models_answer, line, name, fewer))
        else:
            yield Reduction(each * models, partial(removal, line, name))

    def points(self, line: Line, excess: int) -> Iterator[Reduction]:
        """Yield fewer points of a line that counts as a whole: fewer models, or none."""
        name = self.name(line)
        if line.points <= 0:
            return
        yield Reduction(line.points, partial(removal, line, name))
        each, low = self.each(line)
        off = -(-excess // each) if each > 0 else 0
        fewer = _no_more(line, line.pick.models - off)
        if off and fewer >= max(low, 1):
            less = each * (line.pick.models - fewer)
            note = _("{points} less").format(points=counted(less, "point"))
            yield Reduction(less, partial(models_answer, line, name, fewer, note))

    def each(self, line: Line) -> tuple[int, int]:
        """Return the points for one model more or less, and the minimum of models."""
        if line.unit.size is None:
            return line.points // max(line.pick.models, 1), 1
        low = max(line.unit.size[0].number(line.place), line.unit.price.size)
        options = sum(
            taken.number * taken.option.each.number(line.place) for taken in line.loadout.taken
        )
        return line.unit.price.extra + options, low

    def options(
        self, line: Line, worth: Callable[[Taken], int], named: bool = True
    ) -> Iterator[Reduction]:
        """Yield removable options, each with its worth or that of the options it brings."""
        name = self.name(line) if named else ""
        with_it = brought(line, worth)
        for place, taken in enumerate(line.loadout.taken):
            less = 0 if taken.pick.given else worth(taken) or with_it.get(place, 0)
            if less > 0:
                note = counted(taken.total, "point") if taken.total > 0 else ""
                yield Reduction(less, partial(option_answer, line, place, name, note=note))


def _no_more(line: Line, models: int) -> int:
    most = None if line.unit.size is None else line.unit.size[1].at(line.place)
    return models if most is None else min(models, most)


def raised(line: Line, name: str, by: int, note: str = "") -> Iterator[Remedy]:
    """Yield additions of models that fit the list."""
    if line.pick.models + by <= MAX_MODELS:
        yield models_answer(line, name, line.pick.models + by, note)


@dataclass(frozen=True, slots=True)
class RemedyContext:
    """A finding with the data to settle it: `term` is its number, `less` works in its line-up."""

    subject: Subject
    finding: Finding
    less: Reducer
    term: Term | None

    @property
    def system(self) -> System:
        return self.subject.system

    @property
    def culprits(self) -> list[Line]:
        """Return the lines of the line-up that take part."""
        lines = self.less.lines
        return [lines[unit] for unit in self.finding.units if unit in lines]

    def may_have(self, role_id: str, line: Line) -> bool:
        return may_have(role_id, line.tags, self.system)

    def removal(self, line: Line) -> Remedy:
        """Return a line off the list."""
        return removal(line, self.less.name(line))

    def removal_of(self, lines: Iterable[Line]) -> Iterator[Remedy]:
        """Yield all of some lines off the list, in one answer."""
        gone = list(lines)
        if not gone:
            return
        named: Counter[str] = Counter()
        for line in gone:
            named[self.less.name(line)] += line.pick.models if line.unit.size is None else 1
        names = [f"{number} × {name}" if number > 1 else name for name, number in named.items()]
        rest = len(names) - 2
        if rest > 2:
            names = [*names[:2], _("{number} more").format(number=rest)]
        label = _("Remove {unit}").format(unit=listed(names))
        if len(gone) == 1:
            yield Remedy(label, {"act": "remove", "unit": gone[0].pick.id})
        else:
            units = " ".join(line.pick.id for line in gone)
            yield Remedy(label, {"act": "remove-units", "units": units})

    def relief(self, line: Line, role_id: str) -> Remedy:
        """Return a role taken from a line."""
        return self._role_act(line, role_id, "role", _(self.system.roles[role_id].end))

    def split(self, line: Line, role_id: str) -> Iterator[Remedy]:
        """Yield a role left to one of several models alone."""
        words = self.system.roles[role_id].act_one
        if words and line.unit.size is None and line.pick.models > 1:
            yield self._role_act(line, role_id, "role-one", _(words))

    def _role_act(self, line: Line, role_id: str, act: str, words: str) -> Remedy:
        fields = {"act": act, "unit": line.pick.id, "role": role_id}
        return Remedy(f"{self.less.name(line)}: {words[:1].lower()}{words[1:]}", fields)

    def promotion(self, line: Line, role_id: str) -> Remedy:
        """Return a role given to a line."""
        role = self.system.roles[role_id]
        fields = {"act": "role", "unit": line.pick.id, "role": role_id}
        label = _("Make {unit} the {role}") if role.alone else _("Make {unit} {role}")
        return Remedy(label.format(unit=self.less.name(line), role=_(role.name)), fields)

    def promotions(self, role_id: str) -> Iterator[Remedy]:
        """Yield the units that may have the role as having it, the dearest first."""
        for line in sorted(self.less.tally.lines, key=lambda line: -line.points):
            if role_id not in line.pick.roles and self.may_have(role_id, line):
                yield self.promotion(line, role_id)
