"""Pages make the books that they speak of, and no others: all of them would take a while."""

from collections.abc import Iterator
from functools import partial

import pytest
from django.test import Client

from armybuilder.engine.catalogue import Book, Contents
from armybuilder.loading.library import shipped_library

pytestmark = pytest.mark.django_db

Place = tuple[str, str]


@pytest.fixture
def asked() -> Iterator[set[Place]]:
    """The books whose contents somebody asks for, by game and id."""
    library, found = shipped_library(), set[Place]()
    there = [(game, one) for game, books in library.books.items() for one in books.values()]
    before = [book.contents for _game, book in there]

    def noted(game: str, book: Book, contents: partial[Contents]) -> Contents:
        found.add((game, book.id))
        return contents()

    for (game, book), contents in zip(there, before, strict=True):
        object.__setattr__(book, "contents", partial(noted, game, book, contents))
    library._catalogues.clear()
    yield found
    library._catalogues.clear()
    for (_game, book), contents in zip(there, before, strict=True):
        object.__setattr__(book, "contents", contents)


def test_pages_that_only_name_books_make_none(client: Client, asked: set[Place]) -> None:
    for address in (
        "/",
        "/library/",
        "/library/t9a-2023/",
        "/api/v1/systems/",
        "/packs/",
        "/lists/",
        "/books/",
    ):
        assert client.get(address).status_code == 200
        assert asked == set(), address


def test_a_page_of_one_game_makes_no_book_of_another(client: Client, asked: set[Place]) -> None:
    for address in ("/new/sbh/", "/library/sbh/profiles/", "/library/sbh/compare/"):
        assert client.get(address).status_code == 200
        assert {game for game, _book in asked} == {"sbh"}, address


def test_a_page_of_one_army_book_makes_no_other(client: Client, asked: set[Place]) -> None:
    assert client.get("/library/t9a-2023/highborn-elves/").status_code == 200
    assert asked == {("t9a-2023", "highborn-elves")}


def test_a_new_army_and_its_builder_make_the_one_book_that_it_draws_on(
    client: Client, asked: set[Place]
) -> None:
    fields = {"name": "Army", "limit": "4500", "books": "ogre-khans"}
    assert client.post("/new/t9a-2023/", fields, follow=True).status_code == 200
    assert asked == {("t9a-2023", "ogre-khans")}


def test_a_pasted_army_finds_its_book_by_the_names_of_units(
    client: Client, asked: set[Place]
) -> None:
    names = shipped_library().books["t9a-2023"]["ogre-khans"].names.values()
    assert client.post("/lists/paste/", {"text": "\n".join(names)}).status_code == 200
    assert asked == {("t9a-2023", "ogre-khans")}
