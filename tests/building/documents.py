"""List documents that tests and measurements share: skirmishes, armies of any length."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from armybuilder.loading.armylist import ArmyList

#: Highborn Elves of The Ninth Age: 15 units with 103 options.
ARMY = Path(__file__).with_name("army.json")

_WARBAND = {
    "bannerlady-oresta": 1, "millbrook-spearhand": 5, "anvil-gate-warden": 2,
    "riverglass-bowmaiden": 3, "cavern-boltthrower": 2, "walking-kiln": 2,
}  # fmt: skip
SKIRMISH = {
    "sbh": {
        "books": ["profiles"], "limit": 500, "settings": {},
        "units": {"human-leader": 1, "human-warrior": 4, "human-archer": 3, "elf-archer": 2,
                  "dwarf-warrior": 3, "troll": 1, "giant-frog": 1},
    },
    "chainmail-2002": {
        "books": ["practice"], "limit": 140, "settings": {"terrain": ["hill", "hut", "woods"]},
        "units": _WARBAND,
    },
    "chainmail-2001-advanced": {
        "books": ["practice"], "limit": 140, "settings": {"terrain": ["hill", "woods"]},
        "units": _WARBAND,
    },
    "ddm-2008": {
        "books": ["practice"], "limit": 200,
        "settings": {"faction": "civilization", "map": "flooded-ruins"},
        "units": {"odile-ford-marshal": 1, "toll-gate-halberdier": 4, "lamp-street-crossbow": 4,
                  "brass-quarter-sapper": 3, "chapel-mender": 2, "vault-colossus": 1},
    },
}  # fmt: skip


def list_of(
    system: str,
    books: Sequence[str],
    units: Iterable[Mapping[str, Any]],
    *,
    limit: int,
    settings: Mapping[str, Any] | None = None,
    name: str = "Test list",
    **more: Any,
) -> dict[str, Any]:
    """A list document; units without ids have u1, u2, ..."""
    return {
        "format": "armylist/1",
        "system": system,
        "books": [{"id": book} for book in books],
        "name": name,
        "limit": limit,
        "settings": dict(settings or {}),
        "units": [{"id": f"u{number}", **unit} for number, unit in enumerate(units, 1)],
        **more,
    }


def skirmish(system: str) -> dict[str, Any]:
    """A list of 15 models."""
    told: dict[str, Any] = SKIRMISH[system]
    (book,) = told["books"]
    units = [{"unit": f"{book}/{unit}", "models": models} for unit, models in told["units"].items()]
    assert sum(unit["models"] for unit in units) == 15
    about = {"limit": told["limit"], "settings": told["settings"], "name": "Fifteen models"}
    return list_of(system, [book], units, **about)


def army(units: int = 15) -> dict[str, Any]:
    """A real army of The Ninth Age: 15 units with about 100 options, repeated for more."""
    document: dict[str, Any] = json.loads(ARMY.read_text(encoding="utf-8"))
    document["books"] = [{"id": book["id"]} for book in document["books"]]
    return repeated(document, units)


def repeated(document: Mapping[str, Any], units: int) -> dict[str, Any]:
    """The same list with its units again and again, until there are so many; u1, u2, ..."""
    there = document["units"]
    again = [there[number % len(there)] for number in range(units)]
    return {
        **document,
        "units": [{**unit, "id": f"u{number}"} for number, unit in enumerate(again, 1)],
    }


def value_of(document: Mapping[str, Any] | ArmyList) -> ArmyList:
    """The value of a document, which need not be as the schema says; a value as it is."""
    return document if isinstance(document, ArmyList) else ArmyList.from_dict(document)
