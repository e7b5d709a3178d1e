"""Who may be the General of books that do not say it, in a game whose other books do."""

from collections.abc import Sequence
from typing import Any


def let_lead(books: Sequence[dict[str, Any]]) -> None:
    """Let every unit of a book lead, in place, where the game has a General and the file of the
    book offers nobody; it is told as not checked.
    """
    if not any(map(_has_leaders, books)):
        return
    for book in books:
        if _has_leaders(book):
            continue
        for unit in book["units"]:
            if not unit.get("army_choice"):
                unit["can_lead"] = True
        what = "who may be the General: the file offers nobody"
        told = {"what": what, "why": "source"}
        place = list(book).index("gaps" if "gaps" in book else "source") + 1
        kept = list(book.items())
        unchecked = [*book.get("unchecked", ()), told]
        book.clear()
        book |= dict(kept[:place]) | {"unchecked": unchecked} | dict(kept[place:])
        book["unchecked"] = unchecked


def _has_leaders(book: dict[str, Any]) -> bool:
    return any("can_lead" in unit for unit in book["units"])
