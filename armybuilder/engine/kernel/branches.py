"""Branches: a pick directly in a force with all its contents, computed once for as long as it
and the answers it received about the rest of its list stay the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

from armybuilder.engine.kernel.conditions import FORCES, NUMBER, Each, Kind, ListPlace, Number
from armybuilder.engine.kernel.definitions import Bound, CategoryMove, Definition, Notice
from armybuilder.engine.kernel.picks import Pick


class Node(ListPlace):
    """A pick at its place; or (not `present`) a place where one is possible.

    `tags` and `categories` are those on the list, moved ones included. A force's node serves every
    list with that force; only a list's evaluation knows the nodes below it. In the nodes of its
    branch, it is at `place`, and all that is below it follows up to `until`; -1: it is not so.
    """

    __slots__ = (
        *("above", "below", "branch", "categories", "costs", "definition", "force", "number"),
        *("pick", "place", "present", "tags", "until"),
    )
    above: Node | None
    definition: Definition

    def __init__(
        self,
        definition: Definition,
        above: Node | None,
        pick: Pick | None,
        branch: Branch | None = None,
    ) -> None:
        self.definition = definition
        self.above = above
        self.pick = pick
        self.present = pick is not None or above is None
        self.number = pick.number if pick is not None else 0
        self.branch = branch
        self.below: list[Node] = [] if self.present else _NOTHING
        self.place = self.until = -1
        self.costs: dict[str, Number] = {}
        self.tags = definition.tags
        self.categories = definition.categories
        entry = definition.kind is not Kind.FORCE and above is not None
        self.force: Node = above.force if entry and above is not None else self

    def move(self, move: CategoryMove) -> None:
        """Let it join or leave a category."""
        self.categories = _after(move, self.categories)
        self.tags = self.definition.tags - self.definition.categories.keys()
        self.tags |= self.categories.keys()

    def walk(self) -> Sequence[Node]:
        """Return all that is below it in its branch."""
        if self.until < 0 or self.branch is None:
            return [inner for node in self.below for inner in (node, *node.walk())]
        return self.branch.nodes[self.place + 1 : self.until]


#: Whatever is not there has nothing below it.
_NOTHING: Final[list[Node]] = []


class CountOf(NamedTuple):
    """Query: the sum of a field over picks with a tag, within a force or the list (`at`)."""

    at: Node
    field: str
    tag: str
    deep: bool
    forces: bool


class CountEachOf(NamedTuple):
    """Query: the number of picks within a force or the list that fulfil a condition; only those
    before the `subject` if it asks for that."""

    at: Node
    each: Each
    subject: Node | None


#: Questions of a branch about the rest of its list.
Asked: TypeAlias = CountOf | CountEachOf


class Answers:
    """Answers of forces and of the list: numbers of picks by tag, and all else.

    The next list takes them over. All lists of the chain share the questions by tag.
    """

    def __init__(self, before: Answers | None = None) -> None:
        self.known: dict[Asked, Number] = {} if before is None else dict(before.known)
        self.by_tag: dict[str, dict[CountOf, None]] = {} if before is None else before.by_tag
        self.others: dict[Asked, None] = {} if before is None else before.others

    def note(self, question: Asked, number: Number) -> None:
        """Keep an answer."""
        self.known[question] = number
        if isinstance(question, CountEachOf) or question.field not in (NUMBER, FORCES):
            self.others[question] = None
        else:
            self.by_tag.setdefault(question.tag, {})[question] = None


class Why(StrEnum):
    """Reason of a breach: a broken bound, a hidden pick, a list over its limit, prices that
    depend on each other, an author's error; or something not understood. A solver may also be
    held to the models that a player owns."""

    BOUND = "bound"
    HIDDEN = "hidden"
    LIMIT = "limit"
    LOOP = "loop"
    NOTICE = "notice"
    OWNED = "owned"
    UNCHECKED = "unchecked"


#: Severities of a breach, or that something is unknown.
SEVERITIES: Final = ("error", "warning", "info", "unknown")


@dataclass(frozen=True, slots=True, eq=False)
class Breach:
    """A breach in a list: within `at`, the bound's count is `measured`.

    `node` is the pick concerned, or the place where one is missing. If something isn't understood,
    it is that of the bound, the `cost`, the `notice` or the `move`; otherwise of whether the pick
    is hidden.
    """

    why: Why
    at: Node
    node: Node
    bound: Bound | None = None
    measured: Number = 0
    allowed: Number = 0
    cost: str = ""
    notice: Notice | None = None
    move: CategoryMove | None = None

    @property
    def severity(self) -> str:
        """Severity of the breach, one of SEVERITIES."""
        if self.why is Why.NOTICE and self.notice is not None:
            return self.notice.severity
        if self.why is Why.UNCHECKED:
            return "unknown"
        hidden_force = self.why is Why.HIDDEN and self.node.definition.kind is Kind.FORCE
        return "warning" if hidden_force else "error"

    @property
    def is_over(self) -> bool:
        """Return whether there is too much."""
        return self.measured > self.allowed


class PlacedBound(NamedTuple):
    """A bound at its place: for actual or possible contents of a pick (`above`)."""

    bound: Bound
    above: Node
    node: Node | None


class BoundKey(NamedTuple):
    """The place where a bound is judged once: within which pick, of which tag."""

    at: Node
    bound: str
    tag: str


class Branch:
    """A pick directly in a force with all its contents, evaluated.

    `index` has its picks by their tags, `numbers` their counts; `still` and `still_numbers` the
    same before categories moved. `asked` are its questions to the rest of the list, with the
    answers, `asked_still` those of its moves. `moves` are those of its picks that hold, `moved_by`
    those of others that concern them. It is unknown whether `unsettled` moves hold, and what
    `unpriced` picks cost.
    """

    __slots__ = (
        *("_unmoved", "asked", "asked_still", "breaches", "costs", "index", "judged", "moved_by"),
        *("moves", "moving", "nodes", "numbers", "pick", "root", "still", "still_numbers"),
        *("unpriced", "unsettled", "wide"),
    )

    def __init__(self, pick: Pick, force: Node) -> None:
        self.pick = pick
        self.nodes: list[Node] = []
        self.root = self._place(pick, force)
        self.asked: dict[Asked, Number] = {}
        self.asked_still: dict[Asked, Number] = {}
        self.costs: dict[str, Number] = {}
        self.breaches: list[Breach] = []
        self.wide: list[tuple[BoundKey, PlacedBound]] = []
        self.judged = False
        self.moving = any(node.definition.moves for node in self.nodes)
        self.moves: tuple[Moved, ...] = ()
        self.moved_by: tuple[Moved, ...] = ()
        self.unsettled: list[tuple[Node, CategoryMove]] = []
        self.unpriced: list[tuple[Node, str]] = []
        self._unmoved: Branch | None = None
        self.still, self.still_numbers = self.index, self.numbers = counted(self.nodes)

    @property
    def key(self) -> tuple[int, Node]:
        """Key of the breach: its pick and force."""
        return id(self.pick), self.root.force

    def _place(self, pick: Pick, above: Node) -> Node:
        node = Node(pick.definition, above, pick, self)
        node.place = len(self.nodes)
        self.nodes.append(node)
        if pick.below:
            node.below = [self._place(below, node) for below in pick.below]
        node.until = len(self.nodes)
        return node

    def anew(self) -> Branch:
        """Return the same picks with the same categories, of which nothing else is known."""
        branch = Branch(self.pick, self.root.force)
        branch.asked_still = self.asked_still
        branch.moves, branch.moved_by = self.moves, self.moved_by
        branch.unsettled = [
            (branch.nodes[self.nodes.index(node)], move) for node, move in self.unsettled
        ]
        if self.index is not self.still:
            for node, like in zip(branch.nodes, self.nodes, strict=True):
                node.tags, node.categories = like.tags, like.categories
            branch.index, branch.numbers = counted(branch.nodes)
        return branch

    def unmoved(self) -> Branch:
        """Return the same picks before any of them moved between categories."""
        if self.index is self.still:
            return self
        if self._unmoved is None:
            self._unmoved = Branch(self.pick, self.root.force)
        return self._unmoved

    def apply(self, moves: Iterable[Moved]) -> None:
        """Move its picks between categories."""
        for moved in moves:
            for node in moved.reached(self):
                node.move(moved.move)
        self.index, self.numbers = counted(self.nodes)


def counted(nodes: list[Node]) -> tuple[dict[str, list[Node]], dict[str, int]]:
    """Return picks, and how many they are, by their tags; all of them by ""."""
    index: dict[str, list[Node]] = {"": nodes}
    for node in nodes:
        for tag in node.tags:
            known = index.get(tag)
            if known is None:
                index[tag] = [node]
            else:
                known.append(node)
    return index, {tag: sum([node.number for node in found]) for tag, found in index.items()}


def _after(move: CategoryMove, categories: Mapping[str, bool]) -> dict[str, bool]:
    """Return the categories of a pick after a move."""
    moved = dict(categories)
    if move.act == "add":
        moved.setdefault(move.category, False)
    elif move.act == "remove":
        moved.pop(move.category, None)
    elif move.act == "set-primary":
        moved = dict.fromkeys(moved, False) | {move.category: True}
    elif move.category in moved:
        moved[move.category] = False
    return moved


class Moved(NamedTuple):
    """A move of categories that holds, and the pick within which it is about others, or itself."""

    move: CategoryMove
    at: Node

    @property
    def is_wide(self) -> bool:
        """Return whether it concerns picks of other branches."""
        return self.at.branch is None

    def reached(self, branch: Branch) -> list[Node]:
        """Return the picks of a branch that it is about, by the tags they had before."""
        at, reach = self.at, self.move.reach
        if reach is None:
            return [at] if at.branch is branch else []
        return [node for node in branch.still.get(reach.tag, ()) if reach.reaches(at, node)]
