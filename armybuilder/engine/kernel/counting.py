"""Counting on a list: picks, their number, and their costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from armybuilder.engine.kernel.branches import Answers, Asked, Branch, CountEachOf, CountOf, Node
from armybuilder.engine.kernel.conditions import (
    FORCES,
    NUMBER,
    Answer,
    Each,
    Kind,
    Number,
    Reaching,
    Scopes,
    whole,
)
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.picks import Pick, PickList

#: So many prices, each waiting for the next, count as a circle: Python's stack has an end.
LONGEST_CHAIN = 20


class Counting(Scopes[Node]):
    """The numbers of a list. `before`, of a list with the same forces, has branches to take over.

    `loops` are the prices that hang on themselves, `unpriced` the picks whose prices are not known.
    While `_still`, nothing has moved between categories.
    """

    def __init__(self, roster: PickList, before: Counting | None) -> None:
        self.roster: PickList = roster
        self.loops: set[tuple[Definition, str]] = set()
        self._busy: list[tuple[Node, str]] = []
        self._notes: dict[Asked, Number] | None = None
        self._subject: Node | None = None
        self._places: dict[tuple[int, Node], int] = {}
        self._still = True
        self._still_costs: dict[tuple[Node, str], Number] = {}
        self._answers = Answers()
        self.unpriced: list[tuple[Node, str]] = []
        self.top: Node = before.top if before is not None else Node(roster.definition, None, None)
        self.forces: list[Node] = []
        self.picks: dict[Node, Pick] = {}
        self.below: dict[Node, list[Node]] = {self.top: []}
        self.branches: dict[Node, list[Branch]] = {}
        had = {} if before is None else {branch.key: branch for branch in before.all_branches()}
        for pick in roster.forces:
            self._add_force(pick, self.top, before, had)
        self._taken = {branch for branch in self.all_branches() if had.get(branch.key) is branch}

    # Existing picks

    def _add_force(
        self,
        pick: Pick,
        above: Node,
        before: Counting | None,
        known: dict[tuple[int, Node], Branch],
    ) -> None:
        node = Node(pick.definition, above, pick)
        if before is not None:
            node = before.below[above][len(self.below[above])]
        self.forces.append(node)
        self.picks[node] = pick
        self.below[above].append(node)
        self.below[node] = []
        self.branches[node] = branches = []
        for below in pick.below:
            if below.definition.kind is Kind.FORCE:
                self._add_force(below, node, before, known)
            else:
                branches.append(known.get((id(below), node)) or Branch(below, node))

    def all_branches(self) -> Iterator[Branch]:
        """Yield all branches, by force."""
        for branches in self.branches.values():
            yield from branches

    def nodes(self) -> Iterator[Node]:
        """Yield all picks below the forces, parents first."""
        for branch in self.all_branches():
            yield from branch.nodes

    # What queries ask

    def has_one(self, at: Node, tags: frozenset[str]) -> bool:
        """Return whether a pick has one of some tags."""
        return not tags.isdisjoint(at.tags)

    def count(self, at: Node, field: str, tag: str, deep: bool, forces: bool) -> Number:
        """Return the sum of a field over the picks with a tag, within a pick."""
        branch = at.branch
        if branch is None:
            return self._wide(CountOf(at, field, tag, deep, forces))
        if field == NUMBER:
            if not deep:
                return sum([node.number for node in at.below if not tag or tag in node.tags])
            if at is branch.root:
                total = branch.numbers.get(tag, 0)
                return total - at.number if not tag or tag in at.tags else total
            return sum(node.number for node in at.walk() if not tag or tag in node.tags)
        if field == FORCES:
            return 0
        nodes = at.walk() if deep else iter(at.below)
        return self._costs(
            (node for node in nodes if not tag or tag in node.tags), field, tag, deep
        )

    def own(self, node: Node, field: str, deep: bool) -> Number:
        """Return a pick's number or cost; `deep`: with everything below it."""
        if field == NUMBER:
            return node.number
        return self.total(node, field) if deep else self.cost(node, field)

    def _wide(self, question: Asked) -> Number:
        """Return a number of a force or of the list; who asks, notes it."""
        number = self._answers.known.get(question)
        if number is None:
            if isinstance(question, CountEachOf):
                number = self._each(question)
            else:
                number = self._sum(*question)
            self._answers.note(question, number)
        if self._notes is not None:
            self._notes[question] = number
        return number

    def _sum(self, at: Node, field: str, tag: str, deep: bool, forces: bool) -> Number:
        if field == FORCES:
            inside = self._forces_below(at) if forces else self.below[at]
            return sum(not tag or tag in force.tags for force in inside)
        if field != NUMBER:
            meant = self._meant(at, forces)
            return whole(sum(self._force_cost(force, field, tag, deep) for force in meant))
        branches = [branch for force in self._meant(at, forces) for branch in self.branches[force]]
        if not deep:
            return sum([branch.root.number for branch in branches if self._is(branch, tag)])
        if self._still:
            return sum([branch.still_numbers.get(tag, 0) for branch in branches])
        return sum([branch.numbers.get(tag, 0) for branch in branches])

    def _force_cost(self, force: Node, cost: str, tag: str, deep: bool) -> Number:
        """Return the costs in a force of everything with a tag; by the force's own tag, of all
        of it."""
        branches = self.branches[force]
        if not tag or tag in force.tags:
            own = self.cost(force, cost) if force.definition.prices else 0
            return own + sum([self.branch_cost(branch, cost) for branch in branches])
        if deep:
            nodes = (node for branch in branches for node in self._index(branch).get(tag, ()))
        else:
            nodes = (branch.root for branch in branches if self._is(branch, tag))
        return self._costs(nodes, cost, tag, deep)

    def _index(self, branch: Branch) -> dict[str, list[Node]]:
        """Return the picks of a branch by tag, with the categories that are asked about."""
        return branch.unmoved().index if self._still else branch.index

    def _is(self, branch: Branch, tag: str) -> bool:
        """Return whether a pick directly in the force has a tag."""
        root = branch.root
        return not tag or tag in (root.definition.tags if self._still else root.tags)

    def _meant(self, at: Node, forces: bool) -> Iterable[Node]:
        if at is self.top:
            return self.forces
        return (at, *self._forces_below(at)) if forces else (at,)

    def _forces_below(self, at: Node) -> Iterator[Node]:
        for force in self.below[at]:
            yield force
            yield from self._forces_below(force)

    def _costs(self, nodes: Iterable[Node], field: str, tag: str, deep: bool) -> Number:
        """Return the costs of picks.

        The contents of a pick that was asked for by a tag, or is directly there, are included,
        once.
        """
        if not tag and deep:
            return whole(sum(self.cost(node, field) for node in nodes))
        return whole(sum(self.total(node, field) for node in nodes if not is_inside(node, tag)))

    def count_each(self, each: Each, at: Node, subject: Node) -> Number:
        """Return how many picks within one fulfil the condition of a query over each."""
        asked = CountEachOf(at, each, subject if each.of_order else None)
        return self._wide(asked) if at.branch is None else self._each(asked)

    def _each(self, asked: CountEachOf) -> Number:
        at, each, subject = asked
        if at.branch is not None:
            nodes: Iterable[Node] = at.walk() if each.deep else at.below
        else:
            branches = (b for force in self._meant(at, each.forces) for b in self.branches[force])
            nodes = (node for branch in branches for node in self._asked_each(branch, each))
        outer, self._subject = self._subject, subject
        number = sum([node.number for node in nodes if each.condition.holds(self, node)])
        self._subject = outer
        return number

    def _asked_each(self, branch: Branch, each: Each) -> Iterable[Node]:
        """Return the picks of a branch that may fulfil the condition."""
        nodes = self._index(branch).get(each.tag, ())
        return nodes if each.deep else [node for node in nodes[:1] if node.above is node.force]

    def times_reached(self, reaching: Reaching, node: Node) -> Number:
        """Return how often a change that others of its unit make reaches a pick."""
        times = 0
        sources = () if node.branch is None else self._index(node.branch).get(reaching.tag, ())
        for source in sources:
            at = self.within(reaching.reach.scope, source)
            if at is not None and at.branch and reaching.reach.reaches(at, node):
                times += reaching.change.times(self, source) or 0
        return times

    def stands_before(self, node: Node) -> Answer:
        """Return whether a pick comes before the one that an `Each` is asked for."""
        if self._subject is None:
            return None
        if not self._places:
            self._places = {place_of(node): place for place, node in enumerate(self.nodes())}
        return self._place(node) < self._place(self._subject)

    def _place(self, node: Node) -> Number:
        return self._places[place_of(node)]

    # What things cost

    def cost(self, node: Node, cost: str) -> Number:
        """Return the cost of a pick, times its number, without the picks below it."""
        if self._still:
            known = self._still_costs.get((node, cost))
            if known is None:
                known = self._still_costs[node, cost] = self._price(node, cost)
            return known
        known = node.costs.get(cost)
        if known is None:
            known = self._price(node, cost)
            if node.branch is not None:
                node.costs[cost] = known
        return known

    def _price(self, node: Node, cost: str) -> Number:
        amount = node.definition.prices.get(cost)
        if amount is None:
            return 0
        if not amount.changes or (node.definition, cost) in self.loops:
            return amount.base * node.number
        if (node, cost) in self._busy or len(self._busy) == LONGEST_CHAIN:
            self.loops |= {(busy.definition, of) for busy, of in self._busy}
            return amount.base * node.number
        self._busy.append((node, cost))
        branch, outer = node.branch, self._notes
        self._notes = None if branch is None else branch.asked
        number = amount.at(self, node)
        self._notes = outer
        self._busy.pop()
        if number is None:
            number = amount.base
            (self.unpriced if branch is None else branch.unpriced).append((node, cost))
        return whole(number * node.number)

    def total(self, node: Node, cost: str) -> Number:
        """Return the cost of a pick with everything below it."""
        known = node.branch.costs if node.branch and node.branch.root is node else {}
        if self._still or cost not in known:
            number = self.cost(node, cost) + sum([self.cost(one, cost) for one in node.walk()])
            if self._still:
                return number
            known[cost] = whole(number)
        return known[cost]

    def branch_cost(self, branch: Branch, cost: str) -> Number:
        """Return the cost of a branch."""
        return self.total(branch.unmoved().root if self._still else branch.root, cost)

    def limit(self, cost: str) -> Number:
        """Return the list's limit of a cost; -1: no limit."""
        return self.roster.limits.get(cost, -1)

    def spent(self, cost: str) -> Number:
        """Return the cost of the list."""
        return self.count(self.top, cost, "", True, True)


def place_of(node: Node) -> tuple[int, Node]:
    """Return the unique place of a pick on its list."""
    return id(node.pick), node.force


def is_inside(node: Node, tag: str) -> bool:
    """Return whether something that it is on has a tag, too."""
    above = node.above
    while above is not None and above.branch is not None:
        if tag in above.tags:
            return True
        above = above.above
    return False
