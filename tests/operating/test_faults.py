"""What the site does while something that it needs is gone, full or read-only."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import requests
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import make_token
from armybuilder.housekeeping.models import Visit
from armybuilder.lists.models import ArmyList, Version
from armybuilder.watching import health
from tests.conftest import Builder
from tests.operating.servers import make_database, managed, postgresql, site, told_by
from tests.sharing.links import make_link, path_of

#: Pages of a list that only read.
PARTS = ("", "history/", "sheet/", "print/", "share/", "list.json", "print.pdf?kinds=full")

#: Done by processes of their own: one makes a list, another looks at it.
MAKE = """
client = Client()
fields = {"name": "One", "limit": 300, "books": ["profiles"]}
tell([client.post("/new/sbh/", fields)["Location"], client.cookies["sessionid"].value])
"""
LOOK = """
import re
client = Client(raise_request_exception=False)
client.cookies["sessionid"] = session
parts = [client.get(page + part).status_code for part in parts]
others = [client.get(path).status_code for path in ("/", "/lists/", "/books/", "/healthz")]
version = re.search(r'name="version" value="([0-9]+)"', client.get(page).content.decode())[1]
act = {"act": "add", "ref": "profiles/human-warrior", "version": version}
done = client.post(f"{page}act/", act)
ready = client.get("/readyz").json()["parts"]
tell([parts, others, done.status_code, "safe" in done.content.decode(), ready])
"""
#: Put before it: the disk becomes read-only for this process, while another has the database open.
REMOUNT = """
import sqlite3, subprocess
from django.db import connection
other = sqlite3.connect(settings.VAR_DIR / "armybuilder.sqlite3")
other.execute("SELECT * FROM django_session").fetchall()
mount = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0"'
subprocess.run(["sh", "-c", mount, str(settings.VAR_DIR)], check=True)
"""


@pytest.fixture
def refusing(db: None) -> Iterator[None]:
    """The database refuses writes, once `refuse` was called."""
    yield
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = OFF")


def refuse() -> None:
    if connection.vendor != "sqlite":
        pytest.skip("SQLite alone can be told so in the middle of a test")
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA query_only = ON")


@pytest.fixture
def told_twice(sbh: Builder) -> Builder:
    """A list whose next page tells what was done, and has that to keep."""
    sbh.act("add", ref="profiles/human-warrior")
    assert "said" in sbh.client.session
    return sbh


def test_pages_can_be_read_while_writing_fails(refusing: None, told_twice: Builder) -> None:
    link = path_of(make_link(told_twice, what="frozen", view="open"))
    Visit.objects.all().delete()
    ArmyList.objects.update(facts_of=None, verdict_of=None)
    session = told_twice.client.session
    del session["seen"]
    session.save()
    client = Client(raise_request_exception=False)
    client.cookies["sessionid"] = told_twice.client.cookies["sessionid"].value
    refuse()
    pages = ["/", "/lists/", "/books/", link, *(f"{told_twice.url}{part}" for part in PARTS)]
    assert {page: client.get(page).status_code for page in pages} == dict.fromkeys(pages, 200)
    assert "said" in client.session  # and is said again


def test_failed_acts_say_that_lists_are_safe(refusing: None, sbh: Builder) -> None:
    number = Version.objects.count()
    refuse()
    sbh.client.raise_request_exception = False
    done = sbh.act("add", ref="profiles/human-warrior")
    new = sbh.client.post("/new/sbh/", {"name": "Two", "limit": 300, "books": ["profiles"]})
    first = Client(raise_request_exception=False).post("/examples/sbh/none/")
    assert (done.status_code, new.status_code, first.status_code) == (500, 500, 404)
    assert "Your lists and books are safe" in done.content.decode()
    assert Version.objects.count() == number


def test_programs_read_and_are_told_what_they_may_not(refusing: None, sbh: Builder) -> None:
    _token, text = make_token(User.objects.create(username="ann"), "mine")
    client = Client(raise_request_exception=False, headers={"Authorization": f"Bearer {text}"})
    refuse()
    assert client.get("/api/v1/lists/").status_code == 200
    body = sbh.document
    stored = client.post("/api/v1/lists/", body, content_type="application/json")
    assert (stored.status_code, stored["Content-Type"]) == (500, "application/problem+json")


def test_a_read_only_server_is_alive_but_not_ready(
    refusing: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "HOLDS", -1.0)
    refuse()
    ready = client.get("/readyz")
    assert ready.status_code == 503
    assert ready.json()["parts"]["database"] == "cannot be written"
    assert client.get("/healthz").status_code == 200


def test_a_session_that_was_deleted_meanwhile_is_still_told_from_that(told_twice: Builder) -> None:
    """Signed out elsewhere while the page was made: nothing is written, and nothing fails."""
    session = told_twice.client.session
    assert session.pop("said")
    Session.objects.all().delete()
    with pytest.raises(UpdateError):
        session.save()


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.django_db
def test_a_read_only_disk_keeps_pages_readable(tmp_path: Path) -> None:
    within = ("unshare", "--mount")
    if subprocess.run([*within, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("disks of its own need root")
    make_database(tmp_path)
    page, session = told_by(MAKE, tmp_path)
    given = f"page, session, parts = {(page, session, PARTS)!r}\n"
    parts, others, done, safe, ready = told_by(given + REMOUNT + LOOK, tmp_path, *within)
    assert parts == [200] * len(PARTS)
    assert others == [200] * 4
    assert (done, safe) == (500, True)
    assert ready["disk"] == "ARMYBUILDER_VAR cannot be written"
    assert ready["database"] == "cannot be written"


@pytest.mark.slow
@pytest.mark.long
def test_a_read_only_postgresql_keeps_pages_readable(tmp_path: Path) -> None:
    with postgresql() as server:
        address = server.make("armies")
        managed(tmp_path, "migrate", "--verbosity", "0", DATABASE_URL=address)
        page, session = told_by(MAKE, tmp_path, DATABASE_URL=address)
        given = f"page, session, parts = {(page, session, PARTS)!r}\n"
        address += "?options=-c%20default_transaction_read_only%3Don"
        parts, others, status, safe, ready = told_by(given + LOOK, tmp_path, DATABASE_URL=address)
    assert parts == [200] * len(PARTS)
    assert others == [200] * 4
    assert (status, safe) == (500, True)
    assert ready["database"] == "cannot be written"


# A disk is full where files may not grow, which SQLite meets as it does a full disk.


#: Done by a process of its own: what it may write is limited.
CLICK = """
import re, resource
from django.db import connection
client = Client(raise_request_exception=False)
page = client.post("/new/sbh/", {"name": "One", "limit": 300, "books": ["profiles"]})["Location"]
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)

