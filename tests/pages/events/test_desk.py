"""What organisers and checkers do at the desk, and what of it players read."""

from __future__ import annotations

from typing import Any

import pytest
from django.core import mail

from armybuilder.pages.events.forms import ChangeForm
from tests.pages.events.people import People

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    """What a page says."""
    return str(response.content.decode())


def said_of(people: People, **changed: str) -> dict[str, str]:
    """The form of the event as it stands, and what is changed in it."""
    form = ChangeForm(None, people.refreshed())
    said = {name: form[name].value() for name in form.fields}
    return {k: str(v) for k, v in said.items() if v is not False and v is not None} | changed


@pytest.mark.django_db(transaction=True)
def test_a_sealed_event_is_opened_for_a_reason_that_its_player_reads() -> None:
    people = People(sealed=True)
    anne = people.player("Anne", email="anne@mill.example")
    people.submit(anne)
    said = said_of(people, name="Another cup")
    said.pop("sealed")
    refused = people.post(people.owner, "edit/", **said)
    assert refused.status_code == 422
    assert "whose seal this would break" in words(refused)
    assert "Another cup" in words(refused)
    assert people.refreshed().sealed
    assert "for your eyes" in words(people.get(people.owner, "entries/1/1/"))
    opened = people.post(people.owner, "edit/", **said, reason="Asked by all.")
    assert opened.status_code == 302
    mine = words(people.get(anne))
    assert "Seal broken" in mine
    assert "Asked by all." in mine
    assert mail.outbox[-1].subject == "Another cup: seal broken"
    assert "for your eyes" not in words(people.get(people.owner, "entries/1/1/"))
