"""Statement of the bounds for a solver: unknowns for possible picks, bounds as constraints.

`Statement` makes a spot of every pick of a list and every possible addition, each with an unknown
number, and states what `evaluation` would find: for any values of the unknowns both find the same
breaches. Bounds that can't be stated are left out and named (`unstated`).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor
from typing import Final, NamedTuple, TypeAlias

from armybuilder.engine.kernel.branches import Why
from armybuilder.engine.kernel.conditions import FORCES, NUMBER, Amount, Kind, Scope
from armybuilder.engine.kernel.definitions import Bound, Definition
from armybuilder.engine.kernel.parts import is_wide
from armybuilder.engine.kernel.spots import Spot, Spots
from armybuilder.engine.kernel.unknowns import NotStated, Unknowns
from armybuilder.engine.space.constraints import FALSE, TRUE, Expression, Literal


class StatedDemand(NamedTuple):
    """The owner of a constraint: why a list breaks it, which bound, of which definition, where."""

    why: Why
    bound: Bound | None
    definition: Definition
    at: Spot
    cost: str = ""


class _Placed(NamedTuple):
    """A bound as seen from somewhere, where something is there."""

    bound: Bound
    seen: Spot
    taken: Literal


#: Scopes whose place is part of a branch in a force.
_OWN: Final = {Scope.PARENT, Scope.SELF, Scope.ROOT}
_Wide: TypeAlias = dict[tuple[Spot, str, str], list[_Placed]]


class Statement(Unknowns):
    """Lists that may become of one, as constraints."""

    def __init__(self, space: Spots) -> None:
        super().__init__(space)
        self.unstated: list[StatedDemand] = []
        self._state()

    # Demands

    def _state(self) -> None:
        wide: _Wide = {}
        for cost, limit in self.roster.limits.items():
            if limit >= 0:
                demand = StatedDemand(Why.LIMIT, None, self.roster.definition, self.top, cost)
                most = floor(Fraction(limit) * self.scales.get(cost, 1))
                try:
                    spent = self.count(self.top, cost, "", True, True)
                except NotStated:
                    self.unstated.append(demand)
                    continue
                self.constraints.require(spent, None, most, (), demand)
        for force in self.forces:
            self._forbid(force)
            for bound in force.definition.bounds:
                at = self.within(bound.query.scope, force)
                if at is not None:
                    self._try(bound, at, [_Placed(bound, force, TRUE)])
        self._add_demands(self.top, wide)
        for force in self.forces:
            self._add_demands(force, wide)
            self._add_sections(force, wide)
        for force in self.forces:
            for root in force.below:
                if root.in_branch:
                    self._add_ceilings(root, wide)
                    self._state_branch(root, wide)
        for (at, _, _), placed in wide.items():
            self._try(placed[0].bound, at, placed)

    def _state_branch(self, root: Spot, wide: _Wide) -> None:
        """State the bounds on a pick of a force; for held picks only those over more than it
        alone."""
        for spot in (root, *root.walk()):
            if not root.is_held:
                self._forbid(spot)
            self._add_demands(spot, wide)
            for below in spot.below:
                self._add_ceilings(below, wide)

    def _add_demands(self, spot: Spot, wide: _Wide) -> None:
        for bound in spot.definition.demands:
            self._add(_Placed(bound, self.absent(bound.definition, spot), spot.taken), wide)

    def _add_sections(self, force: Spot, wide: _Wide) -> None:
        """Add the bounds of categories where something has them."""
        for tag, section in force.definition.sections.items():
            there = [spot for spot in self._with_tag(tag) if spot.force is force]
            for bound in section.bounds if there else ():
                try:
                    literals = ([self.tag(spot, tag), spot.taken] for spot in there)
                    present = self.constraints.any_of(map(self.constraints.all_of, literals))
                    self._add(_Placed(bound, self.absent(section, force), present), wide)
                except NotStated:
                    self.unstated.append(StatedDemand(Why.BOUND, bound, section, self.top))

    def _add_ceilings(self, spot: Spot, wide: _Wide) -> None:
        for bound in spot.definition.ceilings:
            own = bound.definition is spot.definition
            seen = spot if own else self.absent(bound.definition, spot.above or self.top)
            self._add(_Placed(bound, seen, spot.taken), wide)

    def _add(self, placed: _Placed, wide: _Wide) -> None:
        bound, seen, _ = placed
        at = seen.above
        if bound.query.scope in _OWN and at is not None and at.is_held:
            return
        if bound.query.scope is not Scope.PARENT:
            try:
                at = self.within(bound.query.scope, seen)
            except NotStated:
                self.unstated.append(StatedDemand(Why.BOUND, bound, bound.definition, self.top))
                return
        if at is not None and not at.is_held:
            wide.setdefault((at, bound.id, bound.query.tag), []).append(placed)

    def _forbid(self, spot: Spot) -> None:
        """State that something hidden, or about which its author says an error, is not taken."""
        for notice in (None, *spot.definition.notices):
            why = Why.HIDDEN if notice is None else Why.NOTICE
            demand = StatedDemand(why, None, spot.definition, spot)
            try:
                if notice is None:
                    wrong = self._hidden(spot) if spot.in_branch else FALSE
                elif notice.severity == "error":
                    own = notice.definition is spot.definition
                    seen = spot if own else self.absent(notice.definition, spot)
                    wrong, _ = self._made(notice.change, seen)
                else:
                    continue
            except NotStated:
                self.unstated.append(demand)
                continue
            self.constraints.require_any([~wrong, ~spot.taken], demand)

    def _hidden(self, seen: Spot) -> Literal:
        hidden, above = [self.literal(seen.definition.hidden, seen)], seen.above
        around = [(TRUE, group) for group in seen.definition.groups]
        if above is not None and not above.in_branch:
            sections = above.definition.sections
            around += [(self._is_primary(seen, tag), of) for tag, of in sections.items()]
        for is_in, of in around:
            if above is not None and is_in != FALSE and (of.hidden.base or of.hidden.changes):
                literal = self.literal(of.hidden, self.absent(of, above))
                hidden.append(self.constraints.all_of([is_in, literal]))
        return self.constraints.any_of(hidden)

    def _try(self, bound: Bound, at: Spot, placed: list[_Placed]) -> None:
        """State a bound that several places of a definition share."""
        demand = StatedDemand(Why.BOUND, bound, bound.definition, at)
        try:
            there = self.constraints.any_of(one.taken for one in placed)
            views = self._views(at, placed)
            for side in ("low", "high"):
                if sided := [one for one in views if getattr(one.bound, side) is not None]:
                    self._bound(at, sided, there, side, demand)
        except NotStated:
            self.unstated.append(demand)

    def _views(self, at: Spot, placed: list[_Placed]) -> list[_Placed]:
        """Return the places from which a bound may be seen: the first present one counts, in the
        order of evaluation; of new picks the first. Links to one entry with different changes
        may differ."""
        bounds = {one.bound for one in placed}
        moves = any(bound.moves for bound in bounds)
        if not moves and (at.in_branch or all(bound.low is None for bound in bounds)):
            return placed[:1]
        places = {(one.bound, one.seen.above and one.seen.above.force): one for one in placed}
        first, *others = map(_look, places.values())
        if is_wide(first[1:]) and all(first == other for other in others):
            return placed[:1]
        views: list[_Placed] = []
        for one in placed:
            if one.bound.moves and not one.seen.present:
                above, definition = one.seen.above or self.top, one.bound.definition
                same = (spot for spot in above.below if spot.definition is definition)
                views += (_Placed(one.bound, spot, spot.taken) for spot in same)
            views.append(one)
        return views

    def _bound(
        self, at: Spot, views: list[_Placed], there: Literal, side: str, demand: StatedDemand
    ) -> None:
        constraints, (bound, seen, _) = self.constraints, views[0]
        query, above = bound.query, seen.above or self.top
        inside = bound.definition is above.definition
        field = bound.of_limit or query.field
        scale = 1 if field in (NUMBER, FORCES) else self.scales.get(field, 1)
        measured = self.count(at, field, query.tag, query.deep, query.forces)
        if bound.is_of_limit:
            limit = self._whole_of(bound, at, scale)
            if limit is None:
                return
            measured = limit
        elif query.scope is Scope.SELF and at.in_branch:
            own = self._total if query.deep else self.price
            measured = at.number if field == NUMBER else own(at, field)
        allowed = Expression()
        for view in reversed(views):
            amount: Amount = getattr(view.bound, side)
            place = above if inside else view.seen
            one = self.amount(amount, place, 1 if bound.share else scale)
            allowed = constraints.choose(view.taken, one, allowed) if view is not views[-1] else one
        bounds = TRUE if bound.negative else constraints.at_least(allowed, 0)
        if bound.share:
            whole = self._whole_of(bound, at, scale)
            if whole is None:
                return
            allowed = constraints.multiply(allowed, whole)
            measured = measured * 100
        if bound.per_model and at is above and above.variable is not None:
            allowed = constraints.multiply(allowed, above.number)
        difference = measured - allowed
        when = [there, bounds]
        if side == "high":
            constraints.require(difference, None, 0, when, demand)
            return
        if bound.definition.kind in (Kind.ENTRY, Kind.GROUP) and not inside:
            some = ~constraints.between(measured, 0, 0)
            uncounted = field not in (NUMBER, FORCES) and above.in_branch
            hidden = TRUE if uncounted else self._hidden_in(views)
            when.append(constraints.any_of([some, ~hidden]))
        constraints.require(difference, 0, None, when, demand)

    def _hidden_in(self, views: list[_Placed]) -> Literal:
        hidden = self._hidden(views[-1].seen)
        for view in reversed(views[:-1]):
            hidden = self.either(view.taken, self._hidden(view.seen), hidden)
        return hidden

    def _whole_of(self, bound: Bound, at: Spot, scale: int) -> Expression | None:
        """Return the whole that the bound is a share of; None if that has no limit."""
        if bound.of_limit:
            limit = self.roster.limits.get(bound.of_limit, -1)
            return None if limit < 0 else Expression(self._parts(limit, scale))
        query = bound.query
        return self.count(at, query.field, "", True, query.forces)


def _look(one: _Placed) -> tuple[object, ...]:
    """Return the key by which places that see a bound differ: its numbers, the conditions that hide
    it, and the force.
    """
    bound, above = one.bound, one.seen.above
    asked: tuple[object, ...] = (above and above.force, bound.low, bound.high)
    if bound.low is None:
        return asked
    definition = bound.definition
    hidden = (of.hidden for of in (definition, *definition.groups))
    return (*asked, None if above and above.in_branch else definition, *hidden)
