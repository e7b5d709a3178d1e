"""What numbers of a list are made of, each part with its entry."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.amounts import Amount
from armybuilder.engine.bounds import Bound, LimitLess, PerCent, ShareOf
from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.nouns import counted
from armybuilder.engine.prices import Formula, Share
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import COMMAND, Gauge, Term
from armybuilder.engine.units import Unit


class NumberItem(NamedTuple):
    """A part of a number; `unit` is the id of the entry it comes from, "" where that is none."""

    name: str
    amount: int
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Working:
    """How a formula makes one model's points; `times` says where the factor comes from."""

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
        told = f"{signed(base)} × ({self.times}) ÷ {self.divisor} = {exact}"
        up = -(-product // self.divisor)
        if up != self.each:
            return _("{sum}, but at least {number}").format(sum=told, number=self.each)
        if product % self.divisor:
            return _("{sum}, rounded up to {number}").format(sum=told, number=up)
        return told


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
    """Return what the points of a unit on the list are made of."""
    price = line.unit.price
    items = [*_priced_models(line, system), *_price_moves(line)]
    for taken in line.loadout.taken:
        if taken.points:
            name = taken.option.name
            if taken.number > 1:
                name = f"{taken.number} × {name}"
            each = taken.option.each.number(line.place)
            if each and line.models > 1:
                name = _("{option}, {points} a model").format(option=name, points=each)
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
    price = line.unit.price
    further = max(0, line.models - price.size)
    for of_each, base in ((False, price.start), (True, price.extra)):
        changes = tuple(change for each, change in line.unit.price_changes if each is of_each)
        moved = Amount(base, changes).number(line.place) - (base or 0)
        if moved and base is not None:
            name = _("Extra for each additional model here") if of_each else _("Price changed here")
            yield NumberItem(name, moved * further if of_each else moved)


def _role_shares(line: Line, system: System, full: int) -> Iterator[NumberItem]:
    """Yield what is saved where a role makes models pay a share of their points only."""
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
    """Return what a gauge's number is made of; the notes say where its bounds come from."""
    of_lineup = (tally for tally in report.tallies if tally.lineup == gauge.lineup)
    tally = next(of_lineup, report.full) if gauge.lineup else report.full
    items = [NumberItem(part.label, part.amount, part.unit) for part in gauge.parts]
    groups = Counter(part.group for part in gauge.parts if part.group)
    items += [
        NumberItem(_("{number} of them count as one").format(number=number), 1 - number)
        for number in groups.values()
        if number > 1
    ]
    notes = tuple(_bound_notes(gauge.term, tally))
    return NumberMakeup(gauge.used, tuple(items), notes if items else (_("Nothing yet"), *notes))


def supply_makeup(gauge: Gauge, report: Report) -> NumberMakeup | None:
    """Return what command capacity is made of: what each commander gives. None for other gauges."""
    if gauge.term.count != COMMAND:
        return None
    items = [NumberItem(part.label, part.amount, part.unit) for part in gauge.term.against]
    return NumberMakeup(gauge.maximum or 0, tuple(items))


def _bound_notes(term: Term, tally: Tally) -> Iterator[str]:
    """Yield where bounds that follow the game size come from; plain numbers need no note."""
    if term.maximum is not None and (said := _bound_words(term.maximum, tally)):
        text = _("At most {number}: {reason}.")
        yield text.format(number=term.maximum.upper(tally), reason=said)
    if term.minimum is not None and (said := _bound_words(term.minimum, tally)):
        text = _("At least {number}: {reason}.")
        yield text.format(number=term.minimum.lower(tally), reason=said)


def _bound_words(bound: Bound, tally: Tally) -> str:
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
