"""Own books in another language: what the pages say, what fields and tables understand."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import translation
from django.utils.html import escape
from django.utils.safestring import SafeData, mark_safe

from armybuilder.authoring.cards import CardForm
from armybuilder.authoring.edits import new_book
from armybuilder.authoring.tables import match_columns, read_grid
from armybuilder.loading.library import shipped_library
from tests.books.shelf import Shelf
from tests.languages.messages import LANGUAGES
from tests.markup import flat

pytestmark = pytest.mark.django_db

Speak = Callable[[Callable[[str], str]], None]

#: How German writes what the options of a unit cost.
GERMAN = {
    "{points} per model": "{points} je Modell",
    "up to {number}": "bis zu {number}",
    "0-{number} in the army": "0-{number} in der Armee",
    "one of a kind": "einzigartig",
    "{name} free": "{name} frei",
    "any": "beliebig",
}
OPTIONS = (
    "Banner, 20, one of a kind, 0-2 in the army\n"
    "Shields, 2 a model\n"
    "Scrolls, 10, up to 3\n"
    "Weapon: Spears free* | Halberds, 3 a model\n"
    "Extras (any): Horn, 5 | Drum free\n"
    "Gifts (up to 2): Ring, 5 | Cloak, 10 | Boots, 15"
)


@pytest.fixture
def speak(monkeypatch: pytest.MonkeyPatch) -> Speak:
    """Makes the pages speak as a function says of each English text."""

    def start(said: Callable[[str], str]) -> None:
        def one(text: str) -> str:
            told = said(text) if text else text
            return mark_safe(told) if isinstance(text, SafeData) else told  # noqa: S308

        def counted(single: str, plural: str, number: int) -> str:
            return one(single if number == 1 else plural)

        monkeypatch.setattr(translation._trans, "gettext", one)
        monkeypatch.setattr(translation._trans, "ngettext", counted)
        monkeypatch.setattr(translation._trans, "pgettext", lambda context, text: one(text))

    return start


def in_brackets(text: str) -> str:
    return f"⟦{text}⟧"


def not_looked_up(page: str) -> set[str]:
    """The words in the main part of a page that stand in no brackets."""
    main = flat(page[page.index("<main") : page.index("</main>")])
    main = re.sub(r"<svg.*?</svg>", "", main)
    attributes = re.findall(r'(?:aria-label|title|placeholder|label)="([^"]*)"', main)
    said = "¶".join([*attributes, re.sub(r"<[^>]*>", "¶", main)])
    while re.search("⟦[^⟦⟧]*⟧", said):
        said = re.sub("⟦[^⟦⟧]*⟧", "", said)
    pieces = (piece.strip() for piece in re.split("[¶,·]", said))
    return {piece for piece in pieces if re.search("[A-Za-z]{2}", piece)}


def of_the_game(system_id: str) -> set[str]:
    """What a game calls itself and the parts of its cards; the names of its books."""
    library = shipped_library()
    system = library.systems[system_id]
    parts = (*system.stats.values(), *system.attributes.values(), *system.texts.values())
    shipped = library.books[system_id].values()
    names = " ".join(escape(one.name) + "," for one in library.systems.values())
    return {
        *(part.strip() for part in names.split(",")),
        *(part.name for part in parts),
        *(stat.short for stat in system.stats.values()),
        *(f"{book.name} ({len(book.units)})" for book in shipped),
    }


def test_pages_say_in_another_language_all_that_they_say_themselves(
    shelf: Shelf, speak: Speak
) -> None:
    shelf.add(abilities="Foo 3", group="", set="")
    speak(in_brackets)
    written = {"Mine", ": Mine", "Orc Berserker", "Rage", "Rage +2", "Commander 3", "Foo 3", "Foo"}
    written |= {"Cards for Chainmail 2002.", "Added “Orc Berserker”.", ": Added “Orc Berserker”."}
    values = {"Naresh", "Evil", "Humanoid"}
    known = written | values | of_the_game("chainmail-2002")
    of_book = [f"{shelf.url}{part}" for part in ("", "paste/", "copy/", "abilities/")]
    for path in (*of_book, "/books/", "/books/import/", "/books/new/chainmail-2002/"):
        page = shelf.client.get(path).content.decode()
        assert not_looked_up(page) - known == set(), path
        assert "⟦" in page, path


def test_an_act_is_reported_in_the_language_of_its_player(shelf: Shelf, speak: Speak) -> None:
    speak(lambda text: text.replace("Copied", "Kopiert:"))
    shelf.client.post(f"{shelf.url}act/", {"act": "copy:orc-berserker"})
    assert shelf.book.act == "Kopiert: “Orc Berserker”."


def test_mistakes_on_a_card_are_named_in_the_reader_s_language(shelf: Shelf, speak: Speak) -> None:
    speak(in_brackets)
    response = shelf.add(name="", points="many", attr_faction="nowhere")
    messages = [mistake.message for mistake in response.context["mistakes"]]
    assert len(messages) == 3
    assert messages[:2] == [
        "⟦⟦Name⟧: ⟦This cannot be empty.⟧⟧",
        "⟦⟦Points⟧: ⟦“many” is not a number. Write a whole number from 0 to 9999.⟧⟧",
    ]
    assert messages[2].startswith("⟦Faction: ⟦Chainmail 2002 has no ⟦faction⟧ “nowhere”.⟧ ⟦Write")


def form(system_id: str) -> CardForm:
    """Return the form of a card of the game, as the pages speak now."""
    system = shipped_library().systems[system_id]
    return CardForm(system, new_book(system, "own-0000000000000000", "Mine"))


def unit_of(system_id: str, **values: str) -> dict[str, Any]:
    """Return the unit that the form reads, without mistakes."""
    read = form(system_id).read({"name": "Guard", **values})
    assert read.mistakes == ()
    return read.unit


def test_english_headings_are_known_in_every_language_an_empty_one_is_none(speak: Speak) -> None:
    forms = {key: form(key).fields for key in ("chainmail-2002", "t9a-2023", "sbh")}
    speak(in_brackets)
    for key, english in forms.items():
        foreign = form(key).fields
        assert foreign[0].label == "⟦Name⟧"
        grid = read_grid("\t".join(field.label for field in english) + "\nx" + "\ty" * 3)
        assert match_columns(grid, english) == match_columns(grid, foreign), key
    grid = read_grid("Name\t\tNote\nOrc\t1\tx")
    assert match_columns(grid, forms["chainmail-2002"])[1].field == ""


def test_headings_in_the_reader_s_language_are_known(speak: Speak) -> None:
    speak(lambda text: {"Copies owned": "Besitz", "Note": "Notiz"}.get(text, text))
    grid = read_grid("Name\tBesitz\tNotiz\tNote\nOrc\t1\tx\ty")
    columns = match_columns(grid, form("chainmail-2002").fields)
    assert [column.field for column in columns] == ["name", "owned", "note", "note"]


def test_options_are_written_and_read_in_either_language(speak: Speak) -> None:
    unit = unit_of("t9a-2023", options=OPTIONS)
    speak(lambda text: GERMAN.get(text, text))
    written = form("t9a-2023").fill(unit)["options"]
    assert "Shields, 2 je Modell" in written
    assert "Spears frei* | Halberds, 3 je Modell" in written
    assert "Extras (beliebig): Horn, 5 | Drum frei" in written
    assert "Gifts (bis zu 2)" in written
    assert unit_of("t9a-2023", options=written) == unit
    speak(lambda text: text)
    assert unit_of("t9a-2023", options=written) == unit


def test_options_are_read_as_the_pages_of_a_language_write_them() -> None:
    for language in LANGUAGES:
        unit = unit_of("t9a-2023", options=OPTIONS)
        with translation.override(language):
            written = form("t9a-2023").fill(unit)["options"]
            assert unit_of("t9a-2023", options=written) == unit, language
            price = translation.pgettext("option line", "{points} per model").format(points=2)
            assert price in written, language
        assert unit_of("t9a-2023", options=written) == unit, language


def test_a_size_is_read_in_any_language() -> None:
    for size, read in (
        ("15 bis 40 Modelle", [15, 40]),
        ("15 to 40 models", [15, 40]),
        ("15 à 40 figurines", [15, 40]),
        ("1 Modell", 1),
    ):
        assert unit_of("t9a-2023", size=size)["size"] == read, size


def test_abilities_are_read_in_any_language() -> None:
    for other, english in (
        ("Rage +2 [3 mal]", "Rage +2 [3 uses]"),
        ("Constrict SG 14", "Constrict DC 14"),
        ("Blindsight 6 Zoll", "Blindsight 6 inches"),
        ("Rage +2 [3 fois]", "Rage +2 [3 uses]"),
        ("Constrict DD 14", "Constrict DC 14"),
        ("Blindsight 6 pouces", "Blindsight 6 inches"),
    ):
        units = [unit_of("chainmail-2002", abilities=text) for text in (other, english)]
        assert units[0]["abilities"], other
        assert units[0] == units[1], other


def test_a_refused_file_says_once_that_nothing_was_done(client: Client, speak: Speak) -> None:
    speak(in_brackets)
    raw = b'{"format": "book/1", "system": "sbh", "units": 3}'
    page = client.post("/books/import/", {"file": SimpleUploadedFile("b.json", raw)})
    assert page.content.decode().count("othing was") == 1
    page = client.post("/books/import/", {"file": SimpleUploadedFile("b.json", b"{}")})
    assert "⟦Nothing was saved.⟧" in page.content.decode()


def test_a_table_without_headings_gets_some_in_the_reader_s_language(
    shelf: Shelf, speak: Speak
) -> None:
    speak(lambda text: text.replace("Column", "Spalte"))
    headless = shelf.paste("Gnoll\t8\nHyena\t3\n")
    assert headless.context["headless"]
    page = shelf.paste("Gnoll\t8\nHyena\t3\n", "bare")
    headings = [column.heading for column in page.context["preview"].columns]
    assert headings == ["Spalte 1", "Spalte 2"]
    assert not page.context["headless"]


def test_thousands_are_grouped_as_the_reader_s_language_does(shelf: Shelf) -> None:
    table = "Name\tPoints\n" + "".join(f"Card {number}\t1\n" for number in range(1100))
    german = shelf.client.post(
        f"{shelf.url}paste/", {"table": table}, headers={"Accept-Language": "de"}
    )
    assert "1,100" in shelf.paste(table).context["refused"]
    assert "1.100" in german.context["refused"]


def test_the_script_of_books_says_what_the_page_gives_it(shelf: Shelf, speak: Speak) -> None:
    speak(in_brackets)
    assert 'data-says="⟦That did not reach your book' in shelf.text("units/new/")
