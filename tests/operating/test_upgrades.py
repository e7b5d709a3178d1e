"""Databases of earlier releases: after all migrations every list opens, in the browser that has it.

Each file of `releases/` is what such a release stored: three lists of one browser, each opened from
a file and then given three more models; its secret key is not among them. One has an event, too.
"""

import json
import sqlite3
from pathlib import Path

import pytest

from tests.building.documents import army, skirmish
from tests.effort import scaled
from tests.operating.servers import managed, postgresql, told_by

pytestmark = [pytest.mark.long, pytest.mark.slow]

RELEASES = sorted((Path(__file__).parent / "releases").glob("*.sql"))
#: Done by a process of its own: what the browser sees, and what is stored.
LOOK = """
from django.contrib.sessions.models import Session
client = Client()
client.cookies["sessionid"] = Session.objects.get().session_key
from armybuilder.lists.models import ArmyList
told = []
for one in ArmyList.objects.order_by("created"):
    page = f"/lists/{one.pk}/"
    opened = [client.get(page + part).status_code for part in ("", "history/", "sheet/")]
    document = json.loads(client.get(page + "list.json").content)
    told.append([opened, document, one.versions.count()])
tell(told)
"""


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.stem)
def test_lists_of_an_earlier_release_open_after_the_migrations(
    release: Path, tmp_path: Path
) -> None:
    with sqlite3.connect(tmp_path / "armybuilder.sqlite3") as database:
        database.executescript(release.read_text())
    database.close()
    managed(tmp_path, "migrate", "--verbosity", "0")
    told = told_by(LOOK, tmp_path)
    assert [opened for opened, _document, _versions in told] == [[200, 200, 200]] * 3
    assert [versions for _opened, _document, versions in told] == [4] * 3
    for before, (_opened, after, _versions) in zip(
        (skirmish("sbh"), skirmish("ddm-2008"), army()), told, strict=True
    ):
        first = next(unit for unit in before["units"] if unit["models"] > 1)
        first["models"] += 3
        assert after["units"] == before["units"]
        assert (after["name"], after["limit"]) == (before["name"], before["limit"])


#: Done by a process of its own: what becomes of an event, and of a receipt of it on paper.
LOOK_AT_EVENT = """
from armybuilder.certificates.making import check
from armybuilder.events.judging import commitment_of
from armybuilder.events.log import first_broken
from armybuilder.events.models import Entry, Event, Submission
from tests.events.builders import NOW, TIMES, legal_list
from tests.pages.events.people import People, held
settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
people = People.__new__(People)
people.event, people.now = Event.objects.get(), NOW
certified = check(receipt["certificate"]).claims
kept = Submission.objects.get(entry=receipt["entry"], number=receipt["submission"])
anne, checker = held(kept.entry.holder), held(people.event.staff.get(name="Carl").holder)
again = people.submit(anne, legal_list()).status_code
pages = ["", "rules/", "entries/1/", "entries/1/2/", "judge/", "log/", "lists/json/"]
tell({
    "broken": first_broken(people.event.log.order_by("sequence")),
    "committed": [commitment_of(one.document, one.salt) == one.commitment
                  for one in Submission.objects.order_by("pk")],
    "same": [kept.commitment == receipt["commitment"], kept.document == certified.army_list],
    "again": again,
    "pages": [people.get(checker, page, TIMES.revealed).status_code for page in pages],
    "receipt": people.get(anne, "receipts/2.json").status_code,
})
"""


def test_an_event_goes_on_and_what_an_earlier_release_has_signed_stays_good(tmp_path: Path) -> None:
    """It kept the keys of certificates in a file beside the database."""
    release = RELEASES[0].with_name("keys_in_a_file.sql")
    beside = json.loads(release.with_suffix(".json").read_text())
    (tmp_path / "certificate_keys.json").write_text(json.dumps(beside["certificate_keys"]))
    with sqlite3.connect(tmp_path / "armybuilder.sqlite3") as database:
        database.executescript(release.read_text())
    database.close()
    managed(tmp_path, "migrate", "--verbosity", "0")
    assert told_by(f"receipt = {beside['receipt']!r}\n{LOOK_AT_EVENT}", tmp_path) == {
        "broken": 0,
        "committed": [True] * 4,
        "same": [True, True],
        "again": 302,
        "pages": [200] * 7,
        "receipt": 200,
    }


