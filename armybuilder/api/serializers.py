"""What the API answers, field by field, for drf-spectacular to describe."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


class BookSerializer(serializers.Serializer):
    """A book without its units. `revision` is the hash of its content."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    kind = serializers.ChoiceField(
        choices=["official", "collected", "imported", "invented", "house"]
    )
    source = serializers.CharField()
    revision = serializers.CharField()


class SystemSerializer(serializers.Serializer):
    """A game system with its books."""

    id = serializers.CharField()
    name = serializers.CharField()
    about = serializers.CharField()
    books = BookSerializer(many=True)


class UnitSerializer(serializers.Serializer):
    """A unit of a book. `points` is null where the book does not know them."""

    ref = serializers.CharField(help_text="As documents name it: book/id")
    name = serializers.CharField()
    group = serializers.CharField()
    points = serializers.IntegerField(source="price.start", allow_null=True)
    attributes = serializers.DictField(child=serializers.ListField(child=serializers.CharField()))
    stats = serializers.DictField()
    abilities = serializers.SerializerMethodField()
    sources = serializers.ListField(child=serializers.CharField())

    def get_abilities(self, unit: object) -> list[str]:
        return [use.label for use in unit.abilities]  # type: ignore[attr-defined]


class BookWithUnitsSerializer(BookSerializer):
    """A book with all its units."""

    units = serializers.SerializerMethodField()

    @extend_schema_field(UnitSerializer(many=True))
    def get_units(self, book: object) -> list[dict[str, object]]:
        return UnitSerializer(book.units.values(), many=True).data  # type: ignore[attr-defined]


class FindingSerializer(serializers.Serializer):
    """One thing a rule says about the list. `rule` points into the system file."""

    code = serializers.CharField()
    severity = serializers.ChoiceField(choices=["error", "warning", "note"])
    sentence = serializers.CharField()
    units = serializers.ListField(child=serializers.CharField())
    rule = serializers.CharField()
    citation = serializers.CharField()
    reading = serializers.CharField()
    measured = serializers.IntegerField(allow_null=True)
    allowed = serializers.IntegerField(allow_null=True)
    lineup = serializers.CharField()


class ReportSerializer(serializers.Serializer):
    """The verdict on a list: legal when no finding is an error. Points in points."""

    legal = serializers.BooleanField()
    spent = serializers.IntegerField()
    limit = serializers.IntegerField()
    models = serializers.IntegerField()
    faction = serializers.CharField(allow_null=True)
    findings = FindingSerializer(many=True)
    gauges = serializers.ListField(child=serializers.DictField())
    facts = serializers.ListField(child=serializers.DictField())


class ProblemSerializer(serializers.Serializer):
    """What went wrong (RFC 9457); `problems` are single places of the document."""

    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    problems = serializers.ListField(child=serializers.DictField(), required=False)
