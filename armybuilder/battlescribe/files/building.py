"""Edits of a list of a game by files: forces, units, stacks of models, options.

A stack is a run of equal picks: the same entry with the same options. Files make one pick of each
model; players see "6 × Trooper", and change "4 of 10".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import replace
from itertools import chain, count
from typing import Final, NamedTuple

from armybuilder.battlescribe.files.books import ForceDefinition
from armybuilder.battlescribe.files.documents import Books, player_words
from armybuilder.battlescribe.files.edits import RosterEditor, is_on_unit
from armybuilder.battlescribe.files.filling import default_of, each_on
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.engine.kernel.branches import Breach, Node, Why
from armybuilder.engine.kernel.conditions import NUMBER, Kind, Scope
from armybuilder.engine.kernel.definitions import Bound, Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.wording import say
from armybuilder.loading.forcelist import MAX_DEEP, MAX_FORCES, MAX_NUMBER, MAX_PICKS
from armybuilder.loading.problems import Refusal

#: How many of something one act adds at most.
MAX_AT_ONCE: Final = 100


class Stack(NamedTuple):
    """A run of equal picks, in their order."""

    nodes: tuple[Node, ...]

    @property
    def first(self) -> Node:
        """The stack's first pick."""
        return self.nodes[0]

    @property
    def number(self) -> int:
        """Number of models or copies in the stack."""
        return sum(node.number for node in self.nodes)


def stacks_of(nodes: Iterable[Node]) -> list[Stack]:
    """Return picks in stacks, each at the place of its first."""
    found: dict[object, list[Node]] = {}
    for node in nodes:
        pick = node.pick
        key: object = id(node) if pick is None else _content(pick)
        found.setdefault(key, []).append(node)
    return [Stack(tuple(of)) for of in found.values()]


def _content(pick: Pick) -> object:
    """Return the parts that are equal in all picks of a stack."""
    number = pick.number if pick.below else 0
    below = sorted((repr(_content(one)), one.number) for one in pick.below)
    said = tuple(sorted(pick.said.items()))
    groups = tuple(group.key for group in pick.definition.groups)
    return pick.definition.key, groups, number, said, tuple(below)


def most_of(group: Definition, evaluation: Evaluation, on: Node) -> int | None:
    """Return how many of a group one pick may have at most; None: any number, or not known."""
    place = Node(group, on, None, on.branch)
    found = []
    for bound in group.tops:
        query, high = bound.query, bound.high
        if high is None or query.scope is not Scope.PARENT or query.field != NUMBER or bound.share:
            continue
        most = high.at(evaluation, place)
        if most is not None and most >= 0:
            found.append(int(most))
    return min(found, default=None)