def click():
    shown = client.get(page)
    version = re.search(r'name="version" value="([0-9]+)"', shown.content.decode())[1]
    act = {"act": "add", "ref": "profiles/human-warrior", "version": version}
    done = client.post(f"{page}act/", act)
    return [shown.status_code, done.status_code, "safe" in done.content.decode()]

told = [click()]
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
told.append(click())
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
told.append(click())
units = json.loads(client.get(f"{page}list.json").content)["units"]
with connection.cursor() as cursor:
    cursor.execute("PRAGMA integrity_check")
    whole = cursor.fetchone()[0]
tell([told, sum(unit["models"] for unit in units), whole])
"""


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.django_db
def test_a_full_disk_keeps_what_is_there_and_what_is_acknowledged(tmp_path: Path) -> None:
    make_database(tmp_path)
    (before, full, after), models, whole = told_by(CLICK, tmp_path)
    assert before[:2] == after[:2] == [200, 302]
    assert full == [200, 500, True]
    assert models == 2
    assert whole == "ok"


# What the site does while something that it needs is gone, and when it is back.


@pytest.mark.long
@pytest.mark.slow
def test_while_the_database_is_gone_pages_fail_and_then_go_on_at_once(tmp_path: Path) -> None:
    """The first click on the restarted database finds a connection that works (M5)."""
    with postgresql() as server:
        variables = {"DATABASE_URL": server.make("armies")}
        with site(tmp_path, "--workers", "2", **variables) as address, requests.Session() as one:
            fields = {"name": "Mine", "limit": 300, "books": ["profiles"]}
            page = one.get(f"{address}/new/sbh/", timeout=30).text
            fields["csrfmiddlewaretoken"] = page.partition('csrfmiddlewaretoken" value="')[2][:64]
            made = one.post(f"{address}/new/sbh/", fields, timeout=30)
            assert made.status_code == 200
            for _again in range(8):  # a connection for each process
                assert one.get(made.url, timeout=30).status_code == 200
            server.stop()
            gone = one.get(made.url, timeout=30)
            assert gone.status_code == 500
            assert gone.headers["X-Request-ID"] in gone.text
            ready = requests.get(f"{address}/readyz?exclude=worker", timeout=30)
            assert ready.status_code == 503
            assert ready.json()["parts"]["database"] == "failed: OperationalError"
            assert requests.get(f"{address}/healthz", timeout=30).status_code == 200
            server.start()
            answers = [one.get(made.url, timeout=30) for _again in range(8)]
            assert [answer.status_code for answer in answers] == [200] * 8
            server.stop()
            server.start()
            answers = [one.get(made.url, timeout=30) for _again in range(8)]
            assert [answer.status_code for answer in answers] == [200] * 8
            assert "Mine" in answers[0].text
