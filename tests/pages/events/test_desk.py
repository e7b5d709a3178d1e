"""What organisers and checkers do at the desk, and what of it players read."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from django.core import mail

from armybuilder.events.models import Entry
from armybuilder.loading.library import shipped_library
from armybuilder.pages.events.organise import ChangeForm
from tests.events.builders import legal_list
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


def test_an_accepted_list_that_a_new_pack_makes_worse_is_named_and_checked_again() -> None:
    people = People()
    wrong = replace(legal_list(), limit=400)
    for name in ("Anne", "Elif"):
        people.submit(people.player(name), wrong)
    people.submit(people.player("Fritz"), replace(legal_list(), limit=400, units=wrong.units[:2]))
    for number in (1, 2, 3):
        entry = people.event.entries.get(number=number)
        Entry.objects.filter(pk=entry.pk).update(status=Entry.Status.ACCEPTED)
    pack = json.loads(json.dumps(shipped_library().packs["raven-cup"].data))
    head = {"id": "few", "kind": "limit", "code": "event.few", "cite": "9", "summary": "Few."}
    pack["rules"].append({**head, "count": "models", "max": 5})
    text = json.dumps(pack)
    tried = words(people.post(people.owner, "pack/", text=text, go="try"))
    assert "0 lists that are legal now would not be any more" in tried
    assert "2 accepted lists have to be checked again" in tried
    assert "1 Anne" in tried
    assert "3 Fritz" not in tried
    people.post(people.owner, "pack/", text=text, go="use")
    statuses = people.event.entries.order_by("number").values_list("status", flat=True)
    assert list(statuses) == ["entered", "entered", "accepted"]
    # The same rules once more make nothing worse, in any language.
    Entry.objects.update(status=Entry.Status.ACCEPTED)
    people.owner.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    again = people.post(people.owner, "pack/", text=text, go="try")
    assert "würde" in words(again)
    assert (again.context["worse"], again.context["again"]) == ([], 0)  # type: ignore[attr-defined]


def test_a_list_that_is_not_legal_is_accepted_after_a_question_and_without_its_errors() -> None:
    people = People()
    anne = people.player("Anne")
    people.submit(anne, replace(legal_list(), limit=400))
    page = words(people.get(people.owner, "entries/1/1/"))
    first, nevertheless = page.split("Accept it nevertheless", 1)
    assert 'value="accepted"' not in first
    assert "Needed: 300" in first.split("<textarea")[1]
    assert "Needed: 300" not in nevertheless.split("<textarea")[1].split("</textarea>")[0]
    asked = people.post(people.owner, "entries/1/decide/", what="accepted", seen="1")
    assert asked.status_code == 422
    assert people.event.entries.get().status == "entered"
    people.post(people.owner, "entries/1/decide/", what="accepted", seen="1", sure="1")
    assert people.event.entries.get().status == "accepted"


def test_a_legal_list_is_accepted_at_one_press() -> None:
    people = People()
    people.submit(people.player("Anne"))
    page = words(people.get(people.owner, "entries/1/1/"))
    assert 'value="accepted"' in page
    assert "Accept it nevertheless" not in page


def test_trying_packs_does_not_tell_whose_sealed_list_has_what() -> None:
    people = People(sealed=True)
    people.submit(people.player("Zilpa"))
    pack = json.loads(json.dumps(shipped_library().packs["raven-cup"].data))
    head = {"id": "few", "kind": "limit", "code": "event.few", "cite": "9", "summary": "Few."}
    pack["rules"].append({**head, "count": "models", "max": 5})
    tried = words(people.post(people.owner, "pack/", text=json.dumps(pack), go="try"))
    assert "1 list that is legal now would not be any more" in tried
    assert "is not named" in tried
    assert "Zilpa" not in tried
