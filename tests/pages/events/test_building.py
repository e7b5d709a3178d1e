"""Lists built for an event: shelf, verdict, ways and fillings obey its pack; the game's verdict is
told beside it, and sheets tell that alone.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from armybuilder.lists.models import ArmyList, KeptPack
from tests.conftest import Builder
from tests.pages.events.people import People

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    """What a page says."""
    return str(response.content.decode())


def start(client: Client, query: dict[str, str], game: str = "sbh", **fields: Any) -> str:
    """The address of a new list, of Song of Blades where nothing else is said."""
    made = client.post(f"/new/{game}/", {"limit": 300, "books": ["profiles"], **query, **fields})
    assert made.status_code == 302, words(made)
    return str(made["Location"])


def test_a_list_that_is_started_for_an_event_is_told_by_its_rules(client: Client) -> None:
    people = People()
    query = {"event": str(people.event.pk)}
    page = words(client.get("/new/sbh/", query))
    assert "For Raven Cup" in page
    assert 'value="300"' in page
    place = start(client, query, limit=200)
    shown = words(client.get(f"{place}?view=errors"))
    assert "Built for Raven Cup" in shown
    assert "Warbands have 300 points" in shown
    assert "Warbands have 300 points" not in words(client.get(f"{place}sheet/"))


def test_what_is_offered_obeys_the_event(client: Client) -> None:
    said = []
    for query in ({"pack": "cellar-night"}, {}):
        builder = Builder(client, "chainmail-2002", limit=70, books=["practice"], **query)
        for _time in range(3):
            builder.act("add", ref="practice/millbrook-spearhand")
        page = words(client.get(f"{builder.url}?view=units"))
        before = page[: page.index('value="practice/millbrook-spearhand"')]
        said.append(before.rpartition('<li class="')[2].partition('"')[0])
    assert said == ["entry breaks", "entry fits"]


def test_a_random_list_for_an_event_is_legal_there(client: Client) -> None:
    fields = {"limit": 300, "books": ["profiles"], "pack": "raven-cup"}
    made = client.post("/new/sbh/random/", fields)
    assert made.status_code == 302
    judged = words(client.get(f"{made['Location']}event/"))
    assert "legal at this event" in judged
    assert "not at this event" not in judged


def test_a_list_is_built_for_an_event_and_for_none_again(client: Client) -> None:
    place = start(client, {})
    assert "Build for this event" in words(client.get(f"{place}event/?pack=raven-cup"))
    client.post(f"{place}event/build/", {"pack": "raven-cup"})
    assert ArmyList.objects.get().pack is not None
    assert "Build by the game rules alone" in words(client.get(f"{place}event/"))
    client.post(f"{place}event/build/", {"pack": ""})
    assert ArmyList.objects.get().pack is None
    assert "Built for" not in words(client.get(f"{place}?view=errors"))
    assert KeptPack.objects.count() == 1


def test_a_pack_of_another_game_and_one_that_is_not_here_are_refused(client: Client) -> None:
    place = start(client, {})
    answer = client.post(f"{place}event/build/", {"pack": "lantern-cup"})
    assert answer.status_code == 422
    assert client.post(f"{place}event/build/", {"pack": "nobody"}).status_code == 404
    assert client.get("/new/sbh/", {"pack": "lantern-cup"}).status_code == 404
    assert client.get("/new/sbh/", {"event": "x"}).status_code == 404
    assert Client().post(f"{place}event/build/", {"pack": "raven-cup"}).status_code == 404


def test_a_list_goes_on_as_the_pack_was_when_it_was_started(client: Client) -> None:
    people = People()
    place = start(client, {"event": str(people.event.pk)}, limit=200)
    pack = json.loads(json.dumps(people.event.packs.get().data))
    next(one for one in pack["rules"] if one["kind"] == "game-size")["sizes"] = [200]
    people.post(people.owner, "pack/", text=json.dumps(pack), go="use")
    assert "Warbands have 300 points" in words(client.get(f"{place}?view=errors"))
    people.event.delete()
    assert client.get(place).status_code == 200


def test_a_copy_is_for_the_same_event(client: Client) -> None:
    place = start(client, {"pack": "raven-cup"})
    client.post(f"{place}copy/")
    packs = ArmyList.objects.values_list("pack", flat=True)
    assert len(set(packs)) == 1
    assert None not in packs
