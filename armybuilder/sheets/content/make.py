"""From a list document to its sheets: everything a printout says is worked out and worded here."""

import datetime
from collections.abc import Iterable, Iterator
from dataclasses import InitVar, dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine import Finding, Report, validate
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import settings_fit
from armybuilder.engine.meanings import Meanings
from armybuilder.engine.nouns import counted, known
from armybuilder.engine.roster import Roster, SettingValue
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import mark_of
from armybuilder.engine.terms import Gauge
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.verdict import Counts, verdict_sentence, verdict_words
from armybuilder.engine.vocabulary import Setting, Table
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.documents import Judged, hash_of, judge
from armybuilder.loading.library import Library
from armybuilder.loading.likeness import differences
from armybuilder.sheets.content.cards import Face, list_faces
from armybuilder.sheets.content.hidden import open_hash, open_roster
from armybuilder.sheets.content.make_army import ArmyMaker, in_table
from armybuilder.sheets.content.make_units import ViewMaker
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.content.structure import (
    GRAVITY,
    UNCHECKED,
    AtEvent,
    FactLine,
    FindingLine,
    GaugeLine,
    NamedValue,
    Sheet,
    SheetArmy,
    SheetEntry,
)


def tables_of(roster: Roster, system: System, paths: str = "") -> Iterator[Table]:
    """Return the game's tables with the rows that its list calls for; none of those without any.

    `paths` are those of its wizards, in words.
    """
    units = [pick.unit for pick in roster.picks if pick.unit is not None]
    lines = [line for unit in units for lines in unit.texts.values() for line in lines]
    uses = [use for unit in units for use in unit.abilities]
    words = " ".join([*lines, *(f"{use.label} {use.ability.summary}" for use in uses)]).casefold()
    for whole in (table for table in system.tables if settings_fit(roster.settings, table.given)):
        table = _chosen(whole, roster, system)
        rows = table.rows
        if table.named:
            rows = tuple(row for row in rows if row[0].split()[0].casefold() in words)
        elif table.paths:
            rows = tuple(row for row in rows if row[0] in paths)
        if rows:
            yield replace(table, rows=rows)


def _chosen(table: Table, roster: Roster, system: System) -> Table:
    """Return a table with the rows of the values chosen for settings; all where none has them."""
    for number, (column, setting) in enumerate(table.choices.items()):
        place = table.columns.index(column)
        values, value = system.settings[setting].values, roster.settings.get(setting)
        if not isinstance(value, str) or value not in values:
            continue
        name, others = values[value].name, {one.name for one in values.values()}
        # In a column after the first, a row may have none of the values: it fits each.
        rows = [r for r in table.rows if r[place] == name or (place and r[place] not in others)]
        if number and rows:  # Every row has it now: its column says no more.
            rows = [(*row[:place], *row[place + 1 :]) for row in rows]
            columns = (*table.columns[:place], *table.columns[place + 1 :])
            table = replace(table, columns=columns)
        elif rows:
            table = replace(table, chosen=True)
        table = replace(table, rows=tuple(rows) or table.rows)
    return table


def army_glossary(army: SheetArmy, meanings: Meanings) -> tuple[SheetEntry, ...]:
    """Return the game's explanations of names in the army, in the game's order."""
    names: list[str] = []
    for unit in army.units:
        names += [*unit.rules, *unit.marks]
        names += [taken.plain for taken in unit.options]
        names += [unit.wizard.kind] if unit.wizard else []
        names += ["Scoring"] if unit.scoring else []
    named = {id(meaning) for name in names for meaning in meanings.explained(name)}
    glossary = meanings.catalogue.system.glossary
    entries = [SheetEntry.of(entry, entry.group) for entry in glossary if id(entry) in named]
    items = (item.plain for unit in army.units for item in unit.items)
    return (
        *entries,
        *(replace(item, group=_("Special items")) for item in _entries(meanings, items)),
    )


#: What an army may be printed as: with its special items, or as opponents see it before the game.
KINDS = ("full", "open")
#: Letters of the hash that a page shows.
HASH = 10


def army_sheet(judged: Judged, printed_on: datetime.date, kind: str) -> Sheet:
    """Return an army's sheet; an open one hides items under the verdict on the whole list."""
    catalogue, roster, report = judged.catalogue, judged.roster, judged.report
    hides = kind == "open"
    shown = validate(open_roster(roster), catalogue) if hides else report
    common = make_sheet(
        replace(judged, roster=shown.full.roster, report=shown), printed_on, cards=False
    )
    army = ArmyMaker(catalogue, roster, shown, report, kind).make()
    paths = ", ".join(unit.wizard.path for unit in army.units if unit.wizard)
    return replace(
        common,
        verdict=verdict_with_points(report.counts, None if hides else report.spent, report.limit),
        findings=tuple(_open_findings(report, shown)) if hides else common.findings,
        outcome=report.outcome,
        counts=report.counts,
        gauges=tuple(gauge_line(gauge) for gauge in shown.gauges if not in_table(gauge)),
        glossary=army_glossary(army, Meanings(catalogue)),
        tables=tuple(tables_of(shown.full.roster, catalogue.system, paths)),
        notes="" if hides else common.notes,
        hash=open_hash(judged.document, roster, sized=True)[:HASH] if hides else common.hash,
        army=army,
    )


