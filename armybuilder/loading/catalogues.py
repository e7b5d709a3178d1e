"""Catalogues: a game system with the books that a list draws on."""

from collections.abc import Sequence
from dataclasses import replace

from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.engine.make_units import with_abilities
from armybuilder.engine.vocabulary import Piece, Setting


def make_catalogue(system: System, books: Sequence[Book]) -> Catalogue:
    """Make a catalogue of the books' units, with the abilities and points that books bring."""
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
    """Return the system with its books' rules, a setting for their organisations, and an index of
    its own for what they count.
    """
    index = system.selector_index.copy()
    contents = [book.contents() for book in books]
    index.watched |= frozenset().union(*(one.watched for one in contents))
    rules = tuple(rule.numbered_in(index) for one in contents for rule in one.rules)
    organisations = {key: name for book in books for key, name in book.organisations.items()}
    if not rules and not organisations and index.watched == system.selector_index.watched:
        return system
    settings = dict(system.settings)
    if organisations:
        values = {key: Piece(key, name) for key, name in organisations.items()}
        first = next(iter(values))
        settings["organisation"] = Setting(
            "organisation", "Organisation", "choice", default=first, values=values
        )
    rules = (*system.rules, *rules)
    return replace(system, rules=rules, settings=settings, selector_index=index)
