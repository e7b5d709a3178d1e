"""The page of an event's webhook: for organisers alone."""

from __future__ import annotations

import pytest
from django.test import Client

from armybuilder.events.models import Webhook
from armybuilder.events.visibility import Role
from tests.events.builders import helper
from tests.pages.events.people import People
from tests.pages.events.test_judge import held
from tests.pages.events.test_whole_event import words

pytestmark = pytest.mark.django_db
URL = "https://armies.example/hook"


def test_an_organiser_gives_an_address_and_takes_it_away() -> None:
    people = People()
    assert "whsec_" not in words(people.get(people.owner, "webhook/"))
    assert people.post(people.owner, "webhook/", url=URL).status_code == 302
    page = words(people.get(people.owner, "webhook/"))
    assert URL in page
    assert "whsec_" in page
    secret = Webhook.objects.get().secret
    people.post(people.owner, "webhook/", url=f"{URL}/2")
    assert Webhook.objects.get().secret == secret
    people.post(people.owner, "webhook/", go="try")
    people.post(people.owner, "webhook/", go="remove")
    assert not Webhook.objects.exists()


def test_it_is_there_for_nobody_else() -> None:
    people = People()
    people.post(people.owner, "webhook/", url=URL)
    helper(people.event, Role.CHECKER, "Carl")
    for who in (Client(), people.player("Anne"), held("holder-Carl")):
        assert people.get(who, "webhook/").status_code == 404
        assert people.post(who, "webhook/", url="https://other.example/").status_code == 404
    assert Webhook.objects.get().url == URL


@pytest.mark.parametrize("url", ["", "http://armies.example/", "javascript:alert(1)", "x" * 600])
def test_an_address_that_is_none_is_told(url: str) -> None:
    people = People()
    answer = people.post(people.owner, "webhook/", url=url)
    assert answer.status_code == 422
    assert "https://" in words(answer)
    assert not Webhook.objects.exists()
