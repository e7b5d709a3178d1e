"""Special rules by the names that players give them: "Shoot (M)", "Heavy Armour", "MU"."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from armybuilder.engine.abilities import Ability
from armybuilder.engine.names import simple
from armybuilder.exchange.pasting.names import ALIKE, EXACT, GUESS, NONE, ReadNames
from armybuilder.exchange.pasting.parts import meanings

#: Letters from which on the beginning of a rule's name is sure.
_SURE_LETTERS = 4
#: Words in one piece that may be several rules, without a comma.
_MOST_WORDS = 16
_TARGET = re.compile(
    r"(?P<rule>[^\W\d_][\w -]*?)\s*(?:\((?:vs\.?|against|to)?\s*(?P<inside>[^()]+)\)"
    r"|(?:[:=]|\s-\s|\b(?:vs|versus|against|to)\b)\.?\s*(?P<behind>\S.*)|\s+(?P<bare>\S.*))",
    re.I,
)
#: What parts rules in one piece; a colon may also be within one.
_BETWEEN = (
    re.compile(r"\s*[/&+]\s*|\s+[-–—]+\s+|\s+(?:and|with|und|mit|et|y|e)\s+", re.I),
    re.compile(r"\s*:\s*"),
)
#: Words that players write for those in the names of rules, as they are compared.
_WORDS = meanings("rules")


@dataclass(frozen=True, slots=True)
class PastedRule:
    """A special rule as written, with the abilities that it may mean, likeliest first.

    `target`: the kind of enemy it works against.
    """

    text: str
    abilities: tuple[Ability, ...] = ()
    target: str = ""
    sure: str = NONE


def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name in comparable form, in American spelling."""
    words = simple(name).split()
    if words == ["magic", "user"] or len(words) > _MOST_WORDS:
        return tuple(words)
    return tuple(" ".join(_WORDS.get(word, word) for word in words).split())


class RuleNames:
    """The special rules of a game by name."""

    def __init__(self, abilities: Iterable[Ability]) -> None:
        self.abilities = tuple(abilities)
        self.names = ReadNames((ability.name, ability) for ability in self.abilities)
        self.words: dict[tuple[str, ...], Ability] = {}
        #: By their words in any order, and run together.
        self.loose: dict[tuple[str, ...] | str, Ability] = {}
        self.initials: dict[str, list[Ability]] = {}
        for ability in self.abilities:
            words = _words(ability.name)
            self.words[words] = ability
            self.loose |= {tuple(sorted(words)): ability, "".join(words): ability}
            if len(words) > 1:
                self.initials.setdefault("".join(word[0] for word in words), []).append(ability)

    def known(self, text: str) -> PastedRule | None:
        """Return the rule that a text names, or may name, with its target; None for another."""
        rule = self._by_name(text.strip(" *_"))
        if rule is not None and (rule.sure != GUESS or len(rule.abilities) > 1):
            return rule
        match = _TARGET.fullmatch(text)
        if match:
            found = self._by_name(match["rule"])
            target = match["inside"] or match["behind"] or match["bare"]
            if found and found.sure != GUESS and found.abilities[0].target:
                return replace(found, text=text, target=target.strip()[:60])
        return rule

    def _by_name(self, text: str) -> PastedRule | None:
        if text in self.names.written:
            return PastedRule(text, tuple(self.names.written[text]), "", EXACT)
        words = _words(text)
        if not words:
            return None
        ability = (
            self.words.get(words)
            or self.loose.get(tuple(sorted(words)))
            or self.loose.get("".join(words))
            or self.words.get((*words[:-1], words[-1].removesuffix("s")))
        )
        if ability:
            return PastedRule(text, (ability,), "", ALIKE)
        initials = self.initials.get(simple(text), []) if text.isupper() else []
        if initials:
            sure = ALIKE if len(initials) == 1 else GUESS
            return PastedRule(text, tuple(initials), "", sure)
        return self._beginning(text, words)

    def _beginning(self, text: str, words: Sequence[str]) -> PastedRule | None:
        """Return rules whose words begin with these: "Sh L", "Amph.", "Shooter"."""

        def begins(name: Sequence[str], words: Sequence[str]) -> bool:
            return all(map(str.startswith, name, words))

        if len("".join(words)) < 3 and len(words) < 2:
            return None
        for order in (words, words[::-1]):
            fitting = [
                ability
                for name, ability in self.words.items()
                if len(name) == len(words) and begins(name, order)
            ]
            if fitting:
                sure = len(words) > 1 or len(words[0]) >= _SURE_LETTERS or text.endswith(".")
                known = ALIKE if len(fitting) == 1 and sure else GUESS
                return PastedRule(text, tuple(fitting), "", known)
        several = [one for name, one in self.words.items() if name[0] == words[0]]
        if len(words) == 1 and several:
            return PastedRule(text, tuple(several), "", GUESS)
        return None

    def in_piece(self, text: str) -> list[PastedRule]:
        """Return the rules in a piece of a line; none if part of it isn't a rule."""
        whole = self.known(text)
        if whole is not None and not whole.target:
            return [whole]
        for between in _BETWEEN:
            parts = [part for part in between.split(text) if part.strip()]
            rules = [self.in_piece(part) for part in parts] if len(parts) > 1 else []
            if rules and all(rules):
                return [rule for part in rules for rule in part]
        if whole is not None:
            return [whole]
        words = text.split()
        return list(self._run_together(words)) if 1 < len(words) <= _MOST_WORDS else []

    def _run_together(self, words: Sequence[str]) -> Iterator[PastedRule]:
        """Yield the rules in words without commas: "Mounted Heavy Armor"; none unless all are."""
        rules = []
        start = 0
        while start < len(words):
            for end in range(min(len(words), start + 4), start, -1):
                rule = self._by_name(" ".join(words[start:end]))
                if rule is not None and rule.sure != GUESS:
                    rules.append(rule)
                    start = end
                    break
            else:
                return
        yield from rules

    def guessed(self, text: str) -> PastedRule:
        """Return the rule that a text is most like; one without abilities where none is."""
        match = self.names.find(text)
        return PastedRule(text, match.values, "", match.sure)
