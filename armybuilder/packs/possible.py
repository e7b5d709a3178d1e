"""Whether a pack leaves any legal list: told before it counts, and said only where it is proved."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from time import monotonic

from armybuilder.editing.unit_edits import new_document
from armybuilder.engine.about import AboutBook
from armybuilder.engine.catalogue import Book, System
from armybuilder.loading.armylist import ListUnit
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, at_event
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.look_ahead import Fate, look_ahead

#: Seconds for one question, and for all of a pack.
EACH, ALL = 1.0, 8.0


@dataclass(frozen=True, slots=True)
class Possible:
    """The choices of books from which no legal list can be made, by their names; how many were not
    looked at for lack of time.
    """

    dead: tuple[str, ...]
    skipped: int


def possible_with(pack: Pack, library: Library) -> Possible:
    """Return what can be built by a pack, in each size that it is for. Raises NoSolver where no
    solver is installed.
    """
    system, until = library.systems[pack.system], monotonic() + ALL
    dead, skipped = [], 0
    for books in _choices(pack, system, library):
        if monotonic() > until:
            skipped += 1
            continue
        for size in pack.sizes or (system.default_size,):
            catalogue = at_event(library.catalogue(system.id, [one.id for one in books]), pack)
            empty = new_document(catalogue, pack.name, size)
            if look_ahead(empty, catalogue, CpSat(), EACH).whole is Fate.DEAD:
                names = ", ".join(one.name for one in books) if system.sized else system.name
                dead.append(f"{names} ({size})")
    return Possible(tuple(dead), skipped)


def _choices(pack: Pack, system: System, library: Library) -> Iterator[list[Book]]:
    """Yield the books that a list may be of: one of those that the pack allows, or all of them
    together where lists draw from several.
    """
    books = library.books[system.id].values()
    allowed = [one for one in books if one.names and _is_allowed(one, pack, system, library)]
    if system.sized:
        yield from ([one] for one in allowed)
    else:
        yield allowed


def _is_allowed(book: Book, pack: Pack, system: System, library: Library) -> bool:
    catalogue = at_event(library.catalogue(system.id, [book.id]), pack)
    one = ListUnit("u1", 1, next(iter(catalogue.units)))
    tried = replace(new_document(catalogue, pack.name, system.default_size), units=(one,))
    findings = judge_by(tried, catalogue).report.findings
    return not any(isinstance(found.about, AboutBook) for found in findings)
