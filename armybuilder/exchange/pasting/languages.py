"""Words of the text forms in every language of the pages: a list may be pasted in any of them."""

import re
from functools import lru_cache

from armybuilder.languages import in_every_language


@lru_cache(maxsize=64)
def pattern(text: str) -> re.Pattern[str]:
    """Return a pattern for a text of the forms in any language; each {name} is a group."""
    shapes = {_shape(said) for said in in_every_language(text)}
    # A group for each language, of which one matches.
    return re.compile("|".join(f"(?:{shape})" for shape in sorted(shapes)))


def _shape(said: str) -> str:
    # Spaces that hold words together, as French has them, are read as plain ones.
    words = (re.sub(r"\\\{\w+\\\}", "(.+?)", re.escape(word)) for word in said.split())
    return r"\s+".join(words)


def matched(text: str, said: str) -> tuple[str, ...]:
    """What stands for the {names} of `text` in what was said; () where it says something else."""
    found = pattern(text).fullmatch(said)
    return tuple(group for group in found.groups() if group is not None) if found else ()


def is_word(text: str, said: str) -> bool:
    """Return whether something is this word of the forms in some language, however written."""
    word = said.strip().rstrip(":").strip().casefold()
    return any(word == one.casefold() for one in in_every_language(text))
