"""Room on the interpreter's stack is worth having: measured by `make bench`."""

import sys
import time
from collections.abc import Callable

from armybuilder.incoming import roomy

#: Depths of the stack at which a loop is timed: more than one piece of it holds.
DEPTHS = range(300)
#: Calls in the loop, and how often it is timed at each depth; the shortest time counts.
CALLS, TIMES = 300, 5


def leaf(one: int, two: int) -> int:
    return one + two


def loop() -> float:
    """Seconds that some calls take."""
    begun = time.perf_counter()
    for number in range(CALLS):
        leaf(number, number)
    return time.perf_counter() - begun


def deeper(calls: int, act: Callable[[], float]) -> float:
    return act() if calls == 0 else deeper(calls - 1, act)


def slowest() -> float:
    """Seconds of the loop at the depth at which it takes longest."""
    return max(min(deeper(depth, loop) for _ in range(TIMES)) for depth in DEPTHS)


def test_without_room_some_depth_is_many_times_slower_on_this_cpython() -> None:
    """Found true of CPython 3.11, 3.12 and 3.13, over 200 times each. Where it fails on another,
    `roomy` is of no use there, or its frame no longer gets a piece of its own.
    """
    assert sys.implementation.name == "cpython"
    without, with_room = slowest(), roomy(slowest)()
    version = sys.version.split()[0]
    assert without > 5 * with_room, f"CPython {version}: {without:.6f} s, {with_room:.6f} s"
