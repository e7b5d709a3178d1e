"""The column that keeps an army list: JSON in the database, a value in Python."""

from typing import Any

from django.db import models
from django.db.models.fields.json import KeyTransform

from armybuilder.loading.armylist import ArmyList


class ArmyListField(models.JSONField[Any, ArmyList]):
    """A list's document. Queries look into it as into any JSON (`document__name`)."""

    def deconstruct(self) -> Any:
        """Return what migrations see: to the database it is a JSON column like any other."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Read the list; of a query for a part of it, that part as JSON has it."""
        data = super().from_db_value(value, expression, connection)
        whole = isinstance(data, dict) and not isinstance(expression, KeyTransform)
        return ArmyList.from_dict(data) if whole else data

    def get_prep_value(self, value: Any) -> Any:
        """Return what the database keeps."""
        return super().get_prep_value(_data(value))

    def to_python(self, value: Any) -> Any:
        """Read the list as `loaddata` hands it in."""
        return ArmyList.from_dict(value) if isinstance(value, dict) else value

    def value_to_string(self, obj: models.Model) -> Any:
        """Return what `dumpdata` writes down."""
        return _data(self.value_from_object(obj))


def _data(value: Any) -> Any:
    return value.to_dict() if isinstance(value, ArmyList) else value
