"""What a judge checks of a list: numbers with their parts, rules, prices, gaps in the books."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.about import AboutCap, AboutGroup, AboutSize, AboutUnit
from armybuilder.engine.catalogue import Book, Catalogue, Gap, System
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.lines import Line
from armybuilder.engine.options import nodes_in
from armybuilder.engine.roster import Pick
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import mark_of
from armybuilder.engine.terms import PICKS, POINTS, Gauge, Term
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say
from armybuilder.loading.deadline import checked
from armybuilder.loading.unit_fields import certainty_words, price_remark
from armybuilder.sheets.content.make import gauge_line
from armybuilder.sheets.content.make_numbers import (
    NumberMakeup,
    gauge_makeup,
    line_makeup,
    supply_makeup,
)
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.structure import GRAVITY, UNKNOWN_UNIT, GaugeLine
from armybuilder.sheets.content.unit_words import role_names


@dataclass(frozen=True, slots=True)
class About:
    """What is told of a unit, an option or other part of a book; `ref` is the unit's, or ""."""

    name: str
    ref: str
    lines: tuple[str, ...]


def gaps_by_unit(book: Book) -> list[About]:
    """A book's gaps under the names of its units, in the order of the book, then of the others."""
    found: dict[tuple[str, str], list[str]] = {
        (unit.name, ref): [] for ref, unit in book.units.items()
    }
    for gap in book.gaps:
        unit = _unit(gap, book)
        name = unit.name if unit else _node_name(gap.where, book.units.values()) or gap.where
        found.setdefault((name, unit.ref if unit else ""), []).append(_line(gap, unit))
    return [About(name, ref, tuple(lines)) for (name, ref), lines in found.items() if lines]


def gaps_on_list(catalogue: Catalogue, report: Report) -> list[tuple[str, str]]:
    """Return the gaps about what is on a list, each once with the names of all that it is about."""
    told: dict[str, dict[str, None]] = {}
    for book in catalogue.books:
        units = {line.unit.ref: line.unit for line in report.full.lines}
        options = {taken.option.id for line in report.full.lines for taken in line.loadout.taken}
        for gap in book.gaps:
            unit = _unit(gap, book)
            if unit.ref in units if unit else gap.where in options:
                name = (
                    unit.name if unit else _node_name(gap.where, book.units.values()) or gap.where
                )
                told.setdefault(_line(gap, unit), {})[name] = None
    return [(what, ", ".join(names)) for what, names in told.items()]


def _unit(gap: Gap, book: Book) -> Unit | None:
    """Return the unit that a gap is about; None where that is something else."""
    found = book.units.get(f"{book.id}/{gap.where.partition('/')[0]}")
    return found or next((unit for unit in book.units.values() if unit.name == gap.where), None)


def _line(gap: Gap, unit: Unit | None) -> str:
    """What a gap tells, with the name of what on the unit it is about, if it does not say it."""
    inner = gap.where.partition("/")[2].rpartition("/")[2]
    name = _node_name(inner, [unit]) if unit and inner else ""
    what = say(gap.what)
    return what if not name or name in what else f"{name}: {what}"


def _node_name(node_id: str, units: Iterable[Unit]) -> str:
    """Return the name of an option or group of some units by its id; "" where none has it."""
    nodes = (node for unit in units for node in nodes_in(unit.offer.nodes))
    return next((node.name for node in nodes if node.id == node_id), "")


