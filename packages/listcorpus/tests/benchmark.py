"""A corpus judged again: lists a second and memory, by all cores of this machine and by a Dask
cluster of as many workers. `CORPUS=1000000` takes a million lists.

What a core does is told by processor time, which other work on the machine changes little.
"""

import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from listcorpus.pools import cores
from made_corpus import write_corpus
from tests.benchmarks.test_load import load
from tests.serving import ROOT

LISTS = int(os.environ.get("CORPUS", "20000"))
#: Lists a second of one core, at least; how much memory may grow from a tenth of the lists.
A_SECOND, GROWTH = 500, 1.15


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A tenth of the lists, and all."""
    folder = tmp_path_factory.mktemp("corpora")
    write_corpus(folder / "few.parquet", LISTS // 10)
    write_corpus(folder / "all.parquet", LISTS)
    return folder / "few.parquet", folder / "all.parquet"


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    from distributed import LocalCluster

    os.environ.setdefault("ARMYBUILDER_VAR", str(tmp_path))
    options = {"n_workers": cores(), "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(protocol="tcp://", **options) as made:
        yield made.scheduler_address


def judged(corpus: Path, *options: str) -> tuple[float, float]:
    """Seconds that it took, and seconds of processors of the command's own processes."""
    report = corpus.with_suffix(".report.parquet")
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "packages" / "listcorpus")}
    command = [sys.executable, "manage.py", "validate_list", str(corpus), "--report", str(report)]
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    call = partial(subprocess.run, cwd=ROOT, env=environment, capture_output=True, check=False)
    done = call([*command, *options])
    seconds, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 2, done.stderr.decode()[-500:]
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, used


def most_memory() -> float:
    """MB of the largest process among those that ended."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def test_a_corpus_by_all_cores(corpora: tuple[Path, Path]) -> None:
    few, whole = corpora
    _seconds, start = judged(few)
    small = most_memory()
    seconds, used = judged(whole)
    a_second = (LISTS - LISTS // 10) / (used - start)
    print(
        f"\n{LISTS} lists by {cores()} cores: {seconds:.0f} s; {a_second:.0f} a second of a core"
        f" (target {A_SECOND}); memory {small:.0f} MB for a tenth, {most_memory():.0f} MB;"
        f" load {load()}"
    )
    assert a_second >= A_SECOND
    assert most_memory() <= small * GROWTH


def test_a_corpus_by_dask(corpora: tuple[Path, Path], cluster: str) -> None:
    seconds, used = judged(corpora[1], "--dask", cluster)
    print(
        f"\n{LISTS} lists by {cores()} Dask workers: {seconds:.0f} s, of which {used:.0f} s of a"
        f" processor by whoever hands them out; load {load()}"
    )
