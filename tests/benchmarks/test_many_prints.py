"""200 lists printed into one file, measured by `make bench` as the worker does it: in a process of
its own, on the database of the test.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from armybuilder.events.judging import try_pack
from armybuilder.lists.services import create_list
from armybuilder.loading.library import shipped_library
from armybuilder.printing import jobs
from armybuilder.printing.models import PrintJob
from armybuilder.sheets.content.setup import Setup
from tests.building.documents import army, value_of
from tests.events.builders import entered, open_event, submitted

LISTS, SECONDS = 200, 25
#: Megabytes of the process at most, so that it does not hold the lists it has printed.
MOST_MEMORY = 200
WORK = (
    "import django, pathlib, re; django.setup();"
    "from armybuilder.printing.jobs import prints; from armybuilder.printing.tasks import work;"
    "work(prints.take('worker'));"
    "status = pathlib.Path('/proc/self/status').read_text();"
    "print(int(re.search(r'VmHWM:\\s+(\\d+)', status)[1]) // 1024)"
)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kinds", [("full",), ("full", "cards")], ids=",".join)
def test_200_armies_in_one_file(kinds: tuple[str, ...]) -> None:
    ids = [
        create_list("h", value_of({**army(), "name": f"Army {n}"}), "Made.").army_list_id
        for n in range(LISTS)
    ]
    job = jobs.plan("h", ids)
    jobs.start(job, Setup(kinds=kinds), zipped=False)
    world = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        "ARMYBUILDER_VAR": str(settings.VAR_DIR),
        "DATABASE_URL": f"sqlite:///{settings.DATABASES['default']['NAME']}",
    }
    began = time.perf_counter()
    command = [sys.executable, "-c", WORK]
    done = subprocess.run(command, env=world, capture_output=True, check=True, text=True)
    seconds = time.perf_counter() - began
    job = PrintJob.objects.get(pk=job.pk)
    assert (job.state, job.done) == (PrintJob.State.DONE, LISTS)
    memory = int(done.stdout)
    print(
        f"\n{LISTS} armies printed, {' and '.join(kinds)}: {seconds:.0f} s (target {SECONDS}),"
        f" {job.pages} pages, {memory} MB at most"
    )
    assert seconds <= SECONDS
    assert memory <= MOST_MEMORY


# What if another pack counted: 500 armies of an event judged anew, within five seconds.

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
