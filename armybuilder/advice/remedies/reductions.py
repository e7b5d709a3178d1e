"""Ways to make a number of a list smaller: fewer models, a unit or an option less.

A way knows by how much it reduces the number and whether it would break something else; of many
the page offers the smallest that are enough.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Remedy
from armybuilder.advice.remedies.trials import new_breaches, with_models, without
from armybuilder.advice.subjects import Subject
from armybuilder.engine.lines import Line, path_text
from armybuilder.engine.loadout import Taken
from armybuilder.engine.nouns import counted
from armybuilder.engine.rulebook import commanding
from armybuilder.engine.selectors import Selector
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PIECES
from armybuilder.loading.limits import MAX_MODELS

#: How many ways are offered where each is enough, and where none is.
ENOUGH, PARTIAL = 3, 2
#: Of so many ways at most it is worked out exactly what they do.
TRIED = 12


class Reduction(NamedTuple):
    """By how much a number gets `less`, how likely something else breaks (`risk`: 0 not), and what
    makes the answer, in words that most ways never need. `proof` works both out exactly, where they
    are only guessed.
    """

    less: int
    risk: int
    answer: Callable[[], Remedy]
    proof: Callable[[], tuple[int, int]] | None = None


@dataclass(frozen=True, slots=True)
class Least:
    """A rule that wants at least so much: what it counts, of what, and how much can go."""

    count: str
    selector: Selector
    slack: int


def best(ways: Iterable[Reduction], excess: int, least: int = 1) -> Iterator[Remedy]:
    """Return the answers of the smallest ways that are enough, those that break nothing first;
    where none is, of the largest that reduce the number at least so much.
    """
    found = sorted(ways, key=lambda way: (way.less < excess, way.risk, abs(way.less - excess)))
    told: dict[str, Remedy] = {}
    spare: dict[str, Remedy] = {}
    some = any(way.less >= excess for way in found)
    for way in found[:TRIED]:
        less, risk = way.proof() if way.proof is not None else (way.less, way.risk)
        if less < excess and (some or less < least):
            continue
        answer = way.answer()
        (spare if risk else told).setdefault(answer.label, answer)
        if len(told) == (ENOUGH if some else PARTIAL):
            break
    yield from list((told or spare).values())[: ENOUGH if some else PARTIAL]


def models_answer(line: Line, name: str, models: int, note: str = "") -> Remedy:
    """So many models instead of those there are."""
    fields = {"act": "models", "unit": line.pick.id, "models": str(models)}
    if line.unit.size is None and line.pick.models - models == 1:
        label = _("One {unit} less")
    elif models > line.pick.models:
        label = _("Raise {unit} to {number}")
    else:
        label = _("Lower {unit} to {number}")
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
    """So many of an option, none by default; with the unit's name where that must be said."""
    option = line.loadout.taken[place].option.name
    fields = {
        "act": "option-number",
        "unit": line.pick.id,
        "option": path_text(line, place),
        "number": str(number),
    }
    if number:
        label = (
            _("Lower {option} to {number} on {unit}") if name else _("Lower {option} to {number}")
        )
    else:
        label = _("Take {option} off {unit}") if name else _("Take off {option}")
    said = label.format(option=option, number=number, unit=name)
    return Remedy(with_note(said, note), fields)


def with_note(label: str, note: str) -> str:
    """Return a button's words with something in brackets."""
    return f"{label} ({note})" if note else label