class ListBuilder(RosterEditor):
    """A list that its player changes. What cannot be done raises Refusal, in a sentence."""

    prefix = "p"

    def __init__(
        self,
        game: GameFiles,
        book: Books,
        roster: PickList | None = None,
        evaluation: Evaluation | None = None,
    ) -> None:
        super().__init__(game, roster, book)
        self._evaluation = evaluation
        self._stale = evaluation is None
        numbers = (pick.id[1:] for pick in self._picks() if pick.id[:1] == "p")
        taken = (int(number) for number in numbers if number.isdecimal() and len(number) < 10)
        self._serial = count(max(taken, default=0) + 1)

    # What is there

    def at(self, id: str) -> Node:
        """Return the place of a pick. Raises Refusal if there is none."""
        try:
            return self.node(id)
        except KeyError as error:
            raise Refusal(say("That is no longer on the list.")) from error

    def offered(self, on: Node, key: str) -> Definition:
        """Return an entry that is offered on a pick, or in a force, by its key. Raises Refusal."""
        found = next((one for one in on.definition.offered if one.key == key), None)
        if found is None:
            raise Refusal(say("The files don’t have that entry there."))
        return found

    def check_room(self) -> None:
        """Raise Refusal where the list has become larger than lists may be."""
        forces = picks = 0
        for force in self.roster.forces:
            for pick, deep in _deep(force, 0):
                forces += pick.definition.kind is Kind.FORCE
                picks += pick.definition.kind is not Kind.FORCE
                if deep > MAX_DEEP or pick.number > MAX_NUMBER:
                    raise Refusal(say("The list would become too large."))
        if forces > MAX_FORCES or picks > MAX_PICKS:
            raise Refusal(say("The list would become too large."))

    # Forces

    def start_force(self, catalogue: str, entry: str, above: str = "") -> str:
        """Add a force of a catalogue; `entry` "": its first. Return its id."""
        book = self.book(catalogue)
        within = self.at(above).definition if above else None
        if within is not None and not isinstance(within, ForceDefinition):
            raise Refusal(say("The files don’t have that entry there."))
        entry = entry or next((one.id for one in book.force_elements(within)), "")
        if not entry:
            name = book.root.get("name").strip()
            raise Refusal(
                say("The files define no force for {name}. Add all files of the game.", name=name)
            )
        force = book.force(entry, within)
        if force is None:
            raise Refusal(say("The catalogue doesn’t have that force."))
        id = self.add_force(force, above)
        self._drop_hidden(id)
        return id

    def _drop_hidden(self, id: str) -> None:
        """Remove picks that came along by default though the files hide them."""
        node = self.at(id)
        branches = self.evaluation.branches.get(node, ())
        standing = chain.from_iterable(branch.nodes for branch in branches)
        inside = standing if node.branch is None else node.walk()
        for one in [self._id_at(one) for one in inside if self.evaluation.is_hidden(one)]:
            self.remove(one)

    # Units and options

    def add(self, on: str, key: str, number: int = 1) -> str:
        """Add copies of an entry to a force or a pick; return the id of the last."""
        definition, id = self.offered(self.at(on), key), ""
        for _ in range(min(max(number, 1), MAX_AT_ONCE)):
            id = self.select(on, definition)
            self._drop_hidden(id)
        return id

    def leave(self, on: str, key: str) -> None:
        """Remove all copies of an entry from a pick."""
        for node in self._taken(self.at(on), self.offered(self.at(on), key)):
            self.remove(self._id_at(node))

    def choose(self, on: str, group: str, key: str) -> None:
        """Take one entry of a group in place of its others; "": none."""
        node = self.at(on)
        taken = [one for one in node.below if group in {of.key for of in one.definition.groups}]
        for one in taken:
            if one.definition.key != key:
                self.remove(self._id_at(one))
        if key and all(one.definition.key != key for one in taken):
            self.add(on, key)

    def take(self, on: str, key: str, number: int) -> None:
        """Set the number of an entry on a pick."""
        node = self.at(on)
        definition = self.offered(node, key)
        taken = self._taken(node, definition)
        have = sum(one.number for one in taken) // each_on(node, definition)
        for _ in range(min(number - have, MAX_AT_ONCE)):
            self.select(on, definition)
        for _ in range(min(have - number, MAX_AT_ONCE)):
            self.deselect(self._id_at(self._taken(self.at(on), definition)[-1]))

    def more(self, id: str) -> str:
        """Add one more copy of a pick; return the id of its stack."""
        node = self.at(id)
        if node.above is not None and node.pick is not None and not self._counts(node):
            return self.duplicate(id)
        self.set_count(id, node.number // self._per_model(id) + 1)
        return id

    def fewer(self, id: str) -> None:
        """Take away one of the picks that are like one."""
        self.deselect(self._id_at(self.alike(id)[-1]))

    def _counts(self, node: Node) -> bool:
        """Return whether several copies are one pick with a number, rather than a pick each."""
        return is_on_unit(node) and (node.number > 1 or not node.definition.offered)

    def _taken(self, node: Node, definition: Definition) -> list[Node]:
        return [one for one in node.below if one.definition.is_as(definition)]

    # What follows by itself

    def settle(self) -> list[str]:
        """Bring and remove what automatic limits of the files ask for; return it in sentences."""
        said: list[str] = []
        settled: set[object] = set()
        while len(settled) < MAX_AT_ONCE:
            broken = (one for one in self._automatic() if one[0] not in settled)
            key, breach, bound = next(broken, (None, None, None))
            if breach is None or bound is None:
                break
            settled.add(key)
            said += self._surplus(bound, breach) if breach.is_over else self._lacking(bound, breach)
        return said

    def _automatic(self) -> Iterator[tuple[object, Breach, Bound]]:
        """Yield breaches of automatic limits, each with a key and the limit."""
        for breach in self.evaluation.breaches:
            bound = breach.bound
            if bound is None or not bound.automatic or breach.why is not Why.BOUND:
                continue
            if bound.query.field == NUMBER and not bound.share:
                yield (bound.id, self._id_at(breach.at), breach.is_over), breach, bound

    def _surplus(self, bound: Bound, breach: Breach) -> Iterator[str]:
        """Remove picks above a maximum, the last first."""
        models = breach.at.number if bound.per_model else 1
        over = int((breach.measured - breach.allowed) * models)
        for node in reversed(self.evaluation.parts(breach)):
            if over > 0 and node.pick is not None:
                self.set_number(node.pick.id, node.number - over)
                over -= node.number
                yield say("The files also remove {name}.", name=node.definition.name.strip())

    def _lacking(self, bound: Bound, breach: Breach) -> Iterator[str]:
        """Add picks below a minimum; of a group, its default."""
        above, definition = breach.node.above, bound.definition
        is_group = definition.kind is Kind.GROUP
        taken = default_of(definition) if is_group else definition
        if above is None or taken is None or taken.kind is not Kind.ENTRY:
            return
        self.made, self._added = {}, 0
        lacking = int(breach.allowed - breach.measured)
        self._drop_hidden(self._add(self._id_at(above), taken, lacking))
        yield say("The files also add {name}.", name=taken.name.strip())

    def _id_at(self, node: Node) -> str:
        """Return the id of a pick or a force; "" of the list itself."""
        pick = self.evaluation.picks.get(node, node.pick)
        return pick.id if pick is not None else ""

    # Stacks

    def alike(self, id: str) -> tuple[Node, ...]:
        """Return the picks of the stack in which one is, that one first."""
        node = self.at(id)
        if node.above is None or not is_on_unit(node):
            return (node,)
        stack = next(one for one in stacks_of(node.above.below) if node in one.nodes)
        return (node, *(one for one in stack.nodes if one is not node))

    def change_some(self, id: str, number: int, act: Callable[[str], None]) -> str:
        """Change some of a stack (0: all) as `act` changes one; return the id of one of them."""
        alike = self.alike(id)
        if number <= 0 or number >= sum(node.number for node in alike):
            number = sum(node.number for node in alike)
        if len(alike) == 1:
            id = self._split(id, number)
            act(id)
            return id
        others = [self._id_at(node) for node in alike[1:number]]
        act(id)
        changed = self.pick(id)
        for other in others:
            self._give(other, changed)
        return id

    def _give(self, id: str, like: Pick) -> None:
        """Let a pick have on it what another has."""
        below = tuple(self._copy(one) for one in like.below)
        self.change(id, lambda pick: (replace(pick, below=below),))

    def _split(self, id: str, number: int) -> str:
        """Split some copies off into a pick of their own; return its id."""
        pick = self.pick(id)
        if number >= pick.number or pick.number < 2:
            return id
        rest = pick.number - number
        self.set_number(id, rest)
        whole = self._copy(pick)
        self.change(id, lambda left: (left, whole))
        self.set_number(whole.id, number)
        return whole.id

    # Order, words

    def move(self, id: str, step: int) -> None:
        """Move a pick before its neighbour in its category, or a force among forces (-1: up)."""
        above, beside, order = self._row(id)
        place = order.index(id) + step
        if not 0 <= place < len(order):
            raise Refusal(say("It can’t move any further."))
        by_id = {pick.id: pick for pick in beside}
        swap = {id: order[place], order[place]: id}
        self._reorder(above, tuple(by_id[swap.get(pick.id, pick.id)] for pick in beside))

    def put_before(self, id: str, before: str) -> None:
        """Put a pick before another of its category; "": behind all of them."""
        above, beside, order = self._row(id)
        others = [pick for pick in beside if pick.id != id]
        ids = [pick.id for pick in others]
        order.remove(id)
        behind = ids.index(order[-1]) + 1 if order else len(ids)
        others.insert(ids.index(before) if before in ids else behind, self.pick(id))
        self._reorder(above, tuple(others))

    def _row(self, id: str) -> tuple[Pick | None, tuple[Pick, ...], list[str]]:
        """Return the parent of a pick, the picks on it, and the ids of those in its category."""
        like, above = self._heading(self.at(id)), self.above(id)
        beside = self.roster.forces if above is None else above.below
        order = [pick.id for pick in beside if self._heading(self.at(pick.id)) == like]
        return above, beside, order

    def _reorder(self, above: Pick | None, moved: tuple[Pick, ...]) -> None:
        if above is None:
            self._set(moved)
        else:
            self.change(above.id, lambda outer: (replace(outer, below=moved),))

    def _heading(self, node: Node) -> tuple[Kind, str]:
        return node.definition.kind, primary_of(node)

    def describe(self, id: str, name: str, notes: str) -> None:
        """Set a player's name and notes of a pick."""
        self.at(id)
        said = player_words(name, notes)
        self.change(id, lambda pick: (replace(pick, said=said),))


def more_forces(
    game: GameFiles, books: Books, roster: PickList, wanted: Set[str]
) -> Iterator[PickList]:
    """Yield lists with one force more: one of those with a wanted tag ("": any), within each
    force or at the top."""
    outer = [pick for force in roster.forces for pick in force.walk()]
    within = [(pick.id, pick.definition) for pick in outer]
    beside = [("", pick.definition) for pick in roster.forces[:1]]
    for id, definition in (*within, *beside):
        if not isinstance(definition, ForceDefinition):
            continue
        book, above = definition.book, definition if id else None
        for element in book.force_elements(above):
            force = book.force(element.id, above)
            tags = {"", *force.tags} - {book.root.id} if force is not None else set()
            if wanted.isdisjoint(tags):
                continue
            builder = ListBuilder(game, books, roster)
            added = builder.at(builder.start_force(book.root.id, element.id, id))
            if not builder.evaluation.is_hidden(added):
                yield builder.roster


def primary_of(node: Node) -> str:
    """Return the primary category of a unit; "" for none."""
    return next((tag for tag, primary in node.categories.items() if primary), "")


def _deep(pick: Pick, deep: int) -> Iterator[tuple[Pick, int]]:
    yield pick, deep
    for below in pick.below:
        yield from _deep(below, deep + 1)
