"""What the book says of a unit that makes something worse which is wrong already."""

import re

from django.test import Client

from tests.books.shelf import Shelf as OwnBooks
from tests.conftest import Builder
from tests.pages.builder.test_shelf import LADY, entry, shelf_of

KILN = "practice/walking-kiln"


def test_a_rule_that_is_broken_more_is_told_in_its_own_sentence(chainmail: Builder) -> None:
    for ref in (LADY, KILN, KILN, KILN):
        chainmail.act("add", ref=ref)
    assert entry(shelf_of(chainmail), KILN).says == (
        "The models need 8 command capacity; the commanders provide 5.",
    )


def test_cards_without_a_group_stand_under_their_book(client: Client, db: None) -> None:
    own = OwnBooks(client, name="Marsh & Moor")
    own.add(name="Orc Berserker", group="")
    own.add(name="Orc Chief", group="Leaders")
    builder = Builder(client, "chainmail-2002", limit=100, books=["practice", own.id])
    page = builder.client.get(builder.url, {"part": "shelf"}).content.decode()
    heads = re.findall(r'<h3>(.*?) <span class="muted">(\d+)</span></h3>', page)
    assert heads[-1] == ("Marsh &amp; Moor", "1")
    assert dict(heads)["Leaders"] == "8"
    html = builder.client.get(builder.url, {"group": "Marsh & Moor"}).content.decode()
    assert re.search(r"\s1 of \d+\s+shown", html)


def test_a_book_alone_has_no_filter_by_group(client: Client, db: None) -> None:
    own = OwnBooks(client)
    own.add(group="")
    builder = Builder(client, "chainmail-2002", limit=100, books=[own.id])
    assert 'name="group"' not in builder.page
