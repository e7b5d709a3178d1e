"""A league: each of the lists that a player hands in has a size of its own."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module

import pytest
from django.apps import apps
from django.test import Client

from armybuilder.authoring.packs import basics_of, with_basics
from armybuilder.events import organising
from armybuilder.events.models import Entry, Submission
from armybuilder.events.visibility import Role
from armybuilder.loading.library import shipped_library
from tests.events.builders import NOW, entered, legal_list, open_event, submitted
from tests.pages.events.people import People

pytestmark = pytest.mark.django_db
LEAGUE = "three-winters-league"


def test_one_list_is_not_legal_as_each_of_three() -> None:
    event = open_event(LEAGUE)
    entered(event)
    found = [submitted(event, one) for one in event.entries.order_by("number")]
    assert [one.legal for one in found] == [False, True, False]
    assert [one.needs for one in found] == [["errors"], [], ["errors"]]
    said = found[2].event_report["findings"][0]["sentence"]
    assert said.startswith("The list is for 300 points. Needed: 400.")


def test_another_pack_judges_each_list_by_its_own_size() -> None:
    event = open_event()
    first = entered(event)
    submitted(event, first)
    league, library = shipped_library().packs[LEAGUE], shipped_library()
    organising.use_pack(event.pk, league, "", Role.OWNER, NOW, library)
    assert not Submission.objects.get().legal


def test_pages_say_for_which_size_each_list_is() -> None:
    people = People(pack=LEAGUE)
    anne = people.player("Anne")
    mine = people.get(anne).content.decode()
    for number, size in enumerate((200, 300, 400), 1):
        assert f"for {size} points" in mine
        form = anne.get(f"/new/sbh/?event={people.event.pk}&list={number}").content.decode()
        assert f"For Three Winters League ({number})" in form
        assert f'value="{size}"' in form
    people.submit(anne)
    assert "not at this event" in people.get(anne).content.decode()
    assert "for 200 points" in people.get(people.owner, "desk/").content.decode()
    assert "for 200 points" in people.get(people.owner, "entries/1/").content.decode()


def test_a_list_is_built_and_judged_as_that_of_its_size(client: Client) -> None:
    fields = {"limit": 300, "books": ["profiles"], "pack": LEAGUE}
    place = client.post("/new/sbh/", fields)["Location"]
    assert (
        "Built for Three Winters League (2)" in client.get(f"{place}?view=errors").content.decode()
    )
    judged = client.get(f"{place}event/?pack={LEAGUE}").content.decode()
    assert "Three Winters League (2)" in judged
    document = replace(legal_list(), limit=400).to_dict()
    told = client.post(f"/api/v1/validate/?pack={LEAGUE}", document, "application/json").json()
    assert told["event"]["pack"]["name"] == "Three Winters League (3)"


def test_entries_made_before_are_counted_by_their_numbers() -> None:
    event = open_event(LEAGUE)
    entered(event)
    entered(event, "Ben")
    Entry.objects.update(part=1)
    import_module("armybuilder.events.migrations.0004_which_list").count_parts(apps, None)
    assert list(event.entries.order_by("number").values_list("part", flat=True)) == [1, 2, 3] * 2


def test_the_form_of_a_pack_says_that_lists_have_sizes_of_their_own() -> None:
    league = shipped_library().packs[LEAGUE].data
    basics = basics_of(league)
    assert basics.in_order
    changed = with_basics(league, replace(basics, sizes=(200, 300, 500)), {})
    assert changed["entry"] == {"lists": 3, "sizes": [200, 300, 500]}
    alike = with_basics(league, replace(basics, in_order=False), {})
    assert alike["entry"] == {"lists": 3}
