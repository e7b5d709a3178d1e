"""The places in a unit as BattleScribe has them: each with the path of ids that rosters write.

What is taken stands on a unit or on something else that is taken; groups lie between. Some entries
of BattleScribe are no options of ours: the models of a unit, the mark of the General, entries that
only hold groups.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

from armybuilder.battlescribe.rosters.origins import Node, Origin

Role = Literal["option", "models", "general", "holder", "other"]
#: How deep entries and links may lead into each other; real books stay below 20.
MOST_DEEP: Final = 60
_JOIN: Final = "::"


@dataclass(frozen=True, eq=False)
class Site:
    """A place where an entry stands. `path` and `group` are ids as rosters write them; `ours` is
    our id of the option (or unit), "" where the entry is none. `groups` are our ids of the groups
    around it; `categories` (id, whether primary).
    """

    origin: Origin
    node: Node
    links: tuple[str, ...]
    path: str
    group: str = ""
    groups: tuple[str, ...] = ()
    categories: tuple[tuple[str, bool], ...] = ()
    others: tuple[Node, ...] = ()
    above: "Site | None" = None

    @property
    def role(self) -> Role:
        """What the book makes of the entry; "other": nothing."""
        if "is" in self.node:
            role: Role = self.node["is"]
            return role
        return "option" if "as" in self.node else "other"

    @property
    def ours(self) -> str:
        """Our id of the option or unit; "" where it is neither."""
        return str(self.node["as"]) if self.role == "option" else ""

    @property
    def id(self) -> str:
        """The entry's own id, the last of its path."""
        return str(self.node["id"])

    @property
    def name(self) -> str:
        """The name that BattleScribe's file gives it."""
        return str(self.node["name"])

    @property
    def type(self) -> str:
        """What kind of selection it is: unit, model or upgrade."""
        return str(self.node["kind"])

    @cached_property
    def children(self) -> tuple["Site", ...]:
        """The places directly on this one, those in groups too."""
        inner = (*self.node.get("in", ()), *self.others)
        groups = (str(self.node["as"]),) if self.role == "holder" and "as" in self.node else ()
        return tuple(self._sites(inner, self.links, "", groups, 0))

    def _sites(
        self,
        nodes: tuple[Node, ...],
        links: tuple[str, ...],
        group: str,
        groups: tuple[str, ...],
        depth: int,
    ) -> Iterator["Site"]:
        if depth > MOST_DEEP:
            return
        for node in nodes:
            if node["kind"] != "link":
                yield from self._at(node, links, group, groups, (), _categories(node), depth)
                continue
            target = self.origin.shared[node["to"]]
            categories = (*_categories(target), *_categories(node))
            inner = (*links, str(node["id"]))
            others = tuple(node.get("in", ()))
            yield from self._at(target, inner, group, groups, others, categories, depth)

    def _at(
        self,
        node: Node,
        links: tuple[str, ...],
        group: str,
        groups: tuple[str, ...],
        others: tuple[Node, ...],
        categories: tuple[tuple[str, bool], ...],
        depth: int,
    ) -> Iterator["Site"]:
        path = _JOIN.join((*links, str(node["id"])))
        if node["kind"] == "group":
            ours = (*groups, str(node["as"])) if "as" in node else groups
            inner = (*node.get("in", ()), *others)
            yield from self._sites(inner, links, path, ours, depth + 1)
            return
        yield Site(self.origin, node, links, path, group, groups, categories, others, self)

    def near(self) -> Iterator["Site"]:
        """The places on this one, and those on what only holds others; the nearest first."""
        level: tuple[Site, ...] = self.children
        for _ in range(MOST_DEEP):
            yield from level
            level = tuple(
                inner for site in level if site.role in {"models", "holder"}
                for inner in site.children
            )  # fmt: skip
            if not level:
                return


def unit_site(origin: Origin, unit: str) -> Site | None:
    """The place of a unit by our id; None where the source has none."""
    node = origin.units.get(unit)
    if node is None:
        return None
    return Site(origin, node, (), str(node["id"]), categories=_categories(node))


def unit_sites(origin: Origin) -> Iterator[Site]:
    """The places of all units of a book."""
    return (site for unit in origin.units if (site := unit_site(origin, unit)) is not None)


def _categories(node: Node) -> tuple[tuple[str, bool], ...]:
    first = ((node["primary"], True),) if "primary" in node else ()
    return (*first, *((id_, False) for id_ in node.get("also", ())))
