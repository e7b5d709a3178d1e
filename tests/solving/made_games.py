"""Small random games of rules of every kind, as they are and as an event's pack plays them."""

import json
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.packs import at_event, build_pack
from tests.building.tiny import (
    GENERAL,
    RESERVE,
    Data,
    book_data,
    catalogue,
    rule,
    system_data,
    titled,
)

#: What all parts of a game are drawn from; the file says how.
PARTS: Data = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
#: A game has one rule of these kinds.
ONCE = ("faction", "belongs", "capacity", "pool")
ARMOUR = {"suits": {"light-armour": 1, "plate-armour": 3}, "shields": {"shield": 1}}
#: Settings, roles and stat lines by which a part of a game tells that it is for others.
ROLES = {
    "general": titled("general", **GENERAL, alone=True),
    "reserve": titled("reserve", **RESERVE),
}


class Making:
    """Draws the parts of one game; rules speak of what there is in it."""

    def __init__(self, chance: Random, sized: bool) -> None:
        self.chance = chance
        self.sized = sized
        self.known: Data = {**PARTS, **PARTS["sized" if sized else "singles"]}
        self.limit: int = self.known["limit"]
        drawn = chance.sample(PARTS["settings"], chance.choice([0, 0, 1, 1, 2, 3]))
        named = {one["id"] for one in drawn}
        named |= {"ground"} if named & {"field", "terrain"} else set()
        named |= {"faction"} if not sized and chance.random() < 0.5 else set()
        self.settings = [one for one in PARTS["settings"] if one["id"] in named]
        role = "general" if sized else "reserve"
        self.roles = [ROLES[role]] if chance.random() < (0.5 if sized else 0.25) else []
        there = named | {one["id"] for one in self.roles}
        every = {one["id"] for one in PARTS["settings"]} | ROLES.keys()
        self.missing = every - there
        self.number = 0

    def draw(self, node: Any) -> Any:
        """Return a part of a game, drawn from what the file says."""
        if isinstance(node, str) and node.startswith("$"):
            return self.draw(self.known[node[1:]])
        if isinstance(node, list):
            return [self.draw(one) for one in node]
        if not isinstance(node, Mapping):
            return node
        if "?" in node:
            return self.draw(self.chance.choice(node["?"]))
        made = {key: self.draw(one) for key, one in node.items() if key != "+"}
        return {**made, **(self.draw(self.chance.choice(node["+"])) if "+" in node else {})}

    def is_of_this(self, part: Data) -> bool:
        """Whether a part names no setting and no role that this game has not."""
        names = _names({**part, "attribute": ""}) if "setting" in part else _names(part)
        missing = self.missing if "setting" in part else self.missing - {"faction"}
        return names.isdisjoint(missing) and (self.sides or "cross_faction" not in names)

    sides = False

    def rule(self, node: Any) -> Data | None:
        """Return a rule with an id and a code, None for one of another game."""
        drawn = self.draw(node)
        given = self.draw("$given")
        if self.chance.random() < 0.25 and self.is_of_this(given):
            drawn["for"] = given
        if self.chance.random() < 0.08:
            drawn["severity"] = self.chance.choice(["warning", "note"])
        if not self.is_of_this(drawn):
            return None
        self.number += 1
        kind = drawn.pop("kind")
        return rule(kind, f"tiny.{kind}", **{"id": f"{kind}-{self.number}", **drawn})

    def rules(self, nodes: list[Any], low: int, high: int) -> list[Data]:
        """Return rules by chance."""
        some = self.chance.sample(nodes, min(len(nodes), self.chance.randint(low, high)))
        return [one for one in map(self.rule, some) if one is not None]

    def system(self) -> Data:
        """Return the file of the game."""
        closing = (self.closing(one) for one in self.known["closing"])
        made = [one for one in closing if one is not None]
        most = self.chance.choice(
            ["limit", "limit", "limit", self.limit * 2 // 3, self.limit * 2, None]
        )
        if most is not None:
            made.append(rule("limit", "points.over", id="points", count="points", max=most))
        for node in self.known["always"]:
            one = self.rule(node)
            if one is not None:
                self.sides |= one["kind"] == "faction"
                made.append(one)
        own = [*PARTS["rules"], *self.known["rules"]]
        for one in self.rules(own, 2, 9):
            if one["kind"] not in ONCE or all(one["kind"] != other["kind"] for other in made):
                made.append(one)
        changes: Data = {"roles": self.roles, "settings": self.settings}
        if self.sized:
            changes |= {"sized": True, "armour": {"stat": "nerve", "most": 6, **ARMOUR}}
        elif self.roles:
            changes["sometimes"] = "reserve"
        return system_data(*made, **changes)

    def closing(self, node: Any) -> Data | None:
        """Return a rule that keeps the game small, in every form of it."""
        drawn = self.draw(node)
        return rule(drawn.pop("kind"), **drawn) if self.is_of_this(drawn) else None

    def books(self) -> list[Data]:
        """Return the files of its books."""
        units = [{**self.draw(one), **self.draw("$unit")} for one in self.known["units"]]
        for one in units:
            sides = {key: one.pop(key) for key in ("faction", "side") if key in one}
            one |= titled(one["name"], attributes=sides)
        more = {"categories": self.draw("$categories")} if self.sized else {}
        last = units[-1]
        if self.chance.random() < 0.2 and "lord" not in str(last):
            first = book_data(*units[:-1], **more)
            return [first, {**book_data(last, **more), "id": "allies"}]
        return [book_data(*units, **more)]

    def pack(self, made: Catalogue) -> Data:
        """Return the file of an event, which lifts, replaces and adds rules."""
        own = [one.head.id for one in made.system.rules]
        own = [one for one in own if not one.startswith(("closed", "must-"))]
        gone = self.chance.sample(own, min(len(own), self.chance.randint(0, 3)))
        added = self.rules([*PARTS["rules"], *self.known["rules"], PARTS["books"]], 0, 5)
        added = [one for one in added if one["kind"] not in ONCE]
        replaced = gone[: len(added) // 2]
        return {
            "format": "pack/1",
            "id": "cup",
            "name": "Tiny Cup",
            "about": "For tests.",
            "system": "tiny",
            "sources": {"pack": {"title": "The cup's pack", "short": "Pack"}},
            "lift": [{"rule": one, "cite": "1"} for one in gone[len(replaced) :]],
            "replace": [{"rule": one, "by": by} for one, by in zip(replaced, added, strict=False)],
            "rules": added[len(replaced) :],
        }

    def game(self) -> Catalogue:
        """Return the game, every second time as an event plays it."""
        made = catalogue(self.system(), *self.books())
        if self.chance.random() < 0.5:
            return made
        pack, problems = build_pack(self.pack(made), {"tiny": made.system}, "cup.json")
        assert pack is not None, problems
        return at_event(made, pack)


def _names(node: Any) -> set[str]:
    """Return all keys and texts of a part."""
    if isinstance(node, str):
        return {node}
    if isinstance(node, list):
        return {name for one in node for name in _names(one)}
    if isinstance(node, Mapping):
        return {*node, *(name for one in node.values() for name in _names(one))}
    return set()


def kinds_in(node: Any) -> set[str]:
    """Return the kinds of all rules in a part."""
    nodes = node.values() if isinstance(node, Mapping) else node if isinstance(node, list) else ()
    found = {kind for one in nodes for kind in kinds_in(one)}
    is_rule = isinstance(node, Mapping) and "kind" in node and "name" not in node
    return found | {node["kind"]} if is_rule else found
