"""The open list of an army whose special items are kept hidden (The Ninth Age, Rulebook 8.E.a).

Hidden are special items and everything that requires one, such as the second path of a wizard with
Essence of a Free Mind. Units that look the same on the open list have letters on both lists,
whether or not their hidden parts differ: so the full list says which has the item, and the open one
doesn't betray that any has.

The open list is computed from its open part alone, its hash too, so that nobody can try out which
hidden items give the hash that they read.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial

from armybuilder.engine.conditions import AllOf, AnyOf, Condition, OptionTaken
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Roster
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList, ListOption, changed
from armybuilder.loading.documents import hash_of


def hidden(pick: OptionPick) -> bool:
    """Return whether it is hidden: special items, and runes and manifestations, marked alike."""
    return bool(pick.option.item)


def open_roster(roster: Roster) -> Roster:
    """Return the roster without its hidden part, and without the player's notes on units.

    An option that the book does not know may have been an item, so it is left out, too.
    """
    picks = tuple(
        replace(
            pick,
            picks=tuple(_open_picks(pick.picks, cache(partial(_hidden_tags, pick.unit)))),
            notes="",
        )
        if pick.unit
        else pick
        for pick in roster.picks
    )
    strays = tuple(stray for stray in roster.strays if stray.kind not in ("option", "repeated"))
    return replace(roster, picks=picks, strays=strays)


def _hidden_tags(unit: Unit) -> frozenset[str]:
    """Return what conditions count hidden options of a unit by, and no others."""
    hidden_tags: set[str] = set()
    others: set[str] = set()
    offers = [unit.offer]
    for offer in offers:
        for slot in (slot for slots in offer.slots.values() for slot in slots):
            (hidden_tags if slot.option.item else others).update(slot.counted)
            offers.append(slot.option.offer)
    return frozenset(hidden_tags - others)


Tags = Callable[[], frozenset[str]]


def _open_picks(picks: Iterable[OptionPick], tags: Tags) -> Iterator[OptionPick]:
    """Yield the open picks; `tags` are those of hidden options, which others may need."""
    for pick in picks:
        # What cannot be taken without something hidden follows it.
        follows = all(any(_asks(need, tags) for need in slot.needs) for slot in pick.slots)
        if not hidden(pick) and not follows:
            yield replace(pick, picks=tuple(_open_picks(pick.picks, tags))) if pick.picks else pick


def _asks(need: Condition, tags: Tags) -> bool:
    """Return whether a condition cannot hold without something hidden."""
    if isinstance(need, OptionTaken):
        return not need.army and bool(need.low) and tags().issuperset(need.tags)
    if isinstance(need, AllOf):
        return any(_asks(other, tags) for other in need.others)
    return isinstance(need, AnyOf) and all(_asks(other, tags) for other in need.others)


def letters(roster: Roster) -> Mapping[str, str]:
    """Return letters by pick id of units that look the same on the open list, in its order."""
    looks = {
        pick.id: (pick.ref, pick.name, pick.models, pick.roles, _tree(pick.picks))
        for pick in open_roster(roster).picks
        if pick.unit
    }
    several = Counter(looks.values())
    seen: Counter[object] = Counter()
    by_pick = {}
    for pick_id, look in looks.items():
        if several[look] > 1:
            number, letter = seen[look], ""
            while number >= 0:  # A, B, ... Z, AA, AB, ...
                number, last = divmod(number, 26)
                letter = chr(ord("A") + last) + letter
                number -= 1
            by_pick[pick_id] = letter
            seen[look] += 1
    return by_pick


def _tree(picks: Iterable[OptionPick]) -> object:
    return frozenset((pick.id, pick.number, pick.on, _tree(pick.picks)) for pick in picks)


def open_document(document: ArmyList, roster: Roster, sized: bool) -> ArmyList:
    """Return the document of an open list: without notes and hidden items."""
    picks = {pick.id: pick for pick in open_roster(roster).picks} if sized else {}
    units = tuple(
        changed(entry, notes="", options=tuple(_entries(entry.options, picks[entry.id].picks)))
        if entry.id in picks
        else changed(entry, notes="")
        for entry in document.units
    )
    return changed(document, notes="", units=units)


def open_hash(document: ArmyList, roster: Roster, sized: bool) -> str:
    """Return the hash of that document, which open lists carry: 64 hexadecimal digits."""
    return hash_of(open_document(document, roster, sized))


def _entries(entries: Iterable[ListOption], picks: Iterable[OptionPick]) -> Iterator[ListOption]:
    """Yield the entries that are picks; included ones only if something is on them."""
    found = {pick.id: pick for pick in picks}
    for entry in entries:
        pick = found.pop(entry.id, None)
        if pick is None:
            continue
        below = tuple(_entries(entry.options, pick.picks))
        if below or not pick.given or entry.on or entry.number > pick.option.given:
            yield ListOption(entry.id, entry.number, entry.on, below)
