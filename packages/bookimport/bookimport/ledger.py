"""The ledger of an import: the outcome of every restriction in a source file.

Each limit, change, condition and count, and each name and sentence that restricts, ends as *judged*
(a rule or the book asks for it), *unchecked* (told with every list that it applies to) or *idle*
(proved to forbid nothing).
What none of the translation's steps has dealt with is unaccounted for, which is a mistake of ours.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any, Final, NamedTuple

from bookimport.names import split
from bookimport.source import (
    CategoryLink,
    Conditions,
    Constraint,
    Modifier,
    Repeat,
    SourceCondition,
    SourceEntry,
)


class Fate(StrEnum):
    """The outcome of something, the one that counts most first."""

    UNCHECKED = "unchecked"
    JUDGED = "judged"
    IDLE = "idle"


_RANK: Final = {fate: rank for rank, fate in enumerate(Fate)}
#: What is counted, by the names the ledger is printed with.
KINDS: Final = ("limits", "changes", "conditions", "counts", "names", "sentences")


class LedgerItem(NamedTuple):
    """Something that may restrict: what kind of thing, the thing itself, and where it stands."""

    kind: str
    thing: object
    place: str


class Ledger:
    """Fates by thing, as the steps of the translation tell them."""

    def __init__(self) -> None:
        self._fates: dict[object, tuple[Fate, str]] = {}
        self._settled: set[object] = set()

    def judged(self, *things: object) -> None:
        """Return a rule or the book asks for these."""
        self._tell(Fate.JUDGED, "", things)

    def unchecked(self, what: str, *things: object) -> None:
        """These cannot be said; `what` is told with the lists they apply to."""
        self._tell(Fate.UNCHECKED, what, things)

    def idle(self, why: str, *things: object) -> None:
        """These forbid nothing, for this reason."""
        self._tell(Fate.IDLE, why, things)

    def constant(self, why: str, thing: object) -> None:
        """The answer of this condition or count is the same always, whatever it is part of."""
        self._fates[thing] = (Fate.IDLE, why)
        self._settled.add(thing)

    def dropped(self, why: str, entry: SourceEntry) -> None:
        """The entry is left out with all that stands in it, whatever was read of it before."""
        for thing in things_of(entry):
            self._fates[thing] = (Fate.IDLE, why)
        for child in entry.children:
            self.dropped(why, child)

    def fate(self, thing: object) -> tuple[Fate, str] | None:
        """Return the outcome of a thing, and why; None: nobody dealt with it."""
        return self._fates.get(thing)

    def _tell(self, fate: Fate, why: str, things: Iterable[object]) -> None:
        for thing in things:
            before = self._fates.get(thing)
            if thing in self._settled and fate is Fate.JUDGED:
                continue
            if before is None or _RANK[fate] < _RANK[before[0]]:
                self._fates[thing] = (fate, why)


def parts_of(modifier: Modifier) -> Iterator[object]:
    """Yield a change with its conditions and counts."""
    yield modifier
    yield from _conditions(modifier.when)
    yield from modifier.repeats


def _conditions(conditions: Conditions) -> Iterator[SourceCondition]:
    for part in conditions.parts:
        if isinstance(part, SourceCondition):
            yield part
        else:
            yield from _conditions(part)


def things_of(entry: SourceEntry) -> Iterator[object]:
    """The same, without places."""
    return (item.thing for item in items_of_entry(entry, ""))


def items_of_category(link: CategoryLink, place: str) -> Iterator[LedgerItem]:
    """Yield everything in a force's category that may restrict."""
    yield from (LedgerItem("limits", part, place) for part in link.constraints)
    yield from _of_modifiers(link.modifiers, place)


def items_of_entry(entry: SourceEntry, place: str) -> Iterator[LedgerItem]:
    """Yield everything in one entry that may restrict, what stands below it left out."""
    yield from (LedgerItem("limits", part, place) for part in entry.constraints)
    yield from _of_modifiers(entry.modifiers, place)
    for info in entry.infos:
        yield from _of_modifiers(info.modifiers, place)
    for profile in entry.profiles:
        yield from _of_modifiers(profile.modifiers, place)
    if entry.kind in {"upgrade", "link"}:
        yield from (
            LedgerItem("names", (entry, phrase), place) for phrase in split(entry.name).phrases
        )
        yield from (LedgerItem("sentences", (entry, words), place) for words in entry.sentences)


def _of_modifiers(modifiers: tuple[Modifier, ...], place: str) -> Iterator[LedgerItem]:
    for modifier in modifiers:
        for thing in parts_of(modifier):
            yield LedgerItem(_kind(thing), thing, place)


def _kind(thing: object) -> str:
    if isinstance(thing, Constraint):
        return "limits"
    if isinstance(thing, Modifier):
        return "changes"
    return "counts" if isinstance(thing, Repeat) else "conditions"


def summary(ledger: Ledger, items: Iterable[LedgerItem]) -> dict[str, Any]:
    """Return the ledger as data: counts by kind and fate; what is unchecked, idle or missing."""
    counts: dict[str, Counter[str]] = {kind: Counter() for kind in KINDS}
    idle: Counter[str] = Counter()
    unchecked: dict[tuple[str, str], int] = {}
    missing: Counter[str] = Counter()
    for kind, thing, place in items:
        told = ledger.fate(thing)
        if told is None:
            counts[kind]["unaccounted"] += 1
            missing[f"{place}: {kind}"] += 1
            continue
        fate, why = told
        counts[kind][fate] += 1
        if fate is Fate.IDLE:
            idle[why] += 1
        elif fate is Fate.UNCHECKED:
            unchecked[place, why] = unchecked.get((place, why), 0) + 1
    return {
        "counts": {kind: dict(sorted(found.items())) for kind, found in counts.items()},
        "unchecked": [
            {"place": place, "what": what, "parts": number}
            for (place, what), number in unchecked.items()
        ],
        "idle": dict(sorted(idle.items())),
        "unaccounted": dict(sorted(missing.items())),
    }
