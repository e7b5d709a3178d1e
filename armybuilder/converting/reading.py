"""Readers of single form fields: text in, value out, a friendly sentence where that fails."""

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final

from armybuilder.converting import dice
from armybuilder.converting.body import FEET_PER_INCH
from armybuilder.engine.wording import say

MOST_TEXT: Final = 80
MOST_LINES: Final = 40
MOST_HIT_DICE: Final = 100
MOST_DAMAGE: Final = 500
MOST_FEET: Final = 600
_ABILITY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*( (-?[0-9]{1,3}|\?))?(: .{1,60})?")
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_YES: Final = {"on", "yes", "true", "1"}
_NO: Final = {"", "off", "no", "false", "0"}
_ENDS: Final = {"good": "good", "neutral": "neutral", "evil": "evil", "g": "good", "e": "evil"}


class Unreadable(Exception):
    """A field that cannot be read: `sentence` says what it should hold."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


def name(text: str) -> str:
    """Return a name, which must be there."""
    if not text:
        raise Unreadable(say("Give it a name."))
    return short(text)


def short(text: str) -> str:
    """Some words in one line."""
    if len(text) > MOST_TEXT or not text.isprintable():
        raise Unreadable(say("At most {number} characters in one line.", number=MOST_TEXT))
    return text


def number(low: int, high: int) -> Callable[[str], int]:
    """Read a whole number from `low` to `high`."""

    def reader(text: str) -> int:
        wrong = Unreadable(say("A whole number from {low} to {high}.", low=low, high=high))
        try:
            value = int(text.replace("−", "-").replace("–", "-"))
        except ValueError:
            raise wrong from None
        if not low <= value <= high:
            raise wrong
        return value

    return reader


def perhaps(low: int, high: int, default: int | None = None) -> Callable[[str], int | None]:
    """Read a whole number from `low` to `high`, or nothing, which is the default."""
    whole = number(low, high)
    return lambda text: whole(text) if text else default


def feet(text: str) -> int:
    """Return a speed in feet: "30" or "30 ft.", in steps of 5; nothing is 0."""
    bare = re.sub(r"\s*(ft\.?|feet)$", "", text)
    value = number(0, MOST_FEET)(bare or "0")
    if value % FEET_PER_INCH:
        raise Unreadable(say("Speeds go in steps of {number} feet.", number=FEET_PER_INCH))
    return value


def hit_dice(text: str) -> Fraction:
    """Hit dice: "4", "1/2", "4d8+8"."""
    try:
        value = dice.hit_dice(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(say("Write 4, 4d8+8 or 1/2.")) from None
    if not 0 < value <= MOST_HIT_DICE or (value > 1 and value.denominator != 1):
        raise Unreadable(
            say(
                "A whole number up to {number}, or a part of one such as 1/2.", number=MOST_HIT_DICE
            )
        )
    return value


def damage(text: str) -> Fraction | None:
    """Damage as dice or as an average; None for nothing."""
    if not text:
        return None
    try:
        value = dice.average(text)
    except (ValueError, ZeroDivisionError):
        raise Unreadable(say("Write dice such as 2d6+4, or an average such as 7.5.")) from None
    if value > MOST_DAMAGE:
        raise Unreadable(say("At most {number} damage.", number=MOST_DAMAGE))
    return value


def one_of(known: Iterable[str], default: str = "") -> Callable[[str], str]:
    """Read one of the known words."""
    words = tuple(known)

    def reader(text: str) -> str:
        word = text.casefold() or default
        if word not in words:
            raise Unreadable(say("Choose one from the list."))
        return word

    return reader


def alignment(text: str) -> str:
    """good, neutral or evil, also as "chaotic evil" or "NG"."""
    end = text.casefold().split()[-1:] or [""]
    word = end[0] if end[0] in _ENDS else end[0][-1:] if len(end[0]) < len("xyz") else ""
    if word == "n":
        word = "neutral"
    if word not in _ENDS:
        raise Unreadable(say("Choose good, neutral or evil."))
    return _ENDS[word]


def flag(text: str) -> bool:
    """Return whether a box is ticked."""
    return bool(maybe(text))


def maybe(text: str) -> bool | None:
    """Yes, no, or None for nothing."""
    word = text.casefold()
    if word not in _YES | _NO:
        raise Unreadable(say("Yes or no."))
    return None if not word else word in _YES


def lines(text: str) -> tuple[str, ...]:
    """Entries, one a line or separated by commas."""
    found = tuple(part.strip() for part in re.split(r"[\n,;]", text) if part.strip())
    if len(found) > MOST_LINES or any(len(one) > MOST_TEXT for one in found):
        raise Unreadable(
            say(
                "At most {number} entries of {letters} characters.",
                number=MOST_LINES,
                letters=MOST_TEXT,
            )
        )
    return found


def abilities(text: str) -> tuple[str, ...]:
    """Abilities in short form, one a line; a comma may be part of one."""
    found = tuple(part.strip() for part in text.splitlines() if part.strip())
    for one in found[: MOST_LINES + 1]:
        if not _ABILITY.fullmatch(one):
            raise Unreadable(
                say(
                    "“{words}” is not written like sneak-attack 1 or immune: fire.",
                    words=one[:MOST_TEXT],
                )
            )
    if len(found) > MOST_LINES:
        raise Unreadable(say("At most {number} abilities.", number=MOST_LINES))
    return found


def faction(text: str) -> str:
    """Return the id of a faction; none for nothing."""
    word = text or "none"
    if not _ID.fullmatch(word) or len(word) > MOST_TEXT:
        raise Unreadable(say("Choose a faction."))
    return word
