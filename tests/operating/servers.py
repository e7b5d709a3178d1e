"""Servers that tests start themselves, from Debian's packages; who has none is told so."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest


def program(name: str) -> str:
    """The path of a program; skips the test where it is not installed."""
    found = shutil.which(name, path="/usr/local/bin:/usr/bin:/usr/sbin:/bin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


def free_port() -> int:
    """A port that nobody listens on."""
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


def _await(port: int) -> None:
    for _again in range(200):
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    pytest.fail(f"nobody answers at port {port}")


@contextmanager
def postgresql() -> Iterator[Callable[[str], str]]:
    """Makes databases by their names, and tells their addresses; skips where there is none."""
    bins = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not bins:
        pytest.skip("PostgreSQL is not installed")
    user = "postgres" if os.geteuid() == 0 else None  # it does not run for root
    with TemporaryDirectory(prefix="armybuilder-pg-") as folder:
        if user:
            shutil.chown(folder, user)
        port = free_port()

        def run(name: str, *options: str) -> None:
            command = [str(bins[-1].with_name(name)), *options]
            done = subprocess.run(
                command, user=user, cwd=folder, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, done.stderr

        run("initdb", "-D", f"{folder}/data", "-U", "ann", "--auth=trust", "-E", "UTF8")
        options = f"-h 127.0.0.1 -p {port} -k {folder} -c fsync=off"
        run("pg_ctl", "-D", f"{folder}/data", "-l", f"{folder}/log", "-w", "-o", options, "start")

        def make(name: str) -> str:
            run("createdb", "-h", "127.0.0.1", "-p", str(port), "-U", "ann", name)
            return f"postgres://ann@127.0.0.1:{port}/{name}"

        try:
            yield make
        finally:
            run("pg_ctl", "-D", f"{folder}/data", "-m", "immediate", "stop")
