"""Special rules of a whole book: each in one spelling, and those of an option only with it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, Final

from armybuilder.engine.options import slug
from bookimport.mends import nodes_of

Node = dict[str, Any]

#: A suit or a shield is told by what is worn in its place.
_WORN: Final = re.compile(r"(?:armour|shield)$", re.I)


def spell_once(book: Node) -> None:
    """Give each special rule of a book one spelling, in place: the one that it has most often.

    What differs in case, spaces, apostrophes, hyphens, dots and the form of brackets is the same.
    """
    names = Counter(_round(name) for node in nodes_of(book) for name in _rules_of(node))
    spellings: dict[tuple[str, str], str] = {}
    for name, _ in names.most_common():
        spellings.setdefault(_key(name), name)

    def spelled(name: str) -> str:
        return spellings[_key(_round(name))]

    for node in nodes_of(book):
        words = [
            {**word, "name": spelled(word["name"])} if isinstance(word, dict) else spelled(word)
            for word in node.get("keywords", ())
        ]
        if words:
            node["keywords"] = [
                word for place, word in enumerate(words) if word not in words[:place]
            ]
        for row in node.get("profiles", ()):
            if "rules" in row:
                row["rules"] = list(dict.fromkeys(map(spelled, row["rules"])))


def tie_to_options(book: Node) -> None:
    """Let a unit have a rule that is called like one of its options only with that, in place."""
    shared = {node.get("id") or node.get("group"): node for node in book.get("options", ())}
    for unit in book["units"]:
        offered = {_key(name): id_ for id_, name in _choices(unit.get("options", ()), shared)}
        keywords = [
            {"name": word, "if": {"taken": offered[_key(word)]}}
            if isinstance(word, str) and _key(word) in offered
            else word
            for word in unit.get("keywords", ())
        ]
        if keywords:
            unit["keywords"] = keywords
        for row in unit.get("profiles", ()):
            rules = [
                rule
                for rule in row.get("rules", ())
                if _key(rule) not in offered or _WORN.search(rule)
            ]
            if rules:
                row["rules"] = rules
            else:
                row.pop("rules", None)


def _choices(nodes: Iterable[Node], shared: dict[str, Node]) -> Iterator[tuple[str, str]]:
    """Yield id and name of the options that may be chosen on a unit itself."""
    for node in nodes:
        told = {**shared.get(node.get("use", ""), {}), **node}
        if "group" in told:
            yield from _choices(told["options"], shared)
        elif told.get("number", [0, 1])[0] == 0:
            yield told["id"], told["name"]


def _rules_of(node: Node) -> Iterator[str]:
    for word in node.get("keywords", ()):
        yield word["name"] if isinstance(word, dict) else word
    for row in node.get("profiles", ()):
        yield from row.get("rules", ())


def _round(name: str) -> str:
    """Return a name with round brackets in the place of square ones."""
    return name.replace("[", "(").replace("]", ")")


def _key(name: str) -> tuple[str, str]:
    """Return what spellings of one rule share; their tags are the same ones too."""
    plain = "".join(letter for letter in name.casefold() if letter.isalnum() or letter == "+")
    return slug(name), plain
