"""The form that works out a Chainmail card from D&D scores, and the card and price it makes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from armybuilder.authoring.fields import Input, Sections, in_sections
from armybuilder.converting.dnd import convert
from armybuilder.converting.fields import CHOICE_FIELDS, FIELDS, read_choices, read_scores
from armybuilder.converting.price import (
    HUMAN_GLAIVER,
    NotComparable,
    Suggestion,
    default_model,
    suggest,
)
from armybuilder.converting.scores import BadScores, Conversion
from armybuilder.engine.catalogue import System
from armybuilder.loading.library import Library

#: The game that D&D creatures are converted to, whatever its edition.
FAMILY = "Chainmail"

ALL_FIELDS = (*FIELDS, *CHOICE_FIELDS)
#: Fields that stand empty at first although they are choices: nobody can guess them.
NOT_GUESSED = ("type", "alignment")
#: Usual values of other choices, where that is not the first.
USUAL = {"size": "medium", "faction": "none"}

Models = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Worked:
    """What the form makes: the card, its price or why there is none, and mistakes by field."""

    conversion: Conversion | None
    suggestion: Suggestion | None
    why_not: str
    errors: Mapping[str, str]

    @property
    def unit(self) -> dict[str, Any] | None:
        """The card as a unit of a book, with the suggested price; None where there is none."""
        if self.conversion is None:
            return None
        if self.suggestion is None:
            return {**self.conversion.unit, "points": None}
        return {**self.conversion.unit, "points": self.suggestion.points, "suggested": True}


def start_values() -> dict[str, str]:
    """Return what the fields hold before anybody typed."""
    return {
        field.name: USUAL.get(field.name, field.choices[0][0] if field.choices else "")
        for field in ALL_FIELDS
        if field.name not in NOT_GUESSED
    }


def work_out(values: Mapping[str, str], models: Models, measure: str) -> Worked:
    """The card of the fields, priced against a model (an id of `models`; "" for the nearest)."""
    errors: dict[str, str] = {}
    scores = choices = None
    try:
        scores = read_scores(values)
    except BadScores as bad:
        errors |= bad.errors
    try:
        choices = read_choices(values)
    except BadScores as bad:
        errors |= bad.errors
    if scores is None or choices is None:
        return Worked(None, None, "", errors)
    conversion = convert(scores, choices)
    try:
        known = models.get(measure) or default_model(conversion.unit, models.values())
        return Worked(conversion, suggest(conversion.unit, known), "", {})
    except NotComparable as why:
        return Worked(conversion, None, str(why), {})


def sections_of(
    values: Mapping[str, str], errors: Mapping[str, str], factions: tuple[tuple[str, str], ...]
) -> Sections:
    """The form in sections; the keyboard starts in the first field with a mistake, or the name."""
    first = next((field.name for field in ALL_FIELDS if field.name in errors), "name")
    inputs = []
    for field in ALL_FIELDS:
        shown = (
            replace(field, kind="choice", choices=factions) if field.name == "faction" else field
        )
        value, mistake = values.get(field.name, ""), errors.get(field.name, "")
        inputs.append(Input(shown, value, mistake, first=field.name == first))
    return in_sections(inputs)


def editions(library: Library) -> list[System]:
    """Return the editions of Chainmail that are here."""
    return [system for system in library.systems.values() if system.family == FAMILY]


def factions_of(systems: Iterable[System]) -> tuple[tuple[str, str], ...]:
    """Return the factions of all editions, each once."""
    found: dict[str, str] = {}
    for system in systems:
        if "faction" in system.attributes:
            found |= system.attributes["faction"].values
    return tuple(found.items())


def known_models(
    library: Library, own: Iterable[Mapping[str, Any]]
) -> dict[str, Mapping[str, Any]]:
    """Return models to measure by, by id: the public one, shipped ones that nobody made up, and own
    ones, where points and numbers are known.
    """
    models = {"": HUMAN_GLAIVER}
    for system in editions(library):
        for book in library.books[system.id].values():
            if book.system == system.id and book.kind not in ("invented", "converted", "house"):
                units = (library.shipped_data(system.id, book.id) or {}).get("units", ())
                models |= {f"{book.id}/{unit['id']}": unit for unit in units}
    models |= {f"own/{unit['id']}": unit for unit in own}
    return {key: unit for key, unit in models.items() if key and _measures(unit)}


def _measures(unit: Mapping[str, Any]) -> bool:
    if not unit.get("points") or unit.get("suggested"):
        return False
    try:
        suggest(unit, unit)
    except (NotComparable, ZeroDivisionError):
        return False
    return True
