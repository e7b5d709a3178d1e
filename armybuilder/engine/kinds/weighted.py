"""Kind "weighted": a sum over the whole list with a weight for each thing.

Events use it to limit shooting, war machines or monsters: a bolt thrower as half a machine.
"""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import End, read_end
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import SelectorIndex
from armybuilder.engine.space.constraints import TRUE
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.traits import MOUNT, known_stat
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.weights import Weight, Weights, fraction, read_weights
from armybuilder.engine.wording import marked, say


@dataclass(frozen=True, slots=True, eq=False)
class Weighted(Rule):
    """All is counted in parts of `whole`, so that a half is a whole number: where a machine counts
    1/2, `whole` is 2 and a machine one part.
    """

    kind: ClassVar[str] = "weighted"
    says: ClassVar[frozenset[str]] = frozenset(["sum", "number", "names"])
    plain: ClassVar[str] = marked("{summary} This list: {sum}; {bound} {number}.")
    weights: tuple[Weight, ...]
    whole: int
    minimum: End | None
    maximum: End | None
    name: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        weights, whole = read_weights(data["counts"], selector_index)
        low, high = read_end(data.get("min")), read_end(data.get("max"))
        return cls(head, weights, whole, low, high, data.get("gauge", ""))

    def make_bounds(self) -> Iterator[Bound]:
        query, name = Weights(self.weights), self.name if self.whole == 1 else ""
        yield Bound(self.head, query, self.minimum, self.maximum, name=name, whole=self.whole)

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        """Units that may count, where the bounds hang on them."""
        if self.settled(tally) is None:
            for line, _ in self._open(tally):
                what = say("may count towards: {rule}", rule=self.head.summary)
                yield of_line(line, line.name, what, "stat-line", str(self.head.citation))

    def settled(self, tally: Tally) -> bool | None:
        """Return whether the sum lies within its bounds; None where that hangs on the unknown."""
        (term,) = self.terms(tally)
        least = most = term.measured
        for line, weights in self._open(tally):
            for weight in weights:
                parts = tally.worth(line, weight.count.field, TRUE) * weight.parts
                if weight.count.selector.matches(line.tags):
                    least -= parts
                else:
                    most += parts
        low = least if term.low is None else term.low
        high = most if term.high is None else term.high
        if most < low or high < least:
            return False
        return True if low <= least and most <= high else None

    def _open(self, tally: Tally) -> Iterator[tuple[Line, list[Weight]]]:
        """Units of which it is unknown whether they count, and for what."""
        stats = tally.system.asked.stats
        for line in tally.lines:
            unknown = self._unknown(line, stats)
            weights = [
                one for one in self.weights if one.count.selector.hangs_on(line.tags, unknown)
            ]
            if weights:
                yield line, weights

    def _unknown(self, line: Line, stats: Set[str]) -> set[str]:
        """Return the kinds of tags that the unit may or may not have.

        A choice for the whole army isn't a model; facts known of a mount are known of its rider,
        unless the rider doesn't count.
        """
        if not line.unit.counts:
            return set()
        unknown = {stat for stat in stats if known_stat(stat) not in line.tags}
        mounted = line.tags | line.place.taken.keys()
        if MOUNT in mounted and not any(
            one.count.selector.matches(mounted) for one in self.weights
        ):
            unknown -= {stat for stat in stats if known_stat(stat) in mounted}
        if line.unit.sparse and not any(row.is_whole(stats) for row in line.unit.profiles):
            unknown.add("keyword")
        return unknown

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        bound = term.high if term.is_over else term.low
        return {
            "sum": fraction(term.measured, self.whole),
            "number": fraction(bound or 0, self.whole),
            "names": sorted({part.label for part in term.parts}),
        }
