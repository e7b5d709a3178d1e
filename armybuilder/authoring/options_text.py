"""Simple options of a unit as lines; anything such lines can't express stays in the unit.

"Champion, 20", "Shields, 2 a model", "Weapon: Spears free | Halberds, 3 a model".
"""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from armybuilder.authoring.fields import Entry, Wrong
from armybuilder.authoring.wording import (
    at_most,
    free_id,
    listed,
    one_line,
    paragraph,
    short,
    simplified,
    whole_number,
)
from armybuilder.engine.wording import quote
from armybuilder.languages import Typed, typed, typed_pattern

MOST_OPTIONS = 60
HIGHEST = 9999

# What is read here is also written by this module, in any language that there is: both ways know
# the words of all of them. Written in words that nothing here reads, a line is not shown at all.
_PER_MODEL = Typed("typed", "a model|per model|each model|every model|/model|/ model|each|p.m.|pm")
_UP_TO = Typed("typed", "up to|at most|max.|max")
_IN_ARMY = Typed("typed", "in the army|per army|an army")
_FREE = Typed("typed", "free|gratis")
_ANY = Typed("typed", "any")
_ONE_OF_A_KIND = Typed("typed", "one of a kind|unique")
_CHOOSE = re.compile(r"(?P<name>.*\S)\s*\((?P<how>[^()]*)\)$")
_HOW = re.compile(r"(?:(?P<low>\d{1,3})\s*(?P<plus>\+)?(?:\s*[-–]\s*(?P<high>\d{1,3}))?)$")
_OPTION_KEYS = {"id", "name", "points", "points_per_model", "number", "cap", "one_of_a_kind"}
_GROUP_KEYS = {"group", "name", "options", "choose", "default"}

Node = dict[str, Any]


@cache
def _behind(meaning: Typed) -> re.Pattern[str]:
    return re.compile(rf"(?:(?<=\d)|\s+){typed_pattern(meaning)}$", re.I)


@cache
def _up_to() -> re.Pattern[str]:
    return re.compile(rf"(?:{typed_pattern(_UP_TO)}|0\s*[-–])\s*(\d{{1,4}})$", re.I)


def show_options(nodes: Iterable[Entry]) -> str:
    """Return the options of a unit, one to a line. Raises Wrong where lines cannot say them."""
    return "\n".join(map(_line, nodes))


def read_options(text: str, existing: Sequence[Entry]) -> list[Node]:
    """Read options; those named like existing ones keep their ids, which lists hold."""
    lines = [line for line in paragraph(text, 20_000).split("\n") if line.strip()]
    at_most(len(lines), MOST_OPTIONS, _("{number} lines; the maximum is {most}."))
    nodes = [_read_line(one_line(line, 600)) for line in lines]
    # Every option and group gets the id of the one it was, else one made of its name.
    flat = list(_flat(nodes))
    names = [simplified(node["name"]) for node in flat]
    twice = next((node for node in flat if names.count(simplified(node["name"])) > 1), None)
    if twice is not None:
        raise Wrong(_("“{name}” appears twice; rename one.").format(name=short(twice["name"])))
    left = {_head(node): node for node in _flat(existing) if "use" not in node}
    for likeness in (1.0, 0.6):
        for node in flat:
            if not _head(node):
                _take_id(node, left, likeness)
    taken = {_head(node) for node in flat} | {str(node.get("use", "")) for node in existing}
    for node in flat:
        if not _head(node):
            node["group" if "group" in node else "id"] = free_id(node["name"], taken, "option")
            taken.add(_head(node))
    for node in nodes:
        if "default" in node:
            node["default"] = node["default"]["id"]
    return nodes


def _line(node: Entry) -> str:
    if "use" in node:
        raise Wrong("It uses shared options.")
    if "group" not in node:
        return _option(node)
    if not node.keys() <= _GROUP_KEYS or any("id" not in inner for inner in node["options"]):
        raise Wrong("Its group is more than a line.")
    default = node.get("default")
    inner = (_option(option) + "*" * (option["id"] == default) for option in node["options"])
    return f"{node['name']}{_chosen(node.get('choose'))}: {' | '.join(inner)}"


def _chosen(choose: Sequence[int | None] | None) -> str:
    if choose is None:
        return f" ({pgettext('option line', 'any')})"
    low, high = choose
    if low == high == 1:
        return ""
    if high is None:
        return f" ({low}+)"
    if low == 0:
        return f" ({pgettext('option line', 'up to {number}').format(number=high)})"
    return f" ({low})" if low == high else f" ({low}-{high})"


