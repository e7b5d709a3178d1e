"""The shipped creatures as a book: read from `creatures.json`, converted, priced, written.

The book's own texts are in `book.json`.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from armybuilder.converting.dnd import convert
from armybuilder.converting.fields import read_choices, read_scores
from armybuilder.converting.price import HUMAN_GLAIVER, suggest
from armybuilder.converting.scores import Conversion

CREATURES: Final = Path(__file__).with_name("creatures.json")
SYSTEM: Final = "chainmail-2002"
BOOK_ID: Final = "converted"
#: The book's description, and its factions by id.
_BOOK: Final = json.loads(CREATURES.with_name("book.json").read_text(encoding="utf-8"))
FACTIONS: Final = _BOOK["factions"]
_FAR: Final = "It is far from the model it is measured by: trust its points less."


def creatures() -> list[dict[str, Any]]:
    """Return the entries of `creatures.json`: id, faction, scores as form fields, sources."""
    entries: list[dict[str, Any]] = json.loads(CREATURES.read_text(encoding="utf-8"))
    return entries


def converted(creature: Mapping[str, Any]) -> Conversion:
    """Return the card of an entry. Raises `BadScores` where its numbers cannot be read."""
    choices = {**creature.get("choices", {}), "faction": creature["faction"]}
    return convert(read_scores(creature["scores"]), read_choices(choices))


def make_book() -> dict[str, Any]:
    return {**_BOOK["head"], "units": [_unit(creature) for creature in creatures()]}


def book_text(book: Mapping[str, Any]) -> str:
    """Return the book as JSON for people: every key of the book and of a unit on its own line."""
    head = [f"  {_flat(key)}: {_flat(book[key])}" for key in book if key != "units"]
    lines = (
        ",\n".join(f"      {_flat(key)}: {_flat(value)}" for key, value in unit.items())
        for unit in book["units"]
    )
    units = ",\n".join("    {\n" + unit + "\n    }" for unit in lines)
    return "{\n" + ",\n".join([*head, f'  "units": [\n{units}\n  ]']) + "\n}\n"


def _unit(creature: Mapping[str, Any]) -> dict[str, Any]:
    card = converted(creature).unit
    price = suggest(card, HUMAN_GLAIVER)
    unit = {
        "id": creature["id"],
        "name": card["name"],
        "group": FACTIONS[creature["faction"]],
    }
    unit |= {"points": price.points, "suggested": True}
    unit |= {key: value for key, value in card.items() if key not in unit}
    notes = [creature.get("note", ""), _FAR if price.is_far else ""]
    if any(notes):
        unit["note"] = " ".join(note for note in notes if note)
    unit["sources"] = [f"SRD 3.5, Monsters: {creature['entry']}", *creature["pages"]]
    unit["confidence"] = creature["confidence"]
    return unit


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
