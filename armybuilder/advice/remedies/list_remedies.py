"""Remedies for a finding: its number (`Term`) made smaller or larger by its parts."""

from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial
from itertools import chain, combinations
from operator import itemgetter

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Remedy
from armybuilder.advice.remedies import reductions
from armybuilder.advice.remedies.reductions import Reduction, RemedyContext
from armybuilder.editing.unit_edits import chosen_options, writable
from armybuilder.engine import terms
from armybuilder.engine.about import (
    AboutCopies,
    AboutGroup,
    AboutName,
    AboutOption,
    AboutSetting,
    AboutSize,
)
from armybuilder.engine.conditions import wanted_at
from armybuilder.engine.fresh import fresh_picks
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken, open_slot, path_of
from armybuilder.engine.nouns import counted
from armybuilder.engine.options import Offer, Option, Slot
from armybuilder.engine.selectors import CROSS_FACTION
from armybuilder.engine.terms import Part, Term
from armybuilder.engine.vocabulary import Setting
from armybuilder.engine.wording import inside, listed, quote, spelled
from armybuilder.loading.armylist import ListOption
from armybuilder.loading.limits import MAX_MODELS, MAX_PIECES, MAX_TIMES
from armybuilder.loading.problems import Refusal

#: An option's addition to a number.
Worth = Callable[[Taken], int]
#: How much of a unit's name a button repeats where it comes from a file.
LONGEST = 40
#: So many options of a group are offered.
FROM_GROUP = 3
#: Options offered at most that would permit a unit's present ones.
OPENING = 3
#: So many pairs of options are offered, where none opens it alone.
PAIRS = 2
#: Depth of options to which a document gives number and piece.
DEPTH = 2


def answers(case: RemedyContext) -> Iterator[Remedy]:
    """Yield remedies that settle or reduce a finding; none for a player's choice."""
    rule, report = case.finding.rule, case.subject.report
    values = list(rule.values_for(case.finding, report.tallies))
    for setting_id, value in values:
        setting = case.system.settings[setting_id]
        if setting.kind == "attribute":
            name = case.system.attributes[setting.attribute].values[value]
            fields = {"act": "setting", "setting": setting_id, "value": value}
            yield Remedy(_("Choose {what}").format(what=name), fields)
    if isinstance(case.finding.about, AboutSetting):
        return
    removals = rule.removals(report.full)
    if removals is not None:
        for lines in removals:
            yield from case.removal_of(lines)
    elif (term := case.term) is not None:
        if term.count == terms.BARRED:
            for part in term.parts:
                yield from without(case, part)
        elif term.count == terms.ROLES:
            yield from _roles(case, term)
        elif isinstance(term.about, AboutSize):
            yield from sized(case, term)
        elif (case.finding.measured or 0) > (case.finding.allowed or 0):
            yield from _reduced(case, term)
        else:
            yield from _raised(case, term)
        # More pieces in a setting.
        for setting_id, value in values:
            if len(case.less.tally.roster.chosen(setting_id)) < MAX_PIECES:
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
        yield from without(case, part)


