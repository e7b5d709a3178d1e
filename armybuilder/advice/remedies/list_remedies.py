"""What settles a finding: its number made smaller or larger, by what the number is made of.

The rules say what a number counts, between which bounds, and which picks add how much (`Term`). No
rule stands here, and no kind of rule.
"""

from collections.abc import Iterator
from functools import partial
from itertools import chain

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Remedy
from armybuilder.advice.remedies import unit_remedies
from armybuilder.advice.remedies.reductions import (
    Reduction,
    RemedyContext,
    best,
    brought,
    partial_ways,
    raised,
    removal,
)
from armybuilder.engine.about import AboutCopies, AboutGroup, AboutOption, AboutSetting, AboutSize
from armybuilder.engine.lines import Line
from armybuilder.engine.nouns import counted
from armybuilder.engine.selectors import CROSS_FACTION
from armybuilder.engine.terms import (
    BARRED,
    COMMAND,
    MODELS,
    PIECES,
    POINTS,
    PRICE,
    ROLES,
    Part,
    Term,
)
from armybuilder.engine.vocabulary import Setting
from armybuilder.engine.wording import inside
from armybuilder.loading.limits import MAX_PIECES


def answers(case: RemedyContext) -> Iterator[Remedy]:
    """Yield what settles the finding of a case, or reduces it; none for a player's choice."""
    for setting_id, value in case.rule.values_for(case.finding, case.subject.report.tallies):
        setting = case.system.settings[setting_id]
        if setting.kind == "attribute":
            name = case.system.attributes[setting.attribute].values[value]
            fields = {"act": "setting", "setting": setting_id, "value": value}
            yield Remedy(_("Choose {what}").format(what=name), fields)
    if isinstance(case.finding.about, AboutSetting):
        return
    removals = case.rule.removals(case.full)
    if removals is not None:
        for lines in removals:
            yield from case.removal_of(lines)
    elif (term := case.term) is not None:
        if term.count == BARRED:
            for part in term.parts:
                yield from unit_remedies.without(case, part)
        elif term.count == ROLES:
            yield from _roles(case, term)
        elif isinstance(term.about, AboutSize):
            yield from unit_remedies.sized(case, term)
        elif (case.finding.measured or 0) > (case.finding.allowed or 0):
            yield from _reduced(case, term)
        else:
            yield from _raised(case, term)
        # More pieces in a setting.
        for setting_id, value in case.rule.values_for(case.finding, case.subject.report.tallies):
            if len(case.tally.roster.chosen(setting_id)) < MAX_PIECES:
                fields = {"act": "add-piece", "setting": setting_id, "piece": value}
                place = inside(_(case.system.settings[setting_id].name))
                label = _("Add {unit} to {place}")
                yield Remedy(label.format(unit=case.finding.values["unit"], place=place), fields)


