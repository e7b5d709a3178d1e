"""Names of files: from a title in whatever script, and free beside others."""

import re


def file_stem(title: str) -> str:
    """What a file of that title is called, in whatever script, without its ending; "" where no
    letter and no digit is in it.
    """
    return re.sub(r"[\W_]+", "-", title).strip("-")[:60]


def free_name(title: str, ending: str, taken: set[str]) -> str:
    """A file name for something of that title which is not in `taken`, also where big and small
    letters are the same; it is put there.
    """
    stem = file_stem(title) or "list"
    name, again = f"{stem}.{ending}", 1
    while name.casefold() in taken:
        again += 1
        name = f"{stem}-{again}.{ending}"
    taken.add(name.casefold())
    return name
