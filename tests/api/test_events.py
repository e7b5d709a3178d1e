"""Events by the API: the same rules as on their pages."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.utils import timezone

from armybuilder.events.judging import commitment_of
from armybuilder.events.models import Entry, Submission
from tests.api.calls import DOCUMENT, Caller, an_event
from tests.building.documents import value_of

pytestmark = pytest.mark.django_db


def later(days: float) -> Any:
    """Set the clock so many days on."""
    when = timezone.now() + timedelta(days=days)
    return patch("armybuilder.api.events.timezone.now", return_value=when)


def test_a_player_registers_submits_and_reads_the_decision(ann: Caller, bob: Caller) -> None:
    event = an_event(ann)
    place = f"/events/{event.pk}/"
    assert bob("get", place).json()["entry"] is None
    refused = bob("post", f"{place}submissions/", DOCUMENT)
    assert refused.status_code == 422
    entered = bob("post", f"{place}entry/", {"name": "Bob"}).json()
    assert (entered["number"], entered["submission"]) == (3, None)
    assert bob("post", f"{place}entry/", {"name": "Bob"}).json() == entered
    receipt = bob("post", f"{place}submissions/", DOCUMENT).json()
    assert (receipt["number"], receipt["legal"]) == (1, True)
    kept = Submission.objects.get(entry__number=3)
    assert kept.source == "api"
    assert commitment_of(value_of(kept.document.to_dict()), receipt["salt"]) == kept.commitment
    assert kept.commitment == receipt["commitment"]
    said = {"what": "returned", "seen": 1, "to_player": "See 1.1."}
    decided = ann("post", f"{place}entries/3/decisions/", said).json()
    assert decided["status"] == "returned"
    assert [one["id"] for one in bob("get", "/events/").json()["results"]] == [str(event.pk)]


def test_what_belongs_to_the_staff_is_not_there_for_others(ann: Caller, bob: Caller) -> None:
    event = an_event(ann)
    place = f"/events/{event.pk}/"
    listed = ann("get", f"{place}entries/").json()
    assert [one["number"] for one in listed["results"]] == [1, 2]
    assert bob("get", f"{place}entries/").status_code == 404
    said = {"what": "accepted", "seen": 1}
    assert bob("post", f"{place}entries/2/decisions/", said).status_code == 404
    assert ann("post", f"{place}entries/9/decisions/", said).status_code == 404
    assert Caller()("get", place).status_code == 401
    own = ann("post", f"{place}submissions/", DOCUMENT)
    assert own.status_code == 201
    assert ann("post", f"{place}entries/1/decisions/", said).status_code == 422
    assert Entry.objects.filter(status="accepted").count() == 0
    event.standing = "draft"
    event.save()
    assert bob("get", place).status_code == 404


@pytest.mark.slow
def test_lists_are_published_at_their_time_and_nobody_submits_late(
    ann: Caller, bob: Caller
) -> None:
    event = an_event(ann)
    place = f"/events/{event.pk}/lists/"
    assert bob("get", place).json() == []
    assert ann("get", place).json() == []  # an organiser who plays
    bob("post", f"/events/{event.pk}/entry/", {"name": "Bob"})
    with later(2.5):
        late = bob("post", f"/events/{event.pk}/submissions/", DOCUMENT)
        assert late.status_code == 422
        assert "deadline has passed" in late.json()["detail"]
    with later(4.5):
        (shown,) = bob("get", place).json()
        assert "document" not in shown
        assert "Human Warrior" in shown["text"]
        (whole,) = ann("get", place).json()
        assert whole["document"]["units"][0]["models"] == 10