#: How often a migration is killed, at points that lie alike far from each other.
MOST = f"most = {scaled(0, 10, 1000)}\n"

# A migration that is killed half-way and begun again: nothing is lost, and until it is whole the
# app says that it is not ready.

#: Done by a process of its own, which leaves all that asks the database to copies of itself.
KILL = """
import multiprocessing, os, signal, sqlite3
from django.core.management import call_command
from django.db import connection
from armybuilder.backup.copying import fingerprints
from armybuilder.loading.library import shipped_library
from armybuilder.watching.health import state

def migrate(die_at):
    seen = []
    def count(execute, sql, params, many, context):
        seen.append(sql)
        if len(seen) == die_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return execute(sql, params, many, context)
    with connection.execute_wrapper(count):
        call_command("migrate", verbosity=0)
    return [sql.startswith('INSERT INTO "django_migrations"') for sql in seen]

def look():
    return state()["migrations"], list(fingerprints("default", True))

def ready():
    return state()["migrations"]

copies = multiprocessing.get_context("fork")

def apart(do, *given):
    answers = copies.SimpleQueue()
    process = copies.Process(target=lambda: answers.put(do(*given)))
    process.start()
    process.join()
    return process.exitcode, None if answers.empty() else answers.get()

def tried(begin, most, every, step):
    begin()
    code, records = apart(migrate, 0)
    expected = apart(look)
    ends = [number for number, is_record in enumerate(records, 1) if is_record]
    last = ends[-1]
    points = sorted({*ends[::every], *range(1, len(records), step)})
    points = points[:: -(-len(points) // most)]
    wrong = []
    for point in points:
        begin()
        killed = apart(migrate, point)[0]
        between = apart(ready)[1]
        again = apart(migrate, 0)[0]
        if (killed, again) != (-signal.SIGKILL, 0) or apart(look) != expected:
            wrong.append([point, killed, again])
        if point <= last and "not applied" not in between:
            wrong.append([point, between])
    return [code, expected, len(points), wrong]

for system in shipped_library().systems.values():
    shipped_library().books[system.id]
"""
FILE = """
def begin():
    for one in settings.VAR_DIR.glob("armybuilder.sqlite3*"):
        one.unlink()
    with sqlite3.connect(settings.VAR_DIR / "armybuilder.sqlite3") as database:
        database.executescript(release)
    database.close()
tell(tried(begin, most, 1, 40))
"""
SERVER = """
def empty():
    with connection.cursor() as cursor:
        cursor.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
tell(tried(lambda: apart(empty), most, 16, 200))
"""


# The one between them lacks the migrations that the oldest lacks, but for one.
@pytest.mark.parametrize("release", RELEASES[::2], ids=lambda path: path.stem)
def test_on_sqlite_lists_are_what_they_would_be(release: Path, tmp_path: Path) -> None:
    given = f"{MOST}release = {release.read_text()!r}\n"
    code, (_looked, (said, lists)), points, wrong = told_by(given + KILL + FILE, tmp_path)
    assert (code, said, len(lists)) == (0, "", 3)
    assert points > 5
    assert wrong == []


def test_on_postgresql_nothing_is_half_made(tmp_path: Path) -> None:
    with postgresql() as server:
        address = server.make("armies")
        code, (_looked, (said, _lists)), points, wrong = told_by(
            MOST + KILL + SERVER, tmp_path, DATABASE_URL=address
        )
    assert (code, said) == (0, "")
    assert points > 5
    assert wrong == []
