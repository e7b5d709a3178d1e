"""Options of book files: resolution of their ids, and from JSON to the engine's objects.

A shared node of a book is built once and is the same object wherever it is used; a use with other
words is a copy that still shares the children.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from armybuilder.engine.amounts import Amount, read_amount, read_changes
from armybuilder.engine.condition_reading import Resolve, not_with, read_condition
from armybuilder.engine.conditions import AllOf, AnyOf, Condition, all_of
from armybuilder.engine.names import name_key
from armybuilder.engine.options import (
    ROW_NAME,
    Cap,
    Group,
    Keyword,
    Offer,
    Option,
    Profile,
    Restriction,
    StatChange,
    keyword_tag,
)
from armybuilder.engine.selectors import Tags
from armybuilder.engine.traits import (
    MOUNT,
    UNKNOWN_MOUNT,
    Trait,
    TraitNeeds,
    known_stat,
    stat_tag,
)

Entry = Mapping[str, Any]
Path = tuple[object, ...]
Node = Option | Group
NodeT = TypeVar("NodeT", bound=Option | Group)
Gains = Mapping[str, tuple[Keyword, ...]]

#: Fields of a cap, as a book writes them, in the order of `Cap`.
CAP_FIELDS = ("cap", "cap_models", "cap_points")


def node_id(node: Entry) -> str:
    """Return a node's id; for a use, that of the shared node."""
    return str(node.get("id") or node.get("group") or node.get("use"))


def _by_id(nodes: Iterable[Entry]) -> tuple[dict[str, str], dict[str, str]]:
    """Return the names of options, and of groups, by id."""
    options: dict[str, str] = {}
    groups: dict[str, str] = {}
    for node in nodes:
        if "use" not in node:
            table = groups if "group" in node else options
            table.setdefault(node_id(node), node["name"])
    return options, groups


class IdNames:
    """Resolution of ids in a book: in all of it, or below one unit. `traits` are the game's."""

    def __init__(self, book: Entry, traits: Mapping[str, Trait]) -> None:
        self.book = book
        self.traits = traits
        self.shared = {node_id(node): node for node in book.get("options", ())}
        self.units = {unit["id"]: unit["name"] for unit in book["units"]}
        self.organisations = {entry["id"]: entry["name"] for entry in book.get("organisations", ())}
        all_nodes = [*book.get("options", ())]
        for unit in book["units"]:
            all_nodes += unit.get("options", ())
        self.options, self.groups = _by_id(node for node, _ in walk(all_nodes, ()))
        self._below: dict[str, tuple[dict[str, str], dict[str, str]]] = {}

    def below(self, unit: Entry) -> tuple[dict[str, str], dict[str, str]]:
        """Return the options and groups of one unit: name by id."""
        if unit["id"] not in self._below:
            nodes = (node for node, _ in self.nodes(unit.get("options", ()), ()))
            self._below[unit["id"]] = _by_id(nodes)
        return self._below[unit["id"]]

    def nodes(self, nodes: Sequence[Entry], path: Path) -> Iterator[tuple[Entry, Path]]:
        """Yield options and groups with the place of their id; shared ones wherever they are used.

        The uses must form no circle.
        """
        for node, here in walk(nodes, path):
            if "use" not in node:
                yield node, (*here, "group" if "group" in node else "id")
            else:
                for shared, _ in self.nodes([self.shared[node["use"]]], ()):
                    yield shared, (*here, "use")

    def resolver(self, unit: Entry | None, unknown: list[str] | None = None) -> Resolve:
        """Return how conditions in a unit (None: not in one) read ids; note `unknown` ones."""
        options, groups = (self.options, self.groups) if unit is None else self.below(unit)
        return Resolver(self, options, groups, [] if unknown is None else unknown)


