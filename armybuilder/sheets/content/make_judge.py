"""A judge's checks of a list: numbers, each with its parts, rules, prices, gaps in the books."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.about import AboutCap, AboutGroup, AboutSize, AboutUnit
from armybuilder.engine.catalogue import Book, Catalogue, Gap, System
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.ends import End, LimitLess, PerCent, ShareOf
from armybuilder.engine.lines import Line
from armybuilder.engine.nouns import counted
from armybuilder.engine.options import nodes_in
from armybuilder.engine.prices import Formula, Share
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import mark_of
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import COMMAND, PICKS, POINTS, Gauge, Term
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say
from armybuilder.loading.deadline import checked
from armybuilder.loading.unit_fields import certainty_words, price_remark
from armybuilder.sheets.content.make import gauge_line
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.structure import GRAVITY, GaugeLine
from armybuilder.sheets.content.unit_view import UNKNOWN_UNIT
from armybuilder.sheets.content.unit_words import role_names


class NumberItem(NamedTuple):
    """A part of a number; `unit` is the id of the entry it comes from, "" where that is none."""

    name: str
    amount: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Working:
    """Calculation of one model's points by a formula; `times` is the source of the factor."""

    items: tuple[NumberItem, ...]
    factor: int
    times: str
    divisor: int
    minimum: int
    each: int

    @property
    def words(self) -> str:
        """The sum in one line: "45 × (7 − Quality 4) ÷ 2 = 67.5, rounded up to 68"."""
        base = sum(item.amount for item in self.items)
        product = base * self.factor
        exact = f"{product / self.divisor:.10g}".replace("-", "−")
        sum_text = f"{signed(base)} × ({self.times}) ÷ {self.divisor} = {exact}"
        up = -(-product // self.divisor)
        if up != self.each:
            return _("{sum}, but at least {number}").format(sum=sum_text, number=self.each)
        if product % self.divisor:
            return _("{sum}, rounded up to {number}").format(sum=sum_text, number=up)
        return sum_text


class NumberMakeup(NamedTuple):
    """A number and its parts. `notes` are sentences beside them."""

    total: int
    items: tuple[NumberItem, ...]
    notes: tuple[str, ...] = ()
    working: Working | None = None


def signed(number: int) -> str:
    """Return a number with a true minus sign."""
    return str(number).replace("-", "−")


def line_makeup(line: Line, system: System) -> NumberMakeup:
    """Return the parts of the points of a unit on the list."""
    price = line.unit.price
    items = [*_priced_models(line, system), *_price_moves(line)]
    for taken in line.loadout.taken:
        if taken.points:
            name = taken.option.name
            if taken.number > 1:
                name = f"{taken.number} × {name}"
            each = taken.option.each.number(line.place)
            if line.units > 1:
                each = taken.points // line.units
            if each and line.models > 1:
                name = _("{option}, {points} per model").format(option=name, points=each)
            items.append(NumberItem(name, taken.points))
    items += _role_shares(line, system, sum(item.amount for item in items))
    working = None
    if system.formula is not None and price.start is not None:
        working = formula_working(line.unit, system, system.formula)
    notes = (_("Its points are not known yet."),) if price.start is None else ()
    return NumberMakeup(line.points, tuple(items), notes, working)


def _priced_models(line: Line, system: System) -> Iterator[NumberItem]:
    price, models, word = line.unit.price, line.models, system.model_word
    if price.start is None:
        return
    if price.size == 1 and price.start == price.extra and line.unit.counts:
        name = counted(models, word)
        if models > 1:
            name = _("{models}, {points} each").format(models=name, points=price.start)
        yield NumberItem(name, price.start * models)
        return
    first = _("The unit itself")
    if price.size > 1:
        first = _("First {models}").format(models=counted(price.size, word))
    yield NumberItem(first, price.start)
    further = models - price.size
    if further > 0 and price.extra:
        name = _("{number} more, {points} each").format(number=further, points=price.extra)
        yield NumberItem(name, price.extra * further)


def _price_moves(line: Line) -> Iterator[NumberItem]:
    """Yield what conditions change of the book's price: of the unit, and of further models."""
    further = max(0, line.place.models - line.unit.price.size)
    names = (_("Price changed here"), _("Extra for each additional model here"))
    for name, amount, times in zip(names, line.unit.costs, (line.units, further), strict=True):
        moved = amount.number(line.place) - (amount.base or 0)
        if moved and amount.base is not None:
            yield NumberItem(name, moved * times)


def _role_shares(line: Line, system: System, full: int) -> Iterator[NumberItem]:
    """Yield the savings if a role makes models pay a share of their points only."""
    for role_id in line.pick.roles if line.unit.size is None else ():
        role = system.roles.get(role_id)
        if role is not None and role.price is not None:
            paid = line.models * role.price.up(line.each)
            share = _("{share} of the points").format(share=_fraction(role.price))
            if role.price == Share(1, 2):
                share = _("half the points")
            name = _("{role}: {share}, rounded up").format(role=role.name, share=share)
            yield NumberItem(name, paid - full)
            full = paid


def _fraction(share: Share) -> str:
    return f"{share.numerator}/{share.denominator}"


def formula_working(unit: Unit, system: System, formula: Formula) -> Working:
    """Return how the formula makes a model's points of its statistics and special rules."""
    items = [
        NumberItem(
            f"{weight} × {system.stats[stat].name} {unit.stats[stat]}",
            weight * int(unit.stats[stat]),
        )
        for stat, weight in formula.weights.items()
    ]
    items += [
        NumberItem(use.label, use.ability.points) for use in unit.abilities if use.ability.points
    ]
    value = int(unit.stats[formula.statistic])
    times = f"{formula.minuend} − {system.stats[formula.statistic].name} {value}"
    each, factor = unit.price.start or 0, formula.minuend - value
    return Working(tuple(items), factor, times, formula.divisor, formula.minimum, each)


def gauge_makeup(gauge: Gauge, report: Report) -> NumberMakeup:
    """Return the parts of a gauge's number; the notes say where its bounds come from."""
    of_lineup = (tally for tally in report.tallies if tally.lineup == gauge.lineup)
    tally = next(of_lineup, report.full) if gauge.lineup else report.full
    items = [NumberItem(part.label, part.amount, part.unit) for part in gauge.parts]
    groups = Counter[str]()
    for part in gauge.parts:
        if part.group:
            groups[part.group] += part.amount
    items += [
        NumberItem(_("{number} of them count as one").format(number=number), 1 - number)
        for number in groups.values()
        if number > 1
    ]
    term, notes = gauge.term, list[str]()  # bounds that are plain numbers need none
    if term.maximum is not None and (reason := _bound_words(term.maximum, tally)):
        number = term.maximum.upper(tally)
        notes.append(_("At most {number}: {reason}.").format(number=number, reason=reason))
    if term.minimum is not None and (reason := _bound_words(term.minimum, tally)):
        number = term.minimum.lower(tally)
        notes.append(_("At least {number}: {reason}.").format(number=number, reason=reason))
    return NumberMakeup(gauge.used, tuple(items), (*([] if items else [_("Nothing yet")]), *notes))


def supply_makeup(gauge: Gauge, report: Report) -> NumberMakeup | None:
    """Return what command capacity is made of: what each commander gives. None for other gauges."""
    if gauge.term.count != COMMAND:
        return None
    items = [NumberItem(part.label, part.amount, part.unit) for part in gauge.term.against]
    return NumberMakeup(gauge.maximum or 0, tuple(items))


def _bound_words(bound: End, tally: Tally) -> str:
    limit = tally.roster.limit
    if isinstance(bound, PerCent):
        share = bound.amount.at(tally.place)
        whole = counted(limit, "point")
        return "" if share is None else _("{share}% of {whole}").format(share=share, whole=whole)
    if isinstance(bound, LimitLess):
        points = counted(limit, "point")
        return _("{points} less {number}").format(points=points, number=bound.points)
    if isinstance(bound, ShareOf) and bound.share != Share(1, 1):
        by_points = bound.whole == "limit"
        whole = counted(limit, "point") if by_points else counted(tally.models, "model")
        return _("{share} of {whole}").format(share=_fraction(bound.share), whole=whole)
    return ""


@dataclass(frozen=True, slots=True)
class AboutPart:
    """A remark on a unit, an option or other part of a book; `ref` is the unit's, or ""."""

    name: str
    ref: str
    lines: tuple[str, ...]


def gaps_by_unit(book: Book) -> list[AboutPart]:
    """Return a book's gaps under the names of its units in order, then of the others."""
    lines_by_unit: dict[tuple[str, str], list[str]] = {
        (unit.name, ref): [] for ref, unit in book.units.items()
    }
    for gap in book.gaps:
        unit, name, line = _told(gap, book)
        lines_by_unit.setdefault((name, unit.ref if unit else ""), []).append(line)
    return [
        AboutPart(name, ref, tuple(lines)) for (name, ref), lines in lines_by_unit.items() if lines
    ]


def gaps_on_list(catalogue: Catalogue, report: Report) -> list[tuple[str, str]]:
    """Return gaps in the books that touch a list, each once with all names concerned."""
    units = {line.unit.ref for line in report.full.lines}
    options = {taken.option.id for line in report.full.lines for taken in line.loadout.taken}
    names: dict[str, dict[str, None]] = {}
    for book in catalogue.books:
        for gap in book.gaps:
            unit, name, line = _told(gap, book)
            if unit.ref in units if unit else gap.where in options:
                names.setdefault(line, {})[name] = None
    return [(line, ", ".join(those)) for line, those in names.items()]


def _told(gap: Gap, book: Book) -> tuple[Unit | None, str, str]:
    """Return the unit of a gap (None: something else), its name, and the remark."""
    unit = book.units.get(f"{book.id}/{gap.where.partition('/')[0]}")
    unit = unit or next((other for other in book.units.values() if other.name == gap.where), None)
    what = say(gap.what)
    if unit is None:
        return None, _node_name(gap.where, book.units.values()) or gap.where, what
    inner = gap.where.partition("/")[2].rpartition("/")[2]
    part = _node_name(inner, [unit]) if inner else ""
    return unit, unit.name, what if not part or part in what else f"{part}: {what}"


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
        self._caps: list[tuple[AboutCap, Term]] = []
        for term in terms:
            if isinstance(term.about, AboutUnit):
                self._by_unit.setdefault(term.about.unit, []).append(term)
            if isinstance(term.about, AboutCap) and term.high and term.count == PICKS:
                self._caps.append((term.about, term))

    def of_unit(self, line: Line) -> Iterator[str]:
        """Yield a unit's bounds: "8 models of 3–13", "Special equipment 80 of 200 points"."""
        terms = self._by_unit.get(line.pick.id, ())
        sizes = [term for term in terms if isinstance(term.about, AboutSize)]
        low = next((term.low for term in sizes if term.low is not None), 1)
        high = next((term.high for term in sizes if term.high is not None), None)
        if sizes and low != high:
            most = f"{low}–{high}" if high is not None else f"{low}+"
            yield _("{number} models of {most}").format(number=sizes[0].measured, most=most)
        for term in terms:
            if (
                isinstance(term.about, AboutGroup)
                and term.count == POINTS
                and term.high is not None
            ):
                name = term.about.path[-1].replace("-", " ").capitalize()
                text = _("{what} {number} of {most} points")
                yield text.format(what=name, number=term.measured, most=term.high)
        for about, term in self._caps:
            if about == AboutCap(f"unit:{line.unit.ref}", "times"):
                text = _("{number} of at most {most} in the army")
                yield text.format(number=term.measured, most=term.high)

    def of_options(self) -> tuple[str, ...]:
        """Return options with a cap, each once with its number: "Binding Scroll 1/2"."""
        return tuple(
            dict.fromkeys(
                f"{_option_name(about, term)} {term.measured}/{term.high}"
                for about, term in self._caps
                if about.key.startswith("option:")
            )
        )


def _option_name(about: AboutCap, term: Term) -> str:
    key = about.key.partition(":")[2]
    for part in term.parts:
        for taken, _amount in part.options:
            if taken.option.cap is not None and taken.option.cap.key.endswith(f":{key}"):
                return one_line(taken.option.name)
    return key.replace("-", " ").capitalize()


#: Letters of a book's revision that the sheet shows.
REVISION = 10


@dataclass(frozen=True, slots=True)
class Derivation:
    """A number that the rules bound, and its parts: named sums if there are two."""

    gauge: GaugeLine
    sums: tuple[tuple[str, NumberMakeup], ...]


@dataclass(frozen=True, slots=True)
class Check:
    """A rule with its findings, each with its severity, and the gravest severity or ""."""

    summary: str
    citation: str
    reading: str
    severity: str
    findings: tuple[tuple[str, str], ...]
    applies: bool = True


@dataclass(frozen=True, slots=True)
class JudgePrice:
    """Price of an entry: `made` is None for an unknown unit.

    `title` is models and name, `marks` roles, `also` free equipment, `told`: on its points,
    `bounds` its size, allowances and cap in words.
    """

    title: str
    marks: tuple[str, ...]
    made: NumberMakeup | None
    also: tuple[str, ...] = ()
    told: str = ""
    bounds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Judging:
    """All that a judge checks: `gaps` in the books with names, `caps` of scarce options.

    `sources` are books that the list draws from, with the first letters of their contents' hashes.
    """

    sources: tuple[tuple[str, str], ...]
    numbers: tuple[Derivation, ...]
    prices: tuple[JudgePrice, ...]
    checks: tuple[Check, ...]
    gaps: tuple[tuple[str, str], ...] = ()
    caps: tuple[str, ...] = ()


def judging(catalogue: Catalogue, report: Report) -> Judging:
    """Return the checks of a judge for the report's list."""
    system, bounds, numbers = catalogue.system, Bounds(report), []
    for gauge in report.gauges:
        used, supply = gauge_makeup(gauge, report), supply_makeup(gauge, report)
        sums = ((_("Needed"), used), (_("Given"), supply)) if supply else (("", used),)
        numbers.append(Derivation(gauge_line(gauge), sums))
    return Judging(
        sources=tuple((book.edition, book.revision[:REVISION]) for book in catalogue.books),
        numbers=tuple(numbers),
        prices=tuple(_prices(report, system, bounds)),
        checks=tuple(_checks(report, system)),
        gaps=tuple(gaps_on_list(catalogue, report)),
        caps=bounds.of_options(),
    )


def _prices(report: Report, system: System, bounds: Bounds) -> Iterator[JudgePrice]:
    lines = {line.pick.id: line for line in report.full.lines}
    for pick in checked(report.full.roster.picks):
        line = lines.get(pick.id)
        own_name, models = one_line(pick.name), pick.models
        if line is None:
            name, made, also = own_name or one_line(pick.ref), None, []
            remarks = str(UNKNOWN_UNIT)
        else:
            unit_name = one_line(line.unit.name) or _("Unnamed")
            name = f"{own_name}: {unit_name}" if own_name else unit_name
            models = line.models if line.unit.counts else 1
            made = line_makeup(line, system)
            free = (taken for taken in line.loadout.taken if not taken.points)
            also = [taken.option.name for taken in free if not taken.pick.given]
            remark = price_remark(line.unit)
            words = (str(remark.sentence) if remark else "", certainty_words(line.unit))
            remarks = " ".join(filter(None, words))
        yield JudgePrice(
            title=f"{models} × {name}" if models > 1 else name,
            marks=tuple(role_names(pick, system)),
            made=made,
            also=tuple(also),
            told=remarks,
            bounds=tuple(bounds.of_unit(line)) if line else (),
        )


def _checks(report: Report, system: System) -> Iterator[Check]:
    """Yield every rule in order, those of one wording as one; notes where they say something."""
    by_rule: dict[tuple[str, str], list[Finding]] = {}
    for finding in report.findings:
        by_rule.setdefault((finding.head.id, finding.head.pointer), []).append(finding)
    heads: dict[tuple[str, str], RuleHead] = {}
    for rule in (*system.always, *system.rules):
        key = (rule.head.id, rule.head.pointer)
        if rule.head.severity is not Severity.NOTE or key in by_rule:
            heads[key] = rule.head
    heads |= {key: findings[-1].head for key, findings in by_rule.items()}
    alike: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for key, head in heads.items():
        alike.setdefault((str(head.summary), str(head.citation)), []).append(key)
    for (summary, citation), keys in alike.items():
        findings = [
            (mark_of(finding.severity, finding.state), one_line(sentence(finding)))
            for key in keys
            for finding in by_rule.get(key, ())
        ]
        same = [heads[key] for key in keys]
        yield Check(
            summary=summary,
            citation=citation,
            reading=str(next((head.reading for head in same if head.reading), "")),
            severity=min((mark for mark, _text in findings), key=GRAVITY.index, default=""),
            findings=tuple(findings),
            applies=any(head.applies(report.full.roster.settings) for head in same),
        )
