"""What opponents may see of a list at an event: not what the items cost that it hides."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from tests.building.documents import value_of
from tests.events.builders import NOW, TIMES
from tests.pages.events.people import People
from tests.pages.events.test_whole_event import words
from tests.sheets.printed import example

pytestmark = pytest.mark.django_db
PAGES = ("lists/", "entries/1/1/")


def test_open_lists_do_not_tell_what_hidden_items_cost() -> None:
    document = value_of(example("t9a-2023/the-long-table"))
    material = Material(document, shipped_library(), NOW.date())
    spent, openly = material.sheet.spent, material.open_sheet.spent
    assert openly < spent
    people = People(pack="four-banners", audience="public")
    anne = people.player("Anne")
    people.submit(anne, document)
    for page in PAGES:
        told = " ".join(words(people.get(Client(), page, TIMES.revealed)).split())
        assert "within 4500 points" in told, page
        assert not re.search(rf"\b{spent}\b", told), page
        assert f"{spent} of 4500" in " ".join(words(people.get(people.owner, page)).split())
    for form in ("json", "csv"):
        told = people.get(Client(), f"lists/{form}/", TIMES.revealed).content.decode()
        assert not re.search(rf"\b{spent}\b", told), form


def test_games_that_hide_nothing_tell_what_their_lists_spend() -> None:
    people = People(audience="public")
    people.submit(people.player("Anne"))
    for page in PAGES:
        told = words(people.get(Client(), page, TIMES.revealed))
        assert re.search(r"\d+\s+of 300 points", told), page
