"""Work out prices of candidates and the bounds of their entries: the counterpart of `loadout`."""

from __future__ import annotations

from collections.abc import Iterator

from armybuilder.engine.amounts import Amount
from armybuilder.engine.entry_bounds import Bounded, EntryBound, EntryBounds, Literals, Needs
from armybuilder.engine.options import Option, Slot
from armybuilder.engine.space.candidates import Candidate, Level, Placed, Takable
from armybuilder.engine.space.constraints import FALSE, NOTHING, TRUE, Expression, Literal, sum_of


def work_out(candidate: Candidate) -> None:
    """State a candidate's cost and its entry's bounds, once all candidates are there."""
    _Work(candidate).work_out()


class _Work(EntryBounds[Expression]):
    """The walk over the possible options of one candidate."""

    one = Expression(1)

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.constraints = candidate.constraints
        self.where = candidate.place

    def work_out(self) -> None:
        """State all of it."""
        one, unit = self.candidate, self.candidate.unit
        options = one.option_points = self._work_level(one.root, ())
        self.unit(unit, one.size, one.present)
        present = TRUE if unit.size is None else one.present
        one.points = one.each = self._price_of(self.where.models, present) + options
        if unit.size is None:
            self._price_all()

    def _price_all(self) -> None:
        """State the price of models bought singly, so far of one, and by roles."""
        both, one = self.constraints, self.candidate
        one.points, one.option_points = one.on_all(one.each), one.on_all(one.option_points)
        one.options = [
            placed._replace(points=one.on_all(placed.points), total=one.on_all(placed.total))
            for placed in one.options
        ]
        for role, known in one.system.roles.items():
            has, share = one.has_role(role), known.price
            if share is not None and has != FALSE:
                paid = both.quotient(one.each * share.numerator, share.denominator, up=True)
                one.points = both.choose(has, one.on_all(paid), one.points)

    def opened(self, needs: Needs) -> Literal:
        return self.constraints.all_of(self.where.holds(one, perhaps=True) for one in needs)

    def least(
        self, what: Bounded, number: Expression, least: Amount, there: Literal, needs: Needs
    ) -> None:
        over = number - least.number(self.where)
        when = (there, *map(self.where.holds, needs))
        self.candidate.entry.append(EntryBound(*what, over, 0, None, when))

    def most(
        self, what: Bounded, number: Expression, most: Amount, taken: Literals, *when: Literal
    ) -> None:
        range_of = self.constraints.range_of
        if not most.changes and (most.base is None or range_of(number)[1] <= most.base):
            return
        top, exists = most.bounded(self.where)
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
        start, extra = (cost.number(self.where) for cost in unit.costs)
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
        inside: dict[int, list[Placed]] = {}
        for takable in level.options.values():
            if takable.taken == FALSE:
                continue
            for placed in self._work_option(takable, above):
                total.add(placed.total)
                for group in placed.slot.groups:
                    inside.setdefault(id(group), []).append(placed)
        self._bound_groups(level, inside)
        self._bound_demands(level, inside)
        return total

    def _work_option(self, takable: Takable, above: tuple[Placed, ...]) -> list[Placed]:
        """Return an option in each of its slots; it is in the first available one."""
        both = self.constraints
        opens = [self.opened(slot.needs) for slot in takable.slots]
        found = []
        for slot, opened, here in zip(takable.slots, opens, self._standing(opens), strict=True):
            taken = both.all_of([here, takable.taken])
            if taken == FALSE:
                continue
            number = both.where(here, takable.number)
            self.option(slot, takable.path, number, taken, opened)
            found.append(self._priced(slot, takable, taken, number, above))
        inner = Expression()
        if takable.level is not None:
            inner = self._work_level(takable.level, (*above, *found))
        if not inner.terms and not inner.constant:
            done = found
        elif len(takable.slots) == 1:
            # Where it is not taken, nothing is taken on it.
            done = [one._replace(total=one.points + inner) for one in found]
        else:
            done = [one._replace(total=one.points + both.where(one.taken, inner)) for one in found]
        self.candidate.options += done
        if takable.option.on:
            self._put_on(takable)
        return done

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

    def _priced(
        self,
        slot: Slot,
        takable: Takable,
        taken: Literal,
        number: Expression,
        above: tuple[Placed, ...],
    ) -> Placed:
        both, option = self.constraints, slot.option
        if option.points.changes:
            points = both.multiply(number, option.points.number(self.where))
        else:
            points = number * (option.points.base or 0)
        if option.each.base or option.each.changes:
            each = option.each.number(self.where)
            points = points + both.multiply(each, both.multiply(number, self.where.models))
        return Placed(slot, takable.path, taken, number, points, points, above)

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

    def _bound_groups(self, level: Level, inside: dict[int, list[Placed]]) -> None:
        for parts in inside.values():
            group = next(one for one in parts[0].slot.groups if inside.get(id(one)) is parts)
            number = sum_of(placed.number for placed in parts)
            points = sum_of(placed.total for placed in parts)
            taken = [placed.taken for placed in parts]
            self.group(group, (*level.path, group.id), number, points, taken)

    def _bound_demands(self, level: Level, inside: dict[int, list[Placed]]) -> None:
        for demand in level.offer.demands:
            node = demand.node
            if isinstance(node, Option):
                takable = level.options.get(node.id)
                number = takable.number if takable else NOTHING
            else:
                number = sum_of(placed.number for placed in inside.get(id(node), ()))
            self.demand(demand, (*level.path, node.id), number, level.present)
