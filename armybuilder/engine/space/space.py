"""Spaces of lists, as rules see them; the counterpart of `tally`.

A space is one line-up. Rules ask it the same as a tally, and get expressions and literals instead
of numbers; they `require` their demands.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from armybuilder.engine.about import WHOLE_LIST, About
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import Edge
from armybuilder.engine.holding import Held, hold_all
from armybuilder.engine.roster import Roster
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Count, Selector
from armybuilder.engine.space.candidates import Candidate, Placed
from armybuilder.engine.space.constraints import (
    FALSE,
    TRUE,
    Expression,
    Literal,
    Owner,
    sum_of,
)
from armybuilder.engine.space.where import Where
from armybuilder.engine.view import View
from armybuilder.engine.vocabulary import Piece, Vocabulary


class Allegiances(NamedTuple):
    """The factions a warband may be of: a literal for each. `wrong`: it is open, and must not."""

    factions: Mapping[str, Literal]
    settled: Literal
    wrong: Literal


class SidesIn(Protocol):
    """The rule that makes the warband's faction."""

    def settle_in(self, space: Space) -> Allegiances:
        """Return the possible factions of a line-up."""
        ...

    def faction_of(self, attributes: Mapping[str, tuple[str, ...]]) -> str:
        """Return a unit's faction."""
        ...


