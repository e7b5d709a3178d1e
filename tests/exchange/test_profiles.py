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


@pytest.mark.one_in(6)
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


def first(text, **more):
    return read_text(text, LIBRARY, "sbh", ["profiles"], **more).units[0]


def test_a_title_and_a_line_that_add_up_wrongly_are_both_told():
    text, _models, _wrong = WARBANDS[0]
    read = read_text(text, LIBRARY)
    assert (read.document.name, read.printed, read.report.spent) == ("The Gilded Band", 321, 258)
    assert (read.agrees, read.units[-1].state) == (False, "doubt")
    for title, limit in (("The Gilded Band - 300 pts", 300), ("The Gilded Band", 300)):
        read = read_text(text.replace("The Gilded Band - 321 pts", title), LIBRARY)
        assert (read.document.limit, read.agrees) == (limit, None)
    for title, printed in (("The Gilded Band 258", 258), ("The Gilded Band, 290 points", 290)):
        read = read_text(text.replace("The Gilded Band - 321 pts", title), LIBRARY)
        assert (read.document.limit, read.printed, read.agrees) == (300, printed, printed == 258)


@pytest.mark.parametrize("number", [75, 125, 175, 225, 275, 350, 425])
@pytest.mark.parametrize("summed", [False, True])
def test_a_number_behind_a_name_is_the_size_only_where_the_models_fit_it(number, summed):
    levies = number // 15
    total = f"\nTotal: {15 * levies}" if summed else ""
    for models, title, size in (
        (f"{levies}x Levies (4/2) [15] {15 * levies}{total}", f"Company {number}", number),
        (
            "2x Levies (4/2) [15] 30" + ("\nTotal: 30" if summed else ""),
            f"Company {number}",
            200 if summed else 300,
        ),
        ("2x Levies (4/2) [15] 30", f"Company, {number} points", number),
    ):
        read = read_text(f"{title}\n{models}", LIBRARY, "sbh", ["profiles"])
        assert read.document.limit == size, (title, models)


def test_profiles_tell_the_game_unless_a_title_names_another_edition():
    text = "\n".join(WARBANDS[1][0].splitlines())
    for title, system in (
        ("Our league of Song of Blades, round 2", "sbh"),
        ("Chainmail night", "sbh"),
        ("Highborn Elves", "sbh"),
        ("Chainmail 2002: The Mill", "chainmail-2002"),
    ):
        assert read_text(f"{title}\n{text}", LIBRARY).system == system, title


def test_a_profile_of_the_rulebook_is_that_one_and_another_is_not():
    for text, ref in (
        ("Orc Warriors x4 (4/3) 92", "profiles/orc-warrior"),
        ("elf archer Q2 C3 Shooter: Long 55", "profiles/elf-archer"),
        ("Dwarf Crossbowman, good shot (3/3 Sh. M, Good Shot, SM) 38",
         "profiles/dwarf-crossbowman-good-shot"),
        ("Orc Warrior (3/3) 30", ""),
        ("Orc Warrior (4/3 Tough) 45", ""),
        ("Orc Warrior (4/3 Ferocity) 23", ""),
    ):  # fmt: skip
        one = first(text)
        assert (one.unit.entry.ref, one.unit.entry.profile is None) == (ref, bool(ref)), text
        assert one.unit.agrees, text


def test_rules_that_are_not_known_make_a_line_doubtful_and_stay_with_it():
    one = first("Ghost (3/3, Ethereal Form, Undead) 36")
    assert (one.state, one.unit.entry.notes) == ("doubt", "Ethereal Form")
    assert [piece.text for piece in one.unit.lost] == ["Ethereal Form"]
    # One of several that a word may mean is found by the points; without any it is asked.
    assert (first("Bow (4/3 Shooter) 29").state, first("Bow (4/3 Shooter)").state) == (
        "ok",
        "doubt",
    )
    chosen = first("Bow (4/3 Shooter)", choices={"piece-1-0": "shooter-short"}).unit
    assert (chosen.entry.profile.abilities[0].ability, chosen.computed) == ("shooter-short", 26)
    left = first("Bow (4/3 Shooter, Leader)", choices={"piece-1-0": "-"}).unit
    assert [rule.ability for rule in left.entry.profile.abilities] == ["leader"]
    assert first("Bow (4/3)", choices={"unit-1": "-"}).unit.entry is None
    other = first("Bow (4/3)", choices={"unit-1": "profiles/orc-archer"}).unit.entry
    assert other.ref == "profiles/orc-archer"


def test_absurd_profiles_are_reported_in_words():
    many = ", ".join(["Leader", "Hero", "Tough", "Savage"] * 11)
    text = f"Beast (Q9, C99, Leader) 20\nKing (3/3 {many}) 12\nX (Q123 C4) 3\n"
    read = read_text(text, LIBRARY, "sbh")
    beast, king, odd = (one.unit for one in read.units)
    assert (beast.computed, beast.agrees, len(king.lost)) == (1, False, 4)
    assert len(king.entry.profile.abilities) == 40
    assert odd.entry is None
    codes = [finding.code for finding in read.report.findings]
    assert "unit.stats" in codes
    assert read.report.legal is False


def test_a_code_of_the_warband_creator_is_read_alone_and_in_an_address():
    code = "v1Night+Watch@HCaptain*ldlts3!orcs+and+elves@fGGuard+7,+old@"
    for text in (
        code,
        f"https://example.org/sbhowc/?{code}",
        f"Look: https://example.org/#{code.replace('@', '%40').replace('*', '%2A')} \n",
    ):
        read = read_text(text, LIBRARY)
        captain, guard = read.document.units
        assert captain.profile.name == "Captain", text
        rules = [(one.ability, one.target) for one in captain.profile.abilities]
        assert rules == [("leader", ""), ("lethal", "orcs and elves"), ("shooter-long", "")]
        assert (guard.profile.name, guard.models) == ("Guard 7, old", 6)
        assert [dict(one.profile.stats) for one in (captain, guard)] == [
            {"quality": 4, "combat": 3},
            {"quality": 3, "combat": 3},
        ]
    # A rule of a supplement, and points kept for summoning, are told; other words are no code.
    read = read_text("v1@GMage*musm@sm40@", LIBRARY)
    assert [piece.text for piece in read.units[0].unit.lost] == ["Summoner"]
    assert "40 points" in read.document.notes
    assert read_text("v1.2 of anna@Example.org\nHuman Leader 60", LIBRARY, "sbh").count("lost") == 0
