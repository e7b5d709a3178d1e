"""Pages of own books: my books, one book, files in and out, and books of other browsers."""

import html
import json
from typing import Any

import pytest
from django.test import Client

from armybuilder.authoring import checking
from armybuilder.authoring.checking import about_of, mark_of
from armybuilder.books.models import OwnBook
from armybuilder.loading.library import shipped_library
from tests.books.shelf import Shelf, upload
from tests.building.tiny import book_data
from tests.markup import flat, found_in, lacking, refused

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def test_generated_descriptions_of_books_are_translated(
    client: Client,
) -> None:
    shelf = Shelf(client, "sbh", "Mine")
    assert shelf.data["about"] == "Cards for Song of Blades and Heroes."
    german = client.get(shelf.url, headers={"accept-language": "de"}).text
    assert german.count("Karten für Song of Blades and Heroes.") == 2
    shelf.rename("Mine", "Karten für Song of Blades and Heroes.")
    assert "Cards for Song of Blades and Heroes." in client.get(shelf.url).text
    shelf.rename("Mine", "Cards for my sister.")
    german = client.get(shelf.url, headers={"accept-language": "de"}).text
    assert "Cards for my sister." in german


def test_my_books_teach_and_every_game_can_have_some(client: Client) -> None:
    page = client.get("/books/").text
    assert "No books yet" in page
    for system in shipped_library().systems:
        assert f'href="/books/new/{system}/"' in page
    assert "sessionid" not in client.cookies
    # Every game can have books of ones own.
    for system in list(shipped_library().systems):
        shelf = Shelf(client, system, name="My <own>")
        assert "No cards yet" in shelf.page, system
        assert "My &lt;own&gt;" in shelf.page, system
        assert 'name="name"' in shelf.text("units/new/"), system
        page = client.get("/books/").text
        assert html.escape(shipped_library().systems[system].name) in page
        assert "No books yet" not in page, system


def test_a_book_needs_a_name_and_can_start_as_a_copy_of_a_shipped_one(client: Client) -> None:
    response = client.post("/books/new/sbh/", {"name": " ", "about": "All my orcs"})
    assert "All my orcs" in refused(response)
    assert not OwnBook.objects.exists()
    fields = {"name": "My practice", "copy": "practice"}
    client.post("/books/new/chainmail-2002/", fields)
    book = OwnBook.objects.get()
    shipped = shipped_library().books["chainmail-2002"]["practice"]
    assert book.unit_count == len(shipped.units)
    assert (book.name, book.data["kind"], book.data["id"]) == ("My practice", "own", book.pk)
    wrong = client.post("/books/new/chainmail-2002/", {"name": "x", "copy": "../sbh/profiles"})
    assert wrong.status_code == 422
    assert OwnBook.objects.count() == 1
    # One of another edition is copied as one of this.
    client.post("/books/new/chainmail-2001-basic/", {"name": "x", "copy": "practice"})
    book = OwnBook.objects.get(system="chainmail-2001-basic")
    assert book.system == book.data["system"] == "chainmail-2001-basic"
    assert client.get(f"/books/{book.pk}/").status_code == 200


def test_buttons_of_a_row_copy_move_and_remove_and_htmx_gets_what_changed(shelf: Shelf) -> None:
    shelf.act("copy:orc-berserker")
    shelf.add(name="Goblin")
    assert shelf.names[-1] == "Goblin"
    shelf.act("up:goblin")
    assert shelf.names[1] == "Goblin"
    shelf.act("down:orc-berserker")
    assert shelf.names[0] == "Goblin"
    shelf.act(f"remove:goblin:{shelf.mark('goblin')}")
    assert shelf.names == ["Orc Berserker", "Orc Berserker"]
    # A button by htmx answers with the part that changed.
    response = shelf.act("copy:orc-berserker", htmx=True)
    page = response.text
    assert response.status_code == 200
    assert '<div id="panel"' in page
    assert "<html" not in page
    assert "Copied “Orc Berserker”." in page
    assert "HX-Request" in response["Vary"]


def test_undo_brings_the_removed_card_back_and_old_pages_are_conflicts(shelf: Shelf) -> None:
    shelf.act(f"remove:orc-berserker:{shelf.mark('orc-berserker')}")
    assert "Undo" in shelf.page
    page = shelf.act("undo", htmx=True).text
    assert lacking(page, "Undone: Removed “Orc Berserker”.", "Redo") == []
    assert shelf.names == ["Orc Berserker"]
    # Removing and undoing from an old page are conflicts.
    old = shelf.mark("orc-berserker")
    shelf.change("orc-berserker", points="9")
    response = shelf.act(f"remove:orc-berserker:{old}")
    assert response.status_code == 409
    assert "changed elsewhere" in response.text
    assert shelf.names == ["Orc Berserker"]
    old = shelf.book.revision
    shelf.add(name="Goblin")
    response = shelf.act("undo", revision=old)
    assert response.status_code == 409
    assert shelf.names == ["Orc Berserker", "Goblin"]


