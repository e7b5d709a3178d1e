"""`possible_lists`: a space of lists as constraints; the counterpart of `validate`.

The caller says which units may be added and which settings chosen differently. Every rule whose
breach is an error then adds its demands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.conditions import Army, Place
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.rules import Rule
from armybuilder.engine.space.candidates import (
    USUAL,
    Candidate,
    Extent,
    Wanted,
    everything,
    least_price,
)
from armybuilder.engine.space.constraints import (
    FALSE,
    TRUE,
    Constraints,
    Expression,
    Literal,
    Owner,
)
from armybuilder.engine.space.entries import work_out
from armybuilder.engine.space.space import Space
from armybuilder.engine.space.where import ArmyWhere, FreeSettings, Where
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import inside, say

#: How many of a piece of a setting there may be.
MOST_PIECES = 4


@dataclass(frozen=True, slots=True)
class Scope:
    """Freedom of a space of lists.

    `added`: how many entries of each unit may be new, by its ref; `settings`: those that may be
    chosen differently; `wanted`: the options that may be taken. `roles`: whether units may change
    theirs. `legal`: only legal lists are of interest. `others`: more units may be present, of which
    only this is known: nothing of them is below 0, and they have none of these tags; then only
    bounds that they can't settle are demanded. `room`: the points that additions may cost, if
    known. `entries`: units keep to the sizes and numbers of their entries where rules ask for that;
    otherwise these are demands of the rules, too.
    """

    added: Mapping[str, int]
    settings: Collection[str] = ()
    extent: Extent = USUAL
    wanted: Wanted = everything
    roles: bool = True
    legal: bool = False
    others: Collection[str] | None = None
    room: int | None = None
    entries: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class PossibleLists:
    """A space of lists: unknowns, and the demands of the rules in each line-up."""

    roster: Roster
    catalogue: Catalogue
    constraints: Constraints
    candidates: tuple[Candidate, ...]
    free: FreeSettings
    spaces: tuple[Space, ...]

    def as_it_stands(self) -> dict[int, int]:
        """Return the value of each unknown on the roster, by its variable."""
        values: dict[int, int] = {}
        for candidate in self.candidates:
            values |= candidate.as_it_stands()
        for setting, literals in self.free.values.items():
            chosen = self.roster.settings.get(setting)
            values |= {variable: int(chosen == value) for value, variable in literals.items()}
        return values | {variable: now for _, _, variable, now in self.free_numbers()}

    def free_numbers(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield each number of settings that may change: the setting, the piece that is counted
        ("" in a setting that is a number), the variable, and the number on the roster.
        """
        roster = self.roster
        for setting, variables in self.free.pieces.items():
            had = roster.chosen(setting)
            for piece, variable in variables.items():
                yield setting, piece, variable, had.count(piece)
        for setting, variable in self.free.numbers.items():
            number = roster.settings.get(setting)
            yield setting, "", variable, number if isinstance(number, int) else 0

    def broken(self, values: Mapping[int, int]) -> set[Owner]:
        """Return whose demands do not hold where the unknowns have these values."""
        found = self.constraints.broken(self.constraints.complete(values))
        owners = set()
        for owner in found:
            if owner is None:
                raise ValueError("the values contradict what the unknowns mean")
            owners.add(cast("Owner", owner))
        return owners


def possible_lists(roster: Roster, catalogue: Catalogue, scope: Scope) -> PossibleLists:
    """Return the lists that may become of a roster, as the rules of its system allow them."""
    constraints, system = Constraints(), catalogue.system
    free = _free_settings(constraints, roster, system, scope.settings)
    in_force = _in_force(roster, catalogue)
    rules = in_force if scope.legal else []
    budget = _budget(rules, roster)
    aspects = {aspect for rule in in_force for aspect in rule.aspects if scope.entries}
    army = ArmyWhere(
        constraints, roster.limit, roster.settings, free, scope.others, budget, aspects
    )
    candidates = tuple(_Making(army, system, scope, rules).all(roster, catalogue))
    for candidate in candidates:
        work_out(candidate)
    spaces = _line_ups(roster, system, candidates, army, scope.legal)
    _constrain(system, spaces)
    return PossibleLists(roster, catalogue, constraints, candidates, free, spaces)


