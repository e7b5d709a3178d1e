"""Laws of players' own books: no edit makes a book that the game refuses, and what a form or a
table shows is what it reads.
"""

import copy
import csv
import io
import json
from typing import Any

import pytest
from hypothesis import event, given
from hypothesis import strategies as st

from armybuilder.authoring import edits
from armybuilder.authoring.cards import CardForm, ReadCard
from armybuilder.authoring.tables import match_columns, preview, read_grid
from armybuilder.engine.catalogue import System
from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.loading.systems import read_ability
from armybuilder.loading.unit_fields import UNIT_FIELDS
from tests.properties.lists import FEW, LAW, words

Data = dict[str, Any]

LIBRARY = shipped_library()
SYSTEMS = sorted(LIBRARY.systems)
SHIPPED = [(system, book) for system in SYSTEMS for book in sorted(LIBRARY.books[system])]
OWN = "own-0123456789abcdef"

#: Texts that people and spreadsheets write into fields, right and wrong.
TEXTS = [
    *("", " ", "-", "?", "0", "7", "+4", "−1", "3+", '6"', "6″", "F10", "12.0", "7,5", "1,200"),
    *("99999", "1" * 400, "=A1+2", "+A1", "#REF!", "Watch Captain", "Orc", "a\0b", "\ud800"),
    *("\u202ex", "good", "GOOD", "evil, good", "thalos", "none", "borderlands,wild", "core"),
    *("special,core", "commander 4", "Commander ?", "Commander", "Rage +1, Fight +2 (undead)"),
    *("Rage", "Rage ×2", "!Comander 3", "Cleave; Cleave", "leader, Lethal (Orcs)", "Smite +2 [3]"),
    *("怒り 2", "Rage -1", "bless +1 ×2", "command x2, bane", "15-40", "40-15", "1", "0-3", "yes"),
    *("no", "perhaps", "Champion, 20", "Shields, 2 a model", "Arms: |", "a:b"),
    "Arms: Spears free | Bows, 2 a model",
    "Banners (up to 2): Red, 10, one of a kind | Blue, 5, 0-2 in the army",
    *("x" * 700, "l\n" * 40),
]
texts = st.sampled_from(TEXTS) | words


def system_of(system_id: str) -> System:
    return LIBRARY.systems[system_id]


def values_of(system: System, book: Data) -> st.SearchStrategy[dict[str, str]]:
    """Values of some fields of a card, sensible or not."""
    fields = {}
    for field in CardForm(system, book).fields:
        known = st.sampled_from([key for pair in field.choices for key in pair] or ["x"])
        fields[field.name] = texts | known
    name = fields.pop("name")
    names = st.sampled_from(["Ann", "Bob", "Große Ratte", "鬼"])
    plain = {"name": names | names | name}
    if system.formula:
        numbers = st.sampled_from(["3", "4"])
        plain |= dict.fromkeys(("stat-quality", "stat-combat"), numbers | numbers | name)
    optional = {key: value for key, value in fields.items() if key not in plain}
    return st.fixed_dictionaries(plain, optional=optional)


KEYS = [
    *("id", "name", "points", "group", "options", "use", "choose", "default", "needs", "taken"),
    *("in", "when", "if", "for_each", "set", "add", "size", "categories", "abilities", "stats"),
    *("attributes", "spells", "texts", "profiles", "lifts", "rule", "of", "number", "cap", "all"),
    *("ability", "rating", "target", "uses", "models", "at_least", "faction", "alignment", "unit"),
]
scalars = (
    st.none() | st.booleans() | st.integers(-5, 12_000) | st.floats() | st.sampled_from(TEXTS[:60])
)
anything = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=12,
)


@st.composite
def starts(draw: st.DrawFn) -> tuple[str, Data]:
    """A player's book, empty or made of a small shipped one."""
    system = system_of(draw(st.sampled_from(SYSTEMS)))
    names = [
        book for book in LIBRARY.books[system.id] if len(LIBRARY.books[system.id][book].units) < 30
    ]
    name = draw(st.sampled_from(["", *sorted(names)]))
    if not name:
        book = edits.new_book(system, OWN, "Mine")
        numbers = {"stat-quality": "4", "stat-combat": "3"}
        values = {"name": "Fury", "abilities": "Rage +1, Howl", **numbers}
        return system.id, edits.put_card(book, system, CardForm(system, book).read(values))[0]
    return system.id, edits.as_own(LIBRARY.shipped_data(system.id, name), OWN)


