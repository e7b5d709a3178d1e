"""The form of a card as a page draws it: fields in sections, mistakes, and texts used before."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.authoring.cards import card_fields, fill_fields, hidden_fields
from armybuilder.authoring.fields import Input, Mistake, Sections, in_sections
from armybuilder.authoring.marks import find_unit
from armybuilder.engine.catalogue import System
from armybuilder.loading.abilities import read_ability
from armybuilder.loading.documents import Document
from armybuilder.loading.unit_fields import UNIT_FIELDS

_FORMS = {field.key: field.form for field in UNIT_FIELDS if field.form}
#: What the next new card starts with, beside all attributes (faction, alignment, type).
KEPT = {key for key, form in _FORMS.items() if form.kept}
#: Fields in which the texts of other cards of the book are offered again.
OFFERED = {key for key, form in _FORMS.items() if form.offered}
#: Most texts offered again in one field.
MOST_OFFERED = 50
#: Fields whose last word is completed, and what to call what they hold.
COMPLETED = {key: form.completed for key, form in _FORMS.items() if form.completed}

#: What the text of an ability goes on with, by the style of its rating.
RATINGS = {
    "none": "",
    "number": gettext_lazy("a number"),
    "plus": gettext_lazy("a bonus, such as +2"),
    "times": gettext_lazy("how often, such as ×2"),
    "inches": gettext_lazy("inches"),
    "dc": gettext_lazy("a DC"),
    "level": gettext_lazy("a level"),
    "roll": gettext_lazy("a roll, such as 4+"),
}


def form_of(
    values: Mapping[str, str],
    system: System,
    book: Document,
    mistakes: Sequence[Mistake] = (),
    unit: Mapping[str, Any] | None = None,
) -> Sections:
    """Return the form in sections; focus is on the first mistake. `unit` is the stored card."""
    fields = card_fields(system, book)
    wrong = {mistake.field: mistake.message for mistake in reversed(mistakes)}
    more = {field.name for field in hidden_fields(unit, system, book)} if unit else set()
    first = next((field.name for field in fields if field.name in wrong), fields[0].name)
    return in_sections(
        Input(
            field,
            values.get(field.name, ""),
            wrong.get(field.name, ""),
            tuple(_used(field.name, book["units"])) if field.name in OFFERED else (),
            str(COMPLETED.get(field.name, "")),
            field.name in more,
            field.name == first,
        )
        for field in fields
    )


def _used(key: str, units: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the texts that the book's units have there, each once."""
    used = dict.fromkeys(str(unit[key]) for unit in units if unit.get(key))
    return list(used)[:MOST_OFFERED]


def values_of(fields: Mapping[str, str], system: System, book: Document) -> dict[str, str]:
    """What of posted fields belongs to a card; a field that a browser leaves out is empty."""
    return {field.name: fields.get(field.name, "") for field in card_fields(system, book)}


def start_of(system: System, book: Document, after: str) -> dict[str, str]:
    """Return what a new card starts with after another: its attributes, group and set."""
    unit = find_unit(book, after)
    if unit is None:
        return {}
    filled = fill_fields(unit, system, book)
    return {
        name: value for name, value in filled.items() if name in KEPT or name.startswith("attr-")
    }


@dataclass(frozen=True, slots=True)
class SavedCard:
    """A card just saved: `fresh` are abilities that only it has; `twin`: another has its name."""

    id: str
    name: str
    fresh: tuple[str, ...]
    twin: bool


def saved_card(book: Document, unit_id: str) -> SavedCard | None:
    """What is told of a saved card; None where the book has none of that id."""
    unit = find_unit(book, unit_id)
    if unit is None:
        return None
    others = [other for other in book["units"] if other is not unit]
    elsewhere = {use for other in others for use in _used_abilities(other)}
    mine = _used_abilities(unit) - elsewhere
    fresh = tuple(one["name"] for one in book.get("abilities", ()) if one["id"] in mine)
    twin = any(other["name"].casefold() == unit["name"].casefold() for other in others)
    return SavedCard(unit_id, unit["name"], fresh, twin)


def _used_abilities(unit: Mapping[str, Any]) -> set[str]:
    return {read_ability(use)["ability"] for use in unit.get("abilities", ())}


def differences(
    mine: Mapping[str, str], now: Mapping[str, str], system: System, book: Document
) -> list[tuple[str, str, str]]:
    """Where two fillings of the form differ: (label, mine, now)."""
    return [
        (field.label, mine.get(field.name, ""), now.get(field.name, ""))
        for field in card_fields(system, book)
        if mine.get(field.name, "").strip() != now.get(field.name, "").strip()
    ]


@dataclass(frozen=True, slots=True)
class FormWord:
    """A word that a field can hold: `goes_on` says what follows its name, or is empty."""

    name: str
    goes_on: str
    summary: str


def words_for(field: str, system: System, book: Document) -> list[FormWord]:
    """Return all words known for a field: the game's and the book's own."""
    if field == "abilities":
        known = [
            FormWord(ability.name, str(RATINGS[ability.rating]), ability.summary)
            for ability in system.abilities.values()
        ]
        return [*known, *map(_own_word, book.get("abilities", ()))]
    if field == "spells":
        told = system.spell_summaries
        return [FormWord(name, "", told.get(key, "")) for key, name in system.spells.items()]
    if field == "keywords":
        names = [
            keyword if isinstance(keyword, str) else keyword["name"]
            for unit in book["units"]
            for keyword in unit.get("keywords", ())
        ]
        return [FormWord(name, "", "") for name in dict.fromkeys(names)]
    return []


def _own_word(ability: Mapping[str, Any]) -> FormWord:
    told = ability.get("summary", "") or _("An ability of this book.")
    return FormWord(ability["name"], str(RATINGS[ability.get("rating", "none")]), told)


def matching(words: Iterable[FormWord], typed: str, most: int = 8) -> list[FormWord]:
    """Return the words that start with what was typed, then those that hold it."""
    wanted = typed.strip().casefold()
    if not wanted:
        return []
    words = [word for word in words if wanted in word.name.casefold()]
    words.sort(key=lambda word: (not word.name.casefold().startswith(wanted), word.name))
    return words[:most]
