"""Work out prices of candidates and the bounds of their entries: the counterpart of `loadout`."""

from __future__ import annotations

from collections.abc import Iterator

from armybuilder.engine.amounts import Amount
from armybuilder.engine.entry_bounds import Bounded, EntryBound, EntryBounds, Literals, Needs
from armybuilder.engine.options import Group, Option
from armybuilder.engine.space.candidates import Candidate, Level, Placed, Takable
from armybuilder.engine.space.constraints import FALSE, NOTHING, TRUE, Expression, Literal, sum_of
from armybuilder.engine.space.where import Where


def work_out(candidate: Candidate) -> None:
    """State a candidate's cost and its entry's bounds, once all candidates are there."""
    _Work(candidate).work_out()


class _Work(EntryBounds[Expression]):
    """The walk over the possible options of one candidate."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.constraints = candidate.constraints
        self.place: Where = candidate.place

    def work_out(self) -> None:
        """State all of it."""
        one, unit = self.candidate, self.candidate.unit
        options = one.option_points = self._work_level(one.root, ())
        self.unit(unit, one.size, one.present)
        present = TRUE if unit.size is None else one.present
        one.points = one.each = self._price_of(self.place.models, present) + options
        if unit.size is None:
            self._price_all()

    def _price_all(self) -> None:
        """State the price of models bought singly, so far of one, and by roles."""
        both, one = self.constraints, self.candidate
        one.points, one.option_points = one.on_all(one.each), one.on_all(one.option_points)
        one.options = [placed._replace(total=one.on_all(placed.total)) for placed in one.options]
        for role, known in one.system.roles.items():
            has, share = one.has_role(role), known.price
            if share is not None and has != FALSE:
                paid = both.quotient(one.each * share.numerator, share.denominator, up=True)
                one.points = both.choose(has, one.on_all(paid), one.points)

    def least(
        self, what: Bounded, number: Expression, least: Amount, there: Literal, needs: Needs
    ) -> None:
        over = number - least.number(self.place)
        when = (there, *map(self.place.holds, needs))
        self.candidate.entry.append(EntryBound(*what, over, 0, None, when))

    def most(
        self, what: Bounded, number: Expression, most: Amount, taken: Literals, *when: Literal
    ) -> None:
        range_of = self.constraints.range_of
        if not most.changes and (most.base is None or range_of(number)[1] <= most.base):
            return
        top, exists = most.bounded(self.place)
        # Most bounds hold by themselves where nothing is taken, and needn't ask for it.
        if range_of(top)[0] < 0:
            when = (self.constraints.any_of(taken), *when)
        over = number - top
        self.candidate.entry.append(EntryBound(*what, over, None, 0, (*when, exists)))

    def _price_of(self, models: Expression, present: Literal) -> Expression:
        """Points of the unit without its options."""
        both, price, unit = self.constraints, self.candidate.unit.price, self.candidate.unit
        if price.start is None and not unit.price_changes:
            return NOTHING
        start, extra = (cost.number(self.place) for cost in unit.costs)
        there = both.number(present)
        more = models - there * price.size
        least, _ = both.range_of(more)
        if not unit.counts:
            more = NOTHING
        elif least < 0 and not (unit.size is not None and self.candidate.least >= price.size):
            enough = both.at_least(models, price.size + 1)
            more = both.where(enough, models - price.size)
        return both.multiply(there, start) + both.multiply(more, extra)

    def _work_level(self, level: Level, above: tuple[Placed, ...]) -> Expression:
        """State the costs and bounds of a level; return its points."""
        total = Expression()
        inside: dict[Group, list[Placed]] = {}
        for takable in level.options.values():
            if takable.taken == FALSE:
                continue
            for placed in self._work_option(takable, above):
                total.add(placed.total)
                for group in placed.slot.summed:
                    inside.setdefault(group, []).append(placed)
        for group, parts in inside.items():
            number = sum_of(placed.number for placed in parts)
            points = sum_of(placed.total for placed in parts)
            taken = [placed.taken for placed in parts]
            self.group(group, (*level.path, group.id), number, points, taken)
        for demand in level.offer.demands:
            node = demand.node
            if isinstance(node, Option):
                number = level.options[node.id].number
            else:
                number = sum_of(placed.number for placed in inside.get(node, ()))
            self.demand(demand, (*level.path, node.id), number, level.present)
        return total

    def _work_option(self, takable: Takable, above: tuple[Placed, ...]) -> list[Placed]:
        """Return an option in each of its slots; it is in the first available one."""
        both = self.constraints
        opens = [self.opened(slot.needs) for slot in takable.slots]
        placed = []
        for slot, opened, here in zip(takable.slots, opens, self._standing(opens), strict=True):
            taken = both.all_of([here, takable.taken])
            if taken != FALSE:
                number = both.where(here, takable.number)
                self.option(slot, takable.path, number, taken, opened)
                points = self._points_of(slot.option, number)
                placed.append(Placed(slot, takable, taken, number, points, above))
        if takable.level is not None:
            inner = self._work_level(takable.level, (*above, *placed))
            # Where an option in its only slot is not taken, nothing is taken on it.
            alone = len(takable.slots) == 1
            inside = [inner if alone else both.where(one.taken, inner) for one in placed]
            pairs = zip(placed, inside, strict=True)
            placed = [one._replace(total=one.total + more) for one, more in pairs]
        self.candidate.options += placed
        if takable.option.on:
            self._put_on(takable)
        return placed

    def _standing(self, opens: list[Literal]) -> Iterator[Literal]:
        """Yield whether the option is in each slot: the first available, or the first."""
        both = self.constraints
        if len(opens) == 1:
            yield TRUE
            return
        for number, opened in enumerate(opens):
            first = both.all_of([opened, *(~before for before in opens[:number])])
            none = both.all_of([~one for one in opens])
            yield first if number else both.any_of([first, none])

    def _points_of(self, option: Option, number: Expression) -> Expression:
        """Return the points of an option that is taken so often."""
        both = self.constraints
        points = both.multiply(number, option.points.number(self.place))
        if option.each.base or option.each.changes:
            each = option.each.number(self.place)
            points = points + both.multiply(each, both.multiply(number, self.place.models))
        return points

    def _put_on(self, takable: Takable) -> None:
        """Make the unknowns of the piece that an enchantment is put on: one piece, or none."""
        both = self.constraints
        pieces = dict.fromkeys(piece for slot in takable.slots for piece in slot.option.on)
        if takable.was_on:
            pieces[takable.was_on] = None
        takable.on = {piece: both.yes_no() for piece in pieces}
        for literal in takable.on.values():
            both.require_any((~literal, takable.taken))
        both.require(Expression(0, dict.fromkeys(takable.on.values(), 1)), None, 1)
