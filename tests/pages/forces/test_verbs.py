"""What a list of files could become is shown with its changes, and taken by a button."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.battlescribe.files.reports import FileReport
from armybuilder.lists.worked_out import worked_out
from tests.markup import lacking
from tests.pages.forces.armies import Pond, bound, squads

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


def crews() -> dict[str, bytes]:
    """The files of the game, in which a raft needs a crew, and a crew somebody."""
    asked = (
        '<condition type="lessThan" value="1" field="forces" scope="roster" childId="crew"'
        ' shared="true" includeChildForces="true"/>'
    )
    error = (
        '<modifiers><modifier type="add" field="error" value="It needs a crew."><conditions>'
        f"{asked}</conditions></modifier></modifiers>"
    )
    some = bound("min", 1, "crew-min", "force")
    crew = (
        '<forceEntries><forceEntry id="crew" name="Crew"><categoryLinks>'
        '<categoryLink id="crew-core" name="Core" targetId="core" primary="false"><constraints>'
        f"{some}</constraints></categoryLink></categoryLinks></forceEntry></forceEntries>"
    )
    files = squads()
    raft = b"</categoryLinks></forceEntry>"
    inside = f"</categoryLinks>{error}{crew}</forceEntry>".encode()
    return {**files, "Squads.gst": files["Squads.gst"].replace(raft, inside, 1)}


def test_a_force_comes_where_one_is_asked_for(client: Client) -> None:
    pond = Pond(client, files=crews())
    page = unescape(client.get(f"{pond.address}?view=errors").text)
    assert "Raft: It needs a crew." in page
    page = unescape(client.get(reverse("force-repair", args=[pond.id])).text)
    assert re.search(r"Add Crew \(\w+\) to Raft\.", page), page
    take(pond, page)
    assert report(pond).legal
    assert [force["name"] for force in pond.document["forces"][0]["forces"]] == ["Crew"]


def why(pond: Pond, on: str = "", entry: str = "") -> str:
    """Return the page that tells why something may not be taken, or else of the whole list."""
    asked = {"on": on, "entry": entry} if entry else {}
    return unescape(pond.client.get(reverse("force-why", args=[pond.id]), asked).text)


def test_what_is_hidden_says_what_hides_it(pond: Pond) -> None:
    page = why(pond, pond.force, "ghost")
    assert "The files always hide Ghost here." in page
    assert "Smallest change" not in page


def test_what_breaks_a_bound_says_which_and_the_change_that_allows_it(pond: Pond) -> None:
    squad = pond.add("squad")
    pond.act("take:flag", unit=squad)
    page = why(pond, squad, "flag")
    assert "Flag: 2 in Squad; the maximum is 1." in page
    assert "Nothing prevents it" not in page


def test_a_unit_over_the_limit_is_allowed_by_a_change_that_keeps_it(pond: Pond) -> None:
    pond.add("boat")
    pond.act("cost-limit", cost="pts", limit="40")
    page = why(pond, pond.force, "squad")
    assert "The list costs 65 pts; the maximum is 40." in page
    assert "Remove Boat." in page
    take(pond, page)
    after = report(pond)
    assert after.legal
    assert after.numbers[0] == 35


def test_an_entry_that_nothing_prevents_is_reported_as_free(pond: Pond) -> None:
    assert "Nothing prevents it: you can add one." in why(pond, pond.force, "boat")


def test_an_unknown_entry_has_no_reasons(pond: Pond) -> None:
    address = reverse("force-why", args=[pond.id])
    for asked in ({"on": pond.force, "entry": "nix"}, {"on": "nix", "entry": "boat"}):
        assert pond.client.get(address, asked).status_code == 422


def test_a_list_that_adding_can_mend_says_what_to_add(pond: Pond) -> None:
    squad = pond.add("squad")
    pond.act("count:trooper=1", unit=squad)
    page = why(pond)
    assert "You can still make it legal by adding units." in page
    assert "Trooper: 3 instead of 1." in page


def test_a_list_that_adding_cannot_mend_says_what_is_in_the_way(pond: Pond) -> None:
    pond.add("boat")
    pond.act("cost-limit", cost="pts", limit="20")
    page = why(pond)
    assert "With the additions that we tried, these choices block a legal list:" in page
    assert "The list costs 30 pts; the maximum is 20." in page
    assert "Boat" in page


def test_points_that_are_left_are_spent_within_the_limit(pond: Pond) -> None:
    pond.act("cost-limit", cost="pts", limit="100")
    take(pond, pond.client.get(reverse("force-filling", args=[pond.id])).text)
    after = report(pond)
    assert after.legal
    assert 0 < after.numbers[0] <= 100


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