def _roles(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    """Yield a role given to others, or taken away; given to who must have it, or what asks off."""
    if term.is_over:
        promotions = case.promotions(term.role) if case.system.roles[term.role].alone else ()
        for answer, _number in zip(promotions, range(2), strict=False):
            yield answer
        yield from (case.relief(line, term.role) for line in case.culprits)
        return
    for line in case.culprits:
        if case.may_have(term.role, line):
            yield case.promotion(line, term.role)
    for part in term.parts:
        yield from unit_remedies.without(case, part)


def _reduced(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    found = case.finding
    if term.count == PIECES:
        setting = case.system.settings[term.setting]
        if setting.kind == "pieces":
            for piece in dict.fromkeys(part.key for part in term.parts):
                fields = {"act": "remove-piece", "setting": setting.id, "piece": piece}
                label = _("Remove {piece}").format(piece=setting.values[piece].name)
                yield Remedy(label, fields)
        return
    if term.role:
        yield from _relieved(case, term)
    if term.count == PRICE:
        yield from (removal(line, case.name(line)) for line in case.culprits)
        return
    if isinstance(term.about, AboutOption):
        yield from unit_remedies.less_often(case, term)
        return
    bound, excess = term.maximum, found.excess
    if bound is not None:
        excess = bound.excess(found.measured or 0, case.tally)
    ways = list(_ways(case, term, excess))
    yield from best(ways, excess)
    # Where the list makes the bound, a step may lower that as far as the number.
    yield from partial_ways(ways, excess, 2 if excess > found.excess else 1)


def _relieved(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    """Yield those relieved, first who may not have the role, or whose going is enough."""
    lines = [line for line in case.culprits if term.role in line.pick.roles]
    excess = case.finding.excess

    def order(line: Line) -> tuple[bool, bool]:
        return case.may_have(term.role, line), term.count == MODELS and line.models < excess

    for line in sorted(lines, key=order)[:3]:
        if term.count == MODELS:
            yield from case.split(line, term.role)
        yield case.relief(line, term.role)


def _ways(case: RemedyContext, term: Term, excess: int) -> Iterator[Reduction]:
    for part in _free(case, term):
        if part.line is None:
            setting = case.system.settings[part.key]
            value = case.tally.roster.settings.get(setting.id)
            if isinstance(value, int) and value > setting.low:
                off = min(value - setting.low, -(-case.finding.excess // setting.points))
                yield Reduction(off * setting.points, partial(_lowered, setting, value - off))
        elif part.whole:
            if term.count == POINTS:
                yield from case.less.points(part.line, excess)
                if part.line.points >= excess:
                    # An option that is not enough reduces less than the unit it is on.
                    yield from case.less.options(
                        part.line, lambda taken: taken.total if taken.total >= excess else 0
                    )
            elif part.each:
                yield from case.less.models(part.line, excess, part.each)
            else:
                yield Reduction(1, partial(removal, part.line, case.name(part.line)))
        else:
            named = not term.about.own_unit
            if isinstance(term.about, AboutGroup) and term.count != POINTS:
                yield from unit_remedies.lowered(part.line, part, excess)
            worth = worth_in(part)
            yield from case.less.options(part.line, worth, named)
            if named and (less := brought(part.line, worth).get(-1)):
                yield Reduction(less, partial(removal, part.line, case.name(part.line)))


def _free(case: RemedyContext, term: Term) -> Iterator[Part]:
    """Return the parts but for lines whose going would change who is meant."""
    leads = term.of is not None and term.of.mentions(CROSS_FACTION)
    for part in term.parts:
        line = part.line
        if line is None or not (
            line.lifts(case.rule.head.id)
            or ((leads or term.count == COMMAND) and case.less.leads(line))
        ):
            yield part


def worth_in(part: Part) -> unit_remedies.Worth:
    """Return what each option adds to a part."""
    worth = {id(taken.pick): amount for taken, amount in part.options}
    return lambda taken: worth.get(id(taken.pick), 0)


def _lowered(setting: Setting, value: int) -> Remedy:
    fields = {"act": "setting", "setting": setting.id, "value": str(value)}
    label = _("Reduce {unit} to {number}").format(unit=inside(_(setting.name)), number=value)
    return Remedy(label, fields)


def _raised(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    """Yield answers to too little: a role given, a unit grown, a model that comes to stay."""
    sometimes = case.system.sometimes
    if term.role:
        yield from case.promotions(term.role)
    elif isinstance(term.about, AboutOption):
        yield from unit_remedies.taken(case, term.about)
    elif isinstance(term.about, AboutCopies):
        for line in case.culprits[:1]:
            yield from raised(line, case.name(line), case.finding.excess)
    elif term.about.own_unit:
        yield from unit_remedies.sized(case, term)
        against = ((part.line, part) for part in term.against if part.line is not None)
        less = (case.less.options(line, worth_in(part), named=False) for line, part in against)
        yield from best(chain.from_iterable(less), case.finding.excess)
    elif term.count == MODELS and case.finding.lineup and sometimes:
        for line in case.full.lines:
            if sometimes in line.pick.roles and (term.of is None or term.of.matches(line.tags)):
                yield case.relief(line, sometimes)
    elif term.count == POINTS:
        yield from _grown(case, term)


def _grown(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    ways = []
    for part in _free(case, term):
        line = part.line
        if line is None or not part.whole or line.unit.size is None or not line.unit.counts:
            continue
        each, _low = case.less.each(line)
        more = -(-case.finding.excess // each) if each > 0 else 0
        highest = line.unit.size[1].at(line.place)
        grown = line.pick.models + more
        if more and (highest is None or grown <= highest):
            ways.append((more * each, line, more))
    for points, line, more in sorted(ways, key=lambda way: way[0])[:2]:
        if case.tally.points + points <= case.tally.roster.limit:
            note = _("{points} more").format(points=counted(points, "point"))
            yield from raised(line, case.name(line), more, note)
