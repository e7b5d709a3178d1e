"""Work out prices of candidates and the bounds of their entries: the counterpart of `loadout`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armybuilder.engine.amounts import NONE, Amount
from armybuilder.engine.loadout import Path
from armybuilder.engine.options import Option, Slot
from armybuilder.engine.space.candidates import Candidate, EntryBound, Level, Placed, Takable
from armybuilder.engine.space.constraints import FALSE, NOTHING, TRUE, Expression, Literal, sum_of


def work_out(candidate: Candidate) -> None:
    """State a candidate's cost and its entry's bounds, once all candidates are there."""
    _Work(candidate).work_out()


class _Work:
    """The walk over the possible options of one candidate."""

    def __init__(self, candidate: Candidate) -> None:
        self.candidate = candidate
        self.constraints = candidate.constraints
        self.where = candidate.place

    def work_out(self) -> None:
        """State all of it."""
        one, unit = self.candidate, self.candidate.unit
        options = one.option_points = self._work_level(one.root, ())
        self._bound_size()
        if unit.needs is not None:
            refused = ~self.where.told(unit.needs)[1]
            self._bar((), one.present, refused)
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

    def _bound(
        self,
        aspect: str,
        path: Path | None,
        number: Expression,
        low: int | None,
        high: int | None,
        *when: Literal,
    ) -> None:
        bound = EntryBound(path, number, low, high, when)
        self.candidate.entry.setdefault(aspect, []).append(bound)

    def _bound_most(
        self,
        aspect: str,
        path: Path | None,
        number: Expression,
        most: Amount,
        taken: Sequence[Literal],
        *when: Literal,
    ) -> None:
        """Bound an amount that is nothing unless some of it is `taken`: most bounds then hold by
        themselves, and needn't ask for it."""
        if not most.changes:
            base = most.base
            if base is None or self.constraints.range_of(number)[1] <= base:
                return
        top, bounded = most.in_space(self.where)
        if self.constraints.range_of(top)[0] < 0:
            when = (self.constraints.any_of(taken), *when)
        self._bound(aspect, path, number - top, None, 0, bounded, *when)

    def _bar(self, path: Path | None, *when: Literal) -> None:
        """Forbid an option here altogether."""
        self._bound("unavailable", path, Expression(1), None, 0, *when)

    def _bound_size(self) -> None:
        one = self.candidate
        if one.unit.size is not None and one.unit.counts:
            low, _ = one.unit.size[0].in_space(self.where)
            self._bound("too-small", None, one.size - low, 0, None, one.present)
            self._bound_most("too-large", None, one.size, one.unit.size[1], [one.present])

    def _price_of(self, models: Expression, present: Literal) -> Expression:
        """Points of the unit without its options."""
        both, price, unit = self.constraints, self.candidate.unit.price, self.candidate.unit
        if price.start is None and not unit.price_changes:
            return NOTHING
        start, extra = (cost.number_in(self.where) for cost in unit.costs)
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
        both, told = self.constraints, self.where.told
        opens = [
            both.all_of(told(condition)[1] for condition in slot.needs) for slot in takable.slots
        ]
        found = []
        for slot, opened, here in zip(takable.slots, opens, self._standing(opens), strict=True):
            taken = both.all_of([here, takable.taken])
            if taken == FALSE:
                continue
            number = both.where(here, takable.number)
            if opened != TRUE:
                self._bar(takable.path, taken, ~opened)
            self._bound_most("too-often", takable.path, number, slot.option.most, [taken], opened)
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
            points = both.multiply(number, option.points.number_in(self.where))
        else:
            points = number * (option.points.base or 0)
        if option.each.base or option.each.changes:
            each = option.each.number_in(self.where)
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
            path = (*level.path, group.id)
            taken = [placed.taken for placed in parts]
            if group.most != NONE:
                number = sum_of(placed.number for placed in parts)
                self._bound_most("group-over", path, number, group.most, taken)
            if group.allowance != NONE:
                points = sum_of(placed.total for placed in parts)
                self._bound_most("allowance", path, points, group.allowance, taken)

    def _bound_demands(self, level: Level, inside: dict[int, list[Placed]]) -> None:
        for node, needs in level.offer.demands:
            if isinstance(node, Option):
                takable = level.options.get(node.id)
                number = takable.number if takable else NOTHING
            else:
                number = sum_of(placed.number for placed in inside.get(id(node), ()))
            least = node.least.number_in(self.where)
            when = (level.present, *map(self.where.holds, needs))
            path = (*level.path, node.id)
            self._bound("group-under", path, number - least, 0, None, *when)
