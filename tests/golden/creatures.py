"""The adapter's part for single models: cards of the neutral cases as units of our books."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.catalogue import System
from tests.golden.chosen import named, slug, words

Data = dict[str, Any]


def creature_of(model: Data, system: System) -> Data:
    """What a creature of D&D Miniatures has: without an alignment it is unaligned; "?" is what its
    card does not say.
    """
    factions = model.get("factions", model.get("faction")) or []
    epic = model.get("epic") or slug(str(model.get("card", ""))) == "epic"
    attributes = {
        "faction": [
            value_named(faction, "faction", system)
            for faction in ([factions] if isinstance(factions, str) else factions)
        ],
        "alignment": _alignment(model.get("alignment"), system),
        "size": slug(model.get("size") or "Medium"),
        "card": "epic" if epic else "standard",
    }
    said = {key: value for key, value in attributes.items() if value}
    unit: Data = {"attributes": said, "keywords": model.get("keywords", [])}
    unit["abilities"] = list(abilities_of(model, system))
    unit["lifts"] = list(lifts_of(model.get("warband_building"), system))
    unique = model.get("unique")
    if unique:
        # "Pat, Human Fighter": the name stands before its title.
        unit["unique"] = unique if isinstance(unique, str) else model["name"].split(",")[0]
    return {key: value for key, value in unit.items() if value}


def _alignment(name: str | None, system: System) -> str:
    alignment = slug(name or "unaligned")
    known = not alignment or alignment in system.attributes["alignment"].values
    return alignment if known else "unaligned"


def value_named(name: str, attribute: str, system: System) -> str:
    """A value of an attribute by its id or its name."""
    return named(name, system.attributes[attribute].values) or slug(name)


def abilities_of(model: Data, system: System) -> Iterator[Data]:
    """The abilities that the game knows; what else stands on a card is nothing to its rules."""
    written = model.get("abilities") or []
    if isinstance(written, Mapping):
        written = [f"{name} {rating}" for name, rating in written.items()]
    for word in ("commander", "champion"):
        if word in system.abilities and model.get(word) is not None:
            written = [*written, f"{word} {model[word]}"]
    for name in written:
        use = rated(name, system)
        if use is not None:
            yield use


def rated(name: str, system: System) -> Data | None:
    """Such as "Difficult Troop x3", "Scout +4", "Wild Troop", "Commander ?", "Smite Evil +1",
    'Reach 1"'; None: the game has no such ability.
    """
    match = re.match(r"^(.*?)\s*[x×+]?\s*(-?\d+|\?)?\s*[\"″+]?$", name)
    assert match
    told = slug(match[1])
    known = [key for key in system.abilities if told == key or told.startswith(f"{key}-")]
    if not known:
        return None
    ability = system.abilities[max(known, key=len)]
    use: Data = {"ability": ability.id}
    if ability.rating != "none" and (match[2] or not ability.rating_optional):
        use["rating"] = None if match[2] in ("?", None) else int(match[2])
    if ability.target and told != ability.id:
        use["target"] = match[1][len(ability.id) :].strip()
    return use


def lifts_of(building: Any, system: System) -> Iterator[Data]:
    """What Warband Building lifts from whom: mostly, as the rulebook has it, the faction rule."""
    for entry in building if isinstance(building, list) else [building]:
        if not entry:
            continue
        rules = entry.get("lifts", entry.get("rule", entry.get("ignores", "faction")))
        admitted = entry.get("admits", entry.get("of", entry.get("lets_in", {})))
        for rule in [rules] if isinstance(rules, str) else rules:
            for whom in admitted if isinstance(admitted, list) else [admitted]:
                yield {"rule": rule_named(rule, system), "of": dict(_asked(whom))}


def rule_named(name: str, system: System) -> str:
    """A rule of the game by its id, its code or the first word of that."""
    rules = [rule.head for rule in system.rules]
    for head in rules:
        if name == head.id or name == head.code or slug(name) == head.code.split(".")[0]:
            return head.id
    return named(name, {head.id: head.code for head in rules}) or slug(name)


def _asked(whom: Data) -> Iterator[tuple[str, Any]]:
    """What a creature must have to be let in. Its alignment is one of its keywords."""
    for key, value in whom.items():
        asked = next(iter(words(key)))
        values = [slug(one) for one in ([value] if isinstance(value, str) else value)]
        if asked == "keyword" and set(values) <= {"good", "evil"}:
            asked = "alignment"
        yield asked, values if len(values) > 1 else values[0]
