"""The open list of an army whose special items are kept hidden (The Ninth Age, Rulebook 8.E.a).

Hidden are special items and what follows their rules: also what nobody could take without one, such
as the second path of a wizard with Essence of a Free Mind. Units that look the same on the open
list have letters on both lists, whether or not their hidden parts differ: so the full list tells
which has the item, and the open one does not betray that any has.

What an open list says is worked out from the open part alone: its hash, too, so that nobody can
try out which hidden items give the hash that they read.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from armybuilder.engine.conditions import AllOf, AnyOf, Condition, OptionTaken
from armybuilder.engine.options import Offer, Slot
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.rules import Finding
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit, changed
from armybuilder.loading.documents import hash_of

#: Codes of findings that tell what the hidden part of an army costs or breaks.
_TELLING = ("items.", "category.", "points.")


def hidden(pick: OptionPick) -> bool:
    """Return whether it is hidden: special items, and runes and manifestations, marked alike."""
    return bool(pick.option.item)


def open_roster(roster: Roster) -> Roster:
    """Return the roster without its hidden part, and without what the player noted on units. An
    option that the book does not know may have been an item, so it is left out, too.
    """
    picks = tuple(
        replace(pick, picks=tuple(_Opening(pick.unit).open(pick.picks)), notes="")
        if pick.unit
        else pick
        for pick in roster.picks
    )
    strays = tuple(stray for stray in roster.strays if stray.kind not in ("option", "repeated"))
    return replace(roster, picks=picks, strays=strays)


class _Opening:
    """Leaves out of what is taken on a unit what its book calls hidden, whatever it has of that."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit

    def open(self, picks: Iterable[OptionPick]) -> Iterator[OptionPick]:
        for pick in picks:
            if not hidden(pick) and not self._follows(pick):
                yield replace(pick, picks=tuple(self.open(pick.picks))) if pick.picks else pick

    def _follows(self, pick: OptionPick) -> bool:
        """Return whether it cannot be taken without something hidden."""
        return all(any(map(self._asks, slot.needs)) for slot in pick.slots)

    def _asks(self, need: Condition) -> bool:
        """Return whether a condition cannot hold without something hidden."""
        if isinstance(need, OptionTaken):
            return not need.army and bool(need.low) and self._hidden_tags.issuperset(need.tags)
        if isinstance(need, AllOf):
            return any(map(self._asks, need.others))
        return isinstance(need, AnyOf) and all(map(self._asks, need.others))

    @cached_property
    def _hidden_tags(self) -> frozenset[str]:
        """What conditions count hidden options by, and no others."""
        hidden_tags: set[str] = set()
        others: set[str] = set()
        for slot in _slots_in(self.unit.offer):
            (hidden_tags if slot.option.item else others).update(slot.counted)
        return frozenset(hidden_tags - others)


def _slots_in(offer: Offer) -> Iterator[Slot]:
    for slots in offer.slots.values():
        for slot in slots:
            yield slot
            yield from _slots_in(slot.option.offer)


def letters(roster: Roster) -> Mapping[str, str]:
    """Letters by pick id of units that look the same on the open list, in the list's order."""
    looks = {pick.id: _look(pick) for pick in open_roster(roster).picks if pick.unit}
    several = Counter(looks.values())
    seen: Counter[object] = Counter()
    told = {}
    for pick_id, look in looks.items():
        if several[look] > 1:
            told[pick_id] = _letter(seen[look])
            seen[look] += 1
    return told


def _look(pick: Pick) -> object:
    return pick.ref, pick.name, pick.models, pick.roles, _tree(pick.picks)


def _tree(picks: Iterable[OptionPick]) -> object:
    return frozenset((pick.id, pick.number, pick.on, _tree(pick.picks)) for pick in picks)


def _letter(number: int) -> str:
    """A, B, ... Z, AA, AB, ... for 0, 1, ..."""
    rest, last = divmod(number, 26)
    return (_letter(rest - 1) if rest else "") + chr(ord("A") + last)


def open_document(document: ArmyList, roster: Roster, sized: bool) -> ArmyList:
    """Return the document of what an open list shows: without notes and, where the game is `sized`
    and so has hidden items, without these. Lists that differ in nothing else have equal ones.
    """
    picks = {pick.id: pick for pick in open_roster(roster).picks} if sized else {}
    units = tuple(_open_unit(entry, picks.get(entry.id)) for entry in document.units)
    return changed(document, notes="", units=units)


def open_hash(document: ArmyList, roster: Roster, sized: bool) -> str:
    """Return the hash of that document, which open lists carry: 64 hexadecimal digits."""
    return hash_of(open_document(document, roster, sized))


def _open_unit(entry: ListUnit, pick: Pick | None) -> ListUnit:
    if pick is None:
        return changed(entry, notes="")
    return changed(entry, notes="", options=tuple(_entries(entry.options, pick.picks)))


def _entries(entries: Iterable[ListOption], picks: Iterable[OptionPick]) -> Iterator[ListOption]:
    """Return the entries that are picks; what is given only where something stands on it."""
    found = {pick.id: pick for pick in picks}
    for entry in entries:
        pick = found.pop(entry.id, None)
        if pick is None:
            continue
        below = tuple(_entries(entry.options, pick.picks))
        if below or not pick.given or entry.on or entry.number > pick.option.given:
            yield ListOption(entry.id, entry.number, entry.on, below)


def told_openly(finding: Finding, shown: Report) -> bool:
    """Return whether an open list tells a finding on the whole list: where its open part, of which
    `shown` is the report, has the very same, and it tells nothing of what anything costs.
    """
    return not finding.code.startswith(_TELLING) and finding in shown.findings
