"""Texts with many lists are taken apart where an army begins; a text of one list never is."""

from pathlib import Path

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.exchange.files import clear_list, entries_of, read_entry
from armybuilder.exchange.pasting import read_part, read_text, split_text
from armybuilder.exchange.pasting.rows import read_rows
from armybuilder.exchange.pasting.splitting import RowNames, read_split_rows
from armybuilder.loading.documents import judge
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.texts.forms import FORMS
from tests.building.documents import value_of
from tests.effort import THOROUGH
from tests.exchange import neighbours, packs
from tests.exchange.pasted import DAY, LIBRARY, armies, calls_below, text_of
from tests.properties.lists import FEW, lists
from tests.sheets.papers import example, long_army

pytestmark = pytest.mark.long

CODES = [code for code, _name in settings.LANGUAGES]
BETWEEN = ["\n", "\n\n", "\n\n\n-----\n", "\r\n\r\n"]


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


def test_every_category_above_units_is_told_from_a_players_name() -> None:
    names = RowNames(LIBRARY, None)
    books = [book for books in LIBRARY.books.values() for book in books.values()]
    headings = {name for book in books for name in book.categories.values()}
    rows = read_rows("\n".join(f"++ {name} [455 pts] ++" for name in sorted(headings)))
    assert [row.text for row in read_split_rows(rows, names) if row.kind != "category"] == []


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


@pytest.mark.one_in(8)
@pytest.mark.parametrize("between", BETWEEN)
@pytest.mark.parametrize("way", packs.WAYS)
def test_a_pack_of_one_way_gives_its_lists_with_their_players(way: str, between: str) -> None:
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
def test_a_pack_of_several_ways_gives_its_lists(ways: list[str], between: str) -> None:
    text = packs.pack(ways, 4, between)
    parts = split_text(text, LIBRARY)
    assert len(parts) == 4, [part.text[:80] for part in parts]
    told = "\n".join(part.text for part in parts)
    assert told == text.translate(dict.fromkeys(map(ord, "\u2068\u2069")))


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
    read = [read_part(part, LIBRARY) for part in parts[:: 1 if THOROUGH else 25]]
    assert all(one.report and one.report.spent for one in read)


def test_a_long_text_of_nothing_takes_no_time() -> None:
    for line in (" \n", "- 1\n", "x\n", "4500\n", "1 a\n4500\n"):
        with calls_below(500_000):
            assert split_text(line * 3_000, LIBRARY), line
    with pytest.raises(Refusal, match="too long: at most 512 KB"):
        split_text("\n" * 1_000_000, LIBRARY)
    with pytest.raises(Refusal, match="holds 6 lists"):
        clear_list(packs.pack(["comma"], 6), LIBRARY)
    text = packs.comma("Anna", packs.ARMIES[1])
    (part,) = split_text(text, LIBRARY)
    assert read_part(part, LIBRARY) == read_text(text, LIBRARY)
