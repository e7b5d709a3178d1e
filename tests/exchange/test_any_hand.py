"""Lists of every game in any hand: tables, sums, odd marks, other languages, and wrong letters.

Each is read whole, or what was not read is told.
"""

import pytest

from armybuilder.exchange.pasting import read_text, split_text
from armybuilder.exchange.pasting.results import PastedList
from tests.exchange.pasted import LIBRARY

#: By the game, texts and what they say: units with their models, and of some "?" where it is asked.
WHOLE = {
    "ddm-2008": {
        "creature,qty,cost,total\nCairn Reaver,2,19,38\nGorge Ogre,1,35,35\n,,Total,73": (
            "Cairn Reaver 2, Gorge Ogre 1"
        ),
        'Qty;Miniature;Pts;Notes\n3;"Cairn Reaver";57;\n1;Vault Colossus;75;': (
            "Cairn Reaver 3, Vault Colossus 1"
        ),
        "200pt CE\nGorge Ogre 35\nCairn Reaver 2 x 19 = 38\nGutter Knife 12 x3": (
            "Gorge Ogre 1, Cairn Reaver 2, Gutter Knife 3"
        ),
        "Underdark, 100 points\n[2x] Blind Gallery Stalker\n×3 Pit Warren Digger\n"
        "*2 Boneyard Porter": (
            "Blind Gallery Stalker 2, Pit Warren Digger 3, Boneyard Porter 2"
        ),
        "LE band (100)\n3) Boneyard Porter\n1) Candle-Eater Shade\n2) Gutter Knife": (
            "Boneyard Porter 3, Candle-Eater Shade 1, Gutter Knife 2"
        ),
        "1. Boneyard Porter\n2. Candle-Eater Shade\n3. Gutter Knife": (
            "Boneyard Porter 1, Candle-Eater Shade 1, Gutter Knife 1"
        ),
        "Dust Harrier: 2\nCairn Reaver - 3\n2, Gutter Knife\nGorge Ogre (35)": (
            "Dust Harrier 2, Cairn Reaver 3, Gutter Knife 2, Gorge Ogre 1"
        ),
        "2x19 Cairn Reaver\nGutter Knife (12) x2\nDust Harrier 3x 45": (
            "Cairn Reaver 2, Gutter Knife 2, Dust Harrier 3"
        ),
    },
    "sbh": {
        "Models,Name,Q,C,Rules,Pts\n1,Ulf,3,3,\"Leader, Fearless\",66\n2,Spear,4,3,,46": (
            "Ulf 1, Spear 2"
        ),
        "Profile | Quality | Combat | Special | Count\nSpear | 4+ | 3 | - | 3": "Spear 3",
        "[quote=Ann][list][*][b]Orc Boss[/b] [color=red]60[/color]\n[*]4x Orc Warrior [i]92[/i]"
        "[/list][/quote]": "Orc Boss 1, Orc Warrior 4",
        "Humna Leadr - 60\n4x Humn Warior - 120": "Human Leader 1 ?, Human Warrior 4 ?",
        "Ulf Qulaity 3+ Combta 3, Leader, Fearless 66": "Ulf 1",
        "Human Leader 60 + 4 Human Warriors 120 + 2 Human Archers 88 = 268": (
            "Human Leader 1, Human Warrior 4, Human Archer 2"
        ),
        "#1 Orc Boss [60]\n#2 Orc Warrior [23] x4": "Orc Boss 1, Orc Warrior 4",
    },
    "chainmail-2002": {
        "Drazen 100 pts\nRedtusk Overseer / Stormdrum Caller / 2 Knuckle Alley Bruiser": (
            "Redtusk Overseer 1, Stormdrum Caller 1, Knuckle Alley Bruiser 2"
        ),
        "Cinderpit Runt 4x3 = 12\nRedtusk Overseer 1 x 28": "Cinderpit Runt 4, Redtusk Overseer 1",
        "- Foundry Reeve Haldra ➜ 30\n- Anvil Gate Warden ✖ 3 ➜ 27": (
            "Foundry Reeve Haldra 1, Anvil Gate Warden 3"
        ),
    },
    "chainmail-2001-basic": {
        "<table><tr><td>Millbrook Spearhand</td><td>x4</td><td>24</td></tr>\n"
        "<tr><td>Sunhill Chaplain</td><td>x1</td><td>24</td></tr></table>": (
            "Millbrook Spearhand 4, Sunhill Chaplain 1"
        ),
    },
    "chainmail-2001-advanced": {
        "Bonegnaw Raider ... 5 x 4\nDune Jackal ... 2x 8": "Bonegnaw Raider 4, Dune Jackal 2",
    },
    "t9a-2023": {
        "Hochelfen 2023\n240 - High Prince, General, Shield": "High Prince 1",
        "Elfos de Noble Cuna 2023\nUnit,Size,Upgrades,Points\nSea Guard,20,Champion,470": (
            "Sea Guard 20"
        ),
        "Highborn Elves 2023\nCategory\tUnit\tQty\tOptions\tCost\nCore\tCitizen Spears\t30\t"
        "Champion; Musician\t400": "Citizen Spears 30",
        "Highborn Elves 2023\nHigh Prince 225 + Shield 5 + General = 240\n"
        "Citizen Spears x30 380 + Champion 10": "High Prince 1, Citizen Spears 30",
        "Highborn Elves 2023\nHigh Prince\nGeneral\nShield\n240 pts\n\nCitizen Spears\n30 models\n"
        "Champion\n390 pts": "High Prince 1, Citizen Spears 30",
        "Highborn Elves 2023\n240 - HP, General, Shield\n390 - 30 CS, Champion\n470 - 20 SG, C": (
            "High Prince 1 ?, Citizen Spears 30 ?, Sea Guard 20 ?"
        ),
        "Hihgborn Elfs\n240 - Hihg Prnice, Genral, Sheild\n"
        "410 - 30 Citzen Speers, Chmpion, Musicain,"
        " Standrad Baerer": "High Prince 1 ?, Citizen Spears 30 ?",
        "[b]Highborn Elves 2023[/b]\n[b]240 - High Prince, General, Shield[/b]\n"
        "[url=https://a.example]380 - 30 Citizen Spears[/url]": "High Prince 1, Citizen Spears 30",
        "# Highborn Elves 2023\n## High Prince - 240\n* General\n* Shield\n"
        "## 30 Citizen Spears | 380": (
            "High Prince 1, Citizen Spears 30"
        ),
        "Highborn Elves 2023\nHigh Prince [General; a Shield] 240\n"
        "Citizen Spears {Champion} x30: 390": (
            "High Prince 1, Citizen Spears 30"
        ),
    },
    "essence-of-war": {
        "Essence of War, Zwergenfesten\nClan Warriors, 5x2, 150": "Clan Warriors 1",
    },
}  # fmt: skip


def said(read: PastedList) -> str:
    """The units as they were read: models of those that count them, and what is asked."""
    lines = [
        f"{line.unit.name} {line.unit.models}{' ?' * (line.state == 'doubt')}"
        for line in read.units
        if line.unit
    ]
    return ", ".join(lines)


@pytest.mark.parametrize(
    ("system", "text"), [(system, text) for system, texts in WHOLE.items() for text in texts]
)
def test_a_list_in_any_hand_is_read_whole(system: str, text: str) -> None:
    assert len(split_text(text, LIBRARY, system)) == 1
    read = read_text(text, LIBRARY, system)
    assert said(read) == WHOLE[system][text]
    assert read.count("lost") == 0
    assert all(line.unit and not line.unit.lost for line in read.units)
    assert all(line.unit and line.unit.agrees in (True, None) for line in read.units)
