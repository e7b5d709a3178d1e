"""The campaign of a list: its log, its models, points over time."""

from typing import Any

import pytest
from django.test import Client

from armybuilder.playing import keeping
from armybuilder.playing.models import CampaignEntry, Match
from tests.conftest import Builder
from tests.markup import flat


def fields(**more: Any) -> dict[str, Any]:
    return {"day": "2026-05-02", "kind": "advance", "model": "Troll", "text": "Swims.", **more}


@pytest.fixture
def fielded(sbh: Builder) -> Builder:
    sbh.act("add", ref="profiles/troll")
    return sbh


def test_the_log_has_matches_and_changes_with_the_points_of_the_list(fielded: Builder) -> None:
    address = f"{fielded.url}campaign/"
    match = {"day": "2026-05-01", "result": "won", "opponent": "Béla", "scenario": "Bridge"}
    assert fielded.client.post(f"{fielded.url}matches/", match).status_code == 302
    cost = Match.objects.get().list_points
    assert cost
    change = fields(price_before="70", price_after="73", treasure="-3")
    assert fielded.client.post(address, change).status_code == 302
    # The list stays in the match as it was fielded, whatever becomes of it.
    fielded.act("remove", unit="u1")
    assert (
        fielded.client.post(address, fields(kind="death", text="", treasure="10")).status_code
        == 302
    )
    assert Match.objects.get().sides[0]["lines"] == [f"Troll · {cost}"]
    assert [step.points for step in keeping.steps_of(fielded.version.army_list)] == [
        cost,
        cost,
        0,
    ]
    page = flat(fielded.client.get(address).text)
    treasure = {"kind": "treasure", "model": "", "text": "", "treasure": "5"}
    assert fielded.client.post(address, {"day": "2026-05-04", **treasure}).status_code == 302
    found = flat(fielded.client.get(address).text)
    assert 'Treasure</strong> <span class="muted">5</span>' in found, "said once"
    for words in ("Béla Bridge", f"Troll · {cost}", "Points: 70 → 73", "Treasure: 7.", "Death",
                  "not on the list", "Matches: 1; won: 1", "Points over time"):  # fmt: skip
        assert words.replace(" ", "") in page.replace(" ", ""), words


def test_changes_since_the_last_entry_are_logged_with_their_prices(fielded: Builder) -> None:
    address = f"{fielded.url}campaign/"
    fielded.act("add", ref="profiles/orc-warrior")
    assert not fielded.client.get(address).context["changes"], "no entry yet"
    fielded.client.post(address, fields())
    assert not fielded.client.get(address).context["changes"]
    fielded.act("remove", unit="u1")
    fielded.act("add", ref="profiles/human-warrior")
    fielded.act("describe", unit="u2", name="Grub", notes="")
    page = fielded.client.get(address)
    changes = {(one.kind, one.model, one.price_before, one.price_after, one.text)
               for one in page.context["changes"]}  # fmt: skip
    assert {(kind, model) for kind, model, *_rest in changes} == {
        *(("death", "Troll"), ("recruit", "Human Warrior"), ("advance", "Grub")),
    }
    price = next(before for _kind, model, before, *_rest in changes if model == "Grub")
    assert f"Points: {price}" in page.text
    assert f"{price} → {price}" not in page.text
    ticked = {f"change-{number}": "on" for number in range(3)}
    kinds = {f"kind-{number}": "note" for number in range(3)} | {"kind-9": "x"}
    about = {"go": "changes", "version": str(fielded.version.number), **ticked, **kinds}
    stale = fielded.client.post(address, {**about, "version": "1"})
    assert stale.status_code == 422
    assert fielded.client.post(address, about).status_code == 302
    assert [entry.kind for entry in CampaignEntry.objects.all()].count("note") == 3
    assert not fielded.client.get(address).context["changes"]
    # What is entered last need not be of the latest day.
    fielded.client.post(address, fields(day="2126-01-01"))
    fielded.act("duplicate", unit="u2")
    fielded.client.post(address, fields())
    assert not fielded.client.get(address).context["changes"]


def test_an_entry_is_deleted_by_its_owner_alone(fielded: Builder) -> None:
    address = f"{fielded.url}campaign/"
    fielded.client.post(address, fields())
    entry = CampaignEntry.objects.get()
    for client in (Client(), Builder(Client(), "sbh", limit=300, books=["profiles"]).client):
        assert client.get(address).status_code == 404
        assert client.post(address, fields()).status_code == 404
        assert client.post(f"{address}{entry.pk}/delete/").status_code == 404
    other = Builder(fielded.client, "sbh", limit=300, books=["profiles"], name="Other")
    assert fielded.client.post(f"{other.url}campaign/{entry.pk}/delete/").status_code == 404
    assert CampaignEntry.objects.count() == 1
    assert fielded.client.post(f"{address}{entry.pk}/delete/").status_code == 302
    assert CampaignEntry.objects.count() == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"day": "x"},
        {"kind": "x"},
        {"treasure": "x"},
        {"price_after": "-1"},
        {"model": "", "text": ""},
    ],
)
def test_an_invalid_entry_is_refused(fielded: Builder, wrong: dict[str, str]) -> None:
    answer = fielded.client.post(f"{fielded.url}campaign/", fields(**wrong))
    assert answer.status_code == 422
    assert "field-error" in answer.text
    assert not CampaignEntry.objects.exists()


def test_the_entries_of_a_campaign_are_limited(
    fielded: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "MOST_ENTRIES", 1)
    fielded.client.post(f"{fielded.url}campaign/", fields())
    answer = fielded.client.post(f"{fielded.url}campaign/", fields())
    assert "already has 1 entries" in answer.text
    assert CampaignEntry.objects.count() == 1
