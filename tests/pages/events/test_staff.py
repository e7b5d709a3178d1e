"""The staff: desk, judge's page, teams, and the webhook of organisers."""

import gzip
import json
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client

from armybuilder.events.models import Entry, LedgerLine, Submission, Webhook
from armybuilder.events.rules import StaffRole
from armybuilder.loading.documents import hash_of
from armybuilder.loading.examples import shipped_examples
from armybuilder.pages.events import desk
from armybuilder.pages.events.organise import ChangeForm
from tests.building.documents import army, value_of
from tests.events.builders import (
    TIMES,
    entered,
    helper,
    legal_list,
    open_event,
    owner_of,
    submitted,
)
from tests.markup import lacking
from tests.pages.events.people import People, folded, held, marked, raven_cup

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_a_sealed_event_is_opened_for_a_reason_that_its_player_reads() -> None:
    people = People(sealed=True)
    anne = people.player("Anne", email="anne@mill.example")
    people.submit(anne)
    form = ChangeForm(None, people.refreshed())
    said = {name: form[name].value() for name in form.fields if name != "sealed"}
    said = {k: str(v) for k, v in said.items() if v is not False and v is not None}
    said["name"] = "Another cup"
    refused = people.post(people.owner, "edit/", **said)
    assert refused.status_code == 422
    assert lacking(refused.text, "whose seal this would break", "Another cup") == []
    assert people.refreshed().sealed
    assert "for your eyes" in people.get(people.owner, "entries/1/1/").text
    opened = people.post(people.owner, "edit/", **said, reason="Asked by all.")
    assert opened.status_code == 302
    mine = people.get(anne).text
    assert lacking(mine, "Seal broken", "Asked by all.") == []
    assert mail.outbox[-1].subject == "Another cup: seal broken"
    assert "for your eyes" not in people.get(people.owner, "entries/1/1/").text


def test_an_accepted_list_that_a_new_pack_makes_worse_is_named_and_checked_again() -> None:
    people = People()
    wrong = replace(legal_list(), limit=400)
    for name in ("Anne", "Elif"):
        people.submit(people.player(name), wrong)
    people.submit(people.player("Fritz"), replace(legal_list(), limit=400, units=wrong.units[:2]))
    for number in (1, 2, 3):
        entry = people.event.entries.get(number=number)
        Entry.objects.filter(pk=entry.pk).update(status=Entry.Status.ACCEPTED)
    text = raven_cup(max=5)
    tried = people.post(people.owner, "pack/", text=text, go="try").text
    assert "0 lists that are legal now would not be any more" in tried
    assert lacking(tried, "2 accepted lists have to be checked again", "1 Anne") == []
    assert "3 Fritz" not in tried
    people.post(people.owner, "pack/", text=text, go="use")
    statuses = people.event.entries.order_by("number").values_list("status", flat=True)
    assert list(statuses) == ["entered", "entered", "accepted"]
    # The same rules once more make nothing worse, in any language.
    Entry.objects.update(status=Entry.Status.ACCEPTED)
    people.owner.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    again = people.post(people.owner, "pack/", text=text, go="try")
    assert "würde" in again.text
    assert (again.context["worse"], again.context["again"]) == ([], 0)  # type: ignore[attr-defined]


def test_a_list_that_is_not_legal_is_accepted_after_a_question_alone_without_its_errors() -> None:
    people, _anne = People.and_her_list(replace(legal_list(), limit=400))
    page = people.get(people.owner, "entries/1/1/").text
    first, nevertheless = page.split("Accept it nevertheless", 1)
    assert 'value="accepted"' not in first
    assert "Needed: 300" in first.split("<textarea")[1]
    assert "Needed: 300" not in nevertheless.split("<textarea")[1].split("</textarea>")[0]
    asked = people.post(people.owner, "entries/1/decide/", what="accepted", seen="1")
    assert asked.status_code == 422
    assert people.event.entries.get().status == "entered"
    people.post(people.owner, "entries/1/decide/", what="accepted", seen="1", sure="1")
    assert people.event.entries.get().status == "accepted"
    # A legal one takes one press.
    people.submit(people.player("Ben"))
    page = people.get(people.owner, "entries/2/1/").text
    assert 'value="accepted"' in page
    assert "Accept it nevertheless" not in page


def test_trying_packs_does_not_tell_whose_sealed_list_has_what() -> None:
    people = People(sealed=True)
    people.submit(people.player("Zilpa"))
    tried = people.post(people.owner, "pack/", text=raven_cup(max=5), go="try").text
    assert lacking(tried, "1 list that is legal now would not be any more", "is not named") == []
    assert "Zilpa" not in tried


LADDER = {"Late list": -3}


def test_a_judge_reads_lists_once_they_are_final_decides_nothing_and_may_use_the_camera() -> None:
    people, _anne = People.and_her_list(marked("Zilpzalp"), ladder=LADDER)
    helper(people.event, StaffRole.JUDGE, "Jo")
    jo = held("holder-Jo")
    assert "Zilpzalp" not in people.get(jo, "judge/").text
    assert "Zilpzalp unit" in people.get(jo, "judge/", TIMES.corrected).text
    assert people.get(jo, "desk/").status_code == 200
    for page, fields in (
        ("entries/1/decide/", {"what": "accepted", "seen": "1"}),
        ("desk/clean/", {"clean": "1.1"}),
    ):
        assert people.post(jo, page, **fields).status_code == 404, "a judge decides nothing"
    assert people.get(Client(), "judge/", TIMES.corrected).status_code == 404
    # The judge s page alone may use the camera.
    policies = [
        people.get(people.owner, page)["Permissions-Policy"] for page in ("judge/", "desk/")
    ]
    assert ["camera=(self)" in one for one in policies] == [True, False]
    assert ["camera=()" in one for one in policies] == [False, True]
    assert all("microphone=()" in one for one in policies)


