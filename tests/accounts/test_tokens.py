"""API tokens: shown once, kept as hashes, revoked for good."""

import hashlib
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armybuilder.accounts import tokens
from armybuilder.accounts.models import Token, User
from armybuilder.accounts.tokens import make_token, user_of
from tests.accounts.people import ann, signed_in, text_of


def test_a_token_tells_whose_it_is_until_it_is_revoked() -> None:
    user = ann()
    token, raw = make_token(user, "Club printer")
    assert user_of(raw) == user
    token.delete()
    assert user_of(raw) is None


def test_a_token_has_256_bits_and_only_its_hash_is_kept() -> None:
    token, raw = make_token(ann(), "Club printer")
    assert re.fullmatch(r"ab_[\w-]{43}", raw)
    assert token.digest == hashlib.sha256(raw.encode()).hexdigest()
    kept = [str(value) for value in Token.objects.values_list().get()]
    assert not any(raw[3:] in value for value in kept)


@pytest.mark.parametrize(
    "raw", ["", "ab_", "ab_" + "x" * 43, "xy_" + "x" * 43, "ab_" + "é" * 43, "ab_" + "\udc80" * 43]
)
def test_nobody_has_a_strange_token(raw: str) -> None:
    make_token(ann(), "Club printer")
    assert user_of(raw) is None


def test_a_user_who_may_not_sign_in_is_not_let_in_by_a_token() -> None:
    _token, raw = make_token(ann(), "Club printer")
    User.objects.update(is_active=False)
    assert user_of(raw) is None


def test_its_use_is_noted_once_an_hour() -> None:
    token, raw = make_token(ann(), "Club printer")
    for writes in (1, 0):
        with CaptureQueriesContext(connection) as queries:
            user_of(raw)
        assert len(queries) == 1 + writes
    long_ago = timezone.now() - timedelta(minutes=61)
    Token.objects.update(used=long_ago)
    user_of(raw)
    token.refresh_from_db()
    assert token.used
    assert token.used > long_ago


def test_the_page_shows_a_new_token_this_once() -> None:
    ann()
    client = signed_in()
    made = client.post("/account/tokens/", {"name": "  Club  printer "})
    raw = re.search(r'value="(ab_[^"]+)"', text_of(made))
    assert raw
    assert "no-store" in made["Cache-Control"]
    assert user_of(raw[1])
    page = text_of(client.get("/account/"))
    assert "Club printer" in page
    assert raw[1] not in page


@pytest.mark.parametrize("name", ["", "   ", "x" * 61])
def test_a_token_needs_a_name(name: str) -> None:
    ann()
    answer = signed_in().post("/account/tokens/", {"name": name})
    assert answer.status_code == 422
    assert "needs a name" in text_of(answer)
    assert Token.objects.count() == 0


def test_there_is_an_end_of_tokens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "MOST", 1)
    make_token(ann(), "The first")
    assert signed_in().post("/account/tokens/", {"name": "The second"}).status_code == 422
    assert Token.objects.count() == 1


def test_nobody_revokes_the_token_of_another() -> None:
    token, raw = make_token(ann(), "Club printer")
    bob = ann("bob")
    signed_in("bob").post(f"/account/tokens/{token.pk}/")
    Client().post(f"/account/tokens/{token.pk}/")
    assert user_of(raw)
    assert bob.tokens.count() == 0
    signed_in().post(f"/account/tokens/{token.pk}/")
    assert user_of(raw) is None


def test_the_page_costs_the_same_queries_however_many_tokens_there_are() -> None:
    user = ann()
    client = signed_in()
    client.get("/account/")
    counts = []
    for _time in range(2):
        make_token(user, "One more")
        with CaptureQueriesContext(connection) as queries:
            client.get("/account/")
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 6
