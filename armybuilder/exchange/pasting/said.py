"""What follows a unit's name in a text, taken apart into the names of what is taken.

A piece is a name, or several that only together are none: "Shield and Lance", "Mount: Horse",
"Champion (Totem Bearer (Black Wing Totem))", "FCG". What is not known stays as it is written.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from armybuilder.exchange.pasting.entries import pieces, times
from armybuilder.exchange.pasting.languages import matched
from armybuilder.exchange.pasting.names import EXACT, ReadNames, simple
from armybuilder.exchange.pasting.short_names import says_nothing, short_names
from armybuilder.languages import Typed, typed_pattern

#: How deep names may stand in brackets, or behind "and", in each other.
_DEEPEST = 3

_AND = Typed("typed", "and|with|w/")
_OR = re.compile(r"\s+(?:or|oder|ou)\s+", re.I)
#: Something and, in brackets behind it, what is taken on it: "Cannon (4+) (Rune Crafted)".
_IN_BRACKETS = re.compile(r"(.+?)\s?\(((?:[^()]|\([^()]*\))+)\)")
#: The same behind a colon: "Catapult (4+): Rune Crafted". What stands before it may be a heading
#: that is no name: "Special Equipment: Shield".
_BEHIND_COLON = re.compile(r"([^:]{1,60}):\s+(\S.*)")
_WORD = re.compile(r"[^\W\d_]{3}")


@cache
def _between() -> re.Pattern[str]:
    """What stands between names that are several."""
    return re.compile(rf"\s+(?:{typed_pattern(_AND)}|&|\+)\s+|\s*/\s*|\s+-\s+", re.I)


class SaidNames:
    """Takes apart what a text says of one unit, by the names of options, roles and rules."""

    def __init__(self, names: ReadNames[Any], roles: ReadNames[str], rules: ReadNames[str]) -> None:
        self.names = names
        self.roles = roles
        self.rules = rules

    def texts(self, rest: str) -> Iterator[str]:
        """Yield the names; of "Pyromancy or Alchemy" those that were not there before."""
        said = set()
        for text in self._longest(rest):
            parts = _OR.split(text)
            if len(parts) > 1 and not self.is_known(text) and all(map(self.is_known, parts)):
                yield from (part for part in parts if simple(part) not in said)
            else:
                yield text
            said.add(simple(text))

    def ids(self, piece: str) -> tuple[str, ...]:
        """Return the ids that a piece of equipment may have by its name, likeliest first."""
        found = self.names.known(piece)
        known = [spot.option.id for spot in found.values]
        named = simple(piece).replace(" ", "-")
        return tuple(dict.fromkeys((*known, named) if found.sure == EXACT else (named, *known)))

    def is_known(self, text: str) -> bool:
        """Return whether it is one name, of an option, a role or a rule, with or without a number
        and what it is put on.
        """
        name = put_on(times(text)[0])[0]
        return any(names.known(name).values for names in (self.names, self.roles, self.rules))

    def _longest(self, rest: str) -> Iterator[str]:
        """Yield the names in a text, the longest first where names hold commas."""
        parts = [self._without_heading(part) for part in pieces(rest)]
        most = self.names.most_commas
        place = 0
        while place < len(parts):
            for end in range(min(place + 1 + most, len(parts)), place + 1, -1):
                joined = ", ".join(parts[place:end])
                if self.names.known(times(joined)[0]).values:
                    yield joined
                    place = end
                    break
            else:
                yield from self._alone(parts[place])
                place += 1

    def _alone(self, text: str, deepest: int = _DEEPEST) -> list[str]:
        """Return the names in a piece: those that are known, or as far as they are."""
        whole = self._understood(text, deepest)
        if whole is not None:
            return whole
        for parts in self._parted(text) if deepest else ():
            if len(parts) > 1 and any(self._understood(part, deepest) for part in parts):
                return [name for part in parts for name in self._alone(part, deepest - 1)]
        return [text]

    def _understood(self, text: str, deepest: int = _DEEPEST) -> list[str] | None:
        """Return the names in a piece of which all is known; None where something is not."""
        if self.is_known(text):
            return [text]
        if says_nothing(text):
            return []
        if text.endswith("."):
            return self._understood(text.rstrip(". "), deepest)
        short = self._short(text)
        if short:
            return list(short)
        if deepest == 0:
            return None
        for parts in (_between().split(text), *self._parted(text)):
            found = [self._understood(part, deepest - 1) for part in parts if part != text]
            if found and all(names is not None for names in found):
                return [name for names in found for name in names or ()]
        return None

    def _parted(self, text: str) -> Iterator[list[str]]:
        """Yield the ways to take apart something and what is taken on it."""
        brackets = _IN_BRACKETS.fullmatch(text)
        if brackets and _WORD.search(brackets[2]):
            yield self._carried(brackets[1], pieces(brackets[2]))
        behind = _BEHIND_COLON.fullmatch(text)
        if behind:
            yield self._carried(behind[1], pieces(behind[2]))

    def _without_heading(self, piece: str) -> str:
        """Return what stands behind a heading, such as the name of a group, that is no name."""
        behind = _BEHIND_COLON.fullmatch(piece)
        heading = behind and not (self.is_known(piece) or self.is_known(behind[1]))
        return behind[2] if behind and heading else piece

    def _carried(self, piece: str, texts: Sequence[str]) -> list[str]:
        """Return a piece of equipment, and what stands in brackets behind it: put on it where that
        can be. What every model has, such as a hand weapon, is no option, and not returned.
        """
        ids = self.ids(piece)
        on_it = [f"{text} (on {piece})" if self._goes_on(text, ids) else text for text in texts]
        known = self.names.known(piece).values or self.roles.known(piece).values
        idle = not known and any(self._says(text, piece) for text in texts)
        return on_it if idle else [piece, *on_it]

    def _says(self, text: str, piece: str) -> bool:
        """Return whether a name says what it is on: an item, or "Wizard Adept" of a "Wizard"."""
        items = (spot.option.item for spot in self._spots(text))
        return any(items) or simple(piece) in simple(text).split()

    def _goes_on(self, text: str, ids: Sequence[str]) -> bool:
        return any(id_ in spot.option.on for spot in self._spots(text) for id_ in ids)

    def _spots(self, text: str) -> Sequence[Any]:
        return self.names.known(times(text)[0]).values

    def _short(self, text: str) -> tuple[str, ...]:
        """What a short name stands for, where the unit may have that; () where it is none."""
        names = short_names().get(simple(text), ())
        looked = (self.names, self.roles)
        return names if all(any(one.known(name).values for one in looked) for name in names) else ()


def put_on(name: str) -> tuple[str, str]:
    """Return an enchantment and the piece of equipment that it is put on, "" where none is told."""
    found = matched("{option} (on {piece})", name)
    return (found[0], found[1]) if len(found) == 2 else (name, "")
