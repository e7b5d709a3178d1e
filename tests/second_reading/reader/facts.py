"""What other editions say of units and mounts to which a book's own file gives no stat line: read
from the file of facts, by the ids of the source, which the file of places tells.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Fact:
    """Height and Type ("" where nobody tells), and the names of all rules and equipment. `whole`:
    all of a stat line, not single values of one. `ridden` are the names of its Harnessed parts,
    `is_mount` says that it is none, whatever the book's file has it among.
    """

    height: str
    type: str
    rules: frozenset[str]
    whole: bool
    ridden: frozenset[str] = frozenset()
    is_mount: bool = True


def read_facts(game: Path, book: str) -> dict[str, Fact]:
    """The facts of one book by the source's ids of units and mounts, in a game's folder."""
    facts = _facts(game)
    places = json.loads((game / "battlescribe" / f"{book}.json").read_text("utf-8"))
    below = chain.from_iterable(one.get("in", ()) for one in places["units"])
    units, mounts = (facts[kind].get(book, {}) for kind in ("units", "mounts"))
    return {
        **_found(places["units"], units),
        **_found(_walk((*below, *places["shared"])), mounts),
    }


def _found(nodes: Iterable[Mapping[str, Any]], facts: Mapping[str, Any]) -> dict[str, Fact]:
    known = ((node["id"], facts.get(node.get("as", ""))) for node in nodes)
    return {id_: _fact(data) for id_, data in known if data}


def _walk(nodes: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for node in nodes:
        yield node
        yield from _walk(node.get("in", ()))


@cache
def _facts(game: Path) -> dict[str, Any]:
    file = game / "facts" / "stat_lines.json"
    if not file.is_file():
        return {"units": {}, "mounts": {}}
    data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    for kind in ("units", "mounts") if "like" in data else ():
        like = _facts(game.parent / data["like"])[kind]
        for book, facts in data[kind].items():
            facts |= {id_: like[book][id_] for id_, one in facts.items() if one == "="}
    return data


def _fact(data: Mapping[str, Any]) -> Fact:
    rows = data.get("profiles", [])
    values: dict[str, str] = {**data.get("values", {}), **data.get("size", {})}
    for row in reversed(rows):
        values |= row["stats"]
    rules = [*data.get("keywords", ()), *(rule for row in rows for rule in row.get("rules", ()))]
    names = frozenset(rule for rule in rules if isinstance(rule, str))
    ridden = frozenset(row["name"] for row in rows if "Harnessed" in row.get("rules", ()))
    size = values.get("height", ""), values.get("type", "")
    return Fact(*size, names, bool(rows), ridden, data.get("mount", True))
