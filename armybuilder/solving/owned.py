"""Advice for models that a player owns: a catalogue of these units, with a rule on their number."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList, pieces_in
from armybuilder.loading.books import revision_of

#: Models by the ref of their unit.
Models = Mapping[str, int]


def models_of(army_list: ArmyList) -> Counter[str]:
    """Return how many models of each unit of the books are on a list."""
    models: Counter[str] = Counter()
    for unit in army_list.units:
        if unit.ref:
            models[unit.ref] += unit.models
    return models


def owned_on_cards(catalogue: Catalogue) -> dict[str, int]:
    """Return how many models the players' own books say that they have."""
    units = catalogue.units.items()
    return {ref: unit.owned for ref, unit in units if unit.owned is not None}


def missing(army_list: ArmyList, owned: Models) -> dict[str, int]:
    """Return how many models of each unit a list has beyond those that are owned."""
    models = models_of(army_list)
    return {ref: n - owned.get(ref, 0) for ref, n in models.items() if n > owned.get(ref, 0)}


def only_owned(catalogue: Catalogue, roster: Roster, owned: Models) -> Catalogue:
    """Return the catalogue for advice on additions from a collection.

    Units on the list may stay, owned or not. Verdicts use the original catalogue.
    """
    on_list: Counter[str] = Counter()
    for pick in roster.picks:
        if pick.unit is not None:
            on_list[pick.unit.ref] += pick.models
    numbers = {ref: max(owned.get(ref, 0), on_list[ref]) for ref in {*owned, *on_list}}
    named = {piece for value in roster.settings.values() for piece in pieces_in(value)}
    system = catalogue.system
    units = {ref: unit for ref, unit in catalogue.units.items() if numbers.get(ref) or ref in named}
    # What is remembered of a game by its revision is not that of a collection.
    revision = f"{system.revision}+{revision_of(numbers)}"
    made = (rule.of_collection(numbers) for rule in system.always)
    rules = (*system.rules, *filter(None, made))
    return replace(catalogue, system=replace(system, rules=rules, revision=revision), units=units)
