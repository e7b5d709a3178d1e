"""Entries of a list with the ids of another edition's book, matched by name."""

from collections.abc import Mapping
from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.names import name_key, simple
from armybuilder.engine.options import Offer, Slot
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ListOption, ListUnit


def carried(entry: ListUnit, old: Catalogue, new: Catalogue) -> ListUnit:
    """Return an entry with the ids under which the new books have its unit and its options.

    Names that they lack keep their ids: the list then reports them as unknown.
    """
    was = old.units.get(entry.ref)
    ref = entry.ref if was is None else _ref(was, entry.ref, new)
    unit = new.units.get(ref)
    if was is None or unit is None:
        return entry
    renamed: dict[str, str] = {}
    options = _options(entry.options, was.offer, unit.offer, renamed)
    if ref == entry.ref and not renamed:
        return entry
    return replace(entry, ref=ref, options=tuple(_put_on(one, renamed) for one in options))


def _ref(was: Unit, ref: str, new: Catalogue) -> str:
    if ref in new.units:
        return ref
    book, key = ref.partition("/")[0], name_key(was.name)
    named = [
        other
        for other, unit in new.units.items()
        if other.partition("/")[0] == book and name_key(unit.name) == key
    ]
    return named[0] if len(named) == 1 else ref


def _options(
    options: tuple[ListOption, ...], old: Offer, new: Offer, renamed: dict[str, str]
) -> tuple[ListOption, ...]:
    """Return options with their ids in the new offer, and note those that are `renamed`."""
    places = {option.id: old.slots.get(option.id, ()) for option in options}
    taken = {id_ for id_, slots in places.items() if _is_same(slots, new.slots.get(id_))}
    moved = []
    for option in options:
        if slots := places[option.id]:
            id_ = _id(option.id, slots, new, taken)
            if id_ != option.id:
                renamed[option.id] = id_
                taken.add(id_)
            if option.options and id_ in new.slots:
                inner = slots[0].option.offer, new.slots[id_][0].option.offer
                option = replace(option, options=_options(option.options, *inner, renamed))
            option = option if id_ == option.id else replace(option, id=id_)
        moved.append(option)
    return tuple(moved)


def _id(id_: str, slots: tuple[Slot, ...], new: Offer, taken: set[str]) -> str:
    """Return the id that an option has in a new offer.

    That is the one of its whole name, else its own, else that of its name without the text in
    brackets; of several of one name that of the same group.
    """
    option = slots[0].option
    groups = {name_key(group.name) for slot in slots for group in slot.groups}
    if _is_same(slots, new.slots.get(id_)):
        return id_
    for key in (name_key, lambda name: simple(name.split("(")[0])):
        named = {
            other: {name_key(group.name) for slot in several for group in slot.groups}
            for other, several in new.slots.items()
            if other not in taken and key(several[0].option.name) == key(option.name)
        }
        close = [other for other, its in named.items() if groups & its] or list(named)
        if len(close) == 1:
            return close[0]
        if id_ in new.slots:
            return id_
    return id_


def _is_same(slots: tuple[Slot, ...], others: tuple[Slot, ...] | None) -> bool:
    names = [name_key(some[0].option.name) for some in (slots, others) if some]
    return len(names) == 2 and names[0] == names[1]


def _put_on(option: ListOption, renamed: Mapping[str, str]) -> ListOption:
    """Return an option that is put on a piece, by the id that this has now."""
    inner = tuple(_put_on(one, renamed) for one in option.options)
    return replace(option, on=renamed.get(option.on, option.on), options=inner)
