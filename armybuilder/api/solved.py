"""What may become of lists, as the API asks, describes and tells it."""

from rest_framework import serializers

from armybuilder.api.plain import difference_data
from armybuilder.api.serializers import Data, DifferenceSerializer, DocumentField, Texts
from armybuilder.comparing.difference import difference
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.documents import Judged, judge_by
from armybuilder.solving.explain import Core
from armybuilder.solving.fill import Filled
from armybuilder.solving.look_ahead import Fate, Outlook
from armybuilder.solving.questions import Reply, Sought
from armybuilder.solving.repair import Repair, Repairs

#: So many sentences say what a repair changes.
MOST_LINES = 20
#: What a repair may be asked to keep, and how much of it.
KEPT = r"^u[0-9]{1,9}(:[a-z0-9_-]{1,80}|(/[a-z0-9_-]{1,80}){1,4})?$"
MOST_KEPT = 500
#: How many wishes a filling may hear.
MOST_WISHES = 40
#: What can become of a list.
FATES = [fate.value for fate in Fate]


class RepairQuery(serializers.Serializer[Data]):
    """How a list is to be made legal."""

    number = serializers.IntegerField(
        default=3, min_value=1, max_value=3, help_text="How many different ways"
    )
    keep = serializers.ListField(
        child=serializers.RegexField(KEPT),
        default=list,
        max_length=MOST_KEPT,
        help_text="What must stay: a unit by its id (u1), a role of it (u1:general), an option of"
        " it (u1/shield, u1/horse/barding)",
    )


class FillQuery(serializers.Serializer[Data]):
    """How a list is to be filled."""

    seed = serializers.IntegerField(
        default=0, min_value=0, max_value=2**31 - 1, help_text="Another one, another proposal"
    )
    wish = serializers.ListField(
        child=serializers.CharField(max_length=80),
        default=list,
        max_length=MOST_WISHES,
        help_text="What you would like: `bodies` (more models), `few`, `no-copies`, `owned`, or"
        " the id of a wish of the game",
    )


class AnswerQuery(serializers.Serializer[Data]):
    """What is asked."""

    ask = serializers.CharField(
        default=Sought.MODELS.value,
        max_length=80,
        help_text="`models` (the most), `cheapest` (the fewest points of a legal list), or the id"
        " of a wish of the game (the most points of it)",
    )


class RepairSerializer(serializers.Serializer[Data]):
    """A way to make a list legal: what changes, in sentences and one by one, and the list that
    comes of it. `points` more or less are spent. `proved`: no other way, among those left when it
    was looked for, changes less; else there may be a smaller one.
    """

    changes = Texts(help_text="In sentences")
    points = serializers.IntegerField(help_text="More, or less where below 0")
    spent = serializers.IntegerField()
    proved = serializers.BooleanField()
    difference = DifferenceSerializer()
    document = DocumentField()


class RepairsSerializer(serializers.Serializer[Data]):
    """The best ways to make a list legal, the smallest change first; none where it is legal.
    `impossible`: it is proved that there is none, within what may change.
    """

    legal = serializers.BooleanField(help_text="Whether the list is legal already")
    repairs = RepairSerializer(many=True)
    impossible = serializers.BooleanField()


class FilledSerializer(serializers.Serializer[Data]):
    """A list filled up: nothing of it goes. `found` is false, and the document null, where it
    cannot become legal by adding, or nothing was found in time. `proved`: no fewer points can be
    `left`, as far as was looked.
    """

    found = serializers.BooleanField()
    left = serializers.IntegerField(allow_null=True)
    proved = serializers.BooleanField()
    difference = DifferenceSerializer(allow_null=True)
    document = DocumentField(allow_null=True)


class AnswerSerializer(serializers.Serializer[Data]):
    """How much of something a list can have that keeps all of this one, and one that has it. Where
    `found` is false, nothing was found in time or, where it is `impossible`, there is no such list.
    `proved`: no list has more, of units as they start with few copies of each.
    """

    name = serializers.CharField(help_text="What was asked")
    found = serializers.BooleanField()
    value = serializers.IntegerField(allow_null=True, help_text="In models or in points")
    proved = serializers.BooleanField()
    impossible = serializers.BooleanField()
    difference = DifferenceSerializer(allow_null=True)
    document = DocumentField(allow_null=True)


