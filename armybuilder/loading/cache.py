"""Values kept in memory: made once however many threads ask, or by key while there is room."""

from collections.abc import Callable, Collection, Iterator
from threading import Lock
from typing import Generic, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")


class Cache(Generic[Key, Value]):
    """A cache of limited size, as far as values `fit`; those set longest ago go first.

    Threads may share it. The newest value always stays. Two threads that miss the same key both
    make its value, which is cheaper than making all others wait; see `Once` otherwise.
    """

    def __init__(
        self, most: int, fit: Callable[[Collection[Value]], bool] = lambda values: True
    ) -> None:
        self.most = most
        self._fit = fit
        self._values: dict[Key, Value] = {}
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        """Return the value of a key, if it is still there."""
        return self._values.get(key)

    def put(self, key: Key, value: Value) -> Value:
        """Keep a value, as the newest, and return it."""
        with self._lock:
            self._values.pop(key, None)
            self._values[key] = value
            values = self._values.values()
            while len(values) > 1 and not (len(values) <= self.most and self._fit(values)):
                del self._values[next(iter(self._values))]
        return value

    def __iter__(self) -> Iterator[Key]:
        with self._lock:
            return iter(list(self._values))

    def __len__(self) -> int:
        return len(self._values)

    def clear(self) -> None:
        """Forget all values."""
        with self._lock:
            self._values.clear()


class Once(Generic[Value]):
    """Calls `make` on the first call and returns the same result ever after.

    If that raises, the next call tries again. `make` is released as soon as it isn't needed.
    """

    def __init__(self, make: Callable[[], Value]) -> None:
        self._make: Callable[[], Value] | None = make
        self._made: list[Value] = []
        self._lock = Lock()

    @property
    def is_made(self) -> bool:
        """True once the value is computed."""
        return bool(self._made)

    def __call__(self) -> Value:
        if not self._made:
            with self._lock:
                if self._make is not None:
                    self._made.append(self._make())
                    self._make = None
        return self._made[0]
