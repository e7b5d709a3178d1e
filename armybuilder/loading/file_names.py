"""File names: from a title in any script, and unique among others."""

import re


def file_stem(title: str) -> str:
    """Return a file's name without ending for a title in any script; "" without letters."""
    return re.sub(r"[\W_]+", "-", title).strip("-")[:60]


def free_name(title: str, ending: str, taken: set[str]) -> str:
    """Return a file name not in `taken`, ignoring case, and add it there."""
    stem = file_stem(title) or "list"
    name, again = f"{stem}.{ending}", 1
    while name.casefold() in taken:
        again += 1
        name = f"{stem}-{again}.{ending}"
    taken.add(name.casefold())
    return name
