"""Teams at an event: the lists of those who gave one name, judged together."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from armybuilder.loading.examples import shipped_examples
from tests.events.builders import entered, open_event, owner_of, submitted
from tests.pages.events.people import People

pytestmark = pytest.mark.django_db


def page_of(people: People) -> str:
    """The page of teams, in one line."""
    answer: Any = people.get(people.owner, "teams/")
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


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
    assert "not legal as a team" in page
    assert "(Pack 5.1)" in page
    people.event.entries.filter(number=4).update(team="Hill")
    page = page_of(people)
    assert "(Pack 5.1)" not in page
    assert "1 list is missing" in page
    assert "3 lists are missing" in page


def test_a_sealed_event_tells_no_sentence() -> None:
    page = page_of(banners(sealed=True))
    assert "not legal as a team" in page
    assert "(Pack 5.1)" not in page


def test_a_pack_for_single_players_has_no_teams() -> None:
    assert "says nothing about teams" in page_of(People())
