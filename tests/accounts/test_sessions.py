"""How long a session lasts: years in an anonymous browser, days where somebody signed in."""

from datetime import datetime, timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from armybuilder.accounts.sessions import IDLE
from tests.accounts.people import PASSWORD, ann, sign_up, signed_in
from tests.conftest import Builder

STAYING = timedelta(days=180)
YEARS = timedelta(days=5 * 365)


def ends_in(client: Client) -> timedelta:
    """For how long the database keeps a browser's session, to the day."""
    end: datetime = Session.objects.get(pk=client.cookies["sessionid"].value).expire_date
    return timedelta(days=round((end - timezone.now()) / timedelta(days=1)))


def asked_to_stay() -> Client:
    client = Client()
    fields = {"login": "ann", "password": PASSWORD, "remember": "on"}
    assert client.post("/account/sign-in/", fields).status_code == 302
    return client


def test_an_anonymous_browser_keeps_its_lists_for_years_also_after_signing_out(
    client: Client,
) -> None:
    Builder(client, "sbh", limit=300, books=["profiles"])
    assert ends_in(client) == YEARS
    assert client.cookies["sessionid"]["max-age"] == YEARS.total_seconds()
    ann()
    client = signed_in()
    client.post("/account/sign-out/")
    Builder(client, "sbh", limit=300, books=["profiles"])
    assert ends_in(client) == YEARS


def test_who_signs_in_or_up_is_signed_out_with_the_browser_and_after_two_weeks(
    client: Client,
) -> None:
    sign_up(client)
    for browser in (client, signed_in()):
        assert browser.cookies["sessionid"]["max-age"] == ""
        assert ends_in(browser) == IDLE
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get("/account/").status_code == 302


def test_who_asks_to_stay_signed_in_does_for_as_long_as_is_set(settings: Any) -> None:
    ann()
    client = asked_to_stay()
    assert client.cookies["sessionid"]["max-age"] == STAYING.total_seconds()
    assert ends_in(client) == STAYING
    settings.ACCOUNT_SESSION_COOKIE_AGE = 3 * 24 * 3600
    assert ends_in(asked_to_stay()) == timedelta(days=3)
    assert ends_in(signed_in()) == timedelta(days=3), "never longer"


@pytest.mark.parametrize(("sign_in", "whole"), [(asked_to_stay, STAYING), (signed_in, IDLE)])
def test_each_day_with_a_visit_begins_the_time_anew(sign_in: Any, whole: timedelta) -> None:
    ann()
    client = sign_in()
    client.get("/lists/")
    key = client.cookies["sessionid"].value
    Session.objects.update(expire_date=timezone.now() + timedelta(days=1))
    client.get("/lists/")
    assert ends_in(client) == timedelta(days=1), "not twice on one day"
    store = client.session
    store["renewed"] -= 1
    store.save()
    Session.objects.update(expire_date=timezone.now() + timedelta(days=1))
    assert client.get("/lists/").cookies["sessionid"].value == key
    assert ends_in(client) == whole


def test_sessions_of_old_in_which_somebody_is_signed_in_end_sooner(client: Client) -> None:
    Builder(client, "sbh", limit=300, books=["profiles"])
    ann()
    other = signed_in()
    Session.objects.update(expire_date=timezone.now() + YEARS)
    migration = import_module("armybuilder.accounts.migrations.0003_scopes_ends_sessions")
    migration.shorten_sessions(apps, SimpleNamespace(connection=connection))
    assert (ends_in(client), ends_in(other)) == (YEARS, STAYING)
