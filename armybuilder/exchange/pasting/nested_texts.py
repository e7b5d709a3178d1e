"""Lists in JSON or YAML, as players write them: "20x Herd, Musician, 200 pts"."""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final

import yaml

from armybuilder.exchange.pasting.fields import STAT_MARK, kind_of, said_on_a_line
from armybuilder.exchange.pasting.parts import STATS, number_in

#: Letters of a text in YAML, or in JSON with slips, that is read.
_LONGEST: Final = 24 * 1024
#: The inside of a block of code, and a line of YAML that begins an object with a name.
_FENCED: Final = re.compile(r"```\w*\n(.*?)\n[ \t]*```", re.S)
_OBJECT: Final = re.compile(
    r"^[ \t]*-[ \t]+\{?[ \t]*[\"']?(?:name|unit|model|figure)[\"']?:", re.M | re.I
)
#: Keys of what a unit does not take, and of lists of units.
_BESIDE: Final = ("costs", "costlimits", "categories", "profiles")
_OF_UNITS: Final = ("units", "models", "entries", "list", "warband", "army", "members")
#: Objects in each other, at most.
_DEEPEST: Final = 12
_LETTERS: Final = {word: key[0].upper() for key, words in STATS.items() for word in (key, *words)}


class _Loader(yaml.BaseLoader):
    """Reads YAML as texts, without names for parts of it, of which a few make a huge list."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError
        return super().compose_node(parent, index)


def unnested(text: str) -> str:
    """Return a list in JSON or YAML as lines of units; any other text unchanged, our own too."""
    fenced = _FENCED.search(text)
    body = fenced[1] if fenced else text
    data = _parsed(body.strip("\ufeff \t\r\n"))
    if isinstance(data, dict) and "format" in data:
        return text
    lines = "\n".join(_lines(data))
    return text.replace(body, lines) if lines else text


def _parsed(text: str) -> Any:
    """Return the data of a text; None where it is neither JSON nor YAML with objects."""
    is_json = text[:1] in ("{", "[")
    if is_json:
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    # JSON with a comma too many is YAML.
    return _of_yaml(text) if len(text) <= _LONGEST and (is_json or _OBJECT.search(text)) else None


@lru_cache(maxsize=16)
def _of_yaml(text: str) -> Any:
    with suppress(yaml.YAMLError, RecursionError, ValueError):
        return yaml.load(text, _Loader)  # noqa: S506 - makes nothing but texts
    return None


def _lines(data: Any, depth: int = 0) -> Iterator[str]:
    """Yield what stands on top, then a line for each unit: an object in a list, or a name."""
    if depth > _DEEPEST or not isinstance(data, (list, dict)):
        return
    if isinstance(data, list):
        for one in data:
            yield from [_unit(one)] if _is_unit(one) else _lines(one, depth + 1)
        return
    told = _told(data)
    size = told.get("limit") or told.get("total") or told.get("each") or told.get("number")
    named = " ".join(filter(None, (told.get("army") or told.get("game"), told.get("edition"))))
    game = told.get("game") if "army" in told else ""
    name = "name" in told and f"Name: {told['name']}"
    yield from filter(None, (name, game, named, size and f"{number_in(size)} points"))
    for key, one in data.items():
        if not (str(key).casefold() in _BESIDE or _is_of_words(one)) or _holds_units(key):
            yield from _lines(one, depth + 1)


def _holds_units(key: Any) -> bool:
    return str(key).casefold() in _OF_UNITS


def _is_of_words(one: Any) -> bool:
    return isinstance(one, list) and any(isinstance(inner, str) for inner in one)


def _is_unit(one: Any) -> bool:
    if not isinstance(one, dict):
        return isinstance(one, str)
    told, kind = _told(one), str(one.get("type", "")).casefold()
    return "name" in told and "army" not in told and kind not in ("force", "category")


def _told(data: Mapping[Any, Any]) -> dict[str, str]:
    """Return what an object tells of itself, by what that is."""
    found: dict[str, str] = {}
    for key, one in data.items():
        kind = kind_of(str(key), _is_number(one), "")
        if isinstance(one, list) and kind in ("each", "total", "limit"):
            one = next((cost.get("value") for cost in one if isinstance(cost, dict)), None)
        if kind and isinstance(one, (str, int, float)) and not isinstance(one, bool):
            said = f"{one:g}" if isinstance(one, float) else " ".join(str(one).split())
            found.setdefault(kind, "" if said in ("null", "~") else said)
    return {kind: said for kind, said in found.items() if said}


def _is_number(one: Any) -> bool:
    return isinstance(one, (int, float)) or (isinstance(one, str) and one.strip().isdigit())


def _unit(one: Any) -> str:
    """Return a unit with what it takes on one line."""
    if isinstance(one, str):
        return " ".join(one.split())
    stats = {
        f"{STAT_MARK}{_LETTERS[str(key).casefold()]}": str(number_in(str(value)))
        for key, value in one.items()
        if str(key).casefold() in _LETTERS
    }
    told = _told(one)
    rules = ", ".join(filter(None, (told.get("rules"), *_taken(one))))
    return said_on_a_line({**told, **stats, "rules": rules})


def _counted(told: Mapping[str, str]) -> str:
    number = told.get("number", "1")
    return f"{number}x {told['name']}" if number.isdigit() and int(number) > 1 else told["name"]


def _taken(data: Mapping[Any, Any], depth: int = 0) -> Iterator[str]:
    """Yield the names in the lists of an object, and in theirs."""
    for key, inner in data.items():
        if not isinstance(inner, list) or str(key).casefold() in _BESIDE or depth > _DEEPEST:
            continue
        for one in inner:
            if isinstance(one, str):
                yield " ".join(one.split())
            elif isinstance(one, dict) and "name" in (told := _told(one)):
                yield _counted(told)
                yield from _taken(one, depth + 1)
