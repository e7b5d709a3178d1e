"""Event packs and verdicts at events, as the API asks, describes and tells them."""

from rest_framework import serializers

from armybuilder.api.serializers import (
    Data,
    FindingSerializer,
    ReportSerializer,
    Texts,
    UncheckedSerializer,
)
from armybuilder.engine.event_report import EventReport
from armybuilder.exchange.report_data import finding_data, report_data, unchecked_data
from armybuilder.loading.packs import Pack


class PackSerializer(serializers.Serializer[Data]):
    """An event pack: what an event asks of lists beside the rules of their game."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    system = serializers.CharField()
    revision = serializers.CharField(help_text="The hash of its content")
    sizes = serializers.ListField(
        child=serializers.IntegerField(), help_text="Points that lists may have; none: any"
    )


class PackWithRulesSerializer(PackSerializer):
    """The same with its file, as it is written."""

    file = serializers.DictField(help_text="The JSON file that it is")


class PackQuery(serializers.Serializer[Data]):
    """At which event a list is to be judged."""

    pack = serializers.RegexField(
        r"^[a-z0-9_-]{1,80}$",
        required=False,
        help_text="A pack in the box, by its id. "
        "Where each list of a player has a size of its own, the list is judged as that of its size",
    )


class ScoreSerializer(serializers.Serializer[Data]):
    """A number that an event tells of a list and never judges."""

    id = serializers.CharField()
    name = serializers.CharField()
    counted = serializers.CharField(help_text="How much counts: 2 1/2")
    points = serializers.IntegerField()
    citation = serializers.CharField()


class EventSerializer(serializers.Serializer[Data]):
    """The verdict of an event. `legal`: the list may be played there, by the game's rules but for
    those that the event lifts, and by the event's own.
    """

    pack = PackSerializer()
    legal = serializers.BooleanField()
    verdict = serializers.CharField(help_text="In words: not at this event: 2 errors")
    findings = FindingSerializer(many=True, help_text="What the event finds beside the game")
    excused = Texts(help_text="Rules of the game that the list breaks and the event lifts")
    unchecked = UncheckedSerializer(many=True)
    scores = ScoreSerializer(many=True)


class BothReportsSerializer(ReportSerializer):
    """The verdict of the game; with a pack that of the event beside it, never mixed."""

    event = EventSerializer(required=False)


def pack_data(pack: Pack) -> Data:
    """Return what is told of a pack."""
    return {
        "id": pack.id,
        "name": pack.name,
        "about": pack.about,
        "system": pack.system,
        "revision": pack.revision,
        "sizes": list(pack.sizes),
    }


def both_data(report: EventReport, pack: Pack) -> Data:
    """Return the game's report, and the event's verdict beside it."""
    scores = [
        {
            "id": one.score.id,
            "name": one.score.name,
            "counted": one.counted,
            "points": one.points,
            "citation": str(one.score.citation),
        }
        for one in report.scored
    ]
    event = {
        "pack": pack_data(pack),
        "legal": report.legal,
        "verdict": report.event_verdict,
        "findings": [finding_data(one) for one in report.refusals],
        "excused": list(dict.fromkeys(one.head.id for one in report.excused)),
        "unchecked": [unchecked_data(one) for one in report.event.unchecked],
        "scores": scores,
    }
    return {**report_data(report.game), "event": event}
