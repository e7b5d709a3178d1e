"""Lists in data as lines of units: JSON and YAML, by the names of fields, and warband codes.

Tables name their columns as data name their fields.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Final
from urllib.parse import unquote

import yaml

from armybuilder.engine.names import simple
from armybuilder.exchange.pasting.parts import STATS, WORDS, meanings, number_in, shape

#: The number in a cell.
DIGITS: Final = re.compile(r"\D{0,2}(\d{1,5})\D{0,8}")
#: Stands before the short name of a statistic, where columns are named.
STAT_MARK: Final = "="


def heading_key(heading: str) -> str:
    """Return a heading as headings are compared: "Points each" and "pointsEach" are one."""
    return simple(heading).replace(" ", "")


#: What columns, and fields of data, are called, by what they hold.
_COLUMNS: Final[Mapping[str, str]] = WORDS["columns"]
#: What a heading may mean, likeliest first: of two the cells tell which.
NAMED: Final = {
    word: tuple(
        kind for kind, words in _COLUMNS.items() if word in map(heading_key, words.split(","))
    )
    for word in {heading_key(word) for words in _COLUMNS.values() for word in words.split(",")}
}
_BETWEEN: Final = shape(r"\s*[;|\n]\s*")


def said_on_a_line(texts: Mapping[str, str]) -> str:
    """Return what columns or fields hold of a unit, as players write it on one line."""
    number = DIGITS.fullmatch(texts.get("number", ""))
    stats = [f"{key[1:]}{texts[key]}" for key in texts if key[:1] == STAT_MARK]
    parts = [f"{number[1]}x {texts['name']}" if number else texts["name"], *stats]
    parts += [_BETWEEN.sub(", ", texts.get(key, "")) for key in ("rules", "notes")]
    said = ((key, DIGITS.fullmatch(texts.get(key, ""))) for key in ("each", "total"))
    prices = {key: price[1] for key, price in said if price}
    if len(prices) == 2 and stats:
        parts += [f"{points} {key}" for key, points in prices.items()]
    elif prices:
        parts.append(f"{prices.get('total') or prices['each']} pts")
    return ", ".join(filter(None, parts))


def kind_of(heading: str, is_number: bool, unknown: str = "notes") -> str:
    """Return the kind of a column by its heading, of which one cell is a number or a text."""
    kinds = NAMED.get(heading_key(heading), (unknown if heading else "",))
    return next((one for one in kinds if (one != "name") is is_number), kinds[0])


#: Letters of a text in YAML, or in JSON with slips, that is read.
_MAX_DATA: Final = 24 * 1024
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
    lines = "\n".join(_data_lines(data))
    return text.replace(body, lines) if lines else text


def _parsed(text: str) -> Any:
    """Return the data of a text; None where it is neither JSON nor YAML with objects."""
    is_json = text[:1] in ("{", "[")
    if is_json:
        with suppress(ValueError, RecursionError):
            return json.loads(text)
    # JSON with a comma too many is YAML.
    return _of_yaml(text) if len(text) <= _MAX_DATA and (is_json or _OBJECT.search(text)) else None


@lru_cache(maxsize=16)
def _of_yaml(text: str) -> Any:
    with suppress(yaml.YAMLError, RecursionError, ValueError):
        return yaml.load(text, _Loader)  # noqa: S506 - makes nothing but texts
    return None


def _data_lines(data: Any, depth: int = 0) -> Iterator[str]:
    """Yield the head of a list, then a line for each unit: an object in a list, or a name."""
    if depth > _DEEPEST or not isinstance(data, (list, dict)):
        return
    if isinstance(data, list):
        for entry in data:
            yield from [_unit(entry)] if _is_unit(entry) else _data_lines(entry, depth + 1)
        return
    told = _told(data)
    size = next(filter(None, map(told.get, ("limit", "total", "each", "number"))), "")
    named = " ".join(filter(None, (told.get("army") or told.get("game"), told.get("edition"))))
    game = told.get("game") if "army" in told else ""
    title = "name" in told and f"Name: {told['name']}"
    yield from filter(None, (title, game, named, size and f"{number_in(size)} points"))
    for key, value in data.items():
        of_words = isinstance(value, list) and any(isinstance(inner, str) for inner in value)
        name = str(key).casefold()
        if name in _OF_UNITS or not (of_words or name in _BESIDE):
            yield from _data_lines(value, depth + 1)


def _is_unit(one: Any) -> bool:
    if not isinstance(one, dict):
        return isinstance(one, str)
    told, kind = _told(one), str(one.get("type", "")).casefold()
    return "name" in told and "army" not in told and kind not in ("force", "category")


def _told(data: Mapping[Any, Any]) -> dict[str, str]:
    """Return the values in an object by their kinds."""
    found: dict[str, str] = {}
    for key, one in data.items():
        digits = isinstance(one, str) and one.strip().isdigit()
        kind = kind_of(str(key), digits or isinstance(one, (int, float)), "")
        if isinstance(one, list) and kind in ("each", "total", "limit"):
            one = next((cost.get("value") for cost in one if isinstance(cost, dict)), None)
        if kind and isinstance(one, (str, int, float)) and not isinstance(one, bool):
            said = f"{one:g}" if isinstance(one, float) else " ".join(str(one).split())
            found.setdefault(kind, "" if said in ("null", "~") else said)
    return {kind: said for kind, said in found.items() if said}


def _unit(one: Any) -> str:
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
    for key, inner in data.items():
        if not isinstance(inner, list) or str(key).casefold() in _BESIDE or depth > _DEEPEST:
            continue
        for one in inner:
            if isinstance(one, str):
                yield " ".join(one.split())
            elif isinstance(one, dict) and "name" in (told := _told(one)):
                yield _counted(told)
                yield from _taken(one, depth + 1)


# Codes of the Song of Blades warband creator: "v1Band+name@GHuman+Leader*ld@fGWarrior@". They are
# spelled out as players write profiles: "6x “Warrior” (Q3 C3)".

#: The game as its system is called.
_GAME = "Song of Blades and Heroes"
_CODE_TOKEN = re.compile(r"\S*v1\S*(?:@|%40)\S*")
_CODE = re.compile(r"(?<![^\W_])v1(?P<name>[^@]*)@(?P<units>(?:[a-z]?[0-9A-Z][^@]*@)+)(?P<rest>.*)")
_CODED_UNIT = re.compile(
    r"(?P<number>[a-z]?)(?P<values>[0-9A-Z])(?P<name>[^*]*)(?:\*(?P<rules>[^!]*)(?P<more>.*))?"
)
_POOL = re.compile(r"([a-z]{2})(\d+)@")
_VALUES = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
#: Rules that are said against whom, or of what.
_AIMED = ("lt", "pt", "ht")
#: Meanings of two letters, in the rulebook and its supplements.
_RULES = meanings("warband creator")


def spelled_out(text: str) -> str:
    """Return a text with warband codes in words, alone or in a URL; otherwise unchanged."""
    return _CODE_TOKEN.sub(_in_words, text) if "v1" in text else text


def _in_words(token: re.Match[str]) -> str:
    text = unquote(token[0]).replace("+", " ")
    code = _CODE.search(text)
    if code is None:
        return token[0]
    name = " ".join(code["name"].split())
    pools = (
        f"{_RULES.get(key, key)}: {points} points kept for summoning"
        for key, points in _POOL.findall(code["rest"])
    )
    return "\n".join([name or _GAME, _GAME, *_coded_units(code["units"]), *pools])


def _coded_units(text: str) -> Iterator[str]:
    for said in text.split("@"):
        unit = _CODED_UNIT.fullmatch(said)
        if unit is None:
            continue
        number = ord(unit["number"]) - ord("a") + 1 if unit["number"] else 1
        combat, quality = divmod(_VALUES.index(unit["values"]), 5)
        texts = iter(re.findall(r"!([^!]*)", unit["more"] or ""))
        rules = []
        for key in re.findall("[a-z0-9]{2}", unit["rules"] or ""):
            aim = next(texts, "").strip(" .") if key in _AIMED else ""
            rules.append(_RULES.get(key, f"“{key}”") + (f" ({aim})" if aim else ""))
        name = re.sub('[“”"„]', "", unit["name"]).strip() or "Model"
        yield f"{number}x “{name}” (Q{quality + 2} C{combat}; {', '.join(rules)})"
