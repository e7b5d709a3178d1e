"""Taste: preferences of a filling.

A player's wishes come first; besides these, chance prefers some units and options, so that each
seed gives another list; and a list should look as if somebody had chosen it: few factions, not many
of a kind, the best one leading.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from armybuilder.engine.constraining import PossibleLists
from armybuilder.engine.rulebook import doubts
from armybuilder.engine.space.candidates import Candidate, Takable
from armybuilder.engine.space.constraints import FALSE, Expression, Literal
from armybuilder.engine.traits import UNTOLD_EQUIPMENT
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Vocabulary, Wish
from armybuilder.solving.weights import TASTE, Taste


@dataclass(frozen=True, slots=True)
class Wishes:
    """A player's wishes: more models (`bodies` above 0) or fewer, expensive units (below), no unit
    twice, and more units that meet the game's `wishes` of these ids.
    """

    bodies: int = 0
    no_copies: bool = False
    more_of: frozenset[str] = frozenset()


NO_WISHES = Wishes()


def tastes(
    possible: PossibleLists, rng: Random, wishes: Wishes, weights: Taste = TASTE
) -> Expression:
    """Return the points of taste to minimise."""
    return _Tasting(possible, rng, wishes, weights).all()


def themes(unit: Unit, system: Vocabulary) -> tuple[str, ...]:
    """Return what units of a warband have in common: their factions, else their group in the book;
    nothing in games of units of many, where the book is the theme.
    """
    if system.sized:
        return ()
    first = next(iter(system.attributes), "")
    return unit.attributes.get(first, ()) or (unit.group,)


@dataclass
class _Tasting:
    possible: PossibleLists
    rng: Random
    wishes: Wishes
    weights: Taste

    def __post_init__(self) -> None:
        self.constraints = self.possible.constraints
        self.system = self.possible.catalogue.system
        self.total = Expression()

    def all(self) -> Expression:
        rng, liking = self.rng, self.weights.liking
        likings = {ref: rng.randint(-liking, liking) for ref in self.possible.catalogue.units}
        copies: dict[str, int] = {}
        for candidate in self.possible.candidates:
            ref = candidate.unit.ref
            if candidate.pick is None:
                copy = copies[ref] = copies.get(ref, -1) + 1
                self._new(candidate, likings[ref], copy)
            self._grown(candidate)
        self._themes()
        self._settings()
        for wish in self.system.wishes.values():
            if wish.always:
                self._once(wish)
            elif wish.id in self.wishes.more_of:
                self._more(wish)
        return self.total

    def _new(self, candidate: Candidate, liking: int, copy: int) -> None:
        weights, both, bodies = self.weights, self.constraints, self.wishes.bodies
        present = both.number(candidate.present)
        alone = candidate.unit.size is None
        open_ends = weights.unchecked * bool(candidate.unit.unchecked)
        self.total.add(present, liking + copy * weights.repeated + open_ends)
        if alone:
            self.total.add(candidate.size - present, weights.repeated)
            self.total.add(candidate.models, -bodies * weights.single)
        elif bodies < 0:
            self.total.add(present, weights.unit)
        price = candidate.unit.price.start or 0
        tags = candidate.unit.tags
        if candidate.unit.can_lead is not None:
            tags |= {"can:lead"}  # mostly; where it cannot, the rules say so
        for role, literal in candidate.free_roles.items():
            is_open = any(doubts(role, tags, self.system))
            liked = weights.unchecked if is_open else -(price // weights.leader)
            self.total.add(both.number(literal), liked)

    def _grown(self, candidate: Candidate) -> None:
        """Models and options, of new units and of those that are there."""
        weights, rng = self.weights, self.rng
        if candidate.unit.size is not None:
            body = rng.randint(-weights.model, weights.model)
            body -= weights.body * max(0, self.wishes.bodies)
            self.total.add(Expression.of(candidate.size_variable), body)
            self._large(candidate)
        for takable in candidate.takables:
            if takable.variable is not None:
                liking = rng.randint(-weights.option, weights.option) - weights.dressed
                if _is_open(candidate, takable):
                    liking = weights.unchecked
                self.total.add(Expression.of(takable.variable), liking)

    def _large(self, candidate: Candidate) -> None:
        """Add the cost of models beyond half of those that a unit may have above its minimum."""
        both, more = self.constraints, candidate.size_variable
        half = both.high[more] // 2
        if half < self.weights.few or self.wishes.bodies > 0:
            return
        large = both.whole(0, both.high[more] - half)
        both.require(Expression.of(large) - Expression.of(more), -half, None)
        self.total.add(Expression.of(large), self.weights.large)

    def _settings(self) -> None:
        """Return free choices of settings, by chance."""
        both, rng, liking = self.constraints, self.rng, self.weights.liking
        for literals in self.possible.free.values.values():
            for literal in literals.values():
                self.total.add(both.number(literal), rng.randint(1, liking))
        for variables in self.possible.free.pieces.values():
            for variable in variables.values():
                self.total.add(Expression.of(variable), rng.randint(1, liking))
                again = both.at_least(Expression.of(variable), 2)
                self.total.add(both.number(again), liking)
        for variable in self.possible.free.numbers.values():
            self.total.add(Expression.of(variable), liking)

    def _themes(self) -> None:
        """Each theme that units bring costs, more or less by chance; one suffices for a unit that
        has several.
        """
        weights, both, rng = self.weights, self.constraints, self.rng
        theirs = [(one, themes(one.unit, self.system)) for one in self.possible.candidates]
        names = sorted({name for _, named in theirs for name in named})
        if len(names) < 2:
            return
        chosen = {name: both.yes_no() for name in names}
        for name in names:
            price = weights.theme + rng.randint(-weights.liking, weights.liking)
            self.total.add(both.number(chosen[name]), price)
        for candidate, named in theirs:
            if named:
                both.require_any((~candidate.present, *(chosen[name] for name in named)))

    def _once(self, wish: Wish) -> None:
        met = [met_by(candidate, wish) for candidate in self.possible.candidates]
        found = self.constraints.any_of(one for one in met if one != FALSE)
        self.total.add(self.constraints.number(found), -self.weights.always)

    def _more(self, wish: Wish) -> None:
        for candidate in self.possible.candidates:
            met = met_by(candidate, wish)
            if candidate.pick is None and met != FALSE:
                self.total.add(self.constraints.number(met), -self.weights.wished)


def met_by(candidate: Candidate, wish: Wish) -> Literal:
    """Return whether a unit meets a wish by itself or by its options."""
    if wish.meets(candidate.unit):
        return candidate.present
    taken = (one.taken for one in candidate.takables if is_meant(wish, one))
    return candidate.constraints.any_of(taken)


def _is_open(candidate: Candidate, takable: Takable) -> bool:
    """Return whether the book leaves it open if the option may be taken."""
    if UNTOLD_EQUIPMENT in candidate.unit.tags and takable.option.on:
        return True
    holds = candidate.place.holds
    return any(
        slot.unchecked or any(holds(one) != holds(one, perhaps=True) for one in slot.unsure)
        for slot in takable.slots
    )


def is_meant(wish: Wish, takable: Takable) -> bool:
    """Return whether an option meets a wish."""
    return wish.of is not None and any(wish.of.matches(slot.option.tags) for slot in takable.slots)
