"""Kind "cap": an army has no more of a unit or option than its book entry allows.

0-X units, models, mounts or options per army, where X scales with the game size by this rule; with
`one_of_a_kind`, things allowed once per army at any size. The Ninth Age, Rulebook 8.B.c.1, 8.B.c.2
and 8.C.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from armybuilder.engine.about import AboutCap
from armybuilder.engine.amounts import ONE, Amount
from armybuilder.engine.citations import Citation
from armybuilder.engine.conditions import Place
from armybuilder.engine.ends import Edge, Moving
from armybuilder.engine.fields import each_of, given
from armybuilder.engine.holding import TIMES, Held
from armybuilder.engine.kinds.limit import Limit
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Cap, Option
from armybuilder.engine.prices import Share
from armybuilder.engine.rules import Finding, Must, Rule
from armybuilder.engine.selectors import Selector, SelectorIndex
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import (
    MODELS,
    PICKS,
    POINTS,
    Part,
    Term,
    options_of,
    part_of,
    units_of,
)
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later, say

WHOLE = Share(1, 1)


@dataclass(frozen=True, slots=True)
class Scale:
    """The share of a cap that holds in games of `low` to `high` points (None: unbounded). `name`
    says in words what becomes of a cap there.
    """

    share: Share = given(read=Share.read)
    low: int | None = given("at_least", default=None)
    high: int | None = given("at_most", default=None)
    name: str = given(default="")

    def fits(self, limit: int) -> bool:
        """Return whether a game of this size is meant."""
        return (self.low is None or limit >= self.low) and (self.high is None or limit <= self.high)


@dataclass(frozen=True, slots=True, eq=False)
class CapRule(Rule):
    """Rule of caps.

    `besides`: units and options that another rule counts, so that none is reported twice.
    """

    kind: ClassVar[str] = "cap"
    by_held: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["name", "book", "what", "scaled"])
    lasts: ClassVar[bool] = True
    one_of_a_kind: bool = given(default=False)
    scales: tuple[Scale, ...] = given("scale", each_of(Scale), default=())
    besides: Selector | None = given(read=Selector.read, default=None)
    size_cite: str = given(default="")

    @property
    def carried(self) -> frozenset[str]:
        """Scaling, where caps follow the game size."""
        return frozenset({"scaling"} if self.scales else ())

    def judge(self, tally: Tally) -> Iterator[Finding]:
        for held, measured, allowed, amount, what in self._bounded(tally, over=True):
            yield self._finding(held, tally, measured, allowed, amount, what)

    def _bounded(
        self, tally: Tally, over: bool = False
    ) -> Iterator[tuple[Held[int], int, int, Amount, str]]:
        """Yield each holding with its number, the maximum by the strictest cap, that cap, and the
        field that it counts; `over`: only holdings above their maximum.
        """
        share, place = self._share_at(tally.roster.limit), tally.place
        for held in tally.held.values():
            tops: dict[str, tuple[int, Amount, int]] = {}
            if over and self.one_of_a_kind and held.counted(TIMES, tally) <= 1:
                continue
            for thing, (cap, _) in held.things.items():
                if self.one_of_a_kind and not cap.one_of_a_kind:
                    continue
                for what, amount in self._amounts(cap):
                    top = amount.scaled_at(place, share)
                    if top is None or (what in tops and top >= tops[what][0]):
                        continue
                    number = held.counted(what, tally)
                    if (not over or number > top) and self._counts(thing):
                        tops[what] = top, amount, number
            for what, (top, amount, number) in tops.items():
                yield held, number, top, amount, what

    def _finding(
        self, held: Held[int], tally: Tally, measured: int, allowed: int, amount: Amount, what: str
    ) -> Finding:
        """Return the finding, with the citation of the game size if that changed the cap."""
        head, scaled = self.head, ""
        full = amount.scaled_at(tally.place, WHOLE)
        if full != allowed:
            head = head.citing(self.size_cite)
            limit = tally.roster.limit
            name = next(scale.name for scale in self.scales if scale.fits(limit))
            scaled = say(" (0–{number}, {change})", number=full, change=name) if name else ""
        values = {"name": held.name, "book": held.book, "what": what, "scaled": scaled}
        about = AboutCap(held.key, what)
        return Finding(self, head, held.units, measured, allowed, values, about)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the army's holdings under each cap, in every bounded way."""
        for held, measured, allowed, _, what in self._bounded(tally):
            count = PICKS if what == TIMES else what
            parts, about = partial(_parts, held, tally, count), AboutCap(held.key, what)
            yield Term(self.head, count, measured, None, allowed, parts, about)

    def constrain(self, space: Space) -> None:
        share = self._share_at(space.roster.limit)
        for held in space.held.values():
            caps: dict[tuple[str, Amount], list[Literal]] = {}
            for thing, (cap, having) in held.things.items():
                for bounded in self._amounts(cap) if self._counts(thing) else ():
                    caps.setdefault(bounded, []).extend(having)
            for (what, amount), having in caps.items():
                top, exists = amount.scaled(space.place, share)
                if exists != FALSE:
                    # A cap of all that is held need not ask whether it is there.
                    of_all = len(having) == len(held.numbers)
                    when = () if of_all else (space.algebra.any_of(having),)
                    number, about = held.counted(what, space), AboutCap(held.key, what)
                    high = Edge(top, exists=exists)
                    space.bound(self.head, number, high=high, when=when, about=about)

    def must(self, entry: Must, selector_index: SelectorIndex) -> Rule:
        kind, _, name = entry.tag.partition(":")
        selector = Selector.read({kind: name})
        return Limit(
            head=replace(
                self.head,
                id=f"must-{entry.tag}",
                parent=self.head.id,
                pointer=f"{entry.book['id']}/{entry.tag}",
                code="cap.under",
                summary=Later("{unit} must be in the army.", unit=entry.name),
                citation=Citation(entry.book["name"], ""),
            ),
            count=PICKS,
            selector=selector,
            number=selector_index.add(selector),
            minimum=Moving(entry.number),
            what=entry.name,
        )

    def top(self, cap: Cap, place: Place) -> int | None:
        """Return how many units or options an army can have; None if this rule sets no bound."""
        if self.one_of_a_kind:
            return 1 if cap.one_of_a_kind else None
        return cap.number.scaled_at(place, self._share_at(place.limit))

    def _share_at(self, limit: int) -> Share:
        """Return the share of every cap that holds at a game size."""
        return next((scale.share for scale in self.scales if scale.fits(limit)), WHOLE)

    def _amounts(self, cap: Cap) -> tuple[tuple[str, Amount], ...]:
        """Return a cap's maximum of each field that it counts."""
        if self.one_of_a_kind:
            return ((TIMES, ONE),) if cap.one_of_a_kind else ()
        return cap.limits

    def _counts(self, thing: Unit | Option) -> bool:
        """Return whether a unit or option is counted here, not by another rule."""
        return self.besides is None or not self.besides.matches(thing.tags)


def _parts(held: Held[int], tally: Tally, count: str) -> Iterator[Part]:
    """Return the units that have what one cap counts, as a whole or among their options."""
    key = held.key
    for line, _ in held.owners:
        if line.unit.cap is not None and line.unit.cap.key == key:
            if count == PICKS:
                yield units_of(line)
            else:
                yield part_of(line, tally.worth(line, count, TRUE), each=int(count == MODELS))
        capped = [one for one in line.options if one.option.cap and one.option.cap.key == key]
        if capped:
            yield _of_options(line, capped, count)


def _of_options(line: Line, capped: list[Taken], count: str) -> Part:
    if count == MODELS:
        # The models of a unit count once, even if it has several things under the cap.
        part = options_of(line, ((taken, line.models) for taken in capped))
        return replace(part, amount=line.models)
    points = count == POINTS
    worth = ((one, one.total if points else one.number * line.units) for one in capped)
    return options_of(line, worth)
