"""What every book of a player must pass: its limits first, then its schema and references."""

import json
from collections.abc import Sequence

from armybuilder.books.fields import Entry, Wrong
from armybuilder.books.wording import one_line
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.jsontext import nesting
from armybuilder.loading.library import book_problems
from armybuilder.loading.problems import Problem, Refusal

MAX_UNITS = 1000
MAX_ABILITIES = 500
MAX_BYTES = 1024 * 1024
MAX_DEPTH = 24
MAX_NAME = 120
#: Units and options that an army must have: each is a rule more that every list is judged by.
MAX_MUSTS = 60
#: Mistakes that are told of one book: looking for all could take long in somebody else's file.
MOST_PROBLEMS = 100


def checked(book: Document, system: System, before: Document | None = None) -> Document:
    """The book, if it keeps the limits and the game takes it. Raises Refusal, with the problems
    where there are any. `before` is a book in order that this one was made from: units taken over
    from it as they are need no second look at their form.
    """
    check_limits(book)
    if book["system"] != system.id:
        raise Refusal(f"This book is not one for {system.name}.")
    known = before["units"] if before is not None else ()
    problems = book_problems(book, system, book["name"], MOST_PROBLEMS, known)
    if problems:
        raise Refusal(sentence(problems, book), problems)
    return book


def check_limits(book: Entry) -> None:
    """Raises Refusal, with the numbers, where the book is too large or nests too deep."""
    check_units(_length(book.get("units")))
    abilities = _length(book.get("abilities"))
    if abilities > MAX_ABILITIES:
        raise Refusal(
            f"The book would have {abilities:,} abilities of its own; at most {MAX_ABILITIES} fit."
        )
    text = json.dumps(book, ensure_ascii=False)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        raise Refusal(
            f"The book would have {size // 1024 + 1} KB; at most {MAX_BYTES // 1024} KB fit."
        )
    depth = nesting(text)
    if depth > MAX_DEPTH:
        raise Refusal(f"The book would nest {depth} levels deep; at most {MAX_DEPTH} are allowed.")
    musts = text.count('"army_min"')
    if musts > MAX_MUSTS:
        raise Refusal(
            f"The book would ask {musts:,} times for what an army must have (“army_min”); at most "
            f"{MAX_MUSTS} times fit."
        )


def needed_line(text: str, what: str, longest: int = MAX_NAME) -> str:
    """The text of a line that must not be empty; `what` begins the refusal's sentence."""
    try:
        text = one_line(text, longest)
    except Wrong as wrong:
        raise Refusal(f"{what}: {wrong.messages[0]}") from wrong
    if not text:
        raise Refusal(f"{what} is empty.")
    return text


def _length(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def check_units(number: int) -> None:
    """Raises Refusal where there are more units than a book holds."""
    if number > MAX_UNITS:
        raise Refusal(f"The book would have {number:,} units; at most {MAX_UNITS:,} fit.")


def sentence(problems: Sequence[Problem], book: Entry) -> str:
    """What is wrong in one sentence: where, by the unit's name, and what."""
    first = problems[0]
    place = _place(first.pointer, book)
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{place}{first.message.rstrip('.')}{more}."


def _place(pointer: str, book: Entry) -> str:
    """The unit that a pointer leads to, by its name."""
    steps = pointer.split("/")
    units = book.get("units")
    if len(steps) < 3 or steps[1] != "units" or not isinstance(units, list):
        return ""
    unit = units[int(steps[2])]
    name = unit.get("name") if isinstance(unit, dict) else None
    return f"“{name[:60]}”: " if isinstance(name, str) else f"Unit {int(steps[2]) + 1}: "
