"""What the API answers, field by field, for its description; and how units and books are told.

Verdicts, lists and differences are plain data: serializers would take longer than the verdict.
"""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from armybuilder.api.fields import AskedField, TextField
from armybuilder.engine.catalogue import Book
from armybuilder.engine.unchecked import REASONS
from armybuilder.engine.units import Unit
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.loading.unit_fields import UNIT_FIELDS, Place
from armybuilder.sharing.services import MAX_NAME

#: Documents and texts in one batch.
MOST_DOCUMENTS = 200
#: A reference to the schema of list documents, which `describing` adds to the description.
DOCUMENT_SCHEMA = {"$ref": "#/components/schemas/ArmyList"}


#: What most things that are told here are when they come to their serializer.
Data = dict[str, Any]


@extend_schema_field(DOCUMENT_SCHEMA)
class DocumentField(serializers.JSONField):
    """A list document."""


class Texts(serializers.ListField):
    child = serializers.CharField()


class BookSerializer(serializers.Serializer[Book]):
    """A book without its units. `revision` is the hash of its content."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField(allow_blank=True)
    kind = serializers.ChoiceField(
        choices=["official", "collected", "imported", "converted", "invented", "house"]
    )
    source = serializers.CharField(allow_blank=True)  # type: ignore[assignment]  # told, not set
    revision = serializers.CharField()


class SystemSerializer(serializers.Serializer[Data]):
    """A game system with its books."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    books = BookSerializer(many=True)


class ProfileSerializer(serializers.Serializer[Data]):
    """A stat line of a unit, or of a part of it, as its book prints it."""

    name = serializers.CharField(allow_blank=True)
    stats = serializers.DictField(child=serializers.CharField())
    rules = Texts()


#: How the API tells a field of a unit, by what the form of a card asks for.
_KINDS = {
    "text": serializers.CharField,
    "lines": serializers.CharField,
    "number": serializers.IntegerField,
    "flag": serializers.BooleanField,
}
#: The fields of units that the API tells beside those that every unit has, where a unit says
#: something in them.
_MORE = {
    field.name: (_KINDS[field.form.kind], field.told)
    for field in UNIT_FIELDS
    if field.form and field.told and Place.API in field.told.at
}


class UnitSerializer(serializers.Serializer[Unit]):
    """A unit of a book. `points` is null where the book does not know them."""

    ref = serializers.CharField(help_text="As documents name it: book/id")
    name = serializers.CharField()
    group = serializers.CharField(allow_blank=True)
    categories = Texts()
    points = serializers.IntegerField(
        source="price.start", allow_null=True, help_text="Of the least there is of it"
    )
    attributes = serializers.DictField(child=Texts())
    stats = serializers.DictField(help_text="By the id of the statistic: a number or a text")
    profiles = ProfileSerializer(many=True)
    abilities = serializers.SerializerMethodField()
    sources = Texts()

    def get_fields(self) -> dict[str, Any]:
        more = {
            name: kind(required=False, help_text=told.label.text)
            for name, (kind, told) in _MORE.items()
        }
        return {**super().get_fields(), **more}

    def to_representation(self, unit: Any) -> dict[str, Any]:
        said = super().to_representation(unit)
        silent = {name for name, (_, told) in _MORE.items() if not told.words(unit)}
        return {name: value for name, value in said.items() if name not in silent}

    def get_abilities(self, unit: Any) -> list[str]:
        return [*(use.label for use in unit.abilities), *(word.name for word in unit.keywords)]


class BookWithUnitsSerializer(BookSerializer):
    """A book with all its units."""

    units = serializers.SerializerMethodField()

    @extend_schema_field(UnitSerializer(many=True))
    def get_units(self, book: Book) -> list[Data]:
        return [UnitSerializer(unit).data for unit in book.units.values()]


