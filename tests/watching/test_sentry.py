"""What Sentry is told of a failure: nothing that players wrote, and no address that is a key."""

from collections.abc import Iterator
from typing import Any

import pytest
import sentry_sdk
from django.test import Client
from sentry_sdk.transport import Transport

from armybuilder.pages.home import views
from armybuilder.watching.apps import tell_sentry

SECRET = "".join(("Morden", "kainen"))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What was sent."""
    sent: list[str] = []

    class Kept(Transport):
        def capture_envelope(self, envelope: Any) -> None:
            sent.append(envelope.serialize().decode())

    really = sentry_sdk.init
    monkeypatch.setattr(sentry_sdk, "init", lambda **given: really(transport=Kept, **given))
    tell_sentry("https://key@sentry.example/1")
    yield sent
    really()


@pytest.mark.django_db
def test_a_failure_is_told_without_address_form_and_variables(
    client: Client, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: Any) -> None:
        words = SECRET.split()
        raise RuntimeError(f"broken after {len(words)}")

    monkeypatch.setattr(views, "shipped_library", fail)
    client.raise_request_exception = False
    client.cookies["sessionid"] = SECRET
    answer = client.get("/", {"name": SECRET}, headers={"User-Agent": SECRET})
    assert answer.status_code == 500
    sentry_sdk.flush()
    (event,) = told
    assert "RuntimeError" in event
    assert answer["X-Request-ID"] in event
    assert SECRET not in event
