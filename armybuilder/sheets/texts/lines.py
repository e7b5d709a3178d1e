"""A list as lines of units, the same for every system, before a form puts its marks on them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from django.utils.translation import gettext as _

from armybuilder.engine import Severity
from armybuilder.engine.verdict import Counts, verdict_words
from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.structure import UNCHECKED, Sheet, SheetArmy, SheetCard, UnitBlock

#: What a form may say beside units, options and points: statistics, special rules, where these
#: stand in the books, notes.
PARTS = ("stats", "rules", "pages", "notes")
ALL = frozenset(PARTS)
_NO_QUOTES = str.maketrans("“”", '""')


def quoted(own: str) -> str:
    """Return the player's name for a unit in quotation marks, which it has none of itself."""
    return f"“{own.translate(_NO_QUOTES)}”"


@dataclass(frozen=True, slots=True)
class Detail:
    """What a unit has beside its line, and of which part; `name` "" where it needs none."""

    name: str
    text: str
    part: str = "rules"

    @property
    def said(self) -> str:
        """Such as "Special rules: Leader, Tough"."""
        return ": ".join(filter(None, (self.name, self.text)))


@dataclass(frozen=True, slots=True)
class UnitLine:
    """A unit; `own` is the player's name, `items` what open lists leave out."""

    number: int
    name: str
    own: str
    letter: str
    taken: tuple[str, ...]
    items: tuple[str, ...]
    points: str
    details: tuple[Detail, ...]
    notes: str

    @property
    def head(self) -> str:
        """Number and name: "17 Guard"."""
        return f"{self.number} {self.name}"

    @property
    def known_as(self) -> str:
        """What follows the name up to the first comma: " “The Old Guard” [B]", or ""."""
        own = f" {quoted(self.own)}" if self.own else ""
        return own + (f" [{self.letter}]" if self.letter else "")

    def said(self, points: bool = True) -> str:
        """Return the whole line: "17 Guard, Standard Bearer, Red Banner, 500"."""
        cost = (self.points,) if points else ()
        return ", ".join((self.head + self.known_as, *self.taken, *self.items, *cost))


def groups(
    sheet: Sheet, parts: AbstractSet[str] = ALL - {"pages"}
) -> Iterator[tuple[str, list[UnitLine]]]:
    """Yield the units of each category, with those `parts`, under its title ("" without any)."""
    made = _Lines(sheet, parts)
    if sheet.army is None:
        yield "", [made.card(card) for card in checked(sheet.cards)]
        return
    for division in sheet.army.divisions:
        yield division.title, [made.unit(unit, sheet.army) for unit in checked(division.units)]


def head(sheet: Sheet, points: bool = True) -> Iterator[str]:
    """Yield the lines that say what list this is and how it stands."""
    yield sheet.title
    yield _verdict(sheet)
    price = sheet.price if points else _("Game of {limit} points").format(limit=sheet.limit)
    yield f"{price}, {sheet.models}, #{sheet.hash}"
    yield f"{sheet.system}: {'; '.join(sheet.books)}"


def settings(sheet: Sheet) -> Iterator[str]:
    return (f"{setting.name}: {setting.text}" for setting in sheet.settings)


def findings(sheet: Sheet) -> Iterator[str]:
    """Return a line for each finding, gravest first."""
    for found in sheet.findings:
        yield f"{found.word.upper()}: {found.sentence} [{found.citation}]"


def _verdict(sheet: Sheet) -> str:
    """Return the verdict without points, which stand on a line of their own; then an event's."""
    text = sheet.verdict
    if sheet.legal and sheet.kind != "open":
        found = Counter(finding.severity for finding in sheet.findings)
        counts = Counts(0, 0, found[Severity.WARNING], found[UNCHECKED])
        text = f"{verdict_words(counts)}."
    return f"{text.removesuffix('.')} · {sheet.at_event.said}." if sheet.at_event else text


class _Lines:
    """What a text says of the units of a sheet: those `parts` of it."""

    def __init__(self, sheet: Sheet, parts: AbstractSet[str]) -> None:
        self.parts = parts
        self.places = places(sheet) if "pages" in parts else {}

    def card(self, card: SheetCard) -> UnitLine:
        details = [
            Detail("", "  ".join(f"{stat.label} {stat.value}" for stat in card.stats), "stats"),
            Detail(_("Keywords"), ", ".join(card.keywords)),
            Detail(_("Special rules"), self._rules(use.label for use in card.abilities)),
            Detail(_("Spells"), ", ".join(use.label for use in card.spells)),
            *(Detail(part.name, line) for part in card.texts for line in part.lines),
        ]
        return UnitLine(
            number=card.models,
            name=card.unit_name or card.name,
            own=card.name if card.unit_name else "",
            letter="",
            taken=(*card.roles, *card.options),
            items=(),
            points="?" if card.points is None else str(card.points),
            details=self._told(details),
            notes=card.notes if "notes" in self.parts else "",
        )

    def unit(self, unit: UnitBlock, army: SheetArmy) -> UnitLine:
        chosen = [option.name for option in unit.chosen if option.name not in unit.marks]
        path = unit.wizard.path if unit.wizard else ""
        details = []
        for row in unit.stats:
            pairs = zip(army.columns, row.values, strict=True)
            text = "  ".join(f"{column.short} {value}" for column, value in pairs if value)
            details.append(Detail(row.name, text, "stats"))
        details.append(Detail(_("Rules"), self._rules(unit.rules)))
        return UnitLine(
            number=unit.models,
            name=unit.unit_name or unit.name,
            own=unit.name if unit.unit_name else "",
            letter=unit.letter if army.kind == "open" else "",
            taken=(*unit.marks, *filter(None, (*chosen, path))),
            items=tuple(option.name for option in unit.items if option.name),
            points=unit.price or "?",
            details=self._told(details),
            notes=unit.notes if "notes" in self.parts else "",
        )

    def _told(self, details: Iterable[Detail]) -> tuple[Detail, ...]:
        return tuple(detail for detail in details if detail.text and detail.part in self.parts)

    def _rules(self, names: Iterable[str]) -> str:
        told = []
        for name in names:
            # By the name of a rule, or the longest that it begins with.
            fitting = [known for known in self.places if f"{name} ".startswith(f"{known} ")]
            place = self.places[max(fitting, key=len)] if fitting else ""
            told.append(f"{name} ({place})" if place else name)
        return ", ".join(told)


def places(sheet: Sheet) -> Mapping[str, str]:
    """Return where special rules stand in the books, unless just under their own names."""
    known = {entry.label: entry.citation for entry in sheet.glossary if entry.citation}
    return {name: place for name, place in known.items() if name not in place}
