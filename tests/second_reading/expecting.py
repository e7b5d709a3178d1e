"""What a difference between the program and the source may hang on, to be asked by `reasons`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from armybuilder.engine.citations import Severity
from armybuilder.engine.lines import Line
from tests.second_reading.comparing import (
    BATTLE_STANDARD,
    BATTLE_STANDARD_BEARER,
    Case,
    Difference,
    capped,
    capped_ids,
    differences,
)
from tests.second_reading.reader.books import GENERAL
from tests.second_reading.reader.judging import WHOLE, Cap, is_item
from tests.second_reading.reader.parts import Conditions, Modifier

#: What each of must be another model.
COMMAND_GROUP = frozenset(("champion", "musician", "standard-bearer"))

Sort = Literal["rulebook", "slip", "reading", "known fault"]


@dataclass(frozen=True)
class Reason:
    """Why a difference is to be expected. `why` in plain words, `source` where that stands."""

    name: str
    sort: Sort
    why: str
    source: str
    fits: Callable[[Difference], bool]


def code(*codes: str) -> Callable[[Difference], bool]:
    return lambda one: one.finding is not None and one.finding.code in codes


def at(book: str, unit: str, *what: str) -> Callable[[Difference], bool]:
    """It is about a unit (or entry) of a book, and of it about one of these, if any is named."""

    def fits(one: Difference) -> bool:
        here = unit in (one.unit, one.what)
        return one.case.names.book == book and here and (not what or one.what in what)

    return fits


def caps_of(one: Difference) -> Iterator[Cap]:
    """What the source says of the cap that a difference is about."""
    for cap in one.case.verdict.caps:
        if one.fault is not None:
            numbers = (one.fault.measured, one.fault.allowed)
            if cap.place.id == one.fault.ids[0] and (cap.measured, cap.allowed) == numbers:
                yield cap
        elif one.finding is None:
            return
        elif capped(one.finding) in capped_ids(one.case.names, cap.place.id):
            yield cap


def ruled(cap: Cap, limit: int) -> float:
    """A cap as 8.C has it: half of what is set in a Warband, rounded up, twice in a Grand Army;
    what other things take off it is not scaled, nor what the file sets for this size itself.
    """
    whole = cap.whole
    if not cap.sized and limit <= 3000:
        whole = -(-whole // 2)
    elif not cap.sized and limit >= 8000:
        whole = 2 * whole
    return max(0, whole + cap.used)


def scaled(one: Difference) -> bool:
    """The numbers are those of 8.C, and nothing is meant that is One of a Kind."""
    limit = one.case.document["limit"]
    for cap in caps_of(one):
        if one.kind != "cap" or (cap.item and cap.whole == 1):
            continue
        number = ruled(cap, limit)
        if one.side == "program" and one.finding is not None and one.finding.allowed == number:
            return True
        if one.side == "source" and cap.measured <= number:
            return True
    return False


def one_of_a_kind(one: Difference) -> bool:
    if one.finding is None or one.finding.code != "one-of-a-kind.over":
        return False
    names, (option, _) = one.case.names, capped(one.finding)
    items = (taken for taken in one.case.army.walk() if is_item(taken.place))
    return sum(taken.number for taken in items if option in names.ours(taken.place.id)) > 1


def one_item(one: Difference) -> bool:
    """An item of one name that stands in entries of its own is taken more than once in all."""
    told = one.what.partition(" [")[0].removesuffix(" (F)")
    items = (found for line in one.case.lines for found in line.loadout.taken if found.option.item)
    named = [found.option.id for found in items if found.option.name == told]
    return one.kind == "cap" and len(named) > 1 and any(id_.endswith("-f") for id_ in named)


def points_over(one: Difference) -> bool:
    return code("points.over")(one) and one.case.verdict.total > one.case.document["limit"]


def points_under(one: Difference) -> bool:
    return code("points.under")(one) and one.case.verdict.total < one.case.document["limit"] - 40


def single(one: Difference) -> bool:
    size = one.line.unit.size if one.line is not None else None
    return code("unit.too-large")(one) and size is not None and size[1].base == 1


def too_small(one: Difference) -> bool:
    """The program's price of a unit with too few models is that of the smallest."""
    if one.kind != "price" or one.line is None:
        return False
    return one.program > one.source and one.line.pick.models < one.line.unit.smallest


def off(one: Difference) -> float:
    prices = zip(one.case.lines, one.case.verdict.points, strict=True)
    return sum(abs(line.points - points) for line, points in prices)


