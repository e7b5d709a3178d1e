"""Processes of the app with settings of their own, and servers that tests start themselves, from
Debian's packages; who has none is told so.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from django.db import connection


def program(name: str) -> str:
    """The path of a program; skips the test where it is not installed."""
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/usr/sbin:/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextmanager
def redis(folder: Path, port: int) -> Iterator[str]:
    """The address of a Redis that keeps nothing."""
    command = [program("redis-server"), "--port", str(port), "--bind", "127.0.0.1"]
    command += ["--save", "", "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            _await(port)
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()


@contextmanager
def site(var: Path, *options: str, **variables: str) -> Iterator[str]:
    """The address of the app, served by gunicorn without its configuration; the database and the
    collected files are made before.
    """
    if "DATABASE_URL" in variables:
        managed(var, "migrate", **variables)
    else:
        make_database(var)
    managed(var, "collectstatic", "--noinput", **variables)
    port = free_port()
    serve = [sys.executable, "-m", "gunicorn", "armybuilder.wsgi", *options]
    serve += ["--bind", f"127.0.0.1:{port}", "--no-control-socket", "--preload"]
    world_of = world(var, **variables)
    with subprocess.Popen(serve, cwd=ROOT, env=world_of, stderr=subprocess.DEVNULL) as server:
        try:
            _await(port)
            yield f"http://127.0.0.1:{port}"
        finally:
            server.terminate()


def _await(port: int) -> None:
    for _again in range(1200):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail(f"nobody answers at port {port}")


class Postgres:
    """A server of its own, with its data in a folder."""

    def __init__(self, bins: Path, folder: str) -> None:
        self._bins = bins
        self._folder = folder
        self._port = free_port()
        self._user = "postgres" if os.geteuid() == 0 else None  # it does not run for root
        if self._user:
            shutil.chown(folder, self._user)
        self._run("initdb", "-D", f"{folder}/data", "-U", "ann", "--auth=trust", "-E", "UTF8")
        self.start()

    def start(self) -> None:
        options = f"-h 127.0.0.1 -p {self._port} -k {self._folder} -c fsync=off"
        self._control("-l", f"{self._folder}/log", "-w", "-o", options, "start")

    def stop(self) -> None:
        """At once, as if it were killed."""
        self._control("-m", "immediate", "stop")

    def make(self, name: str) -> str:
        """The address of a new database."""
        self._run("createdb", "-h", "127.0.0.1", "-p", str(self._port), "-U", "ann", name)
        return f"postgres://ann@127.0.0.1:{self._port}/{name}"

    def _control(self, *options: str) -> None:
        self._run("pg_ctl", "-D", f"{self._folder}/data", *options)

    def _run(self, name: str, *options: str) -> None:
        command = [str(self._bins / name), *options]
        # Its own output goes nowhere: the server would hold a pipe open for ever.
        done = subprocess.run(
            command, user=self._user, cwd=self._folder, stdout=subprocess.DEVNULL, check=False
        )
        assert done.returncode == 0, command


@contextmanager
def postgresql() -> Iterator[Postgres]:
    """A PostgreSQL; skips where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("PostgreSQL is not installed")
    with TemporaryDirectory(prefix="armybuilder-pg-") as folder:
        server = Postgres(found[-1].parent, folder)
        try:
            yield server
        finally:
            server.stop()


# Processes of the app with settings of their own.

ROOT = Path(__file__).parents[2]
#: What the test run sets for itself, and must not reach such a process.
_OURS = ("DJANGO_ALLOW_ASYNC_UNSAFE", "PROMETHEUS_MULTIPROC_DIR")
#: What stands before a script: the app with the test client's host, and no collected files needed.
_BEFORE = """
import json, sys
import django
django.setup()
from django.conf import settings
from django.test import Client
settings.ALLOWED_HOSTS = ["testserver"]
settings.STORAGES["staticfiles"] = {
    "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
}
def tell(value):
    json.dump(value, sys.stdout)
"""


def world(var: Path, **variables: str) -> dict[str, str]:
    """The environment of a process whose data lie in the folder."""
    theirs = {key: value for key, value in os.environ.items() if key not in _OURS}
    named = {"ARMYBUILDER_VAR": str(var), "DJANGO_SETTINGS_MODULE": "armybuilder.settings"}
    return {**theirs, **named, "DEBUG": "", **variables}


def manage(var: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return _done([sys.executable, "manage.py", *arguments], var, variables)


def managed(var: Path, *arguments: str, **variables: str) -> str:
    """What `manage.py` writes; fails where it does."""
    done = manage(var, *arguments, **variables)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _done(
    command: list[str], var: Path, variables: dict[str, str]
) -> "subprocess.CompletedProcess[str]":
    environment = world(var, **variables)
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def make_database(var: Path) -> None:
    """Put an empty SQLite database into the folder, for a test that is marked `django_db`."""
    shutil.copyfile(f"{connection.settings_dict['NAME']}.empty", var / "armybuilder.sqlite3")


def told_by(script: str, var: Path, *within: str, **variables: str) -> Any:
    """What a script tells, once, by `tell(…)`; it is run in a process of its own with the app set
    up, `within` another command if need be.
    """
    done = _done([*within, sys.executable, "-c", _BEFORE + script], var, variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