def _option(node: Entry) -> str:
    if not node.keys() <= _OPTION_KEYS:
        raise Wrong("An option is more than a line.")
    words = [node["name"]]
    if "points" in node:
        words.append(str(node["points"]))
    if "points_per_model" in node:
        words.append(
            pgettext("option line", "{points} per model").format(points=node["points_per_model"])
        )
    low, high = node.get("number", (0, 1))
    if low:
        raise Wrong("An option is there at once.")
    if "number" in node:
        words.append(pgettext("option line", "up to {number}").format(number=high))
    if "cap" in node:
        words.append(pgettext("option line", "0-{number} in the army").format(number=node["cap"]))
    if node.get("one_of_a_kind"):
        words.append(pgettext("option line", "one of a kind"))
    if len(words) == 1:
        return pgettext("option line", "{name} free").format(name=words[0])
    return ", ".join(words)


def _read_line(line: str) -> Node:
    head, colon, rest = line.partition(":")
    if not colon:
        return _read_option(line.rstrip("*"))
    options: list[Node] = []
    default: Node | None = None
    for entry in filter(None, map(str.strip, rest.split("|"))):
        options.append(_read_option(entry.rstrip("*")))
        default = options[-1] if entry.endswith("*") else default
    if not options:
        raise Wrong(_("“{line}”: write the choices after the colon.").format(line=short(line)))
    node: Node = {"group": "", "name": head.strip(), "options": options}
    choose: list[int | None] = [1, 1]
    match = _CHOOSE.match(head.strip())
    if match:
        node["name"], choose = match["name"], _read_choose(match["how"], head)
    _check_name(node["name"], line)
    if choose:
        node["choose"] = choose
    free = (option for option in options if not option.keys() & {"points", "points_per_model"})
    if default is None and choose and choose[0] == 1:
        default = next(free, None)
    if default is not None:
        node["default"] = default  # its id, as soon as it has one
    return node


def _read_choose(how: str, head: str) -> list[int | None]:
    """Return how many of a group: "any", "up to 2", "2", "1-3", "1+"."""
    how = how.strip().casefold()
    if how in typed(_ANY):
        return []
    up_to, match = _up_to().fullmatch(how), _HOW.fullmatch(how)
    low, high = (0, int(up_to[1])) if up_to else (0, 0)
    if match and not up_to:
        low = int(match["low"])
        high = int(match["high"]) if match["high"] else low
        if match["plus"] and not match["high"]:
            return [low, None]
    if not 1 <= high <= 99 or low > high:
        told = _("“{group}”: write how many as “(up to 2)”, “(1-2)”, “(1+)” or “(any)”.")
        raise Wrong(told.format(group=short(head)))
    return [low, high]


def _read_option(text: str) -> Node:
    words = listed(text, ",") if not text.lstrip().startswith(",") else []
    name = _behind(_FREE).sub("", words[0]) if words else ""
    _check_name(name, text)
    node: Node = {"id": "", "name": name}
    for word in words[1:]:
        for key, value in _read_word(word, text).items():
            if key in node:
                told = _("“{text}” has two prices or two numbers.")
                raise Wrong(told.format(text=short(text)))
            node[key] = value
    return node


def _check_name(name: str, line: str) -> None:
    if not any(map(str.isalnum, name)):
        told = _("“{line}” has no name; write it first, as in “Shields, 2 per model”.")
        raise Wrong(told.format(line=short(line)))
    if len(name) > 120:
        told = _("“{name}” is too long for a name; maximum {most} characters.")
        raise Wrong(told.format(name=short(name), most=120))


def _read_word(word: str, line: str) -> Node:
    """Return the price or maximum that follows an option's name."""
    if word.casefold() in typed(_FREE):
        return {}
    if word.casefold() in typed(_ONE_OF_A_KIND):
        return {"one_of_a_kind": True}
    in_army = _behind(_IN_ARMY).search(word)
    number = _up_to().fullmatch(word[: in_army.start()] if in_army else word)
    if number and not 1 <= int(number[1]) <= HIGHEST:
        raise Wrong(_("“{line}”: write how many are allowed, 1 or more.").format(line=short(line)))
    if number:
        return {"cap": int(number[1])} if in_army else {"number": [0, int(number[1])]}
    per_model = _behind(_PER_MODEL).search(word)
    try:
        price = whole_number(word[: per_model.start()] if per_model else word, -HIGHEST, HIGHEST)
    except Wrong as wrong:
        raise Wrong(f"{quote(short(line))}: {wrong.messages[0]}") from wrong
    return {"points_per_model" if per_model else "points": price}


def _take_id(node: Node, left: dict[str, Entry], likeness: float) -> None:
    """Give the option the id of a former one with a similar name."""
    key = "group" if "group" in node else "id"
    for old_id, old in left.items():
        names = simplified(node["name"]), simplified(old["name"])
        if key in old and SequenceMatcher(None, *names).ratio() >= likeness:
            node[key] = old_id
            del left[old_id]
            return


def _head(node: Entry) -> str:
    return str(node.get("group") or node.get("id") or "")


def _flat(nodes: Iterable[Entry]) -> Iterable[Any]:
    for node in nodes:
        yield node
        yield from _flat(node.get("options", ()))
