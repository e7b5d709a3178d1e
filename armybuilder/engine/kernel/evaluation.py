"""Evaluation of a list: its numbers, broken bounds, and the parts of each number.

It works by branches, each a pick directly in a force with all its contents. A branch records its
questions to the rest of the list with the answers; after a change, a branch with the same pick and
the same answers is reused as a whole. There is no other way to check a list again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from armybuilder.engine.kernel.branches import (
    Answers,
    Asked,
    BoundKey,
    Branch,
    Breach,
    CountOf,
    Moved,
    Node,
    PlacedBound,
    Why,
)
from armybuilder.engine.kernel.conditions import (
    FORCES,
    NUMBER,
    Answer,
    Kind,
    Number,
    Scope,
    divided,
)
from armybuilder.engine.kernel.counting import Counting
from armybuilder.engine.kernel.definitions import Bound, Definition
from armybuilder.engine.kernel.picks import Pick, PickList


class _Judged(NamedTuple):
    """Result of a bound over more than one branch, and the questions asked for it."""

    placed: PlacedBound
    breaches: tuple[Breach, ...]
    asked: dict[Asked, Number]


class Evaluation(Counting):
    """A list worked out. `before`, of a list of the same game, saves repeated work."""

    def __init__(self, roster: PickList, before: Evaluation | None = None) -> None:
        if before is not None and not before.serves(roster):
            before = None
        super().__init__(roster, before)
        self._before = before
        self._standing: dict[Node, dict[Definition, Node]] = {}
        self._still_answers = self._answers
        self._judged: dict[BoundKey, _Judged] = {}
        self._move_categories()
        changed = self._carry_answers()
        self._find_loops()
        self.breaches = tuple(self._judge(changed))
        self._before = None

    def serves(self, roster: PickList) -> bool:
        """Return whether another list can reuse its results: it has the same forces and limits."""
        same = self.roster.limits == roster.limits and not self.loops
        same &= self.roster.definition.standing == roster.definition.standing
        return same and _forces_of(self.roster.forces) == _forces_of(roster.forces)

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
            moved_by = tuple(moved for moved in wide if moved.reached(branch))
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
        branch.unsettled.clear()
        for node in branch.nodes:
            for moved, holds in self._moves_of(node):
                if holds:
                    moves.append(moved)
                elif holds is None:
                    branch.unsettled.append((node, moved.move))
        self._notes = None
        branch.moves = tuple(moves)
        return branch

    def _moves_of(self, node: Node) -> Iterator[tuple[Moved, Answer]]:
        """Yield the moves that a pick brings, each with whether it holds."""
        for move in node.definition.moves:
            at = node if move.reach is None else self.within(move.reach.scope, node)
            if at is not None:
                yield Moved(move, at), move.when.holds(self, node)

    def _replace(self, branch: Branch, by: Branch) -> Branch:
        self._taken.discard(branch)
        branches = self.branches[branch.root.force]
        branches[branches.index(branch)] = by
        return by

    # What changed

    def _carry_answers(self) -> set[Asked]:
        """Reuse the results of the former list; evaluate every branch again that would receive
        another answer. Return the questions whose answers changed."""
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
        there.update(tag for force in self.forces for tag in force.tags)
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

    # Breaches

    def _find_loops(self) -> None:
        """Price everything; a price that depends on itself is the one without that dependency."""
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
                branch.unpriced.clear()
                for node in branch.nodes:
                    node.costs.clear()

    def _judge(self, changed: set[Asked]) -> Iterator[Breach]:
        """Yield the breaches of the list, of its forces, and of their contents."""
        if self.loops:
            yield Breach(Why.LOOP, self.top, self.top)
        for cost, limit in self.roster.limits.items():
            if limit >= 0 and (spent := self.spent(cost)) > limit:
                yield Breach(Why.LIMIT, self.top, self.top, None, spent, limit, cost)
        wide: dict[BoundKey, PlacedBound] = {}
        self._add_demands(self.top, wide)
        for force in self.forces:
            yield from self._judge_force(force)
            self._add_demands(force, wide)
        for branch in self.all_branches():
            if not branch.judged:
                self._judge_branch(branch)
            yield from branch.breaches
            for key, placed in branch.wide:
                wide.setdefault(key, placed)
        for key, placed in wide.items():
            yield from self._judge_wide(key, placed, changed)

    def _judge_force(self, force: Node) -> Iterator[Breach]:
        """Yield the breaches of a force itself."""
        yield from self._judge_pick(force)
        for cost in force.definition.prices:
            self.cost(force, cost)
        for node, cost in dict.fromkeys(self.unpriced):
            if node is force:
                yield Breach(Why.UNCHECKED, node, node, cost=cost)
        for bound in force.definition.bounds:
            at = self.within(bound.query.scope, force)
            if at is not None:
                yield from self._broken(at, PlacedBound(bound, force.above or self.top, force))

    def _judge_pick(self, node: Node) -> Iterator[Breach]:
        """Yield a breach if a pick is hidden, and its author's notices."""
        if (hidden := self.is_hidden(node)) is not False:
            yield Breach(Why.HIDDEN if hidden else Why.UNCHECKED, node, node)
        for notice in node.definition.notices:
            own = notice.definition is node.definition
            times = notice.change.times(
                self, node if own else self._absent(notice.definition, node)
            )
            if times is None or times > 0:
                why = Why.UNCHECKED if times is None else Why.NOTICE
                yield Breach(why, node, node, notice=notice)

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
        """Find the breaches within a branch; wider bounds are checked with the list."""
        self._notes = branch.asked
        placed_bounds = self._bounds_in(branch)
        for node in branch.nodes:
            branch.breaches += self._judge_pick(node)
        for node, cost in branch.unpriced:
            branch.breaches.append(Breach(Why.UNCHECKED, node, node, cost=cost))
        for node, move in branch.unsettled:
            branch.breaches.append(Breach(Why.UNCHECKED, node, node, move=move))
        for key, placed in placed_bounds.items():
            if key.at.branch is branch:
                branch.breaches += self._broken(key.at, placed)
            else:
                branch.wide.append((key, placed))
        branch.judged = True
        self._notes = None

    def _bounds_in(self, branch: Branch) -> dict[BoundKey, PlacedBound]:
        """Return the bounds of all picks in a branch, each with its place."""
        bounds: dict[BoundKey, PlacedBound] = {}
        self._add_ceilings((branch.root,), bounds)
        force = branch.root.force
        sections = force.definition.sections
        for tag in sorted(sections.keys() & branch.numbers.keys()):
            for bound in sections[tag].bounds:
                self._add(PlacedBound(bound, force, None), bounds)
        for node in branch.nodes:
            self._add_demands(node, bounds)
            self._add_ceilings(node.below, bounds)
        return bounds

    def _add_demands(self, node: Node, bounds: dict[BoundKey, PlacedBound]) -> None:
        """Add the lower bounds of the picks possible below a pick, taken or not."""
        for bound in node.definition.demands:
            self._add(PlacedBound(bound, node, None), bounds)

    def _add_ceilings(self, nodes: Iterable[Node], bounds: dict[BoundKey, PlacedBound]) -> None:
        """Add the upper bounds of picks."""
        for node in nodes:
            for bound in node.definition.ceilings:
                if node.above is not None:
                    of_itself = node if bound.definition is node.definition else None
                    self._add(PlacedBound(bound, node.above, of_itself), bounds)

    def _add(self, placed: PlacedBound, bounds: dict[BoundKey, PlacedBound]) -> None:
        """Add a bound if its scope exists."""
        bound, above, node = placed
        at: Node | None = above
        scope = bound.query.scope
        if scope is not Scope.PARENT:
            wide = scope in (Scope.FORCE, Scope.LIST) and bound.definition.kind is not Kind.FORCE
            seen = above if wide else node or self._absent(bound.definition, above)
            at = self.within(scope, seen)
        if at is not None:
            bounds.setdefault(BoundKey(at, bound.id, bound.query.tag), placed)

    def _absent(self, definition: Definition, above: Node) -> Node:
        """Return the place where something could be taken."""
        return Node(definition, above, None, above.branch)

    def _broken(self, at: Node, placed: PlacedBound) -> Sequence[Breach]:
        """Return how a bound is broken, if it is; or that it is not understood."""
        bound, above, _ = placed
        low, high = bound.low, bound.high
        if bound.plain:
            measured = self._measured(bound, at)
            enough = low is None or measured >= low.base
            if enough and (high is None or measured <= high.base or high.base < 0):
                return ()
        weighed = self._weighed(at, placed)
        if weighed is None:
            return ()
        place, measured, whole_of = weighed
        breaches: list[Breach] = []
        for side, is_high in ((low, False), (high, True)):
            if side is None:
                continue
            allowed = side.at(self, place)
            if allowed is None:
                breaches.append(Breach(Why.UNCHECKED, at, place, bound))
            elif allowed >= 0 or bound.negative:
                if bound.share and whole_of is not None:
                    allowed = divided(allowed * whole_of, 100)
                wrong = measured > allowed if is_high else measured < allowed
                spared = wrong and not is_high and self._need_not(bound, measured, above, place)
                if wrong and not spared:
                    why = Why.BOUND if spared is False else Why.UNCHECKED
                    breaches.append(Breach(why, at, place, bound, measured, allowed))
        return breaches

    def _weighed(self, at: Node, placed: PlacedBound) -> tuple[Node, Number, Number | None] | None:
        """Return the place from which a bound is seen, its count, and the total it is a share
        of."""
        bound, above, node = placed
        if bound.definition is above.definition:
            node = above  # a bound of its contents
        elif node is None and bound.moves:
            node = self._first(bound.definition, above)
        whole_of = self._whole_of(bound, at)
        if whole_of is not None and whole_of < 0:
            return None
        measured = self._measured(bound, at)
        if bound.per_model and at is above and above.number > 1:
            measured = divided(measured, above.number)
        return node or self._absent(bound.definition, above), measured, whole_of

    def _measured(self, bound: Bound, at: Node) -> Number:
        """Return a bound's count: within itself that of the pick itself, in a force its
        contents."""
        query, field = bound.query, bound.of_limit or bound.query.field
        if bound.is_of_limit:
            return self.limit(field)
        if query.scope is Scope.SELF and at.branch is not None:
            return self.own(at, field, query.deep)
        return self.count(at, field, query.tag, query.deep, query.forces)

    def _whole_of(self, bound: Bound, at: Node) -> Number | None:
        """Return the whole that the bound is a share of; -1 if that has no limit."""
        if bound.of_limit:
            return self.limit(bound.of_limit)
        query = bound.query
        return self.count(at, query.field, "", True, query.forces) if bound.share else None

    def _need_not(self, bound: Bound, measured: Number, above: Node, place: Node) -> Answer:
        """Return whether a missing pick can't be taken, or wouldn't count, at a place."""
        if measured or bound.definition.kind not in (Kind.ENTRY, Kind.GROUP):
            return False
        if bound.definition is above.definition:
            return False
        counted = bound.query.field in (NUMBER, FORCES) or above.branch is None
        return self.is_hidden(place) if counted else True

    def _first(self, definition: Definition, above: Node) -> Node | None:
        """Return the first pick of a definition on another pick; None without one."""
        standing = self._standing.get(above)
        if standing is None:
            standing = self._standing[above] = {}
            branches = self.branches.get(above, ())
            nodes = above.below if above.branch else [branch.root for branch in branches]
            for node in reversed(nodes):
                standing[node.definition] = node
        return standing.get(definition)

    def is_hidden(self, node: Node) -> Answer:
        """Return whether something is hidden at its actual or possible place; None: unknown."""
        answer = node.definition.hidden.holds(self, node)
        if node.above is None:
            return answer
        around = list(node.definition.groups)
        if node.above is node.force and node.force.definition.sections:
            sections = node.force.definition.sections
            around += (
                sections[tag] for tag, of in node.categories.items() if of and tag in sections
            )
        for definition in around:
            if answer:
                break
            if definition.hidden.base or definition.hidden.changes:
                hidden = definition.hidden.holds(self, self._absent(definition, node.above))
                answer = answer if hidden is False else hidden
        return answer

    def parts(self, breach: Breach) -> tuple[Node, ...]:
        """Return the picks that a number is made of: all culprits, where there is too much."""
        if breach.bound is None:
            return tuple(self.nodes()) if breach.why is Why.LIMIT else (breach.node,)
        query, at = breach.bound.query, breach.at
        if query.scope is Scope.SELF and at.branch is not None:
            return (at, *at.walk()) if query.deep else (at,)
        if at.branch is not None:
            nodes: Iterable[Node] = at.walk() if query.deep else at.below
        else:
            nodes = (
                node
                for force in self._meant(at, query.forces)
                for branch in self.branches[force]
                for node in (branch.nodes if query.deep else (branch.root,))
            )
        tag, costs = query.tag, query.field not in (NUMBER, FORCES)
        return tuple(
            node
            for node in nodes
            if not tag or tag in node.tags or (costs and tag in node.force.tags)
        )


def _forces_of(picks: Iterable[Pick]) -> list[object]:
    """Return the forces of a list, and those in them, each by its definition."""
    return [
        (pick.definition, _forces_of(pick.below))
        for pick in picks
        if pick.definition.kind is Kind.FORCE
    ]