@dataclass(frozen=True)
class Resolver:
    """Resolution of ids in one unit, or (a shared node) anywhere in the book."""

    names: IdNames
    options: Mapping[str, str]
    groups: Mapping[str, str]
    unknown: list[str]

    def __call__(self, name: str, army: bool) -> tuple[str, str]:
        """Return the tag that an id is counted by, and its name."""
        options, groups, last = self.options, self.groups, name
        if army:
            book = self.names
            if name in book.units:
                return f"unit:{book.book['id']}/{name}", book.units[name]
            if name in book.organisations:
                return f"organisation:{name}", book.organisations[name]
            options, groups, last = book.options, book.groups, name.rpartition("/")[2]
        if last in options:
            return f"option:{name}", options[last]
        if last in groups:
            return f"group:{last}", groups[last]
        self.unknown.append(name)
        return f"option:{name}", name

    def trait(self, name: str) -> Condition:
        """Return the trait of the system with this id. Raises KeyError where there is none."""
        return self.names.traits[name]


def walk(nodes: Sequence[Entry], path: Path) -> Iterator[tuple[Entry, Path]]:
    """Yield nodes and their descendants, each with its place."""
    for number, node in enumerate(nodes):
        yield node, (*path, number)
        if "options" in node:
            yield from walk(node["options"], (*path, number, "options"))


class OptionBuilder:
    """Builds the nodes of one book, whose uses form no circle. `gains` are the system's."""

    def __init__(self, names: IdNames, gains: Gains) -> None:
        self.names = names
        self.asked = TraitNeeds.by(names.traits.values())
        self.gains = gains
        self._shared: dict[str, Node] = {}
        self._items: dict[tuple[str, str], str] = {}

    def offer(self, unit: Entry) -> Offer:
        """Return the possible options of a unit."""
        resolve = self.names.resolver(unit)
        nodes = unit.get("options", ())
        return Offer(self._nodes(nodes, resolve, f"{unit['id']}/")) if nodes else Offer()

    def _nodes(self, nodes: Sequence[Entry], resolve: Resolve, home: str) -> tuple[Node, ...]:
        return tuple(self._node(node, resolve, home) for node in nodes)

    def _node(self, node: Entry, resolve: Resolve, home: str) -> Node:
        if "use" in node:
            shared = self.shared(node["use"])
            if len(node) == 1:
                return shared
            needs = all_of([*([shared.needs] if shared.needs else []), *_needs(node, resolve)])
            copy = replace(shared, name=node.get("name", shared.name), needs=needs)
            if isinstance(copy, Group):
                return _group_with(_counted_in(copy, node), node, resolve)
            return _option_with(_counted_in(copy, node), node, resolve, copy.counted[-1])
        build = self._group if "group" in node else self._option
        return build(node, resolve, home)

    def shared(self, name: str) -> Node:
        """Return a shared node of the book, the same object each time."""
        if name not in self._shared:
            resolve = self.names.resolver(None)
            self._shared[name] = self._node(self.names.shared[name], resolve, "")
        return self._shared[name]

    def _group(self, node: Entry, resolve: Resolve, home: str) -> Group:
        group = Group(
            id=node["group"],
            name=node["name"],
            nodes=self._nodes(node["options"], resolve, home),
            needs=all_of(_needs(node, resolve)),
            unchecked=read_unchecked(node, resolve),
        )
        return _group_with(_counted_in(group, node), node, resolve)

    def _option(self, node: Entry, resolve: Resolve, home: str) -> Option:
        keywords = read_keywords(node, resolve, self.gains, node["id"])
        profiles = tuple(read_profile(entry, resolve) for entry in node.get("profiles", ()))
        ids = tuple(dict.fromkeys((f"option:{node['id']}", f"option:{home}{node['id']}")))
        traits = dict.fromkeys(_trait_tags(node, keywords, profiles, self.asked))
        inner = node.get("options", ())
        option = Option(
            id=node["id"],
            name=node["name"],
            needs=all_of(_needs(node, resolve)),
            tags=frozenset([*ids, *_option_tags(node, keywords)]),
            counted=(*traits, *ids),
            keywords=keywords,
            profiles=profiles,
            item=node.get("item", ""),
            on=tuple(node.get("on", ())),
            offer=Offer(self._nodes(inner, resolve, home)) if inner else Offer(),
            note=node.get("note", ""),
            unchecked=read_unchecked(node, resolve),
        )
        # A cap counts by the place of the option; but a special item that is One of a Kind is one
        # item by its name, in any entry and at any price.
        key = ids[-1]
        if option.item and node.get("one_of_a_kind"):
            key = self._items.setdefault((option.item, name_key(option.name)), key)
        return _option_with(option, node, resolve, key)


