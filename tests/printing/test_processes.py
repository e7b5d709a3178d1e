"""Workers in processes of their own: two at a time, killed, ended, and without their database."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
import pytest

from tests.admission.test_serving import processes
from tests.operating.servers import ROOT, Postgres, make_database, managed, postgresql, world
from tests.serving import gunicorn

pytestmark = [pytest.mark.long, pytest.mark.django_db]

#: Makes a job of so many lists for each holder; prints nothing.
MAKE = """
from armybuilder.printing.tasks import print_lists
from tests.printing.jobs import job_for
for holder in {holders}:
    print_lists.enqueue(str(job_for(holder, ["List %d" % n for n in range({lists})]).pk))
"""
TELL = "SELECT holder, state, tries, done, worker FROM printing_printjob ORDER BY holder"
#: Lets what is dead be dead for long enough.
AGE = [
    "DELETE FROM printing_printworker",
    "UPDATE printing_printjob SET moved = '2020-01-01 00:00:00' WHERE state = 'working'",
]
FORGET_TASKS = "DELETE FROM django_tasks_database_dbtaskresult"
CLEAR = ["DELETE FROM printing_printjob", "DELETE FROM printing_printworker", FORGET_TASKS]
#: So many in a job that is met half-way.
LISTS = 12
SQLITE_ONLY = pytest.mark.parametrize("place", ["sqlite"], indirect=True)
POSTGRESQL_ONLY = pytest.mark.parametrize("place", ["postgresql"], indirect=True)


class Row(NamedTuple):
    """What is told of a job."""

    holder: str
    state: str
    tries: int
    done: int
    worker: str


@dataclass
class Place:
    """A database and a folder, and the processes that work there."""

    folder: Path
    url: str
    server: Postgres | None = None

    def connect(self) -> Any:
        if self.server:
            return psycopg.connect(self.url, autocommit=True)
        path = self.url.removeprefix("sqlite:///")
        return sqlite3.connect(path, timeout=20, isolation_level=None)

    def sql(self, *statements: str) -> None:
        with closing(self.connect()) as connection:
            for statement in statements:
                connection.execute(statement)

    def make(self, holders: list[str], lists: int) -> None:
        code = MAKE.format(holders=holders, lists=lists)
        self.manage("shell", "--no-imports", "-c", code)

    def manage(self, *arguments: str) -> None:
        managed(self.folder, *arguments, DATABASE_URL=self.url)

    def jobs(self) -> list[Row]:
        with closing(self.connect()) as connection:
            return [Row(*row) for row in connection.execute(TELL)]

    @contextmanager
    def worker(self, *options: str) -> Iterator["subprocess.Popen[bytes]"]:
        """A worker, which is killed in the end."""
        command = [sys.executable, "manage.py", "print_worker", "--no-startup-delay", *options]
        environment = world(self.folder, DATABASE_URL=self.url)
        with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
            try:
                yield process
            finally:
                process.kill()

    def files(self) -> list[str]:
        return [path.name for path in (self.folder / "prints").iterdir()]

    def wait_until(self, holds: Callable[[list[Row]], bool]) -> list[Row]:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            rows = self.jobs()
            if holds(rows):
                return rows
            time.sleep(0.02)
        pytest.fail(f"it does not come to that: {rows}")


@pytest.fixture(scope="module")
def made(
    django_db_setup: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[[str], Place]]:
    """Makes the place of a kind, at most once."""
    places: dict[str, Place] = {}
    with ExitStack() as stack:

        def make(kind: str) -> Place:
            if kind not in places:
                folder = tmp_path_factory.mktemp(kind)
                server = stack.enter_context(postgresql()) if kind == "postgresql" else None
                name = "armybuilder.sqlite3"
                url = server.make("armies") if server else f"sqlite:///{folder / name}"
                places[kind] = Place(folder, url, server)
                if server:
                    places[kind].manage("migrate", "--verbosity", "0")
                else:
                    make_database(folder)
            return places[kind]

        yield make


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, made: Callable[[str], Place]) -> Place:
    place = made(request.param)
    place.sql(*CLEAR)
    for path in (place.folder / "prints").glob("*"):
        path.unlink()
    return place


def is_under_way(rows: list[Row]) -> bool:
    return any(row.state == "working" and row.done for row in rows)


def all_done(rows: list[Row]) -> bool:
    return all(row.state == "done" for row in rows)


@pytest.mark.slow
def test_two_workers_do_each_job_once(place: Place) -> None:
    rows: list[Row] = []
    with place.worker("--interval", "0") as one, place.worker("--interval", "0") as two:
        # The first may be done with all there is before the other has begun.
        for more in range(20):
            place.make([f"holder-{more}-{number}" for number in range(8)], lists=2)
            rows = place.wait_until(all_done)
            if len({row.worker for row in rows}) == 2:
                break
        assert [one.poll(), two.poll()] == [None, None]
    assert {(row.tries, row.done) for row in rows} == {(1, 2)}
    assert len(place.files()) == len(rows)
    assert len({row.worker for row in rows}) == 2


@pytest.mark.slow
def test_a_job_whose_worker_is_killed_is_done_by_the_next(place: Place) -> None:
    place.make(["ann"], lists=LISTS)
    with place.worker() as killed:
        place.wait_until(is_under_way)
        killed.kill()
    assert place.files() == []
    place.sql(*AGE)
    with place.worker():
        (row,) = place.wait_until(all_done)
    assert (row.tries, row.done, len(place.files())) == (2, LISTS, 1)


@pytest.mark.slow
@SQLITE_ONLY
def test_a_worker_of_the_server_that_is_killed_comes_back_and_goes_on(place: Place) -> None:
    place.make(["ann"], lists=LISTS)
    (place.folder / "static").mkdir()
    variables = {**world(place.folder, DATABASE_URL=place.url), "HEAVY_WORKERS": "0"}
    with gunicorn(**variables) as served:
        place.wait_until(is_under_way)
        (printing,) = [pid for pid, nice in processes(served).items() if nice]
        os.kill(printing, signal.SIGKILL)
        place.sql(*AGE)
        (row,) = place.wait_until(all_done)
    assert (row.tries, row.done, len(place.files())) == (2, LISTS, 1)


@pytest.mark.slow
@SQLITE_ONLY
def test_a_worker_that_is_ended_puts_its_job_back_at_once(place: Place) -> None:
    place.make(["ann"], lists=LISTS)
    with place.worker() as ended:
        place.wait_until(is_under_way)
        os.kill(ended.pid, signal.SIGTERM)
        assert ended.wait(60) == 0
    (row,) = place.jobs()
    assert (row.state, row.tries) == ("waiting", 1)
    assert place.files() == []
    with place.worker():
        assert place.wait_until(all_done)[0].tries == 2


@pytest.mark.slow
@POSTGRESQL_ONLY
def test_a_worker_waits_for_a_database_that_is_gone(place: Place) -> None:
    assert place.server is not None
    place.make(["ann"], lists=LISTS)
    with place.worker() as worker:
        place.wait_until(is_under_way)
        place.server.stop()
        time.sleep(3)
        place.server.start()
        (row,) = place.wait_until(all_done)
        assert worker.poll() is None
    assert (row.tries, row.done, len(place.files())) == (2, LISTS, 1)


@pytest.mark.slow
@SQLITE_ONLY
def test_a_worker_outlives_a_database_that_is_locked(place: Place) -> None:
    place.make(["ann"], lists=LISTS)
    with place.worker() as worker, closing(place.connect()) as other:
        place.wait_until(is_under_way)
        other.execute("BEGIN EXCLUSIVE")
        time.sleep(15)  # longer than the worker waits
        other.execute("ROLLBACK")
        place.wait_until(all_done)
        assert worker.poll() is None


@pytest.mark.slow
@SQLITE_ONLY
def test_a_job_whose_task_was_lost_is_found(place: Place) -> None:
    place.make(["ann"], lists=1)
    place.sql(FORGET_TASKS)
    with place.worker():
        assert place.wait_until(all_done)[0].tries == 1
