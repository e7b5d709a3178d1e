"""Parts of a line as people write them: the one table that readers make their patterns of.

"2x Lancers [59 pts each]" has a count, its mark, a bracket, and a price.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

#: Lines from the top among which the head of a list is looked for.
HEAD_LINES = 12
#: What each part looks like; it may hold others.
PARTS: Mapping[str, str] = {
    "letter": r"[^\W\d_]",
    "open": r"[\[(]",
    "close": r"[\])]",
    # Between a count and the thing counted, and between a number and a name.
    "x": r"[x×]",
    "dash": r"[-–—]",
    # Points as they are called behind their number and before it, and those of one of several.
    "points": r"(?:pts?|points?|pkte?|punkte?|punti|puntos|p)(?!<letter>)\.?",
    "label": r"(?:(?:<points>\s*)?(?:cost|price|value)|pts?|points?|punkte?)\b\.?\s*[:=]?\s*",
    "each": r"(?:each|ea|apiece|a\s+piece|je|chacune?|ciascun[oa]|cadauno|cada\s+un[oa]"
    r"|(?:la )?pièce|l['’]unité)\b\.?"
    r"|(?:(?:per|pro|par|por)\s+|/\s*)(?:<model>|man|head|each|ea|unité)\b",
    "at": r"(?:@|\bà(?!\w)|\bat\b)",
    "price": r"(\d{1,5})\s*<points>?",
    # "x3", "3x"
    "count": r"(?=<x>|\d{1,3}\s?<x>)(?:<x>\s?)?(\d{1,3})(?:\s?<x>)?",
    # "4500", "4,500", "4.500"; and no single digit.
    "number": r"\d{1,3}[.,’' ]\d{3}|\d{1,6}",
    "large": r"\d{1,3}[.,’' ]\d{3}|\d{2,6}",
    "total": r"(?:grand |army )?totale?|sum(?:me)?|somme|[Σ∑]|gesamt(?:punkte)?",
    "left": r"(?:left|rest|remaining|unspent|spare|missing)\b",
    "model": r"models?|modell[eo]?n?|modèles?|modelos?|figures?|figs?|figur(?:en)?|figurines?"
    r"|minis?|miniatures?|miniaturen|men|stück|stk",
    # What becomes of models in a campaign.
    "state": r"DEAD|KIA|MIA|RIP|KILLED|SLAIN|LOST|OUT|FALLEN|ALIVE|WOUNDED",
    "player": r"player|spieler|joueur",
    "list": r"player|list|army|warband|team|side|force|band|gang|crew|roster|host|opponent|liste"
    r"|armee|armée|spieler|joueur|kriegerbande|bande|trupp",
    "versus": r"(?:vs|versus|against|gegen|contre|contra|kontra)\b\.?",
    "captain": r"c|cap|captain|kapitän|capitaine|capitán",
    "builder": r"old.?world.?builder|new.?recruit|battlescribe",
}
#: Words that players write, in their languages, by what they mean: {"2": "two, zwei"}.
WORDS: Mapping[str, Any] = json.loads(Path(__file__).with_name("words.json").read_text("utf-8"))


def meanings(table: str) -> dict[str, str]:
    """Return what each word of a table of `WORDS` means."""
    return {word: meaning for meaning, words in WORDS[table].items() for word in words.split(", ")}


#: Statistics of own models in other languages.
STATS = {name: words.split(", ") for name, words in WORDS["statistics"].items()}
_PART = re.compile(r"(?<!P)<(\w+)>")


def shape(text: str, flags: re.RegexFlag = re.IGNORECASE) -> re.Pattern[str]:
    """Return the pattern of a text with parts by name: "<open>\\s*<price>\\s*<close>"."""
    while _PART.search(text):
        text = _PART.sub(lambda part: f"(?:{PARTS[part[1]]})", text)
    return re.compile(text, flags)


_NUMBERS = meanings("numbers")
_NUMBER_WORD = re.compile(
    rf"(?:\b(?:an?|the)\s+)?\b({'|'.join(sorted(_NUMBERS, key=len, reverse=True))})\b"
    r"(?:\s+(?:units?|pairs?|regiments?)?\s*of(?=\s(?!the|them)))?(?=\s+\w)",
    re.I,
)


def with_digits(text: str) -> str:
    """Return a text with digits for a number as a word at its start: "two Orcs" is "2 Orcs"."""
    word = _NUMBER_WORD.match(text)
    return f"{_NUMBERS[word[1].casefold()]}{text[word.end() :]}" if word else text


def number_in(text: str) -> int:
    """Return the number that the digits of a text make, 0 where it has none: "4,480 pts"."""
    return int(re.sub(r"\D", "", text)[:6] or 0)


def pieces(text: str, marks: str = ",;") -> list[str]:
    """Return the parts of a text between marks, but for those in brackets."""
    closed = text.count("(") == text.count(")")
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        if closed:
            depth += (letter == "(") - (letter == ")")
        if letter in marks and depth <= 0:
            parts.append(text[start:place].strip())
            start = place + 1
    parts.append(text[start:].strip())
    return [piece for piece in parts if piece]


_RULE = re.compile(r"[-=_*#~\s]+|[|\s:-]+")


def is_rule(text: str) -> bool:
    """Return whether a line parts others and says nothing: "-----"."""
    return _RULE.fullmatch(text) is not None
