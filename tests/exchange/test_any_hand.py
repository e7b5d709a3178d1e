"""Lists of every game in any hand: tables, sums, odd marks, other languages, and wrong letters.

Each is read whole, or what was not read is told.
"""

import pytest

from armybuilder.exchange.pasting import read_text, split_text
from armybuilder.exchange.pasting.data import unnested
from armybuilder.exchange.pasting.results import PastedList
from tests.effort import scaled
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

#: The same, written before it was tried whether they are read.
FURTHER = {
    "sbh": {
        'Q3 C3 "Old Hesk" Leader, Amphibious 66\nQ4 C2 x3 "Mudling" Amphibious, Stealth 24 each': (
            "Old Hesk 1, Mudling 3"
        ),
        "3x Ghoul (Q4+ C3: Undead, Savage) = 96pts; Bog Hag (Q4 C1: Magic-User, Terror) = 53pts": (
            "Ghoul 3, Bog Hag 1"
        ),
        "The Mire Wardens - 224 pts\nOld Hesk (3/3 Leader, Amphibious) 66\n"
        "4x Mudling (4/2 Amphibious, Stealth) [24] 96\nHeron Rider (3/3/ Mounted, Flying) 62": (
            "Old Hesk 1, Mudling 4, Heron Rider 1"
        ),
        "Sergeant Oake\nQuality 3+\nCombat 3\nSpecial abilities: Steadfast, Heavy Armour\n"
        "Points cost: 42\n\nCrossbow x 3\nQuality 4+\nCombat 3\nSpecial abilities: Shooter-Long\n"
        "Points cost: 33 each": "Sergeant Oake 1, Crossbow 3",
        "1) Bog Hag: Q4+, C1, MU, Terror (53)\n2) Wild Boar: Q4+, C4, Savage, Animal (30)\n"
        "3) Wild Boar: Q4+, C4, Animal, Savage (30)": "Bog Hag 1, Wild Boar 1, Wild Boar 1",
        "| Figure | Q | C | Abilities | Pts | No |\n|:--|--|--|--|--|--|\n"
        "| Sneak | 3+ | 2 | Stealth, Dashing | 32 | 2 |\n"
        "| Sling | 4+ | 2 | Short Shooter | 18 | 4 |": "Sneak 2, Sling 4",
        "my band: v1Mire+Wardens@GOld+Hesk*ldam@dCMudling*amsh@": "Old Hesk 1, Mudling 4",
        "~~Marshal Odda (Q2 C4 Leader, Hero) 125~~ KIA\n✅ Pike ×5 (Q4 C3 Heavy Armor) 27 each\n"
        "☐ Wolf (Q4 C3 Animal, Long Move) 33": "Marshal Odda 1, Pike 5, Wolf 1",
        "Undead rabble, 200 points\nGhouls (Q4/C3, Undead, Savage) x6 = 192": "Ghouls 6",
        "[21:04, 12/3/2025] Ida: Orc Boss 60\n[21:04, 12/3/2025] Ida: Orc Warrior 23 x3\n"
        "[21:05, 12/3/2025] Ida: Goblin Warrior 15 x2": (
            "Orc Boss 1, Orc Warrior 3, Goblin Warrior 2"
        ),
        "Skeletons of the Salt Cave 300pts\n8 Skeleton Warriors (208)\n"
        "Human Wizard's Apprentice - 30 - \"Old Nan\"": (
            "Skeleton Warrior 8, Human Wizard's Apprentice 1"
        ),
    },
    "ddm-2008": {
        "[ ] 42 Shadow Demon\n[ ] 18 Gnoll Marauder\n[ ] 8 Orc Raider\n[ ] 8 Orc Raider": (
            "Shadow Demon 1, Gnoll Marauder 1, Orc Raider 1, Orc Raider 1"
        ),
        "Cost 26 Howl-Sister\nCost 15 Dust Harrier x2\nCost 4 Boneyard Porter": (
            "Howl-Sister 1, Dust Harrier 2, Boneyard Porter 1"
        ),
        "Gutter Knife - 12pts - level 4\nThornwell Archer - 13pts\nCairn Reaver - 19pts": (
            "Gutter Knife 1, Thornwell Archer 1, Cairn Reaver 1"
        ),
        "Warband: Toll Takers [100]\nMap: Monster Lair\nGrave Chamberlain Iskral (L 10, 54 pts)\n"
        "Toll-Gate Halberdier (L2, 8 pts) x4\nGutter Knife (12 pts)": (
            "Grave Chamberlain Iskral 1, Toll-Gate Halberdier 4, Gutter Knife 1"
        ),
        "Ash Ridge Outrider 17\nAsh Ridge Pathfinder 10\nAsh Ridge Pathfinder 10\n"
        "Odile, Ford Marshal 46": (
            "Ash Ridge Outrider 1, Ash Ridge Pathfinder 1, Ash Ridge Pathfinder 1, "
            "Odile, Ford Marshal 1"
        ),
        "D&D Miniatures (2008) – Reed Folk – 100 points\nBramble Elder\t48\nMoss-Antler Stag\t20\n"
        "2x Reed Boar\t18\n2x Fen Adder\t14": (
            "Bramble Elder 1, Moss-Antler Stag 1, Reed Boar 2, Fen Adder 2"
        ),
        "Howl-Sister @ 26\nDust Harrier @ 15 (x2)\nRedhand Skirmisher @ 6 (x3)\nTotal 74/100": (
            "Howl-Sister 1, Dust Harrier 2, Redhand Skirmisher 3"
        ),
        "**Vault Colossus** – *75*\n**Thornwell Archer** – *13*\n||Brass Quarter Sapper – 14||": (
            "Vault Colossus 1, Thornwell Archer 1, Brass Quarter Sapper 1"
        ),
    },
    "chainmail-2002": {
        "Free Captain Dunmar, 18pts, commander\nRoadside Firebrand, 10pts (x2)": (
            "Free Captain Dunmar 1, Roadside Firebrand 2"
        ),
        "Chainmail 2002 - Kiln Walkers 70 points\nWalking Kiln\nAnvil Gate Warden\n"
        "Anvil Gate Warden\nCavern Boltthrower": (
            "Walking Kiln 1, Anvil Gate Warden 1, Anvil Gate Warden 1, Cavern Boltthrower 1"
        ),
        "Stormdrum Caller 13\nBogback Smasher 25\nKnuckle Alley Bruiser x4 20\n"
        "Cinderpit Runt x4 (3 each)": (
            "Stormdrum Caller 1, Bogback Smasher 1, Knuckle Alley Bruiser 4, Cinderpit Runt 4"
        ),
        '[{"name": "Heronwing Lancer", "qty": 2, "pts": 46}, '
        '{"name": "Captain of the Silver Reed", "qty": 1, "pts": 31}]': (
            "Heronwing Lancer 2, Captain of the Silver Reed 1"
        ),
    },
    "chainmail-2001-basic": {
        "4 Goblin\n3 Orc\n2 Ogre": "Goblin 4, Orc 3, Ogre 2",
        "Grave Lantern, 18\nRattlebone Levy, 3 (x6)\nEmbalmer Voskeh, 22": (
            "Grave Lantern 1, Rattlebone Levy 6, Embalmer Voskeh 1"
        ),
    },
    "chainmail-2001-advanced": {
        "Hyenas: 3\nGnolls: 5\nOwlbear: 1": "Hyena 3, Gnoll 5, Owlbear 1",
        "Bannerlady Oresta (38), Millbrook Spearhand (6) x3, Gatehouse Recruit (2) x5": (
            "Bannerlady Oresta 1, Millbrook Spearhand 3, Gatehouse Recruit 5"
        ),
    },
    "t9a-2023": {
        "Sylvan Elves (2023)\nForest Prince [210 pts] General\nForest Guard (20) [220 pts]": (
            "Forest Prince 1, Forest Guard 20"
        ),
        "Ogre Khans 2023\nLords\n270: Great Khan\nCore\n180: 3x Bruisers\nSpecial\n"
        "300: Thunder Cannon": "Great Khan 1, Bruisers 3, Thunder Cannon 1",
        "Vermin Swarm 2023 / 40 Vermin Slaves 150 / 15 Giant Rats 105 / Doomspark Device 255": (
            "Vermin Slaves 40, Giant Rats 15, Doomspark Device 1"
        ),
        "Vermin Swarm (2023)\nDEAD 205 - 30 Vermin Legionaries,\n285 - 3 Dreadmill Chariots, \n"
        "DEAD 290 - 30 Plague Disciples": (
            "Vermin Legionaries 30, Dreadmill Chariots 3, Plague Disciples 30"
        ),
        "Ogre Khans\n180 -3 Bruisers\n279 - Tribesmen (6)\n275 -Slave Giant\n224 - Yetis [3]": (
            "Bruisers 3, Tribesmen 6, Slave Giant 1, Yetis 3"
        ),
        "Sylvan Elves [1500]\n```\n210 - Forest Prince\n460 - 40 Forest Guard\n"
        "225 - 10 Sylvan Archers\n445 - Treefather\n1340\n```": (
            "Forest Prince 1, Forest Guard 40, Sylvan Archers 10, Treefather 1"
        ),
        "Corsair Coast [307pts]\nDread Captain [145pts]\nSelections: Army General\n"
        "Categories: Characters\nRules: Fearless\nSea Wolves [162pts]\n"
        "Selections: 6x Sea Wolf [162pts]\nCategories: Special": "Dread Captain 1, Sea Wolves 6",
        "Dread Fleet\nSea Fog Leviathan .......... 230\nSalt Veterans x5, Champion, Musician\n"
        "2 Tritons": "Sea Fog Leviathan 1, Salt Veterans 5, Tritons 2",
    },
    "t9a-2024": {
        "Kingdom of Equitaine 2024 - 2000\n315 - 9 Hedge Knights\n295 - Knights Penitent (4)\n"
        "145 - Friar’s Lanterns\n270 - Feudal Giant": (
            "Hedge Knights 9, Knights Penitent 4, Friar's Lanterns 1, Feudal Giant 1"
        ),
        "Saurian Ancients (2024), 2500 pts\n1. Carnosaur 335\n2. Weapon Beasts (2) 205\n"
        "3. Raptor Pack (Core) x8: 174\n4. Taurosaur 445": (
            "Carnosaur 1, Weapon Beasts 2, Raptor Pack (Core) 8, Taurosaur 1"
        ),
    },
    "t9a-3rd": {
        "Beast Herds 3rd ed.\nCyclops, 330; Gargoyles, 8, 166; Razortusk Chariot, 230": (
            "Cyclops 1, Gargoyles 8, Razortusk Chariot 1"
        ),
        "Dwarven Holds 3rd edition\n260 - 20 Clan Warriors\n205 - 10 Seekers\n"
        "180 - Anvil of Power\n340 - Hold Guardians x4": (
            "Clan Warriors 20, Seekers 10, Anvil of Power 1, Hold Guardians 4"
        ),
        "Beast Herds\nCore: 30 Mongrel Herd 220\nSpecial: 6 Feral Hounds 108\n"
        "Special: Razortusk Herd (4) 240\nGortach 440": (
            "Mongrel Herd 30, Feral Hounds 6, Razortusk Herd 4, Gortach 1"
        ),
    },
    "essence-of-war": {
        "Orcs and Goblins (EoW) 1000\n150 - Goblin Wolf Raiders [5x1]\n225 Orc Shaman on Foot": (
            "Goblin Wolf Raiders 1, Orc Shaman 1"
        ),
        "Essence of War – Orcs and Goblins\nTrolls 3x1 [175]\nGoblins (5x4) - 150\n"
        "Greenhide Catapult: 150\nOrc Boar Riders, 5×1, 175": (
            "Trolls 1, Goblins 1, Greenhide Catapult 1, Orc Boar Riders 1"
        ),
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


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("system", "text", "units"),
    [
        (system, text, units)
        for lists in (WHOLE, FURTHER)
        for system, texts in lists.items()
        for text, units in texts.items()
    ],
)
def test_a_list_in_any_hand_is_read_whole(system: str, text: str, units: str) -> None:
    assert len(split_text(text, LIBRARY, system)) == 1
    read = read_text(text, LIBRARY, system)
    assert said(read) == units
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
    [
        "```\n" + "\n" * 90_000,
        "- name: x\n" + "\n" * 20_000 + "- " * 1_000,
        "[{" * scaled(500, 3_000, 3_000),
    ],
    ids=["an open block", "dashes", "brackets"],
)
def test_text_that_only_begins_like_data_is_left_as_it_is(text: str) -> None:
    with calls_below(1_000_000):
        assert unnested(text) == text
