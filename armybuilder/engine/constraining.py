"""`possible_lists`: the lists that may be, as constraints; the counterpart of `validate`.

Who asks says what may change: which units may be added, which settings chosen otherwise. Every rule
whose breach is an error then demands what it asks of a list.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from armybuilder.engine.amounts import highest
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.space.candidates import Candidate, Wanted, everything
from armybuilder.engine.space.constraints import Constraints, Literal, Owner
from armybuilder.engine.space.entries import work_out
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.extent import USUAL, Extent
from armybuilder.engine.space.space import FreeSettings, Space
from armybuilder.engine.space.where import ArmyWhere, Where
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import inside, say

#: How many of a piece of a setting there may be.
MOST_PIECES = 4


@dataclass(frozen=True, slots=True)
class Scope:
    """What may change. `added`: how many entries of each unit may be new, by its ref; `settings`:
    those that may be chosen otherwise; `wanted`: which options of a unit may be taken. `roles`:
    whether units may change theirs. `legal`: only legal lists are of interest. `others`: units may
    be there beside these, of which nothing is known but that nothing of them is below 0, and that
    they have none of these tags; then only what is forbidden whatever they are is demanded. `room`:
    so many points may be spent on what comes, where that is known.
    """

    added: Mapping[str, int]
    settings: Collection[str] = ()
    extent: Extent = USUAL
    wanted: Wanted = everything
    roles: bool = True
    legal: bool = False
    others: Collection[str] | None = None
    room: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class PossibleLists:
    """The lists that may be: unknowns, and what the rules demand of them in each line-up."""

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
        settings = self.roster.settings
        for setting, literals in self.free.values.items():
            for value, variable in literals.items():
                values[variable] = int(settings.get(setting) == value)
        for setting, variables in self.free.pieces.items():
            for piece, variable in variables.items():
                values[variable] = self.roster.chosen(setting).count(piece)
        for setting, variable in self.free.numbers.items():
            number = settings.get(setting)
            values[variable] = number if isinstance(number, int) else 0
        return values

    def broken(self, values: Mapping[int, int]) -> set[Owner]:
        """Return whose demands do not hold where the unknowns have these values."""
        found = self.constraints.broken(self.constraints.complete(values))
        owners = set()
        for owner in found:
            if owner is None:
                raise ValueError("the values contradict what the unknowns mean")
            owners.add(owner)
        return owners


def possible_lists(roster: Roster, catalogue: Catalogue, scope: Scope) -> PossibleLists:
    """Return the lists that may become of a roster, as the rules of its system allow them."""
    constraints, system = Constraints(), catalogue.system
    free = _free_settings(constraints, roster, system, scope.settings)
    army = ArmyWhere(constraints, roster.limit, roster.settings, free.values, scope.others)
    candidates = tuple(_Making(army, system, scope).all(roster, catalogue))
    for candidate in candidates:
        work_out(candidate)
    spaces = _line_ups(constraints, roster, system, candidates, Where(army), free, scope)
    _constrain(system, roster, spaces)
    return PossibleLists(roster, catalogue, constraints, candidates, free, spaces)


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
        elif setting.kind == "number" and setting.points:
            value = roster.settings.get(setting.id)
            most = value if isinstance(value, int) else setting.low
            numbers[setting.id] = constraints.whole(setting.low, max(setting.low, most))
    return FreeSettings(values, pieces, numbers)


@dataclass(frozen=True, slots=True)
class _Making:
    """Makes candidates. Where a role changes what a model costs, models with and without it are
    candidates of their own.
    """

    army: ArmyWhere
    system: System
    scope: Scope

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
            for copy in range(number):
                new = self._of(f"+{ref}:{copy}", unit, None)
                if unit.size is not None and _most(unit, number + 1) > number:
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
                pick if way == own or pick is None else _moved(pick, way),
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
        price, roles = unit.price.of(1), self.system.roles
        shares = (roles[role].price for role in way if role in roles)
        for share in filter(None, shares):
            price = share.up(price)
        return max(0, min(most, room // price)) if price > 0 else most


def _most(unit: Unit, unbounded: int) -> int:
    """Return at least how many of a unit its book lets come."""
    return unbounded if unit.cap is None else highest(unit.cap.number, unbounded)


def _moved(pick: Pick, roles: tuple[str, ...]) -> Pick:
    """Return an entry of the same unit with other roles, of which there are no models yet."""
    return Pick(pick.id, pick.ref, pick.unit, 0, roles, pick.name, pick.notes, pick.picks)


def _line_ups(
    constraints: Constraints,
    roster: Roster,
    system: System,
    candidates: tuple[Candidate, ...],
    where: Where,
    free: FreeSettings,
    scope: Scope,
) -> tuple[Space, ...]:
    """Return the line-ups: with all models, and without those that are there only sometimes."""

    def space(among: tuple[Candidate, ...], name: str) -> Space:
        return Space(
            constraints,
            roster,
            system,
            among,
            where,
            free,
            system.faction,
            name,
            scope.legal,
            scope.others is not None,
        )

    role = system.sometimes
    if not role:
        return (space(candidates, ""),)
    name = inside(system.roles[role].name)
    rest = tuple(candidate for candidate in candidates if role not in candidate.roles)
    return (
        space(candidates, say("with the {role}", role=name)),
        space(rest, say("without the {role}", role=name)),
    )


def _constrain(system: System, roster: Roster, spaces: tuple[Space, ...]) -> None:
    full = spaces[0]
    for rule in system.always:
        if rule.head.severity is Severity.ERROR and not full.others:
            rule.constrain(full)
    for rule in system.rules:
        if _is_error(rule.head, roster) and (rule.stands or not full.others):
            for space in spaces if rule.head.each_lineup else (full,):
                rule.constrain(space)


def _is_error(head: RuleHead, roster: Roster) -> bool:
    return head.severity is Severity.ERROR and head.applies(roster.settings)
