"""Odd lines that players write: each read to the point, or told; none taken for something else."""

from pathlib import Path

import pytest

from armybuilder.exchange.pasting import read_text
from tests.exchange.pasted import LIBRARY

ULF = "Ulf Q3 C3 Leader, Fearless"

#: Texts of Song of Blades: names with their numbers and points, and what is in notes.
BANDS = {
    f"{ULF} 66 # painted blue": ("Ulf 1 66", "painted blue"),
    f"{ULF} 66 // an old one": ("Ulf 1 66", "an old one"),
    f"{ULF} 66pts -- bought in 1994": ("Ulf 1 66", "bought in 1994"),
    f"{ULF}, XP 4, 66": ("Ulf 1 66", "XP 4"),
    "Name: Ulf\nQuality: 3+\nCombat: 3\nSpecial Rules: Leader, Fearless\nPoints: 66": (
        "Ulf 1 66", "",
    ),
    "three Bowmen Q4 C2 Shooter (Long) 26 each": ("Bowmen 3 78", ""),
    "Seven Sisters Q4 C2 Shooter (Long) 26": ("Seven Sisters 1 26", ""),
    "Warrior Q3 C3 30 x4 = 120": ("Warrior 4 120", ""),
    "Warrior Q3 C3 4 x 30 = 120": ("Warrior 4 120", ""),
    "Ulf\nQ 3+\nC 3\nLeader\nFearless\n66\n\nPike\nQ 4+\nC 3\n23": ("Ulf 1 66 Pike 1 23", ""),
    "1 Human Leader, 4 Human Warriors and 2 Human Archers": (
        "Human Leader 1 60 Human Warrior 4 120 Human Archer 2 88", "",
    ),
    "Human Leader (60), Human Warrior x4 (120)": ("Human Leader 1 60 Human Warrior 4 120", ""),
    "Human Leader 60 + 4 Human Warrior 120 = 180": ("Human Leader 1 60 Human Warrior 4 120", ""),
    f"{ULF} 66\n\n1 figure, 66 points": ("Ulf 1 66", ""),
    "Ulf (Leader, Fearless; Q3, C3; 66)": ("Ulf 1 66", ""),
    "Ulf: Q3 C3 (30) + Leader + Fearless = 66": ("Ulf 1 66", ""),
    "Ulf, Qualität 3+, Kampf 3, Sonderregeln: Leader, Fearless, 66 Punkte": ("Ulf 1 66", ""),
    "4 Guerriers (Q3+ C3) - 30 pts chacun": ("Guerriers 4 120", ""),
    "<b>Ulf</b> Q3 C3 Leader, Fearless 66<br>": ("Ulf 1 66", ""),
    "Human Leader 60\n4 Human Warrior 120 pts (30 each)": (
        "Human Leader 1 60 Human Warrior 4 120", "",
    ),
    "SBH 300: Human Leader 60; 4x Human Warrior 120": ("Human Leader 1 60 Human Warrior 4 120", ""),
    f"Figures: 1\n{ULF} 66\nDrops: 1\nSpent: 66\nLeft: 234": ("Ulf 1 66", ""),
    f"Player: Anna\nClub: Nowhere\n{ULF} 66": ("Ulf 1 66", ""),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("text", BANDS)
def test_odd_lines_of_warbands_are_read(text: str) -> None:
    wanted, notes = BANDS[text]
    read = read_text(text, LIBRARY)
    assert (read.system, read.count("lost")) == ("sbh", 0)
    names = [f"{one.unit.name} {one.unit.models} {one.unit.computed}" for one in read.units]
    assert " ".join(names) == wanted
    told = [unit.notes.replace("\n", ", ") for unit in read.document.units]
    assert told[0] == notes
    assert all(one.unit.agrees in (True, None) for one in read.units)
    assert read.printed in (None, read.report.spent)


#: Lines of Highborn Elves: the unit, how often, its models and points in the text, and its options.
LINES = {
    "(235) High Prince: General": ("high-prince", 1, 1, 235, "General"),
    "[245pts] High Prince: General, Shield": ("high-prince", 1, 1, 245, "General Shield"),
    "245p: High Prince: General, Shield": ("high-prince", 1, 1, 245, "General Shield"),
    "380 30 Citizen Spears": ("citizen-spears", 1, 30, 380, ""),
    "380 30x Citizen Spears, Champion": ("citizen-spears", 1, 30, 380, "Champion"),
    "2x (10 Citizen Archers, Musician) 160": ("citizen-archers", 2, 10, 160, "Musician"),
    "3*5 Elein Reavers": ("elein-reavers", 3, 5, None, ""),
    "20 Sea Guard incl. Champion, Musician": ("sea-guard", 1, 20, None, "Champion Musician"),
    "General: High Prince, Shield": ("high-prince", 1, 1, None, "Shield General"),
    "High Prince, Gen., Shield": ("high-prince", 1, 1, None, "General Shield"),
    "High Prince – General – Shield – 245": ("high-prince", 1, 1, 245, "General Shield"),
    "High Prince / General / Shield / 245": ("high-prince", 1, 1, 245, "General Shield"),
    "245: High Prince + General + Shield": ("high-prince", 1, 1, 245, "General Shield"),
    "Citizen Spears - 30 - Champion - 380": ("citizen-spears", 1, 30, 380, "Champion"),
    "2 units of 20 Citizen Archers with Musician (150 each)": (
        "citizen-archers", 2, 20, 150, "Musician",
    ),
    "[12:32, 3.4.2024] Tom: 380 30 Citizen Spears cms": (
        "citizen-spears", 1, 30, 380, "Champion Musician Standard Bearer",
    ),
    "3/4/2024, 12:32 - Tom: 30 Citizen Spears, campione, musicien, Standartenträger 380": (
        "citizen-spears", 1, 30, 380, "Champion Musician Standard Bearer",
    ),
    "<li>30 Citizen Spears &amp; Champion 380</li>": ("citizen-spears", 1, 30, 380, "Champion"),
    "Unit | Options | Models | Points\n|---|---|---|---|\n| Sea Guard | Champion | 20 | 470 |": (
        "sea-guard", 1, 20, 470, "Champion",
    ),
    "Unit\tOptions\tPoints\nSea Guard x20\tChampion\t470": ("sea-guard", 1, 20, 470, "Champion"),
    "* 20 Sea Guard [490pts]\n** Champion\n** Musician": (
        "sea-guard", 1, 20, 490, "Champion Musician",
    ),
}  # fmt: skip


@pytest.mark.one_in(4)
@pytest.mark.parametrize("text", LINES)
def test_odd_lines_of_armies_are_read(text: str) -> None:
    ref, times, models, printed, names = LINES[text]
    read = read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
    (line,) = read.units
    unit = line.unit
    assert (unit.chosen.split("/")[1], unit.times, unit.models) == (ref, times, models)
    assert (unit.printed, " ".join(piece.name for piece in unit.pieces)) == (printed, names)
    assert (unit.lost, read.count("lost")) == ((), 0)


def test_other_lines_are_not_taken_for_units() -> None:
    for text in ("10+10 Citizen Archers", "30 Spears", "My general is a High Prince (245)"):
        read = read_text(f"Highborn Elves\n{text}", LIBRARY)
        assert read.system.startswith("t9a-"), text
        assert [one.unit.entry for one in read.units if one.unit.entry] == [], text
        assert text in read.document.notes, text


def test_sizes_in_thousands_and_remaining_points_are_read() -> None:
    units = "235 - High Prince, General\n150 - 10 Citizen Archers"
    for head, foot, size in (
        ("Highborn Elves, 4k", "", 4000),
        ("Highborn Elves (3.5k)", "", 3500),
        ("Highborn Elves", "\nTotal: 385\nMissing: 2615", 3000),
        ("Highborn Elves", "\nTotal: 385 (2615 left)", 3000),
        ("Size: 3000\nHighborn Elves", "\nTotal: 385\nDrops: 2", 3000),
    ):
        read = read_text(f"{head}\n{units}{foot}", LIBRARY, "t9a-2023", ["highborn-elves"])
        assert (read.document.limit, read.tells_size) == (size, True), (head, foot)
        assert (read.count("lost"), read.printed) == (0, 385 if foot else None), (head, foot)


def test_lines_below_a_unit_belong_to_it_behind_one_that_is_not_known() -> None:
    text = "Highborn Elves 4500\nHigh Prince\n  General\n  Gizmo\n  Shield\n20 Sea Guard\n"
    prince, guard = read_text(text, LIBRARY, "t9a-2023").units
    assert [piece.name or piece.text for piece in prince.unit.pieces] == [
        "General", "Gizmo", "Shield"
    ]  # fmt: skip
    assert [piece.text for piece in prince.unit.lost] == ["Gizmo"]
    assert guard.unit.models == 20


CREATURES = """Chaotic Evil 200
(2) Drow Spiderguard 52
Shadow Demon (Abyssal Curse 38/60) 42
Orc Raider (8 each) x2
Map - Monster Lair
Faction: CE
"""


def test_creatures_with_set_numbers_are_read() -> None:
    read = read_text(CREATURES, LIBRARY)
    named = [(one.unit.name, one.unit.models, one.unit.printed) for one in read.units]
    assert named == [("Drow Spiderguard", 2, 52), ("Shadow Demon", 1, 42), ("Orc Raider", 2, 16)]
    assert read.system == "ddm-2008"
    assert read.document.settings["map"] == "monster-lair"


STRANGERS = Path(__file__).with_name("strangers.txt").read_text("utf-8").split("\n\n=== ")[1:]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("case", STRANGERS, ids=range(len(STRANGERS)))
def test_lists_of_strangers_are_read_whole(case: str) -> None:
    said, wanted, text = case.split("\n", 2)
    game, size = said.split()
    system, _slash, book = game.removeprefix("?").partition("/")
    read = read_text(text, LIBRARY, system or None, [book] if book else [])
    units = [(one.unit, f" *{one.unit.times}" if one.unit.times > 1 else "") for one in read.units]
    got = [f"{unit.name} {unit.models} {unit.computed}{times}" for unit, times in units]
    assert "=== " + "; ".join(got) == wanted
    assert (read.count("lost"), read.document.limit) == (0, int(size))
    assert [unit.lost for unit, _times in units if unit.lost or unit.agrees is False] == []


#: One warband, as models with their number and points.
BAND = (
    ("Orc Boss", 1, 60), ("Orc Warrior", 4, 23), ("Orc Archer", 2, 29), ("Troll", 1, 41),
    ("Goblin Warrior", 2, 15),
)  # fmt: skip
#: Each form of it: a line of one model, and what is above, between and below the lines.
FORMS_OF_ONE = (
    ("{m} {n} {all}",),
    ("{m}x {n} ({p} each)",),
    ("{n} x{m} - {all} pts",),
    ("- {m} × {n}: {all}p",),
    ("{n}\t{m}\t{p}\t{all}", "Model\tNo.\tEach\tTotal\n"),
    ("{n};{m};{p},0;{all},0", "Modell;Anzahl;Punkte;Gesamt\n"),
    ("| {n} | {m} | {all} |", "| Name | Qty | Points |\n|---|---|---|\n"),
    ("{all} - {m} {n}",),
    ("[{all}] {n} ({m})",),
    ("{n} ({m}) [{all}]",),
    ("{m} {n} @ {p}",),
    ("• **{n}** ×{m} — _{all}_",),
    ("> {m} {n} = {all}", "Green Tide (300)\n", "\n", "\n> Total = 281"),
    ("{m} {n}s", "Green Tide 300: ", ", "),
    ("{n} x{m} ({all})", "Green Tide (300 points) - ", "; "),
    ("{n} x{m} ..... {p} ea.",),
    ("{m} * {n} * {p}",),
    ("{n}: {m} x {p} = {all}", "Green Tide (300)\n", "\n", "\nSum: 281 / 300"),
    ("{n}, {m} Stück, {all} Punkte", "Green Tide (300)\n", "\n", "\nGesamt 281 Punkte"),
    ("{m} {n} à {p} points", "Green Tide (300)\n", "\n", "\nTotal : 281 points"),
    ("<li>{m} {n} <i>({all} pts)</i></li>", "<h2>Green Tide, 300 points</h2><ul>", "\n", "</ul>"),
    ("🟢 {n} ✖ {m} 👉 {all}", "Green Tide (300)\n", "\n", "\n🏁 281/300"),
    ("({m}) {n}, {all}pts.", "Green Tide (300)\n", "\n", "\n\n281 pts. total (19 left)"),
    ("{m} {n}, {p} a piece", "Green Tide (300)\n", "\n", "\n"),
)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("form", FORMS_OF_ONE, ids=lambda form: form[0])
def test_one_list_is_read_in_every_form(form: tuple[str, ...]) -> None:
    line, above, between, below = (*form, *("Green Tide (300)\n", "\n", "")[len(form) - 1 :])
    said = [line.format(n=name, m=number, p=each, all=number * each) for name, number, each in BAND]
    read = read_text(above + between.join(said) + below, LIBRARY, "sbh")
    units = [(one.unit.name, one.unit.models, one.unit.computed) for one in read.units]
    assert units == [(name, number, number * each) for name, number, each in BAND]
    assert (read.document.limit, read.count("lost"), read.printed) == (300, 0, read.printed and 281)
    assert all(one.state == "ok" for one in read.units)