def sum_follows(one: Difference) -> bool:
    """A sum in which a price stands that differs, or a limit on such a sum."""
    if one.kind == "category" and one.side == "numbers":
        return 0 < abs(one.program - one.source) <= off(one)
    if code("points.over", "points.under")(one):
        return one.case.report.spent != one.case.verdict.total
    return one.kind == "category" and one.what in {
        other.what for other in differences(one.case)
        if other.kind == "category" and other.side == "numbers"
    }  # fmt: skip


def no_general(one: Difference) -> bool:
    """It hangs on who the General is, and that one cannot be by the source."""
    units = {f.unit for f in one.case.verdict.faults if f.kind == "general" and f.side == "note"}
    here = any(one.case.lines[unit] is one.line for unit in units if unit is not None)
    return one.kind == "hidden" and one.side == "source" and here


def nobody_marked(one: Difference) -> bool:
    """The book has no entry that marks the General, so that notes name him."""
    marked = any(place.what.name == GENERAL for place in one.case.army.book.places)
    return one.kind == "general" and not marked


def no_place(one: Difference) -> bool:
    """An option is taken without what it stands on, so that the roster only notes it; or a cap
    counts such options, or moves by how many of them there are.
    """
    if one.finding is None or one.kind not in ("cap", "hidden"):
        return False
    if one.kind == "cap":
        option, _ = capped(one.finding)
        moved = any(  # what the source counts to move the cap
            _misses(one.case, id_)
            for cap in caps_of(one)
            for change in cap.place.modifiers
            for repeat in change.repeats
            for id_ in one.case.names.ours(repeat.query.child)
        )
        return moved or _misses(one.case, option, one.line)
    option = one.finding.about.text.rpartition("/")[2]
    return one.line is not None and _misses(one.case, option, one.line)


def _misses(case: Case, option: str, only: Line | None = None) -> bool:
    """Whether the roster has fewer of an option than the list, in one unit or in any."""
    for line, unit in zip(case.lines, case.army.units, strict=True):
        if only is None or line is only:
            taken = sum(one.number for one in line.loadout.taken if one.option.id == option)
            places = (one for one in unit.walk() if option in case.names.ours(one.place.id))
            if sum(one.number for one in places) < taken:
                return True
    return False


def chosen_armour(one: Difference) -> bool:
    """Pieces of armour too many, each of which is one by its own name."""
    if one.finding is None or one.finding.code != "armour.too-many":
        return False
    names: Any = one.finding.values["names"]
    return all("Shield" in name or "Armour" in name for name in names)


def command_group(one: Difference) -> bool:
    """The unit has fewer models than champion, musician and standard bearer together."""
    if one.line is None or one.side != "program" or one.kind not in ("limit", "other"):
        return False
    taken = (t.option.id for t in one.line.loadout.taken)
    return sum(id_ in COMMAND_GROUP for id_ in taken) > one.line.models


def only_doubted(one: Difference) -> bool:
    """The source offers nobody of that entry to be the General, so that for it there is none, and
    the program only warns.
    """
    if one.fault is None or one.fault.kind != "general" or one.fault.side not in ("note", "min"):
        return False
    noted = {f.unit for f in one.case.verdict.faults if f.kind == "general" and f.side == "note"}
    leaders = {one.case.lines[unit].pick.id for unit in noted if unit is not None}
    if one.line is not None:
        leaders &= {one.line.pick.id}
    warnings = one.case.report.of(Severity.WARNING)
    return any(f.code == "general.not-eligible" and leaders & {*f.units} for f in warnings)


def too_many(one: Difference) -> bool:
    """It is about a unit in which both find more choices than may be: the file asks whether
    something is there exactly once, the program whether it is there; and one of the choices may ask
    for what another shuts off.
    """
    if one.line is None or one.kind not in ("limit", "group", "hidden"):
        return False
    id_ = one.line.pick.id
    program = any(f.code == "group.over" and id_ in f.units for f in one.case.errors)
    unit = next(n for n, line in enumerate(one.case.lines) if line is one.line)
    faults = (f for f in one.case.verdict.faults if f.unit == unit and f.kind == "group")
    return program and any(f.side == "max" for f in faults)


def twice(one: Difference) -> bool:
    """Prices that follow a choice of the army, of which there are several."""
    if one.kind != "price" or one.line is None:
        return False
    army = one.case.army
    unit = next(n for n, line in enumerate(one.case.lines) if line is one.line)
    asked = {id_ for taken in army.units[unit].walk() for id_ in _asked_once(taken.place.modifiers)}
    choices = {place.id for place in army.book.musts if place.owner is None}
    return any(army.deep[id_] > 1 for id_ in asked | choices)


