"""Checks of custom books, and marks by which pages notice changes.

Hints list names that state a restriction, which no verdict checks: the owner decides whether one is
a condition.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.authoring.fields import Entry, Wrong
from armybuilder.authoring.wording import grouped, one_line
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import quote
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import Document
from armybuilder.loading.jsontext import nesting
from armybuilder.loading.library import book_problems
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.restrictions import NamedRestriction, named_restrictions, restrictions_on

MAX_UNITS = 1000
MAX_ABILITIES = 500
MAX_BYTES = 1024 * 1024
MAX_DEPTH = 24
MAX_NAME = 120
#: Units and options that an army must have: each is one more rule for every list.
MAX_MUSTS = 60
#: Mistakes reported for one book: a search for all could take long in somebody else's file.
MOST_PROBLEMS = 100


def checked(book: Document, system: System, before: Document | None = None) -> Document:
    """Return the book if it passes; units as in `before` have. Raises Refusal, with problems."""
    check_limits(book)
    if book["system"] != system.id:
        raise Refusal(_("This book is not for {game}.").format(game=system.name))
    known = before["units"] if before is not None else ()
    problems = book_problems(book, system, book["name"], MOST_PROBLEMS, known)
    if problems:
        raise Refusal(sentence(problems, book), problems)
    return book


def check_limits(book: Entry) -> None:
    """Raise Refusal, with the numbers, where the book is too large or nests too deep."""
    check_units(_length(book.get("units")))
    abilities = _("The book would have {number} abilities of its own; maximum {most}.")
    _at_most(_length(book.get("abilities")), MAX_ABILITIES, abilities)
    text = json.dumps(book, ensure_ascii=False)
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_BYTES:
        message = _("The book would have {size} KB; maximum {most} KB.")
        raise Refusal(message.format(size=size // 1024 + 1, most=MAX_BYTES // 1024))
    depth = _("The book would be nested {depth} levels deep; maximum {most}.")
    _at_most(nesting(book), MAX_DEPTH, depth)
    musts = _("The book would use “army_min” {number} times; the maximum is {most}.")
    _at_most(text.count('"army_min"'), MAX_MUSTS, musts)


def _at_most(number: int, most: int, message: str) -> None:
    if number > most:
        count = grouped(number)
        raise Refusal(message.format(number=count, depth=number, most=grouped(most)))


def needed_name(text: str, longest: int = MAX_NAME) -> str:
    """Return a name as typed, its spaces in order. Raises Refusal: empty, too long, no text."""
    try:
        text = one_line(text, longest)
    except Wrong as wrong:
        raise Refusal(_("The name: {wrong}").format(wrong=wrong.messages[0])) from wrong
    if not text:
        raise Refusal(_("The name is empty."))
    return text


def _length(value: object) -> int:
    return len(value) if isinstance(value, list) else 0


def check_units(number: int) -> None:
    """Raise Refusal where there are more units than a book holds."""
    _at_most(number, MAX_UNITS, _("The book would have {number} units; maximum {most}."))


def sentence(problems: Sequence[Problem], book: Entry) -> str:
    """Return the problems in one sentence: the place, with the unit's name, and the problem."""
    first = problems[0]
    message = f"{_place(first.pointer, book)}{first.message.rstrip('.')}"
    if len(problems) == 1:
        return f"{message}."
    return _("{message} (and {number} more).").format(message=message, number=len(problems) - 1)


def _place(pointer: str, book: Entry) -> str:
    """Return the unit that a pointer leads to, by its name, as a sentence about it begins."""
    steps = pointer.split("/")
    units = book.get("units")
    if len(steps) < 3 or steps[1] != "units" or not isinstance(units, list):
        return ""
    unit = units[int(steps[2])]
    name = unit.get("name") if isinstance(unit, dict) else None
    if isinstance(name, str):
        return f"{quote(name[:60])}: "
    return f"{_('Unit {number}').format(number=int(steps[2]) + 1)}: "


def find_part(book: Entry, key: str, part_id: str) -> dict[str, Any] | None:
    return next((entry for entry in book.get(key, ()) if entry["id"] == part_id), None)


def find_unit(book: Entry, unit_id: str) -> dict[str, Any] | None:
    """Return the unit of that id in a book's document; None if there is none."""
    return find_part(book, "units", unit_id)


def about_of(book: Entry) -> dict[str, str]:
    """Return the book's own description, which its holder can change."""
    return {"name": book["name"], "about": book["about"]}


def mark_of(part: Entry | None) -> str:
    """Return a short mark of a part's content; "" if there is none.

    A page carries the mark of the part that it edits. If the part still has it, the change is
    applied to the current book, even if other parts changed; otherwise the player is asked.
    """
    return revision_of(part) if part is not None else ""


#: Hints about a book that are shown with their names, at most.
MOST_HINTS = 20

#: Conditions on an option as written in a card's text, with their meanings.
CONDITIONS = (
    ('"needs": {"taken": "horse"}', gettext_lazy("only if the option “horse” is taken")),
    ('"not_with": ["dragon"]', gettext_lazy("not together with the option “dragon”")),
    (
        '"needs": {"any": [{"taken": "horse"}, {"taken": "wolf"}]}',
        gettext_lazy("only if one of them is taken"),
    ),
    ('"needs": {"models": {"at_least": 10}}', gettext_lazy("only in units of at least 10 models")),
    (
        '"needs": {"taken": "king", "in": "army"}',
        gettext_lazy("only if the army has “king”, as a unit or an option"),
    ),
    ('"one_of_a_kind": true', gettext_lazy("once in the army")),
)


class Hint(NamedTuple):
    """A name that states a restriction: on which card, by id and name; "" for what cards share."""

    unit: str
    card: str
    text: str


def hints_of(book: Mapping[str, Any]) -> tuple[list[Hint], int]:
    """Return the first names of a whole book that state a restriction, and how many there are."""
    restrictions = list(named_restrictions(book))
    names = {unit["id"]: unit["name"] for unit in book["units"]}
    first = restrictions[:MOST_HINTS]
    return [_hint(each, names.get(each.unit, "")) for each in first], len(restrictions)


def card_hints(book: Mapping[str, Any], unit: Entry) -> list[Hint]:
    """Return hints about the names on one card, saved or being typed."""
    restrictions = restrictions_on(book, {"id": "card", **unit})
    return [_hint(each, unit.get("name", "")) for each in restrictions]


def _hint(restriction: NamedRestriction, card: str) -> Hint:
    told = _("“{name}” states a restriction: {words}.")
    text = told.format(name=restriction.name, words=restriction.words)
    return Hint(restriction.unit, card, text)
