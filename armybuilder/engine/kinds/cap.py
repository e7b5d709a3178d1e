"""Kind "cap": the army holds no more of a unit or option than its book entry allows.

0-X units, models, mounts or options per army, where X scales with the game size by this rule and
is not written per cap; with `one_of_a_kind`, what there is once per army whatever its size.
The Ninth Age, Rulebook 8.B.c.1, 8.B.c.2 and 8.C.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.options import Cap
from armybuilder.engine.prices import Share
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Held, Standing
from armybuilder.engine.tallies import Tallies


class Scale(NamedTuple):
    """The share of a cap that holds in games of `low` to `high` points (None: unbounded)."""

    share: Share
    low: int | None = None
    high: int | None = None

    def fits(self, limit: int) -> bool:
        """Whether a game of this size is meant."""
        return (self.low is None or limit >= self.low) and (self.high is None or limit <= self.high)


@dataclass(frozen=True, slots=True, eq=False)
class CapRule(Rule):
    """`besides`: units and options that another rule counts, so that none is told of twice."""

    kind: ClassVar[str] = "cap"
    one_of_a_kind: bool
    scales: tuple[Scale, ...]
    besides: Selector | None = None

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        scales = tuple(
            Scale(Share.read(entry["share"]), entry.get("at_least"), entry.get("at_most"))
            for entry in data.get("scale", ())
        )
        besides = Selector.read(data["besides"]) if "besides" in data else None
        return cls(head, data.get("one_of_a_kind", False), scales, besides)

    def judge(self, standing: Standing) -> Iterator[Finding]:
        share = self.share(standing)
        for held in standing.held.values():
            for measured, allowed, what in self._checks(held, standing, share):
                if allowed is not None and measured > allowed and not self._is_besides(held):
                    values = {"name": held.name, "book": held.book, "what": what}
                    subject = f"{held.cap.key} {what}"
                    yield Finding(self.head, tuple(held.units), measured, allowed, values, subject)

    def _is_besides(self, held: Held) -> bool:
        return self.besides is not None and self.besides.matches(held.tags)

    def top(self, cap: Cap, standing: Standing) -> int | None:
        """How many units or options the army may hold; None where this rule sets no bound."""
        if self.one_of_a_kind:
            return 1 if cap.one_of_a_kind else None
        return cap.number.scaled(standing.place, self.share(standing))

    def share(self, standing: Standing) -> Share:
        """The share of every cap that holds at this game size."""
        limit = standing.roster.limit
        return next((scale.share for scale in self.scales if scale.fits(limit)), Share(1, 1))

    def _checks(
        self, held: Held, standing: Standing, share: Share
    ) -> Iterator[tuple[int, int | None, str]]:
        cap, place = held.cap, standing.place
        if self.one_of_a_kind:
            if cap.one_of_a_kind:
                yield held.number, 1, "times"
            return
        yield held.number, cap.number.scaled(place, share), "times"
        yield held.models, cap.models.scaled(place, share), "models"
        yield held.points, cap.points.scaled(place, share), "points"
