"""`validate_list --dask` over a scheduler and workers in processes of their own: one is killed.

The scheduler has not the app: it stands in a folder where there is none.
"""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from listcorpus import pools
from listcorpus.management.commands import validate_list
from made_corpus import write_corpus
from tests.management.test_validate_list import run
from tests.serving import ROOT

PATHS = f"{ROOT}{os.pathsep}{ROOT / 'packages' / 'listcorpus'}"
pytestmark = [pytest.mark.slow, pytest.mark.django_db]

LISTS = 600
Worker = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    options = ("--host", "127.0.0.1", "--port", str(port), "--dashboard-address", "127.0.0.1:0")
    command = (sys.executable, "-m", "distributed.cli.dask_scheduler", *options)
    process = subprocess.Popen(command, cwd=tmp_path, env=_environment(tmp_path))
    yield f"tcp://127.0.0.1:{port}"
    process.kill()
    process.wait(20)


@pytest.fixture
def worker(scheduler: str, tmp_path: Path) -> Iterator[Worker]:
    """Starts a worker of one thread, in a process alone."""
    started: list[subprocess.Popen[bytes]] = []

    def start(**environment: str) -> subprocess.Popen[bytes]:
        options = ("--nthreads", "1", "--no-nanny", "--dashboard-address", "127.0.0.1:0")
        command = (sys.executable, "-m", "distributed.cli.dask_worker", scheduler, *options)
        environment = {**_environment(tmp_path), **environment}
        started.append(subprocess.Popen(command, cwd=tmp_path, env=environment))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait(20)


def _environment(folder: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    settings = {"DJANGO_SETTINGS_MODULE": "armybuilder.settings", "ARMYBUILDER_VAR": str(folder)}
    return {**kept, **settings}


def test_a_killed_worker_loses_nothing(
    scheduler: str, worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus, report = tmp_path / "x.parquet", tmp_path / "out.parquet"
    write_corpus(corpus, LISTS)
    run(corpus, "--jobs", 1, "--report", report)
    alone = report.read_bytes()
    first, _second = (worker(PYTHONPATH=PATHS) for _ in range(2))
    answers = 0
    tell = validate_list._ProgressPrinter.add_lot

    def add(self: Any, answer: Any) -> None:
        nonlocal answers
        answers += 1
        if answers == 3:
            first.kill()
        tell(self, answer)

    monkeypatch.setattr(validate_list._ProgressPrinter, "add_lot", add)
    monkeypatch.setattr(pools, "DASK_LOT", 10)
    monkeypatch.setattr(pools, "PATIENCE", 60)
    run(corpus, "--dask", scheduler, "--report", report)
    assert first.wait(20) != 0
    assert answers > LISTS / 10
    assert report.read_bytes() == alone


def test_a_worker_without_the_app_is_told(
    scheduler: str, worker: Worker, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "x.jsonl"
    write_corpus(corpus, 5)
    worker()
    monkeypatch.setattr(pools, "PATIENCE", 60)
    with pytest.raises(CommandError, match="A Dask worker lacks listcorpus"):
        run(corpus, "--dask", scheduler)


def test_a_scheduler_without_workers_is_told_and_not_waited_for_without_end(
    scheduler: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = tmp_path / "x.jsonl"
    write_corpus(corpus, 5)
    monkeypatch.setattr(pools, "PATIENCE", 60)
    errors = StringIO()
    with pytest.raises(CommandError, match="No worker joined the Dask scheduler") as refused:
        call_command("validate_list", corpus, dask=scheduler, dask_wait=1, stderr=errors)
    assert refused.value.returncode == 2
    assert "has no workers. Waiting up to 1 s for one." in errors.getvalue()
