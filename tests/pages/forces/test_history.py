"""Older versions of lists of files: opened, told by what they changed, compared."""

import pytest
from django.test import Client

from armybuilder.lists.forces import start_forces
from tests.markup import lacking
from tests.pages.events.people import folded
from tests.pages.forces.armies import HOLDER, Pond

pytestmark = pytest.mark.django_db


def test_the_history_says_what_each_version_changed(client: Client) -> None:
    pond = Pond(client)
    pond.add("squad")
    pond.add("boat")
    page = folded(client.get(f"{pond.address}history/"))
    assert lacking(page, "65 points", "35 points", "0 points") == []
    older = folded(client.get(f"{pond.address}history/2/"))
    assert lacking(older, "Squad", "35 pts", "Go back to this version") == []
    assert "Boat" not in older


def test_two_versions_and_two_lists_are_compared(client: Client) -> None:
    pond = Pond(client)
    pond.add("squad")
    pond.add("boat")
    versions = f"a={pond.id}@2&b={pond.id}@3"
    assert "New: Boat (30 points)" in folded(client.get(f"/lists/compare/?{versions}"))
    other = start_forces(HOLDER, pond.game.pk, "lake", "raft", "Lakes").army_list_id
    found = folded(client.get(f"/lists/compare/?a={pond.id}&b={other}"))
    assert lacking(found, "Only in Ponds: 3 × Squad", "Only in Ponds: Boat") == []
