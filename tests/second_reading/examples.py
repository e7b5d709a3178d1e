"""The smallest army for each slip of the files and each known fault of the program, by the names
that `reasons` gives them. An army that no longer shows its difference is to be taken off, and the
reason with it: what a fault was, the program has mended.
"""

from __future__ import annotations

from typing import Any

from tests.building.documents import list_of
from tests.second_reading.comparing import SYSTEM

#: A unit, how many models, whether it is the General, and what is taken: ids, or (id, number).
Unit = tuple[str, int, bool, tuple[Any, ...]]


def army(book: str, limit: int, *units: Unit, system: str = SYSTEM) -> dict[str, Any]:
    entries = [
        {
            "unit": f"{book}/{id_}",
            "models": models,
            "roles": ["general"] if general else [],
            "options": [{"id": one} if isinstance(one, str) else _several(*one) for one in options],
        }
        for id_, models, general, options in units
    ]
    return list_of(system, [book], entries, limit=limit, name="Example")


def _several(id_: str, number: int) -> dict[str, Any]:
    return {"id": id_, "number": number}


EXAMPLES: dict[str, dict[str, Any]] = {
    # Slips of the files
    "Huskarls' and Berserkers' weapons": army(
        "asklanders", 4500, ("huskarls", 15, False, ("spear",))
    ),
    "Mounted ’Eadbashers' race": army(
        "orcs-and-goblins", 4500, ("mounted-eadbashers", 5, False, ("common-orc",))
    ),
    "the Giant Repeater's category": army(
        "empire-of-sonnstahl", 4500, ("imperial-giant", 1, False, ("giant-repeater-4",))
    ),
    "the Bannerman": army(
        "kingdom-of-equitaine", 4500, ("folk-hero", 1, True, ("light-armour", "bannerman"))
    ),
    "Wildheart": army(
        "ogre-khans", 4500, ("shaman", 1, True, ()), ("mammoth-hunter", 1, False, ("wildheart",))
    ),
    "the High Prince's Tower": army(
        "highborn-elves", 4500,
        ("high-prince", 1, True, ("magical-heirloom", "master-of-canreig-tower-high-prince")),
    ),
    "the Harbinger of Greed's path": army(
        "legions-of-sin", 4500, ("legion-of-sin", 1, False, ("greed",)),
        ("harbinger-of-greed", 1, True, ("wizard-apprentice", "witchcraft")),
    ),
    "the Harbinger of Wrath's path": army(
        "legions-of-sin", 4500, ("legion-of-sin", 1, False, ("wrath",)),
        ("harbinger-of-wrath", 1, True, ("wizard-adept", "thaumaturgy")),
        ("harbinger-of-wrath", 1, False, ()),
    ),
    "Makhar Lancers' Vanguard": army(
        "makhar", 4500, ("makhar-lancers", 8, False, ("vanguard",))
    ),
    "Mercenary Veterans' upgrades": army(
        "ogre-khans", 4500, ("mercenary-veterans", 3, False, ("accurate", "vanguard"))
    ),
    "Thyroscutus Herd's Great Protector": army(
        "saurian-ancients", 4500, ("thyroscutus-herd", 2, False, ("great-protector",))
    ),
    "Tritons": army("dread-fleet", 3000, ("tritons", 3, False, ())),
    "Overlord's two enchantments": army(
        "infernal-dwarves", 4500, ("overlord", 1, True, ("crown-of-the-wizard-king",))
    ),
    "a dragon is two Ancient Allies": army(
        "highborn-elves", 4500, ("high-prince", 1, True, ("light-armour", "dragon"))
    ),
    "Fell Wraith's allowance": army(
        "vampire-covenant", 4500,
        ("fell-wraith", 1, False, ("hand-weapon", "reapers-harvest", "touch-of-greatness")),
    ),
    "a larger allowance": army(
        "hobgoblins", 4500,
        ("hobgoblin-conjurer", 1, True, ("unarmoured", "wizard-master", "pyromancy",
                                         "talisman-of-shielding", "binding-scroll")),
    ),
    "two runic standards": army(
        "dwarven-holds", 4500,
        ("thane", 1, False, ("hand-weapon", "battle-standard-bearer",
                             "runic-standard-of-steadiness", "runic-standard-of-the-anvil")),
    ),
    "one species to a beast": army(
        "saurian-ancients", 8000, ("weapon-beasts", 2, False, (("salamander", 3),))
    ),
    "units that a Wildheart shuts out": army(
        "ogre-khans", 8000, ("mammoth-hunter", 1, True, ("wildheart",)),
        ("great-khan", 1, False, ()),
    ),
    "a larger allowance of 2024": army(
        "cult-of-errahman", 4500,
        ("plague-patriarch", 1, True, ("talisman-of-the-void", "destinys-call", "king-slayer")),
        system="t9a-2024",
    ),
    "armour inside the special equipment": army(
        "orcs-and-goblins", 4500,
        ("orc-shaman", 1, True, ("wizard-apprentice", "unarmoured", "shamanism",
                                 "alchemists-alloy")), system="t9a-2024",
    ),
    "what a leader brings": army(
        "orcs-and-goblins", 1500, ("orc-warlord", 1, True, ("tribe-leader",)),
        ("goblin-rabble", 50, False, ()), ("goblin-rabble", 50, False, ()), system="t9a-2024",
    ),
    "two banners of an Orc unit": army(
        "orcs-and-goblins", 4500,
        ("veteran-orc-marauders", 5, False,
         ("standard-bearer", "battle-standard-bearer", ("flaming-standard", 2))),
        system="t9a-2024",
    ),
    "a shooting weapon of every Prefect": army(
        "vermin-swarm", 4500, ("house-prefect", 1, True, ("fetthis-fleshmaster",)),
        system="t9a-2024",
    ),
}  # fmt: skip