#: Codes of findings that tell what the hidden part of an army costs or breaks.
_TELLING = ("items.", "category.", "points.")


def _open_findings(report: Report, shown: Report) -> Iterator[FindingLine]:
    """Yield findings that say nothing of hidden items, and the number of others."""
    shown_here = [
        finding
        for finding in report.findings
        if not finding.code.startswith(_TELLING) and finding in shown.findings
    ]
    kept = [finding for finding in report.findings if finding not in shown_here]
    open_questions = [question for question in report.unchecked if question in shown.unchecked]
    number = len(kept) + len(report.unchecked) - len(open_questions)
    if number:
        text = ngettext(
            "{number} finding is shown on the full list only.",
            "{number} findings are shown on the full list only.",
            number,
        )
        gravest = next((line.severity for line in _findings(kept)), UNCHECKED)
        yield FindingLine(gravest, text.format(number=number), "Rulebook 8.E.a", "")
    yield from _findings(shown_here)
    yield from map(_unchecked, open_questions)


def make_sheet(judged: Judged, printed_on: datetime.date, cards: bool = True) -> Sheet:
    """Return the sheet of a list document."""
    document, catalogue = judged.document, judged.catalogue
    roster, report = judged.roster, judged.report
    system = catalogue.system
    meanings = Meanings(catalogue)
    units = [pick.unit for pick in roster.picks if pick.unit is not None]
    tags = frozenset[str]().union(*(unit.tags for unit in units))
    spells = (spell.name for unit in units for spell in unit.spells)
    abilities = (use.ability.name for unit in units for use in unit.abilities)
    roles = (system.roles[role].name for pick in roster.picks for role in pick.roles)
    return Sheet(
        title=one_line(document.name) or _("Unnamed list"),
        system=system.name,
        books=tuple(book.name for book in catalogue.books),
        editions=tuple(book.edition for book in catalogue.books),
        points_name=known(system.points_name),
        limit=report.limit,
        spent=report.spent,
        models=counted(report.models, system.model_word),
        outcome=report.outcome,
        counts=report.counts,
        verdict=verdict_with_points(report.counts, report.spent, report.limit),
        date=printed_on,
        findings=(*_findings(report.findings), *map(_unchecked, report.unchecked)),
        gauges=tuple(gauge_line(gauge) for gauge in report.gauges),
        settings=tuple(
            NamedValue(_(setting.name), text)
            for setting in system.settings.values()
            if setting.matters(roster.limit, roster.settings)
            and (text := _setting_text(setting, roster.settings.get(setting.id), catalogue))
        ),
        cards=tuple(map(ViewMaker(report).make, checked(roster.picks))) if cards else (),
        facts=tuple(
            FactLine(lineup, fact.name, one_line(fact.text), str(fact.citation), fact.note)
            for lineup, fact in report.facts
        ),
        # Those that always apply, and those that speak of something on the list.
        reminders=tuple(line for line in system.reminders if not line.tags or line.tags & tags),
        glossary=_entries(meanings, chain(abilities, roles)),
        spells=_entries(meanings, spells),
        pieces=tuple(_pieces(roster, system)),
        tables=tuple(tables_of(roster, system)),
        notes=tidy(document.notes),
        hash=hash_of(document)[:HASH],
        reservation=report.reservation,
        differences=differences(report.catalogue),
    )


def verdict_with_points(counts: Counts, spent: int | None, limit: int) -> str:
    """Return a verdict as a sentence, with its points if it is legal; `spent` None: hidden."""
    if counts.errors:
        return f"{verdict_sentence(counts)}."
    text = _("{verdict}: {spent} of {limit} points.")
    if spent is None:
        text = _("{verdict}, within {limit} points.")
    return text.format(verdict=verdict_words(counts), spent=spent, limit=limit)


def _unchecked(one: Unchecked) -> FindingLine:
    return FindingLine(UNCHECKED, one_line(f"{one.sentence} {one.reason}"), one.citation, "")


def _findings(findings: Iterable[Finding]) -> list[FindingLine]:
    """Return findings as a sheet says them, the gravest first."""
    lines = [
        FindingLine(
            mark_of(finding.severity, finding.state),
            one_line(sentence(finding)),
            finding.citation,
            str(finding.head.reading),
        )
        for finding in findings
    ]
    return sorted(lines, key=lambda line: GRAVITY.index(line.severity))


