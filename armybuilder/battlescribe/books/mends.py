"""Mends: what people found by reading the books made of the files, and what is right instead.

The importer writes what the files say in parts it can read. These entries of theirs are slips, or
are told in a sentence, where another part of the same file shows what is meant. Each mend names the
place, what the importer would write and what the book has instead; it is told as a gap.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from armybuilder.battlescribe.books.drafts import Notes

_LEVEL: Final = {"taken": "wizard-level"}


@dataclass(frozen=True, slots=True)
class Mend:
    """A correction at the ids `where`: facts that `was` there, and are `now`; None: no fact."""

    where: tuple[str, ...]
    was: Mapping[str, Any]
    now: Mapping[str, Any]
    what: str


#: By book.
MENDS: Final[dict[str, tuple[Mend, ...]]] = {
    "kingdom-of-equitaine": (
        Mend(
            ("folk-hero", "heroic-traits", "bannerman"),
            {"keywords": None, "one_of_a_kind": None},
            {"keywords": ["Battle Standard Bearer"], "one_of_a_kind": True},
            "A sentence of the file, not an entry, makes it the Battle Standard Bearer.",
        ),
        Mend(
            ("folk-hero", "heroic-traits", "quin"),
            {"keywords": None},
            {"keywords": ["Wizard Adept"]},
            "A sentence of the file, not an entry, makes it a Wizard Adept.",
        ),
        Mend(
            ("folk-hero", "heroic-traits", "ministrel"),
            {"keywords": None},
            {"keywords": ["Musician", "Wizard Apprentice"]},
            "A sentence of the file, not an entry, makes it a Wizard Apprentice.",
        ),
    ),
    "legions-of-sin": (
        Mend(
            ("harbinger-of-greed", "magic-path"),
            {"needs": {"taken": "legion-of-sin/gluttony", "in": "army"}},
            {"needs": _LEVEL},
            "In the file his paths ask for Gluttony in the army; as those of all other Harbingers"
            " they are for wizards.",
        ),
        Mend(
            ("harbinger-of-wrath", "magic-path"),
            {"needs": {"taken": "harbinger-of-wrath/wizard-level", "in": "army"}},
            {"needs": _LEVEL},
            "In the file his paths ask for any Harbinger of Wrath in the army who is a wizard; as"
            " those of all other Harbingers they are for wizards.",
        ),
    ),
    "ogre-khans": (
        Mend(
            ("mammoth-hunter", "big-names-mammoth-hunter", "wildheart"),
            {"must_lead": None},
            {"must_lead": True},
            "A sentence of the file, not an entry, makes its bearer the General.",
        ),
    ),
    "orcs-and-goblins": (
        Mend(
            ("goblin-witch-doctor", "armour"),
            {"default": "unarmoured"},
            {"default": "light-armour"},
            "In the file a new one starts without the Light Armour that its race asks for.",
        ),
    ),
    "sylvan-elves": (
        Mend(
            ("treefather-ancient", "artefact"),
            {"not_with": None},
            {"not_with": ["dragonfire-gem"]},
            "The name of the group, not an entry, keeps the Dragonfire Gem out of it.",
        ),
    ),
    "warriors-of-the-dark-gods": (
        Mend(
            ("battleshrine",),
            {"item_limits": None},
            {"item_limits": {"banner-enchantment": 1}},
            "A sentence of the file, not an entry, lets its Trophy Rack bear one banner.",
        ),
    ),
}


def mend(book: dict[str, Any], notes: Notes) -> None:
    """Mend a book in place, with a gap for each; note mends that no longer fit the file."""
    for one in MENDS.get(book["id"], ()):
        node = _at(book["units"], one.where)
        if node is None or any(node.get(key) != value for key, value in one.was.items()):
            notes.doubt("/".join(one.where), "is not as it was when this was mended")
            continue
        node |= one.now
        book["gaps"].append({"where": "/".join(one.where), "what": one.what})


def _at(nodes: list[dict[str, Any]], where: tuple[str, ...]) -> dict[str, Any] | None:
    first, *rest = where
    for node in nodes:
        if first in (node.get("id"), node.get("group")):
            return _at(node.get("options", []), tuple(rest)) if rest else node
    return None
