"""Event packs by the API, and lists judged at an event."""

import json
from typing import Any

import pytest
from django.test import Client

from armybuilder.loading.library import CATALOGUE_DIR, shipped_library

EXAMPLES = CATALOGUE_DIR / "sbh" / "examples"
RANGERS = json.loads((EXAMPLES / "rangers-of-the-hollow-oak.json").read_text("utf-8"))


def validate(client: Client, document: Any, query: str = "") -> Any:
    address = f"/api/v1/validate/{query}"
    return client.post(address, json.dumps(document), content_type="application/json")


def test_packs_are_listed_and_told_with_their_rules(client: Client) -> None:
    listed = client.get("/api/v1/packs/").json()
    assert [one["id"] for one in listed] == list(shipped_library().packs)
    told = client.get("/api/v1/packs/raven-cup/").json()
    assert (told["name"], told["sizes"]) == ("Raven Cup", [300])
    assert told["file"] == shipped_library().packs["raven-cup"].data
    assert client.get("/api/v1/packs/nobody/").status_code == 404


def test_the_event_stands_beside_the_game(client: Client) -> None:
    alone = validate(client, RANGERS).json()
    both = validate(client, RANGERS, "?pack=raven-cup").json()
    event = both.pop("event")
    assert both == alone
    assert (both["legal"], event["legal"]) == (True, False)
    assert event["verdict"] == "not at this event: 1 error"
    assert [(one["code"], one["origin"]) for one in event["findings"]] == [("event.size", "event")]
    assert event["pack"]["revision"] == shipped_library().packs["raven-cup"].revision


@pytest.mark.parametrize(
    ("query", "status"), [("?pack=nobody", 422), ("?pack=../x", 400), ("?pack=lantern-cup", 422)]
)
def test_a_pack_that_does_not_fit_is_told(client: Client, query: str, status: int) -> None:
    answer = validate(client, RANGERS, query)
    assert (answer.status_code, answer["Content-Type"]) == (status, "application/problem+json")
