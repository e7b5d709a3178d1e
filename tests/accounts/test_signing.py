"""Signing up, in and out: by name or e-mail, throttled, with a new session each time; the page
of one's account, and its API tokens.
"""

import hashlib
import re
from datetime import datetime, timedelta
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account.adapter import get_adapter
from django.apps import apps
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armybuilder.accounts import tokens
from armybuilder.accounts.adapter import BY_NAME
from armybuilder.accounts.models import SignIn, Token, User
from armybuilder.accounts.sessions import IDLE
from armybuilder.accounts.signing import forget_attempts, over_sign_ins
from armybuilder.accounts.tokens import find_token, make_token
from tests.accounts.people import PASSWORD, ann, confirmed, sign_in, sign_up, signed_in, user_of
from tests.conftest import Builder
from tests.markup import flat, lacking
from tests.queries import queries_of


def is_signed_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def session_key(client: Client) -> str:
    return client.cookies["sessionid"].value


def test_an_account_needs_no_email_but_can_sign_in_with_one(client: Client) -> None:
    assert sign_up(client, "bob")["Location"] == "/lists/"
    assert is_signed_in(client)
    assert mail.outbox == []
    sign_up(Client(), "ann", "ann@marsh.example")
    for login in ("ann", "ANN", "ann@marsh.example", "Ann@Marsh.example"):
        client = Client()
        assert sign_in(client, login)["Location"] == "/lists/"
        assert is_signed_in(client)


def test_the_header_says_who_is_signed_in_or_offers_to_without_a_query(client: Client) -> None:
    assert 'href="/account/sign-in/"' in client.get("/library/").text
    sign_up(client)
    client.get("/library/")  # says what was just done, once
    with CaptureQueriesContext(connection) as queries:
        page = client.get("/library/").text
    assert re.search(r'href="/account/".*>ann<', flat(page))
    assert len(queries) == 1, "the session alone"


def test_a_click_in_the_builder_costs_no_more_queries_when_signed_in(client: Client) -> None:
    def queries_of_a_click() -> int:
        builder = Builder(client, "sbh", limit=300, books=["profiles"])
        troll = {"ref": "profiles/troll", "version": builder.version.pk}
        return len(queries_of(builder.act, "add", htmx=True, **troll))

    before = queries_of_a_click()
    sign_up(client)
    client.get("/lists/")
    assert queries_of_a_click() == before


@pytest.mark.parametrize("act", [sign_up, sign_in])
def test_signing_in_gives_the_browser_another_session(client: Client, act: object) -> None:
    if act is sign_in:
        ann()
    Builder(client, "sbh", limit=300, books=["profiles"])
    before = session_key(client)
    act(client)  # type: ignore[operator]
    assert session_key(client) != before
    old = Client()
    old.cookies["sessionid"] = before
    assert "Test list" not in old.get("/lists/").text


def test_signing_out_takes_a_post_and_leaves_nothing_in_the_browser(client: Client) -> None:
    builder = Builder(client, "sbh", limit=300, books=["profiles"])
    sign_up(client)
    assert client.get("/account/sign-out/").status_code == 200
    assert is_signed_in(client)
    client.post("/account/sign-out/")
    assert not is_signed_in(client)
    assert client.get(builder.url).status_code == 404
    assert SignIn.objects.count() == 0
    assert signed_in().get(builder.url).status_code == 200


LOOK_ALIKE = ("αnn", "a\u0251\u043en", "\U0001d41ann", "\uff41nn", "Иvan", "анn2", "ŉa")
OF_LANGUAGES = ("Zoë", "Łukasz-2", "Иван", "Αλέξης", "たろうさん太郎", "김Kim", "محمد", "x_1.2+3")


def test_names_that_look_like_others_are_refused_and_those_of_every_language_are_not(
    client: Client,
) -> None:
    assert "letters of one alphabet only" in sign_up(client, "аlice").text
    assert User.objects.count() == 0
    sign_up(client, "plain")
    renamed = client.post("/account/name/", {"username": "аlice"})
    assert "letters of one alphabet only" in renamed.text
    for name in LOOK_ALIKE:
        with pytest.raises(ValidationError, match="letters of one alphabet only"):
            get_adapter().clean_username(name)
    for name in OF_LANGUAGES:
        assert get_adapter().clean_username(name) == name


