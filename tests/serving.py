"""The server of `make run`, in processes of its own, for what is measured from outside."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]


class Served(NamedTuple):
    """A server that answers: its port on loopback, and its process."""

    port: int
    pid: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def gunicorn(**environment: str) -> Iterator[Served]:
    """The whole server, under settings of its own. Fails the test where it does not come up."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = (
        *(sys.executable, "-m", "gunicorn", "armybuilder.wsgi"),
        *("--config", "python:armybuilder.serving", "--log-level", "warning"),
    )
    environment = {**os.environ, "ADDRESS": f"127.0.0.1:{port}", **environment}
    process = subprocess.Popen(command, cwd=ROOT, env=environment)
    try:
        _wait_until_it_listens(process, port)
        yield Served(port, process.pid)
    finally:
        process.terminate()
        process.wait(20)


def _wait_until_it_listens(process: subprocess.Popen[bytes], port: int) -> None:
    end = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < end:
        with socket.socket() as asking:
            if asking.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("the server does not answer")
