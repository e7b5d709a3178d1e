"""Base of the tables: rows are told apart in logs and errors by table and key."""

from typing import Any

from django.db import models


class NamedTable(models.Model):
    """Table whose rows are called by its name and their keys."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.model_name} {self.pk}"

    def change(self, **fields: Any) -> None:
        """Set fields and save these alone."""
        for name, value in fields.items():
            setattr(self, name, value)
        self.save(update_fields=[*fields])
