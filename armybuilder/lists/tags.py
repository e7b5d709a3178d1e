"""Tags: short words of a player's own, to find lists by."""

from collections.abc import Iterable

#: The longest tag, and how many one list may have.
MAX_TAG = 30
MOST_TAGS = 12


def read_tags(text: str) -> list[str]:
    """The tags that somebody typed, with commas between them, each once and cut to length."""
    words = (" ".join(part.split())[:MAX_TAG].rstrip() for part in text[:2_000].split(","))
    return in_order(word for word in words if word.isprintable())


def in_order(tags: Iterable[str]) -> list[str]:
    """Tags in the order of the alphabet, each once; big and small letters are the same."""
    once: dict[str, str] = {}
    for tag in filter(None, tags):
        once.setdefault(tag.casefold(), tag)
    return [once[key] for key in sorted(once)][:MOST_TAGS]


def with_tags(tags: Iterable[str], more: Iterable[str]) -> list[str]:
    """The tags and some more; those that were there stay when there is no room for all."""
    had = list(tags)
    known = {tag.casefold() for tag in had}
    fresh = [tag for tag in more if tag.casefold() not in known]
    return in_order([*had, *fresh[: max(0, MOST_TAGS - len(had))]])


def without_tags(tags: Iterable[str], fewer: Iterable[str]) -> list[str]:
    """The tags but for some."""
    gone = {tag.casefold() for tag in fewer}
    return [tag for tag in tags if tag.casefold() not in gone]