def edited(data: st.DataObject, system: System, book: Data) -> Data:
    ids = st.sampled_from([*(unit["id"] for unit in book["units"]), "nobody", "a\0b"])
    kind = data.draw(st.sampled_from(sorted(ACTS)))
    return ACTS[kind](data, system, book, data.draw(ids))


def put(data: st.DataObject, system: System, book: Data, unit_id: str) -> Data:
    base = next((unit for unit in book["units"] if unit["id"] == unit_id), None)
    read = CardForm(system, book).read(data.draw(values_of(system, book)), base)
    return edits.put_card(book, system, read, unit_id if base else "")[0]


def put_many(data: st.DataObject, system: System, book: Data, unit_id: str) -> Data:
    values = data.draw(st.lists(values_of(system, book), max_size=3))
    reads = [CardForm(system, book).read(value) for value in values]
    return edits.put_cards(book, system, reads, data.draw(st.booleans()))


def put_json(data: st.DataObject, system: System, book: Data, unit_id: str) -> Data:
    unit = next((unit for unit in book["units"] if unit["id"] == unit_id), {"name": "Ann"})
    changed = {**unit, **data.draw(st.dictionaries(st.sampled_from(KEYS), anything, max_size=3))}
    raw = data.draw(st.just(json.dumps(changed)) | st.just(json.dumps(unit)) | words)
    return edits.put_json(book, system, raw, unit_id)


def copy_in(data: st.DataObject, system: System, book: Data, unit_id: str) -> Data:
    names = sorted(LIBRARY.books[system.id])
    source = LIBRARY.shipped_data(system.id, data.draw(st.sampled_from(names)))
    units = [unit["id"] for unit in source["units"]] or ["nobody"]
    return edits.copy_unit(book, system, source, data.draw(st.sampled_from(units)))[0]


def ability(data: st.DataObject, system: System, book: Data, unit_id: str) -> Data:
    ids = st.sampled_from([own["id"] for own in book.get("abilities", ())] or ["rage"]) | st.just(
        "lost"
    )
    styles = st.sampled_from(["none", "plus", "times", "much"])
    change = st.fixed_dictionaries(
        {"id": ids},
        optional={
            "name": st.sampled_from(["Rage", "Howl", "Wrath"]) | texts,
            "rating": styles,
            "summary": texts,
            "points": st.sampled_from(["", "5", "-3"]) | texts,
        },
    )
    return edits.own_ability(book, system, data.draw(change))


def category_of(data: st.DataObject, book: Data) -> str:
    ids = [category["id"] for category in book.get("categories", ())]
    return str(data.draw(st.sampled_from([*ids, "lost"])))


def put_category(data: st.DataObject, system: System, book: Data, unit_id: str) -> Data:
    numbers = st.sampled_from(["", "0", "25", "40%", "100", "101", "-1", "2.5"]) | texts
    typed = {
        "name": data.draw(st.sampled_from(["Core", "Wings", "Große Tiere", "鬼"]) | texts),
        **{bound.key: data.draw(numbers) for bound in edits.BOUNDS},
    }
    wanted = data.draw(st.sampled_from(["", category_of(data, book)]))
    return edits.put_category(book, system, typed, wanted)[0]


ACTS = {
    "put category": put_category,
    "remove category": lambda d, s, b, u: edits.remove_category(b, s, category_of(d, b)),
    "move category": lambda d, s, b, u: edits.move_category(
        b, s, category_of(d, b), d.draw(st.integers(-9, 9))
    ),
    "put": put,
    "put many": put_many,
    "put json": put_json,
    "copy in": copy_in,
    "ability": ability,
    "rename": lambda d, s, b, u: edits.rename(b, s, d.draw(texts), d.draw(texts)),
    "remove": lambda d, s, b, u: edits.remove_unit(b, s, u),
    "duplicate": lambda d, s, b, u: edits.copy_unit(b, s, b, u)[0],
    "move": lambda d, s, b, u: edits.move_unit(b, s, u, d.draw(st.integers(-99, 99))),
}


@LAW
@given(st.data())
def test_no_sequence_of_edits_makes_a_book_that_the_game_refuses(data: st.DataObject) -> None:
    system_id, book = data.draw(starts())
    system = system_of(system_id)
    for _ in range(data.draw(st.integers(1, 5))):
        before = copy.deepcopy(book)
        old, sentence = book, "Done."
        try:
            book = edited(data, system, book)
        except Refusal as refusal:
            sentence = refusal.sentence
        assert sentence.endswith(".")
        assert "/units/" not in sentence
        assert old == before
        assert book_problems(book, system, "book") == []
        ids = [category["id"] for category in book.get("categories", ())]
        assert len(set(ids)) == len(ids)
        assert len({unit["id"] for unit in book["units"]}) == len(book["units"])


