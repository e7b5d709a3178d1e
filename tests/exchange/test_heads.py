"""What a text is of: its game, edition, army and size, told or assumed; and names in any dress."""

import pytest

from armybuilder.engine.sentences import sentence
from armybuilder.exchange.pasting import in_one_edition, read_part, read_text, split_text
from tests.effort import THOROUGH, scaled
from tests.exchange.pasted import LIBRARY

#: What these cost in the books of 2023.
UNITS = "235 - High Prince, General\n150 - 10 Citizen Archers\n"
#: The same with the prices of 2024, and of no edition.
NEWER = "240 - High Prince, General\n145 - 10 Citizen Archers\n"


def read(text, *args, **more):
    return read_text(text, LIBRARY, *args, **more)


SIZES = ((2996, 3000), (3000, 3000), (3501, 3510), (3500, 3500), (3961, 4000), (3959, 3960))


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("total", "size"), SIZES)
def test_no_size_is_taken_that_the_total_rules_out(total: int, size: int) -> None:
    whole = read(f"Highborn Elves\n{UNITS}{total}\n")
    assert (whole.printed, whole.document.limit, whole.tells_size) == (total, size, False)
    assert "points.over" not in [one.code for one in whole.report.findings]


def test_other_games_go_by_their_own_rules() -> None:
    for text, system, size in (
        ("Human Warrior - 30\n2x Human Warrior - 60\n90", "sbh", 200),
        ("Human Leader - 60\n4x Human Archer - 176\n2x Human Warrior - 60", "sbh", 300),
        ("Orc Raider - 8\nDrow Spiderguard - 26\n34", "ddm-2008", 50),
        (
            "Orcs and Goblins\n300 - Orc Shaman, Master\n250 - Orcs, 5×5\n1460",
            "essence-of-war",
            1500,
        ),
    ):
        assert read(text, system).document.limit == size, text


@pytest.mark.parametrize(
    "title",
    [
        *("Highborn Elves, 3200 points", "Highborn Elves (3200)", "Zoe's elves [3200 pts]"),
        *("Zoe\nHighborn Elves\n3200 points", "Highborn Elves - 3200"),
        "Autumn Cup 2031, Highborn Elves, 3200 pts",
    ],
)
def test_a_title_tells_the_size_wherever_it_stands_in_it(title: str) -> None:
    whole = read(f"{title}\n{UNITS}", "t9a-2023", ["highborn-elves"])
    assert (whole.document.limit, whole.tells_size) == (3200, True)


@pytest.mark.slow
def test_numbers_in_units_years_and_totals_are_no_sizes() -> None:
    for title in ("Highborn Elves", "Highborn Elves, Autumn Cup 2031", "Table 12, Highborn Elves"):
        whole = read(f"{title}\n{UNITS}")
        assert (whole.document.limit, whole.tells_size) == (4500, False), title
    whole = read(f"Highborn Elves - 2984 pts\n{UNITS}")
    assert (whole.printed, whole.document.limit, whole.tells_size) == (2984, 3000, False)
    whole = read(
        "Drow Spiderguard - 26\nOrc Raider - 8\nOrc Raider - 8\nOrc Raider - 8", "ddm-2008"
    )
    assert (whole.document.limit, whole.tells_size) == (50, False)


def test_marks_leave_the_head_as_it_is_and_notes_tell_no_size() -> None:
    plain = "Zoe\nHighborn Elves (3200)\n" + UNITS
    first, second = UNITS.splitlines()
    marked = f"★ Zoe ★\n*Highborn Elves* (3200)\n✅ {first}\nDEAD {second}"
    for text in (plain, marked):
        whole = read(text)
        assert (whole.document.name, whole.document.limit, whole.tells_size) == ("Zoe", 3200, True)
        assert [unit.unit.agrees for unit in whole.units] == [True, True]
    whole = read(f"Zoe\nHighborn Elves\nNotes: I have 2500 dice\n{UNITS}")
    assert (whole.document.limit, whole.tells_size) == (4500, False)
    whole = read(f"Zoe 3200\nDEAD 235 - High Prince, General\n2500 points\n{UNITS}")
    assert (whole.printed, whole.document.limit) == (2500, 3200)


