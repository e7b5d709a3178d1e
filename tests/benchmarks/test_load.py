"""Many lists at once, measured by `make bench`: verdicts by the API, and a folder of lists.

Both run as they are served: the API by gunicorn with two workers, asked on loopback; the folder by
the command, in processes of its own. Each prints the processor's time, too, which tells on a busy
machine what the clock does not.
"""

import http.client
import json
import os
import resource
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.building.documents import army
from tests.serving import ROOT, Served, gunicorn

#: Verdicts a second; seconds for so many lists.
VERDICTS = 150
LISTS, SECONDS = 1000, 15
#: How long the API is asked, after a while that does not count, by so many at once.
ASKED, BEFORE, ASKERS = 8.0, 1.0, 4
BODY = json.dumps(army()).encode()


def ask(port: int) -> int:
    """One verdict by a connection of its own: the status of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        headers = {"Content-Type": "application/json"}
        connection.request("POST", "/api/v1/validate/", BODY, headers)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    """It has no tables: verdicts need none."""
    (tmp_path / "static").mkdir()
    with gunicorn(
        ARMYBUILDER_VAR=str(tmp_path),
        VISITOR_SECONDS="0",
        DEBUG="",
        DJANGO_SETTINGS_MODULE="armybuilder.settings",
    ) as served:
        yield served


def processor_seconds(parent: int) -> float:
    """What the children of a process have used, as far as the system tells; else 0."""
    told = Path(f"/proc/{parent}/task/{parent}/children")
    if not told.exists():
        return 0.0
    ticks = 0
    for child in told.read_text().split():
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def load() -> str:
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def test_verdicts_a_second_by_the_api(server: Served) -> None:
    port, parent = server.port, server.pid
    begin = time.monotonic() + BEFORE
    statuses: Counter[int] = Counter()

    def asker() -> None:
        while (now := time.monotonic()) < begin + ASKED:
            status = ask(port)
            if now >= begin:
                statuses[status] += 1

    threads = [threading.Thread(target=asker) for _ in range(ASKERS)]
    for thread in threads:
        thread.start()
    time.sleep(BEFORE)
    used = processor_seconds(parent)
    for thread in threads:
        thread.join()
    used = processor_seconds(parent) - used
    assert set(statuses) == {200}
    answered = statuses[200]
    print(
        f"\nverdicts by the API, two workers: {answered / ASKED:.0f} a second (target {VERDICTS});"
        f" {used / answered * 1000:.1f} ms of a processor each; load {load()}"
    )
    assert answered / ASKED >= VERDICTS


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_of_a_thousand_armies(tmp_path: Path, jobs: int) -> None:
    folder = tmp_path / "lists"
    folder.mkdir()
    for number in range(LISTS):
        document = {**army(), "name": f"List {number}"}
        (folder / f"{number:04}.json").write_text(json.dumps(document))
    report = tmp_path / "out.csv"
    command = [sys.executable, "manage.py", "validate_list", str(folder)]
    options = ["--jobs", str(jobs), "--report", str(report)]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    paths = {**os.environ, "PYTHONPATH": str(ROOT / "packages" / "listcorpus")}
    call = [*command, *options]
    done = subprocess.run(call, cwd=ROOT, env=paths, capture_output=True, check=False)
    seconds, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert done.returncode == 1, done.stderr.decode()
    assert len(report.read_text().splitlines()) == LISTS + 1
    print(
        f"\n{LISTS} lists with --jobs {jobs}: {seconds:.1f} s (target {SECONDS} with two),"
        f" {used:.1f} s of processors, start and all catalogues included; load {load()}"
    )
    assert jobs == 1 or seconds <= SECONDS