def _option_tags(node: Entry, keywords: Sequence[Keyword]) -> Iterator[str]:
    if "item" in node:
        yield f"item:{node['item']}"
    if node.get("dominant"):
        yield "item:dominant"
    for keyword in keywords:
        if keyword.condition is None:
            yield keyword.tag
    yield from category_tags(node.get("categories", ()))


def category_tags(categories: Iterable[str]) -> Tags:
    """Return the tags by which selectors match a category's units and options."""
    return frozenset(f"category:{category}" for category in categories)


def _counted_in(node: NodeT, entry: Entry) -> NodeT:
    """Return the option, or all options of the group, with the categories that its entry says."""
    tags = category_tags(entry.get("categories", ()))
    return _tagged(node, tags) if tags else node


def _tagged(node: NodeT, tags: Tags) -> NodeT:
    if isinstance(node, Option):
        return replace(node, tags=node.tags | tags)
    return replace(node, nodes=tuple(_tagged(inner, tags) for inner in node.nodes))


def _trait_tags(
    node: Entry, keywords: Sequence[Keyword], profiles: Sequence[Profile], needs: TraitNeeds
) -> Iterator[str]:
    """Yield the option's tags that traits need: special rules, and a mount's statistics."""
    rules = [keyword_tag(rule) for profile in profiles for rule in profile.rules]
    always = [keyword.tag for keyword in keywords if keyword.condition is None]
    yield from (tag for tag in (*always, *rules) if tag in needs.keywords)
    if not node.get("mount"):
        return
    yield MOUNT
    # If another edition gives only a unit's size, its rules are unknown.
    if not any(row.is_whole(needs.stats) for row in profiles):
        yield UNKNOWN_MOUNT
    for stat in needs.stats:
        value = next(filter(None, (row.stats.get(stat) for row in profiles)), "")
        if value:
            yield known_stat(stat)
            yield stat_tag(stat, value)


def read_unchecked(node: Entry, resolve: Resolve) -> tuple[Restriction, ...]:
    """Return the restrictions of a unit, option or group that the book says cannot be judged."""
    return tuple(
        Restriction(
            entry["what"],
            entry["why"],
            read_condition(entry["if"], resolve) if "if" in entry else None,
        )
        for entry in node.get("unchecked", ())
    )


def _option_with(option: Option, node: Entry, resolve: Resolve, key: str) -> Option:
    """Return the option with the numbers that `node` sets and changes; its cap counts by `key`."""
    low, high = node.get("number", (option.least.base, option.most.base))
    must_lead = read_must_lead(node, resolve) or option.must_lead
    return replace(
        option,
        must_lead=must_lead,
        tags=option.tags | {"must:lead"} if must_lead else option.tags,
        points=_moved(option.points, node, "points", resolve, node.get("points")),
        each=_moved(option.each, node, "points_per_model", resolve, node.get("points_per_model")),
        least=_moved(option.least, node, "min", resolve, low),
        most=_moved(option.most, node, "max", resolve, high),
        cap=read_cap(node, resolve, key, option.cap),
    )


def _group_with(group: Group, node: Entry, resolve: Resolve) -> Group:
    low, high = node.get("choose", (group.least.base, group.most.base))
    return replace(
        group,
        least=_moved(group.least, node, "min", resolve, low),
        most=_moved(group.most, node, "max", resolve, high),
        allowance=_moved(group.allowance, node, "allowance", resolve, node.get("allowance")),
        default=node.get("default", group.default),
    )


def _moved(amount: Amount, node: Entry, field: str, resolve: Resolve, base: int | None) -> Amount:
    """Return the amount with the node's base, if it has one, and its changes after the others."""
    changes = read_changes(node.get("when", ()), field, resolve)
    if base is None and not changes:
        return amount
    return Amount(amount.base if base is None else base, (*amount.changes, *changes))


