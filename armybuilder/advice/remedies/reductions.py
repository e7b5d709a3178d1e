"""Ways to make a number of a list smaller: fewer models, a unit or an option less.

A way knows by about how much it reduces the number; of many the smallest that are enough are tried,
and offered where they break nothing else (`promises`). What takes several steps is the solver's.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Remedy
from armybuilder.advice.subjects import Subject
from armybuilder.engine.lines import Line, path_text
from armybuilder.engine.loadout import Taken
from armybuilder.engine.nouns import counted
from armybuilder.engine.rulebook import commanding
from armybuilder.engine.tally import Tally
from armybuilder.loading.limits import MAX_MODELS

#: How many ways are tried where each is enough, and where none is.
ENOUGH, PARTIAL = 5, 2


class Reduction(NamedTuple):
    """By about how much a number gets `less`, and what makes the answer, in words that most ways
    never need.
    """

    less: int
    answer: Callable[[], Remedy]


def best(ways: Iterable[Reduction], excess: int) -> Iterator[Remedy]:
    """Return the answers of the smallest ways that are enough."""
    found = sorted(ways, key=lambda way: way.less)
    enough = (way.answer() for way in found if way.less >= excess)
    yield from islice(_distinct(enough), ENOUGH)


def partial_ways(ways: Iterable[Reduction], excess: int, least: int = 1) -> Iterator[Remedy]:
    """Return the answers of the largest ways that are not enough, but reduce the number at least so
    much; they are offered only where no other way settles it.
    """
    found = sorted(ways, key=lambda way: -way.less)
    parts = (way.answer() for way in found if least <= way.less < excess)
    yield from (replace(one, spare=True) for one in islice(_distinct(parts), PARTIAL))


def _distinct(answers: Iterable[Remedy]) -> Iterator[Remedy]:
    """Return those of the answers whose words have not been said."""
    said: set[str] = set()
    for answer in answers:
        if answer.label not in said:
            said.add(answer.label)
            yield answer


def models_answer(line: Line, name: str, models: int, note: str = "") -> Remedy:
    """So many models instead of those there are."""
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
            _("Reduce {option} to {number} on {unit}") if name else _("Reduce {option} to {number}")
        )
    else:
        label = _("Remove {option} from {unit}") if name else _("Remove {option}")
    said = label.format(option=option, number=number, unit=name)
    return Remedy(with_note(said, note), fields)


def brought(line: Line, worth: Callable[[Taken], int]) -> dict[int, int]:
    """Return what is worth something and always there, by what it comes with: the place of an
    option, -1 for the unit itself.
    """
    every = line.loadout.taken
    found: dict[int, int] = {}
    for taken in every:
        less = worth(taken) if taken.pick.given else 0
        if less > 0:
            place = taken.parent
            while place >= 0 and every[place].pick.given:
                place = every[place].parent
            found[place] = found.get(place, 0) + less
    return found


def with_note(label: str, note: str) -> str:
    """Return a button's words with something in brackets."""
    return f"{label} ({note})" if note else label


class Reducer:
    """Works out ways for one list as it stands in one line-up."""

    def __init__(self, tally: Tally, subject: Subject) -> None:
        self.tally = tally
        self.system = subject.system
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

    def leads(self, line: Line) -> bool:
        """Return whether what commands the list, or makes its faction, may hang on the line."""
        unit = line.unit
        unknown = {field.removeprefix("ratings.") for field in unit.blank_fields}
        return any(unit.ratings.get(one) or one in unknown for one in self.supplies)

    def models(self, line: Line, excess: int, each: int = 1) -> Iterator[Reduction]:
        """Fewer models of a line, each of which counts so much."""
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
        """Fewer points of a line that counts as a whole: fewer models, or none."""
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
        """Return the points of one model more or less, and the least models there may be."""
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
        """Options of a line that can be taken off, each by what it is worth: itself, or by what
        comes with it.
        """
        name = self.name(line) if named else ""
        with_it = brought(line, worth)
        for place, taken in enumerate(line.loadout.taken):
            less = 0 if taken.pick.given else worth(taken) or with_it.get(place, 0)
            if less > 0:
                note = counted(taken.total, "point") if taken.total > 0 else ""
                yield Reduction(less, partial(option_answer, line, place, name, note=note))


def _no_more(line: Line, models: int) -> int:
    """Return so many models of a line, or as many as its unit may have."""
    most = None if line.unit.size is None else line.unit.size[1].at(line.place)
    return models if most is None else min(models, most)


def raised(line: Line, name: str, by: int, note: str = "") -> Iterator[Remedy]:
    """So many models more."""
    if line.pick.models + by <= MAX_MODELS:
        yield models_answer(line, name, line.pick.models + by, note)
