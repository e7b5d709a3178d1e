"""What only the lines below a unit tell: a player's own model, and a card filled in by hand."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from armybuilder.engine.abilities import Ability
from armybuilder.engine.catalogue import System
from armybuilder.engine.units import Unit
from armybuilder.exchange.pasting.entries import pieces
from armybuilder.exchange.pasting.names import ReadNames, is_word
from armybuilder.loading.armylist import ListAbility, ListCard, ListProfile, frozen
from armybuilder.loading.limits import MAX_NAME

_RATED = re.compile(r"(.*\S)\s+[×+]?\s?(-?\d{1,2})[+″]?")
_AIMED = re.compile(r"(.*\S) \(([^()]*(?:\([^()]*\)[^()]*)*)\)")


@dataclass(frozen=True, slots=True)
class StatedProfile:
    """What lines below a unit say of it: statistics by id, as printed, and special rules."""

    stats: dict[str, str]
    abilities: tuple[str, ...]


def read_details(details: Iterable[str], system: System) -> StatedProfile:
    """Return the statistics and special rules in the lines below a unit."""
    stats: dict[str, str] = {}
    abilities: list[str] = []
    shorts = {stat.short: stat.id for stat in system.stats.values()}
    places = {str(ability.citation) for ability in system.abilities.values()}
    for line in details:
        name, colon, rest = line.partition(": ")
        if colon and is_word("Special rules", name):
            for text in pieces(rest.replace("□", "")):
                aimed = _AIMED.fullmatch(text)
                # Without the place in the books behind it.
                bare = aimed[1] if aimed and aimed[2] in places else text
                abilities.append(bare.strip())
        elif not stats:
            cells = [cell.strip().partition(" ") for cell in line.split("  ")]
            stats = {shorts[short]: value for short, _, value in cells if short in shorts}
    return StatedProfile(stats, tuple(abilities))


def tells_rules(lines: Iterable[str]) -> bool:
    """Return whether a text tells special rules at all: without, none are missing."""
    return any(is_word("Special rules", line.partition(": ")[0]) for line in lines)


def same(stated: StatedProfile, unit: Unit, system: System, rules_told: bool) -> bool:
    """Whether a unit of a book is the one that the lines speak of; yes where they say nothing."""
    if not stated.stats:
        return True
    shown = {
        key: system.stats[key].shown(unit.stats[key]) for key in system.stats if key in unit.stats
    }
    known = sorted(use.label for use in unit.abilities)
    return shown == stated.stats and (not rules_told or known == sorted(stated.abilities))


def own_profile(name: str, stated: StatedProfile, system: System) -> ListProfile | None:
    """Return the player's own model that the lines describe in full; None for any other."""
    if not system.own_models or not name or stated.stats.keys() != system.stats.keys():
        return None
    numbers = {key: re.match(r"\d{1,2}", value) for key, value in stated.stats.items()}
    if not all(numbers.values()):
        return None
    known = ReadNames((ability.name, ability) for ability in system.abilities.values())
    uses = tuple(use for text in stated.abilities if (use := _use(text, known)) is not None)
    if len(uses) < len(stated.abilities) or len(uses) > 40:
        return None
    stats = {key: int(number[0]) for key, number in numbers.items() if number}
    return ListProfile(name[:MAX_NAME], frozen(stats), uses)


def _use(text: str, known: ReadNames[Ability]) -> ListAbility | None:
    """Return a special rule as a profile has it; None where unknown."""
    match = known.known(text) if text in known.written else None
    if match:
        return ListAbility(match.values[0].id)
    aimed = _AIMED.fullmatch(text)
    if aimed and aimed[1] in known.written:
        return ListAbility(known.written[aimed[1]][0].id, aimed[2][:60])
    alike = known.known(text).values
    return ListAbility(alike[0].id) if alike else None


def filled_card(unit: Unit, stated: StatedProfile, each: int | None) -> ListCard | None:
    """Return the parts that a card leaves open; `each`: points of a model, None: not told."""
    blank = unit.blank_fields
    known = "points" in blank and each is not None and 0 <= each <= 999
    ids = {use.ability.name: use.ability.id for use in unit.abilities}
    ratings = {
        ids[rated[1]]: int(rated[2])
        for text in stated.abilities
        if (rated := _RATED.fullmatch(text))
        and rated[1] in ids
        and f"ratings.{ids[rated[1]]}" in blank
    }
    return ListCard(each if known else None, ratings=frozen(ratings)) or None
