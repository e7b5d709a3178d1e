"""What players read of their own entries, and what asks first before it is done."""

from __future__ import annotations

from typing import Any

import pytest

from armybuilder.events.models import Entry
from tests.events.builders import TIMES
from tests.pages.events.people import People

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