def read_cap(node: Entry, resolve: Resolve, key: str, known: Cap | None = None) -> Cap | None:
    """Return the cap a unit or option has per army; None where there is none."""
    moved = [
        field
        for entry in node.get("when", ())
        for kind in ("set", "add")
        for field in entry.get(kind, ())
        if field in CAP_FIELDS
    ]
    written = any(node.get(field) is not None for field in CAP_FIELDS)
    if not (moved or written or node.get("one_of_a_kind")):
        return known
    base = known or Cap(key)
    number, models, points = (
        _moved(amount, node, field, resolve, node.get(field))
        for amount, field in zip((base.number, base.models, base.points), CAP_FIELDS, strict=True)
    )
    return Cap(base.key, number, models, points, node.get("one_of_a_kind", base.one_of_a_kind))


def _needs(node: Entry, resolve: Resolve) -> list[Condition]:
    found = [read_condition(node["needs"], resolve)] if "needs" in node else []
    return [*found, not_with(node["not_with"], resolve)] if node.get("not_with") else found


def read_needs(node: Entry, resolve: Resolve) -> Condition | None:
    """Return the condition for taking a unit, from its `needs` and `not_with`."""
    return all_of(_needs(node, resolve))


def read_fact(entry: Entry, key: str, resolve: Resolve) -> Condition | None:
    """Return an entry's yes, no or condition; None if it gives none."""
    said = entry.get(key)
    if isinstance(said, bool):
        return AllOf(()) if said else AnyOf(())
    return None if said is None else read_condition(said, resolve)


def read_must_lead(entry: Entry, resolve: Resolve) -> Condition | None:
    """Return when a unit, or the owner of an option, must lead the army; None: never."""
    return read_fact(entry, "must_lead", resolve) if entry.get("must_lead") else None


def read_keywords(
    entry: Entry, resolve: Resolve, gains: Gains, option_id: str = ""
) -> tuple[Keyword, ...]:
    """Return the keywords of a unit or option, with those that these or the option bring."""
    keywords = []
    for keyword in entry.get("keywords", ()):  # "Scoring" or {"name": "Scout", "if": {...}}
        name, condition = keyword, None
        if not isinstance(keyword, str):
            name, condition = keyword["name"], read_condition(keyword["if"], resolve)
        keywords.append(Keyword(name, keyword_tag(name), condition))
    more = list(gains.get(option_id, ()))
    for keyword in keywords:
        gained = gains.get(keyword.tag.removeprefix("keyword:"), ())
        more += [each._replace(condition=keyword.condition) for each in gained]
    there = {keyword.tag for keyword in keywords if keyword.condition is None}
    return tuple(dict.fromkeys([*keywords, *(each for each in more if each.tag not in there)]))


def read_profile(entry: Entry, resolve: Resolve) -> Profile:
    """Return a stat line; its values are texts, as the book prints them."""
    changes = []
    for change in entry.get("when", ()):
        condition = read_condition(change["if"], resolve)
        if "name" in change:
            changes.append(StatChange(ROW_NAME, condition, text=change["name"]))
        for stat, value in change.get("set", {}).items():
            changes.append(StatChange(stat, condition, text=str(value)))
        for stat, number in change.get("add", {}).items():
            changes.append(StatChange(stat, condition, add=number))
    stats = {stat: str(value) for stat, value in entry["stats"].items()}
    rules = tuple(entry.get("rules", ()))
    editions = (entry.get("from", ""), entry.get("filled", ""))
    return Profile(entry["name"], stats, rules, tuple(changes), *editions)


def read_size(unit: Entry, resolve: Resolve) -> tuple[Amount, Amount] | None:
    """Return the least and most models of a unit of many; None where models are bought singly."""
    if "size" not in unit:
        return None
    size = unit["size"]
    low, high = (size, size) if isinstance(size, int) else size
    when = unit.get("when", ())
    return read_amount(low, when, "min", resolve), read_amount(high, when, "max", resolve)