class Bounds:
    """The bounds of a list, as its rules measure them."""

    def __init__(self, report: Report) -> None:
        rules = (*report.system.always, *report.system.rules)
        terms = [term for rule in rules for term in rule.terms(report.full)]
        self._by_unit: dict[str, list[Term]] = {}
        for term in terms:
            if isinstance(term.about, AboutUnit):
                self._by_unit.setdefault(term.about.unit, []).append(term)
        caps = (term for term in terms if isinstance(term.about, AboutCap) and term.high)
        self._caps = [term for term in caps if term.count == PICKS]

    def of_unit(self, line: Line) -> tuple[str, ...]:
        """Return the bounds of a unit in words: "8 models of 3–13", "Special equipment 80 of 200".

        A size that cannot be another is none.
        """
        terms = self._by_unit.get(line.pick.id, ())
        return (*_size(terms), *_allowances(terms), *self._cap_of(line))

    def _cap_of(self, line: Line) -> Iterator[str]:
        for term in self._caps:
            if term.about == AboutCap(f"unit:{line.unit.ref}", "times"):
                said = _("{number} of at most {most} in the army")
                yield said.format(number=term.measured, most=term.high)

    def of_options(self) -> tuple[str, ...]:
        """Return what is taken of options with a cap: "Binding Scroll 1 of 2"; each once."""
        said = (
            f"{_name(term)} {term.measured}/{term.high}"
            for term in self._caps
            if isinstance(term.about, AboutCap) and term.about.key.startswith("option:")
        )
        return tuple(dict.fromkeys(said))


def _name(term: Term) -> str:
    """Return the name of the option that a cap counts."""
    key = term.about.key.partition(":")[2] if isinstance(term.about, AboutCap) else ""
    for part in term.parts:
        for taken, _amount in part.options:
            if taken.option.cap is not None and taken.option.cap.key.endswith(f":{key}"):
                return one_line(taken.option.name)
    return key.replace("-", " ").capitalize()


def _size(terms: Sequence[Term]) -> Iterator[str]:
    sizes = [term for term in terms if isinstance(term.about, AboutSize)]
    low = next((term.low for term in sizes if term.low is not None), 1)
    high = next((term.high for term in sizes if term.high is not None), None)
    if sizes and low != high:
        most = f"{low}–{high}" if high is not None else f"{low}+"
        yield _("{number} models of {most}").format(number=sizes[0].measured, most=most)


def _allowances(terms: Sequence[Term]) -> Iterator[str]:
    for term in terms:
        if isinstance(term.about, AboutGroup) and term.count == POINTS and term.high is not None:
            name = term.about.path[-1].replace("-", " ").capitalize()
            said = _("{what} {number} of {most} points")
            yield said.format(what=name, number=term.measured, most=term.high)


#: Letters of a book's revision that the sheet shows.
REVISION = 10


@dataclass(frozen=True, slots=True)
class JudgeSource:
    """A book that the list draws from; `revision` the first letters of its content's hash."""

    name: str
    revision: str


@dataclass(frozen=True, slots=True)
class JudgeSum:
    """A number and what it is made of, under a name where a derivation has several."""

    name: str
    made: NumberMakeup


