"""Codes of the Song of Blades warband creator: "v1Band+name@GHuman+Leader*ld@fGWarrior@".

They are spelled out as players write profiles: "6x “Warrior” (Q3 C3)".
"""

import re
from collections.abc import Iterator
from urllib.parse import unquote

from armybuilder.exchange.pasting.parts import meanings

#: The game as its system is called.
_GAME = "Song of Blades and Heroes"
_TOKEN = re.compile(r"\S*v1\S*(?:@|%40)\S*")
_CODE = re.compile(r"(?<![^\W_])v1(?P<name>[^@]*)@(?P<units>(?:[a-z]?[0-9A-Z][^@]*@)+)(?P<rest>.*)")
_UNIT = re.compile(
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
    return _TOKEN.sub(_in_words, text) if "v1" in text else text


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
    return "\n".join([name or _GAME, _GAME, *_units(code["units"]), *pools])


def _units(text: str) -> Iterator[str]:
    for said in text.split("@"):
        unit = _UNIT.fullmatch(said)
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
