"""The open list of an army whose special items are kept hidden (The Ninth Age, Rulebook 8.E.a).

Hidden are special items and what follows their rules. Units that look the same on the open list
have letters on both lists, whether or not their hidden parts differ: so the full list tells which
has the item, and the open one does not betray that any has.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence

#: Codes of findings that tell what the hidden part of an army costs or breaks.
_TELLING = ("items.", "category.", "points.")


def hidden(pick: OptionPick) -> bool:
    """Return whether it is hidden: special items, and runes and manifestations, marked alike."""
    return bool(pick.option.item)


def open_roster(roster: Roster) -> Roster:
    """Return the roster without its hidden part, and without what the player noted on units."""
    picks = tuple(
        replace(pick, picks=tuple(_open(pick.picks)), notes="") if pick.unit else pick
        for pick in roster.picks
    )
    return replace(roster, picks=picks)


def _open(picks: Iterable[OptionPick]) -> Iterator[OptionPick]:
    for pick in picks:
        if not hidden(pick):
            yield replace(pick, picks=tuple(_open(pick.picks))) if pick.picks else pick


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


def hidden_names(roster: Roster) -> frozenset[str]:
    """Names of everything hidden that the army has, and of the groups it was taken from."""
    return frozenset(name for pick in roster.picks for name in _names(pick.picks))


def _names(picks: Iterable[OptionPick]) -> Iterator[str]:
    for pick in picks:
        if hidden(pick):
            yield pick.option.name
            yield from (group.name for group in pick.slots[0].groups)
        yield from _names(pick.picks)


def betrays(finding: Finding, names: frozenset[str]) -> bool:
    """Return whether the finding would tell an opponent about hidden items, of which these are."""
    if not names:
        return False
    return finding.code.startswith(_TELLING) or tells_of(sentence(finding), names)


def tells_of(said: str, names: frozenset[str]) -> bool:
    """Return whether a sentence names something hidden."""
    return any(name in said for name in names)
