"""What if another pack counted: 500 armies of an event judged anew, within five seconds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from armybuilder.events.judging import try_pack
from armybuilder.loading.library import shipped_library
from tests.building.documents import army, value_of
from tests.events.builders import entered, open_event, submitted

ENTRIES = 500
TARGET = 5.0


@pytest.mark.django_db
def test_five_hundred_armies_by_another_pack(benchmark: Callable[..., Any]) -> None:
    event = open_event("lantern-cup")
    made = value_of(army(15))
    for number in range(ENTRIES):
        entry = entered(event, f"Player {number}")
        submitted(event, entry, replace(made, name=f"Army {number}"))
    pack = shipped_library().packs["four-banners"]
    found = benchmark(lambda: list(try_pack(event, pack, shipped_library())))
    assert len(found) == ENTRIES
    stats = benchmark.stats.stats  # type: ignore[attr-defined]  # pytest-benchmark's
    assert stats.median < TARGET