@pytest.mark.slow
def test_name_and_description_change_or_are_refused(shelf: Shelf) -> None:
    old = mark_of(about_of(shelf.data))
    assert shelf.rename("Second name", "About it.").status_code == 302
    assert (shelf.book.name, shelf.data["about"]) == ("Second name", "About it.")
    response = shelf.rename("Third name", "Else.", mark=old)
    assert response.status_code == 409
    assert 'value="Third name"' in response.text
    assert shelf.book.name == "Second name"
    # An empty name and a button nobody knows are refused.
    response = shelf.rename("")
    assert response.status_code == 422
    assert shelf.book.name == "Second name"
    for act in ("", "explode", "copy:no-such-card", "remove", "up:"):
        assert shelf.act(act).status_code == 422, act
    assert shelf.names == ["Orc Berserker"]


def test_pages_of_a_book_show_its_cards_and_are_back_after_deleting(shelf: Shelf) -> None:
    # Pages of a book show cards and limits and no inline script.
    for text in ("Orc Berserker", ">7<", "Naresh · Evil · Humanoid", "Rage +2, Commander 3"):
        assert text in flat(shelf.page).replace("</span>", "<").replace("Points <", ">"), text
    assert f"/new/chainmail-2002/?book={shelf.id}" in shelf.page
    for path in ("", "units/new/", "units/orc-berserker/", "paste/", "copy/", "abilities/"):
        page = shelf.text(path)
        assert found_in(page, "style=", "onclick", "<script>") == []
    assert "1024 KB" in shelf.text("paste/")
    assert str(checking.MAX_UNITS) in shelf.client.get("/books/import/").text
    # Delete can be undone.
    page = shelf.client.post(f"{shelf.url}act/", {"act": "delete"}, follow=True).text
    assert "Deleted “Mine”" in page
    assert page.count(f"{shelf.url}restore/") == 2
    assert shelf.client.get(shelf.url).status_code == 404
    shelf.client.post(f"{shelf.url}restore/")
    assert "Orc Berserker" in shelf.page


@pytest.mark.slow
def test_finding_shows_the_cards_with_the_text_in_their_name(shelf: Shelf) -> None:
    shelf.fill(250)
    page = shelf.text(q="nit 24")
    assert lacking(page, "11 of 250 shown", "Unit 249") == []
    assert "up:unit-24" not in page  # what is hidden between is not to be jumped over
    part = shelf.client.get(shelf.url, {"q": "24"}, headers={"HX-Request": "true"})
    assert part.text.lstrip().startswith('<div id="rows">')
    # It comes in pages.
    first, last = shelf.page, shelf.text(page="3")
    assert "Unit 99" in first
    assert "Unit 100" not in first
    assert "Page 1 of 3" in first
    assert "Unit 249" in last
    for page in ("99999", "0", "-3", "x", "9" * 40):
        assert shelf.client.get(shelf.url, {"page": page}).status_code == 200


def test_queries_do_not_grow_with_the_book(shelf: Shelf, django_assert_num_queries: Any) -> None:
    # Queries do not grow with the book.
    for path in ("", "units/new/", "units/unit-0/", "paste/", "abilities/"):
        for number in (1, 200):
            shelf.fill(number)
            with django_assert_num_queries(2):  # the session, and the book
                shelf.text(path)
    # A change takes as many queries in a large book.
    for number in (1, 200):
        shelf.fill(number)
        mark = shelf.mark("unit-0")
        # The session, the book, and within a savepoint: lock it, change it, and ask how much room
        # the books, their contents and the ids of their files take.
        with django_assert_num_queries(9):
            assert shelf.change("unit-0", mark, points=str(number)).status_code == 302


@pytest.mark.slow
def test_my_books_load_no_content(shelf: Shelf, django_assert_num_queries: Any) -> None:
    for _ in range(5):
        Shelf(shelf.client)
    # The session, games by their files, the books, the deleted ones.
    with django_assert_num_queries(4) as seen:
        shelf.client.get("/books/")
    assert not any('"data"' in query["sql"] for query in seen.captured_queries)
    # Books with a thousand cards show.
    shelf.fill(1000)
    assert "1000 cards" in shelf.page
    assert "number 1000" in shelf.text("units/unit-999/")
    assert "1,000" in refused(shelf.add(name="One too many"))
    assert shelf.book.unit_count == 1000


