"""What strangers and clumsy programs may send: it is answered with a sentence, and nothing that
they make harms anybody else.
"""

import json
import string
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import given, settings
from hypothesis import strategies as st
from reportlab.platypus import Spacer

from armybuilder.authoring import abilities_text, checking, copying, edits, wording
from armybuilder.authoring.cards import CardForm
from armybuilder.books import pinning
from armybuilder.books.models import Kept
from armybuilder.lists import services
from armybuilder.loading import library as library_module
from armybuilder.loading.cache import Cache
from armybuilder.loading.library import Library, shipped_library
from armybuilder.sheets.kinds import full
from tests.books.shelf import ORC, Shelf, upload
from tests.conftest import Builder
from tests.effort import tries

pytestmark = [pytest.mark.django_db, pytest.mark.long]

Data = dict[str, Any]

GIANT = 10**4200


def file_of(shelf: Shelf, **changes: Any) -> bytes:
    """The book as a file, its only card with other words."""
    data = shelf.data
    return json.dumps({**data, "units": [{**data["units"][0], **changes}]}).encode()


# Addresses and character sets


def test_any_word_can_be_in_the_query_of_an_act(shelf: Shelf) -> None:
    for query in ("name=x", "args=x&query=y", "self=1&request=2"):
        fields = {"act": "up:orc-berserker"}
        response = shelf.client.post(f"{shelf.url}act/?{query}", fields)
        assert response.status_code == 302, query
        assert response["Location"] == f"{shelf.url}?{query}", query


def test_forms_and_addresses_are_read_as_utf_8_despite_other_declarations(
    shelf: Shelf,
) -> None:
    for charset in ("hex", "raw_unicode_escape", "utf-16", "none-such"):
        body = '--B\r\nContent-Disposition: form-data; name="name"\r\n\r\n\\ud800 Öl\r\n--B--\r\n'
        kind = f"multipart/form-data; boundary=B; charset={charset}"
        response = shelf.client.generic("POST", f"{shelf.url}units/new/", body.encode(), kind)
        assert response.status_code == 302, charset
        assert shelf.names[-1] == "\\ud800 Öl", charset
    kind = "text/plain; charset=raw_unicode_escape"
    response = shelf.client.generic("GET", f"{shelf.url}?q=%5Cud800", content_type=kind)
    assert response.status_code == 200


def test_an_invalid_book_id_never_reaches_the_database(shelf: Shelf, chainmail: Builder) -> None:
    for wanted in ("own-\0", "own-x or 1=1", "own-0123456789ABCDEF"):
        with CaptureQueriesContext(connection) as queries:
            copied = shelf.client.post(
                f"{shelf.url}copy/", {"from": wanted, "go": "copy", "units": ["x"]}
            )
            shelf.client.get("/books/convert/", {"book": wanted})
            added = chainmail.act("add-book", book=wanted)
        assert (copied.status_code, added.status_code) == (422, 422), wanted
        sent = [query["sql"] for query in queries if "books_ownbook" in query["sql"]]
        assert sent, wanted
        assert not any(wanted in sql for sql in sent), wanted


# Numbers, lists and names of no end


@pytest.mark.slow
def test_numbers_and_names_that_no_card_has_are_refused(shelf: Shelf) -> None:
    for changes in (
        {"stats": {"armor": GIANT}},
        {"points": GIANT},
        {"abilities": [{"ability": "commander", "rating": -GIANT}]},
        {"abilities": ["commander " + "9" * 5000]},
        {"abilities": ["commander 1000"]},
        {"stats": {"armor": 100_000}},
        {"stats": {"armor": "1" * 61}},
        {"name": "W" * 121},
    ):
        raw = file_of(shelf, **changes)
        assert upload(shelf.client, raw).status_code == 422, changes
        before = shelf.data
        text = json.dumps(json.loads(raw)["units"][0]) if GIANT not in changes.values() else "1"
        fields = {"json": text, "mark": shelf.mark("orc-berserker")}
        response = shelf.client.post(f"{shelf.url}units/orc-berserker/json/", fields)
        assert response.status_code == 422, changes
        assert shelf.data == before, changes


