"""What may be taken on the units of a list as they stand, as the API describes and tells it."""

from collections.abc import Iterator

from rest_framework import serializers

from armybuilder.api.serializers import Data, Texts
from armybuilder.engine.conditions import Place
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.offers import GroupOffer, OptionOffer, offers
from armybuilder.engine.rulebook import may_have
from armybuilder.loading.documents import Judged


class OfferSerializer(serializers.Serializer[Data]):
    """An option as it stands on a unit, or a group of them with its bounds. A number without a
    bound is null; points are those of one more. Of a group `least` must be taken.
    """

    kind = serializers.ChoiceField(choices=["option", "group"])
    path = serializers.CharField(help_text="Ids that lead to an option, as its document nests them")
    name = serializers.CharField()
    number = serializers.IntegerField(help_text="How often it, or how much of the group, is taken")
    least = serializers.IntegerField()
    most = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(help_text="Of an option: one more; of a group: spent in it")
    allowance = serializers.IntegerField(allow_null=True, help_text="Points a group may cost")
    why = serializers.CharField(allow_blank=True, help_text="What keeps it from being taken")
    given = serializers.BooleanField(help_text="There without being chosen")
    army = serializers.IntegerField(allow_null=True, help_text="How many the army has")
    army_most = serializers.IntegerField(allow_null=True, help_text="How many it may have")
    on = serializers.CharField(allow_blank=True, help_text="What an enchantment is put on")
    pieces = Texts(help_text="What it could be put on, where the list must say so")
    unchecked = serializers.CharField(allow_blank=True, help_text="Asked, and not judged")
    inner = serializers.ListField(
        child=serializers.DictField(),
        help_text="What is in the group, or may be taken on the option that is taken",
    )


class UnitOffersSerializer(serializers.Serializer[Data]):
    """A unit of a list: how many models it may have, which roles, and what may be taken on it."""

    unit = serializers.CharField(help_text="Its id in the document")
    ref = serializers.CharField(help_text="What it is: book/id")
    name = serializers.CharField()
    points = serializers.IntegerField()
    models = serializers.IntegerField()
    least = serializers.IntegerField()
    most = serializers.IntegerField(allow_null=True)
    roles = Texts(help_text="Ids of the roles that it may have")
    offers = OfferSerializer(many=True)


def offers_of(judged: Judged) -> Iterator[Data]:
    """Yield the known units of a list in its order, each with what may be taken on it."""
    system = judged.catalogue.system
    for line in judged.report.full.lines:
        least, most = _bounds(line)
        yield {
            "unit": line.pick.id,
            "ref": line.unit.ref,
            "name": line.name,
            "points": line.points,
            "models": line.models,
            "least": least,
            "most": most,
            "roles": [role for role in system.roles if may_have(role, line.tags, system)],
            "offers": [_told(offer, line.place) for offer in offers(line, judged.report)],
        }


def _bounds(line: Line) -> tuple[int, int | None]:
    """Return the least and most models; those that are bought singly may be any number."""
    if line.unit.size is None and line.unit.counts:
        return 1, None
    return size_bounds(line.unit, line)


def _told(offer: OptionOffer | GroupOffer, place: Place) -> Data:
    alike = {
        "path": offer.path,
        "number": offer.number,
        "most": offer.most,
        "why": offer.why,
        "inner": [_told(inner, place) for inner in offer.inner],
    }
    if isinstance(offer, GroupOffer):
        return {
            **alike,
            "kind": "group",
            "name": offer.group.name,
            "least": offer.least,
            "points": offer.spent,
            "allowance": offer.allowance,
            "given": False,
            "army": None,
            "army_most": None,
            "on": "",
            "pieces": [],
            "unchecked": "",
        }
    army, army_most = offer.held or (None, None)
    return {
        **alike,
        "kind": "option",
        "name": offer.option.name,
        "least": offer.option.least.number(place),
        "points": offer.points,
        "allowance": None,
        "given": offer.given,
        "army": army,
        "army_most": army_most,
        "on": offer.on,
        "pieces": list(offer.pieces),
        "unchecked": offer.unchecked,
    }
