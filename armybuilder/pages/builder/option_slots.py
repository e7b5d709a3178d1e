"""What the options of one unit share by the rules of the game: slots that hold one at most."""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.offers import GroupOffer, OptionOffer, flat
from armybuilder.engine.rules import ItemSlot
from armybuilder.engine.swaps import single_slots
from armybuilder.engine.wording import listed

OfferNode = OptionOffer | GroupOffer


class Slots:
    """The slots of one unit as it stands: of each one option at most is taken."""

    def __init__(self, offered: tuple[OfferNode, ...], line: Line, system: System) -> None:
        options = list(_every(offered))
        self.offered = {
            slot: {one.path: one for one in options if slot.holds(one.option)}
            for slot in single_slots(line, system)
        }
        self.held = {
            slot: [one for one in inside.values() if one.number and not one.given]
            for slot, inside in self.offered.items()
        }

    def around(self, group: GroupOffer) -> ItemSlot | None:
        """Return the slot that all the options of a group are in, and perhaps others."""
        inside = {offer.path for offer in flat(group.inner)}
        slots = (
            slot for slot, all_in in self.offered.items() if inside and inside <= all_in.keys()
        )
        return next(slots, None)

    def words(self, slot: ItemSlot, group: GroupOffer) -> str:
        """Return what the slot is and what is taken there; "" where the group is all of it."""
        inside = {offer.path for offer in flat(group.inner)}
        if self.offered[slot].keys() <= inside:
            return ""
        words = _("max 1 in all")
        replaced = _replaced(one for one in self.held[slot] if one.path not in inside)
        return f"{words}, {replaced}" if replaced and not group.number else words

    def note(self, offer: OptionOffer, beside: Iterable[OptionOffer], told: ItemSlot | None) -> str:
        """Return what an option replaces, but for those `beside` it and the slot already `told`."""
        rivals: dict[str, OptionOffer] = {}
        for slot, held in self.held.items():
            if held and slot is not told and offer.path in self.offered[slot]:
                known = {one.path for one in beside}
                rivals |= {one.path: one for one in held if one.path not in known}
        return _replaced(rivals.values())


def _replaced(offers: Iterable[OptionOffer]) -> str:
    names = listed(one.option.name for one in offers)
    return _("replaces {names}").format(names=names) if names else ""


def _every(offered: Iterable[OfferNode]) -> Iterator[OptionOffer]:
    """Return every option that is offered, at any depth."""
    for offer in flat(offered):
        yield offer
        yield from _every(offer.inner)
