"""A database that can be read and not written: its disk is full or read-only, it is a standby, or
somebody has set it so. Pages go on; what changes something fails.
"""

import logging
from collections.abc import Callable

from django.db import InternalError, OperationalError, transaction

logger = logging.getLogger(__name__)

#: What a database raises that does not write now: SQLite and a full disk the former, PostgreSQL in
#: a read-only transaction the latter.
NOT_WRITTEN = (OperationalError, InternalError)


def where_possible(what: str, write: Callable[[], object]) -> bool:
    """Write, all or nothing, what a page that only reads would like to keep, and return whether it
    was written; where the database does not write now, only the log is told.
    """
    try:
        with transaction.atomic():
            write()
    except NOT_WRITTEN as error:
        logger.warning("%s cannot be kept: %s", what, error)
        return False
    return True
