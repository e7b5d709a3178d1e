"""What settles findings about single units and about names: sizes, options, what is unknown."""

from collections.abc import Callable, Iterable, Iterator, Set
from functools import partial

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Remedy
from armybuilder.advice.remedies.reductions import (
    Reduction,
    RemedyContext,
    models_answer,
    option_answer,
    removal,
)
from armybuilder.editing.unit_edits import chosen_options, writable
from armybuilder.engine.about import AboutName, AboutOption
from armybuilder.engine.conditions import wanted_at
from armybuilder.engine.fresh import fresh_picks
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Path, Taken, open_slot, path_of
from armybuilder.engine.options import Offer, Option, Slot
from armybuilder.engine.terms import Part, Term
from armybuilder.engine.wording import listed, quote, spelled
from armybuilder.loading.armylist import ListOption
from armybuilder.loading.limits import MAX_MODELS, MAX_TIMES
from armybuilder.loading.problems import Refusal

#: What an option adds to a number.
Worth = Callable[[Taken], int]
#: How much of a unit's name a button repeats where it comes from a file.
LONGEST = 40
#: So many options of a group are offered.
FROM_GROUP = 3
#: So many options are offered that would let a unit have what it has.
OPENING = 3
#: So many pairs of options are offered, where none opens it alone.
PAIRS = 2
#: So many options deep a document says how often one is taken, and what it is put on.
DEPTH = 2


def sized(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    """As many models as there may be, or must."""
    models = case.finding.allowed or 0
    if 0 < models <= MAX_MODELS:
        for line in case.culprits:
            yield models_answer(line, case.name(line), models)


def without(case: RemedyContext, part: Part) -> Iterator[Remedy]:
    """Return what may not be there as it is: put on another piece, or off."""
    line = part.line
    if line is None:
        return
    if part.whole:
        yield removal(line, case.name(line))
        return
    for place, taken in _places(part, line):
        if taken.pick.given:
            continue
        if pieces := case.rule.pieces_for(line, taken):
            path = path_of(line.loadout.taken, place)
            for piece in pieces if len(path) <= DEPTH else ():
                name = line.loadout.taken[place].option.name
                label = _("Put {option} on the {piece}").format(option=name, piece=spelled(piece))
                fields = {"act": "put-on", "unit": line.pick.id, "piece": piece}
                yield Remedy(label, {**fields, "option": "/".join(path)})
        else:
            yield from _with_needs(line, case.rule.wanted(line, taken))
            yield option_answer(line, place)


def _with_needs(line: Line, tags: Set[str]) -> Iterator[Remedy]:
    """Yield the options, the cheapest first, that one of these tags counts.

    A unit would take one to have what it has. Where none of them stands open, one is taken with
    what it needs itself.
    """
    if not tags:
        return
    open_here = list(_open_slots(line, line.unit.offer))
    wanted = _counted(line, open_here, tags)
    for option in (slot.option for slot in wanted[:OPENING]):
        label = _("Take {option}").format(option=option.name)
        fields = {"act": "option-number", "unit": line.pick.id, "option": option.id, "number": "1"}
        yield Remedy(label, fields, priced=True)
    if not wanted:
        yield from _with_both(line, open_here, tags)


def _with_both(line: Line, open_here: list[Slot], tags: Set[str]) -> Iterator[Remedy]:
    """Yield two options in one answer, the cheapest pairs first.

    One that these tags count, and before it what that lacks itself.
    """
    every = (slot for slots in line.unit.offer.slots.values() for slot in slots)
    pairs = [
        (first.option, slot.option)
        for slot in _counted(line, every, tags)
        if (lacking := wanted_at(slot.needs, line.place))
        for first in _counted(line, open_here, lacking)[:PAIRS]
    ]
    for pair in sorted(pairs, key=lambda pair: sum(cost_of(one, line) for one in pair))[:PAIRS]:
        label = _("Take {option}").format(option=listed(one.name for one in pair))
        options = " ".join(one.id for one in pair)
        fields = {"act": "take-options", "unit": line.pick.id, "options": options}
        yield Remedy(label, fields, priced=True)


def _counted(line: Line, slots: Iterable[Slot], tags: Set[str]) -> list[Slot]:
    """Return the slots, the cheapest first, that these tags count and the unit has not taken."""
    taken = {one.option.id for one in line.loadout.taken if one.parent < 0}
    found = [
        slot for slot in slots if slot.option.id not in taken and not tags.isdisjoint(slot.counted)
    ]
    return sorted(found, key=lambda slot: cost_of(slot.option, line))


def cost_of(option: Option, line: Line) -> int:
    """Return the points of an option taken once on the unit of a line, as that stands."""
    place = line.place
    return option.points.number(place) + option.each.number(place) * line.models


def less_often(case: RemedyContext, term: Term) -> Iterator[Remedy]:
    """Return an option as often as it may be taken."""
    number = max(case.finding.allowed or 0, 0)
    for line, part in ((part.line, part) for part in term.parts if part.line is not None):
        for place, taken in _places(part, line):
            # What is given cannot be left.
            most = MAX_TIMES if len(path_of(line.loadout.taken, place)) <= DEPTH else 1
            if (0 if taken.pick.given else -1) < number <= most:
                yield option_answer(line, place, number=number)


def lowered(line: Line, part: Part, excess: int) -> Iterator[Reduction]:
    """Options of a group less often, each by as many as there are too many."""
    for place, taken in _places(part, line):
        if taken.number > excess and not taken.pick.given:
            answer = partial(option_answer, line, place, number=taken.number - excess)
            yield Reduction(excess, answer)


def _places(part: Part, line: Line) -> list[tuple[int, Taken]]:
    meant = {id(taken.pick) for taken, _amount in part.options}
    return [(place, one) for place, one in enumerate(line.loadout.taken) if id(one.pick) in meant]


def taken(case: RemedyContext, about: AboutOption) -> Iterator[Remedy]:
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
            yield from _of_group(line, offer, about.path)


def _of_group(line: Line, offer: Offer, path: Path) -> Iterator[Remedy]:
    """Return the cheapest options of a group that stand open, the free ones first."""
    *above, group = path
    open_here = [
        slot.option
        for slot in _open_slots(line, offer)
        if any(one.id == group for one in slot.groups)
    ]
    for option in sorted(open_here, key=lambda option: cost_of(option, line))[:FROM_GROUP]:
        if _writable(option, len(path), 1):
            label = _("Take {option}").format(option=option.name)
            fields = {"act": "option-number", "unit": line.pick.id, "number": "1"}
            yield Remedy(label, {**fields, "option": "/".join((*above, option.id))}, priced=True)


def _open_slots(line: Line, offer: Offer) -> Iterator[Slot]:
    """Return the slots of options that may be taken as a unit stands, as far as is known."""
    for slots in offer.slots.values():
        slot = open_slot(slots, line.place)
        if all(condition.told(line.place) is not False for condition in slot.needs):
            yield slot


def _writable(option: Option, depth: int, number: int) -> bool:
    """Return whether a document can say that an option is taken so often, so many options deep."""
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
    """Yield what leaves out an unknown name; a book that was left out is used again."""
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
