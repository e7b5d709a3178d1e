"""Names looked up as people type them: as written, nearly as written, or guessed.

Also what players write for short, and words of the text forms in every language of the pages.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain
from typing import Generic, TypeVar

from rapidfuzz import fuzz, process

from armybuilder.engine.names import simple
from armybuilder.exchange.pasting.parts import meanings
from armybuilder.languages import Typed, in_every_language, typed

#: How sure a name is, surest first.
EXACT, ALIKE, GUESS, NONE = "exact", "alike", "guess", "none"
#: How much alike, of 100, a guess must be to be taken, and to be offered.
TAKEN, OFFERED = 80, 55
#: Letters of a name that are looked at, and how many names are offered.
MOST_LETTERS = 120
MOST_OFFERED = 8
#: Letters of a name that is the same with an "s" behind it.
SHORTEST_PLURAL = 3
#: Letters of words that are run together.
_SHORTEST_JOINED = 6
#: Letters of initials, of the beginning of one word that is sure, and words that have none.
_INITIALS, _SURE_LETTERS, _SMALL_WORDS = range(2, 6), 4, frozenset({"of", "the", "and", "with"})
#: Letters that one word of a name needs to mean the name.
_FEW, _LONG_WORD = 3, 8
#: Guesses that one text is worth: each looks through all names of a book or unit.
MOST_GUESSES = 5_000

_AND = re.compile(r"\s*(?:&|\+|/)\s*|\s+with\s+", re.I)
_ASIDE = re.compile(r"\([^()]*\)")
#: What authors of files begin names with to sort them: "CG: ", "Spell: (Sha6) ", "2) ", "05 - ".
_SORTING = re.compile(
    r"(?:[^\W\d_][^:()\[\]]{0,23}:\s+|\d{1,2}[.)]\s+|\d{1,3}\s-\s+|[\[(][\w-]{1,8}[\])]\s*)(?=\S)"
)
_BETWEEN_SHORT = re.compile(r"[\s.,/+&-]+")

#: Abbreviations of players, and their meanings.
_COMMAND = ("Champion", "Musician", "Standard Bearer")
_SHORT: Mapping[Typed, tuple[str, ...]] = {
    Typed("typed", "bsb"): ("Battle Standard Bearer",),
    Typed("typed", "fcg|full command|full command group"): _COMMAND,
    Typed("typed", "c|champ"): ("Champion",),
    Typed("typed", "m|mus"): ("Musician",),
    Typed("typed", "s|standard|banner"): ("Standard Bearer",),
}
#: What says nothing that is not there anyway: how many spells a wizard has, what an item is.
IDLE = re.compile(r"\d{1,2} (?:learned )?spells?\.?|dominant", re.I)

Value = TypeVar("Value")


def without_aside(name: str) -> str:
    """Return the name without its brackets: "Bow (3+)" is "Bow"."""
    return _ASIDE.sub(" ", name).strip()


def _together(name: str) -> frozenset[str]:
    """Return the words of a name of several things, such as "Spear and Shield", in no order."""
    words = simple(_AND.sub(" and ", name)).split()
    return frozenset(word.removesuffix("s") for word in words) if "and" in words else frozenset()


@dataclass(frozen=True, slots=True)
class NameMatch(Generic[Value]):
    """Possible meanings of a name, likeliest first, and their certainty."""

    values: tuple[Value, ...] = ()
    sure: str = NONE


@dataclass(slots=True)
class Patience:
    """Remaining expensive attempts for one text."""

    left: int

    def try_once(self) -> bool:
        """Return whether there is patience for one try more; it is used up then."""
        self.left -= 1
        return self.left >= 0


class ReadNames(Generic[Value]):
    """Things by their names, which several may share, and by `short` ones.

    Guesses are made while there is patience.
    """

    def __init__(
        self,
        named: Iterable[tuple[str, Value]],
        patience: Patience | None = None,
        short: Iterable[tuple[str, Value]] = (),
    ) -> None:
        self.patience = patience or Patience(MOST_GUESSES)
        self.guessed: dict[tuple[str, int], list[tuple[float, list[Value]]]] = {}
        self.written: dict[str, list[Value]] = {}
        self.simple: dict[str, list[Value]] = {}
        self.bare: dict[str, list[Value]] = {}
        self.together: dict[frozenset[str], list[Value]] = {}
        for name, value in named:
            self.written.setdefault(" ".join(name.split()), []).append(value)
            self.simple.setdefault(simple(name), []).append(value)
            self.bare.setdefault(simple(without_aside(name)), []).append(value)
            for several in {_together(name), _together(without_aside(name))} - {frozenset()}:
                self.together.setdefault(several, []).append(value)
        self.joined = {key.replace(" ", ""): values for key, values in self.simple.items()}
        for name, value in short:
            self.bare.setdefault(simple(name), []).append(value)
        self.most_commas = max((name.count(",") for name in self.written), default=0)

    def known(self, name: str) -> NameMatch[Value]:
        """Return the thing with exactly or nearly this name."""
        if name in self.written:
            return NameMatch(tuple(self.written[name]), EXACT)
        key = simple(name)
        if key and key in self.simple:
            return NameMatch(tuple(self.simple[key]), ALIKE)
        if key and key in self.bare:
            return NameMatch(tuple(self.bare[key]), ALIKE)
        # One "Giant Eagle" of "Giant Eagles", "5 Warhounds" of a "Warhound".
        other = key.removesuffix("s") if key.endswith("s") else f"{key}s"
        if len(other) >= SHORTEST_PLURAL and (other in self.simple or other in self.bare):
            return NameMatch(tuple(self.simple.get(other) or self.bare[other]), ALIKE)
        # "Gutterknife" and "Gutter Knife".
        joined = key.replace(" ", "") if len(key) >= _SHORTEST_JOINED else ""
        values = self.together.get(_together(name), ()) or self.joined.get(joined, ())
        return NameMatch(tuple(values), ALIKE if values else NONE)

    def siblings(self, name: str) -> Sequence[Value]:
        """Return the things with the same name apart from its brackets."""
        return self.bare.get(simple(without_aside(name)), ())

    def find(self, name: str) -> NameMatch[Value]:
        """Return the thing with the name, or the most alike one, if that is alike enough."""
        known = self.known(name)
        if known.values:
            return known
        bare = simple(without_aside(name))
        if bare and bare in self.bare:
            return NameMatch(tuple(self.bare[bare]), GUESS)
        if (short := self.shortened(name)).values:
            return short
        if (having := self.by_word(name)).values:
            return having
        near = self._near(name, TAKEN)
        best = [values for score, values in near if score == near[0][0]]
        return NameMatch(tuple(chain.from_iterable(best)), GUESS if best else NONE)

    def shortened(self, name: str) -> NameMatch[Value]:
        """Return the possible meanings of an abbreviation: "HP", "H. Prince", "Cit Archers"."""
        words = simple(name).split()
        letters = name.replace(".", "").replace(" ", "")
        initials = letters.casefold() if letters.isupper() and len(letters) in _INITIALS else ""
        sure = len(words) > 1 or len("".join(words)) >= _SURE_LETTERS or name.endswith(".")
        if not words or not (initials or (sure and min(map(len, words)) + ("." in name) > 1)):
            return NameMatch()
        meant = [
            value
            for whole, values in self.simple.items()
            if (parts := [word for word in whole.split() if word not in _SMALL_WORDS])
            and (
                (len(parts) > 1 and initials == "".join(part[0] for part in parts))
                or (len(parts) == len(words) and all(map(str.startswith, parts, words)))
            )
            for value in values
        ]
        return NameMatch(tuple(meant), GUESS if meant else NONE)

    def by_word(self, name: str, letters: int = _LONG_WORD) -> NameMatch[Value]:
        """Return the few that have a long word in their names: "Wildhorns" of "Wildhorn Herd"."""
        word = simple(name)
        if len(word) < letters or " " in word:
            return NameMatch()
        meant = {word, word.removesuffix("s"), f"{word}s"}
        having = [values for whole, values in self.simple.items() if meant & {*whole.split()}]
        found = tuple(chain.from_iterable(having)) if len(having) <= _FEW else ()
        return NameMatch(found, GUESS if found else NONE)

    def alike(self, name: str) -> list[Value]:
        """Return the things to offer for a name, likeliest first."""
        return [value for _score, values in self._near(name, OFFERED) for value in values]

    def _near(self, name: str, least: int) -> list[tuple[float, list[Value]]]:
        key = simple(name)[:MOST_LETTERS]
        if len(key) < 3:
            return []
        if (key, least) not in self.guessed:
            if not self.patience.try_once():
                return []
            alike = process.extract(
                key, self.simple.keys(), scorer=_alike, limit=MOST_OFFERED, score_cutoff=least
            )
            near = [(score, self.simple[match]) for match, score, _place in alike]
            self.guessed[key, least] = near
        return self.guessed[key, least]


def are_alike(one: str, other: str) -> bool:
    """Return whether two names are as much alike as a guess must be that is taken."""
    return _alike(simple(one), simple(other)) >= TAKEN


def _alike(one: str, other: str, *, score_cutoff: float | None = None) -> float:
    cutoff = score_cutoff or 0
    in_order = fuzz.ratio(one, other, score_cutoff=cutoff)
    in_any = fuzz.token_sort_ratio(one, other, score_cutoff=max(cutoff, in_order))
    return max(in_order, in_any)


@cache
def short_names() -> Mapping[str, tuple[str, ...]]:
    """Return the meaning of each short name."""
    written = {simple(word): names for one, names in _SHORT.items() for word in typed(one)}
    options = meanings("options").items()
    return {simple(word): tuple(names.split(", ")) for word, names in options} | written


def command_names(text: str) -> tuple[str, ...]:
    """Return the meanings of a text of short names only: "FCG", "C S M", "CM", "mus std"."""
    short = text.upper() if len(text) == len("CMS") else text  # "cm" may be an inch or two
    letters = short if short.isupper() and len(set(short)) == len(short) > 1 else ""
    words = list(letters) if set(letters) <= set("CMS") and letters else ()
    parts = words or [word for word in _BETWEEN_SHORT.split(text) if word]
    whole = short_names().get(simple(text), ())
    names = [short_names().get(simple(part), ()) for part in parts]
    return whole or (tuple(chain.from_iterable(names)) if all(names) else ())


def unsorted_names(name: str) -> list[str]:
    """Return a name, and it without what only sorts it in files: "CG: Champion", "Champion"."""
    names = [name]
    while sorting := _SORTING.match(names[-1]):
        names.append(names[-1][sorting.end() :])
    return names


def in_part(names: Sequence[tuple[str, Value]]) -> Iterator[tuple[str, Value]]:
    """Yield things by what players write of their names, where only one of the names has it."""
    long_names: dict[str, set[str]] = {}
    for name in dict.fromkeys(name for name, _value in names):
        for part in {simple(part): part for part in parts_of_name(name)}.values():
            long_names.setdefault(part, set()).add(name)
    whole = {simple(name) for name, _value in names}
    for part, long in long_names.items():
        if len(long) == 1 and simple(part) not in whole:
            yield from ((part, value) for name, value in names if name in long)


def parts_of_name(name: str) -> frozenset[str]:
    """Return what players write of a long name.

    "Greed", "Favour of Greed" and "Favour of Sugulag" of "Favour of Sugulag, God of Greed",
    "Vapour" of "Character - Vapour", "Foot" of "on Foot", "Champion" of "Favoured Champion" or
    "CG: Champion".
    """
    _whole, *bare = unsorted_names(name)
    if bare:
        return frozenset({*bare, without_aside(bare[-1]), *parts_of_name(bare[-1])})
    first, dash, second = name.partition(" - ")
    if dash:
        return frozenset({first, second})
    what, comma, title = name.partition(", ")
    if comma and " of " in what and title.count(" of ") == 1:
        kind, whom = what.split(" of ", 1)
        god = title.split(" of ")[1]
        return frozenset({what, title, whom, god, f"{kind} of {god}"})
    if "×" in name:
        return frozenset({name.replace("×", "x")})
    favoured = name.removeprefix("Favoured ").removeprefix("on ")
    bearer = [f"{name} Bearer"] if name.endswith(" Standard") else []
    return frozenset({favoured, *bearer} - {name})


@lru_cache(maxsize=64)
def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for a text of the forms in any language; each {name} is a group."""
    # Spaces that hold words together, as French has them, are read as plain ones.
    shapes = {
        r"\s+".join(re.sub(r"\\\{\w+\\\}", "(.+?)", re.escape(word)) for word in said.split())
        for said in in_every_language(text)
    }
    # A group for each language, of which one matches.
    return re.compile("|".join(f"(?:{shape})" for shape in sorted(shapes)))


def matched(text: str, said: str) -> tuple[str, ...]:
    """Return the {names} in a text of the forms; () for another text."""
    match = _pattern(text).fullmatch(said)
    return tuple(group for group in match.groups() if group is not None) if match else ()


def is_word(text: str, said: str) -> bool:
    """Return whether something is this word of the forms in some language, however written."""
    word = said.strip().rstrip(":").strip().casefold()
    return any(word == translated.casefold() for translated in in_every_language(text))
