"""The plain structure between the lines of a text and the list that they say."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PastedItem:
    """A line, or several that were one before they were broken: their `numbers`, and the whole.

    `kind` is "empty", "title", "verdict", "count", "head" (game, setting or finding), "heading",
    "unit", "detail", "unit note", "list note", "total", "told" (what the list says again in other
    words), or "maybe" where only a book can tell.
    """

    kind: str
    numbers: tuple[int, ...]
    text: str
    level: int = 0
    note: bool = False
