"""Slips of the source files that people found by reading the books made of them.

The importer cannot know them; it writes what the files say, and these as gaps beside it.
"""

from typing import Final

#: By book: (where, what), as gaps are told.
KNOWN_SLIPS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "highborn-elves": (
        (
            "mage",
            "Heavy and Dragonforged Armour need both Fiery Heart honours at once in the file.",
        ),
    ),
    "legions-of-sin": (
        ("harbinger-of-greed", "As a wizard he is offered a path only with Gluttony in the army."),
    ),
    "orcs-and-goblins": (
        ("goblin-witch-doctor", "The race a new one starts with asks for Light Armour."),
    ),
}
