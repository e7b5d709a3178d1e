"""What is made when it is first asked for, and once, however many threads ask; and kept while there
is room.
"""

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """Calls `make` when it is called first and returns the same ever after. Where that raises, the
    next call tries again. What `make` holds is let go of as soon as it is no longer needed.
    """

    def __init__(self, make: Callable[[], Made]) -> None:
        self._make: Callable[[], Made] | None = make
        self._made: list[Made] = []
        self._lock = Lock()

    @property
    def is_made(self) -> bool:
        """Whether anybody has asked yet."""
        return bool(self._made)

    def __call__(self) -> Made:
        if not self._made:
            with self._lock:
                if self._make is not None:
                    self._made.append(self._make())
                    self._make = None
        return self._made[0]


def make_room(kept: dict[Any, Any], most: int) -> None:
    """Forget the oldest of what is kept until there is room for one more of `most`."""
    while len(kept) >= most:
        kept.pop(next(iter(kept)), None)
