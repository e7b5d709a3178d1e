"""The server of `make run`, in processes of its own, for what is measured from outside."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]


class Served(NamedTuple):
    """A server that answers: its port on loopback, its process, and what that has logged."""

    port: int
    pid: int
    log: IO[bytes]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def lines(self) -> list[str]:
        """The lines of the log."""
        return os.pread(self.log.fileno(), 1 << 20, 0).decode().splitlines()


def wait_until(true: Callable[[], object], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def gunicorn(root: Path = ROOT, **environment: str) -> Iterator[Served]:
    """The whole server, under settings of its own, of the checkout at `root`. Fails the test where
    it does not come up.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (
        *(sys.executable, "-m", "gunicorn", "armybuilder.wsgi"),
        *("--config", "python:armybuilder.serving", "--log-level", "warning"),
    )
    environment = {**os.environ, "ADDRESS": f"127.0.0.1:{port}", **environment}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=root, env=environment, stderr=log)
        try:
            _wait_until_it_listens(process, port, log)
            yield Served(port, process.pid, log)
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def as_made_to_run(var: Path, database: str) -> Iterator[Served]:
    """The whole server with the database of a test, at the path, and with its files collected."""
    environment = {
        "DJANGO_SETTINGS_MODULE": "tests.collected",
        "ARMYBUILDER_VAR": str(var),
        "DATABASE_URL": f"sqlite:///{database}",
        "PRINT_WORKERS": "0",
    }
    command = (sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    subprocess.run(command, cwd=ROOT, env={**os.environ, **environment}, check=True)
    with gunicorn(**environment) as served:
        yield served


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int, log: IO[bytes]) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    log.seek(0)
    pytest.fail(f"the server does not answer:\n{log.read().decode(errors='replace')}")
