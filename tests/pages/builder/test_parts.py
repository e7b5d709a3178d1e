"""Of the bar and the shelf only what has changed is drawn and sent."""

import re
from collections.abc import Callable

import pytest
from django.http import HttpResponse

from tests.conftest import Builder

MENU = '<details id="lists" data-same></details>'
WAYS = '<span id="bar-ways" data-same></span>'


def bar_parts_in(page: str) -> str:
    found = re.findall(r'<\w+ [^>]*\bid="(lists|bar-ways)"[^>]* data-part="(\w+)"', page)
    assert len(found) == 2
    return ",".join(f"{name}:{mark}" for name, mark in found)


def posted(builder: Builder, known: str, **fields: str) -> str:
    headers = {"HX-Request": "true", "X-Parts": known}
    posted = {"version": builder.version.pk, **fields}
    answer: HttpResponse = builder.client.post(f"{builder.url}act/", posted, headers=headers)
    assert answer.status_code == 200
    return answer.content.decode()


def test_of_the_bar_only_what_has_changed_is_sent(sbh: Builder) -> None:
    known = bar_parts_in(sbh.page)
    answer = posted(sbh, known, act="add", ref="profiles/human-warrior")
    assert MENU in answer
    assert WAYS in answer
    assert 'id="undo"' in answer
    without = posted(sbh, "", act="add", ref="profiles/human-warrior")
    assert bar_parts_in(without) == known
    assert "My lists" in without
    assert "My lists" not in answer
    # A new name and another language are sent.
    known = bar_parts_in(sbh.page)
    answer = posted(sbh, known, act="rename", name="Gate Watch")
    assert MENU not in answer
    assert '<h1 dir="auto">Gate Watch</h1>' in answer
    assert WAYS in answer
    known = bar_parts_in(sbh.page)
    sbh.client.cookies["django_language"] = "de"
    answer = posted(sbh, known, act="add", ref="profiles/human-warrior")
    assert MENU not in answer
    assert WAYS not in answer


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


def test_of_the_shelf_only_what_has_changed_is_sent(elves: Builder) -> None:
    first = shelf(elves)
    assert first.count('class="entry ') == 22
    known = parts_in(first)
    again = shelf(elves, known)
    assert 'class="entry ' not in again
    assert "<select" not in again
    assert again.count("data-same") == known.count(":")
    assert len(again) < len(first) / 4
    # A group that has changed is sent and so are filters.
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
