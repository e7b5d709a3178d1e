"""From a system and some of its books to the catalogue that one list draws from."""

from collections.abc import Sequence
from dataclasses import replace

from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.make_units import with_abilities
from armybuilder.engine.vocabulary import Piece, Setting


def make_catalogue(system: System, books: Sequence[Book]) -> Catalogue:
    """A catalogue of the books' units, with the points of abilities that books change and the
    abilities that books bring.
    """
    points = {ability: value for book in books for ability, value in book.ability_points.items()}
    units = {ref: unit for book in books for ref, unit in book.units.items()}
    system = _with_books(system, books)
    abilities = dict(system.abilities)
    if points:
        for ability_id, value in points.items():
            abilities[ability_id] = replace(abilities[ability_id], points=value)
        units = {ref: with_abilities(system, unit, abilities) for ref, unit in units.items()}
    own = {ability.id: ability for book in books for ability in book.abilities.values()}
    return Catalogue(system, tuple(books), units, own | abilities)


def _with_books(system: System, books: Sequence[Book]) -> System:
    """The system with the rules its books add, and a setting for the organisation of the army
    where one of them has several.
    """
    rules = tuple(rule for book in books for rule in book.rules)
    organisations = {key: name for book in books for key, name in book.organisations.items()}
    if not rules and not organisations:
        return system
    settings = dict(system.settings)
    if organisations:
        values = {key: Piece(key, name) for key, name in organisations.items()}
        first = next(iter(values))
        settings["organisation"] = Setting(
            "organisation", "Organisation", "choice", default=first, values=values
        )
    return replace(system, rules=(*system.rules, *rules), settings=settings)