def test_a_book_or_a_game_that_is_out_of_date_still_shows_or_can_be_saved(shelf: Shelf) -> None:
    book = shelf.book
    book.data["units"][0]["attributes"]["faction"] = "gone"
    book.data["units"][0]["note"] = "<b>bold</b>"
    book.save()
    assert lacking(shelf.page, "no longer accepts this book", "Orc Berserker") == []
    assert "&lt;b&gt;bold&lt;/b&gt;" in shelf.page
    assert shelf.client.get(f"{shelf.url}cards.pdf").status_code == 422
    OwnBook.objects.update(system="gone")
    assert "no longer available" in shelf.client.get("/books/").text
    assert shelf.client.get(shelf.url).status_code == 422
    assert shelf.client.get(f"{shelf.url}book.json").status_code == 200


def book_file(**changes: object) -> bytes:
    about: dict[str, object] = {"id": "mine", "system": "sbh", "name": "Mine", "units": []}
    return json.dumps(book_data(**{**about, **changes})).encode()


MODEL = {"name": "M", "stats": {"quality": 3, "combat": 3}}
BAD_FILES = {
    "nothing": (b"", "not JSON"),
    "not JSON": (b"{,", "not JSON"),
    "a list": (b"[1, 2]", "no book"),
    "too deep": (b"[" * 90_000, "nested too deeply"),
    "too large": (b'"' + b"x" * 1_100_000 + b'"', "at most 1024 KB"),
    "not UTF-8": (b"\xff\xfe\x00", "not UTF-8"),
    "no game": (book_file(system=3), "which game the book is for"),
    "an unknown game": (book_file(system="no-such"), "no game system"),
    "10,000 cards": (
        book_file(units=[{"id": f"u{number}", **MODEL} for number in range(10_000)]),
        "10,000",
    ),
    "two cards of one id": (
        book_file(units=[{"id": "orc", **MODEL}, {"id": "orc", **MODEL}]),
        "/units/1",
    ),
    "two mistakes": (book_file(units=[{"id": "a"}, {"id": "b", **MODEL, "hat": 1}]), "errors"),
    "a list of units": (b'{"format": "armylist/1", "units": []}', "army list"),
}


def test_a_bad_file_gets_a_clear_answer_with_the_place_of_every_mistake(client: Client) -> None:
    for name, (content, said) in BAD_FILES.items():
        response = upload(client, content)
        assert response.status_code == 422, name
        assert said in response.text
    assert not OwnBook.objects.exists()
    # Every mistake of a file is told with its place and a missing file.
    page = upload(client, BAD_FILES["two mistakes"][0]).text
    assert lacking(page, "<code>/units/0", "<code>/units/1") == []
    assert "Choose a file first" in refused(client.post("/books/import/", {}))


def test_cards_come_as_a_pdf_of_books_with_some_on_known_paper(
    shelf: Shelf, client: Client
) -> None:
    for address in ("cards.pdf", "cards-a4.pdf", "cards-letter.pdf"):
        response = shelf.client.get(f"{shelf.url}{address}")
        assert response["Content-Type"] == "application/pdf", address
        assert response.content.startswith(b"%PDF"), address
        assert response["Content-Disposition"] == 'inline; filename="Mine-cards.pdf"', address
    # No pdf of an empty book and of unknown paper.
    empty = Shelf(client)
    assert client.get(f"{empty.url}cards.pdf").status_code == 422
    assert client.get(f"{shelf.url}cards-a0.pdf").status_code == 404


def test_a_request_too_large_to_read_gets_a_page(shelf: Shelf) -> None:
    response = shelf.paste("x" * 5_000_000)
    assert response.status_code == 413
    assert "Too large: over" in response.text


def test_a_saved_file_comes_in_again_and_books_of_others_are_no_source(shelf: Shelf) -> None:
    # A saved file comes in again as the same book.
    saved = shelf.client.get(f"{shelf.url}book.json")
    assert saved["Content-Disposition"] == 'attachment; filename="Mine.json"'
    response = upload(Client(), saved.content)
    assert response.status_code == 302
    again = OwnBook.objects.exclude(pk=shelf.id).get()
    assert {**again.data, "id": shelf.id} == shelf.data
    # The book of another is no source to copy from.
    mine = Shelf(Client())
    assert mine.client.get(f"{mine.url}copy/", {"from": shelf.id}).status_code == 422
    fields = {"from": shelf.id, "units": "orc-berserker", "go": "copy"}
    assert mine.client.post(f"{mine.url}copy/", fields).status_code == 422
    assert mine.names == []
