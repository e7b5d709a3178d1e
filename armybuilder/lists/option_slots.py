"""What the options of one unit share: of which of them one at most may be taken, and what another
would replace. From the rules of the game; a group that allows one says so itself.
"""

from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.engine.kinds.per_unit import PerUnit
from armybuilder.engine.offers import GroupOffer, OptionOffer, flat
from armybuilder.engine.standing import Line
from armybuilder.engine.swaps import single_rules
from armybuilder.engine.wording import listed

OfferNode = OptionOffer | GroupOffer


class Slots:
    """The slots of one unit as it stands: each is a rule that allows one of its options."""

    def __init__(self, offered: tuple[OfferNode, ...], line: Line, system: System) -> None:
        options = list(_every(offered))
        self.of_rule = {
            rule: {one.path: one for one in options if rule.selector.matches(one.option.tags)}
            for rule in single_rules(line, system)
        }
        self.held = {
            rule: [one for one in slot.values() if one.number and not one.given]
            for rule, slot in self.of_rule.items()
        }

    def around(self, group: GroupOffer) -> PerUnit | None:
        """The rule that allows one of all the options of a group, and perhaps of others."""
        inside = {offer.path for offer in flat(group.inner)}
        rules = (rule for rule, slot in self.of_rule.items() if inside and inside <= slot.keys())
        return next(rules, None)

    def words(self, rule: PerUnit, group: GroupOffer) -> str:
        """What the slot is, where options outside of the group come under it too; and what is
        taken there. "" where the group is all of it.
        """
        inside = {offer.path for offer in flat(group.inner)}
        if self.of_rule[rule].keys() <= inside:
            return ""
        words = _("one across all {items}").format(items=rule.what)
        replaced = _replaced(one for one in self.held[rule] if one.path not in inside)
        return f"{words}, {replaced}" if replaced and not group.number else words

    def note(self, offer: OptionOffer, beside: Iterable[OptionOffer], told: PerUnit | None) -> str:
        """What an option would take the place of, but for what stands `beside` it and what comes
        under the rule already `told`.
        """
        rivals: dict[str, OptionOffer] = {}
        for rule, held in self.held.items():
            if held and rule is not told and offer.path in self.of_rule[rule]:
                known = {one.path for one in beside}
                rivals |= {one.path: one for one in held if one.path not in known}
        return _replaced(rivals.values())


def _replaced(offers: Iterable[OptionOffer]) -> str:
    names = listed(one.option.name for one in offers)
    return _("replaces {names}").format(names=names) if names else ""


def _every(offered: Iterable[OfferNode]) -> Iterator[OptionOffer]:
    """Every option that is offered, at any depth."""
    for offer in flat(offered):
        yield offer
        yield from _every(offer.inner)
