"""Fields of requests that take exactly what their description says."""

from typing import Any

from rest_framework import serializers


class TextField(serializers.CharField):
    """A text of a body; numbers are none."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text. Raises ValidationError for anything else."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class AskedField(serializers.CharField):
    """A part of an address that asks for something; empty or missing it asks for nothing. It holds
    no NUL, which no database takes.
    """

    def __init__(self, **named: Any) -> None:
        super().__init__(required=False, allow_blank=True, **named)
