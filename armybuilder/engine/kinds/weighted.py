"""Kind "weighted": a sum over the whole list in which each thing counts for so much.

Events bound shooting, war machines or monsters so: a bolt thrower for half a machine.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound, limits_of, read_bound
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Limits, Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PICKS, Part, Term, part_of
from armybuilder.engine.traits import MOUNT, known_stat
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.weights import Weight, fraction, parts_in, read_weights
from armybuilder.engine.wording import marked, say


@dataclass(frozen=True, slots=True, eq=False)
class Weighted(Rule):
    """All is counted in parts of `whole`, so that a half is a whole number: where a machine counts
    1/2, `whole` is 2 and a machine one part.
    """

    kind: ClassVar[str] = "weighted"
    says: ClassVar[frozenset[str]] = frozenset(["sum", "number", "names"])
    plain: ClassVar[str] = marked("{summary} Here: {sum}, {bound} {number}.")
    weights: tuple[Weight, ...]
    whole: int
    minimum: Bound | None
    maximum: Bound | None
    name: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        weights, whole = read_weights(data["counts"], selector_index)
        low, high = read_bound(data.get("min")), read_bound(data.get("max"))
        return cls(head, weights, whole, low, high, data.get("gauge", ""))

    def measure(self, tally: Tally) -> int:
        """Return the sum in a line-up, in parts."""
        return parts_in(self.weights, tally)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the one sum it bounds, in parts; drawn on pages where a part is a whole."""
        yield Term(
            self.head,
            "weighted",
            self.measure(tally),
            *self._bounds(tally),
            partial(self._parts, tally),
            name=self.name if self.whole == 1 else "",
            minimum=self.minimum,
            maximum=self.maximum,
        )

    def is_kept(self, tally: Tally) -> bool:
        """Return whether the sum lies within its bounds."""
        return not any(term.is_over or term.is_short for term in self.terms(tally))

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        """Units that may count, where the bounds hang on them."""
        if self.settled(tally) is None:
            for line, _ in self._open(tally):
                what = say("it may count here: {rule}", rule=self.head.summary)
                yield of_line(line, line.name, what, "stat-line", str(self.head.citation))

    def settled(self, tally: Tally) -> bool | None:
        """Return whether the sum lies within its bounds; None where that hangs on the unknown."""
        least = most = self.measure(tally)
        for line, weights in self._open(tally):
            for weight in weights:
                parts = line.units if weight.count == PICKS else getattr(line, weight.count)
                if weight.selector.matches(line.tags):
                    least -= parts * weight.parts
                else:
                    most += parts * weight.parts
        low, high = self._bounds(tally)
        low, high = least if low is None else low, most if high is None else high
        if most < low or high < least:
            return False
        return True if low <= least and most <= high else None

    def _open(self, tally: Tally) -> Iterator[tuple[Line, list[Weight]]]:
        """Units of which it is unknown whether they count, and for what."""
        stats = tally.system.asked.stats
        for line in tally.lines:
            unknown = self._unknown(line, stats)
            weights = [one for one in self.weights if one.selector.hangs_on(line.tags, unknown)]
            if weights:
                yield line, weights

    def _unknown(self, line: Line, stats: Set[str]) -> set[str]:
        """Return the kinds of tags of which it is unknown whether the unit has more. A choice for
        the whole army is no model; what is certain of a mount is so of who rides it, where that
        does not count.
        """
        if not line.unit.counts:
            return set()
        unknown = {stat for stat in stats if known_stat(stat) not in line.tags}
        mounted = line.tags | line.place.taken.keys()
        if MOUNT in mounted and not any(one.selector.matches(mounted) for one in self.weights):
            unknown -= {stat for stat in stats if known_stat(stat) in mounted}
        if line.unit.sparse and not any(row.is_whole(stats) for row in line.unit.profiles):
            unknown.add("keyword")
        return unknown

    def _bounds(self, tally: Tally) -> tuple[int | None, int | None]:
        """Return both bounds in a line-up, in parts."""
        ends = (
            None if self.minimum is None else self.minimum.lower(tally),
            None if self.maximum is None else self.maximum.upper(tally),
        )
        low, high = (None if end is None else end * self.whole for end in ends)
        return low, high

    def army_tags(self) -> set[str]:
        bounds = filter(None, (self.minimum, self.maximum))
        return {tag for bound in bounds for tag in bound.army_tags()}

    def constrain(self, space: Space) -> None:
        low, high = self._limits(space)
        space.bound(self.head, self._sum(space), low=low, high=high)

    def kept_in(self, space: Space) -> Literal:
        """Return whether the sum of lists that may be lies within its bounds."""
        both, number = space.constraints, self._sum(space)
        low, high = self._limits(space)
        kept = []
        if low is not None:
            enough = both.at_least(number * low.times - low.low, 0)
            kept.append(both.any_of([enough, ~low.exists]))
        if high is not None:
            few = both.at_least(high.high - number * high.times, 0)
            kept.append(both.any_of([few, ~high.exists]))
        return both.all_of(kept)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        bound = term.high if term.is_over else term.low
        return {
            "sum": fraction(term.measured, self.whole),
            "number": fraction(bound or 0, self.whole),
            "names": sorted({part.label for part in term.parts}),
        }

    def _sum(self, space: Space) -> Expression:
        total = Expression()
        for weight in self.weights:
            counted = space.counted(weight.count, weight.selector, weight.number, self.head.id)
            total.add(counted, weight.parts)
        return total

    def _limits(self, space: Space) -> tuple[Limits | None, Limits | None]:
        """Return both bounds, in parts."""
        low, high = limits_of(self.minimum, space), limits_of(self.maximum, space)
        return low and _in_parts(low, self.whole), high and _in_parts(high, self.whole)

    def _parts(self, tally: Tally) -> Iterator[Part]:
        lines: dict[str, tuple[Line, int]] = {}
        for weight in self.weights:
            for one, parts in weight.contributions(tally):
                _, had = lines.get(one.line.pick.id, (one.line, 0))
                lines[one.line.pick.id] = one.line, had + parts
        for line, parts in lines.values():
            if parts:
                yield part_of(line, parts, parts // line.units if line.unit.size is None else 0)


def _in_parts(limits: Limits, whole: int) -> Limits:
    return Limits(limits.low * whole, limits.high * whole, limits.times, limits.exists)
