"""Abilities as books write them: the short form, and abilities that a book brings itself."""

import re
from collections.abc import Mapping
from typing import Any

from armybuilder.engine.abilities import Ability, AbilityUse
from armybuilder.engine.citations import Citation
from armybuilder.loading.systems import read_definition

_ABILITY = re.compile(r"^(?P<id>[a-z0-9-]+)(?: (?P<rating>-?\d+|\?))?(?:: (?P<target>.+))?$")


def read_ability(entry: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the long form: "commander ?" is {"ability": "commander", "rating": None}."""
    if not isinstance(entry, str):
        return dict(entry)
    match = _ABILITY.match(entry)
    if match is None:
        raise ValueError(f"not an ability: {entry!r}")
    use: dict[str, Any] = {"ability": match["id"]}
    if match["rating"] is not None:
        use["rating"] = None if match["rating"] == "?" else int(match["rating"])
    if match["target"] is not None:
        use["target"] = match["target"]
    return use


def read_use(entry: str | Mapping[str, Any], known: Mapping[str, Ability]) -> AbilityUse:
    """Return the ability as a unit has it; `known` holds those of the system and of the book."""
    use = read_ability(entry)
    rating = use.get("rating")
    return AbilityUse(
        ability=known[use["ability"]],
        rating=rating,
        target=use.get("target", ""),
        uses=use.get("uses", 0),
        known="rating" not in use or rating is not None,
    )


def own_abilities(book: Mapping[str, Any]) -> dict[str, Ability]:
    """Return the abilities that a book brings, by id."""
    citation = Citation(book["name"], "")
    return {
        entry["id"]: read_definition({"group": "Own", "summary": "", **entry}, citation)
        for entry in book.get("abilities", ())
    }