def test_nobody_finds_out_by_signing_up_who_has_an_account(client: Client) -> None:
    sign_up(client, email="ann@marsh.example")
    confirm(client)
    cache.clear()  # one mail to an address in three minutes
    answers = [
        sign_up(Client(), name, email)
        for name, email in (("bob", "ann@marsh.example"), ("eve", "eve@marsh.example"))
    ]
    assert [(one.status_code, one["Location"]) for one in answers] == [(302, "/lists/")] * 2
    assert "There is already an account" not in "".join(one.text for one in answers)
    assert len(mail.outbox) == 3
    forgotten(Client(), "ann@marsh.example")
    assert mail.outbox[-1].to == ["ann@marsh.example"]
    assert "ann" in mail.outbox[-1].body
    assert sign_in(Client(), "ann@marsh.example").status_code == 302


def test_an_unconfirmed_email_stays_free_for_its_owner(client: Client) -> None:
    sign_up(Client(), "thief", "ann@marsh.example")
    cache.clear()  # one mail to an address in three minutes
    sign_up(client, "ann", "ann@marsh.example")
    confirm(client)
    page = client.get("/account/").text
    assert "ann@marsh.example" in page
    assert "not confirmed yet" not in page


def test_names_and_passwords_that_are_not_allowed_are_refused(client: Client) -> None:
    ann()
    for name in ("bob@marsh.example", "a b", "", "x" * 151, "Ann", "<b>"):
        answer = sign_up(client, name)
        assert answer.status_code == 200
        assert 'class="field-error"' in answer.text, name
    for password in ("short", "12345678901", "password123", "ann-ann-ann"):
        fields = {"username": "ann-ann-an", "password1": password, "password2": password}
        assert 'class="field-error"' in client.post("/account/sign-up/", fields).text, password
    assert User.objects.count() == 1


def test_after_five_wrong_passwords_even_the_right_one_has_to_wait(client: Client) -> None:
    ann()
    for _attempt in range(5):
        assert "or password." in sign_in(client, password="wrong").text  # noqa: S106
    assert "Too many attempts" in sign_in(client).text
    assert not is_signed_in(client)
    assert "Too many attempts" in sign_in(Client()).text, "from any browser there"
    at_other_ports = [Client(headers={"host": f"localhost:{port}"}) for port in (81, 82)]
    for browser in at_other_ports:
        assert "Too many attempts" in sign_in(browser).text, "whatever Host it says"
    elsewhere = Client(REMOTE_ADDR="198.51.100.7")
    assert sign_in(elsewhere).status_code == 302, "nobody locks out another"


@pytest.mark.slow
def test_a_known_browser_is_not_locked_out_by_guesses_of_others(
    client: Client,
) -> None:
    ann(email="ann@marsh.example")
    sign_in(client)
    client.post("/account/sign-out/")
    guesser = Client()  # at the same address
    for _attempt in range(6):
        sign_in(guesser, password="wrong")  # noqa: S106
    assert "Too many attempts" in sign_in(guesser).text
    assert sign_in(client, "ann@marsh.example").status_code == 302
    client.post("/account/sign-out/")
    # For others it is a browser as any.
    ann("bob")
    assert sign_in(client, "bob").status_code == 302
    for _attempt in range(6):
        sign_in(guesser, "bob", "wrong")
    guesser.cookies["device"] = f"{client.cookies['device'].value[:-1]}x"
    assert "Too many attempts" in sign_in(guesser, "bob").text


@pytest.mark.slow
def test_a_stolen_browser_cookie_allows_no_more_attempts_than_a_network(client: Client) -> None:
    ann()
    sign_in(client)
    client.post("/account/sign-out/")
    answers = [sign_in(client, password="wrong").text for _attempt in range(11)]  # noqa: S106
    assert sum("or password." in answer for answer in answers) == 10
    assert "Too many attempts" in sign_in(client).text


