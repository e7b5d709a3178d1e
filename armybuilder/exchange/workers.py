"""The same work on many things, in their order and with flat memory: by this process, or by many.

Who works is a pool: the processor cores of this machine here, other machines in `dask_pool`.
"""

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count, islice
from multiprocessing import get_all_start_methods, get_context
from typing import Any, Protocol, TypeVar

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


class Pending(Protocol):
    """Work that was begun."""

    def result(self) -> Any:
        """Its outcome, once it is done; raises what it raised."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Who works. `submit` begins a call of a function of a module; a lot has at most `lot` things,
    and `ahead` says how many lots may be under way now.
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
    """So many processes, which are copies of this one with all that it has loaded. Where it is one,
    or the system cannot copy processes, this one works alone.

    Raises Refusal where one of them is ended from outside.
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
    """Each lot of things with what `work` makes of it, in their order. No more things are taken
    than the pool will soon need, so that any number can be worked through.
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