def test_an_army_that_is_called_as_a_unit_and_prices_without_a_total() -> None:
    whole = read("Cultists 3000\n170 - 25 Cultists\n")
    assert (whole.document.limit, whole.tells_size, len(whole.document.units)) == (3000, True, 1)
    assert whole.lines[0].kind == "game"
    whole = read("Cultists\n170 - 25 Cultists\n")
    assert len(whole.document.units) == 1
    whole = read("Highborn Elves\n1800 - High Prince, General\n1190 - 10 Citizen Archers\n")
    assert (whole.printed, whole.document.limit, whole.tells_size) == (None, 3000, False)


def pairs() -> list[tuple[str, str, str, str]]:
    """Each army with a unit that another army of the edition has too."""
    found = []
    for system in ("t9a-2023", "t9a-2024", "essence-of-war"):
        books = LIBRARY.books[system]
        for book in books.values():
            others = {
                name for one in books.values() if one is not book for name in one.names.values()
            }
            shared = sorted(set(book.names.values()) & others)
            found += [(system, book.id, book.name, unit) for unit in shared]
    return found


def test_the_army_that_a_text_names_is_meant_in_whatever_edition_is_chosen() -> None:
    assert len(pairs()) > 60
    for number, (system, book, name, unit) in enumerate(pairs()[:: scaled(9, 1, 1)]):
        titles = (name, name.upper(), f"Zoe - {name}")
        for title in titles if THOROUGH else [titles[number % 3]]:
            whole = read(f"{title}\n300 - {unit}\n", system)
            assert whole.books == (book,), (system, title, unit)
    assert read("Orcs & Goblins\n300 - 5 Blorbs\n", "t9a-2023").books == ("orcs-and-goblins",)
    assert read("300 - 20 Citizen Spears\n", "t9a-2023").books == ("highborn-elves",), "by units"


BAND = "Human Death Cleric\nHalfling Sneak\n"
MEN = "4x Human Warrior - 120\n"


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("title", "units", "system"),
    [
        *((title, BAND, "chainmail-2002") for title in (
            "Chainmail 2002 - The Mill 70 points", "The Mill (Chainmail 2002)",
            "Our CHAINMAIL 2002 warband", "[Chainmail 2002] The Mill", "The Mill: chainmail, 2002",
        )),
        ("Chainmail 2001 Basic - The Mill", BAND, "chainmail-2001-basic"),
        ("The Mill – Chainmail 2001, Advanced Rules", BAND, "chainmail-2001-advanced"),
        *((title, MEN, "sbh") for title in (
            "SBH - The Mill", "The Mill (SBH)", "The Mill, Song of Blades",
            "Song of Blades & Heroes",
        )),
        ("DDM 2008: The Mill", "Orc Raider - 8\n", "ddm-2008"),
        ("The Mill - D&D Minis", "Orc Raider - 8\n", "ddm-2008"),
        *((title, UNITS, "t9a-2024") for title in (
            "T9A 2024 - Highborn Elves", "Highborn Elves (9th Age 2024)",
            "9th Age, 2024\nHighborn Elves",
        )),
        ("Highborn Elves (T9A 2023)", NEWER, "t9a-2023"),
        ("EoW - Highborn Elves", UNITS, "essence-of-war"),
    ],
)  # fmt: skip
def test_a_game_is_named_anywhere_in_a_title(title: str, units: str, system: str) -> None:
    whole = read(f"{title}\n{units}")
    assert (whole.system, whole.told) == (system, True)


