"""Texts of several warbands or armies without an army book, and of one that looks like several."""

import pytest

from armybuilder.exchange.files import clear_list
from armybuilder.exchange.pasting import in_one_edition, read_part, read_text, split_text
from armybuilder.loading.problems import Refusal
from tests.exchange import packs
from tests.exchange.pasted import LIBRARY

pytestmark = pytest.mark.long

#: Warbands of 258, 214 and 245 points; the last has no leader.
GILDED = (
    "Marshal Odo (2/4 Leader, Heavy Armor) 95\n"
    "2x Lancers (4/4 Mounted, Heavy Armor, Long Move) 118\n3x Levies (4/2) 45\n"
)
WATCH = (
    "Captain Bel (3/3 Leader) 60\n4x Guards (3/3) 120\nHunter (3/2 Shooter-Medium, Forester) 34\n"
)
GRAVE = (
    "4x Ghouls (4/3) 92\n2x Ghost (3/3 Fearless) 72\n3x Skeletons (4/2) 45\n"
    "2x Zombie (5/3 Undead) 36\n"
)
HUMANS, ORCS = "Human Leader 60\n4x Human Warrior 120\n", "Orc Boss 60\n5 Orc Warriors 115\n"
#: Of D&D Miniatures, 100 points each.
CLAWS = "Shadow Demon 42\nDrow Spiderguard 26\nGnoll Marauder 18\nOrc Raider 8\nGoblin Picador 6\n"
HORDE = "3 Gnoll Marauder 54\n2 Orc Raider 16\n5 Goblin Picador 30\n"
#: Of The Ninth Age.
ELVES = "\n".join(packs.book_and_units(packs.ARMIES[1])[1])
KHANS = "\n".join(packs.book_and_units(packs.ARMIES[0])[1])

