"""Distances of possible lists from the actual one: their changes, and the cost."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from armybuilder.engine.constraining import PossibleLists
from armybuilder.engine.entry_bounds import Path
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick
from armybuilder.engine.space.candidates import Candidate, Takable
from armybuilder.engine.space.constraints import FALSE, Constraints, Expression, Literal, is_true
from armybuilder.engine.units import Unit
from armybuilder.solving.weights import USUAL, Weights


class Change(NamedTuple):
    """A change as a player reads it: of what kind, of which unit, of what on it."""

    kind: str
    unit: str
    what: tuple[str, ...] = ()

    @property
    def is_told(self) -> bool:
        """Return whether it makes a fix a different one: leaders and enchanted pieces don't."""
        return self.kind not in ("role", "put on")


#: Where a change is made: where a literal holds, or where a number is not nothing.
Made: TypeAlias = Literal | Expression


@dataclass(slots=True)
class Distance:
    """The cost of all changes, and where each is made: where one of some holds."""

    cost: Expression = field(default_factory=Expression)
    changes: dict[Change, list[Made]] = field(default_factory=dict)

    def note(self, change: Change, made: Made) -> None:
        """Note a possible change."""
        never = made.is_nothing if isinstance(made, Expression) else made == FALSE
        if not never:
            self.changes.setdefault(change, []).append(made)


def distance_of(possible: PossibleLists, weights: Weights = USUAL) -> Distance:
    """Return the distance of possible lists from the current list."""
    return _Measuring(possible, weights).all()


