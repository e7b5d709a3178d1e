"""Lists that programs write as JSON, as players write them: "20x Herd [200 pts]: Musician"."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from armybuilder.exchange.pasting.parts import number_in

#: What the keys of an object may be called, by what they tell; as `simple` has them.
_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "name": ("name", "unit", "title", "model", "label", "customname"),
    "number": ("count", "number", "models", "qty", "quantity", "amount", "size", "num"),
    "points": ("points", "pts", "cost", "totalcost", "total", "price", "value", "costs"),
    "each": ("pointseach", "each", "costeach"),
    "army": (
        *("army", "faction", "book", "catalogue", "cataloguename", "warband"),
        *("game", "gamesystemname", "system", "edition"),
    ),
    "limit": ("limit", "pointslimit", "maxpoints", "gamesize", "costlimits"),
}
#: Keys of statistics that are told beside a name.
_STATS: Final = {"quality": "Q", "q": "Q", "combat": "C", "c": "C"}
#: A comma behind the last of several, which people leave there.
_LAST_COMMA: Final = re.compile(r",(?=\s*[\]}])")
#: Keys of what a unit does not take, and of lists of units.
_BESIDE: Final = ("costs", "costlimits", "categories", "profiles")
_OF_UNITS: Final = ("units", "models", "entries", "list", "warband", "army", "members")
#: Objects in each other, at most.
_DEEPEST: Final = 12


def unnested(text: str) -> str:
    """Return a list in JSON as lines of units; any other text as it is, our own format too."""
    begins = text.lstrip("\ufeff \t\r\n")[:1]
    if begins not in ("{", "["):
        return text
    try:
        data = json.loads(_LAST_COMMA.sub("", text.strip("\ufeff \t\r\n")))
    except (ValueError, RecursionError):
        return text
    if isinstance(data, dict) and "format" in data:
        return text
    return "\n".join(_lines(data)) or text


def _lines(data: Any, depth: int = 0) -> Iterator[str]:
    """Yield what stands on top, then a line for each unit: an object in a list, or a name."""
    if depth > _DEEPEST or not isinstance(data, (list, dict)):
        return
    if isinstance(data, list):
        for one in data:
            yield from [_unit(one)] if _is_unit(one) else _lines(one, depth + 1)
        return
    told = _told(data)
    size = told.get("limit") or told.get("points")
    yield from filter(None, (told.get("name"), told.get("army"), size and f"{size} points"))
    for key, one in data.items():
        if not (key.casefold() in _BESIDE or _is_of_words(one)) or key.casefold() in _OF_UNITS:
            yield from _lines(one, depth + 1)


def _is_of_words(one: Any) -> bool:
    return isinstance(one, list) and any(isinstance(inner, str) for inner in one)


def _is_unit(one: Any) -> bool:
    if not isinstance(one, dict):
        return isinstance(one, str)
    told, kind = _told(one), str(one.get("type", "")).casefold()
    return "name" in told and "army" not in told and kind not in ("force", "category")


def _told(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what an object tells of itself, by what that is."""
    found: dict[str, str] = {}
    for key, one in data.items():
        word = "".join(filter(str.isalpha, key.casefold()))
        kind = next((kind for kind, words in _KEYS.items() if word in words), "")
        if isinstance(one, list) and kind in ("points", "limit"):
            one = next((cost.get("value") for cost in one if isinstance(cost, dict)), None)
        if kind and isinstance(one, (str, int, float)) and not isinstance(one, bool):
            said = f"{one:g}" if isinstance(one, float) else " ".join(str(one).split())
            found.setdefault(kind, said)
    return {kind: said for kind, said in found.items() if said}


def _unit(one: Any) -> str:
    """Return a unit with what it takes on one line."""
    if isinstance(one, str):
        return " ".join(one.split())
    told = _told(one)
    stats = (
        f"{_STATS[key.casefold()]}{number_in(str(value))}"
        for key, value in one.items()
        if key.casefold() in _STATS
    )
    price = f"{told['points']} pts" if "points" in told else ""
    each = f"{told['each']} each" if "each" in told and not price else ""
    return ", ".join(filter(None, (_counted(told), *stats, *_taken(one), price or each)))


def _counted(told: Mapping[str, str]) -> str:
    number = told.get("number", "1")
    return f"{number}x {told['name']}" if number.isdigit() and int(number) > 1 else told["name"]


def _taken(data: Mapping[str, Any], depth: int = 0) -> Iterator[str]:
    """Yield the names in the lists of an object, and in theirs."""
    for key, inner in data.items():
        if not isinstance(inner, list) or key.casefold() in _BESIDE or depth > _DEEPEST:
            continue
        for one in inner:
            if isinstance(one, str):
                yield " ".join(one.split())
            elif isinstance(one, dict) and "name" in (told := _told(one)):
                yield _counted(told)
                yield from _taken(one, depth + 1)