def most_points(roster: Roster, catalogue: Catalogue) -> int | None:
    """Return how many points the rules in force let a list cost; None: any number."""
    return _budget(_in_force(roster, catalogue), roster)


def fixed_settings(roster: Roster, catalogue: Catalogue) -> Iterator[tuple[str, str | int]]:
    """Yield each setting that rules want otherwise, with a value that suits one of them."""
    rules = (rule for rule in catalogue.system.rules if is_error(rule.head, roster))
    return (fixed for rule in rules for fixed in rule.fixed_for(roster))


def _in_force(roster: Roster, catalogue: Catalogue) -> list[Rule]:
    """Return the rules for every list: neither lifted by a unit nor tied to an open setting."""
    lifted = {lift.rule for unit in catalogue.units.values() for lift in unit.lifts}
    rules, settings = catalogue.system.rules, catalogue.system.settings
    open_ones = {key for key, setting in settings.items() if setting.is_own}
    open_ones |= {setting for setting, _ in fixed_settings(roster, catalogue)}
    return [
        rule
        for rule in rules
        if is_error(rule.head, roster)
        and rule.head.id not in lifted
        and open_ones.isdisjoint(setting for setting, _ in rule.head.given)
    ]


def _budget(rules: Iterable[Rule], roster: Roster) -> int | None:
    tops = (rule.points_of_game(roster)[1] for rule in rules)
    return min((top for top in tops if top is not None), default=None)


def _free_settings(
    constraints: Constraints, roster: Roster, system: System, settings: Collection[str]
) -> FreeSettings:
    values: dict[str, dict[str, Literal]] = {}
    pieces: dict[str, dict[str, int]] = {}
    numbers: dict[str, int] = {}
    for setting in system.settings.values():
        if setting.id not in settings:
            continue
        if setting.kind in ("choice", "attribute"):
            known = (
                setting.values
                if setting.kind == "choice"
                else system.attributes[setting.attribute].values
            )
            values[setting.id] = chosen = {value: constraints.yes_no() for value in known}
            least = int(setting.default is not None)
            constraints.require(Expression(0, dict.fromkeys(chosen.values(), 1)), least, 1)
        elif setting.kind == "pieces":
            had = roster.chosen(setting.id)
            pieces[setting.id] = {
                piece: constraints.whole(0, max(MOST_PIECES, had.count(piece)))
                for piece in setting.values
            }
            constraints.capped.update(pieces[setting.id].values())
        elif setting.kind == "number" and setting.points:
            value = roster.settings.get(setting.id)
            fixed = (pair for rule in system.rules for pair in rule.fixed_for(roster))
            wanted = (number for key, number in fixed if key == setting.id)
            given = (pair for rule in system.rules for pair in rule.head.given)
            ends = (
                min(end, setting.high)
                for key, some in given
                if key == setting.id and isinstance(some, range)
                for end in (some.start, some.stop)
            )
            tops = (number for number in (value, *wanted, *ends) if isinstance(number, int))
            top = max([setting.low, *tops])
            numbers[setting.id] = constraints.whole(setting.low, top)
            if top < setting.high:
                constraints.capped.add(numbers[setting.id])
    return FreeSettings(values, pieces, numbers)


