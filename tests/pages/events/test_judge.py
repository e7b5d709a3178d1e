"""The judge's page: every list that a judge may see, small enough for a phone, and penalties."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from uuid import uuid4

import pytest
from django.test import Client

from armybuilder.events.models import LedgerLine, Submission
from armybuilder.events.visibility import Role
from armybuilder.loading.documents import hash_of
from armybuilder.pages.events import desk
from tests.building.documents import army, value_of
from tests.events.builders import TIMES, entered, helper, open_event, submitted
from tests.pages.events.people import People, held, marked

pytestmark = pytest.mark.django_db
LADDER = {"Late list": -3}


def test_a_judge_reads_lists_once_they_are_final() -> None:
    people = People(ladder=LADDER)
    people.submit(people.player("Anne"), marked("Zilpzalp"))
    helper(people.event, Role.JUDGE, "Jo")
    jo = held("holder-Jo")
    assert "Zilpzalp" not in people.get(jo, "judge/").content.decode()
    page = people.get(jo, "judge/", TIMES.corrected).content.decode()
    assert "Zilpzalp unit" in page
    assert people.get(Client(), "judge/", TIMES.corrected).status_code == 404


def test_hashes_of_lists_are_there_for_eyes_that_may_see_these() -> None:
    people = People(sealed=True)
    anne = people.player("Anne")
    lists = [marked("Zilpzalp"), marked("Wendehals")]
    for one in lists:
        people.submit(anne, one)
    kept = [one.list_hash for one in Submission.objects.order_by("number")]
    papers = [hash_of(one) for one in lists]  # of the player's own sheets, whose books say less
    assert len({*kept, *papers}) == 4
    for moment in (TIMES.due, TIMES.corrected):
        page = people.get(people.owner, "judge/", moment).content.decode()
        assert not any(one in page for one in (*kept, *papers))
    shown = people.get(people.owner, "judge/", TIMES.revealed)
    assert json.loads(shown.context["hashes"]) == [
        [kept[1], 1, 2, "entered"],
        [papers[1], 1, 2, "entered"],
        [kept[0], 1, 1, "former"],
        [papers[0], 1, 1, "former"],
    ]


def test_points_are_given_and_taken_back_and_their_player_reads_them() -> None:
    people = People(ladder=LADDER)
    anne = people.player("Anne")
    people.submit(anne)
    key = str(uuid4())
    for _time in range(2):
        people.post(people.owner, "entries/1/points/", reason="Late list", key=key)
    assert LedgerLine.objects.count() == 1
    assert "Late list -3" in " ".join(people.get(anne).content.decode().split())
    assert people.post(anne, "entries/1/points/", reason="Late list").status_code == 404
    people.post(people.owner, "entries/1/points/", back="1", key=key)
    assert LedgerLine.objects.get().undone
    answer = people.post(people.owner, "entries/1/points/", reason="Other")
    assert answer.status_code == 422


def test_the_judge_s_page_alone_may_use_the_camera() -> None:
    people = People()
    policies = [
        people.get(people.owner, page)["Permissions-Policy"] for page in ("judge/", "desk/")
    ]
    assert ["camera=(self)" in one for one in policies] == [True, False]
    assert ["camera=()" in one for one in policies] == [False, True]
    assert all("microphone=()" in one for one in policies)


def test_a_large_event_has_several_pages_and_papers_are_compared_with_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk, "EACH_TO_JUDGE", 2)
    people = People()
    for name in ("Anne", "Ben", "Cleo"):
        people.submit(people.player(name), marked(name))
    people.player("Dora")
    first = people.get(people.owner, "judge/", TIMES.corrected)
    second = people.get(people.owner, "judge/?page=2", TIMES.corrected)
    pages = [page.content.decode() for page in (first, second)]
    assert ["Cleo unit" in page for page in pages] == [False, True]
    assert ["Anne unit" in page for page in pages] == [True, False]
    assert ["Dora" in page for page in pages] == [False, True]
    entries = {entry for _hash, entry, _number, _is in json.loads(first.context["hashes"])}
    assert entries == {1, 2, 3}
    assert first.context["hashes"] == second.context["hashes"]


def test_helpers_who_play_are_not_offered_to_decide_about_their_own_list() -> None:
    people = People(ladder=LADDER, staff_plays=True)
    people.post(people.owner, "enter/", name="Olga")
    people.submit(people.owner)
    people.submit(people.player("Anne"))
    for page in ("entries/{}/1/", "judge/"):
        own, other = (
            people.get(people.owner, page.format(number)).content.decode() for number in (1, 2)
        )
        assert own.count("entries/1/decide/") == own.count("entries/1/points/") == 0
        assert "entries/2/decide/" in other or "entries/2/points/" in other


@pytest.mark.slow
@pytest.mark.long
def test_sixty_four_armies_fit_on_a_page_for_a_phone() -> None:
    people = People()
    event = people.event = open_event("lantern-cup")
    helper(event, Role.JUDGE, "Jo")
    made = value_of(army(15))
    for number in range(64):
        entry = entered(event, f"Player {number} of somewhere")
        submitted(event, entry, replace(made, name=f"Army {number}"))
    page = people.get(held("holder-Jo"), "judge/", TIMES.corrected).content
    assert page.count(b"judge-units") == 64
    assert len(gzip.compress(page)) < 150 * 1024
