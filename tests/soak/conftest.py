"""The server that `make run` starts, with an empty database."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.operating.servers import postgresql
from tests.serving import ROOT, Served, gunicorn


@contextmanager
def _served(folder: Path, database: str = "") -> Iterator[Served]:
    environment = {
        "ARMYBUILDER_VAR": str(folder), "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "DATABASE_URL": database, "DEBUG": "", "PROXIES": "1",
    }  # fmt: skip
    for command in (["migrate"], ["collectstatic", "--noinput"]):
        subprocess.run(
            [sys.executable, "manage.py", *command, "--verbosity", "0"],
            cwd=ROOT, env={**os.environ, **environment}, check=True,
        )  # fmt: skip
    with gunicorn(**environment) as served:
        yield served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with _served(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture(params=["sqlite", "postgresql"])
def server_of_each(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Served]:
    """A server on each database; skips where there is no PostgreSQL."""
    if request.param == "sqlite":
        with _served(tmp_path) as served:
            yield served
        return
    with postgresql() as database, _served(tmp_path, database.make("soak")) as served:
        yield served
