"""Units of the shipped books: found by what a program asks for, and told with their options."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from armybuilder.api.serializers import UnitSerializer
from armybuilder.engine.catalogue import Book, Unit
from armybuilder.engine.options import Group, Option
from armybuilder.library.search import found_by
from armybuilder.loading.library import Library


def find_units(library: Library, system_id: str, asked: Mapping[str, Any]) -> list[Unit]:
    """The units of a system's books, or of one `book`, that are all that is asked for: found by the
    text `q`, in a `group` or category, with an `ability` or special rule (by name or id), of
    `points_from` to `points_to` points. In the order of the books.
    """
    return [
        unit
        for book in library.books[system_id].values()
        if (asked.get("book") or book.id) == book.id
        for unit in _found(library, book, asked)
    ]


def _found(library: Library, book: Book, asked: Mapping[str, Any]) -> Iterator[Unit]:
    text = asked.get("q", "")
    catalogue = library.catalogue(book.system, [book.id]) if text else None
    for unit in book.units.values():
        if _fits(unit, book, asked) and (
            catalogue is None or found_by(unit, text, catalogue) is not None
        ):
            yield unit


def _fits(unit: Unit, book: Book, asked: Mapping[str, Any]) -> bool:
    group, ability = (asked.get(key, "").casefold() for key in ("group", "ability"))
    if group and group not in set(_groups(unit, book)):
        return False
    if ability and ability not in set(_abilities(unit)):
        return False
    points = unit.price.start
    if "points_from" in asked and (points is None or points < asked["points_from"]):
        return False
    return not ("points_to" in asked and (points is None or points > asked["points_to"]))


def _groups(unit: Unit, book: Book) -> Iterator[str]:
    yield unit.group.casefold()
    for category in unit.categories:
        yield category.casefold()
        yield book.categories.get(category, category).casefold()


def _abilities(unit: Unit) -> Iterator[str]:
    """Names and ids of its abilities and special rules."""
    for use in unit.abilities:
        yield from (use.ability.id.casefold(), use.ability.name.casefold(), use.label.casefold())
    for keyword in unit.keywords:
        yield from _names(keyword.name)
    for profile in unit.profiles:
        for rule in profile.rules:
            yield from _names(rule)


def _names(rule: str) -> tuple[str, str]:
    """A special rule as it is printed, and without what stands in brackets behind it."""
    printed = rule.casefold()
    return printed, printed.partition("(")[0].strip()


def unit_data(unit: Unit) -> dict[str, Any]:
    """A unit with the tree of its options, by the ids that documents name them by."""
    return {**UnitSerializer(unit).data, "options": list(_options(unit.offer.nodes, ""))}


def _options(nodes: Iterable[Option | Group], group: str) -> Iterator[dict[str, Any]]:
    """Options of one level; those of a group carry its name. What moves with what else is taken is
    told as it is without that.
    """
    for node in nodes:
        if isinstance(node, Group):
            yield from _options(node.nodes, node.name)
        else:
            yield {
                "id": node.id,
                "name": node.name,
                "group": group,
                "points": node.points.base or 0,
                "each": node.each.base or 0,
                "given": node.given > 0,
                "most": node.most.base,
                "options": list(_options(node.offer.nodes, "")),
            }
