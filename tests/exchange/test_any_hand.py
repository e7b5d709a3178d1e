"""Lists of every game in any hand: tables, sums, odd marks, other languages, and wrong letters.

Each is read whole, or what was not read is told.
"""

import pytest

from armybuilder.exchange.pasting import read_text, split_text
from armybuilder.exchange.pasting.nested_texts import unnested
from armybuilder.exchange.pasting.results import PastedList
from tests.exchange.pasted import LIBRARY, calls_below

#: By the game, texts and what they say: units with their models, and of some "?" where it is asked.
WHOLE = {
    "ddm-2008": {
        "DDM 2008 100 points\nOrc Raider ........ 8 ... x4\nGrum (Gnoll Marauder) - 18\n"
        "Snik the Sly - Goblin Picador - 6": "Orc Raider 4, Gnoll Marauder 1, Goblin Picador 1",
        "100pt warband - “Night Shift”\n∙ Shadow Demon . . . . 42\n∙ Gnoll Marauder (x2) … 36\n"
        "∙ Orc Raider, 8 pts (x2)\nΣ 94": (
            "Shadow Demon 1, Gnoll Marauder 2, Orc Raider 2"
        ),
        "Candle Eater Shade — 29\nGutterknife 12\nthree Boneyard Porters\n"
        "Dust Harrier, two of them": (
            "Candle-Eater Shade 1, Gutter Knife 1, Boneyard Porter 3, Dust Harrier 2"
        ),
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
        "--- Made with a program ---\nName: Hill Raiders\n---\n1x Orc Boss\n    Cost: 60\n"
        "4x Orc Warrior\n    Cost: 92": "Orc Boss 1, Orc Warrior 4",
        "'Old Tom' Q4 C2 Shooter (Long) 26\n\"Mad Meg\" (Q3+, C3, Magic-User) 60": (
            "Old Tom 1, Mad Meg 1"
        ),
        "Dwarf Warrior x3 @ 34 = 102\nDwarf Leader (88)\n"
        "Dwarf Crossbowman – 2 of these, 24 apiece": (
            "Dwarf Warrior 3, Dwarf Leader 1, Dwarf Crossbowman 2"
        ),
        "My warband consists of an Orc Warchief (100), two Orc Warriors (46), and an Orc Archer.": (
            "Orc Warchief 1, Orc Warrior 2, Orc Archer 1"
        ),
        "<h2>Ravens</h2><ul><li>Captain Vesk, Q3+ C4, Leader</li><li>4x Spear Q4+ C3</li></ul>": (
            "Captain Vesk 1, Spear 4"
        ),
        "Kriegerbande: Die Moorhunde (300 Punkte)\n2x Zwerg, Qualität 3+, Kampf 4\n"
        "Häuptling: Q2 K4, Leader": "Zwerg 2, Häuptling 1",
        '{"name": "Gloom", "points": 200, "units": [{"name": "Orc Boss", "count": 1, "points": 60},'
        ' {"name": "Ulf", "quality": 3, "combat": 3, "rules": ["Leader", "Fearless"]},]}': (
            "Orc Boss 1, Ulf 1"
        ),
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
        "warband: The Salt Road Company\npoints: 300\nmodels:\n  - name: Captain Ysolde\n"
        "    quality: 3\n    combat: 3\n    rules: [Leader, Dashing]\n  - name: Bowman\n"
        "    count: 2\n    quality: 4\n    combat: 2\n    rules:\n      - Shooter (Medium)": (
            "Captain Ysolde 1, Bowman 2"
        ),
        "My list\n```yaml\nname: Reed Folk\nsystem: Song of Blades and Heroes\nwarband:\n"
        "- {name: Reed Chief, q: 3+, c: 3, specials: 'Leader, Amphibious', cost: 66}\n"
        "- {name: Reed Stalker, n: 3, q: 4, c: 2, specials: [Amphibious, Stealth],}\n```": (
            "Reed Chief 1, Reed Stalker 3"
        ),
        "Nombre;Calidad;Combate;Reglas;Puntos\nCapitán Rojo;3;3;Leader, Hero;90\n"
        "Marinero;4;2;Dashing;20": "Capitán Rojo 1, Marinero 1",
        "Leader, Q3/C3: Odran\nQ4/C3: Big Tam, Big\nMagic-User (Q4 C1): Sister Wen - 30\n"
        "Steadfast (Q4 C2): 2x Novice - 20 each": (
            "Odran 1, Big Tam 1, Sister Wen 1, Novice 2"
        ),
        "Old Thornback (Orc Warchief) 100\nGrish - Orc Boss - 60\n[23] Orc Warrior \"Nob\"": (
            "Orc Warchief 1, Orc Boss 1, Orc Warrior 1"
        ),
        "On Tue, 3 Feb, Bertil wrote:\n>> Dwarves of the Low Gate, 300pts\n>> 1 Dwarf Leader (88)\n"
        ">>   2 Dwarf Heavy Infantry (52)": "Dwarf Leader 1, Dwarf Heavy Infantry 2",
        "My elves: one Wood Elf Leader, three Wood Elf Warriors and two Wood Elf Archers.": (
            "Wood Elf Leader 1, Wood Elf Warrior 3, Wood Elf Archer 2"
        ),
        "The Iron Crows - 3OO points\nl x Orc Boss - 6O\n2 x Orc Warrior - 46": (
            "Orc Boss 1, Orc Warrior 2"
        ),
        "rate these, please\n```\n**Knights of the Kettle** (300pts)\n"
        "> Ser Pott — Q3+ C4 — Leader\n> Squire ×4 — Q4+ C2 — 15pts ea\n```": (
            "Ser Pott 1, Squire 4"
        ),
    },
    "chainmail-2002": {
        "Point value: 80\nTerrain pieces: 2x Woods, Low Wall, Hut\n| Model | # | Cost | Total |\n"
        "|---|--:|--:|--:|\n| Foundry Reeve Haldra | 1 | 30 | 30 |\n"
        "| Anvil Gate Warden | 3 | 9 | 27 |": (
            "Foundry Reeve Haldra 1, Anvil Gate Warden 3"
        ),
        "Pack Mother of the Red Dunes 45\nDune Jackals x3 12\nReserve: Pit-Born Render": (
            "Pack-Mother of the Red Dunes 1, Dune Jackal 3, Pit-Born Render 1"
        ),
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
        "army: Highborn Elves\nedition: 2023\nsize: 4500\nunits:\n  - unit: Commander\n"
        "    options: [General]\n  - unit: Citizen Spears\n    models: 30\n"
        "    options: [Champion, Musician, Standard Bearer]": "Commander 1, Citizen Spears 30",
        "Highborn Elves\nEdition: 2023\n10 Cit. Archers C M\nSM x10 (C, S, M)\nLG x 15, FC": (
            "Citizen Archers 10 ?, Sword Masters 10 ?, Lion Guard 15 ?"
        ),
        "++ Highborn Elves (2023) [2000pts] ++\n\n+ Characters +\nHigh Prince\n    General\nMage\n"
        "    Wizard Master\n\n+ Core +\nCitizen Spears (25)\n  * Champion\nCitizen Archers (15)": (
            "High Prince 1, Mage 1, Citizen Spears 25, Citizen Archers 15"
        ),
        "Dread Elves 2023\n2 x Raptor Chariot\n420 - 2 Raptor Chariots\nRaptor Chariot x2 - 210": (
            "Raptor Chariot 1, Raptor Chariot 1, Raptor Chariot 1"
        ),
        "Hochelfen 2023\n30 Modelle Citizen Spears mit Champion und Standartenträger": (
            "Citizen Spears 30"
        ),
        "> Hi Ann,\n>\n> Elfi Silvani 1500 punti\n> Forest Prince: Generale, Scudo\n"
        "> 15 Sylvan Archers con musico e campione": "Forest Prince 1, Sylvan Archers 15",
        "390 Citizen Spears x30 champion\nC1: Commander [BSB (Banner of Speed), Halberd]\n"
        "Sp1) 2 Giant Eagles": (
            "Citizen Spears 30, Commander 1, Giant Eagles 2"
        ),
        "Highborn Elves 2023\nCitizen Spears of 30, Musician +10 Standard Bearer +10\n"
        "20 Citizen Archers [C/M]": (
            "Citizen Spears 30, Citizen Archers 20"
        ),
        "Ogre Khans, Sylvan Elves, 4500\nGreat Khan, General\n6 Tribesmen\nTotal: / 100000": (
            "Great Khan 1, Tribesmen 6"
        ),
        '{"roster": {"name": "Goats", "forces": [{"catalogueName": "Beast Herds", "selections": ['
        '{"name": "Beast Chieftain", "type": "unit", "selections": [{"name": "Shield"}]},'
        '{"name": "Wildhorn Herd", "type": "unit", "costs": [{"name": "pts", "value": 190}],'
        '"selections": [{"name": "Wildhorn", "number": 20}, {"name": "Musician"}]}]}]}}': (
            "Beast Chieftain 1, Wildhorn Herd 20"
        ),
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
        "Essence of War\nUndying Dynasties\n5x3 Skeleton Archers 150\nShabtis (3x1) [200]\n"
        "15 Necropolis Guard - 175\nSkeleton Cavalry 5 x 1 - 125": (
            "Skeleton Archers 1, Shabtis 1, Necropolis Guard 1, Skeleton Cavalry 1"
        ),
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


@pytest.mark.parametrize(
    ("text", "lost"),
    [
        ("- name: &a Orc Boss\n  points: 60\n- *a\n- *a", ["- *a", "- *a"]),
        ("- name: [Orc Boss\n  points: 60", []),
        ("Odran, Q3/C3: Leader of men", []),
        ("Leader, Q3/C3: 66\nOrc Boss 60", []),
        ("Orc Boss 60\nGrish of Mordheim 60", ["Grish of Mordheim 60"]),
        ("Orc Boss 60\ncheers :)", ["cheers :)"]),
    ],
)
def test_a_line_that_is_not_read_is_named(text: str, lost: list[str]) -> None:
    read = read_text(text, LIBRARY, "sbh")
    assert [line.text for line in read.lines if line.state == "lost"] == lost
    made = [line.unit.name for line in read.units if line.unit and line.unit.entry]
    assert "Leader of men" not in made


@pytest.mark.parametrize(
    "text",
    ["```\n" + "\n" * 90_000, "- name: x\n" + "\n" * 20_000 + "- " * 1_000, "[{" * 3_000],
    ids=["an open block", "dashes", "brackets"],
)
def test_text_that_only_begins_like_data_is_left_as_it_is(text: str) -> None:
    with calls_below(1_000_000):
        assert unnested(text) == text