class FateSerializer(serializers.Serializer[Data]):
    """What becomes of a list with one more of a unit."""

    unit = serializers.CharField(help_text="As documents name it: book/id")
    name = serializers.CharField()
    fate = serializers.ChoiceField(choices=FATES)


class OutlookSerializer(serializers.Serializer[Data]):
    """What can become of a list by adding alone: `open`, it can become legal; `dead`, it is proved
    that it cannot; `unknown`, the time was up, or cards are to be filled in first.
    """

    whole = serializers.ChoiceField(choices=FATES)
    units = FateSerializer(many=True)


class CoreRuleSerializer(serializers.Serializer[Data]):
    """A rule. `rule` points into the system file."""

    rule = serializers.CharField()
    summary = serializers.CharField()
    citation = serializers.CharField(allow_blank=True)


class CoreSerializer(serializers.Serializer[Data]):
    """Units that cannot all stay under some rules, whatever is added. `found` is false where they
    can, or where that was not known in time. `proved`: without any one of all these they could.
    """

    found = serializers.BooleanField()
    rules = CoreRuleSerializer(many=True)
    units = Texts(help_text="Ids of units of the document")
    proved = serializers.BooleanField()


def repairs_data(judged: Judged, found: Repairs) -> Data:
    """Return the ways to make a list legal."""
    return {
        "legal": judged.report.legal,
        "repairs": [] if judged.report.legal else [_repair(judged, one) for one in found.found],
        "impossible": found.impossible,
    }


def _repair(judged: Judged, repair: Repair) -> Data:
    made = judge_by(repair.army_list, judged.catalogue)
    told = difference(judged, made)
    return {
        "changes": list(told.lines(MOST_LINES)),
        "points": made.report.spent - judged.report.spent,
        "spent": made.report.spent,
        "proved": repair.proved,
        "difference": difference_data(told),
        "document": repair.army_list.to_dict(),
    }


def filled_data(judged: Judged, found: Filled | None) -> Data:
    """Return a list as it was filled, or that it was not."""
    if found is None:
        nothing = {"left": None, "proved": False, "difference": None, "document": None}
        return {"found": False, **nothing}
    told = difference(judged, judge_by(found.army_list, judged.catalogue))
    return {
        "found": True,
        "left": found.left,
        "proved": found.proved,
        "difference": difference_data(told),
        "document": found.army_list.to_dict(),
    }


def answer_data(judged: Judged, name: str, reply: Reply) -> Data:
    """Return the answer to a question, and what was asked by its `name`."""
    told: Data = {"name": name, "found": reply.army_list is not None, "value": None}
    told |= {"proved": reply.proved, "impossible": reply.impossible}
    if reply.army_list is None:
        return {**told, "difference": None, "document": None}
    changes = difference(judged, judge_by(reply.army_list, judged.catalogue))
    return {
        **told,
        "value": reply.value,
        "difference": difference_data(changes),
        "document": reply.army_list.to_dict(),
    }


def outlook_data(catalogue: Catalogue, outlook: Outlook) -> Data:
    """Return what can become of a list, and of it with each unit."""
    units = [
        {"unit": ref, "name": catalogue.units[ref].name, "fate": fate.value}
        for ref, fate in outlook.units.items()
    ]
    return {"whole": outlook.whole.value, "units": units}


def core_data(core: Core | None) -> Data:
    """Return what cannot stand together; nothing where all can."""
    if core is None:
        return {"found": False, "rules": [], "units": [], "proved": False}
    rules = [
        {"rule": head.pointer, "summary": str(head.summary), "citation": str(head.citation)}
        for head in core.rules
    ]
    return {"found": True, "rules": rules, "units": list(core.units), "proved": core.minimal}
