"""Pages of event packs, and of a list at an event."""

from collections.abc import Callable
from html import unescape

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from armybuilder.loading.library import shipped_library
from tests.conftest import Builder

pytestmark = pytest.mark.django_db
PACKS = shipped_library().packs


def said(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_all_packs_are_listed_under_their_games(client: Client) -> None:
    page = said(client, "/packs/")
    for pack in PACKS.values():
        assert f'href="/packs/{pack.id}/"' in page
        assert pack.about in page
    assert 'href="/packs/"' in said(client, "/library/")


@pytest.mark.parametrize("pack_id", PACKS)
def test_every_rule_of_a_pack_is_read_with_its_place(client: Client, pack_id: str) -> None:
    pack = PACKS[pack_id]
    page = " ".join(said(client, f"/packs/{pack_id}/").split())
    rules = [*(rule for _, rule in pack.rules(())), *pack.data.get("team", {}).get("rules", ())]
    assert rules
    for rule in rules:
        assert rule["summary"] in page
        assert str(pack.cite(rule["cite"])) in page
        assert all(one["name"] in page for one in rule.get("among", ()))
    for text in pack.data.get("texts", ()):
        assert text["text"] in page
    for one in pack.lifted:
        assert ("This replaces" if one.replaced else "Does not apply here") in page


def test_a_pack_can_be_saved_as_the_file_that_it_is(client: Client) -> None:
    assert client.get("/packs/raven-cup/pack.json").json() == PACKS["raven-cup"].data
    assert client.get("/packs/none-such/").status_code == 404
    assert client.get("/packs/none-such/pack.json").status_code == 404


def test_a_list_has_both_verdicts_never_mixed(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    for _ in range(8):
        sbh.act("more", unit="u1")
    page = " ".join(said(sbh.client, f"{sbh.url}event/?pack=raven-cup").split())
    assert "legal at this event" in page or "not at this event" in page
    report = f"{sbh.url}event/"
    assert "?pack=raven-cup" in said(sbh.client, report)
    assert "?pack=lantern-cup" not in said(sbh.client, report)  # of another game
    assert sbh.client.get(f"{report}?pack=lantern-cup").status_code == 404
    assert f'href="{report}"' in said(sbh.client, sbh.url)


def test_the_event_says_what_it_minds_and_where(build: Callable[..., Builder]) -> None:
    small = build("sbh", limit=120, books=["profiles"])
    page = said(small.client, f"{small.url}event/?pack=raven-cup")
    pack = PACKS["raven-cup"]
    (size,) = (rule for rule in pack.data["rules"] if rule["kind"] == "game-size")
    minded = page.partition("What the event says")[2].partition("</ul>")[0]
    assert "120" in minded
    assert str(pack.cite(size["cite"])) in minded


def test_nobody_sees_anothers_list_at_an_event(sbh: Builder) -> None:
    assert Client().get(f"{sbh.url}event/?pack=raven-cup").status_code == 404


def test_pages_of_packs_ask_the_database_nothing(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    client.get("/packs/")
    for address in ("/packs/", "/packs/four-banners/"):
        with django_assert_num_queries(0):
            client.get(address)
