"""The start of a process."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def keeping_all() -> Iterator[None]:
    """Look for no garbage meanwhile, nor ever among what is made: what a start makes lives as long
    as the process. To look through it time and again is a tenth of the start, and would make each
    worker copy the memory that it shares with the process it was copied from.
    """
    looked = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if looked:
            gc.enable()
