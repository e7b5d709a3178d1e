"""The same work on many things, by several processes, in their order and with flat memory."""

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_all_start_methods, get_context
from typing import TypeVar

from django.utils.translation import gettext as _

from armybuilder.loading.problems import Refusal

Thing = TypeVar("Thing")
Result = TypeVar("Result")

#: Things that a process gets at once, and lots that wait for each process.
_LOT = 8
_AHEAD = 3


def work_through(
    work: Callable[[Thing], Result], things: Iterable[Thing], jobs: int
) -> Generator[Result, None, None]:
    """Yield what `work` makes of each thing, in order, reading ahead only a little. `work` must be
    a function of a module: the processes are copies of this one. With one job, or where processes
    cannot be copied, this one works alone. Raises Refusal where one is ended from outside.
    """
    if jobs == 1 or "fork" not in get_all_start_methods():
        yield from map(work, things)
        return
    pool = ProcessPoolExecutor(jobs, get_context("fork"))
    try:
        waiting: deque[Future[list[Result]]] = deque()
        for lot in _lots(things):
            waiting.append(pool.submit(_work_on, work, lot))
            if len(waiting) >= jobs * _AHEAD:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()
    except BrokenProcessPool as error:
        raise Refusal(_("A process was ended before its work was. Try fewer jobs.")) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _lots(things: Iterable[Thing]) -> Iterator[list[Thing]]:
    left = iter(things)
    while lot := list(islice(left, _LOT)):
        yield lot


def _work_on(work: Callable[[Thing], Result], lot: list[Thing]) -> list[Result]:
    return [work(thing) for thing in lot]
