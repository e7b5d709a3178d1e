"""The process that prints beside the server: starts and ends with it, and shows that it lives."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from armybuilder import serving
from armybuilder.management.commands import print_worker
from armybuilder.printing.jobs import ALIVE
from tests.printing.folder import print_into


@pytest.fixture
def beside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[Any]]:
    """What runs beside the server: a process that waits, and ends when asked a second time."""
    script = tmp_path / "waits.py"
    script.write_text(
        "import signal, sys, time\n"
        "asked = []\n"
        "def ask(*_):\n"
        "    asked.append(1)\n"
        "    if len(asked) > 1: sys.exit(7)\n"
        "signal.signal(signal.SIGTERM, ask)\n"
        "open(sys.argv[0] + '.ready', 'w').close()\n"
        "while True: time.sleep(.05)\n"
    )
    processes: list[Any] = []
    monkeypatch.setattr(serving, "_COMMANDS", [sys.executable, str(script)])
    monkeypatch.setattr(serving, "_printing", processes)
    yield processes
    for process in processes:
        process.kill()
        process.wait()


def test_the_server_starts_it_and_ends_it_even_in_the_middle_of_its_work(
    beside: list[Any], tmp_path: Path
) -> None:
    serving.when_ready(None)
    assert beside[0].args[:2] == [sys.executable, str(tmp_path / "waits.py")]
    assert "print_worker" in beside[0].args
    for _again in range(200):
        if (tmp_path / "waits.py.ready").exists():
            break
        time.sleep(0.05)
    assert beside[0].poll() is None
    serving.on_exit(None)
    assert beside[0].returncode == 7


def test_it_gives_signs_of_life_and_ends_where_its_parent_has_gone(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    print_into(settings, tmp_path)
    ended, killed = Event(), []
    monkeypatch.setattr(print_worker, "PULSE", 0.01)
    monkeypatch.setattr(print_worker.os, "getppid", lambda: 1)

    def kill(pid: int, signal: int) -> None:
        killed.append(pid)
        if len(killed) == 2:
            ended.set()

    monkeypatch.setattr(print_worker.os, "kill", kill)
    print_worker._live(4242, ended)
    assert (tmp_path / ALIVE).exists()
    assert killed == [print_worker.os.getpid()] * 2


def test_it_lives_on_while_its_parent_is_there(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    print_into(settings, tmp_path)
    killed: list[int] = []
    monkeypatch.setattr(print_worker.os, "kill", lambda pid, signal: killed.append(pid))
    ended = Event()
    ended.set()
    print_worker._live(print_worker.os.getppid(), ended)
    print_worker._live(0, ended)
    assert killed == []
