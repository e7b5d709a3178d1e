"""Edits of a unit's options: pure functions from a document to the next one, as in `edits`.

A path names an option by the ids from the unit down: "horse", or "horse/barding", which needs
the horse to be taken.
"""

from collections.abc import Callable

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.fresh import fresh_picks
from armybuilder.engine.options import Offer, Option, Slot
from armybuilder.lists import edits
from armybuilder.lists.option_entries import Entry, chosen_options, folded, unfolded
from armybuilder.loading.documents import Document
from armybuilder.loading.limits import MAX_TIMES
from armybuilder.loading.problems import Refusal


def switch_option(document: Document, catalogue: Catalogue, entry_id: str, path: str) -> Document:
    """Take an option, or leave it with all that is taken on it. Of a group that allows one only,
    taking one leaves the other.
    """

    def switched(options: list[Entry], slots: tuple[Slot, ...]) -> list[Entry]:
        option = slots[0].option
        rest = [had for had in options if had["id"] != option.id]
        if len(rest) < len(options):
            return rest
        rivals = _rivals(slots[0])
        return [*(had for had in rest if had["id"] not in rivals), _taken(option)]

    return _at(document, catalogue, entry_id, path, switched)


def set_number(
    document: Document, catalogue: Catalogue, entry_id: str, path: str, number: int
) -> Document:
    """Take an option so many times; 0 leaves it."""
    if not 0 <= number <= MAX_TIMES:
        raise Refusal(_("An option is taken from 0 to {most} times.").format(most=MAX_TIMES))

    def numbered(options: list[Entry], slots: tuple[Slot, ...]) -> list[Entry]:
        option = slots[0].option
        if number == 0:
            return [had for had in options if had["id"] != option.id]
        if option.id not in [had["id"] for had in options]:
            options = [*options, _taken(option)]
        return [
            _with(had, "number", number if number > 1 else None) if had["id"] == option.id else had
            for had in options
        ]

    return _at(document, catalogue, entry_id, path, numbered)


def put_on(
    document: Document, catalogue: Catalogue, entry_id: str, path: str, piece: str
) -> Document:
    """Say which piece of equipment an enchantment is put on; "" leaves it open."""

    def put(options: list[Entry], slots: tuple[Slot, ...]) -> list[Entry]:
        option = slots[0].option
        if piece and piece not in option.on:
            refusal = _("{name} cannot be put on “{piece}”.")
            raise Refusal(refusal.format(name=option.name, piece=piece[:60]))
        return [
            _with(had, "on", piece or None) if had["id"] == option.id else had for had in options
        ]

    return _at(document, catalogue, entry_id, path, put)


def _taken(option: Option) -> Entry:
    """An option just taken, with the defaults of what may be taken on it."""
    inner = chosen_options(fresh_picks(option.offer))
    return {"id": option.id, "options": inner} if inner else {"id": option.id}


def _rivals(slot: Slot) -> set[str]:
    """The other options of the groups around it that allow only one of them."""
    rivals: set[str] = set()
    for group in slot.groups:
        if group.most.base == 1 and not group.most.changes:
            rivals |= set(Offer(group.nodes).slots)
    return rivals - {slot.option.id}


def _with(entry: Entry, key: str, value: object) -> Entry:
    rest = {had: known for had, known in entry.items() if had != key}
    return rest if value is None else {**rest, key: value}


def _exists(offer: Offer, steps: list[str]) -> bool:
    """Whether the book has what a path leads to, taken or not."""
    for step in steps:
        if step not in offer.slots:
            return False
        offer = offer.slots[step][0].option.offer
    return True


def _at(
    document: Document,
    catalogue: Catalogue,
    entry_id: str,
    path: str,
    change: Callable[[list[Entry], tuple[Slot, ...]], list[Entry]],
) -> Document:
    """The document with the options changed beside the one that `path` names."""
    unit = catalogue.units.get(edits.find(document, entry_id).get("unit", ""))
    steps = path.split("/")

    def changed(options: list[Entry], offer: Offer, steps: list[str]) -> list[Entry]:
        first, *deeper = steps
        slots = offer.slots[first]
        if not deeper:
            return change(options, slots)
        inner = slots[0].option.offer
        if first not in [had["id"] for had in options]:
            if not slots[0].option.given:
                raise Refusal(_("Take the option it belongs to first."))
            options = [*options, {"id": first}]
        after = [
            _with(had, "options", changed(had.get("options", []), inner, deeper) or None)
            if had["id"] == first
            else had
            for had in options
        ]
        # What is given is written down only where something is taken on it.
        return [had for had in after if not (slots[0].option.given and had == {"id": first})]

    def with_options(entry: Entry) -> Entry:
        offer = unit.offer if unit is not None else Offer()
        if not _exists(offer, steps):
            raise Refusal(_("This unit has no option “{name}”.").format(name=path[:60]))
        options = changed(unfolded(entry.get("options", [])), offer, steps)
        return _with(entry, "options", folded(options) or None)

    return edits.change_entry(document, entry_id, with_options)
