"""The rulebooks once more, read plainly: what someone with the book at hand would say of a list.

Nothing here knows the engine. Chainmail 2001: pages 11–13, 26 and 65 of the Starter Set rulebook;
D&D Miniatures 2008: pages 14–15 and 39–48 of the Battle Rules; and the readings that the system
files tell. "?" stands for what a card does not say.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

UNKNOWN = "?"
MERCENARY = "none"


class Model(NamedTuple):
    """A card of Chainmail. `commander` is None for those who are none; `difficult`, `wild` and the
    rest are what is written on the card.
    """

    cost: int | str
    faction: str
    alignment: str
    commander: int | str | None = None
    wild: bool = False
    difficult: bool = False
    difficult_rating: int | str | None = None
    wild_and_difficult: bool = False
    independent: bool = False
    scout: int | None = None


class Fielded(NamedTuple):
    """One figure of a warband."""

    model: Any
    reserve: bool = False


class Skirmish(NamedTuple):
    """A list of Chainmail 2001: its figures, and what was agreed on and chosen."""

    point_value: int
    figures: tuple[Fielded, ...]
    tactical_advantage: int = 0
    players: int = 2
    free_form: bool = False
    terrain: int = 2
    faction: str | None = None


class Verdict(NamedTuple):
    errors: set[str]
    figures: dict[str, Any]
    warnings: set[str] = set()
    notes: set[str] = set()


def known(number: int | str | None) -> int:
    return number if isinstance(number, int) else 0


def chainmail_2001(skirmish: Skirmish, advanced: bool) -> Verdict:
    """What the Basic or the Advanced rules say."""
    errors: set[str] = set()
    everybody = [figure.model for figure in skirmish.figures]
    reserves = [figure.model for figure in skirmish.figures if figure.reserve]
    present = [figure.model for figure in skirmish.figures if not figure.reserve]
    spent = sum(known(model.cost) for model in present) + skirmish.tactical_advantage
    for model in reserves:
        spent += (known(model.cost) + 1) // 2
    if any(UNKNOWN in (model.cost, model.alignment, model.commander) for model in everybody):
        errors.add("unit.incomplete")
    if spent > skirmish.point_value:
        errors.add("points.over")
    if len(reserves) > 1:
        errors.add("reserve.too-many")
    if any(10 * known(model.cost) > skirmish.point_value for model in reserves):
        errors.add("reserve.too-costly")
    if not skirmish.free_form and skirmish.terrain != (2 if skirmish.players == 2 else 1):
        errors.add("terrain.count")
    told: dict[str, Any] = {}
    for warband in [present, everybody]:
        if not warband:
            errors.add("list.empty")
        if {"good", "evil"} <= {model.alignment for model in warband}:
            errors.add("alignment.clash")
        judge = advanced_command if advanced else basic_command
        told = judge(warband, skirmish.faction, errors)
    notes = {"models.many"} if len(everybody) > 15 else set()
    return Verdict(errors, {"spent": spent, **told}, notes=notes)


def basic_command(warband: list[Model], chosen: str | None, errors: set[str]) -> dict[str, Any]:
    """All of one faction; no more troops than the commanders can lead (p. 12)."""
    factions = {model.faction for model in warband}
    one = len(factions) == 1 and MERCENARY not in factions
    if factions and not one:
        errors.add("faction.mixed")
    troops = 0
    for model in warband:
        if model.commander is None and not model.independent:
            troops += 2 if model.difficult or model.wild_and_difficult else 1
    limit = sum(known(model.commander) for model in warband)
    if troops > limit and all(model.commander != UNKNOWN for model in warband):
        errors.add("command.limit")
    return {"limit": limit, "troops": troops, "faction": factions.pop() if one else None}


def advanced_command(warband: list[Model], chosen: str | None, errors: set[str]) -> dict[str, Any]:
    """The faction of most command points; those pay for wild and cross-faction troops (p. 26)."""
    faction = advanced_faction(warband, chosen, errors)
    if faction is None:
        return {"faction": None}
    own = [model for model in warband if model.faction == faction]
    capacity = sum(known(model.commander) for model in own)
    needed = 0
    for model in warband:
        wild = model.wild or model.wild_and_difficult
        if model.commander is not None:
            continue
        if model in own:
            needed += 1 if wild else 0
        elif not model.independent:
            needed += 2 if wild or model.difficult else 1
    if needed > capacity and all(model.commander != UNKNOWN for model in own):
        errors.add("command.capacity")
    return {"faction": faction, "capacity": capacity, "needed": needed}


def advanced_faction(warband: list[Model], chosen: str | None, errors: set[str]) -> str | None:
    points: Counter[str] = Counter()
    riddles = set()
    for model in warband:
        if model.faction != MERCENARY:
            points[model.faction] += known(model.commander)
            if model.commander == UNKNOWN:
                riddles.add(model.faction)
    most = max(points.values(), default=0)
    first = {faction for faction, number in points.items() if number == most and number}
    if riddles:  # the lead of one alone, which what is unknown could only make greater
        first = first or riddles
        return next(iter(first)) if len(first) == 1 and riddles <= first else None
    if len(first) == 1:
        return first.pop()
    if first and chosen in first:
        return chosen
    if first:
        errors.add("faction.choose")
        return None
    factions = {model.faction for model in warband}
    if len(factions) == 1 and MERCENARY not in factions:
        return factions.pop()
    if factions:
        errors.add("faction.mixed")
    return None


class Creature(NamedTuple):
    """A card of D&D Miniatures. `powers` are Warband Building: (rule, whom), where whom names an
    alignment, a keyword or a faction.
    """

    cost: int | str
    factions: frozenset[str]
    alignment: str
    size: str
    epic: bool = False
    unique: str = ""
    undead: bool = False
    champion: int | str | None = None
    powers: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = ()


class Battle(NamedTuple):
    """A list of D&D Miniatures. `boosters`: the cards, by number, that were in them."""

    limit: int
    creatures: tuple[tuple[int, Creature], ...]
    sealed: bool
    scenario: str
    faction: str | None
    map: str | None
    epic: bool
    creature_limit: int | None
    max_cost: int | None
    boosters: tuple[int, ...]


TABLE = {200: (10, 150), 100: (8, 75), 50: (6, 35)}
BIG = ("huge", "gargantuan", "colossal")
FULL = ("dwarven-outpost", "flooded-ruins", "jungle-temple")
HALF = ("crossroads", "monster-lair")
BUILT_ON_ASSAULT = ("assault", "bounty", "uncontested", "uncontested-bounty")


def fits(whom: Iterable[tuple[str, str]], creature: Creature) -> bool:
    answers = {
        "alignment": {creature.alignment},
        "faction": creature.factions,
        "keyword": {"undead"} if creature.undead else set(),
    }
    return all(value in answers[key] for key, value in whom)


def ddm_2008(battle: Battle) -> Verdict:
    """What the Battle Rules say."""
    creatures = [creature for _, creature in battle.creatures]
    powers = [power for creature in creatures for power in creature.powers]

    def bound(rule: str) -> list[Creature]:
        """The creatures that no Warband Building frees from a rule."""
        return [
            creature
            for creature in creatures
            if not any(lifted == rule and fits(whom, creature) for lifted, whom in powers)
        ]

    most, dearest = TABLE.get(battle.limit, (battle.creature_limit, battle.max_cost))
    spent = sum(known(creature.cost) for creature in creatures)
    errors = set()
    if spent > battle.limit:
        errors.add("points.over")
    if not creatures:
        errors.add("list.empty")
    if most is not None and len(bound("creature-limit")) > most:
        errors.add("models.too-many")
    if dearest is not None and any(known(one.cost) > dearest for one in bound("maximum-cost")):
        errors.add("model.too-costly")
    if battle.map is None:
        errors.add("map.missing")
    if battle.scenario in BUILT_ON_ASSAULT:
        if any(creature.size in BIG for creature in bound("size")):
            errors.add("size.not-allowed")
    elif battle.sealed and any(creature.size in BIG for creature in creatures):
        errors.add("size.not-allowed")
    if any(UNKNOWN in (creature.cost, creature.size) for creature in creatures):
        errors.add("unit.incomplete")
    if battle.sealed:
        if any(creature.epic for creature in creatures):
            errors.add("epic.not-allowed")
        held = Counter(battle.boosters)
        taken = Counter(number for number, _ in battle.creatures)
        if held and any(taken[number] > held[number] for number in taken):
            errors.add("pool.exceeded")
    else:
        errors |= constructed(battle, creatures, bound)
    figures = {"spent": spent, "creatures": len(bound("creature-limit")), "most": most}
    return Verdict(errors, figures, *advice(battle, creatures))


def constructed(battle: Battle, creatures: list[Creature], bound: Any) -> set[str]:
    """Factions, alignments, Unique and epic cards: nothing to a sealed-booster game (p. 40)."""
    errors = set()
    if any(not one.factions or one.alignment == UNKNOWN for one in creatures):
        errors.add("unit.incomplete")
    if battle.faction is None:
        errors.add("faction.choose")
    elif any(one.factions and battle.faction not in one.factions for one in bound("faction")):
        errors.add("faction.mixed")
    if {"good", "evil"} <= {one.alignment for one in bound("good-and-evil")}:
        errors.add("alignment.clash")
    names = Counter(one.unique.lower() for one in bound("unique") if one.unique)
    if any(number > 1 for number in names.values()):
        errors.add("unique.duplicate")
    if not battle.epic and any(one.epic for one in bound("epic")):
        errors.add("epic.not-allowed")
    return errors


def advice(battle: Battle, creatures: list[Creature]) -> tuple[set[str], set[str]]:
    """(warnings, notes)."""
    warnings, notes = set(), set()
    if battle.map in HALF and battle.limit > 100:
        warnings.add("map.half-size")
    if battle.map in FULL and battle.limit <= 100:
        notes.add("map.full-size")
    if battle.limit not in TABLE and None in (battle.creature_limit, battle.max_cost):
        notes.add("size.open")
    if any(creature.champion == UNKNOWN for creature in creatures):
        notes.add("champion.rating")
    if battle.scenario == "uncontested-bounty" and battle.limit != 250:
        notes.add("scenario.size")
    if battle.sealed:
        notes |= {"game.size"} if battle.limit != 200 else set()
        notes |= {"scenario.sealed"} if battle.scenario != "assault" else set()
        notes |= {"pool.open"} if not battle.boosters else set()
    return warnings, notes