@pytest.mark.slow
def test_a_name_many_networks_guess_at_is_never_locked(settings: Any, client: Client) -> None:
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {BY_NAME: "6/h/key"}
    ann()
    for number in range(8):
        browser = Client(REMOTE_ADDR=f"198.51.100.{number}")
        assert "or password." in sign_in(browser, password="wrong").text  # noqa: S106
    again = sign_in(browser, password="wrong")  # noqa: S106
    assert "Too many attempts" in again.text
    for _time in range(3):  # right passwords do not count
        assert sign_in(client).status_code == 302
        client.post("/account/sign-out/")


def test_attempts_of_one_customers_networks_are_added_up() -> None:
    ann()
    browsers = [Client(REMOTE_ADDR=f"2001:db8:7:{number:x}::1") for number in range(7)]
    answers = [sign_in(browser, password="wrong").text for browser in browsers]  # noqa: S106
    assert sum("or password." in answer for answer in answers) == 5


def attempts() -> int:
    """How many kinds of attempts the database counts, for all processes together."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM attempts")
        return int(cursor.fetchone()[0])


def forgotten(client: Client, email: str) -> HttpResponse:
    return client.post("/account/forgotten/", {"email": email}, follow=True)


def without_token(page: str) -> str:
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", page)


def test_a_wrong_or_forgotten_password_does_not_reveal_who_has_an_account(client: Client) -> None:
    ann(email="ann@marsh.example")
    answers = [sign_in(client, login, "wrong").text for login in ("ann", "bob")]
    errors = [re.findall(r'role="alert">.*?</svg>(.*?)</p>', page) for page in answers]
    assert errors[0] == errors[1] != []
    known, unknown = (forgotten(client, f"{who}@marsh.example") for who in ("ann", "bob"))
    assert without_token(known.text) == without_token(unknown.text)
    assert [sent.to for sent in mail.outbox] == [["ann@marsh.example"], ["bob@marsh.example"]]
    assert "/forgotten/" not in mail.outbox[1].body


def test_a_mail_sets_a_new_password_once_and_ends_all_sessions(client: Client) -> None:
    ann(email="ann@marsh.example")
    thief = signed_in()
    Builder(thief, "sbh", limit=300, books=["profiles"])
    _token, raw = make_token(User.objects.get(), "The thief's")
    forgotten(client, "ann@marsh.example")
    link = re.search(r"http://testserver(\S+)", mail.outbox[0].body)
    assert link
    form = client.get(link[1], follow=True)
    address = form.redirect_chain[-1][0]
    new = {"password1": "marsh-and-mill-9", "password2": "marsh-and-mill-9"}
    done = client.post(address, new, follow=True)
    assert "The new password is set" in done.text
    assert not is_signed_in(thief)
    assert user_of(raw) is None
    assert "Test list" not in thief.get("/lists/").text
    assert sign_in(client).status_code == 200, "the old password"
    assert sign_in(client, password=new["password1"]).status_code == 302
    again = Client().get(link[1], follow=True).text
    assert "This link has already been used" in again


def test_a_changed_password_ends_the_sessions_in_other_browsers_only(client: Client) -> None:
    sign_up(client)
    other = signed_in()
    _token, raw = make_token(User.objects.get(), "Of whoever knew the old one")
    fields = {"oldpassword": PASSWORD, "password1": "mill-heron-31", "password2": "mill-heron-31"}
    assert client.post("/account/password/", fields)["Location"] == "/account/"
    assert is_signed_in(client)
    assert user_of(raw) is None
    assert "holder" not in other.session
    assert not is_signed_in(other)
    assert SignIn.objects.get().session_key == session_key(client)


def test_an_email_is_confirmed_by_a_mail_and_changed_after_the_password(client: Client) -> None:
    sign_up(client, email="ann@marsh.example")
    assert "not confirmed yet" in client.get("/account/").text
    confirm(client)
    assert "not confirmed yet" not in client.get("/account/").text
    change = {"email": "ann@mill.example", "action_add": ""}
    asked = client.post("/account/email/", change)
    assert asked["Location"].startswith("/account/confirm/")
    client.post(asked["Location"], {"password": PASSWORD}, follow=True)
    assert User.objects.get().email == "ann@marsh.example", "until the new one is confirmed"
    confirm(client)
    assert User.objects.get().email == "ann@mill.example"


def confirm(client: Client) -> None:
    """Open the link in the latest mail that has one."""
    links = [re.search(r"http://testserver(/account/email/\S+)", sent.body) for sent in mail.outbox]
    link = [found for found in links if found][-1]
    assert "Yes, confirm it" in client.get(link[1]).text
    assert client.post(link[1]).status_code == 302


def test_a_closed_account_signs_nobody_in_and_its_lists_are_seen_no_more(client: Client) -> None:
    sign_up(client)
    builder = Builder(client, "sbh", limit=300, books=["profiles"])
    user = User.objects.get()
    user.is_active = False
    user.save()
    assert client.get(builder.url).status_code == 404
    assert not SignIn.objects.exists()
    assert "closed" in client.get(sign_in(client)["Location"]).text
    assert not is_signed_in(client)


def test_account_pages_ask_for_sign_in_and_answer_strange_links(client: Client) -> None:
    for page in ("", "name/", "email/", "password/", "delete/"):
        answer = client.get(f"/account/{page}")
        assert answer["Location"] == f"/account/sign-in/?next=/account/{page}"
    for page in ("email/x/", "email/MQ:1:x/", "forgotten/1-x/", "forgotten/zzzzzzzzzzzzzz-set-x/"):
        assert client.get(f"/account/{page}").status_code == 200
    for fields in ({}, {"login": "\0", "password": "\0"}, {"login": "x" * 9999, "password": "x"}):
        assert client.post("/account/sign-in/", fields).status_code == 200


def test_signing_in_leads_to_no_other_site() -> None:
    ann()
    for place in ("https://evil.example/", "//evil.example", "javascript:x"):
        fields = {"login": "ann", "password": PASSWORD, "next": place}
        assert Client().post("/account/sign-in/", fields)["Location"] == "/lists/"


def test_tidying_forgets_attempts_and_sign_ins_that_are_over(client: Client) -> None:
    sign_up(client)
    gone = signed_in()
    Session.objects.filter(pk=session_key(gone)).delete()
    sign_in(Client(), "nobody")
    assert attempts() > 0
    forget_attempts(timezone.now())
    assert attempts() > 0, "they count still"
    forget_attempts(timezone.now() + timedelta(days=1))
    assert attempts() == 0
    over_sign_ins(timezone.now()).delete()
    assert SignIn.objects.get().session_key == session_key(client)


def test_without_mail_the_account_is_made_and_the_page_says_that_no_mail_was_sent(
    client: Client, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 9  # nobody answers there
    sign_up(client, email="ann@marsh.example")
    page = client.get("/account/").text
    assert "could not be sent" in page
    assert "on its way" not in page
    assert "a mail could not be sent" in caplog.text
    known, unknown = (forgotten(Client(), f"{who}@marsh.example") for who in ("ann", "bob"))
    assert without_token(known.text) == without_token(unknown.text)


# How long a session lasts: years in an anonymous browser, days where somebody signed in.


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


def test_an_anonymous_browser_keeps_its_lists_for_years(client: Client) -> None:
    Builder(client, "sbh", limit=300, books=["profiles"])
    assert ends_in(client) == YEARS
    assert client.cookies["sessionid"]["max-age"] == YEARS.total_seconds()


def test_a_session_ends_with_the_browser_or_after_two_weeks(
    client: Client,
) -> None:
    sign_up(client)
    for browser in (client, signed_in()):
        assert browser.cookies["sessionid"]["max-age"] == ""
        assert ends_in(browser) == IDLE
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get("/account/").status_code == 302


def test_staying_signed_in_lasts_as_long_as_the_settings_say(settings: Any) -> None:
    ann()
    client = asked_to_stay()
    assert client.cookies["sessionid"]["max-age"] == STAYING.total_seconds()
    assert ends_in(client) == STAYING
    settings.ACCOUNT_SESSION_COOKIE_AGE = 3 * 24 * 3600
    assert ends_in(asked_to_stay()) == timedelta(days=3)
    assert ends_in(signed_in()) == timedelta(days=3), "never longer"


@pytest.mark.slow
@pytest.mark.parametrize(("sign_in", "whole"), [(asked_to_stay, STAYING), (signed_in, IDLE)])
def test_each_day_with_a_visit_extends_the_session(sign_in: Any, whole: timedelta) -> None:
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


def test_after_signing_out_the_browser_is_an_anonymous_one_again() -> None:
    ann()
    client = signed_in()
    client.post("/account/sign-out/")
    Builder(client, "sbh", limit=300, books=["profiles"])
    assert ends_in(client) == YEARS


def test_signed_in_sessions_of_earlier_releases_end_sooner(client: Client) -> None:
    Builder(client, "sbh", limit=300, books=["profiles"])
    ann()
    other = signed_in()
    Session.objects.update(expire_date=timezone.now() + YEARS)
    migration = import_module("armybuilder.accounts.migrations.0003_scopes_ends_sessions")
    migration.shorten_sessions(apps, SimpleNamespace(connection=connection))
    assert (ends_in(client), ends_in(other)) == (YEARS, STAYING)


# API tokens: shown once, kept as hashes, revoked for good.

FIELDS = {"name": "Club printer", "scope": "read", "days": "30"}


def test_a_token_identifies_its_user_and_only_its_hash_is_kept() -> None:
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


def test_the_use_of_a_token_is_noted_once_an_hour() -> None:
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


@pytest.mark.slow
def test_a_token_has_a_name_an_offered_scope_and_duration_and_their_number_is_limited(
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


def test_the_page_lists_any_number_of_tokens_with_their_scopes_in_the_same_queries() -> None:
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


def test_creating_a_token_asks_for_the_password_and_shows_it_once() -> None:
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


def test_a_token_stops_working_when_it_expires() -> None:
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


def test_a_token_without_expiry_needs_a_setting(settings: Any) -> None:
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


# The page of one's account: what is known, and changing it.


@pytest.mark.slow
def test_the_page_says_name_and_email_and_where_one_is_signed_in(client: Client) -> None:
    sign_up(client, email="ann@marsh.example")
    signed_in()
    page = client.get("/account/").text
    assert lacking(page, ">ann<", "ann@marsh.example", "here and in 1 other browser") == []
    # Other browsers are signed out by a button.
    others = [signed_in(), signed_in()]
    client.post("/account/sessions/")
    assert client.get("/account/").status_code == 200
    assert [other.get("/account/").status_code for other in others] == [302, 302]
    assert SignIn.objects.count() == 1


def test_a_new_name_signs_in_and_must_be_free(client: Client) -> None:
    ann("bob")
    sign_up(client)
    assert client.post("/account/name/", {"username": "Anne.M"})["Location"] == "/account/"
    assert ">Anne.M<" in client.get("/lists/").text
    assert sign_in(Client(), "anne.m").status_code == 302
    client.post("/account/name/", {"username": "ANNE.M"})  # one's own, written otherwise
    answer = client.post("/account/name/", {"username": "Bob"})
    assert "That name is taken" in answer.text
    assert {user.username for user in User.objects.all()} == {"ANNE.M", "bob"}


def test_acts_take_posts_only_and_no_form_from_another_site(client: Client) -> None:
    sign_up(client)
    for act in ("sessions/", "tokens/", "tokens/1/"):
        assert client.get(f"/account/{act}").status_code == 405
    strange = Client(enforce_csrf_checks=True)
    strange.force_login(User.objects.get())
    for act in ("delete/", "name/", "tokens/", "sign-out/", "password/", "email/"):
        assert strange.post(f"/account/{act}", {"password": "x"}).status_code == 403
