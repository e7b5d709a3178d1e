"""The page of a game at the table: what it holds, for whom, and two lists on one page."""

import gzip
import json
import re
from typing import Any

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage
from django.test import Client

from armybuilder.lists.services import create_list
from armybuilder.packing import packed
from tests.building.documents import army, skirmish, value_of
from tests.conftest import Builder
from tests.pages.mine import Mine
from tests.sharing.links import make_link, path_of


def data_of(answer: Any) -> dict[str, Any]:
    page = answer.content.decode()
    found = re.search(r'<script id="play-data" type="application/json">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


@pytest.fixture
def listed(chainmail: Builder) -> Builder:
    chainmail.act("add", ref="practice/millbrook-spearhand")
    return chainmail


def other(client: Client, system: str = "chainmail-2002", book: str = "practice") -> Builder:
    return Builder(client, system, limit=100, books=[book], name="Other")


def test_the_page_needs_no_server_to_play_and_without_script_leads_to_the_sheet(
    listed: Builder,
) -> None:
    answer = listed.client.get(f"{listed.url}play/")
    data = data_of(answer)
    assert [row["name"] for row in data["sides"][0]["rows"]] == ["Millbrook Spearhand"]
    assert data["key"] == f"list-{listed.version.army_list_id}"
    page = answer.content.decode()
    assert "Play needs JavaScript" in page
    assert f'href="{listed.url}sheet/"' in page
    assert f'href="{listed.url}play/"' in listed.page


def test_two_lists_of_one_game_are_on_one_page(listed: Builder) -> None:
    second = other(listed.client)
    address = f"{listed.url}play/?list={second.version.army_list_id}"
    data = data_of(listed.client.get(address))
    assert [side["name"] for side in data["sides"]] == ["Test list", "Other"]
    assert data["key"].endswith(f"+list-{second.version.army_list_id}")
    shared = path_of(make_link(second, what="current", view="full"))
    data = data_of(listed.client.get(f"{listed.url}play/", {"link": f"https://x.example{shared}"}))
    assert [side["name"] for side in data["sides"]] == ["Test list", "Other"]


def test_a_second_list_that_cannot_be_played_is_said(listed: Builder) -> None:
    away = other(Client())
    wrong = {
        f"list={away.version.army_list_id}": "We can’t find the second list.",
        "list=nonsense": "We can’t find the second list.",
        "link=https://x.example/shared/gone/": "We can’t find the second list.",
        f"list={other(listed.client, 'sbh', 'profiles').version.army_list_id}": "another game",
    }
    for query, words in wrong.items():
        answer = listed.client.get(f"{listed.url}play/?{query}")
        assert answer.status_code == 422, query
        assert words in answer.content.decode()
        assert len(data_of(answer)["sides"]) == 1


def test_a_shared_list_is_played_as_far_as_its_link_shows_it(listed: Builder) -> None:
    listed.act("describe", unit="u1", name="", notes="Zilpzalp")
    for view, shows in (("full", True), ("open", False)):
        address = path_of(make_link(listed, what="current", view=view))
        stranger = Client()
        answer = stranger.get(f"{address}play/")
        assert answer.status_code == 200
        assert ("Zilpzalp" in json.dumps(data_of(answer))) is shows
        key = data_of(answer)["key"]
        assert address.strip("/").rpartition("/")[2] not in key, "a secret is in no browser's store"
    assert Client().get(f"{listed.url}play/").status_code == 404


def test_the_page_of_an_army_is_light_with_all_its_files_but_the_typeface(
    client: Client, db: None
) -> None:
    made = create_list(Mine(client).holder, value_of(army()), "Made.")
    page = client.get(f"/lists/{made.army_list_id}/play/", headers={"Accept-Encoding": "gzip"})
    files = FileSystemStorage(settings.BASE_DIR / "armybuilder" / "static")
    ours = ("css/site.css", "css/play.css", "js/site.js", "js/play.js")
    parts = [packed(files, f"armybuilder/{one}").encode() for one in ours]
    text = gzip.decompress(page.content).decode()
    assert not re.findall(r'<script src="(/static/[^"]+)" defer', text), "no library of exchanges"
    weight = len(page.content) + sum(len(gzip.compress(part)) for part in parts)
    assert weight < 60 * 1024


@pytest.mark.parametrize("document", [army(), skirmish("chainmail-2002")], ids=["army", "skirmish"])
def test_a_list_of_a_revision_that_is_gone_is_played_as_far_as_the_book_goes(
    client: Client, db: None, document: dict[str, Any]
) -> None:
    books = [{**book, "revision": "0" * 12} for book in document["books"]]
    unit = {**document["units"][0], "id": "u99", "unit": f"{books[0]['id']}/no-longer-there"}
    gone = value_of({**document, "books": books, "units": [*document["units"], unit]})
    made = create_list(Mine(client).holder, gone, "Made.")
    answer = client.get(f"/lists/{made.army_list_id}/play/")
    assert answer.status_code == 200
    assert len(data_of(answer)["sides"][0]["rows"]) >= len(document["units"])
