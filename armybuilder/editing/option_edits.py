"""Edits of a unit's options, each named by a path of ids: "horse", or "horse/barding"."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from armybuilder.editing import unit_edits
from armybuilder.editing.unit_edits import chosen_options, writable
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.fresh import fresh_picks
from armybuilder.engine.lines import Line, census, make_line, path_text
from armybuilder.engine.loadout import count_taken
from armybuilder.engine.options import Offer, Option, Slot
from armybuilder.engine.swaps import in_its_place
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit, changed
from armybuilder.loading.documents import make_roster
from armybuilder.loading.limits import MAX_TIMES
from armybuilder.loading.problems import Refusal

Options = tuple[ListOption, ...]


def switch_option(document: ArmyList, catalogue: Catalogue, entry_id: str, path: str) -> ArmyList:
    """Take an option, or leave it with all on it. Of one at most, taking one leaves the other."""
    left = False

    def switched(options: Options, slots: tuple[Slot, ...]) -> Options:
        nonlocal left
        rest = _left(options, slots)
        left = len(rest) < len(options)
        return rest if left else (*rest, _taken(slots[0].option))

    after = _at(document, catalogue, entry_id, path, switched)
    return after if left else _in_its_place(after, catalogue, entry_id, path)


def set_number(
    document: ArmyList, catalogue: Catalogue, entry_id: str, path: str, number: int
) -> ArmyList:
    """Set how often an option is taken; a new one replaces others as in `switch_option`."""
    new = False
    if not 0 <= number <= MAX_TIMES:
        raise Refusal(_("An option can be taken 0 to {most} times.").format(most=MAX_TIMES))

    def numbered(options: Options, slots: tuple[Slot, ...]) -> Options:
        nonlocal new
        option = slots[0].option
        if number == 0:
            return _left(options, slots)
        new = option.id not in [each.id for each in options]
        if new:
            options = (*options, _taken(option))
        return tuple(
            replace(each, number=number) if each.id == option.id else each for each in options
        )

    after = _at(document, catalogue, entry_id, path, numbered)
    return _in_its_place(after, catalogue, entry_id, path) if new else after


def empty_group(document: ArmyList, catalogue: Catalogue, entry_id: str, path: str) -> ArmyList:
    """Leave all of the group that ends `path`. Raises Refusal where something must be taken."""
    line = line_of(document, catalogue, entry_id)
    above, _slash, group_id = path.rpartition("/")
    offer = _offer_at(line.unit.offer, above.split("/") if above else []) if line else None
    slots = (slot for slots in (offer or Offer()).slots.values() for slot in slots)
    groups = [group for slot in slots for group in slot.groups if group.id == group_id]
    if line is None or not groups:
        raise Refusal(_("This unit has no group “{name}”.").format(name=path[:60]))
    if any(group.least.number(line.place) for group in groups):
        raise Refusal(_("{group}: one must be taken.").format(group=groups[0].name))
    gone = [
        there
        for place, taken in enumerate(line.loadout.taken)
        if (there := path_text(line, place)).rpartition("/")[0] == above
        and not taken.pick.given
        and any(group in taken.slot.groups for group in groups)
    ]
    return _without(document, catalogue, entry_id, gone)


def put_on(
    document: ArmyList, catalogue: Catalogue, entry_id: str, path: str, piece: str
) -> ArmyList:
    """Say which piece of equipment an enchantment is put on; "" leaves it open."""

    def put(options: Options, slots: tuple[Slot, ...]) -> Options:
        option = slots[0].option
        if piece and piece not in option.on:
            refusal = _("{name} cannot be put on “{piece}”.")
            raise Refusal(refusal.format(name=option.name, piece=piece[:60]))
        return tuple(replace(each, on=piece) if each.id == option.id else each for each in options)

    return _at(document, catalogue, entry_id, path, put)


def _taken(option: Option) -> ListOption:
    return ListOption(option.id, options=chosen_options(fresh_picks(option.offer)))


def _left(options: Options, slots: tuple[Slot, ...]) -> Options:
    return tuple(each for each in options if each.id != slots[0].option.id)


def _in_its_place(document: ArmyList, catalogue: Catalogue, entry_id: str, path: str) -> ArmyList:
    """Return the document without the options that the one just taken at `path` replaces."""
    entry = unit_edits.find(document, entry_id)
    offer = catalogue.units[entry.ref].offer
    taken = dict(_slots_taken(entry.options, offer))
    line = None
    if _contested(path, taken, catalogue.system):
        line = line_of(document, catalogue, entry_id)
    if line is None:
        return document
    paths = [path_text(line, place) for place in range(len(line.loadout.taken))]
    gone = in_its_place(line, catalogue.system, paths.index(path))
    return _without(document, catalogue, entry_id, [paths[place] for place in gone])


def _slots_taken(
    options: Options, offer: Offer, above: str = ""
) -> Iterator[tuple[str, tuple[Slot, ...]]]:
    for entry in options:
        if slots := offer.slots.get(entry.id):
            here = f"{above}{entry.id}"
            yield here, slots
            yield from _slots_taken(entry.options, slots[0].option.offer, f"{here}/")


def _contested(path: str, taken: Mapping[str, tuple[Slot, ...]], system: System) -> bool:
    """Return whether another option may have to go: it shares a bounded group or a rule."""
    slots = taken[path]
    groups = {group for slot in slots for group in slot.groups if group.bounded}
    tags = slots[0].option.tags
    counted = filter(None, (rule.items for rule in system.rules))
    selectors = [selector for selector in counted if selector.matches(tags)]
    others = (slots for other, slots in taken.items() if other != path)
    return any(
        any(selector.matches(other[0].option.tags) for selector in selectors)
        or any(group in groups for slot in other for group in slot.groups)
        for other in others
    )


def _without(
    document: ArmyList, catalogue: Catalogue, entry_id: str, paths: Iterable[str]
) -> ArmyList:
    for path in paths:
        document = _at(document, catalogue, entry_id, path, _left)
    return document


def _offer_at(offer: Offer, steps: list[str]) -> Offer | None:
    """Return the options of the option at a path, taken or not; None: no such option."""
    for step in steps:
        if step not in offer.slots:
            return None
        offer = offer.slots[step][0].option.offer
    return offer


def _at(
    document: ArmyList,
    catalogue: Catalogue,
    entry_id: str,
    path: str,
    change: Callable[[Options, tuple[Slot, ...]], Options],
) -> ArmyList:
    unit = catalogue.units.get(unit_edits.find(document, entry_id).ref)
    steps = path.split("/")

    def after(options: Options, offer: Offer, steps: list[str]) -> Options:
        first, *deeper = steps
        slots = offer.slots[first]
        if not deeper:
            return change(options, slots)
        given, inner = slots[0].option.given, slots[0].option.offer
        if first not in [each.id for each in options]:
            if not given:
                raise Refusal(_("Take the option it belongs to first."))
            options = (*options, ListOption(first))
        made = (
            changed(each, options=after(each.options, inner, deeper)) if each.id == first else each
            for each in options
        )
        # A document lists a given option only if something is taken on it.
        return tuple(each for each in made if not (given and each == ListOption(first)))

    def with_options(entry: ListUnit) -> ListUnit:
        offer = unit.offer if unit is not None else Offer()
        if _offer_at(offer, steps) is None:
            raise Refusal(_("This unit has no option “{name}”.").format(name=path[:60]))
        return changed(entry, options=writable(after(entry.options, offer, steps)))

    return unit_edits.change_entry(document, entry_id, with_options)


def line_of(document: ArmyList, catalogue: Catalogue, entry_id: str) -> Line | None:
    """Return the line of an entry in its army; None: unknown unit. Raises Refusal: it is gone."""
    unit_edits.find(document, entry_id)
    roster = make_roster(document, catalogue)
    counted = [(pick, count_taken(pick.picks)) for pick in roster.picks]
    army = census(roster, catalogue.system, counted)
    pick, taken = next((pick, taken) for pick, taken in counted if pick.id == entry_id)
    return make_line(pick, catalogue.system, army, taken)
