"""What a judge checks of a list: books, numbers with their parts, rules, what each unit costs."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.lines import Line
from armybuilder.engine.roster import Pick
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import mark_of
from armybuilder.engine.terms import Gauge
from armybuilder.loading.deadline import checked
from armybuilder.loading.unit_fields import certainty_words, price_remark
from armybuilder.sheets.content.book_gaps import gaps_on_list
from armybuilder.sheets.content.make import gauge_line
from armybuilder.sheets.content.make_bounds import Bounds
from armybuilder.sheets.content.make_numbers import (
    NumberMakeup,
    gauge_makeup,
    line_makeup,
    supply_makeup,
)
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.structure import GRAVITY, UNKNOWN_UNIT, GaugeLine
from armybuilder.sheets.content.unit_words import role_names

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
