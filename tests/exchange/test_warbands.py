"""Thirty warbands of Song of Blades in the notations of players' texts, each read whole."""

import pytest

from armybuilder.exchange.pasting import read_text, split_text
from tests.exchange.pasted import LIBRARY

#: Models by name: Quality, Combat, points, and special rules by their ids.
MODELS = {
    "Ulf": (3, 3, 66, "leader fearless"),
    "Bowman": (4, 2, 26, "shooter-long"),
    "Dog": (5, 2, 20, "animal long-move gregarious"),
    "Skald": (3, 2, 50, "hero"),
    "Reaver": (4, 3, 27, "savage"),
    "Troll": (4, 4, 50, "big slow tough"),
    "Witch": (3, 1, 34, "magic-user short-move"),
    "Priest": (3, 2, 56, "cleric steadfast"),
    "Thief": (3, 2, 38, "stealth free-disengage dashing"),
    "Rats": (5, 1, 5, "swarm animal"),
    "Wight": (4, 3, 50, "undead terror"),
    "Imp": (4, 2, 35, "flying poison"),
    "Knight": (3, 4, 58, "mounted heavy-armor"),
    "Slayer": (3, 4, 46, "lethal:Trolls"),
    "Spear": (4, 3, 23, ""),
}

#: Texts, and the models in them with their numbers.
WARBANDS = {
    "dashes, points of each": (
        "Iron Ravens (300 pts)\nUlf - Q3+ C3 - Leader, Fearless - 66\n"
        "Bowman x3 - Q4+ C2 - Shooter: Long - 26 ea.\nSpear x2 - Q4+ C3 - 23 ea",
        "Ulf 1 Bowman 3 Spear 2",
    ),
    "a multiplication": (
        "* Ulf (Q3/C3) Leader, Fearless. 66pts\n* Bowman (Q4/C2) Shooter-Long. 26pts x2 = 52pts",
        "Ulf 1 Bowman 2",
    ),
    "blocks with a comma": (
        "ULF, 66 points\nQuality: 3+   Combat: 3\nSpecial: Leader, Fearless\n\n"
        "BOWMAN (2), 26 points each\nQuality: 4+   Combat: 2\nSpecial: Shooter (Long)",
        "Ulf 1 Bowman 2",
    ),
    "tabs": ("1 x Skald\t50\tQ3\tC2\tHero\n2 x Reaver\t54\tQ4\tC3\tSavage", "Skald 1 Reaver 2"),
    "pipes in brackets": (
        "Skald [Q3+|C2|Hero] 50\nReaver [Q4+|C3|Savage] 27 (x2)", "Skald 1 Reaver 2",
    ),
    "a table, rules last": (
        "Q | C | Model | Cost | Rules\n3+ | 2 | Skald | 50 | Hero\n4+ | 4 | Troll | 50 | Big, "
        "Slow, Tough", "Skald 1 Troll 1",
    ),
    "commas with headings": (
        "Name,Q,C,Special,Pts\nSkald,3+,2,Hero,50\nReaver,4+,3,Savage,27", "Skald 1 Reaver 1",
    ),
    "semicolons with headings": (
        "Name;Quality;Combat;Special Rules;Points;Number\nWitch;3;1;Magic-User, Short Move;34;1\n"
        "Rats;5;1;Swarm, Animal;5;2", "Witch 1 Rats 2",
    ),
    "dashes, points first": (
        "Witch - 34 - Q3+ - C1 - Magic-User, Short Move\nImp - 35 - Q4+ - C2 - Flying, Poison",
        "Witch 1 Imp 1",
    ),
    "kinds before models": (
        "Boss: Ulf Q3 C3 Leader, Fearless 66\nArchers: 2x Bowman Q4 C2 Shooter Long 52",
        "Ulf 1 Bowman 2",
    ),
    "parted by a dash": (
        "Knight\nQ3+ C4\nMounted, Heavy Armour\n58pts\n-\nDog (x2)\nQ5+ C2\nLong Move, Animal, "
        "Gregarious\n20pts each", "Knight 1 Dog 2",
    ),
    "sentences": (
        "Ulf, 66 points, Quality 3, Combat 3, is a Leader, is Fearless.\n"
        "Knight, 58 points each, Quality 3, Combat 4, Mounted with Heavy Armor. (2 of these)",
        "Ulf 1 Knight 2",
    ),
    "signs, and a sum": (
        "2 Bowman (Q4+ C2 Shooter (Long)) @26 = 52\nUlf (Q3+ C3 Leader, Fearless) = 66\n"
        "TOTAL = 118",
        "Bowman 2 Ulf 1",
    ),
    "columns": (
        "Priest   Q3+  C2   Cleric, Steadfast         56\n"
        "Bowman   Q4+  C2   Shooter (Long)   2x   52", "Priest 1 Bowman 2",
    ),
    "boxes to tick": (
        "- [ ] Priest (56): Q3 C2 Cleric, Steadfast\n- [ ] Bowman (26) x2: Q4 C2 Shooter (Long)\n"
        "- [x] Dog (20): Q5 C2 Animal, Long Move, Gregarious", "Priest 1 Bowman 2 Dog 1",
    ),
    "emoji and dots": (
        "⚔️ Thief — Q3+ · C2 · Stealth, Free Disengage, Dashing — 38 pts\n"
        "🐀 2 × Rats — Q5+ · C1 · Swarm, Animal — 10 pts", "Thief 1 Rats 2",
    ),
    "long dashes and full stops": (
        "Thief – Quality 3+, Combat 2, Stealth / Free Disengage / Dashing, 38pts.\n"
        "Wight – Quality 4+, Combat 3, Undead, Terror, 50pts. (2 of these)", "Thief 1 Wight 2",
    ),
    "labels": (
        "Skald (personality) Q:3 C:2 SR: Hero Pts: 50\n"
        "Wight Q:4 C:3 SR: Undead, Terror Pts: 50 Qty: 2", "Skald 1 Wight 2",
    ),
    "points on the next line": (
        "Ulf, Q3, C3, Leader, Fearless,\n66 pts\nBowman, Q4, C2, Shooter (Long),\n26 pts",
        "Ulf 1 Bowman 1",
    ),
    "bare points first": (
        "66 Ulf Q3 C3 Leader, Fearless\n52 Bowman Q4 C2 Shooter (Long) x2", "Ulf 1 Bowman 2",
    ),
    "rules in square brackets": (
        "Knight Q3+ C4 [Mounted] [Heavy Armor] (58)\nBowman Q4+ C2 [Shooter (Long)] (26) *2",
        "Knight 1 Bowman 2",
    ),
    "full stops": (
        "Slayer. Q 3+. C 4. Lethal against Trolls. 46 points.\n"
        "Reaver. Q 4+. C 3. Savage. 2 models, 54 points.", "Slayer 1 Reaver 2",
    ),
    "slashes, and the sum first": (
        "Warband: Iron Ravens\nPoints: 118/300\nUlf / Q3+ / C3 / Leader / Fearless / 66\n"
        "Bowman / Q4+ / C2 / Shooter (Long) / 2 x 26", "Ulf 1 Bowman 2",
    ),
    "names of their own": (
        "“Grim” Ulf Q3 C3 Leader Fearless 66\n“The Boys” Bowman Q4 C2 Shooter (Long) x2 52",
        "Ulf 1 Bowman 2",
    ),
    "colons": ("Ulf:Q3:C3:Leader:Fearless:66\nImp:Q4:C2:Flying:Poison:35", "Ulf 1 Imp 1"),
    "rules below": (
        "Skald Q:3+, C:+2, 50pts\nHero\nImp Q:4+, C:+2, 35pts\nFlying, Poison", "Skald 1 Imp 1",
    ),
    "rows below rows": (
        "| Skald | Q3 | C2 | 50 |\n| Hero |\n| Bowman | Q4 | C2 | 26 |\n| Shooter (Long) |",
        "Skald 1 Bowman 1",
    ),
    "cost first": (
        "Cost 50: Skald, Q3 C2, Hero\nCost 23: Spear, Q4 C3\nPoints left: 227", "Skald 1 Spear 1",
    ),
    "sections with points": (
        "Personalities: 66 pts\nUlf 3/3 Leader, Fearless 66\n\nTroops (103)\n"
        "2x Bowman 4/2 Shooter-Long 52\nImp 4/2 Flying, Poison 35\nDog 5/2 Long Move, Animal, "
        "Gregarious 20", "Ulf 1 Bowman 2 Imp 1 Dog 1",
    ),
    "a code": (
        "v1Iron+Ravens@GUlf*ldfl@bHWight*udtr@cHSpear@", "Ulf 1 Wight 2 Spear 3",
    ),
}  # fmt: skip