def test_an_ordinary_word_is_not_taken_for_a_game() -> None:
    whole = read("Highborn Elves\n150 - 10 Citizen Archers, Chainmail\n")
    assert whole.system.startswith("t9a-")
    assert read("The sob stories\n4x Human Warrior - 120\n").told is False
    assert read("Chainmail - The Mill\n" + BAND).told is False, "an edition is assumed"


@pytest.mark.slow
def test_points_of_no_edition_are_reported_once() -> None:
    text = "Highborn Elves\n999 - High Prince, General\n999 - 10 Citizen Archers\n"
    told = (
        "The points match no edition here: 0 of 2 lines with 2023, 0 of 2 with 2024, "
        "0 of 2 with 3rd edition."
    )
    for system in (None, "t9a-2023", "t9a-2024"):
        whole = read(text, system)
        assert whole.disagreement == told, system
        assert whole.told is False
    for text in (
        f"Highborn Elves\n{UNITS}",
        "Highborn Elves\nHigh Prince\n",
        "SBH\nHuman Warrior - 1",
    ):
        assert read(text).disagreement == "", text


@pytest.mark.slow
def test_lists_of_one_text_that_name_no_year_are_of_one_edition() -> None:
    texts = [f"{name}, Highborn Elves\n{UNITS}385\n\n" for name in ("Anna", "Béla")]
    texts.append(
        "Cem, Highborn Elves\n300 - High Prince, General\n85 - 10 Citizen Archers\n385\n\n"
    )
    text = "".join([*texts, f"Dora, Highborn Elves 2024\n{UNITS}385\n"])
    parts = split_text(text, LIBRARY)
    assert len(parts) == 4
    alone = read_part(parts[2], LIBRARY)
    assert (alone.system, alone.told) == ("t9a-2024", False), "nothing tells"
    for wished, system in (("", "t9a-2023"), ("t9a-2024", "t9a-2024"), ("sbh", "t9a-2023")):
        readings = [read_part(part, LIBRARY) for part in in_one_edition(parts, LIBRARY, wished)]
        assert [one.system for one in readings[:3]] == [system] * 3, wished
        assert (readings[3].system, readings[3].told) == ("t9a-2024", True)


def test_of_two_exclusive_options_one_is_taken() -> None:
    for text, book, taken in (
        ("308 - 38 Skink Warriors, Spear and Shield", "saurian-ancients", "spear"),
        ("38 Skink Warriors, Spear & Shield, Champion", "saurian-ancients", "spear"),
    ):
        whole = read(text, "t9a-2024", [book])
        (unit,) = whole.document.units
        assert taken in [one.id for one in unit.options], text
        assert "shield" not in [one.id for one in unit.options], text
        (piece,) = (one for one in whole.units[0].unit.pieces if one.within)
        assert (piece.text, piece.within, piece.kind) == ("Shield", "Spear", "given")
        assert "Equipment" not in " ".join(map(sentence, whole.report.findings))
    two = read("38 Skink Warriors, Spear, Shield", "t9a-2024", ["saurian-ancients"])
    assert len(two.document.units[0].options) == 2, "two are named"
    assert "Equipment" in " ".join(map(sentence, two.report.findings))
    both = read("High Prince, Shield and Lance", "t9a-2023", ["highborn-elves"]).document.units[0]
    assert {"shield", "lance"} <= {one.id for one in both.options}


COMMAND = ["champion", "musician", "standard-bearer"]


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        *((text, COMMAND) for text in ("C M S", "SCM", "fcg", "Command Group", "Full cmd")),
        *((text, COMMAND) for text in ("Champ, Mus, Std", "std champ mus", "M+S+C")),
        ("CM", COMMAND[:2]), ("mus & std", COMMAND[1:]), ("M", COMMAND[1:2]),
    ],
)  # fmt: skip
def test_abbreviated_command_groups_are_read(text: str, taken: list[str]) -> None:
    whole = read(f"20 Sea Guard, {text}", "t9a-2023", ["highborn-elves"])
    assert sorted(one.id for one in whole.document.units[0].options) == taken
    assert whole.count("ok") == 1