def test_a_number_of_too_many_digits_is_refused_first(shelf: Shelf) -> None:
    for number in ("1" * 13, "-" + "1" * 13, "9" * 5000):
        raw = file_of(shelf, owned="HERE").replace(b'"HERE"', number.encode())
        page = upload(shelf.client, raw)
        assert page.status_code == 422, number
        assert "a number with too many digits" in page.content.decode(), number


UNIT: Data = {"id": "guard", "name": "Guard", "points": 100, "size": [10, 20]}
LONG_LISTS: list[Data] = [
    {"profiles": [{"name": f"Line {n}", "stats": {}} for n in range(31)]},
    {"keywords": [f"word {n}" for n in range(201)]},
    {"options": [{"id": f"o{n}", "name": f"Option {n}"} for n in range(201)]},
    {"when": [{"if": {"models": {"at_least": n}}, "add": {"points": 1}} for n in range(101)]},
    {"sources": ["page"] * 101},
    {"needs": {"any": [{"models": {"at_least": n}} for n in range(101)]}},
]


@pytest.mark.slow
def test_a_card_with_too_long_a_list_is_refused_with_the_numbers(client: Client) -> None:
    for changes in LONG_LISTS:
        shelf = Shelf(client, "t9a-2023")
        book = {**shelf.data, "units": [{**UNIT, **changes}]}
        page = upload(client, json.dumps(book).encode())
        assert page.status_code == 422, changes
        assert "entries; maximum" in page.content.decode(), changes


def test_a_book_has_a_maximum_of_required_units(client: Client) -> None:
    shelf = Shelf(client, "t9a-2023")
    units = [
        {**UNIT, "id": f"guard-{n}", "name": f"Guard {n}", "army_min": 1}
        for n in range(checking.MAX_MUSTS + 1)
    ]
    few = json.dumps({**shelf.data, "units": units[1:]}).encode()
    assert upload(client, few).status_code == 302
    page = upload(client, json.dumps({**shelf.data, "units": units}).encode())
    assert page.status_code == 422
    assert f"{checking.MAX_MUSTS}" in page.content.decode()


