"""Own models of a player, and cards filled in by hand, from their lines alone."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import islice, product

from armybuilder.engine.abilities import Ability
from armybuilder.engine.catalogue import System
from armybuilder.engine.units import Unit
from armybuilder.exchange.pasting.names import ALIKE, EXACT, GUESS, NONE, ReadNames, is_word
from armybuilder.exchange.pasting.options import LEAVE_OUT, MOST_READINGS, ReadChoice, ReadPiece
from armybuilder.exchange.pasting.parts import pieces
from armybuilder.exchange.pasting.profiles import PastedProfile
from armybuilder.exchange.pasting.rules import PastedRule, RuleNames
from armybuilder.loading.armylist import ListAbility, ListCard, ListProfile, frozen
from armybuilder.loading.limits import MAX_NAME

#: Special rules that a document has room for on one model.
MOST_RULES = 40

_RATED = re.compile(r"(.*\S)\s+[×+]?\s?(-?\d{1,2})[+″]?")
_AIMED = re.compile(r"(.*\S) \(([^()]*(?:\([^()]*\)[^()]*)*)\)")


@dataclass(frozen=True, slots=True)
class StatedProfile:
    """Profile in the lines below a unit: statistics by id, as printed, and special rules."""

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
    """Return whether a text gives special rules at all: otherwise none are missing."""
    return any(is_word("Special rules", line.partition(": ")[0]) for line in lines)


def same(stated: StatedProfile, unit: Unit, system: System, rules_told: bool) -> bool:
    """Return whether a unit of a book can be the one in the lines; yes if they say nothing."""
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
    if len(uses) < len(stated.abilities) or len(uses) > MOST_RULES:
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
    """Return the parts that a card leaves open; `each`: points of a model, None: not given."""
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


# As players write them.


def read_rules(
    written: PastedProfile,
    names: RuleNames,
    chosen: Mapping[int, str],
    cost: Callable[[ListProfile], int | None],
) -> tuple[ListProfile, tuple[ReadPiece, ...]]:
    """Return a model with its special rules, and each of them with its outcome.

    `chosen` are the player's choices by number. Of several meanings those win with which the model
    has the points of the text; `cost` returns the points of one.
    """
    rules = [
        rule for text in written.rules for rule in names.in_piece(text) or [names.guessed(text)]
    ]
    known = {ability.id: ability for ability in names.abilities}
    for number, choice in chosen.items():
        if number < len(rules) and (choice in known or choice == LEAVE_OUT):
            picked = (known[choice],) if choice in known else ()
            rules[number] = PastedRule(rules[number].text, picked, rules[number].target, "picked")
    rules = [*rules[:MOST_RULES], *(PastedRule(rule.text) for rule in rules[MOST_RULES:])]
    best, agrees = _profile(written, rules, [rule.abilities[:1] for rule in rules]), False
    for ways in islice(product(*(rule.abilities or (None,) for rule in rules)), MOST_READINGS):
        profile = _profile(written, rules, [(way,) if way else () for way in ways])
        each = cost(profile)
        models, total = written.prices.meant(each)
        if each is not None and total == each * models:
            best, agrees = profile, True
            break
    uses = iter(best.abilities)
    taken = [next(uses).ability if rule.abilities else "" for rule in rules]
    return best, tuple(
        _piece(rule, known.get(ability), agrees, names)
        for rule, ability in zip(rules, taken, strict=True)
    )


def _profile(
    written: PastedProfile, rules: Iterable[PastedRule], abilities: Iterable[tuple[Ability, ...]]
) -> ListProfile:
    uses = (
        ListAbility(ability.id, rule.target if ability.target else "")
        for rule, one in zip(rules, abilities, strict=True)
        for ability in one
    )
    return ListProfile(written.name[:MAX_NAME].strip(), frozen(written.stats), tuple(uses))


def _piece(rule: PastedRule, ability: Ability | None, agrees: bool, names: RuleNames) -> ReadPiece:
    """Return the outcome of a rule; matching points make a likely meaning sure."""
    picked = rule.sure == "picked"
    sure = ALIKE if picked or (agrees and rule.sure == GUESS) else rule.sure
    near = () if sure in (EXACT, ALIKE) and not picked else names.names.alike(rule.text)
    offered = dict.fromkeys((*rule.abilities, *near)) if near or len(rule.abilities) > 1 else {}
    choices = tuple(ReadChoice(one.id, one.name) for one in offered)
    if ability is None:
        return ReadPiece(rule.text, "unknown", NONE, "", choices)
    return ReadPiece(rule.text, "option", sure, ability.name, choices, ability.id, picked)


def is_profile_of(profile: ListProfile, unit: Unit) -> bool:
    """Return whether a unit of a book has just this profile."""
    theirs = sorted((use.ability.id, use.target.casefold()) for use in unit.abilities)
    ours = sorted((use.ability, use.target.casefold()) for use in profile.abilities)
    return dict(unit.stats) == dict(profile.stats) and ours == theirs
