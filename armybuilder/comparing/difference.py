"""Differences between two checked documents: units, numbers, options, roles, names, settings.

They may be of different books and games; units are matched by their type, not by ids alone.
"""

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.nouns import counted
from armybuilder.engine.options import Offer
from armybuilder.engine.roster import Pick
from armybuilder.loading.armylist import ListCard, ListOption, ListUnit, setting_text
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import Judged

#: Cell of the table if one side has nothing.
NONE = "–"
#: Cell of a side that has something without further facts.
YES = "yes"
#: Text of an option taken once; other numbers read "3 times".
TAKEN = gettext_lazy("taken")

#: The facts of a unit or list by kind and id, each with its name and its value as text.
Facts = dict[tuple[str, str], tuple[str, str]]
#: What two lists are called that are compared with each other.
Names = tuple[str, str]
Listed = TypeVar("Listed", bound="ListedUnit")


class ListChange(NamedTuple):
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
    changes: tuple[ListChange, ...]
    places: tuple[int, int] | None
    ids: tuple[str, str]


class DifferenceRow(NamedTuple):
    """A row of the whole table: the fact, before and after."""

    what: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Difference:
    """Differences: `numbers` (verdict, points, models) always, `about` the lists, of units."""

    numbers: tuple[ListChange, ...]
    about: tuple[ListChange, ...]
    units: tuple[UnitDifference, ...]

    @property
    def same(self) -> bool:
        """Return whether a player would see no difference."""
        other = any(number.before != number.after for number in self.numbers)
        return not (self.about or self.units or other)

    def lines(self, most: int = 5, names: Names | None = None) -> tuple[str, ...]:
        """Return at most this many sentences, the last with the number of the rest."""
        said = tuple(self._sentences(names))
        if len(said) <= most:
            return said
        rest = len(said) - most + 1
        more = ngettext("And {number} more difference", "And {number} more differences", rest)
        return (*said[: most - 1], more.format(number=rest))

    def _sentences(self, names: Names | None) -> Iterator[str]:
        for kind in ("new", "gone"):
            yield from (_alone_words(unit, names) for unit in self.units if unit.kind == kind)
        changed = [unit for unit in self.units if unit.kind == "changed"]
        two = names is not None
        yield from (_changed_words(unit, two) for unit in changed if unit.changes)
        yield from (_about(change, two) for change in self.about)
        repriced = (unit for unit in changed if not unit.changes and unit.before != unit.after)
        yield from (_changed_words(unit, two) for unit in repriced)
        # Which of two neighbours that changed places has moved is not to be known: no names here.
        if any(unit.places for unit in changed):
            yield _("The units are in a different order")

    @property
    def full(self) -> tuple[tuple[str, tuple[DifferenceRow, ...]], ...]:
        """All of it: rows of the list, whose name is "", then of each unit."""
        rows = [("", tuple(map(_row, self.about)))]
        rows += [(unit.name, tuple(_unit_rows(unit))) for unit in self.units]
        return tuple((name, rows) for name, rows in rows if rows)


def _unit_rows(unit: UnitDifference) -> Iterator[DifferenceRow]:
    if unit.kind != "changed":
        each = unit.after if unit.kind == "new" else unit.before
        models = counted(unit.models, "models")
        words = models if each is None else f"{models}, {counted(each, 'points')}"
        yield DifferenceRow(_("Unit"), *((NONE, words) if unit.kind == "new" else (words, NONE)))
        return
    yield from map(_row, unit.changes)
    if unit.before != unit.after:
        points = ("?" if one is None else str(one) for one in (unit.before, unit.after))
        yield DifferenceRow(_("Points"), *points)
    if unit.places:
        yield DifferenceRow(_("Position on the list"), *map(str, unit.places))


def _row(change: ListChange) -> DifferenceRow:
    what = change.name
    if change.kind == "option":
        what = _("Option: {name}").format(name=what)
    if change.kind == "book":
        # Nobody reads revisions: whether it is used, and in another content.
        sides = (_("used"), NONE) if change.before else (NONE, _("used"))
        if change.before and change.after:
            sides = _("in one edition"), _("in another edition")
        return DifferenceRow(_("Book: {name}").format(name=what), *sides)
    return DifferenceRow(what, _side(change, change.before), _side(change, change.after))


def _side(change: ListChange, text: str) -> str:
    if text == YES and change.kind in ("role", "card"):
        return _("yes")
    return text or NONE


def _alone_words(unit: UnitDifference, names: Names | None) -> str:
    """Return "New: 5 × Orc (60 points)", or "Only in Mine: 5 × Orc (60 points)"."""
    points = unit.after if unit.kind == "new" else unit.before
    name = f"{unit.models} × {unit.name}" if unit.models > 1 else unit.name
    if points is not None:
        name += f" ({counted(points, 'points')})"
    if names is not None:
        return _("Only in {list}: {unit}").format(list=names[unit.kind == "new"], unit=name)
    text = _("New: {unit}") if unit.kind == "new" else _("Removed: {unit}")
    return text.format(unit=name)