def wanted_of(members: str) -> list[tuple[str, int, int, int, list[str]]]:
    words = members.split()
    return [
        (name, int(number), *MODELS[name][:2], sorted(MODELS[name][3].split()))
        for name, number in zip(words[::2], words[1::2], strict=True)
    ]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("way", WARBANDS)
def test_a_warband_is_read_whole_to_the_point(way: str) -> None:
    text, members = WARBANDS[way]
    assert len(split_text(text, LIBRARY)) == 1
    read = read_text(text, LIBRARY)
    assert (read.system, read.count("lost")) == ("sbh", 0)
    lists = zip(read.document.units, wanted_of(members), strict=True)
    for unit, (name, number, quality, combat, rules) in lists:
        profile = unit.profile
        assert (profile.name.casefold(), unit.models) == (name.casefold(), number)
        assert [*profile.stats.values()] == [quality, combat]
        taken = [f"{one.ability}:{one.target}".rstrip(":") for one in profile.abilities]
        assert sorted(taken) == rules, name
    for line in read.units:
        assert line.state == "ok", line
        assert line.unit.computed == MODELS[line.unit.name.title()][2] * line.unit.models
        assert line.unit.agrees in (True, None)
    names = members.split()[::2]
    assert read.report.spent == sum(
        MODELS[name][2] * int(number)
        for name, number in zip(names, members.split()[1::2], strict=True)
    )
