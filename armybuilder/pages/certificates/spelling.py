"""Names of units and options out of their ids: no book is in a certificate, and none is asked for.

The page's script (`certificates.js`) does the same, with the names that ids do not spell.
"""

from collections.abc import Iterator

from armybuilder.engine.wording import quote
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit
from armybuilder.loading.library import Library, shipped_library

#: Words that names write small, but for the first.
SMALL = ("a", "an", "and", "at", "for", "from", "in", "of", "on", "or", "the", "to", "with")


def unspelled(library: Library) -> dict[str, str]:
    """Return the names of units that their ids do not spell, by "book/unit"; none where books of
    several games call one differently.
    """
    names: dict[str, set[str]] = {}
    for books in library.books.values():
        for book in books.values():
            for ref, name in book.names.items():
                names.setdefault(ref, set()).add(name)
    return {
        ref: next(iter(called))
        for ref, called in names.items()
        if len(called) == 1 and spelled(ref) not in called
    }


def spelled_units(army_list: ArmyList) -> list[str]:
    """Return the units of a list, each in a line: models, name, what the player calls it, roles and
    options.
    """
    names = unspelled(shipped_library())
    return [_unit(unit, names) for unit in army_list.units]


def spelled(ref: str) -> str:
    """Return a name as an id spells it: "book/lord-of-the-dead" is Lord of the Dead."""
    return " ".join(_words(ref.rpartition("/")[2].split("-")))


def _words(words: list[str]) -> Iterator[str]:
    for place, word in enumerate(words):
        yield word if place and word in SMALL else word[:1].upper() + word[1:]


def _unit(unit: ListUnit, names: dict[str, str]) -> str:
    own = unit.profile.name if unit.profile is not None else ""
    name = own or names.get(unit.ref) or spelled(unit.ref)
    called = f" {quote(unit.name)}" if unit.name else ""
    more = [*map(spelled, unit.roles), *map(_option, unit.options)]
    return f"{unit.models}× {name}{called}" + (f" ({', '.join(more)})" if more else "")


def _option(option: ListOption) -> str:
    inner = ", ".join(map(_option, option.options))
    number = f"{option.number}× " if option.number > 1 else ""
    return number + spelled(option.id) + (f" [{inner}]" if inner else "")