def _asked_once(changes: Iterable[Modifier]) -> Iterator[str]:
    """What changes ask the army to have exactly once, by the source's ids."""
    for change in changes:
        parts = list(change.conditions.parts)
        while parts:
            part = parts.pop()
            if isinstance(part, Conditions):
                parts += part.parts
            elif (part.compare, part.value) == ("equalTo", 1) and part.query.scope in WHOLE:
                yield part.query.child


def grouped(book: str, category: str, *units: str) -> Callable[[Difference], bool]:
    """Points of a category that the file links to a group of options only, in one of these units;
    they differ by no more than what options of such units cost.
    """

    def fits(one: Difference) -> bool:
        if one.kind != "category" or one.what != category or one.case.names.book != book:
            return False
        lines = [line for line in one.case.lines if line.unit.name in units]
        options = sum(line.loadout.points for line in lines)
        return bool(lines) and abs(one.program - one.source) <= options

    return fits


def moved_giants(one: Difference) -> bool:
    """Points of the two categories between which a Giant Repeater moves its giant: all of it in the
    program, the option alone in the source.
    """
    categories = {"Imperial Armoury": 1, "Sunna's Fury": -1}
    if one.kind != "category" or one.side != "numbers" or one.what not in categories:
        return False
    expected = 0
    for line in one.case.lines:
        moving = [t.total for t in line.loadout.taken if t.option.id == "giant-repeater-4"]
        if moving:
            expected += line.points - (sum(moving) if categories[one.what] > 0 else 0)
    return 0 < expected == (one.program - one.source) * categories[one.what]


def has_taken(one: Difference, book: str, *options: str) -> bool:
    if one.line is None or one.case.names.book != book:
        return False
    return any(found.option.id in options for found in one.line.loadout.taken)


def has_what_it_may_not(one: Difference) -> bool:
    """The program forbids the unit some option that something else would have to allow."""
    id_ = one.line.pick.id if one.line is not None else ""
    return any(found.code == "option.requires" and id_ in found.units for found in one.case.errors)


def lacks_level(one: Difference) -> bool:
    """A unit that must choose how much of a wizard it is has not chosen, and takes what wizards
    take.
    """
    id_ = one.line.pick.id if one.line is not None else ""
    missing = [f for f in one.case.errors if f.code == "group.under" and id_ in f.units]
    asks = one.finding is not None and one.finding.code == "option.requires"
    return asks and any("wizard-level" in found.about.text for found in missing)


def inside(one: Difference, group: str) -> bool:
    """It is about what is taken of a group with this in its name, or about how much of that."""
    if one.kind not in ("group", "hidden"):
        return False
    if one.fault is not None:
        around = one.fault.ids
    else:
        option = one.finding.about.text.rpartition("/")[2] if one.finding is not None else ""
        places = one.case.army.book.places
        found = (place for place in places if option in one.case.names.ours(place.id))
        around = tuple(each.id for place in found for each in (place, *place.groups))
    return any(group in one.case.army.book.name_of(id_) for id_ in around)


def bears_standard(one: Difference) -> bool:
    """The unit has taken the Battle Standard."""
    taken = one.line.loadout.taken if one.line is not None else ()
    return any(found.option.id == BATTLE_STANDARD_BEARER for found in taken)


def bannerman(one: Difference) -> bool:
    """A Bannerman as the General, or beside another Battle Standard Bearer."""
    bearers = [
        found.option.id for line in one.case.lines for found in line.loadout.taken
        if found.option.id in (BATTLE_STANDARD_BEARER, "bannerman")
    ]  # fmt: skip
    if one.finding is not None and one.finding.head.id == BATTLE_STANDARD:
        return "bannerman" in bearers and len(bearers) > 1
    leads = code("general.not-eligible")(one)
    return leads and has_taken(one, "kingdom-of-equitaine", "bannerman")


def chosen_level(one: Difference) -> bool:
    """A Warlock Outcast that is no Wizard Master by the level that is chosen."""
    if one.line is None or one.fault is None or "Wizard Master" not in one.fault.wording:
        return False
    taken = {found.option.id for found in one.line.loadout.taken}
    here = one.case.names.book == "dread-elves" and one.unit == "Warlock Outcast"
    return here and "wizard-adept" in taken and "wizard-master" not in taken


def unchecked(one: Difference) -> bool:
    """Whether the program says of the very option that it leaves something of it open."""
    if one.fault is None or one.fault.kind not in ("named", "cap"):
        return False
    ours = one.case.names.ours(one.fault.ids[0])
    lines = one.case.lines if one.line is None else (one.line,)
    named = {
        (line.pick.id, found.option.name) for line in lines for found in line.loadout.taken
        if found.option.id in ours
    }  # fmt: skip
    return bool(named) and named <= one.case.unchecked
