"""Processes of the app with settings of their own."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

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
    """`manage.py` with these arguments, done."""
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


@cache
def _migrated() -> bytes:
    """An empty database after all migrations, made once: it takes seconds."""
    with TemporaryDirectory() as folder:
        managed(Path(folder), "migrate", "--verbosity", "0")
        (file,) = Path(folder).glob("armybuilder.sqlite3*")
        return file.read_bytes()


def make_database(var: Path) -> None:
    """Put an empty SQLite database into the folder."""
    (var / "armybuilder.sqlite3").write_bytes(_migrated())


def told_by(script: str, var: Path, *within: str, **variables: str) -> Any:
    """What a script tells, once, by `tell(…)`; it is run in a process of its own with the app set
    up, `within` another command if need be.
    """
    done = _done([*within, sys.executable, "-c", _BEFORE + script], var, variables)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