def test_a_limited_number_of_unknown_abilities_is_compared_with_those_of_the_game(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[str] = set()
    near = wording.BookNames.near
    monkeypatch.setattr(abilities_text, "MOST_GUESSED", 6)
    monkeypatch.setattr(
        wording.BookNames, "near", lambda names, text: asked.add(text) or near(names, text)
    )
    words = [f"unheard of thing {letter * 3}" for letter in string.ascii_lowercase]
    card = CardForm(shipped_library().system("chainmail-2002"), shelf.data)
    assert card.read({**ORC, "abilities": ", ".join(words)}).mistakes == ()
    assert len({text for text in asked if text.startswith("unheard of thing")}) == 6


def test_a_limited_number_of_unknown_words_is_compared_with_a_field_s_values(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wording, "_MOST_GUESSES", 3)
    known = wording.BookNames([("evil", "Evil Doer", 1)])
    assert known.near("Evil Doers") == "Evil Doer"
    assert [known.near(f"evil doer{n}") for n in range(4)] == ["Evil Doer", "Evil Doer", "", ""]
    assert known.near("Evil Doers") == "Evil Doer", "what was asked for is remembered"
    lasting = wording.BookNames([("evil", "Evil Doer", 1)], lasting=True)
    assert {lasting.near(f"evil doer{n}") for n in range(4)} == {"Evil Doer"}


def test_copying_many_cards_compares_each_of_their_abilities_once(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = [{"id": f"power-{n}", "name": f"Power {n}"} for n in range(10)]
    card = {**shelf.data["units"][0], "abilities": [entry["id"] for entry in own]}
    source = {
        **shelf.data,
        "abilities": own,
        "units": [{**card, "id": f"orc-{n}", "name": f"Orc {n}"} for n in range(40)],
    }
    compared: list[str] = []
    form = copying._form
    monkeypatch.setattr(copying, "_form", lambda one: compared.append(one["id"]) or form(one))
    system = shipped_library().system("chainmail-2002")
    made = edits.copy_units(shelf.data, system, source, [unit["id"] for unit in source["units"]])
    assert len(made["units"]) == 41
    assert len(compared) <= 2 * len(own) ** 2  # both sides of each comparison


# Lists


def test_a_list_whose_settings_are_lists_can_be_looked_at_in_another_edition(
    client: Client,
) -> None:
    document = {
        "format": "armylist/1", "system": "chainmail-2002", "books": [{"id": "practice"}],
        "name": "Odd", "limit": 100, "units": [],
        "settings": {"faction": ["practice/x"], "tactical_advantage": ["x"]},
    }  # fmt: skip
    file = SimpleUploadedFile("list.json", json.dumps(document).encode())
    url = client.post("/lists/open/", {"file": file})["Location"]
    for edition in ("chainmail-2001-basic", "chainmail-2001-advanced"):
        assert client.get(f"{url}changes/", {"edition": edition}).status_code == 200


def test_a_list_takes_no_book_of_another_game_even_an_empty_one(
    client: Client, chainmail: Builder
) -> None:
    other = Shelf(client, "sbh")
    response = chainmail.act("add-book", book=other.id)
    assert response.status_code == 422
    assert "There is no such book." in response.content.decode()
    assert not Kept.objects.filter(book_id=other.id).exists()


def test_a_list_pins_exactly_the_content_that_was_stored(
    shelf: Shelf, chainmail: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = pinning.books_now

    def changed_meanwhile(*asked: Any) -> list[pinning.BookNow]:
        return [book._replace(revision="f" * 16) for book in now(*asked)]

    monkeypatch.setattr(services, "books_now", changed_meanwhile)
    chainmail.act("add-book", book=shelf.id)
    pinned = {book["id"]: book["revision"] for book in chainmail.document["books"]}
    assert Kept.objects.filter(book_id=shelf.id, revision=pinned[shelf.id]).exists()


def pinned_in(shelf: Shelf, library: Library, note: str) -> Any:
    """The catalogue of a list that pins the book as it is after a change."""
    shelf.change("orc-berserker", note=note)
    system = library.system("chainmail-2002")
    revisions = pinning.take(shelf.book.holder, system, library, [shelf.id])
    return lambda: library.catalogue("chainmail-2002", [shelf.id], revisions)


@pytest.fixture
def fresh_library() -> Library:
    shipped = shipped_library()
    made = Library(shipped.systems, shipped.books, files=shipped.files)
    made.ask(pinning.find_kept)
    return made


@pytest.mark.slow
def test_catalogues_of_players_books_are_remembered_as_far_as_their_units_go(
    shelf: Shelf, fresh_library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.add(name="Second")
    monkeypatch.setattr(library_module, "MOST_PINNED_UNITS", 4)
    asks = [pinned_in(shelf, fresh_library, f"note {n}") for n in range(3)]
    made = [ask() for ask in asks]
    assert [ask() is had for ask, had in zip(asks[1:], made[1:], strict=True)] == [True, True]
    assert asks[0]() is not made[0], "the oldest had to go"


class Leaky(Cache[Any, Any]):
    """Loses what it was found to have, as another thread makes it."""

    def get(self, key: Any) -> Any:
        found = super().get(key)
        self._values.pop(key, None)
        return found


def test_a_catalogue_that_another_thread_forgets_is_made_again(
    shelf: Shelf, fresh_library: Library
) -> None:
    for name in ("_pinned", "_catalogues"):
        object.__setattr__(fresh_library, name, Leaky(9))
    ask = pinned_in(shelf, fresh_library, "note")
    assert [len(ask().units) for _ in range(3)] == [1, 1, 1]
    assert fresh_library.catalogue("sbh", ["profiles"]) is fresh_library.catalogue(
        "sbh", ["profiles"]
    )


def test_a_list_that_no_page_holds_says_so_instead_of_a_sheet(
    chainmail: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(full, "story", lambda sheet, setup, room: [Spacer(10, 2 * room.height)])
    response = chainmail.client.get(f"{chainmail.url}sheet.pdf")
    assert response.status_code == 422
    assert "too long for a page" in response.content.decode()


# Anything at all


ODD = [
    *("", " ", "\0", "\ufeff", "\u202ex", "\u2028", "🐉", "ﷺ", "ß", "Z̸͓", "²", "٣", "1e9", "-0"),
    *("9" * 5000, "x" * 5000, ",;:|", "((((", "))))", "[3]", "□□", "?", "!Zap +1", "Rage +2"),
    *("=1+1", "#REF!", "__proto__", "new", "..", "null", "{}", "[]", '{"id": "new"}', "15-40"),
    *("A: b free | c, 3 a model", "naresh,evil", "good", '<script x="', "%00", "\r\n\r\n"),
]
ODD_TEXTS = st.sampled_from(ODD) | st.text(max_size=30)
SYSTEMS = sorted(shipped_library().systems)
ANYTHING = settings(
    max_examples=tries(25),
)


@st.composite
def fields_of_cards(draw: st.DrawFn, system_id: str) -> Mapping[str, str]:
    book = edits.new_book(shipped_library().system(system_id), "own-0123456789abcdef", "Mine")
    known = [field.name for field in CardForm(shipped_library().system(system_id), book).fields]
    more = ["mark", "go", "preview", "table", "json", "column-0", "heading-0", "replace"]
    return draw(st.dictionaries(st.sampled_from([*known, *more]), ODD_TEXTS, max_size=12))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("system_id", SYSTEMS)
def test_no_post_to_the_pages_of_a_book_breaks_a_page_or_the_book(
    client: Client, system_id: str
) -> None:
    shelf = Shelf(client, system_id)
    system = shipped_library().system(system_id)
    paths = ("units/new/", "units/x/", "units/x/json/", "paste/", "abilities/", "act/")

    @ANYTHING
    @given(st.sampled_from(paths), fields_of_cards(system_id), st.booleans())
    def post(path: str, fields: Mapping[str, str], htmx: bool) -> None:
        headers = {"HX-Request": "true"} if htmx else {}
        unit = next((unit["id"] for unit in shelf.data["units"]), "x")
        where = path.replace("/x/", f"/{unit}/")
        response = client.post(f"{shelf.url}{where}", fields, headers=headers)
        assert response.status_code in (200, 302, 404, 409, 422)
        checking.checked(shelf.data, system)
        assert shelf.book.unit_count == len(shelf.data["units"])

    post()


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ODD_TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ODD_TEXTS, inner, max_size=4),
    max_leaves=8,
)


def replaced(draw: Callable[..., Any], value: Any) -> Any:
    """The value with something else somewhere in it."""
    if isinstance(value, dict) and value and draw(st.booleans()):
        key = draw(st.sampled_from(sorted(value)))
        return {**value, key: replaced(draw, value[key])}
    if isinstance(value, list) and value and draw(st.booleans()):
        return [replaced(draw, value[0]), *value[1:]]
    return draw(JSON_VALUES)


@ANYTHING
@given(st.data())
def test_any_uploaded_file_becomes_a_valid_book_or_is_refused(
    client: Client, data: st.DataObject
) -> None:
    system = shipped_library().system(data.draw(st.sampled_from(SYSTEMS)))
    shipped = data.draw(st.sampled_from(sorted(shipped_library().books[system.id])))
    book: Any = {**(shipped_library().shipped_data(system.id, shipped) or {})}
    book |= {"system": system.id, "units": book["units"][:2]}
    raw = data.draw(
        st.binary(max_size=200)
        | st.builds(lambda: json.dumps(replaced(data.draw, book)).encode())
        | ODD_TEXTS.map(lambda text: text.encode("utf-8", "replace"))
    )
    response = upload(client, raw)
    assert response.status_code in (302, 422)
    if response.status_code == 422:
        assert "<h1" in response.content.decode()
    else:
        assert client.get(response["Location"]).status_code == 200
