"""Edits of the army categories of a player's book: pure functions, each ending in one check.

A category keeps its id whatever it is called: units and the rules of the game name it by that.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.authoring.checking import checked, needed_name
from armybuilder.authoring.copying import CATEGORY_KEYS, ids_under
from armybuilder.authoring.fields import Entry, Wrong
from armybuilder.authoring.wording import UNKNOWN, free_id, quoted, simplified, whole_number
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal

MAX_CATEGORIES = 40
LONGEST_NAME = 80
#: Units named where a category cannot be removed.
_TOLD = 5


@dataclass(frozen=True, slots=True)
class CategoryBound:
    """A number of a category: key, label, the highest that makes sense, the sign behind it."""

    key: str
    label: str | Promise
    high: int
    sign: str


BOUNDS = (
    CategoryBound("min", gettext_lazy("Min %"), 100, "%"),
    CategoryBound("max", gettext_lazy("Max %"), 100, "%"),
    CategoryBound("min_units", gettext_lazy("Min units"), 999, ""),
    CategoryBound("max_units", gettext_lazy("Max units"), 999, ""),
)


def texts_of(category: Entry) -> dict[str, str]:
    """Return what the fields of a category's form hold: its name and its numbers, without signs."""
    numbers = {
        bound.key: str(category.get(bound.key, "")).removesuffix(bound.sign) for bound in BOUNDS
    }
    return {"name": category["name"], **numbers}


def needed_categories(system: System) -> set[str]:
    """Return the ids of categories that every army of the game must have units of."""
    needed = filter(None, (rule.needed for rule in system.rules))
    tags = {tag for selector in needed for clause in selector.clauses for tag in clause}
    return {tag.removeprefix("category:") for tag in tags if tag.startswith("category:")}


def units_in(book: Document, category_id: str) -> list[str]:
    """Return the units in a category, and units and shared options whose parts name it."""
    entries = (*book["units"], *book.get("options", ()))
    return [
        entry.get("name", entry.get("group", ""))
        for entry in entries
        if category_id in ids_under(entry, CATEGORY_KEYS)
    ]


def put_category(
    book: Document, system: System, texts: Mapping[str, str], category_id: str = ""
) -> tuple[Document, str]:
    """Add or change a category by its texts. Return its id too.

    They are "name", "min", "max" (per cent), "min_units", "max_units"; "" is no bound.
    """
    categories = list(book.get("categories", ()))
    place = _place(categories, category_id) if category_id else len(categories)
    others = [*categories[:place], *categories[place + 1 :]]
    name = needed_name(texts.get("name", ""), LONGEST_NAME)
    if simplified(name) in {simplified(other["name"]) for other in others}:
        raise Refusal(_("There is another category called {name}.").format(name=name))
    if not category_id and len(others) >= MAX_CATEGORIES:
        raise Refusal(_("A book has at most {most} categories.").format(most=MAX_CATEGORIES))
    new_id = category_id or free_id(name, [other["id"] for other in others], "category")
    entry = dict(categories[place]) if category_id else {}
    for bound in BOUNDS:
        entry.pop(bound.key, None)
    entry |= {"id": new_id, "name": name, **dict(_numbers(texts))}
    return _with(book, system, [*categories[:place], entry, *categories[place + 1 :]]), new_id


def _numbers(texts: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield the numbers that the texts say, as the document has them. Raises Refusal."""
    for bound in BOUNDS:
        text = texts.get(bound.key, "").strip()
        if text in UNKNOWN:
            continue
        try:
            number = whole_number(text, 0, bound.high, bound.sign)
        except Wrong as wrong:
            told = _("{field}: {wrong}").format(field=bound.label, wrong=wrong.messages[0])
            raise Refusal(told) from wrong
        yield bound.key, f"{number}{bound.sign}" if bound.sign else number


def remove_category(book: Document, system: System, category_id: str) -> Document:
    """Take a category out. Raises Refusal, naming units that stand in it."""
    categories = list(book.get("categories", ()))
    gone = categories.pop(_place(categories, category_id))
    names = units_in(book, category_id)
    if names:
        told = ngettext(
            "{category} still has {names}: move it first.",
            "{category} still has {names}: move them first.",
            len(names),
        )
        raise Refusal(told.format(category=gone["name"], names=quoted(names, _TOLD)))
    return _with(book, system, categories)


def move_category(book: Document, system: System, category_id: str, step: int) -> Document:
    """Move a category, and its heading in lists, up (-1) or down (+1); it stops at the ends."""
    categories = list(book.get("categories", ()))
    place = _place(categories, category_id)
    target = min(max(place + step, 0), len(categories) - 1)
    categories.insert(target, categories.pop(place))
    return _with(book, system, categories)


def _place(categories: list[Any], category_id: str) -> int:
    for place, category in enumerate(categories):
        if category["id"] == category_id:
            return place
    raise Refusal(_("That category is no longer in the book."))


def _with(book: Document, system: System, categories: list[Any]) -> Document:
    if not system.sized:
        raise Refusal(_("Books of {game} have no army categories.").format(game=system.name))
    return checked({**book, "categories": categories}, system, book)
