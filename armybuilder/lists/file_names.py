"""Names of files that stand beside each other in an archive."""

from armybuilder.sheets.files import file_stem


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
