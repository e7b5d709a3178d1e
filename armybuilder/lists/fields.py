"""The column that keeps an army list: JSON in the database, a value in Python.

A row is read without its document: that is parsed when somebody asks for it, and a query of many
rows costs nothing for those of which nobody does. What is asked for by `values_list` is not a row:
there a whole document comes as `Unread`, and parts of it (`document__name`) as they are.
"""

import json
from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform
from django.db.models.query_utils import DeferredAttribute

from armybuilder.loading.armylist import ArmyList

#: What a row whose document is kept elsewhere has in its place: the `null` of JSON, so that the
#: column of a large table need not change.
ELSEWHERE = models.Value(None, models.JSONField())


class Unread:
    """Document as the database gave it out."""

    __slots__ = ("_field", "_text")

    def __init__(self, text: Any, field: "ArmyListField") -> None:
        self._text = text
        self._field = field

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unread) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    def read(self) -> ArmyList | None:
        """Parse it; return None if it is kept elsewhere."""
        data = json.loads(self._text, cls=self._field.decoder)
        return ArmyList.from_dict(data) if isinstance(data, dict) else data


class _ReadWhenAsked(DeferredAttribute):
    """Parses a row's document on first use, or takes it from `document_elsewhere()`."""

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        value = super().__get__(instance, cls)
        if instance is None:
            return value
        if isinstance(value, Unread):
            value = instance.__dict__[self.field.attname] = value.read()
        if value is None and hasattr(instance, "document_elsewhere"):
            return instance.document_elsewhere()
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = value


class ArmyListField(models.JSONField[Any, ArmyList]):
    """Document of a list. Queries look into it as into any JSON (`document__name`)."""

    descriptor_class = _ReadWhenAsked

    def deconstruct(self) -> Any:
        """Return what migrations see: to the database it is a JSON column like any other."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Keep the list to be read later; of a query for a part of it, that part as JSON has it."""
        if isinstance(expression, KeyTransform) or value is None:
            return super().from_db_value(value, expression, connection)
        return Unread(value, self)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return what a row of the database gets: nothing new if it is kept elsewhere."""
        value = super().pre_save(model_instance, add)
        return ELSEWHERE if model_instance.__dict__.get(self.attname) is None else value

    def get_prep_value(self, value: Any) -> Any:
        """Return what the database keeps."""
        return super().get_prep_value(_data(value))

    def to_python(self, value: Any) -> Any:
        """Read the list as `loaddata` hands it in."""
        return ArmyList.from_dict(value) if isinstance(value, dict) else value

    def value_to_string(self, obj: models.Model) -> Any:
        """Return what `dumpdata` writes down."""
        return _data(self.value_from_object(obj))


def list_of(text: bytes) -> ArmyList:
    """Read a list from the JSON that is kept elsewhere than in its column."""
    return ArmyList.from_dict(json.loads(text))


def _data(value: Any) -> Any:
    if isinstance(value, Unread):
        value = value.read()
    return value.to_dict() if isinstance(value, ArmyList) else value