ARMY = [
    (235, "1", "High Prince", "General"),
    (410, "30", "Citizen Spears", "Champion, Musician, Standard Bearer"),
    (130, "2", "Giant Eagles", ""),
    (445, "8", "Knights of Ryma", "Champion, Musician"),
]
FIRST = [f"{p} - {n} {name}{', ' * bool(more)}{more}" for p, n, name, more in ARMY]
WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F)})
DIGITS = str.maketrans("0123456789", "０１２３４５６７８９")


def each(form: str, with_more: str = "") -> list[str]:
    """The units, each in a form; `with_more` is that of those with options."""
    return [
        (with_more if more and with_more else form).format(p=p, n=n, name=name, more=more).strip()
        for p, n, name, more in ARMY
    ]


#: One list in the ways in which players write it.
WAYS = {
    "points first": FIRST,
    "points last": each("{n} {name}, {p}", "{n} {name}, {more}, {p}"),
    "pts last": each("{n} {name} - {p} pts", "{n} {name}, {more} - {p} pts"),
    "in brackets": each("{n}x {name} [{p}]", "{n}x {name} ({more}) [{p}]"),
    "number behind": each("{name} x{n} = {p}", "{name} x{n}: {more} = {p}"),
    "points inside": each("{n} {name} [{p}pts]", "{n} {name} [{p}pts]: {more}"),
    "times": each("{n} × {name} ={p}", "{n} × {name}, {more} ={p}"),
    "words": each("{n} {name} ({p} points)", "{n} {name} with {more} ({p} points)"),
    "hyphens": [f"- {line}" for line in FIRST],
    "stars": [f"* {line}" for line in FIRST],
    "bullets": [f"• {line}" for line in FIRST],
    "quoted": [f"> {line}" for line in FIRST],
    "capitals": [line.upper() for line in FIRST],
    "small letters": [line.lower() for line in FIRST],
    "wide digits": [line.translate(DIGITS) for line in FIRST],
    "wide letters": [line.translate(WIDE).replace(" ", "\u3000") for line in FIRST],
    "curly quotes around": [f"“{line}”" for line in FIRST],
    "quotes around": [f'"{line}"' for line in FIRST],
    "quoted names": [line.replace("Giant Eagles", "‘Giant Eagles’") for line in FIRST],
    "en dashes": [line.replace(" - ", " – ") for line in FIRST],
    "em dashes": [line.replace(" - ", " — ") for line in FIRST],
    "spaces that hold": [line.replace(" ", "\u00a0") for line in FIRST],
    "commas behind": [f"{line}, " for line in FIRST],
    "semicolons": [line.replace(", ", "; ") for line in FIRST],
    "line ends of Windows": [f"{line}\r" for line in FIRST],
    "empty lines": [f"{line}\n" for line in FIRST],
    "accents": [line.replace("Ryma", "Rýmâ").replace("i", "í") for line in FIRST],
    "hyphens in names": [
        line.replace("Standard B", "Standard-B").replace("n S", "n-S") for line in FIRST
    ],
    "set in": [f"    {line}" for line in FIRST],
    "and": each("{n} {name}, {p}", "{n} {name}, {more}, {p}"),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("way", WAYS)
def test_one_list_is_the_same_in_all_ways_to_write_it(way: str) -> None:
    def units_read(lines: list[str]) -> object:
        whole = read("Highborn Elves 2023\n" + "\n".join(lines) + "\n1220\n")
        assert (whole.count("doubt"), whole.count("lost"), whole.agrees) == (0, 0, True), lines
        units = whole.document.units
        options = [sorted(one.id for one in unit.options) for unit in units]
        return [(unit.ref, unit.models, unit.roles) for unit in units], options

    assert units_read(WAYS[way]) == units_read(FIRST)