@dataclass(frozen=True, slots=True)
class Derivation:
    """A number that the rules bound, with what it is made of."""

    gauge: GaugeLine
    sums: tuple[JudgeSum, ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A rule with its findings, each with its severity; `severity` of the gravest or ""; `TO_DO`
    where something must still come. `applies`: by settings.
    """

    summary: str
    citation: str
    reading: str
    severity: str
    findings: tuple[tuple[str, str], ...]
    applies: bool = True


@dataclass(frozen=True, slots=True)
class JudgePrice:
    """What an entry costs: `title` models and name, `marks` roles, `also` what it has for nothing,
    `made` None for an unknown unit, `told` what is to know of its points, `bounds` its size,
    allowances and cap in words.
    """

    title: str
    marks: tuple[str, ...]
    made: NumberMakeup | None
    also: tuple[str, ...] = ()
    told: str = ""
    bounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judging:
    """All that a judge checks; `gaps` are what the books do not say, with the names concerned,
    `caps` what is taken of options that an army may hold few of.
    """

    sources: tuple[JudgeSource, ...]
    numbers: tuple[Derivation, ...]
    prices: tuple[JudgePrice, ...]
    checks: tuple[Check, ...]
    gaps: tuple[tuple[str, str], ...] = ()
    caps: tuple[str, ...] = ()


def judging(catalogue: Catalogue, report: Report) -> Judging:
    """Return what a judge checks of the list that the report is about."""
    system, bounds = catalogue.system, Bounds(report)
    return Judging(
        sources=tuple(
            JudgeSource(book.edition, book.revision[:REVISION]) for book in catalogue.books
        ),
        numbers=tuple(_derivation(gauge, report) for gauge in report.gauges),
        prices=tuple(_prices(report, system, bounds)),
        checks=tuple(_checks(report, system)),
        gaps=tuple(gaps_on_list(catalogue, report)),
        caps=bounds.of_options(),
    )


def _derivation(gauge: Gauge, report: Report) -> Derivation:
    used = gauge_makeup(gauge, report)
    supply = supply_makeup(gauge, report)
    if supply is None:
        return Derivation(gauge_line(gauge), (JudgeSum("", used),))
    return Derivation(
        gauge_line(gauge), (JudgeSum(_("Needed"), used), JudgeSum(_("Given"), supply))
    )


def _prices(report: Report, system: System, bounds: Bounds) -> Iterator[JudgePrice]:
    lines = {line.pick.id: line for line in report.full.lines}
    for pick in checked(report.full.roster.picks):
        line = lines.get(pick.id)
        marks = tuple(role_names(pick, system))
        if line is None:
            name = one_line(pick.name) or one_line(pick.ref)
            yield JudgePrice(_title(pick.models, name), marks, None, told=str(UNKNOWN_UNIT))
        else:
            price = _price(pick, line, marks, system)
            yield replace(price, bounds=bounds.of_unit(line))


def _price(pick: Pick, line: Line, marks: tuple[str, ...], system: System) -> JudgePrice:
    name = one_line(line.unit.name) or _("Unnamed")
    own_name = one_line(pick.name)
    if own_name:
        name = f"{own_name}: {name}"
    also = tuple(
        taken.option.name
        for taken in line.loadout.taken
        if not taken.points and not taken.pick.given
    )
    remark = price_remark(line.unit)
    told = " ".join(
        filter(None, (str(remark.sentence) if remark else "", certainty_words(line.unit)))
    )
    models = line.models if line.unit.counts else 1
    return JudgePrice(_title(models, name), marks, line_makeup(line, system), also, told)


def _title(models: int, name: str) -> str:
    return f"{models} × {name}" if models > 1 else name


def _checks(report: Report, system: System) -> Iterator[Check]:
    """Return every rule of the game and its books in order, those of one wording as one, notes
    where they say something; then what no rule of the game says.
    """
    found: dict[tuple[str, str], list[Finding]] = {}
    for finding in report.findings:
        found.setdefault(_key(finding.head), []).append(finding)
    heads = [rule.head for rule in (*system.always, *system.rules)]
    asked = {
        _key(head): head
        for head in heads
        if head.severity is not Severity.NOTE or _key(head) in found
    }
    asked |= {_key(finding.head): finding.head for finding in report.findings}
    alike: dict[tuple[str, str], list[RuleHead]] = {}
    for head in asked.values():
        alike.setdefault((str(head.summary), str(head.citation)), []).append(head)
    settings = report.full.roster.settings
    for same in alike.values():
        findings = [finding for head in same for finding in found.get(_key(head), ())]
        yield _check(same, findings, settings)


def _key(head: RuleHead) -> tuple[str, str]:
    """Return what tells a rule from all others."""
    return head.id, head.pointer


def _check(same: list[RuleHead], findings: list[Finding], settings: Mapping[str, object]) -> Check:
    head = same[0]
    told = [
        (mark_of(finding.severity, finding.state), one_line(sentence(finding)))
        for finding in findings
    ]
    return Check(
        summary=str(head.summary),
        citation=str(head.citation),
        reading=str(next((each.reading for each in same if each.reading), "")),
        severity=min((mark for mark, _said in told), key=GRAVITY.index, default=""),
        findings=tuple(told),
        applies=any(each.applies(settings) for each in same),
    )