def gauge_line(gauge: Gauge) -> GaugeLine:
    """Return a number that the rules bound, in words: "96 of 100"."""
    if gauge.maximum is not None and gauge.minimum in (None, 0, gauge.maximum):
        text = _("{number} of {most}").format(number=gauge.used, most=gauge.maximum)
    else:
        bounds = ((_("at least {number}"), gauge.minimum), (_("at most {number}"), gauge.maximum))
        said = [text.format(number=bound) for text, bound in bounds if bound is not None]
        text = ", ".join([str(gauge.used), *said])
    cited, short = str(gauge.head.citation), gauge.term.is_short
    return GaugeLine(gauge.name, text, gauge.ok, gauge.lineup, cited, short)


def _setting_text(setting: Setting, value: SettingValue, catalogue: Catalogue) -> str:
    """Return the chosen values by name; "" for an open setting."""
    if not value:
        return ""
    if isinstance(value, tuple):
        names = []
        for piece in dict.fromkeys(value):
            in_pool = setting.kind == "pool"
            name = catalogue.units[piece].name if in_pool else _(setting.values[piece].name)
            count = value.count(piece)
            names.append(one_line(name) + (f" ×{count}" if count > 1 else ""))
        return ", ".join(names)
    if isinstance(value, int):
        paid = f" ({counted(value * setting.points, 'point')})" if setting.points else ""
        return f"{value}{paid}"
    if setting.kind == "attribute":
        return catalogue.system.attributes[setting.attribute].values[value]
    return _(setting.values[value].name)


def _entries(meanings: Meanings, names: Iterable[str]) -> tuple[SheetEntry, ...]:
    """Return the game's meanings of names, each once, by the alphabet."""
    known = {id(meaning): meaning for name in names for meaning in meanings.explained(name)}
    entries = map(SheetEntry.of, known.values())
    return tuple(sorted(entries, key=lambda entry: entry.label.casefold()))


def _pieces(roster: Roster, system: System) -> Iterator[SheetEntry]:
    for setting in system.settings.values():
        value = roster.settings.get(setting.id)
        chosen = value if isinstance(value, tuple) else (value,)
        for name in dict.fromkeys(chosen):
            piece = setting.values.get(name) if isinstance(name, str) else None
            if piece is not None and piece.summary:
                yield SheetEntry(piece.name, piece.summary, "", "")


class SheetLinks(NamedTuple):
    """Addresses that QR codes lead to: of frozen copies, and of what checks a `certificate`."""

    full: str = ""
    open: str = ""
    certificate: str = ""

    def chosen(self, setup: Setup) -> Self:
        """Return those that a set-up asks for."""
        links = self if setup.qr else type(self)()
        return links._replace(certificate=self.certificate if setup.certificate else "")


NO_LINKS = SheetLinks()


@dataclass(eq=False)
class Material:
    """One list. Raises Refusal where its system is not here, or an own model cannot be priced."""

    document: ArmyList
    library: InitVar[Library]
    printed_on: datetime.date
    links: SheetLinks = NO_LINKS
    at_event: AtEvent | None = None

    def __post_init__(self, library: Library) -> None:
        judged = self.judged = judge(self.document, library)
        self.catalogue, self.roster, self.report = judged.catalogue, judged.roster, judged.report

    @property
    def system(self) -> System:
        return self.catalogue.system

    @cached_property
    def sheet(self) -> Sheet:
        sheet = self._sheet("full")
        opened = self.open_hash[:HASH]
        return replace(
            sheet,
            link=self.links.full,
            certificate=self.links.certificate,
            open_hash=opened if opened != sheet.hash else "",
        )

    @cached_property
    def open_sheet(self) -> Sheet:
        """The list as opponents see it before the game: of an army, without special items."""
        return replace(self._sheet("open"), link=self.links.open, hash=self.open_hash[:HASH])

    @cached_property
    def open_hash(self) -> str:
        """The hash that the open list carries, 64 hexadecimal digits."""
        return open_hash(self.document, self.roster, self.system.sized)

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        return tuple(list_faces(self.report))

    def _sheet(self, kind: str) -> Sheet:
        parts = (self.judged, self.printed_on)
        made = army_sheet(*parts, kind) if self.system.sized else make_sheet(*parts)
        return replace(made, at_event=self.at_event)


def sheet_of(
    document: ArmyList, library: Library, printed_on: datetime.date, kind: str = "full"
) -> Sheet:
    """Return the sheet of a checked document, judged anew. Raises Refusal as `Material` does."""
    material = Material(document, library, printed_on)
    return material.open_sheet if kind == "open" else material.sheet
