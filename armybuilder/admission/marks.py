"""Marks of views: heavy, and the largest body accepted."""

from collections.abc import Callable
from typing import Any, TypeVar

_View = TypeVar("_View", bound=Callable[..., Any])

MB = 1024 * 1024
#: Bytes of a request's body where a view does not say more.
MOST_BYTES = 4 * MB


def heavy(view: _View) -> _View:
    """Mark a view, a function or a class, that may take over 0.3 s of the processor."""
    view.heavy = True  # type: ignore[attr-defined]  # a mark
    return view


def stores_nothing(view: _View) -> _View:
    """Mark a view that changes nothing, though it is asked by POST: it may be asked twice."""
    view.stores_nothing = True  # type: ignore[attr-defined]  # a mark
    return view


def takes_bytes(most: int) -> Callable[[_View], _View]:
    """Mark a view that takes a larger body, such as files, of up to `most` bytes."""

    def mark(view: _View) -> _View:
        view.most_bytes = most  # type: ignore[attr-defined]  # a mark
        return view

    return mark


def is_heavy(view: Callable[..., Any]) -> bool:
    return bool(_mark(view, "heavy", False))


def can_be_repeated(view: Callable[..., Any], method: str | None) -> bool:
    """Return whether the view changes nothing, so that its request can be repeated."""
    return method in ("GET", "HEAD") or bool(_mark(view, "stores_nothing", False))


def most_bytes(view: Callable[..., Any]) -> int:
    most: int = _mark(view, "most_bytes", MOST_BYTES)
    return most


def _mark(view: Callable[..., Any], name: str, default: Any) -> Any:
    # REST framework's views are functions that know their class.
    return getattr(view, name, None) or getattr(getattr(view, "cls", None), name, default)