#: A text, and the names of the lists in it with the points of each.
SEVERAL = {
    "names and totals": (
        f"The Gilded Band\n{GILDED}Total: 258\n\nThe Night Watch\n{WATCH}Total: 214\n",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "names alone": (
        f"The Gilded Band\n{GILDED}\nThe Night Watch\n{WATCH}",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "no empty line": (
        f"The Gilded Band\n{GILDED}The Night Watch\n{WATCH}",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "points in titles": (
        f"Order of the Gate (180 pts)\n{HUMANS}\nOrc Raiders - 175 pts\n{ORCS}",
        {"Order of the Gate": 180, "Orc Raiders": 175},
    ),
    "totals below, no game's size": (
        f"Two starter warbands\n\nOrder of the Gate\n{HUMANS}(180 points)\n\nOrc Raiders\n{ORCS}"
        "(175 points)\n",
        {"Order of the Gate": 180, "Orc Raiders": 175},
    ),
    "vs": (f"{HUMANS}\nvs.\n\n{ORCS}", {"Warband 200": 180, "Warband 300": 175}),
    "VS with names, marked": (
        f"**The Gilded Band**\n{GILDED}\n**VS**\n\n**The Night Watch**\n{WATCH}",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "announced": (
        f"The Gilded Band vs The Night Watch, 300 points\n\nThe Gilded Band\n{GILDED}\n"
        f"The Night Watch\n{WATCH}",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "players": (
        f"Player One: Anna\n{GILDED}\nPlayer Two: Bob\n{WATCH}",
        {"Anna": 258, "Bob": 214},
    ),
    "players with names below": (
        f"Player 1\nThe Gilded Band\n{GILDED}\nPlayer 2\nThe Night Watch\n{WATCH}",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "letters": (
        f"Warband A - The Gilded Band (300 points)\n{GILDED}\nWarband B - Grave Host (300 points)\n"
        f"{GRAVE}",
        {"The Gilded Band": 258, "Grave Host": 245},
    ),
    "numbers": (
        f"1. The Gilded Band\n{GILDED}\n2. The Night Watch\n{WATCH}",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "order": (
        f"My first warband\n{GRAVE}\nMy second warband\n{GILDED}",
        {"My first warband": 245, "My second warband": 258},
    ),
    "of somebody": (
        f"Anna's warband\n{GILDED}\nBob's warband\n{GRAVE}Total 245",
        {"Anna's warband": 258, "Bob's warband": 245},
    ),
    "three of one size": (
        f"300 points each\n\nThe Gilded Band\n{GILDED}\nThe Night Watch\n{WATCH}\nThe Grave Host\n"
        f"{GRAVE}",
        {"The Gilded Band": 258, "The Night Watch": 214, "The Grave Host": 245},
    ),
    "headings of a forum": (
        f"# For Friday\n\n## The Gilded Band\n{GILDED}\n## The Night Watch\n{WATCH}",
        {"The Gilded Band": 258, "The Night Watch": 214},
    ),
    "sections in both": (
        f"THE GILDED BAND\nPersonalities\n{GILDED.replace('2x', 'Troops' + chr(10) + '2x')}\n"
        f"THE NIGHT WATCH\nPersonalities\n{WATCH.replace('4x', 'Troops' + chr(10) + '4x')}",
        {"THE GILDED BAND": 258, "THE NIGHT WATCH": 214},
    ),
    "profiles of many lines": (
        "The Gilded Band\n\nMarshal Odo\nQ2+ C4\nLeader, Heavy Armor\n95 pts\n\nLevies x3\nQ4+ C2\n"
        "15 pts each\n\nTotal: 140\n\nThe Night Watch\n\nCaptain Bel\nQ3+ C3\nLeader\n60 pts\n\n"
        "Guards x4\nQ3+ C3\n30 pts each\n\nTotal: 180\n",
        {"The Gilded Band": 140, "The Night Watch": 180},
    ),
    "no leader, one size": (
        "Ghouls of the Fen (200)\n8x Ghouls (4/3) 184\n\nThe Bone Yard (200)\n"
        "10x Skeletons (4/2) 150\nGhost (3/3 Fearless) 36\n",
        {"Ghouls of the Fen": 184, "The Bone Yard": 186},
    ),
    "two posts": (
        f"Anna, 18:02\n{HUMANS}\nBob, 18:10\n{ORCS}",
        {"Anna": 180, "Bob": 175},
    ),
    "codes of a creator": (
        "v1Night+Watch@HCaptain*ld@fGGuard@\nv1Gilded@KMarshal+Odo*ldha@cCLevies@",
        {"Night Watch": 225, "Gilded": 140},
    ),
    "cards": (
        f"Warband One\n{CLAWS}\nWarband Two\n{HORDE}",
        {"Warband One": 100, "Warband Two": 100},
    ),
    "cards of one size": (
        f"Claws of Night\n{CLAWS}100\n\nThe Horde\n{HORDE}100\n",
        {"Claws of Night": 100, "The Horde": 100},
    ),
    "armies of one book": (
        f"Highborn Elves\n{ELVES}\n\nHighborn Elves\n{ELVES}\n",
        {"Highborn Elves 4500": 4500, "Highborn Elves 4500 ": 4500},
    ),
    "armies, versus": (
        f"Ogre Khans\n{KHANS}\n\nvs\n\nHighborn Elves\n{ELVES}\n",
        {"Ogre Khans 4500": 4471, "Highborn Elves 4500": 4500},
    ),
    "armies of players": (
        f"Anna\n{ELVES}\n\nBob\n{KHANS}\n", {"Anna": 4500, "Bob": 4471},
    ),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", SEVERAL)
def test_several_lists_are_read_each_with_its_name_and_points(way: str) -> None:
    text, wanted = SEVERAL[way]
    parts = split_text(text, LIBRARY)
    if "@" not in text:  # codes are spelled out
        told = "\n".join(part.text for part in parts)
        assert [line.strip() for line in told.split("\n")] == [
            line.strip() for line in text.split("\n")
        ]
    lists = [read_part(part, LIBRARY) for part in in_one_edition(parts, LIBRARY)]
    found = [(one.document.name, one.report.spent) for one in lists]
    assert found == [(name.strip(), points) for name, points in wanted.items()]
    assert [(one.count("lost"), one.agrees in (None, True)) for one in lists] == [
        (0, True) for _name in wanted
    ]


HOUSEHOLD = "Marshal Odo (2/4 Leader, Heavy Armor) 95\n"
CHARGE = "2x Lancers (4/4 Mounted, Heavy Armor, Long Move) 118\n"
MOB = "3x Levies (4/2) 45\n"
HALVES = ELVES.split("\n")

#: Texts of one list, and the points that they print.
ONE = {
    "sections by name": (
        f"The Gilded Band\n\nPersonalities (95)\n{HOUSEHOLD}\nTroops: 163 points\n{CHARGE}{MOB}",
        None,
    ),
    "sections of a player's": (
        f"The Gilded Band\n\nThe Household (95)\n{HOUSEHOLD}\nThe Charge (118)\n{CHARGE}\n"
        f"The Mob (45)\n{MOB}\nTotal 258", 258,
    ),
    "subtotals": (
        f"The Gilded Band\n\nThe Household\n{HOUSEHOLD}Total: 95\n\nThe Charge\n{CHARGE}"
        f"Total: 118\n\nThe Mob\n{MOB}Total: 45\n", 258,
    ),
    "subtotals and a total in the title": (
        f"The Gilded Band - 258 pts\n\nThe Charge\n{CHARGE}Total: 118\n\nThe Mob\n{MOB}{HOUSEHOLD}"
        "Total: 140\n", 258,
    ),
    "words between": (
        f"The Gilded Band\n{HOUSEHOLD}He has a red cape\n{CHARGE}\nThey never run\n{MOB}", None
    ),
    "a sideboard": (f"The Gilded Band\n{GILDED}\nSideboard\n{MOB}", None),
    "a unit that nobody knows": (f"{HUMANS}\nBlorb 60\n\n4x Human Archer 176\n", None),
    "squads": (f"The Gilded Band\n\nSquad 1\n{HOUSEHOLD}\nSquad 2\n{CHARGE}\nSquad 3\n{MOB}", None),
    "wings of an army": (
        "Highborn Elves\nThe left wing\n" + "\n".join(HALVES[:6]) + "\n\nThe right wing\n"
        + "\n".join(HALVES[6:]), None,
    ),
    "totals of categories": (
        "Highborn Elves\nCharacters\n" + "\n".join(HALVES[:3]) + "\nTotal: 1675\n\nCore\n"
        + "\n".join(HALVES[3:5]) + "\nTotal: 910\n\nSpecial\n" + "\n".join(HALVES[5:])
        + "\nTotal: 1915\n", 4500,
    ),
    "cards in groups": (
        f"Claws of Night, 200 points\n\nThe big ones\n{CLAWS}\nThe rest\n{HORDE}", None
    ),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("way", ONE)
def test_one_list_with_sections_is_one(way: str) -> None:
    text, printed = ONE[way]
    (part,) = split_text(text, LIBRARY)
    assert (part.perhaps, part.doubt) == ((), "")
    assert read_part(part, LIBRARY).printed == printed


#: Texts that may be either, and the names of what they may hold.
UNSURE = {
    "two leaders in a game that holds both": (
        f"The Alliance, 300 points\n\nThe Household\n{HOUSEHOLD}\nThe Watch\n{WATCH[:-42]}",
        ["The Household", "The Watch"],
    ),
    "points of all": (
        f"Doubles, 600 points\n\nAnna\n{GILDED}\nBob\n{WATCH}", ["Anna", "Bob"],
    ),
    "subtotals, and nobody leads": (
        f"The Charge\n{CHARGE}Total 118\n\nThe Mob\n{MOB}Total 45\n", ["The Charge", "The Mob"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("way", UNSURE)
def test_what_may_be_several_is_one_list_with_a_word(way: str) -> None:
    text, names = UNSURE[way]
    (part,) = split_text(text, LIBRARY)
    assert [one.name for one in part.perhaps] == names
    assert part.doubt == f"The text may contain {len(names)} lists: {', '.join(names)}."
    assert len(read_text(text, LIBRARY).document.units) > 1
    with pytest.raises(Refusal, match="may contain"):
        clear_list(text, LIBRARY)
    several = split_text(text, LIBRARY, several=True)
    assert [one.name for one in several] == names
    assert "\n".join(one.text for one in several) == text
