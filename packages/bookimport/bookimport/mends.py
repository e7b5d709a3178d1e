"""What is said of a book when it is whole: melee weapons, limits of items, and mends.

Mends are what people found by reading the books: slips of the files, or what these tell in a
sentence, where another part of the same file shows what is meant. Each is told as a gap.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from bookimport.drafts import Notes
from bookimport.groups import BEARERS_BANNERS, SLOTS
from bookimport.traits import ANY_MELEE_WEAPON

#: Every model carries the first (rulebook, 22.A.a).
_COMMON: Final = (
    "hand-weapon", "paired-weapons", "great-weapon", "halberd", "lance", "light-lance", "spear",
)  # fmt: skip
_GROUP: Final = re.compile(r"^(melee|close combat) weapons?$", re.I)


def name_melee_weapons(book: dict[str, Any]) -> None:
    """Put the ids of the book's melee weapons in the place of "any melee weapon", in place."""
    weapons = list(dict.fromkeys([*_COMMON, *_melee_weapons(book)]))
    for node in nodes_of(book):
        if node.get("on") == [ANY_MELEE_WEAPON]:
            node["on"] = weapons


#: How many special items of a kind a model may have at most (rulebook, 22.A).
_ALLOWED: Final = {**SLOTS, "banner-enchantment": BEARERS_BANNERS}


def name_item_limits(book: dict[str, Any]) -> None:
    """Note, in place, of which special items a unit may have more than the rule allows."""
    shared = {node.get("id") or node.get("group"): node for node in book.get("options", ())}
    for unit in book["units"]:
        limits: dict[str, int] = {}
        for node in nodes_of({"units": [unit]}):
            most = node.get("choose", [0, 0])[1] or 0
            kinds = _kinds(node, shared) if "group" in node else set()
            if len(kinds) == 1 and most > _ALLOWED.get(kind := kinds.pop(), most):
                limits[kind] = most
        if limits:
            unit["item_limits"] = limits


def _kinds(node: dict[str, Any], shared: dict[Any, dict[str, Any]]) -> set[str]:
    """Return the kinds of special items in a group, with shared ones; "" for other options."""
    if "use" in node:
        return _kinds(shared[node["use"]], shared)
    if "group" not in node:
        return {node.get("item", "")}
    return {kind for inner in node["options"] for kind in _kinds(inner, shared)}


def _melee_weapons(book: dict[str, Any]) -> Iterator[str]:
    for node in nodes_of(book):
        if "group" in node and _GROUP.match(node["name"]):
            for inner in node["options"]:
                if "group" not in inner:
                    yield inner.get("id") or inner["use"]


def nodes_of(book: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the units of a book, its options and groups, at any depth."""
    level = [*book.get("options", ()), *book["units"]]
    while level:
        node = level.pop(0)
        yield node
        level = [*node.get("options", ()), *level]


_LEVEL: Final = {"taken": "wizard-level"}


@dataclass(frozen=True, slots=True)
class Mend:
    """A correction at the ids `where`: facts that `was` there, and are `now`; None: no fact. With
    no facts it only tells what is wrong there.
    """

    where: tuple[str, ...]
    was: Mapping[str, Any]
    now: Mapping[str, Any]
    what: str


#: Those of The Ninth Age, by book.
_NINTH_AGE: Final[dict[str, tuple[Mend, ...]]] = {
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
        Mend(
            ("mount-pegasus-charger",),
            {},
            {},
            "The file gives it Gallantry (2), which we count. A report on the file (BSData #1213)"
            " and the third edition say 1.",
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


#: Of one year alone.
_WITCH_DOCTOR: Final = Mend(
    ("goblin-witch-doctor", "armour"),
    {"default": "unarmoured"},
    {"default": "light-armour"},
    "In the file a new one starts without the Light Armour that its race asks for.",
)


_SHIELD_OF_A_LANCE: Final = Mend(
    ("goblin-raiders-core", "equipment", "light-lance"),
    {"keywords": ["Shield"]},
    {"keywords": None},
    "The file shows the Shield in the Light Lance's place; the Shield is an option beside it.",
)


def _called(where: str, wrong: str, right: str) -> Mend:
    """A mount that its link calls otherwise than what it leads to, which is another army's."""
    what = f"The file links to the {wrong} under the name of the {right}; what it brings is that."
    return Mend(tuple(where.split("/")), {"name": f"on {wrong}"}, {"name": f"on {right}"}, what)


#: Those of Essence of War, by book.
_ESSENCE: Final[dict[str, tuple[Mend, ...]]] = {
    "beast-herds": (
        _called("soothsayer/formation/on-lion-chariot", "Lion Chariot", "Raiding Chariot"),
    ),
    "hobgoblins": (_called("satrap/formation/on-beastie", "Beastie", "Bear-Dog"),),
    "orcs-and-goblins": (
        _called("goblin-king/formation/on-war-altar", "War Altar", "Wolf Chariot"),
    ),
    "saurian-ancients": (
        _called("saurian-veteran/formation/on-taurosaur", "Taurosaur", "Carnosaur"),
    ),
}

_CRUCIBLE: Final = Mend(
    ("coe-artefacts",),
    {},
    {},
    "The file links to Dread Rot under the name of the Crucible of Contagion, which cannot be taken"
    " therefore.",
)

_PREFECT: Final = Mend(
    ("house-prefect", "shooting-weapon"),
    {"needs": None, "choose": [1, 1]},
    {"needs": {"taken": ["skorchit-alchemist", "rakachit-technocrat"]}},
    "The file wants a shooting weapon of every Prefect and has one for two of the four Houses"
    " only.",
)

#: By system and book.
MENDS: Final[dict[str, dict[str, tuple[Mend, ...]]]] = {
    "t9a-2023": {**_NINTH_AGE, "orcs-and-goblins": (_WITCH_DOCTOR, _SHIELD_OF_A_LANCE)},
    "t9a-2024": {
        **_NINTH_AGE,
        "cult-of-errahman": (_CRUCIBLE,),
        "vermin-swarm": (_PREFECT,),
    },
    "essence-of-war": _ESSENCE,
}


def mend(book: dict[str, Any], notes: Notes) -> None:
    """Mend a book in place, with a gap for each; note mends that no longer fit the file."""
    for one in MENDS.get(book["system"], {}).get(book["id"], ()):
        node = _at([*book.get("options", ()), *book["units"]], one.where)
        if node is None or any(node.get(key) != value for key, value in one.was.items()):
            notes.doubt("/".join(one.where), "is not as it was when this was mended")
            continue
        for key, value in one.now.items():
            if value is None:
                del node[key]
            else:
                node[key] = value
        book["gaps"].append({"where": "/".join(one.where), "what": one.what})


def _at(nodes: list[dict[str, Any]], where: tuple[str, ...]) -> dict[str, Any] | None:
    first, *rest = where
    for node in nodes:
        if first in (node.get("id"), node.get("group")):
            return _at(node.get("options", []), tuple(rest)) if rest else node
    return None