@dataclass(frozen=True, slots=True)
class _Making:
    """Makes candidates.

    If a role changes a model's price, models with and without it are separate candidates.
    """

    army: ArmyWhere
    system: System
    scope: Scope
    rules: Sequence[Rule]

    def all(self, roster: Roster, catalogue: Catalogue) -> list[Candidate]:
        """Return those of the entries, then the new ones."""
        made = [
            candidate
            for pick in roster.picks
            if pick.unit is not None
            for candidate in self._of(pick.id, pick.unit, pick)
        ]
        for ref, number in self.scope.added.items():
            unit = catalogue.units[ref]
            more = unit.size is not None and self._may_exceed(unit, number, roster)
            for copy in range(number):
                new = self._of(f"+{ref}:{copy}", unit, None)
                if more:
                    self.army.constraints.cut.update(one.present for one in new)
                made += new
        return made

    def _of(self, key: str, unit: Unit, pick: Pick | None) -> list[Candidate]:
        priced = [role.id for role in self.system.roles.values() if role.price is not None]
        plain = [role for role in self.system.roles if role not in priced]
        had = pick.roles if pick else ()
        ways: list[tuple[str, ...]] = [()]
        if unit.size is None and self.scope.roles:
            ways += [(role,) for role in priced]
        own = tuple(role for role in had if role in priced or role not in self.system.roles)
        if own not in ways:
            ways = [own, *ways] if self.scope.roles else [own]
        most = {way: self._most(unit, way, pick) for way in ways}
        free = plain if self.scope.roles else ()
        fixed = () if self.scope.roles else tuple(role for role in had if role in plain)
        return [
            Candidate(
                self.army,
                self.system,
                key,
                unit,
                pick if way == own or pick is None else replace(pick, models=0, roles=way),
                (*way, *fixed),
                free,
                replace(self.scope.extent, singles=most[way]),
                self.scope.wanted,
            )
            for way in ways
            if most[way] or unit.size is not None
        ]

    def _most(self, unit: Unit, way: tuple[str, ...], pick: Pick | None) -> int:
        """Return of how many models in these roles there is to be decided, where they are bought
        singly: of new ones, of no more than can be paid.
        """
        most, room = self.scope.extent.singles, self.scope.room
        if room is None or pick is not None or unit.price_changes or unit.offer.slots:
            return most
        price = least_price(unit, self.system, way)
        return max(0, min(most, room // price)) if price else most

    def _may_exceed(self, unit: Unit, number: int, roster: Roster) -> bool:
        """Return whether a legal list may have more than this many new entries of a unit of
        many."""
        price, budget = least_price(unit, self.system), self.army.budget
        if price and budget is not None and budget < price * (number + 1):
            return False
        if unit.cap is None or unit.cap.number.changes:
            return True
        place = Place(Army(roster.limit, roster.settings, {}))
        tops = (rule.top(unit.cap, place) for rule in self.rules)
        return min((top for top in tops if top is not None), default=number + 1) > number


def _line_ups(
    roster: Roster, system: System, candidates: tuple[Candidate, ...], army: ArmyWhere, legal: bool
) -> tuple[Space, ...]:
    """Return the line-ups: with all models, and without those that are there only sometimes."""
    heads = (rule.head for rule in system.rules if legal)
    demanded = {head.pointer for head in heads if _applies(head, army) == TRUE}
    place, role = Where(army), system.sometimes
    among = {"": candidates}
    if role:
        name = inside(system.roles[role].name)
        rest = tuple(candidate for candidate in candidates if role not in candidate.roles)
        whole, less = say("with the {role}", role=name), say("without the {role}", role=name)
        among = {whole: candidates, less: rest}
    return tuple(
        Space(roster, system, some, place, system.faction, line_up, demanded)
        for line_up, some in among.items()
    )


def _constrain(system: System, spaces: tuple[Space, ...]) -> None:
    full = spaces[0]
    for rule in system.always:
        if rule.head.severity is Severity.ERROR and not full.others:
            rule.constrain(full)
    for rule in system.rules:
        applies = _applies(rule.head, full.place.army)
        if applies != FALSE and (rule.lasts or rule.by_unit or not full.others):
            with full.constraints.only_where(applies):
                for space in spaces if rule.head.each_lineup else (full,):
                    rule.constrain(space)


def _applies(head: RuleHead, army: ArmyWhere) -> Literal:
    """Return where a rule holds whose breach is an error; FALSE if that is none."""
    if head.severity is not Severity.ERROR:
        return FALSE
    return army.constraints.all_of([army.among(*given) for given in head.given])


def is_error(head: RuleHead, roster: Roster) -> bool:
    """Return whether a breach of a rule is an error, with a list's settings."""
    return head.severity is Severity.ERROR and head.applies(roster.settings)
