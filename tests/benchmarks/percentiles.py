"""How long the slower ones of what was timed take."""

from collections.abc import Iterable
from math import ceil


def p95(times: Iterable[float]) -> float:
    """Return the time within which 95 of 100 were done: one of those that were timed."""
    found = sorted(times)
    return found[ceil(len(found) * 0.95) - 1]
