"""Warbands of Song of Blades as players write them: profiles of models that no book has."""

import pytest

from armybuilder.exchange.pasting import read_text
from tests.exchange.pasted import LIBRARY

#: The models of each warband: name, number, Quality, Combat, special rules by their ids.
ODO = ("Marshal Odo", 1, 2, 4, "leader heavy-armor")
BRAN = ("Ser Bran", 1, 3, 4, "mounted heavy-armor long-move")
LANCERS = ("Lancers", 2, 4, 4, "mounted heavy-armor long-move")
LEVIES = ("Levies", 3, 4, 2, "")
HUNTER = ("Hunter", 1, 3, 2, "shooter-medium forester")
WITCH = ("Witch", 1, 3, 1, "magic-user short-move")
HOUND = ("Hound", 2, 4, 2, "animal long-move")

#: A text, its models, and the points in it that are not those of the models, by their names.
WARBANDS = [
    (
        "The Gilded Band - 321 pts\nMarshal Odo (2/4 Leader, Heavy Armor) 95\n"
        "2x Lancers (4/4 Mounted, Heavy Armor, Long Move) [59] 118\n3x Levies (4/2) [15] 30",
        [ODO, LANCERS, LEVIES],
        {"Levies": 30},
    ),
    ("Marshal Odo: Q2 C4, Leader, Heavy Armour - 95 pts\nHunter: Q3 C2, Shoot (M), Forester - 34",
     [ODO, HUNTER], {}),
    ("95 - Marshal Odo, Q2+, C4, Leader, HA\n34 - Hunter, Q3+, C2, Shooter-Medium, Forester",
     [ODO, HUNTER], {}),
    ("* Marshal Odo Q2+ C4 Leader & Heavy Armor (95)\n* 3 Levies Q4+ C2 (15 each)",
     [ODO, LEVIES], {}),
    (
        "Levies x 3\nQuality 4+\nCombat: 2\nSpecial abilities: none\nPoints cost: 15 each\n\n"
        "Witch\nQuality 3+\nCombat: 1\nSpecial abilities: Magic User, Short Move\nPoints cost: 40",
        [LEVIES, WITCH],
        {"Witch": 40},
    ),
    ("Marshal Odo\nPoints 95\nQuality 2+\nCombat 4\nLeader, Heavy Armor\n\nHound x2\n"
     "Points 22\nQuality 4+\nCombat 2\nAnimal, Long Move", [ODO, HOUND], {"Hound": 44}),
    ("Name | Q | C | Special rules | Points\n---|---|---|---|---\nMarshal Odo | 2+ | 4 | Leader, "
     "Heavy Armor | 95\nWitch | 3+ | 1 | MU, Short Move | 34", [ODO, WITCH], {}),
    ("Unit\tNo\tQuality\tCombat\tAbilities\tPts\tTotal\nLevies\t3\t4+\t2\t-\t15\t45\n"
     "Lancers\t2\t4+\t4\tMounted, Heavy Armor, Long Move\t59\t118", [LEVIES, LANCERS], {}),
    ("| Marshal Odo | 2+ | 4 | Leader, Heavy Armor | 95 |\n| Hunter | 3+ | 2 | Sh M, Forester |34|",
     [ODO, HUNTER], {}),
    ("Ser Bran 3/4/ Heavy Armor, Mounted, Long Move 78\nHunter 3/2/ Forester, Shooter Med. 34",
     [BRAN, HUNTER], {}),
    ("Q2 C4 Marshal Odo - Leader, Heavy Armor - 95 points\nQ4 C2 Levies x3 - 15 points each",
     [ODO, LEVIES], {}),
    ("**Marshal Odo** - 95pts\nQ2+ / C4\n_Leader, Heavy Armor_\n\n**Levies** (3) - 45pts\nQ4+ / C2",
     [ODO, LEVIES], {}),
    ("Marshal Odo [95]: Quality 2+, Combat 4, Special rules: Leader, Heavy Armor.\n"
     "Hound (x2) [44]: Quality 4+, Combat 2, Special rules: Animal, Long Move.", [ODO, HOUND],
     {"Hound": 44}),
    ("1. Marshal Odo (Q2, C4; Leader; Heavy Armor) = 95\n2. Levies 3 x 15 = 45 (Q4, C2)",
     [ODO, LEVIES], {}),
    ("✅ Marshal Odo (2/4 Leader, Heavy Armor) 95\nDEAD Ser Bran (3/4 Mounted, Heavy Armor, "
     "Long Move) 78\n~~3x Levies (4/2) 45~~", [ODO, BRAN, LEVIES], {}),
    ("```\nMarshal Odo (2/4 Leader, Heavy Armor) 95\nWitch (3/1 Magic-user, Short move) 34\n```",
     [ODO, WITCH], {}),
    ("Marshal Odo C4 Q2+ Leader Heavy Armor\nSer Bran C4 Q3+ Mounted Heavy Armor Long Move",
     [ODO, BRAN], {}),
    ("Marshal Odo 2+ 4 Leader, Heavy Armor 95\n2 Hound 4+ 2 Animal, Long Move 36", [ODO, HOUND],
     {"Hound": 36}),
    ("Marshal Odo (2/4 Leader,\nHeavy Armor) 95\nLancers x2 (4/4 Mounted,\nHeavy Armor,\n"
     "Long Move) 118", [ODO, LANCERS], {}),
    ("- Marshal Odo, 95 pts (Q2, C4, Leader, Heavy Armor)\n- Levies, 3 @ 15 pts = 45 pts (Q4, C2)",
     [ODO, LEVIES], {}),
    ("• Hunter – Q3 – C2 – Medium Shooter, Forester – 34\n• Witch – Q3 – C1 – Magic-User, "
     "Short Mover – 34", [HUNTER, WITCH], {}),
    ("Hunter Q3+ C2: shooter (medium), FORESTER; 34p.\n3x Levies Q4+ C2: None; 45p.",
     [HUNTER, LEVIES], {}),
    ("Hunter Q 3 C 2 Special: Shooter: Medium / Forester  Cost: 34\nLevies Q 4 C 2 Number: 3 "
     "Cost: 15 each", [HUNTER, LEVIES], {}),
    ("Ser Bran\n3/4\nMounted, Heavy Armor, Long Move\n78 points\nHound x2\n4/2\nLong Move, Animal\n"
     "18 points each", [BRAN, HOUND], {"Hound": 36}),
    ("Models: 3\n\nMarshal Odo\n\nQuality: 2\n\nCombat: 4\n\nSpecial Rules: Leader, Heavy Armor\n\n"
     "Witch\n\nQuality: 3\n\nCombat: 1\n\nSpecial Rules: Magic User, Short Move", [ODO, WITCH], {}),
    ("Marshal Odo, Personality, Qual 2+, Com 4, Leader, H. Armor, 95\nHound, Qual 4+, Com 2, "
     "Anim., Long Mv, x2", [ODO, HOUND], {}),
    ("Marshal Odo (Leader, Heavy Armor) 2/4 95\nHunter (Shooter-M, Forester) 3/2 34",
     [ODO, HUNTER], {}),
    ("95 pts | Marshal Odo | Q2/C4 | Leader, Heavy Armor\n45 pts | Levies (3) | Q4/C2 |",
     [ODO, LEVIES], {}),
    ("Giant Slayer (3/4 Lethal vs Giants, Fearless) 52\nWard (3/3; Undead; Artificial)",
     [("Giant Slayer", 1, 3, 4, "lethal:Giants fearless"),
      ("Ward", 1, 3, 3, "undead artificial")], {}),
    ("v1The+Gilded+Band@KMarshal+Odo*ldha@cCLevies@bCHound*anm3@",
     [ODO, LEVIES, HOUND], {}),
]  # fmt: skip


def models(text):
    """Each model as it was read: name, number, statistics, rules."""
    read = read_text(text, LIBRARY)
    assert read.system == "sbh"
    for unit in read.document.units:
        rules = [f"{one.ability}:{one.target}".rstrip(":") for one in unit.profile.abilities]
        yield (unit.profile.name, unit.models, *unit.profile.stats.values(), " ".join(rules))


def same(one, other):
    return (*one[:4], sorted(one[4].split())) == (*other[:4], sorted(other[4].split()))


@pytest.mark.parametrize(("text", "wanted", "wrong"), WARBANDS)
def test_a_warband_is_read_whole(text, wanted, wrong):
    read = read_text(text, LIBRARY)
    found = list(models(text))
    assert len(found) == len(wanted)
    assert all(same(one, other) for one, other in zip(found, wanted, strict=True)), found
    assert read.count("lost") == 0
    for line in read.units:
        unit = line.unit
        if unit.name in wrong and unit.computed != wrong[unit.name]:
            assert (line.state, unit.printed) == ("doubt", wrong[unit.name]), line
        else:
            assert (line.state, unit.agrees in (True, None)) == ("ok", True), line
