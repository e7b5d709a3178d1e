"""Meaning of a name: its kind, a line in our own words, and its source."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from armybuilder.engine.citations import Citation
from armybuilder.engine.wording import marked, say


class NameKind(StrEnum):
    """Kind of thing that a name refers to."""

    RULE = "rule"
    WEAPON = "weapon"
    ARMOUR = "armour"
    ABILITY = "ability"
    SPELL = "spell"
    PATH = "path"
    CONDITION = "condition"
    ITEM = "item"
    KEYWORD = "keyword"
    OPTION = "option"
    ROLE = "role"
    PIECE = "piece"


KIND_WORDS: Mapping[NameKind, str] = marked(
    {
        NameKind.RULE: "Special rule",
        NameKind.WEAPON: "Weapon",
        NameKind.ARMOUR: "Armour",
        NameKind.ABILITY: "Ability",
        NameKind.SPELL: "Spell",
        NameKind.PATH: "Path of magic",
        NameKind.CONDITION: "Condition",
        NameKind.ITEM: "Special item",
        NameKind.KEYWORD: "Rule or equipment",
        NameKind.OPTION: "Option",
        NameKind.ROLE: "Role",
        NameKind.PIECE: "Game setting",
    }
)


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
        return say(KIND_WORDS[self.kind])

    @property
    def within(self) -> str:
        """Its group, where that says more than its kind."""
        return "" if self.kind in _ONE_GROUP else self.group