class FindingSerializer(serializers.Serializer[Data]):
    """One thing a rule says about the list. `rule` points into the system file."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning", "note"])
    state = serializers.ChoiceField(
        choices=["missing", "broken"],
        help_text="missing: not there yet, adding or choosing settles it;"
        " broken: what stands there cannot stand",
    )
    origin = serializers.ChoiceField(
        choices=["game", "event"], help_text="Whose rule it is: the game's, or an event's"
    )
    sentence = serializers.CharField()
    units = Texts(help_text="Ids of units of the document")
    rule = serializers.CharField()
    citation = serializers.CharField(allow_blank=True)
    reading = serializers.CharField(allow_blank=True)
    measured = serializers.IntegerField(allow_null=True)
    allowed = serializers.IntegerField(allow_null=True)
    lineup = serializers.CharField(allow_blank=True)


class PartSerializer(serializers.Serializer[Data]):
    """What one unit adds to a gauge."""

    unit = serializers.CharField(allow_blank=True)
    name = serializers.CharField(allow_blank=True)
    amount = serializers.IntegerField()


class GaugeSerializer(serializers.Serializer[Data]):
    """A number that a rule bounds."""

    name = serializers.CharField()
    used = serializers.IntegerField()
    minimum = serializers.IntegerField(allow_null=True)
    maximum = serializers.IntegerField(allow_null=True)
    lineup = serializers.CharField(allow_blank=True)
    parts = PartSerializer(many=True)


class FactSerializer(serializers.Serializer[Data]):
    """Something to know on game day."""

    name = serializers.CharField()
    text = serializers.CharField()
    lineup = serializers.CharField(allow_blank=True)
    citation = serializers.CharField(allow_blank=True)


class UncheckedSerializer(serializers.Serializer[Data]):
    """A restriction that applies to the list and was not checked."""

    units = Texts(help_text="Ids of the units it is about")
    name = serializers.CharField(help_text="What the option or unit is called")
    restriction = serializers.CharField(help_text="What the book asks, in words")
    why = serializers.ChoiceField(choices=list(REASONS))
    sentence = serializers.CharField()
    reason = serializers.CharField()
    citation = serializers.CharField(allow_blank=True)


class ReportSerializer(serializers.Serializer[Data]):
    """The verdict on a list: legal when no finding is an error, complete when nothing was left
    unchecked. Only what is both is plainly legal. Points in points.
    """

    legal = serializers.BooleanField()
    complete = serializers.BooleanField()
    verdict = serializers.CharField(help_text="In words: Legal, 2 restrictions not checked")
    spent = serializers.IntegerField()
    limit = serializers.IntegerField()
    models = serializers.IntegerField()
    faction = serializers.CharField(allow_null=True)
    findings = FindingSerializer(many=True)
    unchecked = UncheckedSerializer(many=True)
    gauges = GaugeSerializer(many=True)
    facts = FactSerializer(many=True)


class ChoiceSerializer(serializers.Serializer[Data]):
    """Adding the least there is of a unit: what it costs and does to the findings."""

    unit = serializers.CharField(help_text="As documents name it: book/id")
    name = serializers.CharField()
    points = serializers.IntegerField()
    entry = serializers.DictField(help_text="What to put into the document, with an id of your own")
    breaks = FindingSerializer(many=True, help_text="New findings")
    worsens = FindingSerializer(many=True, help_text="Findings whose number gets worse")
    settles = FindingSerializer(many=True, help_text="Findings that go away")


class ChangeSerializer(serializers.Serializer[Data]):
    """One thing that differs; "" on a side that has none."""

    kind = serializers.CharField()
    name = serializers.CharField()
    before = serializers.CharField(allow_blank=True)
    after = serializers.CharField(allow_blank=True)


class UnitDifferenceSerializer(serializers.Serializer[Data]):
    """A unit that is new, gone or changed, with its points before and after."""

    kind = serializers.ChoiceField(choices=["new", "gone", "changed"])
    name = serializers.CharField()
    before = serializers.IntegerField(allow_null=True)
    after = serializers.IntegerField(allow_null=True)
    changes = ChangeSerializer(many=True)


class DifferenceSerializer(serializers.Serializer[Data]):
    """What differs between two lists. `numbers`: verdict, points, models, the same or not."""

    numbers = ChangeSerializer(many=True)
    about = ChangeSerializer(many=True)
    units = UnitDifferenceSerializer(many=True)


class DiffRequestSerializer(serializers.Serializer[Data]):
    """Two list documents."""

    before = DocumentField()
    after = DocumentField()


class BatchRequestSerializer(serializers.Serializer[Data]):
    """Up to 200 list documents and texts as players write them, together."""

    documents = serializers.ListField(
        child=DocumentField(), max_length=MOST_DOCUMENTS, required=False
    )
    texts = serializers.ListField(
        child=serializers.CharField(trim_whitespace=False, max_length=MAX_TEXT),
        max_length=MOST_DOCUMENTS,
        required=False,
        help_text="Each with a list in it, or with many; a list is judged where all its lines are"
        " clear, else `problem` tells those that are not: look at them by `read`",
    )
    system = serializers.CharField(
        required=False, help_text="The game of the texts; else what each of them says"
    )


class LineSerializer(serializers.Serializer[Data]):
    """The outcome of one list. `legal` is null where it cannot be judged; `problem` says why,
    and `problems` where.
    """

    source = serializers.CharField(  # type: ignore[assignment]  # told, not set
        help_text="A pointer into the body: `/documents/0`, `/texts/0`"
    )
    first = serializers.IntegerField(
        allow_null=True, help_text="The line of the text on which the list begins"
    )
    name = serializers.CharField(allow_blank=True)
    game = serializers.CharField(allow_blank=True)
    legal = serializers.BooleanField(allow_null=True)
    complete = serializers.BooleanField(allow_null=True)
    spent = serializers.IntegerField(allow_null=True)
    limit = serializers.IntegerField(allow_null=True)
    codes = Texts(help_text="Codes of its findings, each once")
    unchecked = Texts(help_text="Restrictions that were not checked, in sentences")
    seconds = serializers.FloatField()
    problem = serializers.CharField(allow_blank=True)
    problems = serializers.ListField(child=serializers.DictField())


class ListEntrySerializer(serializers.Serializer[Data]):
    """A list of yours, without its document. Points in points."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    system = serializers.CharField()
    limit = serializers.IntegerField()
    created = serializers.DateTimeField()
    updated = serializers.DateTimeField()
    archived = serializers.BooleanField()
    tags = Texts()
    hash = serializers.CharField(help_text="SHA-256 of the canonical document")