@LAW
@given(st.data())
def test_a_card_read_without_a_mistake_goes_into_the_book(data: st.DataObject) -> None:
    system = system_of(data.draw(st.sampled_from(SYSTEMS)))
    book = edits.new_book(system, OWN, "Mine")
    read = CardForm(system, book).read(data.draw(values_of(system, book)))
    if not read.mistakes:
        after, unit_id = edits.put_card(book, system, read)
        assert after["units"] == [{"id": unit_id, **read.unit}]
    assert all(mistake.message.endswith((".", "?")) for mistake in read.mistakes)


@LAW
@given(st.data())
def test_a_card_reads_as_it_was_written_into_its_fields(data: st.DataObject) -> None:
    system = system_of(data.draw(st.sampled_from(SYSTEMS)))
    book = edits.new_book(system, OWN, "Mine")
    read = CardForm(system, book).read(data.draw(values_of(system, book)))
    if read.mistakes:
        return
    book, unit_id = edits.put_card(book, system, read)
    shown = CardForm(system, book).fill(book["units"][0])
    again = CardForm(system, book).read(shown)
    assert again.mistakes == ()
    assert meaning({"id": unit_id, **again.unit}) == meaning(book["units"][0])


def meaning(unit: Data) -> Data:
    """A unit without ways of writing: abilities in their long form, no empty lists."""
    told = {key: value for key, value in unit.items() if value not in ([], {})}
    if "abilities" in told:
        told["abilities"] = [read_ability(entry) for entry in told["abilities"]]
    return told


@pytest.mark.one_in(6)
@pytest.mark.parametrize(("system_id", "book_id"), SHIPPED)
def test_the_fields_of_every_shipped_unit_read_as_the_unit(system_id: str, book_id: str) -> None:
    system, book = system_of(system_id), LIBRARY.shipped_data(system_id, book_id)
    card = CardForm(system, book)
    for unit in book["units"]:
        shown = card.fill(unit)
        assert card.read(shown, unit) == ReadCard(unit, (), ())
        if not system.sized:
            assert set(shown) == {field.name for field in card.fields}
            again = card.read(shown)
            assert again.mistakes == ()
            shown_keys = FORM_KEYS - ({"points"} if system.formula else set())
            told = {key: value for key, value in unit.items() if key in shown_keys}
            assert meaning(again.unit) == meaning(told)


#: Keys of a unit that forms show.
FORM_KEYS = {field.key for field in UNIT_FIELDS if field.form}


cells = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs", "Zs", "Zl", "Zp"]), max_size=8
) | st.sampled_from(["a, b", 'say "hi"', "two\nlines", "x;y", "7,5", "1|2", "tab\there"])


@FEW
@given(st.data())
def test_a_written_table_is_read_as_its_rows(data: st.DataObject) -> None:
    width = data.draw(st.integers(3, 6))
    headings = ["Name", "Cost", "Level", "Speed", "Note", "Set"][:width]
    filled = st.text("abcxyz 123", min_size=1, max_size=6).map(lambda text: f"n{text.strip()}")
    row = st.tuples(filled, *[cells] * (width - 1))
    rows = data.draw(st.lists(row, min_size=3, max_size=8))
    delimiter = data.draw(st.sampled_from([",", ";", "\t", "|"]))
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows([headings, *rows])
    encoding = data.draw(st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
    grid = read_grid(text.getvalue().encode(encoding))
    wanted = [
        tuple(cell.strip().replace("\ufeff", "") for cell in row) for row in [headings, *rows]
    ]
    assert [tuple(row) for row in grid.rows] == wanted
    assert grid.delimiter == delimiter


@LAW
@given(st.data())
def test_any_table_is_read_or_refused_in_a_sentence(data: st.DataObject) -> None:
    system = system_of(data.draw(st.sampled_from(SYSTEMS)))
    book = edits.new_book(system, OWN, "Mine")
    row = st.lists(texts | st.sampled_from(["Name", "Points", "Lvl"]), max_size=5).map("\t".join)
    text = data.draw(st.lists(row, max_size=6).map("\n".join) | st.binary(max_size=60))
    try:
        grid = read_grid(text)
    except Refusal as refusal:
        event(refusal.sentence[:20])
        return
    shown = preview(grid, match_columns(grid, CardForm(system, book).fields), system, book)
    assert shown.wrong == sum(row.is_wrong for row in shown.rows)
    if shown.ready:
        reads = [row.read for row in shown.rows]
        assert len(edits.put_cards(book, system, reads)["units"]) == len(reads)
