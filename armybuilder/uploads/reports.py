"""What is told of an upload before anything of it is kept, as data: it waits in the database."""

from typing import Any

from armybuilder.battlescribe.books import Import
from armybuilder.engine.catalogue import Book
from armybuilder.library.not_checked import not_checked, restrictions_of

#: Lines of one kind that are kept of one book; the others are counted.
LINES = 100
#: Letters of a reason, and how many refused files are named in one sentence.
WHY_SHOWN = 1000
REFUSED_SHOWN = 5


def book_report(file: str, made: Import, book: Book) -> dict[str, Any]:
    """Return what is told of a book: how much is in it, how many of its source's restrictions are
    judged, what is not, what is left out and what is doubtful.
    """
    options = {id(option) for unit in book.units.values() for option in unit.offer.options()}
    left_out = [_line(entry["place"], entry["what"]) for entry in made.audit["left_out"]]
    return {
        "file": file,
        "id": book.id,
        "name": book.name,
        "units": len(book.units),
        "options": len(options),
        "judged": _number(made, "judged"),
        "unchecked": len(restrictions_of(book)),
        "not_checked": [[one.name, list(one.lines)] for one in not_checked(book)][:LINES],
        "left_out": left_out[:LINES],
        "left_out_number": len(left_out),
        "doubts": [_line(one.place, one.what) for one in made.notes.doubts][:LINES],
        "gaps": len(book.gaps),
    }


def _number(made: Import, fate: str) -> int:
    """How many restrictions of the source became this."""
    return sum(fates.get(fate, 0) for fates in made.audit["counts"].values())


def _line(place: str, what: str) -> str:
    return f"{place}: {what}" if place else what
