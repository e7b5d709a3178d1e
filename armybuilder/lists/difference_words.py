"""The difference between two lists in words: a few readable lines, or all of it as a table."""

from collections.abc import Iterator
from typing import NamedTuple

from armybuilder.engine.sentences import counted

#: What stands in the table where one side has nothing.
NONE = "–"


class Change(NamedTuple):
    """One thing that differs, of a list or unit. `kind` says how it is put into words; "" on a side
    that has none.
    """

    kind: str
    name: str
    before: str
    after: str


class UnitDifference(NamedTuple):
    """A unit that is "new", "gone" or "changed". Points in points, None where there are none or
    nobody knows them; `places` from 1, where it has moved; `ids` of its entries, "" for none.
    """

    kind: str
    name: str
    models: int
    before: int | None
    after: int | None
    changes: tuple[Change, ...]
    places: tuple[int, int] | None
    ids: tuple[str, str]


class Row(NamedTuple):
    """A row of the whole table: the unit, or "" for the list; what of it; before and after."""

    unit: str
    what: str
    before: str
    after: str


class Difference(NamedTuple):
    """What differs between two lists. `numbers` are verdict, points and models, the same or not;
    `about` is what differs of the lists themselves.
    """

    numbers: tuple[Change, ...]
    about: tuple[Change, ...]
    units: tuple[UnitDifference, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs that a player would see."""
        return not (
            self.about or self.units or any(one.before != one.after for one in self.numbers)
        )

    def lines(self, most: int = 5) -> tuple[str, ...]:
        """At most so many sentences, what weighs most first; the last may count the rest."""
        said = tuple(self._sentences())
        if len(said) <= most:
            return said
        rest = len(said) - most + 1
        return (*said[: most - 1], f"And {rest} more differences")

    def _sentences(self) -> Iterator[str]:
        for kind in ("new", "gone"):
            yield from (_alone(unit) for unit in self.units if unit.kind == kind)
        changed = [unit for unit in self.units if unit.kind == "changed"]
        yield from (_changed(unit) for unit in changed if unit.changes)
        yield from (_about(change) for change in self.about)
        repriced = (unit for unit in changed if not unit.changes and unit.before != unit.after)
        yield from map(_changed, repriced)
        # Which of two neighbours that changed places has moved is not to be known: no names here.
        if any(unit.places for unit in changed):
            yield "The units stand in another order"

    @property
    def full(self) -> tuple[Row, ...]:
        """All of it: first the list, then unit by unit."""
        return (*(_row("", change) for change in self.about), *self._unit_rows())

    def _unit_rows(self) -> Iterator[Row]:
        for unit in self.units:
            if unit.kind != "changed":
                words = _size(unit)
                sides = (NONE, words) if unit.kind == "new" else (words, NONE)
                yield Row(unit.name, "Unit", *sides)
                continue
            yield from (_row(unit.name, change) for change in unit.changes)
            if unit.before != unit.after:
                yield Row(unit.name, "Points", _number(unit.before), _number(unit.after))
            if unit.places:
                yield Row(unit.name, "Place on the list", *map(str, unit.places))


def _row(unit: str, change: Change) -> Row:
    before, after = change.before or NONE, change.after or NONE
    what = f"Option: {change.name}" if change.kind == "option" else change.name
    if change.kind == "book":
        before, after = _book_sides(change)
        what = f"Book: {change.name}"
    return Row(unit, what, before, after)


def _book_sides(change: Change) -> tuple[str, str]:
    """Nobody reads revisions: whether it is used, and in another content."""
    if change.before and change.after:
        return "as it was", "as it is in the other"
    return ("used", NONE) if change.before else (NONE, "used")


def _number(points: int | None) -> str:
    return "?" if points is None else str(points)


def _size(unit: UnitDifference) -> str:
    points = unit.after if unit.kind == "new" else unit.before
    models = counted(unit.models, "models")
    return models if points is None else f"{models}, {counted(points, 'points')}"


def _alone(unit: UnitDifference) -> str:
    """ "New: 5 × Orc (60 points)"."""
    points = unit.after if unit.kind == "new" else unit.before
    number = f"{unit.models} × " if unit.models > 1 else ""
    price = f" ({counted(points, 'points')})" if points is not None else ""
    return f"{unit.kind.capitalize()}: {number}{unit.name}{price}"


def _changed(unit: UnitDifference) -> str:
    """ "Orc: 3 more; now in reserve (+12 points)"."""
    words = [_word(change) for change in unit.changes]
    price = ""
    if unit.before is not None and unit.after is not None and unit.before != unit.after:
        if words:
            price = f" ({_signed(unit.after - unit.before)})"
        else:
            words = [f"{counted(unit.after, 'points')}, was {unit.before}"]
    return f"{unit.name}: {'; '.join(words or ['other points'])}{price}"


def _signed(points: int) -> str:
    sign = "+" if points > 0 else "\N{MINUS SIGN}"
    return f"{sign}{counted(abs(points), 'points')}"


def _word(change: Change) -> str:
    """A change of a unit in a few words."""
    if change.kind == "models":
        more = int(change.after) - int(change.before)
        return f"{more} more" if more > 0 else f"{-more} fewer"
    if change.kind == "role":
        return f"now {change.name}" if change.after else f"no longer {change.name}"
    if change.kind == "name":
        return f"named “{change.after}”" if change.after else "no name of its own"
    if change.kind == "notes":
        return "other notes" if change.after else "no notes"
    if change.kind == "option" and not (change.before and change.after):
        return f"with {change.name}" if change.after else f"without {change.name}"
    return _was(change)


def _was(change: Change) -> str:
    if change.after and change.before:
        return f"{change.name} {change.after}, was {change.before}"
    if change.after == "yes" or change.before == "yes":
        return f"with {change.name}" if change.after else f"without {change.name}"
    return f"{change.name} {change.after}" if change.after else f"no {change.name}"


def _about(change: Change) -> str:
    """A change of the list itself as a sentence."""
    if change.kind == "book":
        if change.before and change.after:
            return f"{change.name}: the book has other content"
        return f"{'With' if change.after else 'Without'} the book {change.name}"
    if change.kind == "notes":
        return "Other notes" if change.after else "No notes"
    if change.kind == "size":
        return f"Size: {change.after} points, was {change.before}"
    return f"{change.name}: {change.after or 'none'}, was {change.before or 'none'}"