def changes_of(unit: UnitDifference) -> str:
    """Return the changes of a unit except points, such as "3 more; now in reserve"."""
    return "; ".join(_word(change, two=False) for change in unit.changes)


def _changed_words(unit: UnitDifference, two: bool) -> str:
    """Return "Orc: 3 more; now in reserve (+12 points)"; `two` lists have no now."""
    words = [_word(change, two) for change in unit.changes]
    price = ""
    if unit.before is not None and unit.after is not None and unit.before != unit.after:
        if words:
            sign = "+" if unit.after > unit.before else "\N{MINUS SIGN}"
            price = f" ({sign}{counted(abs(unit.after - unit.before), 'points')})"
        else:
            points = counted(unit.after, "points")
            text = _("{now} vs {before}") if two else _("{now}, was {before}")
            words = [text.format(now=points, before=unit.before)]
    return f"{unit.name}: {'; '.join(words or [_('different points')])}{price}"


def _word(change: ListChange, two: bool) -> str:
    kind, before, after = change.kind, change.before, change.after
    if kind == "models":
        more = int(after) - int(before)
        text = pgettext("models", "{number} more") if more > 0 else _("{number} fewer")
        return text.format(number=abs(more))
    if kind == "role" and two:
        text = _("is {name}") if after else _("is not {name}")
    elif kind == "role":
        text = _("now {name}") if after else _("no longer {name}")
    elif kind == "name" and after:
        return _("named “{name}”").format(name=after)
    elif kind == "name":
        return _("no custom name")
    elif kind == "notes":
        return _("different notes") if after else _("no notes")
    elif before and after:
        text = _("{name} {now} vs {before}") if two else _("{name} {now}, was {before}")
        now, was = _side(change, after), _side(change, before)
        return text.format(name=change.name, now=now, before=was)
    elif kind == "option" or YES in (before, after):
        text = _("with {name}") if after else _("without {name}")
    elif after:
        return f"{change.name} {after}"
    else:
        text = _("no {name}")
    return text.format(name=change.name)


def _about(change: ListChange, two: bool) -> str:
    if change.kind == "book":
        if change.before and change.after:
            return _("{name}: a different version of the book").format(name=change.name)
        text = _("With the book {name}") if change.after else _("Without the book {name}")
        return text.format(name=change.name)
    if change.kind == "notes":
        return _("Different notes") if change.after else _("No notes")
    before, after = (text or pgettext("setting", "none") for text in (change.before, change.after))
    text = _("{name}: {now} vs {before}") if two else _("{name}: {now}, was {before}")
    if change.kind == "size":
        text = _("Size: {now} points vs {before}") if two else _("Size: {now} points, was {before}")
    return text.format(name=change.name, now=after, before=before)


def difference(before: Judged, after: Judged, one_list: bool = True) -> Difference:
    """Compare two lists; points in points. Unless `one_list`, names and order are ignored."""
    was, now = before.report, after.report
    numbers = (
        ListChange("number", _("Verdict"), was.outcome_words, now.outcome_words),
        ListChange("number", _("Points"), str(was.spent), str(now.spent)),
        ListChange("number", _("Models"), str(was.models), str(now.models)),
    )
    about = changes(_list_facts(before, one_list), _list_facts(after, one_list))
    return Difference(numbers, about, tuple(_units(before, after, one_list)))


def changes(before: Facts, after: Facts) -> tuple[ListChange, ...]:
    """Return the facts that are not the same on both sides; "" where one side has none."""
    nothing = ("", "")
    found = []
    for key in dict.fromkeys([*before, *after]):
        was, now = before.get(key, nothing), after.get(key, nothing)
        if was[1] != now[1]:
            found.append(ListChange(key[0], now[0] or was[0], was[1], now[1]))
    return tuple(found)


def _list_facts(judged: Judged, one_list: bool) -> Facts:
    """Return a document's facts besides its units: of settings those in use or set."""
    document, catalogue, roster = judged.document, judged.catalogue, judged.roster
    names = {book.id: book.name for book in catalogue.books}
    facts: Facts = {("game", ""): (_("Game"), catalogue.system.name)}
    if one_list:
        facts["list-name", ""] = (_("Name"), document.name)
    facts["size", ""] = (_("Size"), str(document.limit))
    for book in document.books:
        facts["book", book.id] = (names.get(book.id, book.id), book.revision or "used")
    known = catalogue.system.settings
    for key, setting in known.items():
        if setting.matters(roster.limit, roster.settings):
            words = _setting_words(catalogue, key, roster.settings[key])
            facts["setting", key] = (_(setting.name), words)
    for key, value in document.settings.items():
        if key not in known:
            facts["setting", key] = (key, setting_text(value))
    if document.notes:
        facts["notes", ""] = (_("Notes"), document.notes)
    return facts