class Reducer:
    """Works out ways for one list as it stands in one line-up."""

    def __init__(self, tally: Tally, subject: Subject) -> None:
        self.tally = tally
        self.system = subject.system
        self.rules = tuple(subject.report.rules)
        self.names = subject.names

    def name(self, line: Line) -> str:
        """Return what the player knows the line by."""
        return self.names.get(line.pick.id, line.name)

    @cached_property
    def lines(self) -> dict[str, Line]:
        """The lines of the line-up by the ids of their picks."""
        return {line.pick.id: line for line in self.tally.lines}

    @cached_property
    def supplies(self) -> frozenset[str]:
        """The abilities whose ratings command the list, or make its faction."""
        return commanding(self.system)

    @cached_property
    def leasts(self) -> list[Least]:
        """What rules want at least, that is there now: taking more away would break them."""
        return [
            Least(term.count, term.of, term.measured - term.low)
            for rule in self.rules
            if rule.needed is not None
            for term in rule.terms(self.tally)
            if term.count != PIECES and term.low is not None and term.of is not None
            if not term.is_short
        ]

    def risk(self, line: Line, points: int, gone: bool) -> int:
        """Return what breaks where a line costs so many points less, or is gone."""
        found = 0
        for least in self.leasts:
            if least.selector.matches(line.tags):
                less = points if least.count == "points" else int(gone)
                found += less > least.slack
        if gone:
            roles = [self.system.roles[role] for role in line.pick.roles]
            found += any(role.alone for role in roles) + self.leads(line)
            found += bool(line.unit.lifts) + (len(self.tally.lines) == 1)
        return found

    def leads(self, line: Line) -> bool:
        """Return whether what commands the list, or makes its faction, may hang on the line."""
        unit = line.unit
        unknown = {field.removeprefix("ratings.") for field in unit.blank_fields}
        return any(unit.ratings.get(one) or one in unknown for one in self.supplies)

    def trial(self, line: Line, models: int) -> Line:
        """Return the line with so many models."""
        return with_models(line, models, self.tally)

    def models(self, line: Line, excess: int, each: int = 1) -> Iterator[Reduction]:
        """Fewer models of a line, each of which counts so much."""
        models, name = line.pick.models, self.name(line)
        if each <= 0 or line.models == 0:
            return
        off = -(-excess // each)
        low = 1 if line.unit.size is None else line.unit.size[0].number(line.place)
        if models - off >= max(low, 1):
            points = line.points * off // models
            risk = self.risk(line, points, False)
            yield Reduction(each * off, risk, partial(models_answer, line, name, models - off))
        else:
            risk = self.risk(line, line.points, True)
            yield Reduction(each * models, risk, partial(removal, line, name))

    def points(self, line: Line, excess: int) -> Iterator[Reduction]:
        """Fewer points of a line that counts as a whole: fewer models, or none."""
        name = self.name(line)
        if line.points <= 0:
            return
        gone = partial(removal, line, name)
        yield Reduction(
            line.points, 0, gone, lambda: (line.points, self.risk(line, line.points, True))
        )
        each, low = self._each(line)
        off = -(-excess // each) if each > 0 else 0
        if not off or line.pick.models - off < max(low, 1):
            return

        def answer() -> Remedy:
            note = _("{points} less").format(points=counted(each * off, "point"))
            return models_answer(line, name, line.pick.models - off, note)

        def proof() -> tuple[int, int]:
            trial = with_models(line, line.pick.models - off, self.tally)
            less = line.points - trial.points
            return less, new_breaches(line, trial) + self.risk(line, less, False)

        yield Reduction(each * off, 0, answer, proof)

    def _each(self, line: Line) -> tuple[int, int]:
        """Points of one model more or less, and the least models there may be."""
        if line.unit.size is None:
            return line.points // max(line.pick.models, 1), 1
        low = max(line.unit.size[0].number(line.place), line.unit.price.size)
        options = sum(
            taken.number * taken.option.each.number(line.place) for taken in line.loadout.taken
        )
        return line.unit.price.extra + options, low

    def options(
        self,
        line: Line,
        worth: Callable[[Taken], int],
        named: bool = True,
        still: Callable[[Line], int] | None = None,
    ) -> Iterator[Reduction]:
        """Options of a line that can be taken off, each by what it is worth; with `still`, the
        number that the line without it would count for is subtracted from the one it counts for.
        """
        for place, taken in enumerate(line.loadout.taken):
            less = 0 if taken.pick.given else worth(taken)
            if less > 0:
                yield self._option(line, place, less, named, still)

    def _option(
        self, line: Line, place: int, less: int, named: bool, still: Callable[[Line], int] | None
    ) -> Reduction:
        taken = line.loadout.taken[place]
        name = self.name(line) if named else ""

        def answer() -> Remedy:
            note = counted(taken.total, "point") if taken.total > 0 else ""
            return option_answer(line, place, name, note=note)

        def proof() -> tuple[int, int]:
            trial = without(line, taken, self.tally)
            exact = less if still is None else still(line) - still(trial)
            return exact, new_breaches(line, trial) + self.risk(line, taken.total, False)

        return Reduction(less, 0, answer, proof)


def raised(line: Line, name: str, by: int, note: str = "") -> Iterator[Remedy]:
    """So many models more."""
    if line.pick.models + by <= MAX_MODELS:
        yield models_answer(line, name, line.pick.models + by, note)
