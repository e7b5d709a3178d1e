"""Making units: tags, price, ratings, blanks and faults laid out once per unit."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from armybuilder.engine.abilities import Ability, AbilityUse
from armybuilder.engine.catalogue import System
from armybuilder.engine.fresh import alone, fresh_picks
from armybuilder.engine.options import keyword_tag, slug
from armybuilder.engine.prices import Formula, Price
from armybuilder.engine.traits import (
    SPARSE,
    UNTOLD_EQUIPMENT,
    TraitNeeds,
    known_stat,
    stat_tag,
    without_tag,
)
from armybuilder.engine.units import Shift, Unit

#: Tag of a card whose set its book doesn't say.
OPEN_SET = "gap:set"


def finish(system: System, unit: Unit) -> Unit:
    """Return the unit with everything derived from its card worked out for the system's rules.

    Where the system has a price formula, it decides the points; otherwise the card does.
    """
    price = unit.price
    if system.formula is not None:
        price = Price.each(formula_points(system.formula, unit.stats, unit.abilities))
    unit = replace(
        unit,
        price=price,
        tags=frozenset([*_tags(unit, system.sized), *_stat_tags(unit, system.asked)]),
        shifts=tuple(_shifts(unit, system.asked)),
        later=tuple(_later(unit)),
        ratings=_ratings(unit),
        blanks=(),
        faults=(),
    )
    # Of models bought singly, some rules ask for several.
    leasts = [rule.least_models(unit) for rule in system.rules]
    smallest = max(1, unit.size[0].base or 1) if unit.size else max([1, *leasts])
    refusable = unit.needs or unit.unchecked
    unit = replace(
        unit,
        blanks=tuple(
            dict.fromkeys(one for rule in system.rules for one in rule.blanks(unit, system))
        ),
        smallest=smallest,
        # Then nothing of it depends on choices.
        plain=not (unit.offer or unit.size or unit.price_changes or unit.later or refusable),
        fresh=fresh_picks(
            unit.offer, alone(smallest, unit.tags), unit.cap.number.base if unit.cap else None
        ),
    )
    return replace(
        unit, faults=tuple(fault for rule in system.rules for fault in rule.faults(unit))
    )


def formula_points(
    formula: Formula, stats: Mapping[str, int | str], uses: Iterable[AbilityUse]
) -> int:
    """Return the points of a model by a formula, from its statistics and abilities."""
    return formula.points(stats, sum(use.ability.points for use in uses))


def with_abilities(system: System, unit: Unit, abilities: Mapping[str, Ability]) -> Unit:
    """The unit with its abilities as `abilities` defines them (a book may change their points)."""
    uses = tuple(
        replace(use, ability=abilities.get(use.ability.id, use.ability)) for use in unit.abilities
    )
    return finish(system, replace(unit, abilities=uses))


def with_card(
    system: System,
    unit: Unit,
    points: int | None,
    attributes: Mapping[str, str],
    ratings: Mapping[str, int],
) -> Unit:
    """Return the unit with its blanks filled from the player's card: points of one model (None: not
    said), values by attribute, ratings by ability.

    The card fills blanks only and never replaces a value of the book. A value unknown to the system
    leaves its blank open.
    """
    blank = unit.blank_fields
    price = Price.each(points) if "points" in blank and points is not None else unit.price
    known: dict[str, tuple[str, ...]] = dict(unit.attributes)
    for attribute, value in attributes.items():
        if f"attributes.{attribute}" in blank and value in system.attributes[attribute].values:
            known[attribute] = (value,)
    uses = tuple(
        replace(use, rating=ratings[use.ability.id], known=True)
        if f"ratings.{use.ability.id}" in blank and use.ability.id in ratings
        else use
        for use in unit.abilities
    )
    return finish(system, replace(unit, price=price, attributes=known, abilities=uses))


def _tags(unit: Unit, sized: bool) -> Iterator[str]:
    yield f"unit:{unit.ref}"
    if not sized:
        yield f"set:{slug(unit.origin)}" if unit.origin else OPEN_SET
    for attribute, values in unit.attributes.items():
        for value in values:
            yield f"{attribute}:{value}"
    for subtype in filter(None, unit.subtype.split(",")):
        yield f"subtype:{slug(subtype)}"
    for use in unit.abilities:
        yield f"ability:{use.ability.id}"
        yield from use.ability.tags
    for category in unit.categories:
        yield f"category:{category}"
    for tag in unit.models_in:
        yield f"models-in:{tag.removeprefix('category:')}"
    for keyword in unit.keywords:
        if keyword.condition is None:
            yield keyword.tag
    for profile in unit.profiles:
        yield from map(keyword_tag, profile.rules)
    if not unit.counts:
        yield "choice:army"
    if unit.sparse:
        yield SPARSE
    if unit.sparse or any(row.origin for row in unit.profiles):
        yield UNTOLD_EQUIPMENT
    # A mount's rules may be open where the unit's are not.
    yield from (without_tag(keyword_tag(name)) for name in unit.without)
    if unit.sparse and unit.can_lead is None:
        yield "gap:lead"
    if unit.must_lead is not None:
        yield "must:lead"


def _stat_tags(unit: Unit, asked: TraitNeeds) -> Iterator[str]:
    """Return the tags of the unit's statistics that traits need, each from the first row with
    it."""
    for stat in asked.stats:
        value = next(filter(None, (row.stats.get(stat) for row in unit.profiles)), "")
        if value:
            yield known_stat(stat)
            yield stat_tag(stat, value)
        elif unit.counts:
            yield f"gap:{stat}"


def _shifts(unit: Unit, asked: TraitNeeds) -> Iterator[Shift]:
    """Return the tags that traits need and the unit has only under a condition."""
    for keyword in unit.keywords:
        if keyword.condition is not None and keyword.tag in asked.keywords:
            yield Shift(keyword.condition, frozenset([keyword.tag]))
    for profile in unit.profiles:
        for change in profile.changes:
            if change.stat in asked.stats and change.text:
                before = profile.stats.get(change.stat, "")
                loses = frozenset([stat_tag(change.stat, before)])
                gains = frozenset([known_stat(change.stat), stat_tag(change.stat, change.text)])
                yield Shift(change.condition, gains, loses)


def _later(unit: Unit) -> Iterator[Shift]:
    """Return the changes of tags that rules read, and the unit's own conditions do not."""
    for keyword in unit.keywords:
        if keyword.condition is not None:
            yield Shift(keyword.condition, frozenset([keyword.tag]))
    if unit.can_lead is not None:
        yield Shift(unit.can_lead, frozenset(["can:lead"]))
    yield from unit.category_changes


def _ratings(unit: Unit) -> dict[str, int]:
    ratings: dict[str, int] = {}
    for use in unit.abilities:
        if use.ability.rating != "none":
            ratings[use.ability.id] = ratings.get(use.ability.id, 0) + (use.rating or 0)
    return ratings
