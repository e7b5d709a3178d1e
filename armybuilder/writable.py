"""A database that can be read and not written: pages go on; what changes something fails.

Its disk is full or read-only, it is a standby, or somebody has set it so.
"""

import logging
import shutil
from collections.abc import Callable

from django.conf import settings
from django.db import InternalError, OperationalError, transaction

logger = logging.getLogger(__name__)

#: What a database raises that does not write now: SQLite and a full disk the former, PostgreSQL in
#: a read-only transaction the latter.
NOT_WRITTEN = (OperationalError, InternalError)

#: Bytes that must be free where the app writes; below twice as many, strangers keep nothing new.
LEAST_FREE = 200 * 1024 * 1024


def free_bytes() -> int:
    """Return how many bytes are free where the app writes."""
    return shutil.disk_usage(settings.VAR_DIR).free


def where_possible(what: str, write: Callable[[], object]) -> bool:
    """Write what a page that only reads would like to keep; return whether it was written.

    All or nothing: if the database does not write now, only the log is told.
    """
    try:
        with transaction.atomic():
            write()
    except NOT_WRITTEN as error:
        logger.warning("%s cannot be kept: %s", what, error)
        return False
    return True
