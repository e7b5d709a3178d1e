"""Names of source files: as people write them, as ids, and the phrases in them that restrict."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

#: Marks a Dominant item in front of its name.
DOMINANT_MARK: Final = "°"
MAX_ID: Final = 80

_INVISIBLE: Final = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
#: A soft hyphen before a capital letter is one that should be seen: "Thrice\u00adForged".
_HYPHEN: Final = re.compile("\u00ad(?=[A-Z])")
_APOSTROPHES: Final = re.compile("['’‘`´]")
#: Remarks in a name that say who may have it: no part of an id.
_REMARK: Final = re.compile(r"\((?:not|only|on|no|cannot|models?)\b[^)]*\)|\([^)]*\bonly\)", re.I)
_LETTERS: Final = str.maketrans({"ø": "o", "æ": "ae", "ß": "ss", "ð": "d", "þ": "th", "ł": "l"})


def clean(name: str) -> str:
    """The name without doubled spaces, the mark of Dominant items, and characters that nobody sees
    or that turn text round.
    """
    visible = _INVISIBLE.sub("", _HYPHEN.sub("-", name).replace("\u00a0", " "))
    return " ".join(visible.replace(DOMINANT_MARK, " ").split())


def without_local(name: str) -> str:
    """Return a category's name without the remark of the file, "(local)" or "(OK)"."""
    return re.sub(r"\s*\((?:local|OK)\)", "", clean(name))


def kebab(name: str) -> str:
    """Return an id made of a name: lower case, no diacritics, words joined by hyphens."""
    text = _APOSTROPHES.sub("", _REMARK.sub("", clean(name)) or clean(name)).lower()
    folded = unicodedata.normalize("NFKD", text.translate(_LETTERS))
    plain = "".join(letter for letter in folded if not unicodedata.combining(letter))
    plain = plain.replace("+", " plus ") if re.search(r"\+\d", plain) else plain
    words = re.findall(r"[a-z0-9]+", plain)
    return "-".join(words)[: MAX_ID - 4].strip("-") or "unnamed"


def book_title(name: str) -> str:
    """Return a book's name without initials, year and edition: "HE - Highborn Elves 2023 Beta",
    "Beast Herds (Public Test)".
    """
    said = re.sub(r"\s*(?:\b(?:19|20)\d\d\b.*|\([^()]*\))$", "", clean(name)) or clean(name)
    return re.sub(r"^[A-Z]{2} - (?=\S)", "", said)


def is_id(text: str) -> bool:
    """Whether it is an id of BattleScribe, four groups of hexadecimal digits, and not a word."""
    return re.fullmatch(r"[0-9a-f]{4}(?:-[0-9a-f]{4}){3}", text) is not None


def is_same(one: str, other: str) -> bool:
    """Return whether two names tell the same thing, remarks and number of things aside."""
    return _bare(one) == _bare(other)


#: "Melee: Lance", "Spell: (Sha6) Wild Shape": what authors put first to sort names by.
_SORTED: Final = re.compile(r"([A-Z][\w& ]{0,25}): (?:\([A-Z][a-z]{2}\w{1,4}\) )?(?=\S)")
#: A mount is known by this, and by no rule.
_KEPT: Final = {"Mount"}
#: So many kinds of them make it a habit of the author's.
_HABIT: Final = 4


def sorting_prefixes(names: Iterable[str]) -> frozenset[str]:
    """Return what names of one file begin with only to be sorted: what stands before different
    names that no other begins with, where the author has a habit of it.
    """
    bare: dict[str, set[str]] = defaultdict(set)
    for name in map(clean, names):
        if match := _SORTED.match(name):
            bare[name[match.end() :]].add(match[1])
    seen = {prefix for prefixes in bare.values() for prefix in prefixes} - _KEPT
    unclear = {prefix for prefixes in bare.values() if len(prefixes) > 1 for prefix in prefixes}
    return frozenset(seen - unclear) if len(seen) >= _HABIT else frozenset()


def without_prefix(name: str, prefixes: Collection[str]) -> str:
    """Return a name without what it begins with only to be sorted."""
    match = _SORTED.match(clean(name))
    return clean(name)[match.end() :] if match and match[1] in prefixes else name


def has_part(name: str, part: str) -> bool:
    """Return whether a name joins several things, one of which is this: "Spear and Shield"."""
    parts = re.split(r"\s+and\s+|\s*[,&+]\s*", re.sub(r"\([^)]*\)", "", clean(name)))
    return len(parts) > 1 and any(is_same(one, part) for one in parts)


def _bare(name: str) -> str:
    return kebab(re.sub(r"\([^)]*\)", "", name)).removesuffix("s")


#: What a phrase of a name must look like to be one that restricts.
_RESTRICTS: Final = re.compile(r"(?:^|,\s*)(?:only|not|cannot)\b|\bonly\.?$", re.I)
#: What a sentence of an item's text must look like.
_SENTENCE: Final = re.compile(
    r"^(?!one use\b)(?:.+ only|cannot be taken by .+|the bearer cannot take .+)$", re.I
)
_BRACKETS: Final = re.compile(r"\s*\(([^()]+)\)")
_DASH: Final = re.compile(r"\s+-\s+")


@dataclass(frozen=True, slots=True)
class Parts:
    """A name without the phrases that restrict it, these phrases, and whether it says Dominant."""

    name: str
    phrases: tuple[str, ...]
    dominant: bool


def split(name: str) -> Parts:
    """Take the name of an option apart."""
    phrases: list[str] = []
    said = clean(name)
    for match in list(_BRACKETS.finditer(said)):
        if _RESTRICTS.search(match[1]):
            phrases.append(match[1])
            said = said.replace(match[0], "")
    first, *rest = _DASH.split(said)
    kept = [first]
    dominant = False
    for part in rest:
        if part.casefold() == "dominant":
            dominant = True
        elif _RESTRICTS.search(part):
            phrases.append(part)
        else:
            kept.append(part)
    return Parts(clean(" - ".join(kept)), tuple(phrases), dominant)


def restricting(text: str) -> Iterator[str]:
    """The sentences of an item's text that restrict who may have it, without their full stops."""
    for part in re.split(r"(?<=\.)\s|\n", text):
        sentence = clean(part).strip(" .")
        if _SENTENCE.match(sentence):
            yield sentence
