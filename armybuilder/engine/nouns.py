"""Nouns of games for a model, a list, and other counted things.

A system file has its nouns in the singular. The nouns listed here can be translated; any other is
shown as in the file.
"""

from collections.abc import Callable, Mapping

from armybuilder.engine.wording import marked, say, say_count

_COUNTED: Mapping[str, Callable[[int], str]] = {
    "model": lambda number: say_count("{number} model", "{number} models", number),
    "creature": lambda number: say_count("{number} creature", "{number} creatures", number),
    "unit": lambda number: say_count("{number} unit", "{number} units", number),
    "point": lambda number: say_count("{number} point", "{number} points", number),
    "piece": lambda number: say_count("{number} piece", "{number} pieces", number),
    "warband": lambda number: say_count("{number} warband", "{number} warbands", number),
    "army": lambda number: say_count("{number} army", "{number} armies", number),
}
_SEVERAL = marked(
    {
        "model": "models",
        "creature": "creatures",
        "unit": "units",
        "point": "points",
        "piece": "pieces",
        "warband": "warbands",
        "army": "armies",
    }
)
_KNOWN = marked(
    {
        "model": "model",
        "creature": "creature",
        "unit": "unit",
        "point": "point",
        "piece": "piece",
        "warband": "warband",
        "army": "army",
        "Point value": "Point value",
        "Point limit": "Point limit",
        "Game size": "Game size",
        "Army Points": "Army Points",
    }
)


def counted(number: int, noun: str) -> str:
    """A number with its noun, given in the singular or with its s: "1 point", "3 creatures"."""
    one = noun if noun in _COUNTED else noun.removesuffix("s")
    if one in _COUNTED:
        return _COUNTED[one](number)
    return f"{number} {noun if number == 1 else several(noun)}"


def several(noun: str) -> str:
    """Return the plural of a noun given in the singular: "creatures"."""
    return say(_SEVERAL[noun]) if noun in _SEVERAL else f"{noun}s"


def known(noun: str) -> str:
    """Return the noun, or name of a game's points, itself: "creature", "Point value"."""
    return say(_KNOWN[noun]) if noun in _KNOWN else noun