class _Measuring:
    def __init__(self, possible: PossibleLists, weights: Weights) -> None:
        self.possible = possible
        self.constraints = possible.constraints
        self.weights = weights
        self.limit = max(1, possible.roster.limit)
        self.found = Distance()

    def _share(self, points: int, share: int) -> int:
        """Return the part of a share, by points of the limit."""
        return max(0, points) * share // self.limit

    def all(self) -> Distance:
        singles: dict[str, list[Candidate]] = {}
        for candidate in self.possible.candidates:
            if candidate.pick is None:
                self._added(candidate)
                continue
            if candidate.unit.size is None:
                singles.setdefault(candidate.key, []).append(candidate)
            else:
                self._unit(candidate, candidate.pick)
            self._roles(candidate, candidate.pick)
            for takable in candidate.takables:
                self._option(candidate, takable)
        for candidates in singles.values():
            self._single(candidates)
        self._settings()
        return self.found

    def _off(self, number: Expression, was: int) -> Expression:
        """Return the difference between a number and its actual value."""
        both = self.constraints
        low, high = both.range_of(number)
        if low >= was:
            return number - was
        if high <= was:
            return number * -1 + was
        return both.choose(both.at_least(number, was), number - was, number * -1 + was)

    def _costs(self, change: Change, made: Made, price: int) -> None:
        """Note a possible change with its price: for each one, of a number."""
        number = made if isinstance(made, Expression) else self.constraints.number(made)
        self.found.cost.add(number, price)
        self.found.note(change, made)

    def _added(self, candidate: Candidate) -> None:
        cost, weights, both = self.found.cost, self.weights, self.constraints
        present = both.number(candidate.present)
        self.found.note(Change("add", candidate.unit.ref), candidate.present)
        least = candidate.unit.price.start or 0
        if candidate.unit.size is None:
            single = weights.single + self._share(least, weights.single_share)
            cost.add(candidate.size, single).add(present, weights.kind)
            return
        cost.add(present, weights.added + self._share(least, weights.added_share))
        cost.add(candidate.size - present * candidate.least, self._model(candidate.unit))
        fresh = set(_fresh(candidate))
        for takable in candidate.takables:
            if takable.variable is not None and takable.path not in fresh:
                cost.add(Expression.of(takable.variable), weights.new_option)
        for literal in candidate.free_roles.values():
            cost.add(both.number(literal), weights.role)

    def _unit(self, candidate: Candidate, pick: Pick) -> None:
        cost, both, ref = self.found.cost, self.constraints, candidate.unit.ref
        present = both.number(candidate.present)
        price = self._unit_price(candidate, pick)
        cost.add(price).add(present, -price)
        self.found.note(Change("remove", ref), ~candidate.present)
        moved = self._off(candidate.size - present * pick.models, 0)
        self._costs(Change("models", ref), moved, self._model(candidate.unit))

    def _roles(self, candidate: Candidate, pick: Pick) -> None:
        cost, weights, both = self.found.cost, self.weights, self.constraints
        present = both.number(candidate.present)
        for role, variable in candidate.free_roles.items():
            if role in pick.roles:
                cost.add(present, weights.role).add(both.number(variable), -weights.role)
                changed = both.all_of([candidate.present, ~variable])
            else:
                cost.add(both.number(variable), weights.role)
                changed = variable
            self.found.note(Change("role", candidate.unit.ref, (role,)), changed)

    def _unit_price(self, candidate: Candidate, pick: Pick) -> int:
        """Return the cost of removing a unit: higher, the more the player chose for it."""
        weights, roles = self.weights, candidate.system.roles
        points, chosen = candidate.unit.price.of(pick.models), 0
        for takable in candidate.takables:
            if takable.was > takable.given:
                chosen += 1
                points += _points_of(takable, pick.models)
        price = weights.unit + self._share(points, weights.unit_share) + weights.equipped * chosen
        price += weights.led * bool(pick.roles)
        price += weights.leader * any(roles[role].alone for role in pick.roles if role in roles)
        return price + weights.described * bool(pick.name or pick.notes)

    def _model(self, unit: Unit) -> int:
        """Return the cost of one model more or less."""
        return self.weights.model + self._share(unit.price.extra, self.weights.model_share)

    def _option(self, candidate: Candidate, takable: Takable) -> None:
        weights, both = self.weights, self.constraints
        change = Change("option", candidate.unit.ref, takable.path)
        if takable.variable is not None:
            number, was = Expression.of(takable.variable), takable.was - takable.given
            above = takable.above
            if was <= 0 or (above is not None and not above.was):
                off = number
            else:
                around = both.number(candidate.present if above is None else above.taken)
                whole = both.high[takable.variable] == was
                off = around * was - number if whole else self._off(number - around * was, 0)
            models = candidate.pick.models if candidate.pick is not None else candidate.least
            price = self._share(_points_of(takable, models), weights.option_share)
            self._costs(change, off, weights.option + price)
        for piece, variable in takable.on.items():
            if piece == takable.was_on:
                moved = both.all_of([takable.taken, ~variable])
                self._costs(change._replace(kind="put on"), moved, weights.put_on)
            elif not takable.was_on:
                self._costs(change._replace(kind="put on"), variable, weights.put_on)

    def _single(self, candidates: list[Candidate]) -> None:
        """Models that are bought singly: those of one entry, with and without a role."""
        weights, both, first = self.weights, self.constraints, candidates[0]
        pick = next(one.pick for one in candidates if one.pick is not None)
        total, moved = Expression(), []
        for candidate in candidates:
            total.add(candidate.size)
            own = candidate.pick
            if own is not None and not own.models:
                moved.append(candidate.present)
        models = max(one.pick.models for one in candidates if one.pick is not None)
        off = self._off(total, models)
        price = self._share(first.unit.price.of(1), weights.single_share)
        self._costs(Change("models", first.unit.ref), off, weights.single + price)
        described = weights.described * bool(pick.name or pick.notes)
        self.found.cost.add(both.number(~both.at_least(total, 1)), described)
        self._costs(Change("role", first.unit.ref), both.any_of(moved), weights.role)

    def _settings(self) -> None:
        cost, weights, both = self.found.cost, self.weights, self.constraints
        roster, free = self.possible.roster, self.possible.free
        for setting, literals in free.values.items():
            had = roster.settings.get(setting)
            for value, literal in literals.items():
                if value != had:
                    self._costs(Change("setting", "", (setting, value)), literal, weights.setting)
            if had is not None:
                cost.add(both.number(~both.any_of(literals.values())), weights.setting)
        for setting, piece, variable, now in self.possible.free_numbers():
            change = Change("setting", "", (setting, piece) if piece else (setting,))
            self._costs(change, self._off(Expression.of(variable), now), weights.piece)


def _points_of(takable: Takable, models: int) -> int:
    """Return the approximate price of an option, taken once on some models."""
    option = takable.option
    return (option.points.base or 0) + (option.each.base or 0) * models


def _fresh(candidate: Candidate) -> Iterator[Path]:
    """Return the paths of the options that a new unit starts with."""

    def walk(picks: tuple[OptionPick, ...], path: Path) -> Iterator[Path]:
        for pick in picks:
            yield (*path, pick.id)
            yield from walk(pick.picks, (*path, pick.id))

    yield from walk(candidate.unit.fresh, ())


def is_made(made: Iterable[Made], values: tuple[int, ...]) -> bool:
    """Return whether a change is made, where these values are taken."""
    return any(
        one.at(values) > 0 if isinstance(one, Expression) else is_true(one, values) for one in made
    )


def made_in(both: Constraints, made: Iterable[Made]) -> list[Literal]:
    """Return literals of which one holds where a change is made."""
    return [both.at_least(one, 1) if isinstance(one, Expression) else one for one in made]
