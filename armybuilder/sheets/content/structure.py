"""Contents of a roster sheet before it is drawn: verdict, numbers, units and rules.

Every printout (web page, PDF, text) draws a `Sheet`, so they can't disagree. Typed text is cleaned
before (`printable.py`); drawers only escape it.
"""

import datetime
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.engine.meaning import Meaning
from armybuilder.engine.states import TO_DO
from armybuilder.engine.verdict import Counts, Outcome
from armybuilder.engine.vocabulary import Reminder, Table
from armybuilder.sheets.content.unit_view import StatColumn, UnitView

_STATES = {"ok": gettext_lazy("ok"), "over": gettext_lazy("over"), "under": gettext_lazy("under")}


@dataclass(frozen=True, slots=True)
class CategoryShare:
    """An army category, its `bound` in words, its state: "ok", "over" or "under"."""

    name: str
    points: int
    per_cent: str
    bound: str
    state: str

    @property
    def ok(self) -> bool:
        return self.state == "ok"

    @property
    def sign(self) -> str:
        """Sign that a page draws for it: "ok", "error" or `TO_DO`."""
        return {"over": "error", "under": TO_DO}.get(self.state, "ok")

    @property
    def state_word(self) -> str:
        return str(_STATES[self.state])


@dataclass(frozen=True, slots=True)
class Division:
    title: str
    units: tuple[UnitView, ...]


@dataclass(frozen=True, slots=True)
class SheetArmy:
    """An army; `left` in points, None on an open list; `hint`: what that leaves out."""

    kind: str
    hint: str
    columns: tuple[StatColumn, ...]
    shares: tuple[CategoryShare, ...]
    total: CategoryShare
    left: int | None
    divisions: tuple[Division, ...]

    @property
    def units(self) -> tuple[UnitView, ...]:
        return tuple(unit for division in self.divisions for unit in division.units)


#: What stands in the place of a severity where a restriction was not checked.
UNCHECKED = "unchecked"
_SEVERITIES = {
    "error": gettext_lazy("error"),
    TO_DO: gettext_lazy("to do"),
    "warning": gettext_lazy("warning"),
    "note": gettext_lazy("note"),
    UNCHECKED: gettext_lazy("not checked"),
}


#: What a finding may be, the gravest first.
GRAVITY = tuple(_SEVERITIES)


def severity_word(severity: str) -> str:
    """Return the name of a severity or `UNCHECKED` in the reader's language."""
    return str(_SEVERITIES[severity])


@dataclass(frozen=True, slots=True)
class FindingLine:
    """A finding, `TO_DO` or UNCHECKED restriction; `reading`: how we read an unclear rule."""

    severity: str
    sentence: str
    citation: str
    reading: str

    @property
    def word(self) -> str:
        return severity_word(self.severity)


@dataclass(frozen=True, slots=True)
class GaugeLine:
    """A number that the rules bound, as "96 of 100"; `short`: there must be more of it."""

    name: str
    text: str
    ok: bool
    lineup: str
    citation: str
    short: bool = False

    @property
    def sign(self) -> str:
        """Sign that a page draws for a number out of bounds: "error" or `TO_DO`."""
        return TO_DO if self.short else "error"

    @property
    def said(self) -> str:
        """The number, and that it is not met where it is not."""
        return self.text if self.ok else _("{number} (not met)").format(number=self.text)


