"""The difference between two lists in words: a few readable lines, or all of it as a table."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from armybuilder.engine.nouns import counted

#: What stands in the table where one side has nothing.
NONE = "–"
#: What a side says that has something and no more to tell of it.
YES = "yes"


#: What two lists are called that are compared with each other.
Names = tuple[str, str]


class Change(NamedTuple):
    """One thing that differs; `kind` says how it is worded; "" on a side that has none."""

    kind: str
    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class UnitDifference:
    """A unit "new", "gone" or "changed"; points None: unknown; `places` from 1; `ids`, "": none."""

    kind: str
    name: str
    models: int
    before: int | None
    after: int | None
    changes: tuple[Change, ...]
    places: tuple[int, int] | None
    ids: tuple[str, str]


class DifferenceRow(NamedTuple):
    """A row of the whole table: the unit, or "" for the list; what of it; before and after."""

    unit: str
    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    """What differs: `numbers` (verdict, points, models) always, `about` the lists, of units."""

    numbers: tuple[Change, ...]
    about: tuple[Change, ...]
    units: tuple[UnitDifference, ...]

    @property
    def same(self) -> bool:
        """Whether nothing differs that a player would see."""
        return not (
            self.about or self.units or any(one.before != one.after for one in self.numbers)
        )

    def lines(self, most: int = 5, names: Names | None = None) -> tuple[str, ...]:
        """Return at most so many sentences, the last may count the rest; `names`: of two lists."""
        said = tuple(self._sentences(names))
        if len(said) <= most:
            return said
        rest = len(said) - most + 1
        more = ngettext("And {number} more difference", "And {number} more differences", rest)
        return (*said[: most - 1], more.format(number=rest))

    def _sentences(self, names: Names | None) -> Iterator[str]:
        for kind in ("new", "gone"):
            yield from (_alone(unit, names) for unit in self.units if unit.kind == kind)
        changed = [unit for unit in self.units if unit.kind == "changed"]
        two = names is not None
        yield from (_changed(unit, two) for unit in changed if unit.changes)
        yield from (_about(change, two) for change in self.about)
        repriced = (unit for unit in changed if not unit.changes and unit.before != unit.after)
        yield from (_changed(unit, two) for unit in repriced)
        # Which of two neighbours that changed places has moved is not to be known: no names here.
        if any(unit.places for unit in changed):
            yield _("The units are in a different order")

    @property
    def full(self) -> tuple[DifferenceRow, ...]:
        """All of it: first the list, then unit by unit."""
        return (*(_row("", change) for change in self.about), *self._unit_rows())

    def _unit_rows(self) -> Iterator[DifferenceRow]:
        for unit in self.units:
            if unit.kind != "changed":
                words = _size(unit)
                sides = (NONE, words) if unit.kind == "new" else (words, NONE)
                yield DifferenceRow(unit.name, _("Unit"), *sides)
                continue
            yield from (_row(unit.name, change) for change in unit.changes)
            if unit.before != unit.after:
                yield DifferenceRow(
                    unit.name, _("Points"), _number(unit.before), _number(unit.after)
                )
            if unit.places:
                yield DifferenceRow(unit.name, _("Position on the list"), *map(str, unit.places))


def _row(unit: str, change: Change) -> DifferenceRow:
    what = change.name
    if change.kind == "option":
        what = _("Option: {name}").format(name=what)
    if change.kind == "book":
        return DifferenceRow(unit, _("Book: {name}").format(name=what), *_book_sides(change))
    return DifferenceRow(unit, what, _side(change, change.before), _side(change, change.after))


def _side(change: Change, text: str) -> str:
    if text == YES and change.kind in ("role", "card"):
        return _("yes")
    return text or NONE


def _book_sides(change: Change) -> tuple[str, str]:
    """Nobody reads revisions: whether it is used, and in another content."""
    if change.before and change.after:
        return _("in one edition"), _("in another edition")
    return (_("used"), NONE) if change.before else (NONE, _("used"))


def _number(points: int | None) -> str:
    return "?" if points is None else str(points)


def _size(unit: UnitDifference) -> str:
    points = unit.after if unit.kind == "new" else unit.before
    models = counted(unit.models, "models")
    return models if points is None else f"{models}, {counted(points, 'points')}"


def _alone(unit: UnitDifference, names: Names | None) -> str:
    """ "New: 5 × Orc (60 points)", or "Only in Mine: 5 × Orc (60 points)"."""
    points = unit.after if unit.kind == "new" else unit.before
    name = f"{unit.models} × {unit.name}" if unit.models > 1 else unit.name
    if points is not None:
        name += f" ({counted(points, 'points')})"
    if names is not None:
        return _("Only in {list}: {unit}").format(list=names[unit.kind == "new"], unit=name)
    text = _("New: {unit}") if unit.kind == "new" else _("Removed: {unit}")
    return text.format(unit=name)


def _changed(unit: UnitDifference, two: bool) -> str:
    """ "Orc: 3 more; now in reserve (+12 points)"; `two` lists have no now and then."""
    words = [_word(change, two) for change in unit.changes]
    price = ""
    if unit.before is not None and unit.after is not None and unit.before != unit.after:
        if words:
            price = f" ({_signed(unit.after - unit.before)})"
        else:
            points = counted(unit.after, "points")
            text = _("{now} vs {before}") if two else _("{now}, was {before}")
            words = [text.format(now=points, before=unit.before)]
    return f"{unit.name}: {'; '.join(words or [_('different points')])}{price}"


def _signed(points: int) -> str:
    sign = "+" if points > 0 else "\N{MINUS SIGN}"
    return f"{sign}{counted(abs(points), 'points')}"


def _word(change: Change, two: bool) -> str:
    """Return a change of a unit in a few words."""
    if change.kind == "models":
        more = int(change.after) - int(change.before)
        text = pgettext("models", "{number} more") if more > 0 else _("{number} fewer")
        return text.format(number=abs(more))
    if change.kind == "role" and two:
        text = _("is {name}") if change.after else _("is not {name}")
        return text.format(name=change.name)
    if change.kind == "role":
        text = _("now {name}") if change.after else _("no longer {name}")
        return text.format(name=change.name)
    if change.kind == "name" and change.after:
        return _("named “{name}”").format(name=change.after)
    if change.kind == "name":
        return _("no custom name")
    if change.kind == "notes":
        return _("different notes") if change.after else _("no notes")
    if change.kind == "option" and not (change.before and change.after):
        return _with(change)
    return _was(change, two)


def _with(change: Change) -> str:
    text = _("with {name}") if change.after else _("without {name}")
    return text.format(name=change.name)


def _was(change: Change, two: bool) -> str:
    if change.after and change.before:
        before, after = _side(change, change.before), _side(change, change.after)
        text = _("{name} {now} vs {before}") if two else _("{name} {now}, was {before}")
        return text.format(name=change.name, now=after, before=before)
    if YES in (change.after, change.before):
        return _with(change)
    if change.after:
        return f"{change.name} {change.after}"
    return _("no {name}").format(name=change.name)


def _about(change: Change, two: bool) -> str:
    """Return a change of the list itself as a sentence."""
    if change.kind == "book":
        if change.before and change.after:
            return _("{name}: a different version of the book").format(name=change.name)
        text = _("With the book {name}") if change.after else _("Without the book {name}")
        return text.format(name=change.name)
    if change.kind == "notes":
        return _("Different notes") if change.after else _("No notes")
    before, after = (said or pgettext("setting", "none") for said in (change.before, change.after))
    text = _("{name}: {now} vs {before}") if two else _("{name}: {now}, was {before}")
    if change.kind == "size":
        text = _("Size: {now} points vs {before}") if two else _("Size: {now} points, was {before}")
    return text.format(name=change.name, now=after, before=before)
