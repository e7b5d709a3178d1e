"""A small army book and lists of it, for the tests of sheets of armies of units."""

from typing import Any

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.sheets.content.make import army_sheet
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.content.unit_view import UnitView
from tests.building.documents import list_of, value_of
from tests.golden.adapter import checked_book
from tests.sheets.papers import DAY

Data = dict[str, Any]


def row(name: str, rules: tuple[str, ...] = (), **stats: str) -> Data:
    return {"name": name, "stats": stats, "rules": list(rules)}


def item(name: str, points: int, kind: str = "artefact") -> Data:
    key = name.lower().replace(" ", "-")
    return {"id": key, "name": name, "points": points, "item": kind, "one_of_a_kind": True}


MOUNTS = {"dragon": "6", "horse": "C", "boar": "C+1", "cloud": "mist"}

BOOK: Data = {
    "format": "book/1",
    "id": "towers",
    "system": "t9a-2023",
    "name": "Towers",
    "about": "An invented book.",
    "kind": "invented",
    "source": {"title": "Towers"},
    "categories": [
        {"id": "characters", "name": "Characters", "max": "40%"},
        {"id": "core", "name": "Core", "min": "25%"},
        {"id": "beasts", "name": "Beasts", "max": "20%", "max_units": 1},
    ],
    "units": [
        {
            "id": "champion", "name": "Champion", "categories": ["characters"], "points": 200,
            "can_lead": True, "keywords": ["Fearless"],
            "profiles": [
                row("Champion", ("Fearless",), adv='5"', hp="3", res="3", agi="5",
                    height="Standard", type="Infantry", base="20×20")
                | {"when": [
                    {"if": {"taken": "tall"}, "add": {"res": 1, "adv": 1}},
                    {"if": {"taken": "crown"}, "set": {"agi": "9"}},
                ]}
            ],
            "options": [
                {"id": "sword", "name": "Sword", "number": [1, 1]},
                {"id": "tall", "name": "Tall", "points": 5},
                {"id": "battle-standard-bearer", "name": "Battle Standard Bearer", "points": 50,
                 "keywords": ["Rally Around the Flag"]},
                {"group": "wizard-level", "name": "Wizard", "choose": [0, 1], "options": [
                    {"id": "wizard-master", "name": "Wizard Master", "points": 170}]},
                {"group": "magic-path", "name": "Path", "choose": [0, 1], "options": [
                    {"id": "alchemy", "name": "Alchemy"}]},
                {"group": "mount", "name": "Mount", "choose": [0, 1], "options": [
                    {"id": key, "name": key.title(), "points": 100,
                     "profiles": [row(key.title(), hp=hp, type="Beast", base="50×100")]}
                    for key, hp in MOUNTS.items()
                ]},
                {"group": "items", "name": "Items", "allowance": 100,
                 "options": [item("Crown", 60), item("Wand", 70)]},
                {"group": "manifestations", "name": "Manifestations", "options": [
                    {"id": "horns", "name": "Horns", "points": 20, "item": "manifestation",
                     "keywords": ["Hot Blood"]}]},
            ],
        },
        {
            "id": "guard", "name": "Guard", "categories": ["core"], "size": [10, 40],
            "points": 300, "points_per_model": 20, "keywords": ["Scoring", "Longbow"],
            "profiles": [row("Guard", ("Longbow (3+)",), hp="1", res="3")],
            "options": [
                {"id": "captain", "name": "Captain", "points": 10,
                 "profiles": [row("Captain", hp="2")]},
                {"id": "standard", "name": "Standard Bearer", "points": 20, "options": [
                    {**item("Red Banner", 40, "banner-enchantment"), "one_of_a_kind": False}]},
            ],
        },
        {"id": "peasants", "name": "Peasants", "categories": ["core"], "size": [20, 60],
         "points": 150, "points_per_model": 4},
        {"id": "trolls", "name": "Trolls", "categories": ["beasts"], "size": [1, 6],
         "points": 100, "points_per_model": 90, "profiles": [row("Troll", hp="3")]},
        {"id": "riders", "name": "Riders", "categories": ["beasts"], "models_in": ["core"],
         "size": [5, 10], "points": 100, "points_per_model": 10, "options": [
             {"id": "hounds", "name": "Hounds", "points": 40},
             {"id": "horns", "name": "Horns", "points": 15, "categories": ["core"]}]},
        {"id": "tower", "name": "Tower", "categories": ["beasts"], "points": 300,
         "profiles": [row("Tower", hp="21")]},
    ],
}  # fmt: skip


def catalogue() -> Catalogue:
    system = shipped_library().system("t9a-2023")
    return make_catalogue(system, [checked_book(BOOK, system)])


def option(name: str, *inner: str, **more: Any) -> Data:
    below = {"options": [option(each) for each in inner]} if inner else {}
    return {"id": name, **below, **more}


def unit(key: str, models: int = 1, /, **more: Any) -> Data:
    return {"unit": f"towers/{key}", "models": models, **more}


def army_document(*units: Data, **more: Any) -> Data:
    about = {"name": "Test army", "limit": 1500, **more}
    return list_of("t9a-2023", ["towers"], units, **about)


GENERAL = unit("champion", roles=["general"], options=[option("crown")])


def legal_army(**more: Any) -> Data:
    """260 + 500 + 490 + 230 = 1480 of 1500 points."""
    return army_document(
        GENERAL,
        unit("guard", 17, options=[option("standard", "red-banner")]),
        unit("guard", 19, options=[option("captain")]),
        unit("peasants", 40),
        **more,
    )


def illegal_army(**more: Any) -> Data:
    """Two wizards' worth of items, no general, too few units, and one that no book has."""
    return army_document(
        unit("champion", options=[option("crown"), option("wand"), option("sword-of-light")]),
        unit("guard", 10),
        unit("gone"),
        **more,
    )


def army_sheet_of(document: Data, kind: str = "full") -> Sheet:
    return army_sheet(judge_by(value_of(document), catalogue()), DAY, kind)


def block(entry: Data, kind: str = "full") -> UnitView:
    army = army_sheet_of(army_document(entry), kind).army
    assert army is not None
    return army.units[0]
