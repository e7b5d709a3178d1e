"""Hints about a book: names that state a restriction, which no verdict checks.

Whether one is to be a condition, its owner says; nothing is guessed.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

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


class Hint(NamedTuple):
    """A name that states a restriction: on which card, by id and name; "" for what cards share."""

    unit: str
    card: str
    text: str


def hints_of(book: Mapping[str, Any]) -> tuple[list[Hint], int]:
    """Return the first names of a whole book that state a restriction, and how many there are."""
    restrictions = list(named_restrictions(book))
    names = {unit["id"]: unit["name"] for unit in book["units"]}
    first = restrictions[:MOST_HINTS]
    return [_hint(each, names.get(each.unit, "")) for each in first], len(restrictions)


def card_hints(book: Mapping[str, Any], unit: Entry) -> list[Hint]:
    """Return the names on one card, as it stands or is being typed."""
    restrictions = restrictions_on(book, {"id": "card", **unit})
    return [_hint(each, unit.get("name", "")) for each in restrictions]


def _hint(restriction: NamedRestriction, card: str) -> Hint:
    told = _("“{name}” states a restriction: {words}.")
    text = told.format(name=restriction.name, words=restriction.words)
    return Hint(restriction.unit, card, text)
