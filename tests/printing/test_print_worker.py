"""The process that prints shows that it lives."""

from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest

from armybuilder.management.commands import print_worker
from armybuilder.printing.jobs import ALIVE
from tests.printing.folder import print_into


def test_it_gives_signs_of_life_until_its_end(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    print_into(settings, tmp_path)
    monkeypatch.setattr(print_worker, "PULSE", 0.01)
    ended = Event()
    living = Thread(target=print_worker._live, args=(ended,))
    living.start()
    while not (tmp_path / ALIVE).exists():
        assert living.is_alive()
    ended.set()
    living.join(5)
    assert not living.is_alive()
