"""What players read of their own entries, and what asks first before it is done."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from armybuilder.events.models import Entry, Submission
from tests.events.builders import TIMES, legal_list
from tests.pages.events.people import People, text_of

pytestmark = pytest.mark.django_db


def words(answer: Any) -> str:
    """What a page says, its white space folded."""
    return " ".join(answer.content.decode().split())


def accept(people: People, number: int = 1, seen: int = 1, **more: str) -> None:
    """The owner accepts a list, or what else is said."""
    fields = {"what": "accepted", "seen": str(seen), **more}
    people.post(people.owner, f"entries/{number}/decide/", **fields)


def test_who_withdraws_is_asked_and_comes_back_with_the_list() -> None:
    people = People()
    anne = people.player("Anne")
    people.submit(anne)
    accept(people)
    assert "Yes, withdraw" in words(people.get(anne))
    people.post(anne, "withdraw/")
    page = words(people.get(anne))
    assert "Your entry is withdrawn. Nobody sees its lists." in page
    assert ">counts<" not in page
    assert "Accepted" not in page
    assert "Enter again first" in words(people.get(anne, "submit/"))
    assert people.get(anne, "submit/").context["turn"].allowed is False
    people.post(anne, "enter/", name="Anne")
    page = words(people.get(anne))
    assert "Your list counts again." in page
    assert ">counts<" in page
    closed = words(people.get(people.player("Ben"), now=TIMES.corrected))
    assert "Enter again" not in closed


def test_organisers_take_an_entry_out_and_back_in() -> None:
    people = People()
    anne = people.player("Anne")
    people.submit(anne)
    assert "Yes, take it out" in words(people.get(people.owner, "entries/1/"))
    people.post(people.owner, "entries/1/withdraw/")
    assert "Only the organisers can take you back in" in words(
        people.get(anne, now=TIMES.corrected)
    )
    assert "Take it back in" in words(people.get(people.owner, "entries/1/"))
    people.post(people.owner, "entries/1/withdraw/", TIMES.corrected, back="1")
    assert Entry.objects.get().status == Entry.Status.ENTERED
    assert people.post(anne, "entries/1/withdraw/", back="1").status_code == 404
    assert people.post(people.owner, "entries/1/withdraw/", TIMES.over, back="1").status_code == 422


def test_further_lists_come_back_with_their_player() -> None:
    people = People(pack="three-winters-league")
    anne = people.player("Anne")
    people.post(anne, "withdraw/")
    people.post(people.owner, "entries/3/withdraw/", back="1")
    assert set(Entry.objects.values_list("status", flat=True)) == {"entered"}


def test_cancelling_asks_first() -> None:
    people = People()
    page = words(people.get(people.owner))
    ask = page.index("event-ask")
    assert page.index("Cancel it?") > ask
    assert page.index('value="cancelled"') > page.index("Cancel it?")
    people.post(people.owner, "standing/", standing="cancelled")
    assert "Take it up again" in words(people.get(people.owner))


def use_pack(people: People, **changed: Any) -> None:
    """Let a changed form of the event's pack count."""
    pack = {**people.event.packs.latest("pk").data, **changed}
    people.post(people.owner, "pack/", text=json.dumps(pack), go="use", reason="Small tables")


def test_after_the_rules_have_changed_a_player_reads_that_and_why() -> None:
    people = People()
    anne = people.player("Anne")
    people.submit(anne)
    accept(people)
    head = {"id": "few", "kind": "limit", "code": "event.few", "cite": "9", "summary": "Two."}
    rules = [*people.event.packs.get().data["rules"], {**head, "count": "models", "max": 2}]
    use_pack(people, rules=rules)
    page = words(people.get(anne))
    assert "The rules of the event were changed on" in page
    assert "Small tables" in page
    assert "The staff have still to look at it." in page
    assert "Two. Here: " in page
    assert "Was accepted ·" in page
    accept(people, sure="1")
    page = words(people.get(anne))
    assert "The rules of the event were changed" not in page


def test_a_returned_list_says_until_when_it_is_to_be_mended() -> None:
    people = People(late_allowed=True)
    anne = people.player("Anne")
    people.submit(anne)
    accept(people, what="returned", to_player="Two heroes.")
    after = TIMES.due + timedelta(hours=1)
    page = words(people.get(anne, now=after))
    assert "Your list was returned. Submit a corrected one until Fri 5 Jun 2026, 14:00" in page
    assert "will be marked" not in page
    people.submit(anne, now=after)
    page = words(people.get(anne, now=after))
    assert "Lists were due. Another one will be marked as late." in page
    assert "Submit a corrected one until" not in page


def test_why_a_list_is_not_legal_stands_on_the_page_and_before_it_is_submitted() -> None:
    people = People()
    anne = people.player("Anne")
    wrong = replace(legal_list(), limit=200)
    text = text_of(wrong)
    tried = people.post(anne, "submit/", text=text, go="check")
    assert "The list is for 200 points. Needed: 300." in words(tried)
    assert "Nothing has been submitted yet." in words(tried)
    assert not Submission.objects.exists()
    people.submit(anne, wrong)
    assert "The list is for 200 points. Needed: 300." in words(people.get(anne))


def test_what_the_event_says_is_told_in_the_readers_language() -> None:
    people = People()
    anne = people.player("Anne")
    anne.cookies["django_language"] = "de"
    people.submit(anne, replace(legal_list(), limit=200))
    assert Submission.objects.get().event_report["language"] == "de"
    assert "Die Liste ist für 200 Punkte." in words(people.get(anne))
    assert "The list is for 200 points." in words(people.get(people.owner, "entries/1/1/"))


def test_the_page_of_a_list_names_its_player_unless_names_are_hidden() -> None:
    people = People()
    people.submit(people.player("Anne"))
    assert "<title>Entry 1, list 1: Anne" in words(people.get(people.owner, "entries/1/1/"))
    hidden = people.get(people.owner, "desk/?blind=1")
    assert "entries/1/1/?blind=1" in words(hidden)
    assert "Anne" not in words(people.get(people.owner, "entries/1/1/?blind=1")).split("sheet")[0]


def test_until_when_lists_are_hidden_is_said_plainly() -> None:
    people = People()
    assert "Until lists are shown only those who check them see yours." in words(
        people.get(Client())
    )


@pytest.mark.parametrize(("days", "said"), [(-20, "All times of this event are past"), (-4, "due")])
def test_an_event_in_the_past_is_made_with_a_hint(days: int, said: str) -> None:
    people = People()
    now = timezone.now().replace(second=0, microsecond=0)
    times = {
        name: f"{now + timedelta(days=days + after):%Y-%m-%dT%H:%M}"
        for after, name in enumerate(("frozen", "due", "corrected", "revealed", "over"), 1)
    }
    fields = {"name": "Cup", "organiser": "Olga", "zone": "UTC", "pack": "raven-cup", **times}
    fields |= {"grace": "0", "capacity": "0", "audience": "entrants"}
    made = people.owner.post("/events/new/", fields, follow=True)
    assert said in " ".join(str(one) for one in made.context["messages"])