def _reduced(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    finding = case.finding
    if term.count == terms.PIECES:
        setting = case.system.settings[term.setting]
        if setting.kind == "pieces":
            for piece in dict.fromkeys(part.key for part in term.parts):
                fields = {"act": "remove-piece", "setting": setting.id, "piece": piece}
                label = _("Remove {piece}").format(piece=setting.values[piece].name)
                yield Remedy(label, fields)
        return
    if term.role:
        lines = [line for line in case.culprits if term.role in line.pick.roles]

        def order(line: Line) -> tuple[bool, bool]:
            few = term.count == terms.MODELS and line.models < finding.excess
            return case.may_have(term.role, line), few

        for line in sorted(lines, key=order)[:3]:
            if term.count == terms.MODELS:
                yield from case.split(line, term.role)
            yield case.relief(line, term.role)
    if term.count == terms.PRICE:
        yield from (case.removal(line) for line in case.culprits)
        return
    if isinstance(term.about, AboutOption):
        yield from less_often(case, term)
        return
    bound, excess = term.maximum, finding.excess
    if bound is not None:
        excess = bound.excess(finding.measured or 0, case.less.tally)
    ways = list(_ways(case, term, excess))
    yield from reductions.best(ways, excess)
    if all(way.less < excess for way in ways):
        yield from _pairs(case, term, excess)
    # Where the list makes the bound, a step may lower that as far as the number.
    yield from reductions.partial_ways(ways, excess, 2 if excess > finding.excess else 1)


def _pairs(case: RemedyContext, term: Term, excess: int) -> Iterator[Remedy]:
    """Yield two units off the list that together are enough: the newest, and the smallest."""
    points = term.count == terms.POINTS
    whole = [(part.line, part.amount) for part in _free(case, term) if part.whole and part.line]
    lines = [(line, line.points if points else amount) for line, amount in whole if line]
    pairs = [
        (second[1] + first[1], (second[0], first[0]))
        for first, second in combinations(reversed(lines), 2)
        if first[1] + second[1] >= excess
    ]
    for _less, pair in [*pairs[:1], *sorted(pairs, key=itemgetter(0))[:1]]:
        yield from case.removal_of(pair)


def _ways(case: RemedyContext, term: Term, excess: int) -> Iterator[Reduction]:
    for part in _free(case, term):
        if part.line is None:
            setting = case.system.settings[part.key]
            value = case.less.tally.roster.settings.get(setting.id)
            if isinstance(value, int) and value > setting.low:
                off = min(value - setting.low, -(-case.finding.excess // setting.points))
                yield Reduction(off * setting.points, partial(_lowered, setting, value - off))
        elif part.whole:
            if term.count == terms.POINTS:
                yield from case.less.points(part.line, excess)
                if part.line.points >= excess:
                    # An option that is not enough reduces less than the unit it is on.
                    yield from case.less.options(
                        part.line, lambda taken: taken.total if taken.total >= excess else 0
                    )
            elif part.each:
                yield from case.less.models(part.line, excess, part.each)
            else:
                yield Reduction(1, partial(case.removal, part.line))
        else:
            named = not term.about.own_unit
            if isinstance(term.about, AboutGroup) and term.count != terms.POINTS:
                yield from lowered(part.line, part, excess)
            worth = worth_in(part)
            yield from case.less.options(part.line, worth, named)
            if named and (less := reductions.brought(part.line, worth).get(-1)):
                yield Reduction(less, partial(case.removal, part.line))


def _free(case: RemedyContext, term: Term) -> Iterator[Part]:
    """Return the parts but for lines whose going would change who is meant."""
    leads = term.of is not None and term.of.mentions(CROSS_FACTION)
    for part in term.parts:
        line = part.line
        if line is None or not (
            line.lifts(case.finding.rule.head.id)
            or ((leads or term.count == terms.COMMAND) and case.less.leads(line))
        ):
            yield part


def worth_in(part: Part) -> Worth:
    """Return each option's addition to a part."""
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
        yield from must_take(case, term.about)
    elif isinstance(term.about, AboutCopies):
        for line in case.culprits[:1]:
            yield from reductions.raised(line, case.less.name(line), case.finding.excess)
    elif term.about.own_unit:
        yield from sized(case, term)
        against = ((part.line, part) for part in term.against if part.line is not None)
        less = (case.less.options(line, worth_in(part), named=False) for line, part in against)
        yield from reductions.best(chain.from_iterable(less), case.finding.excess)
    elif term.count == terms.MODELS and case.finding.lineup and sometimes:
        for line in case.subject.report.full.lines:
            if sometimes in line.pick.roles and (term.of is None or term.of.matches(line.tags)):
                yield case.relief(line, sometimes)
    elif term.count == terms.POINTS:
        ways = []
        for share in _free(case, term):
            grower = share.line if share.whole else None
            if grower is None or grower.unit.size is None or not grower.unit.counts:
                continue
            each, _low = case.less.each(grower)
            more = -(-case.finding.excess // each) if each > 0 else 0
            highest = grower.unit.size[1].at(grower.place)
            grown = grower.pick.models + more
            if more and (highest is None or grown <= highest):
                ways.append((more * each, grower, more))
        for points, grower, more in sorted(ways, key=lambda way: way[0])[:2]:
            if case.less.tally.points + points <= case.less.tally.roster.limit:
                note = _("{points} more").format(points=counted(points, "point"))
                yield from reductions.raised(grower, case.less.name(grower), more, note)


def sized(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    """Return the number of models within the allowed bounds."""
    models = case.finding.allowed or 0
    if 0 < models <= MAX_MODELS:
        for line in case.culprits:
            yield reductions.models_answer(line, case.less.name(line), models)


def without(case: RemedyContext, part: Part) -> Iterator[Remedy]:
    """Yield remedies for a unit: its forbidden parts removed or put on another piece."""
    line = part.line
    if line is None:
        return
    if part.whole:
        yield case.removal(line)
        return
    for place, taken in _places(part, line):
        if taken.pick.given:
            continue
        if pieces := case.finding.rule.fitting(line, taken):
            path = path_of(line.loadout.taken, place)
            for piece in pieces if len(path) <= DEPTH else ():
                name = line.loadout.taken[place].option.name
                label = _("Put {option} on the {piece}").format(option=name, piece=spelled(piece))
                fields = {"act": "put-on", "unit": line.pick.id, "piece": piece}
                yield Remedy(label, {**fields, "option": "/".join(path)})
        else:
            yield from _with_needs(line, case.finding.rule.wanted(line, taken))
            yield reductions.option_answer(line, place)


def _with_needs(line: Line, tags: Set[str]) -> Iterator[Remedy]:
    """Yield the cheapest options that count for one of these tags, or pairs of them."""
    if not tags:
        return
    open_here = list(_open_slots(line, line.unit.offer))
    wanted = _counted(line, open_here, tags)
    for option in (slot.option for slot in wanted[:OPENING]):
        label = _("Take {option}").format(option=option.name)
        fields = {"act": "option-number", "unit": line.pick.id, "option": option.id, "number": "1"}
        yield Remedy(label, fields, priced=True)
    if not wanted:
        every = (closed for slots in line.unit.offer.slots.values() for closed in slots)
        pairs = [
            (first.option, closed.option)
            for closed in _counted(line, every, tags)
            if (lacking := wanted_at(closed.needs, line.place))
            for first in _counted(line, open_here, lacking)[:PAIRS]
        ]
        for pair in sorted(pairs, key=lambda pair: sum(cost_of(one, line) for one in pair))[:PAIRS]:
            words = _("Take {option}").format(option=listed(one.name for one in pair))
            options = " ".join(one.id for one in pair)
            act = {"act": "take-options", "unit": line.pick.id, "options": options}
            yield Remedy(words, act, priced=True)


def _counted(line: Line, slots: Iterable[Slot], tags: Set[str]) -> list[Slot]:
    """Return the slots, the cheapest first, that these tags count and the unit has not taken."""
    taken = {one.option.id for one in line.loadout.taken if one.parent < 0}
    found = [
        slot for slot in slots if slot.option.id not in taken and not tags.isdisjoint(slot.counted)
    ]
    return sorted(found, key=lambda slot: cost_of(slot.option, line))


def cost_of(option: Option, line: Line) -> int:
    """Return the points of an option taken once on the unit of a line in its current state."""
    place = line.place
    each = option.points.number(place) + option.each.number(place) * place.models
    return each * line.units


def less_often(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    """Return an option as often as it may be taken."""
    number = max(case.finding.allowed or 0, 0)
    for line, part in ((part.line, part) for part in term.parts if part.line is not None):
        for place, taken in _places(part, line):
            # Given options cannot be removed.
            most = MAX_TIMES if len(path_of(line.loadout.taken, place)) <= DEPTH else 1
            if (0 if taken.pick.given else -1) < number <= most:
                yield reductions.option_answer(line, place, number=number)


def lowered(line: Line, part: Part, excess: int) -> Iterator[Reduction]:
    """Options of a group less often, each by as many as there are too many."""
    for place, taken in _places(part, line):
        if taken.number > excess and not taken.pick.given:
            answer = partial(reductions.option_answer, line, place, number=taken.number - excess)
            yield Reduction(excess, answer)


def _places(part: Part, line: Line) -> list[tuple[int, Taken]]:
    meant = {id(taken.pick) for taken, _amount in part.options}
    return [(place, one) for place, one in enumerate(line.loadout.taken) if id(one.pick) in meant]


def must_take(case: RemedyContext, about: AboutOption) -> Iterator[Remedy]:
    """Return an option that must be taken, or the cheapest of a group of which one must be."""
    *above, wanted = about.path
    number = case.finding.allowed or 0
    for line in case.culprits:
        offer: Offer = line.unit.offer
        for step in above:
            offer = offer.slots[step][0].option.offer
        slots = offer.slots.get(wanted)
        if slots and number <= MAX_TIMES and _writable(slots[0].option, len(about.path), number):
            path = "/".join(about.path)
            fields = {"act": "option-number", "unit": line.pick.id, "option": path}
            label = _("Take {option} {number} times") if number > 1 else _("Take {option}")
            said = label.format(option=slots[0].option.name, number=number)
            yield Remedy(said, {**fields, "number": str(number)})
        elif not slots and case.finding.excess == 1:
            open_here = [
                slot.option
                for slot in _open_slots(line, offer)
                if any(group.id == wanted for group in slot.groups)
            ]
            for option in sorted(open_here, key=partial(cost_of, line=line))[:FROM_GROUP]:
                if _writable(option, len(about.path), 1):
                    label = _("Take {option}").format(option=option.name)
                    fields = {"act": "option-number", "unit": line.pick.id, "number": "1"}
                    path = "/".join((*above, option.id))
                    yield Remedy(label, {**fields, "option": path}, priced=True)


def _open_slots(line: Line, offer: Offer) -> Iterator[Slot]:
    for slots in offer.slots.values():
        slot = open_slot(slots, line.place)
        if all(condition.may_hold(line.place) for condition in slot.needs):
            yield slot


def _writable(option: Option, depth: int, number: int) -> bool:
    """Return whether a document can hold this option, this often and this many options deep."""
    inner = chosen_options(fresh_picks(option.offer))
    written = ListOption(option.id, number, options=inner)
    for _level in range(depth - 1):
        written = ListOption(option.id, options=(written,))
    try:
        writable((written,))
    except Refusal:
        return False
    return True


def unknown(case: RemedyContext, about: AboutName) -> Iterator[Remedy]:
    """Yield remedies that remove an unknown name, or use a left-out book again."""
    subject, name = case.subject, about.name
    if about.kind == "unit":
        if not case.system.sized:
            book_id = name.partition("/")[0]
            if book := subject.other_books.get(book_id):
                yield Remedy(
                    _("Add {book}").format(book=book), {"act": "add-book", "book": book_id}
                )
        label = _("Remove {unit}").format(unit=_short(subject.names[about.pick]))
        yield Remedy(label, {"act": "remove", "unit": about.pick})
    elif about.kind == "book":
        if len({book.id for book in subject.document.books}) > 1:
            label = _("Remove {what}").format(what=_short(name))
            yield Remedy(label, {"act": "remove-book", "book": name})
    else:
        kind = "option" if about.kind == "repeated" else about.kind
        fields = {"act": "forget", "kind": kind, "name": name}
        label = _("Remove {what}").format(what=quote(_short(name)))
        yield Remedy(label, {**fields, "unit": about.pick} if about.pick else fields)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else f"{name[:LONGEST]}…"
