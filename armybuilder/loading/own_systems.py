"""Game systems of players: the id is a hash of the content, so that a list names exactly that.

Earlier releases made such systems of BattleScribe files; they are still read, but no longer made.
They never change, and belong to the players who keep them.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.wording import Later, marked, say
from armybuilder.loading.books import revision_of
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.problems import Refusal
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system

_PREFIX: Final = "own-game-"
_ID: Final = re.compile(rf"{_PREFIX}([0-9a-f]{{32}})", re.ASCII)
#: What verdicts of a game rest on that was made of files alone; a shipped system says the same.
NO_RULEBOOK: Final = "no rulebook available"
#: What no shipped system says, and they do: translations have it by this.
SENTENCES: Final = marked(
    (
        "No General yet: make a unit your General.",
        "The army uses {measured} books ({names}); only one is allowed.",
    )
)
#: Bytes of one, as JSON.
MAX_BYTES: Final = 512 * 1024
#: What such a system is made of; one that says more is not taken.
_KEYS: Final = {
    "format", "id", "name", "about", "reservation", "sources", "points", "words", "sized", "stats",
    "attributes", "abilities", "roles", "settings", "rules", "sentences", "facts",
}  # fmt: skip
#: Keys that it doesn't have, and the maximum of the others.
_EMPTY: Final = ("attributes", "abilities", "settings", "facts")
_MOST: Final = {"stats": 200, "roles": 50, "rules": 100, "sources": 10, "sentences": 300}

Data = Mapping[str, Any]


def is_own_system(system_id: str) -> bool:
    """Return whether an id is written as that of a player's game."""
    return _ID.fullmatch(system_id) is not None


def revision_in(system_id: str) -> str:
    """Return the revision under which the content of a player's game is kept; "" for other ids."""
    found = _ID.fullmatch(system_id)
    return found[1][:16] if found else ""


def as_own_system(data: Data) -> dict[str, Any]:
    """Return the content of a system with the id that its content makes."""
    digest = hashlib.sha256(canonical_json({**data, "id": ""})).hexdigest()
    return {**data, "id": f"{_PREFIX}{digest[:32]}"}


def own_system(data: Data) -> System:
    """Return the system made of content from anyone.

    Raises Refusal if the content is too large, has keys that such systems don't have, or doesn't
    match its id.
    """
    if len(json.dumps(data)) > MAX_BYTES:
        raise Refusal(say("The game has more than {most} KB.", most=MAX_BYTES // 1024))
    strange = [key for key in data if key not in _KEYS] + [key for key in _EMPTY if data.get(key)]
    if strange:
        what = str(strange[0])[:40]
        raise Refusal(say("A custom game can’t have “{what}”.", what=what))
    for key, most in _MOST.items():
        value = data.get(key, ())
        if isinstance(value, list | dict) and len(value) > most:
            raise Refusal(say("The game has more than {most} of “{what}”.", most=most, what=key))
    if as_own_system(data)["id"] != data["id"]:
        raise Refusal(say("The content of the game does not match its id."))
    problems = schema_problems("system", data, "system", 1)
    system = None
    if not problems:
        system, problems = build_system(data, "system")
    if system is None:
        raise Refusal(problems[0].message, problems)
    reservation = system.reservation or Later(NO_RULEBOOK)
    return replace(system, revision=revision_of(data), reservation=reservation)


class ShippedBooks(dict[str, Mapping[str, Book]]):
    """Shipped books by their system; players' games have none."""

    def __missing__(self, system_id: str) -> Mapping[str, Book]:
        return {}
