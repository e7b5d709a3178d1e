"""The workers of a Dask cluster as a pool. Each has the same version of the app installed."""

import pickle
import time
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.exchange.dask_work import run_packed
from armybuilder.exchange.optional import need
from armybuilder.exchange.workers import Pool
from armybuilder.loading.problems import Refusal

#: Lists that a worker gets at once, at most: some 30 ms of work, beside which passing them on is
#: little. Dask remembers the last 1,000 messages to each worker, so they are packed small.
LOT = 64
_QUICK = 1
#: Lots that wait for each thread of the workers, and how many at least.
AHEAD = 3
LEAST_AHEAD = 8
#: Seconds to wait for a scheduler, and between two looks at how many workers there are.
PATIENCE = 10
LOOK_EVERY = 5.0


@contextmanager
def dask_pool(address: str, seconds: int, tell: Callable[[str], None]) -> Iterator[Pool]:
    """The workers of the scheduler at an address such as "tcp://host:8786". A worker that is lost
    loses nothing: Dask gives its lots to others. Where there is none yet, `tell` gets a sentence,
    and one is waited for, so many seconds at most.

    Raises Refusal where Dask is not installed, no scheduler answers or no worker comes; and where
    the workers cannot do the work, or are ended by it again and again.
    """
    need("distributed")
    from distributed import Client, KilledWorker

    try:
        client = Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        said = _("No Dask scheduler answers at {address}.")
        raise Refusal(said.format(address=address)) from error
    try:
        _wait_for_worker(client, seconds, tell)
        yield Pool(_Submitting(client), LOT, _Ahead(client))
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
            said = _("A Dask worker lacks {package}. Install there what is installed here.")
            raise Refusal(said.format(package=error.name)) from error
        return pickle.loads(packed)  # noqa: S301  # of a worker, which is ours


class _Ahead:
    """How many lots may be under way: some for each thread of the workers there are, also of those
    that come later.
    """

    def __init__(self, client: Any) -> None:
        self.client = client
        self.looked = -LOOK_EVERY
        self.number = LEAST_AHEAD

    def __call__(self) -> int:
        now = time.monotonic()
        if now - self.looked > LOOK_EVERY:
            self.looked = now
            threads = sum(self.client.nthreads().values())
            self.number = max(LEAST_AHEAD, threads * AHEAD)
        return self.number
