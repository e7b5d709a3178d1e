"""Fresh picks: the size and options that a unit or an option starts with."""

from collections.abc import Iterable, Iterator, Mapping

from armybuilder.engine.conditions import AllOf, AnyOf, Army, Condition, Has, Not, Place, Within
from armybuilder.engine.conditions import OptionTaken as TakenHere
from armybuilder.engine.loadout import count_taken
from armybuilder.engine.options import Demand, Group, Offer, Option, Slot
from armybuilder.engine.picks import OptionPick, given_picks, take


def fresh_picks(
    offer: Offer, place: Place | None = None, units: int | None = None
) -> tuple[OptionPick, ...]:
    """Return the options of a new unit: included ones, required ones, the defaults of its
    groups, and free ones if a required group has no other.

    `place` is the unit's place, in no army; without it only options that are always allowed are
    taken. `units` is how many of the unit an army can hold, None if any number.
    """
    picks = list(given_picks(offer))
    there = {pick.id for pick in picks}
    for option_id, slots in offer.slots.items():
        option, needs = slots[0].option, slots[0].needs
        least = 0 if needs else option.least.base or 0
        # Groups around it that must not stay empty may start with it.
        starting = [
            group.least.base or 0
            for slot in slots
            for group in slot.groups
            if group.default == slot.option.id
        ]
        wanted = max(starting, default=0)
        if option_id not in there and (least or wanted):
            number = max(least, min(wanted, option.most.base or wanted))
            picks.append(take(slots, fresh_picks(option.offer, place, units), number))
    before = -1
    # A pick of one group may be required by another group, even by an earlier one.
    while before < len(picks):
        before = len(picks)
        for demand in offer.demands:
            here = place and place._replace(taken=count_taken(picks, dict(place.taken)))
            if free := _only_free(demand, offer, picks, here, units):
                slots = offer.slots[free]
                picks.append(take(slots, fresh_picks(slots[0].option.offer, here, units)))
    return tuple(picks)


def alone(models: int, tags: frozenset[str]) -> Place:
    """Return the place of a unit with nothing taken on it and no army around it."""
    return Place(Army(0, {}, {}), {}, models, tags)


def _only_free(
    demand: Demand,
    offer: Offer,
    picks: Iterable[OptionPick],
    place: Place | None,
    units: int | None,
) -> str:
    """Return the id of the only free option in a group that requires one, "" if several or none are
    free, if more of the unit could not have it, or if other choices decide whether it is allowed.
    """
    group = demand.node
    if not isinstance(group, Group) or group.default or not _answers(demand.needs, place) <= {True}:
        return ""
    if _least(group, place) != 1 or any(_inside(group, pick.slots) for pick in picks):
        return ""
    free = list(_free(group, offer.slots, place))
    if len(free) != 1:
        return ""
    ((option_id, slot),) = free
    option = slot.option
    moves = option.points.changes or option.each.changes
    plain = not (is_scarce(option) or runs_out(option, units) or moves)
    return option_id if plain and _answers(slot.needs, place) <= {True} else ""


def is_scarce(option: Option) -> bool:
    """Return whether the army may hold an option once at most: a second unit could not have it."""
    cap = option.cap
    if cap is None:
        return False
    counts = (cap.number, cap.models, cap.points)
    return cap.one_of_a_kind or any(
        one.changes or (one.base is not None and one.base < 2) for one in counts
    )


def runs_out(option: Option, units: int | None) -> bool:
    """Return whether an army can hold fewer of an option than of its unit: later ones need another.

    `units` is how many of the unit it can hold, None if any number.
    """
    most = None if option.cap is None else option.cap.number.base
    return most is not None and (units is None or most < units)


def _least(group: Group, place: Place | None) -> int:
    """Return how many must be taken of a group; 0 where only the army says so."""
    changes = group.least.changes
    if not changes:
        return group.least.base or 0
    settled = all(
        change.each is None and (change.condition is None or _settled(change.condition))
        for change in changes
    )
    return group.least.number(place) if settled and place is not None else 0


def _free(
    group: Group, all_slots: Mapping[str, tuple[Slot, ...]], place: Place | None
) -> Iterator[tuple[str, Slot]]:
    """Return the options of a group that may be available and cost nothing, by id."""
    for option_id, slots in all_slots.items():
        for slot in slots:
            free = not (slot.option.points.base or slot.option.each.base)
            if free and _inside(group, (slot,)) and False not in _answers(slot.needs, place):
                yield option_id, slot
                break


def _inside(group: Group, slots: Iterable[Slot]) -> bool:
    return any(one is group for slot in slots for one in slot.groups)


def _answers(needs: Iterable[Condition], place: Place | None) -> set[bool | None]:
    """Return the answers to conditions; None if it isn't the same in every army."""
    return {one.holds(place) if place is not None and _settled(one) else None for one in needs}


def _settled(condition: Condition) -> bool:
    """Return whether the unit alone decides a condition: not army, game size or setting."""
    return all(
        isinstance(part, Has | Not | AllOf | AnyOf)
        or (isinstance(part, TakenHere) and not part.army)
        or (isinstance(part, Within) and part.what == "models")
        for part in condition.parts()
    )