@dataclass(eq=False)
class Space(View[Expression]):
    """One line-up of a space of lists.

    `place` is the army itself; `demanded`: pointers of the rules that certainly hold, since only
    legal lists are of interest.
    """

    roster: Roster
    system: Vocabulary
    candidates: tuple[Candidate, ...]
    place: Where
    sides: SidesIn | None
    lineup: str = ""
    demanded: Collection[str] = ()

    def __post_init__(self) -> None:
        army = self.place.army
        self.algebra = self.constraints = army.constraints
        self.free = army.free
        #: Whether units that aren't candidates may be present, so that nothing is too few.
        self.others = army.others is not None
        self.allegiances = Allegiances({}, FALSE, FALSE)
        if self.sides is not None:
            self.allegiances = self.sides.settle_in(self)
        self._crossing: dict[int, bool] = {}
        self._held: dict[str, Held[Expression]] | None = None
        self._lifts: dict[str, list[tuple[Candidate, Selector]]] = {}
        for candidate in self.candidates:
            for lift in candidate.unit.lifts:
                self._lifts.setdefault(lift.rule, []).append((candidate, lift.selector))

    # Demands

    def owner(self, head: RuleHead, about: About = WHOLE_LIST) -> Owner:
        """Return who demands something here."""
        return Owner(head, about, self.lineup)

    def forbid(self, head: RuleHead, *literals: Literal, about: About = WHOLE_LIST) -> None:
        """Not all of some literals hold."""
        self.constraints.require_any((~one for one in literals), self.owner(head, about))

    def bound(
        self,
        head: RuleHead,
        number: Expression,
        low: Edge[Expression] | None = None,
        high: Edge[Expression] | None = None,
        when: tuple[Literal, ...] = (),
        about: About = WHOLE_LIST,
        alone: bool = False,
    ) -> None:
        """A number reaches one bound and does not exceed the other, where all of `when` hold.
        `alone`: no other unit can add to it.
        """
        require, owner = self.constraints.require, self.owner(head, about)
        if low is not None and (alone or not self.others):
            over = number * low.times - low.value
            if self.constraints.range_of(over)[1] < 0 and self.constraints.may_be_cut(over):
                self.constraints.out_of_reach.append(head)
            require(over, 0, None, (*when, low.exists), owner)
        if high is not None:
            require(number * high.times - high.value, None, 0, (*when, high.exists), owner)

    # Who is meant

    def faction_of(self, member: Candidate) -> str:
        """Return a member's faction; "" in games without factions."""
        return self.sides.faction_of(member.unit.attributes) if self.sides else ""

    @property
    def factions(self) -> Iterator[tuple[str | None, Literal]]:
        """Return each faction that the warband may be of, with whether it is."""
        yield from self.allegiances.factions.items()
        yield None, ~self.allegiances.settled

    def cross(self, candidate: Candidate) -> Literal:
        """Return whether it is of another faction than the warband."""
        if self.sides is None:
            return FALSE
        own = self.allegiances.factions.get(self.faction_of(candidate), FALSE)
        return self.constraints.all_of([self.allegiances.settled, ~own])

    def in_role(self, role: str) -> Iterator[tuple[Candidate, Literal]]:
        """Return who may have a role, with whether it has."""
        having = ((candidate, candidate.has_role(role)) for candidate in self.candidates)
        return (one for one in having if one[1] != FALSE)

    def is_meant(self, candidate: Candidate, selector: Selector) -> Literal:
        if self.sides is None:
            return candidate.matches(selector)
        crosses = self._crossing.get(id(selector))
        if crosses is None:
            crosses = self._crossing[id(selector)] = selector.mentions(CROSS_FACTION)
        return candidate.matches(selector, self.cross(candidate) if crosses else FALSE)

    def matched(self, selector: Selector, rule: str = "") -> Iterator[tuple[Candidate, Literal]]:
        for candidate in self.candidates:
            spared = self.spared(rule, candidate)
            meant = candidate.there(self.is_meant(candidate, selector))
            if spared != FALSE:
                meant = self.constraints.all_of([meant, ~spared])
            if meant != FALSE:
                yield candidate, meant

    def spared(self, rule: str, member: Candidate) -> Literal:
        """Return whether a unit on the list lifts a rule from a member."""
        lifts, both = self._lifts.get(rule), self.constraints
        if lifts is None:
            return FALSE
        return both.any_of(
            both.all_of([lifting.present, member.matches(selector)]) for lifting, selector in lifts
        )

    def options(self, candidate: Candidate, number: int | None) -> Iterator[tuple[Placed, Literal]]:
        """Return the options of a unit that count by the selector of a number, which does not speak
        of the unit as a whole, each with whether it is taken and counts so. None: all options.
        """
        if number is None:
            yield from ((placed, placed.taken) for placed in candidate.options)
            return
        counting = candidate.placed_by.get(number)
        if not counting:
            return
        whole = self.is_meant(candidate, self.system.selector_index.selectors[number])
        if whole == TRUE:
            return
        if whole == FALSE:
            yield from ((placed, placed.taken) for placed in counting)
            return
        for placed in counting:
            yield placed, self.constraints.all_of([placed.taken, ~whole])

    def has_option(self, candidate: Candidate, number: int) -> Literal:
        return self.constraints.any_of(taken for _, taken in self.options(candidate, number))

    def times(self, placed: Placed, counted: Literal) -> Expression:
        """Return how often an option is taken where a literal holds."""
        if counted == placed.taken:
            return placed.number
        return self.constraints.where(counted, placed.number)

    # Numbers of the list

    @property
    def members(self) -> tuple[Candidate, ...]:
        return self.candidates

    def having(
        self, number: int | None
    ) -> Iterator[tuple[Candidate, list[tuple[Placed, Expression]]]]:
        for candidate in self.candidates:
            counting = self.options(candidate, number)
            items = [(placed, self.times(placed, counted)) for placed, counted in counting]
            if not sum_of(times for _, times in items).is_constant:
                yield candidate, items

    @property
    def held(self) -> dict[str, Held[Expression]]:
        """Possible holdings under each cap, once all candidates are computed."""
        if self._held is None:
            self._held = hold_all(self)
        return self._held

    def all_models(self) -> Expression:
        total = sum_of(candidate.models for candidate in self.candidates)
        return total.add(self.constraints.open_number()) if self.others else total

    def counted(self, count: Count) -> Expression:
        total, selector, field = Expression(), count.selector, count.field
        if selector == EVERYTHING and field == "points":
            total.add(self.setting_points())
        parts_count = field != "units" and not count.crosses
        for candidate in self.candidates:
            free = ~self.spared(count.rule, candidate)
            meant = self.is_meant(candidate, selector)
            sure = free == TRUE
            whole = meant if sure else self.constraints.all_of([meant, free])
            if whole != FALSE:
                total.add(self.worth(candidate, field, whole))
            if meant != TRUE and parts_count and selector.clauses:
                apart = ~meant if sure else self.constraints.all_of([~meant, free])
                total.add(self._parts(candidate, apart, count))
        return total

    def worth(self, member: Candidate, count: str, meant: Literal) -> Expression:
        if count in ("points", "price"):
            points = member.points if count == "points" else member.each
            return self.constraints.where(meant, points)
        if count == "models":
            return self.constraints.where(meant, member.models)
        return member.units(meant)

    def _parts(self, candidate: Candidate, meant: Literal, counted: Count) -> Expression:
        """Return what options of a unit add, and the price of its models if that counts alone."""
        both, total = self.constraints, Expression()
        selector, number, count = counted.selector, counted.number, counted.field
        models_in = candidate.unit.models_in
        if count == "points" and models_in and selector.matches(models_in):
            total.add(both.where(meant, candidate.points - candidate.option_points))
        for placed, _ in self.options(candidate, number):
            if count == "points":
                above = [
                    one.taken for one in placed.above if selector.matches(one.slot.option.tags)
                ]
                outermost = both.all_of([meant, *(~one for one in above)])
                total.add(both.where(outermost, placed.total))
            elif count == "models":
                total.add(both.where(both.all_of([meant, placed.taken]), candidate.models))
            else:
                total.add(both.where(meant, candidate.on_all(placed.number)))
        return total

    # Settings

    def pieces(self, setting: str, meant: Callable[[Piece], Literal]) -> Expression:
        values, both = self.system.settings[setting].values, self.constraints
        pieces, one = self.free.pieces.get(setting), self.free.values.get(setting)
        if pieces is not None:
            chosen = [(key, Expression.of(variable)) for key, variable in pieces.items()]
        elif one is not None:
            chosen = [(key, both.number(literal)) for key, literal in one.items()]
        else:
            fixed = (key for key in self.roster.chosen(setting) if key in values)
            chosen = [(key, Expression(1)) for key in fixed]
        return sum_of(both.where(meant(values[key]), number) for key, number in chosen)

    def among(self, setting: str, values: Set[str | int] | range) -> Literal:
        """Return whether a setting, free or not, has one of some values."""
        return self.place.army.among(setting, values)

    def setting_points(self) -> Expression:
        """Return the points that settings cost, such as tactical advantage."""
        total = Expression()
        for setting in self.system.settings.values():
            if not setting.points:
                continue
            variable = self.free.numbers.get(setting.id)
            value = self.roster.settings.get(setting.id)
            if variable is not None:
                total.add(Expression.of(variable), setting.points)
            elif isinstance(value, int):
                total.add(value * setting.points)
        return total