def test_hashes_of_lists_are_there_for_eyes_that_may_see_these() -> None:
    people, anne = People.and_anne(sealed=True)
    lists = [marked("Zilpzalp"), marked("Wendehals")]
    for one in lists:
        people.submit(anne, one)
    kept = [one.list_hash for one in Submission.objects.order_by("number")]
    papers = [hash_of(one) for one in lists]  # of the player's own sheets, whose books say less
    assert len({*kept, *papers}) == 4
    for moment in (TIMES.due, TIMES.corrected):
        page = people.get(people.owner, "judge/", moment).text
        assert not any(one in page for one in (*kept, *papers))
    shown = people.get(people.owner, "judge/", TIMES.revealed)
    assert json.loads(shown.context["hashes"]) == [
        [kept[1], 1, 2, "entered"],
        [papers[1], 1, 2, "entered"],
        [kept[0], 1, 1, "former"],
        [papers[0], 1, 1, "former"],
    ]


def test_points_are_given_and_taken_back_and_their_player_reads_them() -> None:
    people, anne = People.and_her_list(ladder=LADDER)
    key = str(uuid4())
    for _time in range(2):
        people.post(people.owner, "entries/1/points/", reason="Late list", key=key)
    assert LedgerLine.objects.count() == 1
    assert "Late list -3" in " ".join(people.get(anne).text.split())
    assert people.post(anne, "entries/1/points/", reason="Late list").status_code == 404
    people.post(people.owner, "entries/1/points/", back="1", key=key)
    assert LedgerLine.objects.get().undone
    answer = people.post(people.owner, "entries/1/points/", reason="Other")
    assert answer.status_code == 422


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
    pages = [page.text for page in (first, second)]
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
        own, other = (people.get(people.owner, page.format(number)).text for number in (1, 2))
        assert own.count("entries/1/decide/") == own.count("entries/1/points/") == 0
        assert "entries/2/decide/" in other or "entries/2/points/" in other


@pytest.mark.slow
@pytest.mark.long
def test_sixty_four_armies_fit_on_a_page_for_a_phone() -> None:
    people = People()
    event = people.event = open_event("lantern-cup")
    helper(event, StaffRole.JUDGE, "Jo")
    made = value_of(army(15))
    for number in range(64):
        entry = entered(event, f"Player {number} of somewhere")
        submitted(event, entry, replace(made, name=f"Army {number}"))
    page = people.get(held("holder-Jo"), "judge/", TIMES.corrected).content
    assert page.count(b"judge-units") == 64
    assert len(gzip.compress(page)) < 150 * 1024


def page_of(people: People) -> str:
    return folded(people.get(people.owner, "teams/"))


def banners(**said: Any) -> People:
    """An event for teams of four, with four lists of one team, two of them from one book."""
    people = People()
    holder = owner_of(people.event).holder
    people.event = open_event("four-banners", **said)
    staff = owner_of(people.event)
    staff.holder = holder
    staff.save()
    lists = [one.document for one in shipped_examples().by_system["t9a-2023"]]
    for number, document in enumerate([*lists, lists[0]]):
        team = "Mill" if number % 2 else "mill"
        entry = entered(people.event, f"Player {number}", team)
        submitted(people.event, entry, replace(document, name=f"Army {number}"))
    return people


def test_lists_of_one_team_are_judged_together() -> None:
    people = banners()
    page = page_of(people)
    assert page.count("as a team") == 1
    assert lacking(page, "not legal as a team", "(Pack 5.1)") == []
    people.event.entries.filter(number=4).update(team="Hill")
    page = page_of(people)
    assert "(Pack 5.1)" not in page
    assert lacking(page, "1 list is missing", "3 lists are missing") == []
    # A sealed event tells no sentence, and a pack for single players has no teams.
    page = page_of(banners(sealed=True))
    assert "not legal as a team" in page
    assert "(Pack 5.1)" not in page
    assert "says nothing about teams" in page_of(People())


URL = "https://armies.example/hook"


def test_an_organiser_alone_gives_an_address_and_takes_it_away() -> None:
    people = People()
    assert "whsec_" not in people.get(people.owner, "webhook/").text
    assert people.post(people.owner, "webhook/", url=URL).status_code == 302
    page = people.get(people.owner, "webhook/").text
    assert lacking(page, URL, "whsec_") == []
    secret = Webhook.objects.get().secret
    people.post(people.owner, "webhook/", url=f"{URL}/2")
    assert Webhook.objects.get().secret == secret
    people.post(people.owner, "webhook/", go="try")
    people.post(people.owner, "webhook/", go="remove")
    assert not Webhook.objects.exists()
    # An address that is none is told.
    for url in ("", "http://armies.example/", "javascript:alert(1)", "x" * 600):
        answer = people.post(people.owner, "webhook/", url=url)
        assert answer.status_code == 422, url
        assert "https://" in answer.text
    assert not Webhook.objects.exists()
    # It is there for nobody else.
    people.post(people.owner, "webhook/", url=URL)
    helper(people.event, StaffRole.CHECKER, "Carl")
    for who in (Client(), people.player("Anne"), held("holder-Carl")):
        assert people.get(who, "webhook/").status_code == 404
        assert people.post(who, "webhook/", url="https://other.example/").status_code == 404
    assert Webhook.objects.get().url == URL
