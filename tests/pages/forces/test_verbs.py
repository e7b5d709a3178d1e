"""What a list of files could become is shown with its changes, and taken by a button."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.lists.worked_out import FileReport, worked_out
from tests.markup import lacking
from tests.pages.forces.armies import Pond

pytestmark = pytest.mark.django_db


@pytest.fixture
def pond(client: Client) -> Pond:
    return Pond(client)


def take(pond: Pond, page: str) -> None:
    """Press the first button of a page of proposals."""
    proposal = re.search(r'name="proposal" value="([^"]+)"', page)
    assert proposal, page
    pond.act("take-proposal", proposal=unescape(proposal[1]))


def report(pond: Pond) -> FileReport:
    row = pond.row
    return worked_out(row.versions.get(number=row.number)).report


def test_a_broken_list_is_made_legal_by_what_is_shown(pond: Pond) -> None:
    squad = pond.add("squad")
    pond.act("count:trooper=1", unit=squad)
    assert not report(pond).legal
    assert not lacking(pond.client.get(pond.address).text, reverse("force-repair", args=[pond.id]))
    page = pond.client.get(reverse("force-repair", args=[pond.id])).text
    assert "Trooper" in page
    take(pond, page)
    assert report(pond).legal
    assert "The list is legal." in pond.client.get(reverse("force-repair", args=[pond.id])).text


def test_points_that_are_left_are_spent_within_the_limit(pond: Pond) -> None:
    pond.act("cost-limit", cost="pts", limit="100")
    take(pond, pond.client.get(reverse("force-filling", args=[pond.id])).text)
    after = report(pond)
    assert after.legal
    assert 0 < after.points <= 100


def test_without_a_limit_there_is_nothing_to_spend(pond: Pond) -> None:
    page = pond.client.get(reverse("force-filling", args=[pond.id])).text
    assert "No points are left to spend." in page


def test_a_proposal_for_another_list_is_refused(pond: Pond) -> None:
    squad = pond.add("squad")
    pond.act("count:trooper=1", unit=squad)
    page = pond.client.get(reverse("force-repair", args=[pond.id])).text
    pond.act("remove", unit=squad)
    proposal = re.search(r'name="proposal" value="([^"]+)"', page)
    assert proposal
    pond.act("take-proposal", status=422, proposal=unescape(proposal[1]))
