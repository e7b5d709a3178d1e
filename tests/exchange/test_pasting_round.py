"""Every form of text of a list, pasted, is the list again, apart from what the form hides."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine import validate
from armybuilder.exchange.files import clear_list, entries_of, read_entry
from armybuilder.exchange.pasting import read_part, read_text, split_text
from armybuilder.exchange.pasting.rows import read_rows
from armybuilder.exchange.pasting.splitting import RowNames, read_split_rows
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical, catalogue_of, judge, make_roster, read_document
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.structure import Division
from armybuilder.sheets.content.unit_view import TakenLine, UnitView
from armybuilder.sheets.texts.forms import FORMS
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import filling
from tests.building.documents import list_of, value_of
from tests.effort import THOROUGH, scaled
from tests.exchange import neighbours, packs
from tests.exchange.pasted import (
    AWKWARD,
    DAY,
    LIBRARY,
    armies,
    calls_below,
    shown,
    summary,
    text_of,
    told_settings,
)
from tests.exchange.t9a_lists import one_unit
from tests.properties.lists import FEW, lists
from tests.sheets.papers import EXAMPLES, example, long_army

pytestmark = pytest.mark.long

#: Forms of every list; that of tournaments has tests of its own.
EVERYWHERE = [form for form in FORMS if not FORMS[form].armies]
OPEN_HANDED = [form for form in EVERYWHERE if not FORMS[form].hides]
#: Examples of every game.
TRIED = list(EXAMPLES)[:: 1 if THOROUGH else 3]
CODES = [code for code, _name in settings.LANGUAGES]
#: Forms that tell all there is of a player's own models.
DETAILED = ("compact", "markdown", "bbcode")


@pytest.mark.one_in(5)
@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("form", OPEN_HANDED)
def test_an_example_of_every_game_is_read_back_as_it_was(form, language):
    for name in TRIED:
        listed = example(name)
        text = text_of(listed, form, language)
        read = read_text(text, LIBRARY)
        assert summary(read.document) == summary(listed), name
        assert (read.count("doubt"), read.count("lost"), read.told) == (0, 0, True), name
        assert read.printed == read.report.spent
        assert read_document(canonical(read.document)) == read.document, name
        assert len(split_text(text, LIBRARY)) == 1, name
        # Armies by category, in the order of their lists there; so pages show them.
        refs = [unit["unit"] for unit in listed["units"]]
        assert [unit.ref for unit in read.document.units] == refs, name


@pytest.mark.one_in(6)
@pytest.mark.parametrize("form", OPEN_HANDED)
def test_units_of_one_name_come_back_from_the_book_that_they_are_from(form):
    books = ["practice", "converted", "known-cards"]
    boars = [{"unit": f"{book}/dire-boar", "models": 1} for book in books[1:]]
    boars[1] |= {"name": "Grunter", "card": {"points": 30}}
    for order in (boars, boars[::-1]):
        units = [{"id": f"u{number}", **boar} for number, boar in enumerate(order)]
        listed = list_of("chainmail-2002", books, units, limit=100)
        read = read_text(text_of(listed, form), LIBRARY)
        assert read.document.system == "chainmail-2002"
        named = [(unit.ref, unit.name) for unit in read.document.units]
        assert named == [(unit["unit"], unit.get("name", "")) for unit in units]
        assert read.count("doubt") == read.count("lost") == 0


@pytest.mark.one_in(7)
@pytest.mark.parametrize("form", [form for form in FORMS if not FORMS[form].hides])
def test_ranks_and_files_are_neither_models_nor_points(form):
    listed = example("essence-of-war/sand-over-stone")
    read = read_text(text_of(listed, form), LIBRARY, "essence-of-war").document
    assert summary(read)["units"] == summary(listed)["units"]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("form", [form for form in EVERYWHERE if FORMS[form].offers])
def test_whatever_a_text_says_of_it_the_list_is_read_back(form):
    every = ((), FORMS[form].offers, ("rules", "pages"), ("stats",))
    for number, name in enumerate(TRIED):
        for parts in every if THOROUGH else [every[number % 4]]:
            listed = example(name)
            read = read_text(text_of(listed, form, parts=frozenset(parts)), LIBRARY)
            assert summary(read.document) == summary(listed), (name, parts)
            assert read.count("lost") == 0, (name, parts)


def test_notes_own_models_with_their_cards_and_units_of_no_book_come_back():
    listed = example("sbh/gruks-green-flood")
    for form in ("markdown", "bbcode", "full"):
        read = read_text(text_of(listed, form), LIBRARY).document.to_dict()
        assert read["notes"] == listed["notes"], form
    listed = example("t9a-2023/the-long-table")
    listed["units"][3]["notes"] = "They carry *the* pots.\n1 pot each_"
    for form in ("markdown", "bbcode"):
        units = read_text(text_of(listed, form), LIBRARY).document.units
        notes = [unit.notes for unit in units if unit.notes]
        assert notes == [listed["units"][3]["notes"]], form
    profile = {
        "name": "Troll",
        "stats": {"quality": 3, "combat": 4},
        "abilities": [{"ability": "leader"}, {"ability": "lethal", "target": "Orcs, Elves"}],
    }
    listed = example("sbh/gruks-green-flood")
    listed["units"] = [{"id": "u1", "models": 2, "profile": profile, "name": "Bert"}]
    for form in DETAILED:
        read = read_text(text_of(listed, form), LIBRARY)
        assert read.document.to_dict()["units"] == listed["units"], form
    listed["units"] = [{"id": "u1", "models": 2, "unit": "profiles/gone"}]
    read = read_text(text_of(listed, "lines"), LIBRARY)
    assert read.document.to_dict()["units"] == listed["units"]


#: Texts with pieces and lines that nobody knows.
UNREAD = {
    "t9a-2023": "Highborn Elves\n250 - Commander, General, Sock of Doom; Tea (hot, black)\n"
    "160 - 10 Citizen Archers, Musician, 3 Spare Quivers\nThey march at dawn: all of them\n"
    "999 - Unheard Of, 12 Things\n4500",
    "sbh": "Odd Ones\nOdo (2/4 Leader, Ferocity) 88\n2x Orc Warrior (4/3 Sullen, “Grim”) 46\n"
    "- they hate elves, and 12 dwarves",
}


@pytest.mark.one_in(15)
@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("form", [form for form in FORMS if not FORMS[form].hides])
def test_what_was_not_read_is_still_there_when_a_text_of_ours_is_pasted(form, language):
    for system, text in UNREAD.items():
        if FORMS[form].armies and system == "sbh":
            continue
        read = read_text(text, LIBRARY)
        again = read_text(text_of(read.document, form, language), LIBRARY)
        for one in (read, again):
            assert sum(bool(unit.notes) for unit in one.document.units) == 2, (system, one.lines)
        notes, kept = (sorted(unit.notes for unit in one.document.units) for one in (read, again))
        assert notes == kept, system
        # What tournaments take ends with the points.
        kept = "" if form == "t9a" else read.document.notes
        assert (again.document.notes, read.document.notes != "") == (kept, True), system
        named = text_of(read.document, form, language, frozenset({"stats", "rules"}))
        if FORMS[form].offers:
            assert not any(unit.notes for unit in read_text(named, LIBRARY).document.units)


@pytest.mark.slow
def test_a_long_army_and_one_that_is_called_like_an_underline_are_read_back():
    small = example("sbh/gruks-green-flood")
    for listed in (long_army(), *(small | {"name": name} for name in ("=", "===", "---"))):
        for form in OPEN_HANDED:
            read = read_text(text_of(listed, form), LIBRARY)
            assert summary(read.document) == summary(listed), (form, listed["name"])


@pytest.mark.one_in(9)
@pytest.mark.parametrize("language", CODES)
def test_the_secret_form_gives_back_what_it_does_not_hide(language):
    for name in TRIED:
        listed = example(name)
        text = text_of(listed, "secret", language)
        read = read_text(text, LIBRARY)
        assert len(split_text(text, LIBRARY)) == 1, name
        assert (read.document.limit, read.document.name) == (listed["limit"], listed["name"])
        units = {unit.ref for unit in read.document.units}
        assert units == {unit["unit"] for unit in listed["units"]}
        assert read.count("lost") == 0, name
        again = text_of(read.document, "secret", language)
        kept = again.split("\n\n", 1)[1].splitlines()
        assert kept == text.split("\n\n", 1)[1].splitlines()


@FEW
@given(
    armies(), st.sampled_from(["lines", "compact", "markdown", "bbcode"]), st.sampled_from(CODES)
)
def test_random_armies_are_read_back(listed, form, language):
    read = read_text(text_of(listed, form, language), LIBRARY)
    assert summary(read.document) == summary(listed)
    standing = validate(_roster(listed), catalogue_of(value_of(listed), LIBRARY))
    ours, theirs = (report.full.lines for report in (read.report, standing))
    assert sorted(line.points for line in ours) == sorted(line.points for line in theirs)


def test_items_of_one_name_are_told_apart_by_points_that_hang_on_the_general():
    taken = ["exalted-of-envy", "wizard-apprentice", "divination", "guiding-piercing-spike"]
    taken += ["venom-sacs"]
    options = [{"id": one} for one in taken]
    listed = one_unit("legions-of-sin/kuulimas-deceiver", roles=["general"], options=options)
    (read,) = read_text(text_of(listed, "lines"), LIBRARY).document.units
    assert {option.id for option in read.options} == set(taken)
    # A Rocket Battery comes with the Fires of Industry that the same unit may also take, for
    # nothing, where it has a Naphta Thrower. A player who writes them down has broken no rule.
    listed = one_unit("infernal-dwarves/kadim-titan", options=[{"id": "rocket-battery"}])
    text = text_of(listed, "lines")
    named = text.replace("Rocket Battery, ", "Rocket Battery, Fires of Industry Double, ")
    assert named != text
    assert summary(read_text(named, LIBRARY).document) == summary(listed)


@pytest.mark.slow
@FEW
@given(armies(3), st.sampled_from(CODES))
def test_random_armies_are_read_back_from_the_full_form(listed, language):
    text = text_of(listed, "full", language)
    assert summary(read_text(text, LIBRARY).document) == summary(listed)


@pytest.mark.one_in(15)
@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("form", OPEN_HANDED)
def test_names_of_units_come_back_as_they_were(form, language):
    for name in TRIED:
        listed = example(name)
        for number, unit in enumerate(listed["units"]):
            unit["name"] = AWKWARD[(number + len(name)) % len(AWKWARD)]
        read = read_text(text_of(listed, form, language), LIBRARY)
        assert summary(read.document) == summary(listed), name
        assert read.printed == read.report.spent


@FEW
@given(lists(), st.sampled_from(DETAILED), st.sampled_from(CODES))
def test_random_warbands_are_read_back(listed, form, language):
    text = text_of(listed, form, language)
    read = read_text(text, LIBRARY)
    assert shown(read.document.name) == shown(listed["name"]) or not shown(listed["name"])
    assert told_settings(read.document) == told_settings(listed)
    assert read.document.to_dict()["limit"] == listed["limit"]
    assert len(read.document.to_dict()["units"]) == len(listed["units"])
    picks, wanted = (_roster(one).picks for one in (read.document, listed))
    assert sorted(map(_named, picks)) == sorted(map(_named, wanted))


def _named(pick):
    return pick.unit.name, shown(pick.name), pick.models, pick.roles


def _roster(document):
    listed = value_of(document)
    return make_roster(listed, catalogue_of(listed, LIBRARY))


def test_an_enchantment_comes_back_on_its_piece_in_every_language():
    options = [{"id": "king-slayer", "on": "hand-weapon"}]
    listed = one_unit("beast-herds/beast-chieftain", options=options)
    for language in CODES:
        text = text_of(listed, "lines", language)
        # Pages and programs that take the text turn spaces that hold words into plain ones.
        for said in (text, text.replace("\xa0", " ")):
            assert summary(read_text(said, LIBRARY).document) == summary(listed), language


@pytest.mark.slow
def test_many_enchantments_come_back_wherever_a_line_is_broken():
    """In French a piece of equipment stands behind a colon that has a space before it."""
    taken = ["binding-scroll", "crystal-ball", "crown-of-autocracy", "dragon-staff"]
    put_on = [{"id": one, "on": "hand-weapon"} for one in ("eldritch-inscriptions", "king-slayer")]
    for number in range(len(taken) + 1):
        options = [*({"id": one} for one in taken[:number]), *put_on]
        listed = one_unit("orcs-and-goblins/goblin-chief", options=options)
        names = ("", "Snik", "Snik of the Seven Lightning Vambraces")
        for name in names if THOROUGH else [names[number % 3]]:
            entry = listed["units"][0]
            entry.pop("name", None)
            entry |= {"name": name} if name else {}
            for language in CODES:
                text = text_of(listed, "full", language)
                for said in (text, text.replace("\xa0", " ")):
                    assert summary(read_text(said, LIBRARY).document) == summary(listed), language


# Texts with many lists are taken apart where an army begins; a text of one list never is.


BETWEEN = ["\n", "\n\n", "\n\n\n-----\n", "\r\n\r\n"]


@pytest.mark.slow
def test_a_text_of_another_builder_or_of_a_long_army_is_one_list() -> None:
    for name in packs.ARMIES:
        sheet = sheet_of(value_of(example(name)), LIBRARY, DAY)
        for form, draw in neighbours.FORMS.items():
            assert len(split_text(draw(sheet), LIBRARY)) == 1, (name, form)
    for form in FORMS:
        assert len(split_text(text_of(long_army(), form), LIBRARY)) == 1, form


@FEW
@given(armies(), st.sampled_from(sorted(FORMS)), st.sampled_from(CODES))
def test_a_text_of_one_random_army_is_one_list(listed, form: str, language: str) -> None:  # type: ignore[no-untyped-def]
    listed["notes"] = "4500\n\nHighborn Elves\n\n865 - High Prince, General\n500 - 30 Sea Guard"
    assert len(split_text(text_of(listed, form, language), LIBRARY)) == 1


@FEW
@given(lists(), st.sampled_from([form for form in FORMS if not FORMS[form].armies]))
def test_a_text_of_one_random_warband_is_one_list(listed, form: str) -> None:  # type: ignore[no-untyped-def]
    assert len(split_text(text_of(listed, form), LIBRARY)) == 1


@FEW
@given(armies(), st.sampled_from(sorted(neighbours.FORMS)))
def test_a_random_army_of_another_builder_is_one_list(listed, form: str) -> None:  # type: ignore[no-untyped-def]
    sheet = sheet_of(value_of(listed), LIBRARY, DAY)
    assert len(split_text(neighbours.FORMS[form](sheet), LIBRARY)) == 1


def test_category_headings_are_not_taken_for_players() -> None:
    names = RowNames(LIBRARY, None)
    books = [book for books in LIBRARY.books.values() for book in books.values()]
    headings = {name for book in books for name in book.categories.values()}
    rows = read_rows("\n".join(f"++ {name} [455 pts] ++" for name in sorted(headings)))
    assert [row.text for row in read_split_rows(rows, names) if row.kind != "category"] == []


@pytest.mark.slow
def test_what_only_looks_like_a_new_list_splits_nothing() -> None:
    for text in (
        # Totals of categories, and headings between units.
        "Anna - Highborn Elves\n\nCharacters (1305)\n480 - High Prince, General\nTotal: 480\n\n"
        "Core 904 pts\n150 - 10 Citizen Archers\n150 - 10 Citizen Archers\nTotal: 300\n\n"
        "Special\n200 - 2 Giant Eagles\n100 - Giant Eagle\n4500",
        "4500\n480 - High Prince\n150 - 10 Citizen Archers\n4498\n\nDrops: 12\nPainted 2019",
        "Highborn Elves\n480 - High Prince\n150 - 10 Citizen Archers\n\nThe left wing\n\n"
        "200 - 2 Giant Eagles\n100 - Giant Eagle\n4500",
        "Highborn Elves\n480 - High Prince\n150 - 10 Citizen Archers\n\nHighborn Elves - Core\n"
        "200 - 2 Giant Eagles\n100 - Giant Eagle\n4500",
        "Ogre Khans\n200 - 3 Tribesmen\n200 - 3 Tribesmen\nSylvan Elves\n100 - 5 Archers\n"
        "100 - 5 Archers\n600",
        "Cultists\n200 - 20 Cultists\n200 - 20 Cultists\nCultists\n20 Cultists, 200\n4500",
    ):
        assert len(split_text(text, LIBRARY)) == 1, text
    # Two books of 2024: Vermin Swarm has the option, Cult of Errahman the name.
    text = (
        "Vermin Swarm\n++ Characters ++\n\nSwarm Priest [300 pts]\n- Wizard Adept\n"
        "- Cult of Errahman and Bloodpox Blades\n\n++ Core ++\n\n30 Vermin Legionaries [300 pts]\n"
        "- Champion\n\n30 Vermin Legionaries [300 pts]\n"
    )
    for mark in ("- ", ". ", ""):
        assert len(split_text(text.replace("- ", mark), LIBRARY)) == 1, mark


@pytest.mark.one_in(40)
@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("way", packs.WAYS)
def test_lists_in_one_notation_are_split_with_their_players(way: str, between: str) -> None:
    parts = split_text(packs.pack([way], 6, between), LIBRARY)
    read = [read_part(part, LIBRARY) for part in parts]
    assert [name.document.name for name in read] == [
        player if way == "ours" else player.removesuffix(" (c)") for player in packs.PLAYERS
    ]
    for number, one in enumerate(read):
        listed = example(packs.ARMIES[number % 3])
        assert (one.count("doubt"), one.count("lost")) == (0, 0)
        had = sorted(unit["unit"] for unit in listed["units"])
        assert sorted(unit.ref for unit in one.document.units) == had
        assert one.report.spent == judge(value_of(listed), LIBRARY).report.spent


@given(st.permutations(sorted(packs.WAYS)).map(lambda ways: ways[:4]), st.sampled_from(BETWEEN[:2]))
@FEW
def test_lists_in_mixed_notations_are_split(ways: list[str], between: str) -> None:
    text = packs.pack(ways, 4, between)
    parts = split_text(text, LIBRARY)
    assert len(parts) == 4, [part.text[:80] for part in parts]
    told = "\n".join(part.text for part in parts)
    assert told == text.translate(dict.fromkeys(map(ord, "\u2068\u2069")))


@pytest.mark.slow
def test_books_stand_above_several_players_and_totals_are_missing(tmp_path: Path) -> None:
    text = ["CUP 2031", "", "(typed by hand)", "", ""]
    for army in packs.ARMIES:
        book, units, total = packs.book_and_units(army)
        text += [book, "Duncan", "", *units, "", "", "Gurin", "", *units, total, "", "Lamb"]
        text += ["", *units, "", ""]
    parts = split_text("\n".join(text), LIBRARY)
    assert [part.name for part in parts] == ["Duncan", "Gurin", "Lamb"] * 3
    books = [read_part(part, LIBRARY).books for part in parts]
    assert books == [
        (book,) for book in ("ogre-khans", "highborn-elves", "dwarven-holds") for _ in range(3)
    ]
    assert [part.first for part in parts][:2] == [1, 25]
    (tmp_path / "pack.txt").write_text(packs.pack(["comma", "ours"], 6), encoding="utf-8")
    (tmp_path / "one.txt").write_text(packs.comma("Anna", packs.ARMIES[1]), encoding="utf-8")
    entries = list(entries_of([str(tmp_path)]))
    assert [Path(entry.name).name for entry in entries] == ["one.txt", *"123456"]
    assert [read_entry(entry).name for entry in entries][1:] == [
        player if number % 2 else player.removesuffix(" (c)")
        for number, player in enumerate(packs.PLAYERS)
    ]


@pytest.mark.slow
def test_a_pack_of_287_lists_gives_287_lists() -> None:
    parts = split_text(packs.pack(sorted(packs.WAYS), 287), LIBRARY)
    assert len(parts) == 287
    read = [read_part(part, LIBRARY) for part in parts[:: scaled(25, 6, 1)]]
    assert all(one.report and one.report.spent for one in read)


@pytest.mark.slow
def test_a_long_text_of_nothing_takes_no_time() -> None:
    for line in (" \n", "- 1\n", "x\n", "4500\n", "1 a\n4500\n"):
        with calls_below(500_000):
            assert split_text(line * 3_000, LIBRARY), line
    with pytest.raises(Refusal, match="too long; the maximum is 512 KB"):
        split_text("\n" * 1_000_000, LIBRARY)
    with pytest.raises(Refusal, match="contains 6 lists"):
        clear_list(packs.pack(["comma"], 6), LIBRARY)
    text = packs.comma("Anna", packs.ARMIES[1])
    (part,) = split_text(text, LIBRARY)
    assert read_part(part, LIBRARY) == read_text(text, LIBRARY)


# Armies as tournaments and other army builders write them: every unit is read, with its points.


BOOKS = sorted(LIBRARY.books["t9a-2023"])
#: How the statistics that players of The Ninth Age publish find units in a text: points, a dash,
#: and what follows up to the next number of two digits.
PUBLIC = re.compile(r"(?<!#)(?<!#\d)(?<!#\d{2})(\d{2,4}?)(?: ?[-–] ?)(.+?)(?=\d{2,4}|$)")


def named_units(army: ArmyList) -> list[str]:
    """The units with all they take, in no order."""
    return sorted(
        f"{unit.models} {unit.unit_name or unit.name} {unit.points}"
        f" {sorted(neighbours.taken(unit))}"
        for unit in sheet_of(army, LIBRARY, DAY).army.units
    )


def units_of(army: ArmyList) -> list[str]:
    """The units by themselves, each thing on what it can be on: an only piece need not be named."""
    return sorted(
        f"{unit.models} {unit.unit_name or unit.name} {unit.points} {unit.marks}"
        f" {by_name(unit.options)} {by_name(unit.items)} {unit.wizard}"
        for unit in sheet_of(army, LIBRARY, DAY).army.units
    )


def by_name(taken: tuple[TakenLine, ...]) -> tuple[TakenLine, ...]:
    return tuple(sorted((replace(one, name="") for one in taken), key=str))


@pytest.mark.one_in(15)
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("t9a-")])
def test_an_example_is_read_back(name: str) -> None:
    listed = example(name)
    text = text_of(listed, "t9a")
    read = read_text(text, LIBRARY)
    assert units_of(read.document) == units_of(value_of(listed))
    assert len(split_text(text, LIBRARY)) == 1
    assert (read.count("doubt"), read.count("lost"), read.named) == (0, 0, True)
    editions = [system for system, books in LIBRARY.books.items() if read.books[0] in books]
    assert read.told is (len(editions) == 1), "no year is told"
    assert read.printed == read.report.spent == int(text.split()[-1])


def test_the_tournament_format_writes_an_army_as_tournaments_ask() -> None:
    lines = text_of(example("t9a-2023/the-princes-dragon"), "t9a").splitlines()
    assert lines[0] == "Highborn Elves"
    assert lines[1] == (
        "865 - High Prince, General, Dragon, Dragonforged Armour, Lance, Shield (Dusk Forged),"
        " Diadem of Protection"
    )
    assert lines[4] == (
        "420 - 30 Citizen Spears, Champion, Standard Bearer (Legion Standard), Musician"
    )
    assert lines[-1] == "4500"
    assert len(lines) == 15
    shield = TakenLine("Shield", 0, "Shield", on="Shield")
    lance = TakenLine("2 × Lance", 0, "Lance", number=2)
    unit = UnitView("u1", "Rider", 1, points=50, sized=True, options=(shield, lance))
    sheet = sheet_of(value_of(example("t9a-2023/the-long-table")), LIBRARY, DAY)
    army = replace(sheet.army, divisions=(Division("Core", (unit,)),))
    lines = FORMS["t9a"].draw(replace(sheet, army=army)).splitlines()
    assert lines[1] == "50 - Rider, Lance, Lance, Shield"
    with pytest.raises(Refusal, match="for armies"):
        text_of(example("sbh/gruks-green-flood"), "t9a")


@pytest.mark.one_in(22)
@pytest.mark.parametrize("book", BOOKS)
def test_every_unit_of_a_random_army_is_found_with_its_points_and_read_back(book: str) -> None:
    empty = value_of(list_of("t9a-2023", [book], [], limit=4500))
    filled = filling(empty, catalogue_of(empty, LIBRARY), CpSat(), seed=len(book), seconds=5).filled
    assert filled is not None
    army = filled.army_list
    sheet = sheet_of(army, LIBRARY, DAY)
    text = FORMS["t9a"].draw(sheet)
    found = [
        (int(points), re.sub(r"^\d{1,2}x? ", "", rest.split(",")[0].split(" (")[0]).strip())
        for line in text.splitlines()
        for points, rest in PUBLIC.findall(line.lower())
    ]
    wanted = [
        (unit.points, (unit.unit_name or unit.name).replace(",", "").split(" (")[0].lower())
        for unit in sheet.army.units
        if unit.points is not None and unit.points >= 10
    ]
    assert found == wanted
    read = read_text(text, LIBRARY)
    assert units_of(read.document) == units_of(army)
    for form, draw in neighbours.FORMS.items():
        read = read_text(draw(sheet), LIBRARY, "t9a-2023", [book])
        assert named_units(read.document) == named_units(army), form


def test_a_size_is_read_above_the_units_or_guessed_from_the_points() -> None:
    """7 men are 210 points: too many for 200, and no half of 300."""
    for men, told in {
        10: (300, "Legal"),
        11: (400, "Legal"),
        7: (200, "1 error"),
        17: (500, "1 error"),
        18: (540, "Legal"),
    }.items():
        text = f"The Mill\n{men} Human Warrior, {30 * men}\n{30 * men}"
        read = read_text(text, LIBRARY, "sbh", ["profiles"])
        assert (read.document.limit, read.report.verdict, read.tells_size) == (*told, False)
    read = read_text("A warband, 300 points\n7 Human Warrior, 210", LIBRARY, "sbh", ["profiles"])
    assert (read.document.limit, read.tells_size) == (300, True), "it is told"
    for total in ("4500", "**4500**", "4500 pts", "= 4500 ="):
        text = (
            f"Highborn Elves\n160 - 10 Citizen Archers, Musician\n130 - 2 Giant Eagles\n{total}\n"
        )
        read = read_text(text, LIBRARY)
        assert (read.printed, read.count("lost")) == (4500, 0), total
    read = read_text("Highborn Elves\n2500\n160 - 10 Citizen Archers, Musician\n", LIBRARY)
    assert read.document.limit == 2500


@pytest.mark.one_in(15)
@pytest.mark.parametrize("form", neighbours.FORMS)
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name.startswith("t9a-")])
def test_an_example_of_another_builder_is_read(name: str, form: str) -> None:
    army = value_of(example(name))
    read = read_text(neighbours.FORMS[form](sheet_of(army, LIBRARY, DAY)), LIBRARY)
    assert named_units(read.document) == named_units(army)
    assert (read.count("doubt"), read.count("lost")) == (0, 0)
    assert read.books == tuple(book.id for book in army.books)
    assert read.printed == read.report.spent


def test_lists_without_points_with_notes_pages_and_things_on_others_are_read() -> None:
    text = (
        "===\nSea Guard\nThe Ninth Age, Highborn Elves\n===\n\n++ Characters ++\n\nHigh Prince\n"
        "- General\n- Shield\n\n++ Core ++\n\n25 Citizen Spears\n- Champion\n\n"
        f"10 Citizen Archers\n\n---\n{neighbours.NOTE}\n\n[https://old-world-builder.com]"
    )
    read = read_text(text, LIBRARY)
    assert read.document.name == "Sea Guard"
    units = [(unit.models, unit.ref.split("/")[1]) for unit in read.document.units]
    assert units == [(1, "high-prince"), (25, "citizen-spears"), (10, "citizen-archers")]
    assert read.document.units[0].roles == ("general",)
    assert (read.printed, read.count("lost")) == (None, 0)
    text = "++ Core [320 pts] ++\n\n25 Citizen Spears [320 pts]\n- Champion\n- Wings of Wax\n"
    text += "Painted in blue\n\n++ Total: [1,320pts] ++\n"
    read = read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
    (unit,) = read.document.units
    assert unit.notes.split("\n") == ["Painted in blue", "Wings of Wax"]
    assert [piece.text for piece in read.units[0].unit.lost] == ["Wings of Wax"]
    assert read.units[0].state == "doubt"
    assert read.printed == 1320
    text = "++ Characters [865 pts] ++\n\nHigh Prince [865 pts]\n- General\n- Dragon [p. 24]\n"
    text += "- Shield [Dusk Forged]\n- Lance {magic}\n"
    read = read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
    names = [piece.text for piece in read.units[0].unit.pieces]
    assert names[:2] == ["General", "Dragon"]
    assert [piece.text for piece in read.units[0].unit.lost] == ["Lance {magic}"]


def test_no_line_keeps_the_reader_long() -> None:
    pieces = ("+ a ", "[1] ", "a: ", "M(", "(", " [", "-# (", ". ")
    for piece in pieces[: scaled(1, 8, 8)]:
        line = (piece * 5000)[:4990]
        text = "++ Core ++\n" + "\n".join([line] * 60)
        with calls_below(100_000):
            read_text(text, LIBRARY, "t9a-2023", ["highborn-elves"])
