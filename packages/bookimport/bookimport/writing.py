"""What an import writes: JSON that people can read, and the report on a book."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bookimport.books import Import

WIDTH: Final = 150
#: The folders beside the books for what rosters name them by, and for the ledgers.
ORIGINS: Final = "battlescribe"
AUDITS: Final = "audit"


def write_book(found: Import, folder: Path) -> None:
    """Write a book into a folder, and beside it its places in the source and its ledger."""
    id_ = found.book["id"]
    (folder / f"{id_}.json").write_text(pretty(found.book), encoding="utf-8")
    for name, data in ((ORIGINS, found.origin), (AUDITS, found.audit)):
        (folder / name).mkdir(exist_ok=True)
        (folder / name / f"{id_}.json").write_text(pretty(data), encoding="utf-8")


def pretty(value: Any) -> str:
    """Return the value as JSON text with a newline at the end; the same for equal values."""
    return _text(value, 0) + "\n"


def _text(value: Any, depth: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    fits = depth > 0 and depth + len(flat) <= WIDTH
    if not isinstance(value, dict | list) or not value or fits:
        return flat
    inner = " " * (depth + 1)
    if isinstance(value, list):
        parts = [inner + _text(item, depth + 1) for item in value]
        return "[\n" + ",\n".join(parts) + "\n" + " " * depth + "]"
    return "{\n" + ",\n".join(_members(value, depth)) + "\n" + " " * depth + "}"


def _members(value: dict[str, Any], depth: int) -> list[str]:
    """Return the members of an object; short ones share lines."""
    inner = " " * (depth + 1)
    lines: list[str] = []
    for key, item in value.items():
        text = f"{json.dumps(key)}: {_text(item, depth + 1)}"
        is_short = "\n" not in text
        fits = lines and is_short and len(lines[-1]) + len(text) + 2 <= WIDTH
        if fits and "\n" not in lines[-1] and depth:
            lines[-1] += f", {text}"
        else:
            lines.append(inner + text)
    return lines


def lines(found: Import) -> Iterator[str]:
    """Yield the report of one book, line by line."""
    book, notes = found.book, found.notes
    read = ", ".join(f"{count} {what}" for what, count in sorted(notes.read.items()) if count)
    yield f"{book['name']} ({book['id']}): read {read}."
    yield f"  written: {len(book['units'])} units, {len(book.get('options', ()))} shared nodes."
    yield from _counted("left out", notes.dropped)
    yield from _counted("against the rulebook, which was followed", notes.against_rules)
    gaps = book.get("gaps", [])
    if gaps:
        yield f"  cannot be said ({len(gaps)}):"
        yield from (f"    {gap['where']}: {gap['what']}" for gap in gaps)
    if notes.doubts:
        yield f"  doubtful ({len(notes.doubts)}):"
        yield from (f"    {doubt.place}: {doubt.what}" for doubt in notes.doubts)


def _counted(title: str, counts: dict[str, int]) -> Iterator[str]:
    told = [(count, what) for what, count in counts.items() if count]
    if told:
        yield f"  {title}:"
        yield from (f"    {count} × {what}" for count, what in sorted(told, reverse=True))
