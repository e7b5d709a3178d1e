"""Meaning of a name: its kind, a line in our own words, and its source."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from armybuilder.engine.citations import Citation
from armybuilder.engine.wording import marked, say


class NameKind(StrEnum):
    """Kind of thing that a name refers to, with the words for it."""

    words: str

    RULE = "rule", marked("Special rule")
    WEAPON = "weapon", marked("Weapon")
    ARMOUR = "armour", marked("Armour")
    ABILITY = "ability", marked("Ability")
    SPELL = "spell", marked("Spell")
    PATH = "path", marked("Path of magic")
    CONDITION = "condition", marked("Condition")
    ITEM = "item", marked("Special item")
    KEYWORD = "keyword", marked("Rule or equipment")
    OPTION = "option", marked("Option")
    ROLE = "role", marked("Role")
    PIECE = "piece", marked("Game setting")

    def __new__(cls, value: str, words: str) -> Self:
        kind = str.__new__(cls, value)
        kind._value_, kind.words = value, words
        return kind


#: Kinds of names that form a group of their own.
_ONE_GROUP = (NameKind.WEAPON, NameKind.PATH, NameKind.KEYWORD)


@dataclass(frozen=True, slots=True)
class Meaning:
    """Meaning of a name: one line in our own words, "" if we have none, and its source.

    `group` is a related heading, or the path of a spell; `aliases` are other names of it.
    """

    name: str
    kind: NameKind
    summary: str
    citation: Citation
    group: str = ""
    note: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """Kind of name, in the reader's language."""
        return say(self.kind.words)

    @property
    def within(self) -> str:
        """Its group, where that says more than its kind."""
        return "" if self.kind in _ONE_GROUP else self.group
