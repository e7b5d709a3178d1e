"""Examples of games, books, units and what they may take, for the description of the API."""

from armybuilder.api.examples import got

_BOOK = {
    "id": "profiles",
    "name": "Profiles",
    "about": "Ready-made profiles.",
    "kind": "official",
    "source": "Song of Blades and Heroes",
    "revision": "0123456789abcdef",
}
_UNIT = {
    "ref": "profiles/human-warrior",
    "name": "Human Warrior",
    "group": "Humans",
    "categories": [],
    "points": 30,
    "attributes": {},
    "stats": {"quality": 3, "combat": 3},
    "profiles": [],
    "abilities": [],
    "sources": [],
}
SYSTEMS = got(
    "Systems",
    {"id": "sbh", "name": "Song of Blades and Heroes", "about": "Skirmishes.", "books": [_BOOK]},
)
SYSTEM = got(
    "A system",
    {
        "id": "sbh",
        "name": "Song of Blades and Heroes",
        "about": "Skirmishes.",
        "books": [_BOOK],
        "limit": 300,
        "sizes": [200, 300, 400],
        "points": "Points",
        "sized": False,
        "settings": [
            {
                "id": "scenario",
                "name": "Scenario",
                "kind": "choice",
                "help": "",
                "default": None,
                "low": 0,
                "high": 999,
                "points": 0,
                "values": [{"id": "escort", "name": "Escort"}],
            }
        ],
        "roles": [
            {
                "id": "general",
                "name": "General",
                "summary": "Leads the army.",
                "citation": "Rulebook 8.B.c.4",
                "alone": True,
            }
        ],
        "rules": [
            {
                "id": "limit",
                "pointer": "/rules/0",
                "code": "points.over",
                "severity": "error",
                "summary": "A warband costs no more than its limit.",
                "reading": "",
                "citation": "Song of Blades and Heroes, Organizing Your Warband",
            }
        ],
        "codes": ["points.over", "points.under"],
    },
)
BOOK = got("A book", {**_BOOK, "units": [_UNIT]})
UNITS = got("Units", _UNIT)
UNIT = got(
    "A unit",
    {
        **_UNIT,
        "size": {"least": 15, "most": 40},
        "extra": 11,
        "cap": {"number": 2, "models": None, "points": None, "one_of_a_kind": False},
        "entry": {"unit": "profiles/human-warrior", "models": 15},
        "options": [
            {
                "id": "shield",
                "name": "Shield",
                "group": "Equipment",
                "groups": [
                    {
                        "id": "equipment",
                        "name": "Equipment",
                        "least": 0,
                        "most": 1,
                        "allowance": None,
                        "moves": False,
                    }
                ],
                "points": 5,
                "each": 0,
                "given": False,
                "least": 0,
                "most": 1,
                "cap": None,
                "item": "",
                "on": [],
                "moves": False,
                "options": [],
            }
        ],
    },
)
OFFERS = got(
    "Ten men",
    {
        "unit": "u1",
        "ref": "profiles/human-warrior",
        "name": "Human Warrior",
        "points": 300,
        "models": 10,
        "least": 1,
        "most": None,
        "roles": [],
        "offers": [
            {
                "kind": "option",
                "path": "shield",
                "name": "Shield",
                "number": 0,
                "least": 0,
                "most": 1,
                "points": 5,
                "allowance": None,
                "why": "",
                "given": False,
                "army": None,
                "army_most": None,
                "on": "",
                "pieces": [],
                "unchecked": "",
                "inner": [],
            }
        ],
    },
)
