"""Kind "cap": the army holds no more of a unit or option than its book entry allows.

0-X units, models, mounts or options per army, where X scales with the game size by this rule and
is not written per cap; with `one_of_a_kind`, what there is once per army whatever its size.
The Ninth Age, Rulebook 8.B.c.1, 8.B.c.2 and 8.C.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

from armybuilder.engine.about import AboutCap
from armybuilder.engine.amounts import Amount
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.options import Cap
from armybuilder.engine.prices import Share
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Held, Standing
from armybuilder.engine.tallies import Tallies
from armybuilder.engine.wording import say

WHOLE = Share(1, 1)


class Scale(NamedTuple):
    """The share of a cap that holds in games of `low` to `high` points (None: unbounded). `name`
    says in words what becomes of a cap there.
    """

    share: Share
    low: int | None = None
    high: int | None = None
    name: str = ""

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
    size_cite: str = ""

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        scales = tuple(
            Scale(
                Share.read(entry["share"]),
                entry.get("at_least"),
                entry.get("at_most"),
                entry.get("name", ""),
            )
            for entry in data.get("scale", ())
        )
        besides = Selector.read(data["besides"]) if "besides" in data else None
        lone, size_cite = data.get("one_of_a_kind", False), data.get("size_cite", "")
        return cls(head, lone, scales, besides, size_cite)

    def judge(self, standing: Standing) -> Iterator[Finding]:
        share = self.share(standing)
        for held in standing.held.values():
            for measured, amount, what in self._checks(held):
                allowed = 1 if amount is None else amount.scaled(standing.place, share)
                if allowed is not None and measured > allowed and not self._is_besides(held):
                    yield self._finding(held, standing, measured, allowed, amount, what)

    def _finding(
        self,
        held: Held,
        standing: Standing,
        measured: int,
        allowed: int,
        amount: Amount | None,
        what: str,
    ) -> Finding:
        """Where the game size changed the cap, that is said and cited."""
        head, scaled = self.head, ""
        full = allowed if amount is None else amount.scaled(standing.place, WHOLE)
        if full != allowed:
            head = head.citing(self.size_cite)
            limit = standing.roster.limit
            name = next(scale.name for scale in self.scales if scale.fits(limit))
            scaled = say(" (0–{number}, {change})", number=full, change=name) if name else ""
        values = {"name": held.name, "book": held.book, "what": what, "scaled": scaled}
        about = AboutCap(held.cap.key, what)
        return Finding(self, head, tuple(held.units), measured, allowed, values, about)

    def top(self, cap: Cap, standing: Standing) -> int | None:
        """How many units or options the army may hold; None where this rule sets no bound."""
        if self.one_of_a_kind:
            return 1 if cap.one_of_a_kind else None
        return cap.number.scaled(standing.place, self.share(standing))

    def share(self, standing: Standing) -> Share:
        """The share of every cap that holds at this game size."""
        limit = standing.roster.limit
        return next((scale.share for scale in self.scales if scale.fits(limit)), WHOLE)

    def _is_besides(self, held: Held) -> bool:
        return self.besides is not None and self.besides.matches(held.tags)

    def _checks(self, held: Held) -> Iterator[tuple[int, Amount | None, str]]:
        """What is held, the cap of that (None: one), and what is counted."""
        cap = held.cap
        if self.one_of_a_kind:
            if cap.one_of_a_kind:
                yield held.number, None, "times"
            return
        yield held.number, cap.number, "times"
        yield held.models, cap.models, "models"
        yield held.points, cap.points, "points"