def _setting_words(catalogue: Catalogue, key: str, value: object) -> str:
    setting = catalogue.system.settings[key]
    if value is None or value == ():
        return ""
    if isinstance(value, tuple):
        known: Mapping[str, Any] = catalogue.units if setting.kind == "pool" else setting.values
        counts = Counter(known[piece].name for piece in value)
        return ", ".join(f"{many} × {name}" if many > 1 else name for name, many in counts.items())
    if setting.kind == "attribute":
        return catalogue.system.attributes[setting.attribute].values[str(value)]
    return _(setting.values[str(value)].name) if setting.kind == "choice" else str(value)


@dataclass(frozen=True, slots=True)
class ListedUnit:
    """A unit on a list, at a place from 0; points None: unknown."""

    place: int
    id: str
    name: str
    models: int
    points: int | None


@dataclass(frozen=True, slots=True)
class _Placed(ListedUnit):
    """One of our books; `unit_name` is that of the book."""

    unit_name: str
    entry: ListUnit
    pick: Pick
    judged: Judged

    @property
    def what(self) -> tuple[str, str]:
        """The kind of entry: the same in two games only under the same name."""
        return self.entry.ref or "own", self.judged.document.system


def _units(before: Judged, after: Judged, one_list: bool) -> Iterator[UnitDifference]:
    old, new = _placed(before), _placed(after)
    pairs = _pairs(old, new, [sign for sign in _SIGNS if one_list or sign is not _same_id])

    def differ(was: _Placed, now: _Placed) -> tuple[ListChange, ...]:
        return () if was.entry == now.entry else changes(_unit_facts(was), _unit_facts(now))

    return unit_differences(old, new, pairs, one_list, differ)


def unit_differences(
    old: Sequence[Listed],
    new: Sequence[Listed],
    pairs: Mapping[int, Listed],
    one_list: bool,
    differ: Callable[[Listed, Listed], tuple[ListChange, ...]],
) -> Iterator[UnitDifference]:
    """Yield units that are new, changed (also places, of `one_list`) or gone, given the pairs."""
    moved = moved_places(pairs) if one_list else set()
    for now in checked(new):
        about, was = (now.name, now.models), pairs.get(now.place)
        if was is None:
            yield UnitDifference("new", *about, None, now.points, (), None, ("", now.id))
            continue
        found = differ(was, now)
        if found or now.place in moved or was.points != now.points:
            places = (was.place + 1, now.place + 1) if now.place in moved else None
            ids = (was.id, now.id)
            yield UnitDifference("changed", *about, was.points, now.points, found, places, ids)
    kept = {entry.place for entry in pairs.values()}
    for gone in (entry for entry in old if entry.place not in kept):
        about = gone.name, gone.models
        yield UnitDifference("gone", *about, gone.points, None, (), None, (gone.id, ""))


def _placed(judged: Judged) -> list[_Placed]:
    units = []
    entries = zip(judged.document.units, judged.roster.picks, strict=True)
    for place, (entry, pick) in enumerate(checked(entries)):
        unit, numbers = pick.unit, judged.report.lines.get(pick.id)
        known = numbers is not None and unit is not None and unit.price.start is not None
        points = numbers.points if numbers is not None and known else None
        what = unit.name if unit is not None else pick.ref
        name = f"{pick.name} ({what})" if pick.name else what
        about = place, pick.id, name, pick.models, points
        units.append(_Placed(*about, what, entry, pick, judged))
    return units


_Sign = Callable[["_Placed"], Hashable]


def _same_id(entry: _Placed) -> Hashable:
    return (entry.pick.id, entry.what)


#: How two entries are known to be the same unit, the surest sign first; "" as a sign says nothing.
_SIGNS: tuple[_Sign, ...] = (
    lambda entry: (entry.pick.id, entry.what, _content(entry)),
    lambda entry: (entry.what, _content(entry)),
    lambda entry: (entry.pick.id, entry.what, entry.unit_name),
    lambda entry: (entry.what, entry.pick.name) if entry.pick.name else "",
    _same_id,
    lambda entry: (entry.what, entry.unit_name),
    lambda entry: entry.what if entry.entry.ref else "",
    lambda entry: (entry.unit_name.casefold(), entry.pick.name, entry.pick.models),
    lambda entry: entry.unit_name.casefold(),
)


def _content(entry: _Placed) -> str:
    return json.dumps(replace(entry.entry, id="").to_dict(), sort_keys=True)


