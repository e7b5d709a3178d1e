"""What a person is told about an imported book: what was read, left out, doubtful, not said."""

from collections.abc import Iterator

from armybuilder.battlescribe.books.books import Import


def lines(found: Import) -> Iterator[str]:
    """The report of one book, line by line."""
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
