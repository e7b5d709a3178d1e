"""The server that `make run` starts, with an empty database."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.serving import ROOT, Served, gunicorn


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    environment = {
        "ARMYBUILDER_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "DEBUG": "", "PROXIES": "1",
    }  # fmt: skip
    for command in (["migrate"], ["collectstatic", "--noinput"]):
        subprocess.run(
            [sys.executable, "manage.py", *command, "--verbosity", "0"],
            cwd=ROOT, env={**os.environ, **environment}, check=True,
        )  # fmt: skip
    with gunicorn(**environment) as served:
        yield served