def _pairs(
    before: Sequence[_Placed], after: Sequence[_Placed], signs: Iterable[_Sign]
) -> dict[int, _Placed]:
    """Return the earlier entry by the place of the later one that is the same unit."""
    pairs: dict[int, _Placed] = {}
    known = {(entry.pick.id, entry.what): entry for entry in before}
    for entry in after:  # most entries did not change: spare them the signs
        was = known.get((entry.pick.id, entry.what))
        if was is not None and was.entry == entry.entry:
            pairs[entry.place] = was
    pair_up(pairs, before, after, signs)
    return pairs


def pair_up(
    pairs: dict[int, Listed],
    before: Sequence[Listed],
    after: Sequence[Listed],
    signs: Iterable[Callable[[Listed], Hashable]],
) -> None:
    """Add pairs of entries alike by a sign, surest first, by the place of the later one."""
    for sign in signs:
        taken = {entry.place for entry in pairs.values()}
        waiting: dict[Hashable, list[Listed]] = {}
        for entry in before:
            if entry.place not in taken:
                waiting.setdefault(sign(entry), []).append(entry)
        for entry in after:
            found = waiting.get(sign(entry)) if entry.place not in pairs else None
            if found and sign(entry) != "":
                pairs[entry.place] = found.pop(0)


def moved_places(pairs: Mapping[int, ListedUnit]) -> set[int]:
    """Return the places of the fewest units that have to move to get from the old order."""
    places = sorted(pairs)
    ends: list[int] = []  # earlier places that end the best runs so far, by length
    lengths = []
    for place in places:
        was = pairs[place].place
        length = bisect_left(ends, was)
        ends[length : length + 1] = [was]
        lengths.append(length)
    stays: set[int] = set()
    wanted = len(ends) - 1
    for place, length in zip(reversed(places), reversed(lengths), strict=True):
        if length == wanted:
            stays.add(place)
            wanted -= 1
    return set(places) - stays


def _unit_facts(placed: _Placed) -> Facts:
    entry, unit = placed.entry, placed.pick.unit
    system = placed.judged.catalogue.system
    facts: Facts = {("models", ""): (_("Models"), str(entry.models))}
    for role in entry.roles:
        known = system.roles.get(role)
        facts["role", role] = (known.name if known else role, YES)
    offer = unit.offer if unit is not None else Offer()
    names = {option.id: option.name for option in offer.options()}
    facts |= dict(_taken(entry.options, offer, names, "", ""))
    if entry.name:
        facts["name", ""] = (_("Name"), entry.name)
    if entry.notes:
        facts["notes", ""] = (_("Notes"), entry.notes)
    return facts | _card(entry, placed.judged.catalogue)


def _taken(
    options: Iterable[ListOption], offer: Offer, names: Mapping[str, str], path: str, above: str
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield the options chosen, each by the path of its ids and, for people, of its names."""
    for entry in options:
        slots = offer.slots.get(entry.id)
        option = slots[0].option if slots else None
        here = f"{path}{entry.id}"
        name = f"{above}{option.name if option else entry.id}"
        number = max(entry.number, option.given if option else 0)
        words = str(TAKEN) if number == 1 else _("{number} times").format(number=number)
        if on := entry.on:
            words = _("{times}, on {piece}").format(times=words, piece=names.get(on, on))
        # A document lists given options only for the options on them.
        if option is None or not option.given or on or number > option.given:
            yield ("option", here), (name, words)
        inner = option.offer if option else Offer()
        yield from _taken(entry.options, inner, names, f"{here}/", f"{name} / ")


def _card(entry: ListUnit, catalogue: Catalogue) -> Facts:
    """Return the values that a player filled in on a unit's card or own model."""
    system, card, profile = catalogue.system, entry.card or ListCard(), entry.profile
    facts: Facts = {}
    if card.points is not None:
        facts["card", "points"] = (_("Points on the card"), str(card.points))
    for key, value in card.attributes.items():
        attribute = system.attributes.get(key)
        text = attribute.values.get(value, value) if attribute else value
        facts["card", key] = (attribute.name if attribute else key, text)
    for key, rating in card.ratings.items():
        ability = catalogue.abilities.get(key)
        facts["card", f"rating {key}"] = (ability.name if ability else key, str(rating))
    if profile is None:
        return facts
    facts["card", "name"] = (_("Name on the card"), profile.name)
    for key, number in profile.stats.items():
        stat = system.stats.get(key)
        facts["card", f"stat {key}"] = (stat.name if stat else key, str(number))
    for use in profile.abilities:
        ability = catalogue.abilities.get(use.ability)
        name = ability.name if ability else use.ability
        facts["card", f"ability {use.ability}"] = (name, use.target or YES)
    return facts
