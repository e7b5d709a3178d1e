"""Base of the tables: rows appear in logs and errors by table and key; soft deletion."""

from typing import Any, TypeVar

from django.db import models
from django.http import Http404

Thing = TypeVar("Thing")


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


def or_404(thing: Thing | None, sentence: str) -> Thing:
    """Return a thing. Raises Http404 with the sentence if there is none."""
    if thing is None:
        raise Http404(sentence)
    return thing