class ListSerializer(ListEntrySerializer):
    """A list of yours. The answer's ETag names this state of it."""

    document = DocumentField()


class FrozenSerializer(serializers.Serializer[Data]):
    """A frozen copy: the list as it stood, and what was found about it then."""

    id = serializers.CharField(help_text="Its name in addresses; its hash serves, too")
    hash = serializers.CharField(help_text="SHA-256 of the canonical document")
    salt = serializers.CharField(help_text="Random; empty for old copies", allow_blank=True)
    seal = serializers.CharField(
        help_text="SHA-256 of the salt and the canonical document, which open links show",
        allow_blank=True,
    )
    made = serializers.DateTimeField()
    engine = serializers.CharField(help_text="Version of the engine that judged it")
    revisions = serializers.DictField(child=serializers.CharField(), help_text="Of its books")
    report = serializers.DictField(
        help_text="The verdict then: legal, spent, limit, findings, unchecked …"
    )
    document = DocumentField()


class FrozenLinkSerializer(FrozenSerializer):
    """A frozen copy with a new link to it, for anyone to open."""

    link = serializers.URLField()


class FreezeRequestSerializer(serializers.Serializer[Data]):
    """What the link shows, and what you call it."""

    view = serializers.ChoiceField(choices=["full", "open"], default="full")
    name = TextField(required=False, allow_blank=True, max_length=MAX_NAME)


class UnitQuery(serializers.Serializer[Data]):
    """Which units."""

    q = AskedField(max_length=200, help_text="Words in names, rules, options, groups and notes")
    book = AskedField(max_length=80, help_text="Id of a book")
    group = AskedField(max_length=120, help_text="Group or category, by name or id")
    ability = AskedField(max_length=120, help_text="Ability or special rule, by name or id")
    points_from = serializers.IntegerField(required=False, min_value=0, max_value=99999)
    points_to = serializers.IntegerField(required=False, min_value=0, max_value=99999)


class ListQuery(serializers.Serializer[Data]):
    """Which of your lists."""

    system = AskedField(max_length=80, help_text="Id of a game system")
    archived = serializers.BooleanField(
        required=False,
        default=None,
        allow_null=True,
        help_text="Only archived ones, or only others",
    )


class ProblemPlaceSerializer(serializers.Serializer[Data]):
    """A single mistake: a JSON pointer into the body, or "?name" for a part of the address."""

    pointer = serializers.CharField(allow_blank=True)
    detail = serializers.CharField()
    advice = serializers.CharField(allow_blank=True)


class ProblemSerializer(serializers.Serializer[Data]):
    """What went wrong (RFC 9457); `problems` are single places of the document."""

    type = serializers.CharField()
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField(allow_blank=True)
    request_id = serializers.CharField(help_text="What the log of the server calls the request")
    problems = ProblemPlaceSerializer(many=True)
