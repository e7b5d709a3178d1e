"""Ids of a roster, which keep the order of the list.

A roster has its own order: contents of one group of the file are together. The ids of its elements
are free, so ours hold the place in the list. The first half of such an id is made of the roster's
id and the rest of it: another program's id isn't mistaken for one, and what BattleScribe adds to
the roster has no order and comes last.
"""

import re
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Final, TypeVar

_ID: Final = re.compile(r"[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}")

T = TypeVar("T")


class Ids:
    """Makes ids like BattleScribe's, the same for the same seed."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self.number = 0
        self.root = self.next()

    def next(self) -> str:
        """Return an id that nothing else has."""
        self.number += 1
        return as_id(sha256(self.seed + str(self.number).encode()).hexdigest())


def hashed_id(*parts: str) -> str:
    """Return an id like BattleScribe's, the same for the same parts."""
    return as_id(sha256("\0".join(parts).encode()).hexdigest())


def as_id(digits: str) -> str:
    """Return the first hexadecimal digits as an id of BattleScribe: four groups of four."""
    return "-".join(digits[at : at + 4] for at in range(0, 16, 4))


def ordered_id(roster: str, order: int) -> str:
    """Return the id that the list of a roster, by its id, has at a place."""
    last = f"{order:08x}"
    sign = sha256(f"{roster}/{last}".encode()).hexdigest()
    return f"{sign[:4]}-{sign[4:8]}-{last[:4]}-{last[4:]}"


def order_of(id_: str, roster: str) -> int | None:
    """Return the place in the list that an id holds; None if it holds none."""
    if not _ID.fullmatch(id_):
        return None
    order = int(id_[10:].replace("-", ""), 16)
    return order if ordered_id(roster, order) == id_ else None


def in_order(things: Iterable[T], order: Callable[[T], int | None]) -> list[T]:
    """Return things in their order, those without one behind the others as they stood."""
    last = 1 << 32
    return sorted(things, key=lambda thing: last if (at := order(thing)) is None else at)
