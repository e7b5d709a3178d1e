"""Hints about a book: names that state a restriction, which no verdict checks.

Whether one is to be a condition, its owner says; nothing is guessed.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.authoring.fields import Entry
from armybuilder.loading.restrictions import (
    NamedRestriction,
    named_restrictions,
    restrictions_on,
)

#: So many hints of a book are told with their names.
MOST_HINTS = 20

#: Conditions as they stand on an option in a card's text, and what they say.
CONDITIONS = (
    ('"needs": {"taken": "horse"}', gettext_lazy("only where the option “horse” is taken")),
    ('"not_with": ["dragon"]', gettext_lazy("not together with the option “dragon”")),
    (
        '"needs": {"any": [{"taken": "horse"}, {"taken": "wolf"}]}',
        gettext_lazy("only where one of them is taken"),
    ),
    (
        '"needs": {"models": {"at_least": 10}}',
        gettext_lazy("only in units of at least 10 models"),
    ),
    (
        '"needs": {"taken": "king", "in": "army"}',
        gettext_lazy("only where the army has “king”, as a unit or an option"),
    ),
    ('"one_of_a_kind": true', gettext_lazy("once in the army")),
)


@dataclass(frozen=True, slots=True)
class Hint:
    """A name that states a restriction: on which card, by id and name; "" for what cards share."""

    unit: str
    card: str
    text: str


@dataclass(frozen=True, slots=True)
class Hints:
    """The hints of a book: the first of them, and how many there are."""

    told: tuple[Hint, ...]
    number: int


def hints_of(book: Mapping[str, Any]) -> Hints:
    """Return the names of a whole book that state a restriction."""
    found = list(named_restrictions(book))
    names = {unit["id"]: unit["name"] for unit in book["units"]}
    told = (_hint(one, names.get(one.unit, "")) for one in found[:MOST_HINTS])
    return Hints(tuple(told), len(found))


def card_hints(book: Mapping[str, Any], unit: Entry) -> tuple[Hint, ...]:
    """Return the names on one card, as it stands or is being typed."""
    named = {"id": "card", **unit}
    return tuple(_hint(one, unit.get("name", "")) for one in restrictions_on(book, named))


def _hint(found: NamedRestriction, card: str) -> Hint:
    text = _("“{name}” states a restriction: {words}.")
    return Hint(found.unit, card, text.format(name=found.name, words=found.words))
