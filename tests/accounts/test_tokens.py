"""API tokens: shown once, kept as hashes, revoked for good."""

import hashlib
import re
from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armybuilder.accounts import tokens
from armybuilder.accounts.models import Token, User
from armybuilder.accounts.tokens import find_token, make_token
from tests.accounts.people import PASSWORD, ann, confirmed, signed_in, user_of
from tests.queries import queries_of

FIELDS = {"name": "Club printer", "scope": "read", "days": "30"}


def test_a_token_tells_whose_it_is_and_only_its_hash_is_kept() -> None:
    user = ann()
    token, raw = make_token(user, "Club printer")
    assert user_of(raw) == user
    assert re.fullmatch(r"ab_[\w-]{43}", raw), "256 bits"
    assert token.digest == hashlib.sha256(raw.encode()).hexdigest()
    kept = [str(value) for value in Token.objects.values_list().get()]
    assert not any(raw[3:] in value for value in kept)
    strange = ("ab_" + "x" * 43, "xy_" + "x" * 43, "ab_" + "é" * 43, "ab_" + "\udc80" * 43)
    assert {user_of(other) for other in ("", "ab_", *strange)} == {None}
    User.objects.update(is_active=False)
    assert user_of(raw) is None, "who may not sign in is not let in by a token"
    User.objects.update(is_active=True)
    token.delete()
    assert user_of(raw) is None


def test_its_use_is_noted_once_an_hour() -> None:
    token, raw = make_token(ann(), "Club printer")
    for writes in (1, 0):
        queries = queries_of(user_of, raw)
        made = [one.split()[0] for one in queries]
        assert (made.count("SELECT"), made.count("UPDATE")) == (1, writes)
    long_ago = timezone.now() - timedelta(minutes=61)
    Token.objects.update(used=long_ago)
    user_of(raw)
    token.refresh_from_db()
    assert token.used
    assert token.used > long_ago


def test_a_token_has_a_name_and_may_and_lasts_what_is_offered_and_there_are_so_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    user = ann()
    client = confirmed(signed_in())
    for wrong, told in (
        ({"name": ""}, "needs a name"),
        ({"name": "   "}, "needs a name"),
        ({"name": "x" * 61}, "needs a name"),
        ({"scope": "all"}, "Choose what the token may do"),
        ({"scope": ""}, "Choose what the token may do"),
        ({"days": "31"}, "Choose what the token may do"),
        ({"days": "x"}, "Choose what the token may do"),
    ):
        answer = client.post("/account/tokens/", FIELDS | wrong)
        assert answer.status_code == 422
        assert told in answer.text, wrong
    assert Token.objects.count() == 0
    monkeypatch.setattr(tokens, "MOST", 1)
    make_token(user, "The first")
    assert client.post("/account/tokens/", FIELDS | {"name": "The second"}).status_code == 422
    assert Token.objects.count() == 1


def test_the_page_tells_of_any_number_of_tokens_what_they_may_by_the_same_queries() -> None:
    user = ann()
    client = signed_in()
    client.get("/account/")
    counts = []
    for scope, days in (("read", 30), ("write", 0)):
        make_token(user, "One more", scope, days)
        with CaptureQueriesContext(connection) as queries:
            page = " ".join(client.get("/account/").text.split())
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6
    for told in ("read only", "read and change", "until ", "no expiry", "never used"):
        assert told in page


def test_making_one_asks_for_the_password_and_shows_it_this_once() -> None:
    ann()
    client = signed_in()
    asked = client.post("/account/tokens/", FIELDS | {"name": "  Club  printer "})
    assert asked["Location"].startswith("/account/confirm/")
    assert Token.objects.count() == 0
    wrong = client.post(asked["Location"], {"password": "wrong"})
    assert "not your password" in wrong.text
    assert Token.objects.count() == 0
    made = client.post(asked["Location"], {"password": PASSWORD})
    raw = re.search(r'value="(ab_[^"]+)"', made.text)
    assert raw
    assert "no-store" in made["Cache-Control"]
    assert user_of(raw[1])
    page = client.get("/account/").text
    assert "Club printer" in page
    assert raw[1] not in page
    client.post(f"/account/tokens/{Token.objects.get().pk}/")
    assert user_of(raw[1]) is None, "revoked by its owner; of others, test_two_people"


def test_a_token_is_over_at_its_end() -> None:
    token, raw = make_token(ann(), "Club printer", days=30)
    assert token.ends
    assert timedelta(days=29) < token.ends - timezone.now() <= timedelta(days=30)
    Token.objects.update(ends=timezone.now())
    assert find_token(raw) is None
    assert "over" in signed_in().get("/account/").text
    # Those of old get an end in a year, and go on meanwhile.
    _token, raw = make_token(User.objects.get(), "Of old", days=0)
    migration = import_module("armybuilder.accounts.migrations.0003_scopes_ends_sessions")
    migration.end_tokens(apps, SimpleNamespace(connection=connection))
    found = find_token(raw)
    assert found
    assert found.may_write
    assert found.ends
    assert timedelta(days=364) < found.ends - timezone.now() <= timedelta(days=365)


def test_only_where_the_settings_allow_it_has_a_token_no_end(settings: Any) -> None:
    ann()
    client = confirmed(signed_in())
    for allowed in (False, True):
        settings.TOKENS_WITHOUT_END = allowed
        assert ("until revoked" in client.get("/account/").text) == allowed
        answer = client.post("/account/tokens/", FIELDS | {"days": "0"})
        assert answer.status_code == (200 if allowed else 422)
        assert Token.objects.filter(ends=None).exists() == allowed


def test_signing_out_in_the_other_browsers_ends_all_tokens() -> None:
    _token, raw = make_token(ann(), "Club printer")
    client = signed_in()
    assert "Revoke all tokens" in client.get("/account/").text
    done = client.post("/account/sessions/", follow=True)
    assert "1 token has been revoked." in done.text
    assert find_token(raw) is None
    assert client.get("/account/").status_code == 200
