"""What a list comes to: its numbers, the bounds that it breaks, and what each number is made of.

A list is worked out by branches: a branch is what stands directly in a force, with all that is on
it. What a branch asks of the rest of the list is written down with the answer, so that after a
change every branch whose pick is the same and whose answers are the same is taken over whole. There
is no other way of judging a list again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from armybuilder.engine.kernel.branches import (
    Answers,
    Asked,
    BoundKey,
    Branch,
    Breach,
    CountEachOf,
    CountOf,
    Moved,
    Node,
    PlacedBound,
    Why,
)
from armybuilder.engine.kernel.definitions import (
    FORCES,
    NUMBER,
    Amount,
    Answer,
    Bound,
    Definition,
    Each,
    Kind,
    Number,
    Scope,
    Within,
    whole,
)
from armybuilder.engine.kernel.picks import Pick, PickList


class _Judged(NamedTuple):
    """What a bound of more than a branch came to, and what was asked for it."""

    placed: PlacedBound
    breaches: tuple[Breach, ...]
    asked: dict[Asked, Number]


class Evaluation:
    """A list worked out. `before`, of a list of the same game, saves what did not change."""

    def __init__(self, roster: PickList, before: Evaluation | None = None) -> None:
        if before is not None and not before.serves(roster):
            before = None
        self.roster: PickList = roster
        self.loops: set[tuple[Definition, str]] = set()
        self._before = before
        self._busy: list[tuple[Node, str]] = []
        self._notes: dict[Asked, Number] | None = None
        self._subject: Node | None = None
        self._places: dict[Node, int] = {}
        self._standing: dict[Node, dict[Definition, Node]] = {}
        self._still = True
        self._still_answers = self._answers = Answers()
        self._judged: dict[BoundKey, _Judged] = {}
        self.top: Node = before.top if before is not None else Node(roster.definition, None, None)
        self.forces: list[Node] = []
        self.picks: dict[Node, Pick] = {}
        self.below: dict[Node, list[Node]] = {self.top: []}
        self.branches: dict[Node, list[Branch]] = {}
        had = {} if before is None else {branch.key: branch for branch in before.all_branches()}
        for pick in roster.forces:
            self._add_force(pick, self.top, had)
        self._taken = {branch for branch in self.all_branches() if had.get(branch.key) is branch}
        self._move_categories()
        changed = self._carry_answers()
        self._find_loops()
        self.breaches = tuple(self._judge(changed))
        self._before = None

    # What is there

    def serves(self, roster: PickList) -> bool:
        """Return whether what is known here helps with another list: it has the same forces."""
        same = self.roster.limits == roster.limits and not self.loops
        return same and _forces_of(self.roster.forces) == _forces_of(roster.forces)

    def _add_force(self, pick: Pick, above: Node, known: dict[tuple[int, Node], Branch]) -> None:
        node = self._force_node(pick, above)
        self.forces.append(node)
        self.picks[node] = pick
        self.below[above].append(node)
        self.below[node] = []
        self.branches[node] = branches = []
        for below in pick.below:
            if below.definition.kind is Kind.FORCE:
                self._add_force(below, node, known)
            else:
                branches.append(known.get((id(below), node)) or Branch(below, node))

    def _force_node(self, pick: Pick, above: Node) -> Node:
        """Return where a force stands; where it stood in the list before, if there is one."""
        if self._before is not None:
            return self._before.below[above][len(self.below[above])]
        return Node(pick.definition, above, pick)

    def all_branches(self) -> Iterator[Branch]:
        """Yield all branches, by force."""
        for branches in self.branches.values():
            yield from branches

    def nodes(self) -> Iterator[Node]:
        """Yield all picks below the forces, each before what is on it."""
        for branch in self.all_branches():
            yield from branch.nodes

    # What queries ask

    def within(self, scope: Within, node: Node) -> Node | None:
        """Return the pick that a scope means, as seen from another."""
        if scope is Scope.SELF:
            return node if node.present else None
        if scope is Scope.PARENT:
            return node.above
        if scope is Scope.FORCE:
            return node.above.force if node.above is not None else node
        if scope is Scope.LIST:
            return self.top
        if scope is Scope.ROOT:
            here = node if node.present else node.above
            return here.branch.root if here is not None and here.branch is not None else None
        if isinstance(scope, frozenset):
            return next((at for at in node.chain() if not scope.isdisjoint(at.tags)), None)
        return node.above

    def count(self, at: Node, field: str, tag: str, deep: bool, forces: bool) -> Number:
        """Return how much of a field is picked of what has a tag, within a pick."""
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
        branches = [branch for force in self._meant(at, forces) for branch in self.branches[force]]
        if field == NUMBER:
            if not deep:
                return sum([branch.root.number for branch in branches if self._is(branch, tag)])
            if self._still:
                return sum([branch.still_numbers.get(tag, 0) for branch in branches])
            return sum([branch.numbers.get(tag, 0) for branch in branches])
        if deep and not tag:
            return whole(sum(self.branch_cost(branch, field) for branch in branches))
        nodes = (
            node
            for branch in branches
            for node in (branch.index.get(tag, ()) if deep else (branch.root,))
            if deep or self._is(branch, tag)
        )
        return self._costs(nodes, field, tag, deep)

    def _is(self, branch: Branch, tag: str) -> bool:
        """Return whether what stands directly in the force has a tag."""
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
        """Return what picks cost. Of what is asked for by a tag, or stands directly there, all that
        is on it counts with it, and once.
        """
        if not tag and deep:
            return whole(sum(self.cost(node, field) for node in nodes))
        return whole(sum(self.total(node, field) for node in nodes if not _is_inside(node, tag)))

    def count_each(self, each: Each, at: Node, subject: Node) -> Number:
        """Return how many picks within one fulfil what is asked of each."""
        asked = CountEachOf(at, each, subject if each.of_order else None)
        return self._wide(asked) if at.branch is None else self._each(asked)

    def _each(self, asked: CountEachOf) -> Number:
        at, each, subject = asked
        if at.branch is not None:
            nodes: Iterable[Node] = at.walk() if each.deep else at.below
        else:
            branches = (b for force in self._meant(at, False) for b in self.branches[force])
            nodes = (node for branch in branches for node in self._asked_each(branch, each))
        outer, self._subject = self._subject, subject
        number = sum([node.number for node in nodes if each.condition.holds(self, node)])
        self._subject = outer
        return number

    def _asked_each(self, branch: Branch, each: Each) -> Iterable[Node]:
        """Return the picks of a branch that may fulfil what is asked of each."""
        nodes = (branch.still if self._still else branch.index).get(each.tag, ())
        return nodes if each.deep else nodes[:1] if nodes and nodes[0] is branch.root else ()

    def stands_before(self, node: Node) -> Answer:
        """Return whether a pick stands before the one that an `Each` is asked for."""
        if self._subject is None:
            return None
        if not self._places:
            self._places = {node: place for place, node in enumerate(self.nodes())}
        return self._places[node] < self._places[self._subject]

    # What things cost

    def cost(self, node: Node, cost: str) -> Number:
        """Return what a pick itself costs, all its number, without what is on it."""
        known = node.costs.get(cost)
        if known is None:
            amount = node.definition.prices.get(cost)
            if amount is None:
                known = 0
            elif not amount.changes:
                known = amount.base * node.number
            else:
                known = self._moving_cost(node, cost, amount)
            node.costs[cost] = known
        return known

    def _moving_cost(self, node: Node, cost: str, amount: Amount) -> Number:
        if (node.definition, cost) in self.loops:
            return amount.base * node.number
        if (node, cost) in self._busy:
            self.loops |= {(busy.definition, of) for busy, of in self._busy}
            return amount.base * node.number
        self._busy.append((node, cost))
        outer, self._notes = self._notes, None if node.branch is None else node.branch.asked
        number = amount.at(self, node)
        self._notes = outer
        self._busy.pop()
        return whole((amount.base if number is None else number) * node.number)

    def total(self, node: Node, cost: str) -> Number:
        """Return what a pick costs with all that is on it."""
        return self.cost(node, cost) + sum([self.total(below, cost) for below in node.below])

    def branch_cost(self, branch: Branch, cost: str) -> Number:
        """Return what a branch costs."""
        known = branch.costs.get(cost)
        if known is None:
            known = branch.costs[cost] = whole(self.total(branch.root, cost))
        return known

    def limit(self, cost: str) -> Number:
        """Return what the list may cost; -1: any amount."""
        return self.roster.limits.get(cost, -1)

    def spent(self, cost: str) -> Number:
        """Return what the list costs."""
        return self._wide(CountOf(self.top, cost, "", True, True))

    # What moves

    def _move_categories(self) -> None:
        """Let picks join and leave categories, all at once, by what holds before any does."""
        before = self._before
        changed: set[Asked] = set()
        if before is not None:
            self._still_answers = self._answers = Answers(before._still_answers)
            changed = self._changed(before)
        for branch in [branch for branch in self.all_branches() if branch.moving]:
            if branch not in self._taken or not changed.isdisjoint(branch.asked_still):
                self._hold_moves(branch)
        wide = [moved for branch in self.all_branches() for moved in branch.moves if moved.is_wide]
        for branch in list(self.all_branches()):
            moved_by = tuple(moved for moved in wide if moved.is_about(branch))
            if branch in self._taken and branch.moved_by != moved_by:
                branch = self._hold_moves(branch)
            branch.moved_by = moved_by
        for branch in self.all_branches():
            own = [moved for moved in branch.moves if not moved.is_wide]
            if branch not in self._taken and (own or branch.moved_by):
                branch.apply((*own, *branch.moved_by))
        self._still = False

    def _hold_moves(self, branch: Branch) -> Branch:
        """Find out which moves of a branch hold; of one that was moved before, from the start."""
        if branch in self._taken:
            branch = self._replace(branch, Branch(branch.pick, branch.root.force))
        self._notes = branch.asked_still
        moves = []
        for node in branch.nodes:
            for move in node.definition.moves:
                at = node if move.reach is None else self.within(move.reach.scope, node)
                if at is not None and move.when.holds(self, node):
                    moves.append(Moved(move, at))
        self._notes = None
        branch.moves = tuple(moves)
        return branch

    def _replace(self, branch: Branch, by: Branch) -> Branch:
        self._taken.discard(branch)
        branches = self.branches[branch.root.force]
        branches[branches.index(branch)] = by
        return by

    # What changed

    def _carry_answers(self) -> set[Asked]:
        """Take over what is known of the list before; work out anew whatever branch would hear
        another answer than it heard. Return the questions that have another answer.
        """
        before = self._before
        self._answers = Answers(None if before is None else before._answers)
        self._places.clear()
        if before is None:
            return set()
        changed = self._changed(before)
        for branch in list(self._taken):
            if not changed.isdisjoint(branch.asked):
                self._replace(branch, branch.anew())
        return changed

    def _changed(self, before: Evaluation) -> set[Asked]:
        """Return the questions whose answers are others than in the list before, or may be: what
        something costs, may hang on all that changed.
        """
        answers = self._answers
        changed: set[Asked] = set()
        for tag in self._moved_tags(before):
            for count in list(answers.by_tag.get(tag, ())):
                if self._answers_otherwise(count):
                    changed.add(count)
        current = set(self.all_branches())
        there = {tag for branch in current for tag in branch.numbers}
        for question in list(answers.others):
            if isinstance(question, CountOf):
                is_open = question.tag in there or answers.known.get(question) != 0
            else:
                is_open = question.each.of_costs
                if question.subject is not None and question.subject.branch not in current:
                    answers.known.pop(question, None)
                elif not is_open and self._answers_otherwise(question):
                    changed.add(question)
            if is_open:
                answers.known.pop(question, None)
                changed.add(question)
        return changed

    def _moved_tags(self, before: Evaluation) -> Iterable[str]:
        """Return the tags of which there are more or fewer than in the list before."""
        numbers: Counter[tuple[str, bool]] = Counter()
        for branches, sign in ((self.all_branches(), 1), (before.all_branches(), -1)):
            for branch in branches:
                if branch in self._taken:
                    continue
                root = branch.root
                counted = branch.still_numbers if self._still else branch.numbers
                for tag, number in counted.items():
                    numbers[tag, True] += sign * number
                for tag in ("", *(root.definition.tags if self._still else root.tags)):
                    numbers[tag, False] += sign * root.number
        return {tag for (tag, _), number in numbers.items() if number}

    def _answers_otherwise(self, asked: Asked) -> bool:
        was = self._answers.known.pop(asked, None)
        return was is not None and self._wide(asked) != was

    # What is wrong

    def _find_loops(self) -> None:
        """Price everything; what hangs on its own price has the one that it has by itself."""
        costs = {cost for node in self.nodes() for cost in node.definition.prices}
        for _ in range(2):
            for branch in self.all_branches():
                for cost in costs:
                    self.branch_cost(branch, cost)
            if not self.loops:
                return
            self._answers.known.clear()
            for branch in self.all_branches():
                branch.costs.clear()
                for node in branch.nodes:
                    node.costs.clear()

    def _judge(self, changed: set[Asked]) -> Iterator[Breach]:
        """Yield what is wrong: with the list, with its forces, with what stands in them."""
        if self.loops:
            yield Breach(Why.LOOP, self.top, self.top)
        for cost, limit in self.roster.limits.items():
            if limit >= 0 and (spent := self.spent(cost)) > limit:
                yield Breach(Why.LIMIT, self.top, self.top, None, spent, limit, cost)
        wide: dict[BoundKey, PlacedBound] = {}
        for force in self.forces:
            above = force.above or self.top
            for bound in force.definition.bounds:
                at = self.top if bound.query.scope is Scope.LIST else above
                yield from self._broken(at, PlacedBound(bound, above, force))
            self._add_demands(force, wide)
        for branch in self.all_branches():
            if not branch.judged:
                self._judge_branch(branch)
            yield from branch.breaches
            for key, placed in branch.wide:
                wide.setdefault(key, placed)
        for key, placed in wide.items():
            yield from self._judge_wide(key, placed, changed)

    def _judge_wide(
        self, key: BoundKey, placed: PlacedBound, changed: set[Asked]
    ) -> tuple[Breach, ...]:
        """Return how a bound of more than a branch is broken, if it is."""
        node = placed.node
        if node is None and placed.bound.moves:
            node = self._first(placed.bound.definition, placed.above)
        placed = PlacedBound(placed.bound, placed.above, node)
        judged = None if self._before is None else self._before._judged.get(key)
        if judged is None or judged.placed != placed or not changed.isdisjoint(judged.asked):
            self._notes = {}
            breaches = tuple(self._broken(key.at, placed))
            judged = _Judged(placed, breaches, self._notes)
            self._notes = None
        self._judged[key] = judged
        return judged.breaches

    def _judge_branch(self, branch: Branch) -> None:
        """Find what is wrong within a branch; bounds of more than it are judged with the list."""
        self._notes = branch.asked
        placed_bounds: dict[BoundKey, PlacedBound] = {}
        self._add_ceilings((branch.root,), placed_bounds)
        for node in branch.nodes:
            if (hidden := self.is_hidden(node)) is not False:
                branch.breaches.append(Breach(Why.HIDDEN if hidden else Why.UNCHECKED, node, node))
            self._add_demands(node, placed_bounds)
            self._add_ceilings(node.below, placed_bounds)
        for key, placed in placed_bounds.items():
            if key.at.branch is branch:
                branch.breaches += self._broken(key.at, placed)
            else:
                branch.wide.append((key, placed))
        branch.judged = True
        self._notes = None

    def _add_demands(self, node: Node, bounds: dict[BoundKey, PlacedBound]) -> None:
        """Add the bounds of what may be taken on a pick, whether it is or not."""
        for bound in node.definition.demands:
            self._add(PlacedBound(bound, node, None), bounds)

    def _add_ceilings(self, nodes: Iterable[Node], bounds: dict[BoundKey, PlacedBound]) -> None:
        """Add the upper bounds of what is taken."""
        for node in nodes:
            for bound in node.definition.ceilings:
                if node.above is not None:
                    of_itself = node if bound.definition is node.definition else None
                    self._add(PlacedBound(bound, node.above, of_itself), bounds)

    def _add(self, placed: PlacedBound, bounds: dict[BoundKey, PlacedBound]) -> None:
        bound, above, node = placed
        at: Node | None = above
        if bound.query.scope is not Scope.PARENT:
            at = self.within(bound.query.scope, node or self._absent(bound.definition, above))
        bounds.setdefault(BoundKey(at or above, bound.id, bound.query.tag), placed)

    def _absent(self, definition: Definition, above: Node) -> Node:
        """Return the place where something could be taken."""
        return Node(definition, above, None, above.branch)

    def _broken(self, at: Node, placed: PlacedBound) -> Iterator[Breach]:
        """Yield how a bound is broken, if it is; or that it is not understood."""
        bound, above, node = placed
        query = bound.query
        if node is None and bound.moves:
            node = self._first(bound.definition, above)
        place = node or self._absent(bound.definition, above)
        whole_of = self._whole_of(bound, at)
        if whole_of is not None and whole_of < 0:
            return
        measured = self.count(
            at, bound.of_limit or query.field, query.tag, query.deep, query.forces
        )
        if bound.per_model and at is above and above.number > 1:
            measured = whole(Fraction(measured) / above.number)
        for side, is_high in ((bound.low, False), (bound.high, True)):
            if side is None:
                continue
            allowed = side.at(self, place)
            if allowed is None:
                yield Breach(Why.UNCHECKED, at, place, bound)
            elif allowed >= 0 or bound.negative:
                if bound.share and whole_of is not None:
                    allowed = whole(Fraction(allowed * whole_of) / 100)
                wrong = measured > allowed if is_high else measured < allowed
                if wrong and (is_high or not self._need_not(bound, measured, above, place)):
                    yield Breach(Why.BOUND, at, place, bound, measured, allowed)

    def _whole_of(self, bound: Bound, at: Node) -> Number | None:
        """Return what the bounds are a share of; -1 where that has no limit."""
        if bound.of_limit:
            return self.limit(bound.of_limit)
        query = bound.query
        return self.count(at, query.field, "", True, query.forces) if bound.share else None

    def _need_not(self, bound: Bound, measured: Number, above: Node, place: Node) -> bool:
        """Return whether what is missing cannot be taken, or would not be counted, where it is."""
        if measured or bound.definition.kind not in (Kind.ENTRY, Kind.GROUP):
            return False
        counted = bound.query.field in (NUMBER, FORCES) or above.branch is None
        return not counted or self.is_hidden(place) is True

    def _first(self, definition: Definition, above: Node) -> Node | None:
        """Return the first of what is taken of something on a pick, if any is."""
        standing = self._standing.get(above)
        if standing is None:
            standing = self._standing[above] = {}
            branches = self.branches.get(above, ())
            nodes = above.below if above.branch else [branch.root for branch in branches]
            for node in reversed(nodes):
                standing[node.definition] = node
        return standing.get(definition)

    def is_hidden(self, node: Node) -> Answer:
        """Return whether something may not be taken where it stands, or could; None: not known."""
        answer = node.definition.hidden.holds(self, node)
        for group in node.definition.groups:
            if answer or node.above is None:
                break
            if group.hidden.base or group.hidden.changes:
                hidden = group.hidden.holds(self, self._absent(group, node.above))
                answer = answer if hidden is False else hidden
        return answer

    def parts(self, breach: Breach) -> tuple[Node, ...]:
        """Return the picks that a number is made of: all culprits, where there is too much."""
        if breach.bound is None:
            return tuple(self.nodes()) if breach.why is Why.LIMIT else (breach.node,)
        query, at = breach.bound.query, breach.at
        if at.branch is not None:
            nodes: Iterable[Node] = at.walk() if query.deep else at.below
        else:
            nodes = (
                node
                for force in self._meant(at, query.forces)
                for branch in self.branches[force]
                for node in (branch.nodes if query.deep else (branch.root,))
            )
        return tuple(node for node in nodes if not query.tag or query.tag in node.tags)


def _forces_of(picks: Iterable[Pick]) -> list[object]:
    """Return the forces of a list, and those in them, each by its definition."""
    return [
        (pick.definition, _forces_of(pick.below))
        for pick in picks
        if pick.definition.kind is Kind.FORCE
    ]


def _is_inside(node: Node, tag: str) -> bool:
    """Return whether something that it is on has a tag, too."""
    above = node.above
    while above is not None and above.branch is not None:
        if tag in above.tags:
            return True
        above = above.above
    return False
