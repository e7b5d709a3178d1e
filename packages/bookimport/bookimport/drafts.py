"""What the translation makes before ids are given: drafts of nodes, and notes for the report."""

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from bookimport.ledger import Ledger, parts_of
from bookimport.logic import Cond
from bookimport.source import Modifier, SourceEntry


@dataclass(frozen=True)
class Around:
    """The surroundings of a node: the most options by its groups, the options it is taken on, and
    the wrapper entry that became a group, in which nothing is a must.
    """

    most: int | None = None
    on: tuple[SourceEntry, ...] = ()
    wrapper: SourceEntry | None = None

    def within(self, most: int | None) -> "Around":
        """The same inside a group of which at most so many may be chosen."""
        known = [number for number in (self.most, most) if number is not None]
        return replace(self, most=min(known) if known else None)

    def taken_on(self, option: SourceEntry) -> "Around":
        """Below an option: groups outside it do not count what is taken on it."""
        return Around(None, (*self.on, option))


@dataclass(eq=False)
class BookDraft:
    """An option, a group or a use of the shared `source`. `facts` are keys of the book format;
    conditions in them name source entries.
    """

    source: SourceEntry
    kind: Literal["option", "group", "use"]
    name: str
    facts: dict[str, Any] = field(default_factory=dict)
    available: Cond = True
    children: list["BookDraft"] = field(default_factory=list)

    def walk(self) -> list["BookDraft"]:
        """This draft and everything below it, parents first."""
        return [self, *(below for child in self.children for below in child.walk())]


@dataclass(eq=False)
class UnitDraft:
    """A unit or army-wide choice before ids are given."""

    source: SourceEntry
    name: str
    facts: dict[str, Any] = field(default_factory=dict)
    available: Cond = True
    children: list[BookDraft] = field(default_factory=list)

    def walk(self) -> list[BookDraft]:
        """Return everything below the unit, parents first."""
        return [below for child in self.children for below in child.walk()]


@dataclass(frozen=True, slots=True)
class ImportGap:
    """Something that could not be said: at which entry (of which unit), and what."""

    at: SourceEntry | None
    what: str


@dataclass(frozen=True, slots=True)
class Open:
    """A restriction that cannot be judged: where, what, why, and when it applies. `left_out`: what
    it is about is not in the book.
    """

    at: SourceEntry | None
    what: str
    why: str
    cond: Cond = True
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class ImportDoubt:
    """Something that was said and should be looked at."""

    place: str
    what: str


class Unsayable(Exception):
    """A condition or count that the book format has no words for."""


@dataclass
class Notes:
    """Everything the report of one book tells, in the order it was met."""

    gaps: list[ImportGap] = field(default_factory=list)
    doubts: list[ImportDoubt] = field(default_factory=list)
    opens: list[Open] = field(default_factory=list)
    ledger: Ledger = field(default_factory=Ledger)
    read: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    against_rules: Counter[str] = field(default_factory=Counter)

    def gap(self, at: SourceEntry | None, what: str) -> None:
        """Note once what cannot be said at a place."""
        found = ImportGap(at, what)
        if found not in self.gaps:
            self.gaps.append(found)

    def unchecked(
        self, at: SourceEntry | None, what: str, why: str, cond: Cond = True, left_out: bool = False
    ) -> None:
        """Note once a restriction that cannot be judged."""
        found = Open(at, what, why, cond, left_out)
        if found not in self.opens:
            self.opens.append(found)

    def open_change(self, at: SourceEntry | None, what: str, modifier: Modifier) -> None:
        """Note that what a change asks cannot be judged."""
        self.unchecked(at, what, "condition")
        self.ledger.unchecked(what, *parts_of(modifier))

    def doubt(self, place: str, what: str) -> None:
        """Note once what looks doubtful at a place."""
        found = ImportDoubt(place, what)
        if found not in self.doubts:
            self.doubts.append(found)


#: Why things of the files are left out, as the report words it.
SCALING = "changes of a cap with the game size, carried by the rule for 0-X (8.B.c.1)"
NOT_A_LEADER = "exclusions of General and Battle Standard Bearer, carried by Not a Leader"
DOMINANT = "exclusions between Dominant items, carried by the rule (22.B.a)"
GENERAL = "options “Army General”, carried by the rule of the General (8.B.c.4)"
SLOTS = "limits of special items per model, carried by the rule (22.A)"
IMPLIED = "limits of groups implied by the group around them"
FLATTENED = "wrapper entries that became groups"
MERGED = "groups that told nothing and were merged away"
HIDDEN = "entries that are always hidden"
NAMED = "options that their name keeps from the unit"
EMPTY = "groups that hold nothing"
NOTHING = "changes by nothing"
OTHER_SCALING = "caps that change with the game size otherwise than 8.B.c.1 says"
ONE_OF_A_KIND = (
    "special items allowed twice from 8000 points, though One of a Kind is never scaled (8.B.c.2)"
)
