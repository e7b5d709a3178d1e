"""The secret key is changed, with the old one known as a fallback, or lost for good."""

import base64
import hashlib
import re
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.utils.crypto import salted_hmac
from pytest_django import DjangoAssertNumQueries

from armybuilder.backup import state
from armybuilder.books.models import OwnBook
from armybuilder.housekeeping.models import SecretMark
from armybuilder.sharing.models import Share
from tests.accounts.people import ann, sign_up, signed_in
from tests.api.calls import Caller, make_user
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.sharing.links import make_link, path_of

pytestmark = pytest.mark.django_db

MIGRATION = import_module("armybuilder.sharing.migrations.0004_fill_tokens_and_hashes")
OLD = SimpleNamespace(connection=connection)


@pytest.fixture
def other() -> Client:
    """Another browser, to which nothing belongs."""
    return Client()


@pytest.fixture(params=["rotated", "lost"])
def change_key(request: Any, settings: Any) -> Any:
    """Give the server another key; the old one is known where it is `rotated`."""

    def change() -> str:
        old, settings.SECRET_KEY = settings.SECRET_KEY, "another key " * 5
        settings.SECRET_KEY_FALLBACKS = [old] if request.param == "rotated" else []
        return str(request.param)

    return change


#: Apps whose tables are made again, or are nobody's: who was here, what waits, sessions.
MADE_AGAIN = {
    "housekeeping",
    "sessions",
    "contenttypes",
    "auth",
    "account",
    "django_tasks_database",
}


def test_every_table_is_either_kept_or_made_again() -> None:
    assert {model._meta.app_label for model in apps.get_models()} == {*state.APPS, *MADE_AGAIN}
    assert not MADE_AGAIN & {*state.APPS}


def test_the_manual_names_all_that_must_not_be_lost() -> None:
    manual = (settings.BASE_DIR / "docs/operating.md").read_text()
    part = manual.partition("### What must not be lost")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([A-Za-z_]+)`", part))
    parts = {*state.APPS, *state.STORAGES}
    assert named - parts == {
        "DATABASE_URL", "STORAGE_URL", "SECRET_KEY", "ARMYBUILDER_VAR", "secret_key"
    }  # fmt: skip
    assert parts <= named


def test_a_worker_alone_does_not_start_with_another_key(settings: Any) -> None:
    state.check_secret_key()
    settings.SECRET_KEY = "another key " * 5
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}
    with pytest.raises(SystemExit, match="another SECRET_KEY"):
        call_command("print_worker", batch=True)


def test_a_start_with_the_same_key_writes_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    state.check_secret_key()
    with django_assert_num_queries(1):
        state.check_start()


def test_a_machine_with_another_key_starts_only_on_request(settings: Any) -> None:
    state.check_secret_key()
    state.check_secret_key()
    mark, first = SecretMark.objects.get().mark, settings.SECRET_KEY
    assert first not in mark
    settings.SECRET_KEY = "another key " * 5
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY_FALLBACKS"):
        state.check_secret_key()
    assert SecretMark.objects.get().mark == mark
    # Rotated: from now on the former key alone is another one.
    settings.SECRET_KEY_FALLBACKS = [first]
    state.check_secret_key()
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = first, []
    with pytest.raises(ImproperlyConfigured):
        state.check_secret_key()
    call_command("accept_secret_key")
    state.check_secret_key()


@pytest.mark.one_in(2)
def test_lists_links_shared_books_and_tokens_of_a_browser_stay(
    sbh: Builder, other: Client, change_key: Any
) -> None:
    link = make_link(sbh, what="frozen", view="open")
    shelf, caller = Shelf(sbh.client), Caller(make_user())
    shelf.act("share")
    address = re.search(r"/books/shared/[^\"]+", shelf.page)
    assert address
    change_key()
    assert "Test list" in sbh.client.get("/lists/").content.decode()
    assert sbh.act("rename", name="Goes on").status_code == 302
    assert sbh.document["name"] == "Goes on"
    assert path_of(link) in sbh.client.get(f"{sbh.url}share/").content.decode()
    assert address[0] in shelf.page
    for shown in (path_of(link), address[0]):
        assert other.get(shown).status_code == 200
    assert caller("get", "/lists/").status_code == 200
    other.cookies["sessionid"] = "x" * 32
    assert "Goes on" not in other.get("/lists/").content.decode()


def test_who_is_signed_in_stays_so_while_the_old_key_is_known(change_key: Any) -> None:
    ann()
    client = signed_in()
    known = change_key() == "rotated"
    assert (client.get("/account/").status_code == 200) == known
    assert signed_in().get("/account/").status_code == 200


def test_links_in_mails_work_while_the_old_key_is_known(client: Client, change_key: Any) -> None:
    sign_up(client, email="ann@marsh.example")
    link = re.search(r"http://testserver(/account/email/\S+)", mail.outbox[0].body)
    assert link
    known = change_key() == "rotated"
    assert ("Yes, confirm it" in client.get(link[1]).content.decode()) == known


def test_a_session_that_cannot_be_read_is_an_empty_one(sbh: Builder) -> None:
    for broken in ("", "x", "::", ".x:y:z", "eyJhIjo:1:2", "W10:1:2"):
        Session.objects.update(session_data=broken)
        assert sbh.client.get("/lists/").status_code == 200, broken


def old_token(link: Share, key: str) -> str:
    """The token as it was worked out until it was kept."""
    mac = salted_hmac("armybuilder.sharing", link.pk.hex, secret=key, algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()).decode().rstrip("=")


@pytest.mark.parametrize("key", ["now", "before", "lost"])
def test_old_links_keep_their_address(sbh: Builder, other: Client, settings: Any, key: str) -> None:
    link = make_link(sbh, what="current", view="open")
    settings.SECRET_KEY_FALLBACKS = ["before"]
    token = old_token(link, settings.SECRET_KEY if key == "now" else key)
    digest = hashlib.sha256(token.encode()).hexdigest()
    Share.objects.update(token="", digest=digest)
    MIGRATION.keep_tokens(apps, OLD)
    assert Share.objects.get().token == ("" if key == "lost" else token)
    assert other.get(f"/shared/{token}/").status_code == 200


def test_lists_that_had_one_frozen_copy_get_one_each(client: Client, other: Client) -> None:
    first, second = (
        make_link(Builder(one, "sbh", limit=300, books=["profiles"]), what="frozen", view="full")
        for one in (client, other)
    )
    shared = first.frozen
    type(shared).objects.filter(pk=shared.pk).update(hash="")
    Share.objects.update(frozen=shared)
    MIGRATION.name_hashes(apps, OLD)
    MIGRATION.part_copies(apps, OLD)
    first.refresh_from_db()
    second.refresh_from_db()
    assert first.frozen == shared
    assert second.frozen != shared
    assert second.frozen.made == second.created
    assert second.frozen.hash == shared.pk


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_old_shared_books_keep_their_address(settings: Any) -> None:
    executor = MigrationExecutor(connection)
    before, now = [("books", "0001_initial")], executor.loader.graph.leaf_nodes()
    try:
        old = executor.migrate(before).apps.get_model("books", "OwnBook")
        old.objects.create(pk="own-1", system="sbh", data={}, shared=True, share_number=3)
        old.objects.create(pk="own-2", system="sbh", data={}, share_number=3)
    finally:
        executor = MigrationExecutor(connection)
        executor.migrate(now)
    digest = salted_hmac("armybuilder.books.sharing", "own-1:3", algorithm="sha256").hexdigest()
    tokens = dict(OwnBook.objects.values_list("pk", "share_token"))
    assert tokens == {"own-1": digest[:40], "own-2": ""}
