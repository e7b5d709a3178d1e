"""Pools of workers, and the same work on many things in their order and with flat memory.

A pool is this process, the processor cores of this machine, or the workers of a Dask cluster.
"""

import os
import pickle
import time
import zlib
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_all_start_methods, get_context
from typing import Any, Protocol, TypeVar

import django
from django.apps import apps
from django.utils.translation import gettext as _

from armybuilder.loading.problems import Refusal

Thing = TypeVar("Thing")
Result = TypeVar("Result")

#: Things that a process of this machine gets at once, at most, and lots that wait for each.
LOT = 64
AHEAD = 3
#: The first lots have so many things, and after so many lots twice as many: a few things are shared
#: out evenly, and of many each lot has as much work in it as passing it on is worth.
_FIRST = 8
_STEP = 16
#: Lists that a worker gets at once, at most: some 30 ms of work, beside which passing them on is
#: little. Dask remembers the last 1,000 messages to each worker, so they are packed small.
DASK_LOT = 64
_QUICK = 1
#: Lots that wait for each thread of the workers, and how many at least.
DASK_AHEAD = 3
LEAST_AHEAD = 8
#: Seconds to wait for a scheduler, and between two looks at how many workers there are.
PATIENCE = 10
LOOK_EVERY = 5.0


class Pending(Protocol):
    """Work that was begun."""

    def result(self) -> Any:
        """Its outcome, once it is done; raises what it raised."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Workers: `submit` begins a call of a function of a module.

    A lot has at most `lot` things, and `ahead` says how many lots may be under way now.
    """

    submit: Callable[..., Pending]
    lot: int
    ahead: Callable[[], int]


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@contextmanager
def local_pool(jobs: int) -> Iterator[Pool]:
    """Return a pool of processes, copies of this one with all that it has loaded.

    Where it is one, or the system cannot copy processes, this one works alone. Raises Refusal where
    one of them is ended from outside.
    """
    if jobs == 1 or "fork" not in get_all_start_methods():
        yield Pool(_Done, 1, lambda: 1)
        return
    executor = ProcessPoolExecutor(jobs, get_context("fork"))
    try:
        executor.submit(int)  # all are made now, before this one begins threads or opens files
        yield Pool(executor.submit, LOT, lambda: jobs * AHEAD)
    except BrokenProcessPool as error:
        raise Refusal(_("A process was killed before it finished. Try fewer jobs.")) from error
    finally:
        executor.shutdown(cancel_futures=True)


class _Done:
    """Work that is done at once."""

    def __init__(self, work: Callable[..., Any], *given: Any) -> None:
        self.answer = work(*given)

    def result(self) -> Any:
        return self.answer


def work_through(
    work: Callable[[Sequence[Thing]], Result], things: Iterable[Thing], pool: Pool
) -> Generator[tuple[Sequence[Thing], Result], None, None]:
    """Yield each lot of things with what `work` makes of it, in their order.

    No more things are taken than the pool will soon need, so that any number can be worked through.
    """
    waiting: deque[tuple[Sequence[Thing], Pending]] = deque()
    for lot in _lots(things, pool.lot):
        waiting.append((lot, pool.submit(work, lot)))
        while len(waiting) >= pool.ahead():
            first, pending = waiting.popleft()
            yield first, pending.result()
    while waiting:
        first, pending = waiting.popleft()
        yield first, pending.result()


def _lots(things: Iterable[Thing], most: int) -> Iterator[list[Thing]]:
    left = iter(things)
    for number in count():
        lot = list(islice(left, min(_FIRST << number // _STEP, most)))
        if not lot:
            return
        yield lot


@contextmanager
def dask_pool(address: str, seconds: int, tell: Callable[[str], None]) -> Iterator[Pool]:
    """Return the workers of the scheduler at an address such as "tcp://host:8786".

    A worker that is lost loses nothing: Dask gives its lots to others. Where there is none yet,
    `tell` gets a sentence, and one is waited for, so many seconds at most. Raises Refusal where no
    scheduler answers or no worker comes; and where the workers cannot do the work, or are killed by
    it again and again.
    """
    from distributed import Client, KilledWorker

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        said = _("No Dask scheduler answers at {address}.")
        raise Refusal(said.format(address=address)) from error
    try:
        _wait_for_worker(client, seconds, tell)
        yield Pool(_Submitting(client), DASK_LOT, _Ahead(client))
    except KilledWorker as error:
        raise Refusal(
            _("Workers were killed again and again over the same lists. Give them more memory.")
        ) from error
    finally:
        client.close()


def _wait_for_worker(client: Any, seconds: int, tell: Callable[[str], None]) -> None:
    if client.nthreads():
        return
    said = _("The Dask scheduler has no workers. Waiting up to {seconds} s for one.")
    tell(said.format(seconds=seconds))
    try:
        client.wait_for_workers(1, timeout=seconds)
    except TimeoutError as error:
        said = _("No worker joined the Dask scheduler within {seconds} s.")
        raise Refusal(said.format(seconds=seconds)) from error


class _Submitting:
    """Begins calls at the workers."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def __call__(self, work: Callable[..., Any], *given: Any) -> "_Packed":
        # A scheduler unpacks what it passes on: of this it finds bytes and a function of Python's
        # own, so that it needs neither our packages nor much time. It is not pure: two equal lots
        # are judged twice, rather than every lot hashed.
        packed = zlib.compress(pickle.dumps((work, given)), _QUICK)
        call = pickle.dumps(_Call(packed))
        return _Packed(self.client.submit(pickle.loads, call, pure=False))


@dataclass(frozen=True, slots=True)
class _Call:
    """Unpacked, this is the answer of the call that it holds."""

    packed: bytes

    def __reduce__(self) -> tuple[Callable[[bytes], bytes], tuple[bytes]]:
        return run_packed, (self.packed,)


@dataclass(frozen=True, slots=True)
class _Packed:
    """Work of a worker."""

    future: Any

    def result(self) -> Any:
        """Its answer. Raises Refusal where the worker lacks a package, such as ours."""
        try:
            packed: Any = self.future.result()
        except ModuleNotFoundError as error:
            said = _("A Dask worker lacks {package}. Install the same packages there as here.")
            raise Refusal(said.format(package=error.name)) from error
        return pickle.loads(packed)  # noqa: S301  # of a worker, which is ours


class _Ahead:
    """How many lots may be under way: some for each thread of the workers, also of later ones."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self.looked = -LOOK_EVERY
        self.number = LEAST_AHEAD

    def __call__(self) -> int:
        now = time.monotonic()
        if now - self.looked > LOOK_EVERY:
            self.looked = now
            threads = sum(self.client.nthreads().values())
            self.number = max(LEAST_AHEAD, threads * DASK_AHEAD)
        return self.number


def run_packed(packed: bytes) -> bytes:
    """Return the packed answer of a packed call, on a Dask worker.

    The first call of a worker reads its settings and all catalogues.
    """
    if not apps.ready:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "armybuilder.settings")
        django.setup()
    call = zlib.decompress(packed)
    work, given = pickle.loads(call)  # noqa: S301  # whoever reaches a scheduler runs code anyway
    return pickle.dumps(work(*given))
