"""Of the shelf only what has changed is sent."""

import re
from collections.abc import Callable

import pytest

from tests.conftest import Builder


@pytest.fixture
def elves(build: Callable[..., Builder]) -> Builder:
    return build("t9a-2023", limit=4500, books=["highborn-elves"])


def shelf(builder: Builder, known: str = "", **query: str) -> str:
    """What a search answers to a browser that has the parts `known`."""
    headers = {"HX-Request": "true", "X-Parts": known}
    return builder.client.get(builder.url, {"view": "units", **query}, headers=headers).text


def parts_in(page: str) -> str:
    found = re.findall(r'<\w+ id="((?:entries|facets)[^"]*)"[^>]* data-part="(\w+)"', page)
    return ",".join(f"{name}:{mark}" for name, mark in found)


def test_what_the_browser_has_of_the_shelf_is_not_sent(elves: Builder) -> None:
    first = shelf(elves)
    assert first.count('class="entry ') == 22
    known = parts_in(first)
    again = shelf(elves, known)
    assert 'class="entry ' not in again
    assert "<select" not in again
    assert again.count("data-same") == known.count(":")
    assert len(again) < len(first) / 4


def test_a_group_that_has_changed_is_sent_and_so_are_filters(elves: Builder) -> None:
    known = parts_in(shelf(elves))
    for _ in range(2):
        elves.act("add", ref="highborn-elves/sky-sloop")
    after = shelf(elves, known)
    assert 'id="add-highborn-elves/sky-sloop"' in after
    assert 'id="add-highborn-elves/citizen-spears"' not in after
    found = shelf(elves, known, q="sloop")
    assert 0 < found.count('class="entry ') < 22
    assert re.search('<div id="facets"[^>]* hx-swap-oob="morph"', found)


def test_undo_leaves_the_units_where_the_books_stay(elves: Builder) -> None:
    elves.act("add", ref="highborn-elves/mage")
    assert "list-changed" in elves.act("undo", htmx=True)["HX-Trigger-After-Swap"]


def test_undo_draws_the_units_anew_where_the_books_change(chainmail: Builder) -> None:
    books = re.findall(r'name="book"\s+value="([^"]+)"', chainmail.page)
    other = next(book for book in books if book != "practice")
    assert (
        "book-changed" in chainmail.act("add-book", htmx=True, book=other)["HX-Trigger-After-Swap"]
    )
    assert "book-changed" in chainmail.act("undo", htmx=True)["HX-Trigger-After-Swap"]
