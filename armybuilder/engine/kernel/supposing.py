"""Evaluation of a list with one thing more, without evaluating all of it again.

`Supposed` is a list's evaluation with an addition at its place: its price, and the bounds that
count it and would be broken.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from fractions import Fraction
from itertools import takewhile
from typing import Final

from armybuilder.engine.kernel.branches import (
    Answers,
    BoundKey,
    Branch,
    Breach,
    Node,
    PlacedBound,
    Why,
)
from armybuilder.engine.kernel.conditions import FORCES, NUMBER, Each, Number, Scope, divided
from armybuilder.engine.kernel.counting import is_inside, place_of
from armybuilder.engine.kernel.definitions import Bound, Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick

#: Additions come after all existing picks.
_BEHIND: Final = Fraction(1, 2)


class Supposed(Evaluation):
    """A list with more on one of its picks, or in a force (`on`).

    `root` is the added pick, `extra` that and the picks it brings, `prices` their costs other than
    0. Existing picks keep their prices and categories.
    """

    def __init__(self, evaluation: Evaluation, on: Node) -> None:
        vars(self).update(vars(evaluation))
        self.on = on
        self.root = on
        self.extra: list[Node] = []
        self.prices: dict[str, Number] = {}
        self._more: dict[str, int] = {}
        self._was: dict[Node, Node] = {}
        self._around = dict.fromkeys(on.chain())
        self._answers = _own(evaluation._answers)
        self._still_answers = _own(evaluation._still_answers)
        self._still_costs = {}
        self._standing = {}
        self._twig = None if on.branch is None else copy(on.branch)
        if self._twig is not None:
            self._twig.asked, self._twig.unpriced = {}, []
        #: The moves that affect, or may affect, the added picks.
        self._moved_here = [
            one for branch in self.all_branches() for one in branch.moves if one.is_wide
        ]
        if on.branch is not None:
            self._moved_here += (one for one in on.branch.moves if one.at in self._around)
        self._placed: dict[BoundKey, PlacedBound] = {}
        self._by_tag: dict[str, list[BoundKey]] = {}
        self._known: dict[BoundKey, tuple[Number, Number]] = {}
        self._find_bounds(evaluation)

    def _find_bounds(self, evaluation: Evaluation) -> None:
        """Index the upper bounds that may count the added picks, by the tags that they count."""
        placed = {key: judged.placed for key, judged in evaluation._judged.items()}
        if self.on.branch is not None:
            placed |= self._bounds_in(self.on.branch)
        for force in (node for node in self._around if node in self.branches):
            for bound in force.definition.tops:
                at = self.within(bound.query.scope, force)
                if at is not None:
                    key = BoundKey(at, bound.id, bound.query.tag)
                    placed[key] = PlacedBound(bound, force.above or self.top, force)
        for key, one in placed.items():
            if one.bound.high is not None and key.at in self._around:
                self._placed[key] = one
                within = one.bound.query.scope is Scope.SELF and key.at.branch is not None
                of_all = within or key.tag in self.on.force.tags
                self._by_tag.setdefault("" if of_all else key.tag, []).append(key)

    # Additions

    def take(self, definition: Definition, number: int = 1) -> Node:
        """Suppose an addition in place of the former one."""
        self.extra, self._more, self._was = [], {}, {}
        pick = Pick("", definition, number)
        if self._twig is None:
            self.root = Branch(pick, self.on).root
        else:
            self.root = Node(definition, self.on, pick, self._twig)
        self._put(self.root)
        return self.root

    def swell(self, was: Node, pick: Pick) -> Node:
        """Suppose that a pick below `on` is another, of the same with the same on it."""
        self.extra, self._more, self._was = [], {}, {}
        self.root = self._grown(was, pick, self.on)
        for node in (was, *was.walk()):
            for tag in ("", *node.tags):
                self._more[tag] -= node.number
        return self.root

    def _grown(self, was: Node, pick: Pick, above: Node) -> Node:
        node = Node(pick.definition, above, pick, self._twig)
        self._was[node] = was
        self._put(node)
        old = {one.pick.definition: one for one in was.below if one.pick is not None}
        for below in pick.below:
            node.below.append(self._grown(old[below.definition], below, node))
        return node

    def take_on(self, above: Node, definition: Definition, number: int) -> Node:
        """Suppose an addition on top of the former ones."""
        node = Node(definition, above, Pick("", definition, number), above.branch)
        above.below.append(node)
        for around in takewhile(lambda one: one is not self.on, above.chain()):
            around.until = -1
        self._put(node)
        branch = node.branch
        if branch is not None and branch is not self._twig:
            branch.nodes.append(node)
            branch.numbers[""] += number
            for tag in node.tags:
                branch.index.setdefault(tag, []).append(node)
                branch.numbers[tag] = branch.numbers.get(tag, 0) + number
        return node

    def _put(self, node: Node) -> None:
        if self._moved_here or node.definition.moves:
            self._move(node)
        self.extra.append(node)
        for tag in ("", *node.tags):
            self._more[tag] = self._more.get(tag, 0) + node.number

    def _move(self, node: Node) -> None:
        """Let something added join and leave categories, by what holds before anything moves."""
        answers, self._answers, self._still = self._answers, self._still_answers, True
        own = [moved for moved, holds in self._moves_of(node) if holds]
        self._answers, self._still = answers, False
        for move, at in (*self._moved_here, *own):
            if move.reaches(at, node):
                node.move(move)

    # Counts

    def count(self, at: Node, field: str, tag: str, deep: bool, forces: bool) -> Number:
        """Return the sum of a field over the picks with a tag, additions included."""
        number = super().count(at, field, tag, deep, forces)
        if at not in self._around or field == FORCES:
            return number
        if at.branch is None and at is not self.on.force and at is not self.top and not forces:
            return number
        return number + self._added(at, field, tag, deep)

    def own(self, node: Node, field: str, deep: bool) -> Number:
        """Return a pick's number or cost, additions included."""
        number = super().own(node, field, deep)
        is_on = deep and field != NUMBER and node in self._around
        return number + self.price(field) if is_on else number

    def _added(self, at: Node, field: str, tag: str, deep: bool) -> Number:
        """Return by how much the additions raise the count within a pick around them."""
        root = self.root
        is_direct = at is self.on or (at.branch is None and self.on.branch is None)
        if field == NUMBER:
            if deep:
                return self._more.get(tag, 0)
            is_it = is_direct and (not tag or tag in root.tags)
            return self.number if is_it else 0
        of_force = at.branch is None and tag in self.on.force.tags
        if (deep and not tag) or of_force or self._is_part(at, tag, deep):
            return self.price(field)
        added = self._tagged(self.extra if deep else [root] if is_direct else [], tag, field)
        if self._was and added:
            was = self._was[root]
            added -= self._tagged((was, *was.walk()) if deep else [was], tag, field)
        return added

    @property
    def number(self) -> int:
        """Number of additional picks."""
        return self.root.number - (self._was[self.root].number if self._was else 0)

    def price(self, cost: str) -> Number:
        """Return the price of the additions, with the picks that they bring."""
        was = self.total(self._was[self.root], cost) if self._was else 0
        return self.total(self.root, cost) - was

    def _tagged(self, nodes: Iterable[Node], tag: str, field: str) -> Number:
        tagged = (node for node in nodes if not tag or tag in node.tags)
        return sum([self.total(node, field) for node in tagged if not is_inside(node, tag)])

    def _is_part(self, at: Node, tag: str, deep: bool) -> bool:
        """Return whether something on a pick, with all that is on it, is counted for its tag."""
        node: Node | None = self.on
        while node is not None and node is not at and node.branch is not None:
            is_counted = (
                deep or node.above is at or (at.branch is None and node.above is node.force)
            )
            if is_counted and (not tag or tag in node.tags):
                return True
            node = node.above
        return False

    def count_each(self, each: Each, at: Node, subject: Node) -> Number:
        """Return how many picks within one fulfil a condition, additions included."""
        number = super().count_each(each, at, subject)
        if at not in self._around:
            return number
        outer, self._subject = self._subject, subject if each.of_order else None
        is_direct = at is self.on or (at.branch is None and self.on.branch is None)
        nodes = self.extra if each.deep else [self.root] if is_direct else []
        number += sum(
            node.number - (self._was[node].number if self._was else 0)
            for node in nodes
            if each.condition.holds(self, node)
        )
        self._subject = outer
        return number

    def _place(self, node: Node) -> Number:
        known = self._places.get(place_of(node))
        if known is not None:
            return known
        on = self.on
        if on.branch is None:
            nodes = [node for branch in self.branches[on] for node in branch.nodes]
        else:
            nodes = [on, *on.walk()]
        return max((self._places[place_of(one)] for one in nodes), default=-1) + _BEHIND

    def _first(self, definition: Definition, above: Node) -> Node | None:
        first = super()._first(definition, above)
        is_root = first is None and definition is self.root.definition and above is self.on
        return self.root if is_root else first

    # Breaches

    def judge(self) -> tuple[list[Breach], int | None]:
        """Return the breaches that the additions cause, and how many times they may be made (below
        0: existing picks must go; None: any number of times). Find `prices`.
        """
        unfit = (Why.HIDDEN, Why.NOTICE)
        breaches = [
            breach
            for breach in self._judge_pick(self.root)
            if breach.why in unfit and breach.severity == "error"
        ]
        times: int | None = None
        for key, placed in self._bounds().items():
            often = self._weigh(key, placed, breaches)
            if often is not None and (times is None or often < times):
                times = often
        costs = {cost: None for node in self.extra for cost in node.definition.prices}
        self.prices = {cost: price for cost in costs if (price := self.price(cost))}
        for cost, price in self.prices.items():
            limit = self.limit(cost)
            if limit >= 0 and price > 0 and (spent := self.spent(cost)) > limit:
                breaches.append(Breach(Why.LIMIT, self.top, self.top, None, spent, limit, cost))
        return breaches, times

    def _bounds(self) -> dict[BoundKey, PlacedBound]:
        """Return the upper bounds that count the additions."""
        bounds: dict[BoundKey, PlacedBound] = {}
        for tag, keys in self._by_tag.items():
            for key in keys if tag in self._more else ():
                bounds[key] = self._placed[key]
        found: dict[BoundKey, PlacedBound] = {}
        self._add_ceilings(self.extra, found)
        for tag, section in self.on.force.definition.sections.items():
            for bound in section.tops if tag in self._more else ():
                self._add(PlacedBound(bound, self.on.force, None), found)
        for key, placed in found.items():
            if placed.bound.high is not None and key not in bounds:
                bounds[key] = self._placed.get(key, placed)
        return bounds

    def _weigh(self, key: BoundKey, placed: PlacedBound, breaches: list[Breach]) -> int | None:
        """Add the breach of a bound by the addition, if any; return how many would be allowed."""
        more = self._counted_more(key.at, placed)
        if more <= 0:
            return None
        weighed = self._weighed_once(key, placed, more)
        if weighed is None:
            return None
        measured, allowed = weighed
        if measured > allowed:
            place = placed.node or self._absent(placed.bound.definition, placed.above)
            breaches.append(Breach(Why.BOUND, key.at, place, placed.bound, measured, allowed))
        elif placed.bound.share:
            return None
        return int((allowed - measured + more) // more)

    def _counted_more(self, at: Node, placed: PlacedBound) -> Number:
        """Return by how much the additions raise a bound's count."""
        bound, query = placed.bound, placed.bound.query
        field = bound.of_limit or query.field
        if bound.is_of_limit:
            return 0
        if at not in self._around:
            was = self._counted_in(bound, self._was[at]) if self._was else 0
            return self._counted_in(bound, at) - was
        if query.scope is Scope.SELF and at.branch is not None:
            return self.price(field) if query.deep and field != NUMBER else 0
        more = self._added(at, field, query.tag, query.deep)
        return divided(more, at.number) if bound.per_model and at.number > 1 else more

    def _counted_in(self, bound: Bound, at: Node) -> Number:
        measured = self._measured(bound, at)
        return divided(measured, at.number) if bound.per_model and at.number > 1 else measured

    def _weighed_once(
        self, key: BoundKey, placed: PlacedBound, more: Number
    ) -> tuple[Number, Number] | None:
        """Return a bound's count and its maximum, worked out once for bounds without moves."""
        known = self._known.get(key)
        if known is not None:
            return known[0] + more, known[1]
        bound, high = placed.bound, placed.bound.high
        weighed = self._weighed(key.at, placed)
        allowed = None if weighed is None or high is None else high.at(self, weighed[0])
        if weighed is None or allowed is None or (allowed < 0 and not bound.negative):
            return None
        _, measured, whole_of = weighed
        if whole_of is not None and bound.share:
            allowed = divided(allowed * whole_of, 100)
        elif not bound.moves and key.at in self._around:
            self._known[key] = measured - more, allowed
        return measured, allowed


def _own(answers: Answers) -> Answers:
    """Return answers to which others may be added alone."""
    own = Answers()
    own.known = dict(answers.known)
    return own
