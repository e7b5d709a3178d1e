"""Writing under constraints: bytes are counted, and pages keep working if nothing can be written.

The database's disk is full or read-only then, it is a standby, or somebody has set it so.
"""

import logging
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.conf import settings
from django.db import InternalError, OperationalError, transaction

logger = logging.getLogger(__name__)

#: What a database raises that does not write now: SQLite and a full disk the former, PostgreSQL in
#: a read-only transaction the latter.
NOT_WRITTEN = (OperationalError, InternalError)

#: Bytes that must be free where the app writes; below twice as many, strangers keep nothing new.
LEAST_FREE = 200 * 1024 * 1024


_counter: ContextVar[Callable[[int], None] | None] = ContextVar("counter", default=None)


@contextmanager
def counting_bytes(counter: Callable[[int], None]) -> Iterator[None]:
    """Let `counter` know within how many bytes are stored for people; it may refuse them."""
    token = _counter.set(counter)
    try:
        yield
    finally:
        _counter.reset(token)


def count_bytes(number: int) -> None:
    """Announce bytes that are being stored. Raises Refusal for too many."""
    if (counter := _counter.get()) is not None:
        counter(number)


def free_bytes() -> int:
    """Return how many bytes are free where the app writes."""
    return shutil.disk_usage(settings.VAR_DIR).free


def where_possible(what: str, write: Callable[[], object]) -> bool:
    """Write something that a reading page would like to keep; return whether it was written.

    All or nothing: if the database can't write now, only the log has it.
    """
    try:
        with transaction.atomic():
            write()
    except NOT_WRITTEN as error:
        logger.warning("%s cannot be kept: %s", what, error)
        return False
    return True