class NamedValue(NamedTuple):
    """A name with its value: a setting, or a line of a list."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class FactLine:
    """A game-day figure; `lineup` "" where it holds with and without the reserve."""

    lineup: str
    name: str
    text: str
    citation: str
    note: str


@dataclass(frozen=True, slots=True)
class SheetEntry:
    """An explained special rule, spell or terrain piece; `group` is its heading."""

    label: str
    summary: str
    note: str
    citation: str
    group: str = ""

    @classmethod
    def of(cls, meaning: Meaning, group: str = "") -> "SheetEntry":
        return cls(meaning.name, meaning.summary, meaning.note, str(meaning.citation), group)


class AtEvent(NamedTuple):
    """Verdict of an event on a list, in words, and the state of the list."""

    said: str
    outcome: Outcome

    @property
    def alone(self) -> str:
        return capfirst(self.said)


_NO_FINDINGS = Counts(0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole roster sheet. `limit` and `spent` are points; `models` counts figures.

    `counts` are those of the verdict; `findings` come gravest first; `glossary`, `spells` and
    `pieces` (terrain and other choices) explain each once. An `army` replaces cards. `hash`: first
    letters of the document's SHA-256, of an open list, of its visible part; `open_hash`: on a whole
    list that of its open one, if another. `left_out` names the parts that a preset hides; `link` is
    the URL of a frozen copy, `certificate` that of a page that verifies the one in it. `editions`
    are the books under their sources' names; `occasion` says who plays where (no line if empty);
    `at_event` is the verdict of the event that the list was submitted to; `reservation`: premises
    of verdicts other than the game's rulebook; `differences` of custom books from shipped ones, for
    pages. `costs` in words replace points in games by files; "" if they have none.
    """

    title: str
    system: str
    date: datetime.date
    books: tuple[str, ...] = ()
    points_name: str = ""
    limit: int = 0
    spent: int = 0
    models: str = ""
    outcome: Outcome = Outcome.LEGAL
    counts: Counts = _NO_FINDINGS
    verdict: str = ""
    findings: tuple[FindingLine, ...] = ()
    gauges: tuple[GaugeLine, ...] = ()
    settings: tuple[NamedValue, ...] = ()
    cards: tuple[UnitView, ...] = ()
    facts: tuple[FactLine, ...] = ()
    reminders: tuple[Reminder, ...] = ()
    glossary: tuple[SheetEntry, ...] = ()
    spells: tuple[SheetEntry, ...] = ()
    pieces: tuple[SheetEntry, ...] = ()
    tables: tuple[Table, ...] = ()
    notes: str = ""
    army: SheetArmy | None = None
    hash: str = ""
    open_hash: str = ""
    left_out: str = ""
    link: str = ""
    certificate: str = ""
    editions: tuple[str, ...] = ()
    occasion: tuple[NamedValue, ...] = ()
    at_event: AtEvent | None = None
    reservation: str = ""
    differences: tuple[str, ...] = ()
    costs: str | None = None

    @property
    def units(self) -> tuple[UnitView, ...]:
        return self.army.units if self.army else self.cards

    @property
    def statless(self) -> int:
        """Number of units without a stat line in the file."""
        return sum(unit.lacks_stats for unit in self.units)

    @property
    def reserved(self) -> str:
        """The verdict and its premises: two sentences."""
        return " ".join(filter(None, (self.verdict, self.caveat)))

    @property
    def caveat(self) -> str:
        """The reservation as a sentence; "" without any."""
        return f"{capfirst(self.reservation)}." if self.reservation else ""

    @property
    def verdicts(self) -> str:
        event = f"{self.at_event.alone}." if self.at_event else ""
        return " ".join(filter(None, (self.verdict, event, self.caveat)))

    @property
    def sign(self) -> Outcome:
        """The outcome of both, by whose sign a page is known: not legal where either is not."""
        return self.at_event.outcome if self.at_event and self.legal else self.outcome

    @property
    def legal(self) -> bool:
        return self.outcome is not Outcome.ILLEGAL

    @property
    def unfinished(self) -> bool:
        return not self.legal and not self.counts.broken

    @property
    def price(self) -> str:
        """The points in words; of an open list only those of its visible part."""
        if self.costs is not None:
            return self.costs
        text = _("{spent} of {limit} points")
        if self.kind == "open":
            text = _("{spent} points without special items, game of {limit}")
        return text.format(spent=self.spent, limit=self.limit)

    @property
    def remembered(self) -> tuple[SheetEntry, ...]:
        return tuple(
            SheetEntry(line.name, line.text, "", str(line.citation)) for line in self.reminders
        )

    @property
    def explained(self) -> tuple[SheetEntry, ...]:
        """The glossary without entries that reminders of the same name explain at length."""
        told = {line.name for line in self.reminders}
        return tuple(entry for entry in self.glossary if entry.label not in told)

    @property
    def rules(self) -> tuple[tuple[str, tuple[SheetEntry, ...]], ...]:
        groups = groupby(self.glossary, lambda entry: entry.group)
        return tuple((group or _("Special rules"), tuple(entries)) for group, entries in groups)

    @property
    def heading(self) -> str:
        """The title as later pages and files have it: an open list says that it is one."""
        open_title = _("{title} (open list)").format(title=self.title)
        return self.title if self.kind == "full" else open_title

    @property
    def kind(self) -> str:
        """ "open" where special items are left out, else "full"."""
        return self.army.kind if self.army else "full"

    @property
    def day(self) -> str:
        """The date in words: "8 October 2026", in any locale."""
        return date_format(self.date, _("j F Y"))
