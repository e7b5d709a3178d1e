"""Building blocks of the API's serializers: answers that read their fields off an object."""

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar

from django.utils.functional import cached_property
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

#: A reference to the schema of list documents, which `describing` adds to the description.
DOCUMENT_SCHEMA = {"$ref": "#/components/schemas/ArmyList"}
#: The same, or one of lists of a community's files.
ANY_DOCUMENT_SCHEMA = {"oneOf": [DOCUMENT_SCHEMA, {"$ref": "#/components/schemas/ForceList"}]}

#: Description of a field about verdicts that rest on another book than the game's own.
RESERVATION = (
    "Basis of verdicts if we don't have the game's own rulebook, such as: checked by the rulebook "
    "of 2023; else empty"
)

Data = dict[str, Any]
Thing = TypeVar("Thing")


class Answer(serializers.Serializer[Thing]):
    """Serializer of an object's attributes.

    A method `make_<field>` makes the value of a field that the object lacks.
    """

    def to_representation(self, thing: Any) -> Data:
        shown: Data = {}
        for name, read, represent in self._readers:
            value = read(thing)
            shown[name] = None if value is None else represent(value)
        return shown

    @cached_property
    def _readers(self) -> list[tuple[str, Callable[[Any], Any], Callable[[Any], Any]]]:
        """Return for each field how to read its value off an object and how to show it."""
        return [
            (
                name,
                getattr(self, f"make_{name}", None) or _reader(field),
                _SHOWN.get(type(field), field.to_representation),
            )
            for name, field in self.fields.items()
        ]


#: How the commonest fields are shown, without a call of the framework for each.
_SHOWN: dict[type, Callable[[Any], Any]] = {
    serializers.CharField: str,
    serializers.IntegerField: int,
    serializers.BooleanField: bool,
}


def _reader(field: serializers.Field[Any, Any, Any, Any]) -> Callable[[Any], Any]:
    """Return a faster reader of a field from objects; dictionaries are read by the framework."""
    attribute = attrgetter(str(field.source))

    def read(thing: Any) -> Any:
        try:
            value = field.get_attribute(thing) if isinstance(thing, dict) else attribute(thing)
            return value() if callable(value) else value
        except AttributeError:  # a dictionary on the way
            return field.get_attribute(thing)

    return read


@cache
def _serializer(kind: type[serializers.Serializer[Any]]) -> serializers.Serializer[Any]:
    """Return a serializer to use again: each new one copies all its fields."""
    return kind()


def answer_of(kind: type[serializers.Serializer[Any]], thing: Any, **context: Any) -> Data:
    """Return an answer about a thing."""
    serializer = kind(context=context) if context else _serializer(kind)
    shown: Data = serializer.to_representation(thing)
    return shown


def answers(
    kind: type[serializers.Serializer[Any]], things: Iterable[Any], **context: Any
) -> list[Data]:
    """Return an answer about each thing."""
    serializer = kind(context=context) if context else _serializer(kind)
    return [serializer.to_representation(thing) for thing in things]


@extend_schema_field(ANY_DOCUMENT_SCHEMA)
class AnyDocumentField(serializers.JSONField):
    """A list document, of an `ArmyList` or a `ForceList`."""

    def to_representation(self, value: Any) -> Any:
        return value.to_dict()


@extend_schema_field(DOCUMENT_SCHEMA)
class DocumentField(serializers.JSONField):
    """A list document, of an `ArmyList`."""

    def to_representation(self, value: Any) -> Any:
        return value.to_dict()


class MomentField(serializers.DateTimeField):
    """A time with its offset written as numbers."""

    def to_representation(self, value: Any) -> str:
        return str(value.isoformat())


class Texts(serializers.ListField):
    """A list of texts."""

    child = serializers.CharField()


class NumbersField(serializers.ListField):
    """A list of whole numbers."""

    child = serializers.IntegerField()


class TextField(serializers.CharField):
    """A text of a body; numbers are none."""

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class QueryField(serializers.CharField):
    """Query parameter that may be missing or empty.

    It can't hold NUL, which no database accepts.
    """

    def __init__(self, **named: Any) -> None:
        super().__init__(required=False, allow_blank=True, **named)
