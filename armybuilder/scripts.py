"""Scripts of the pages: ES modules. Each kind of page loads one, which imports the others."""

import re
from functools import cache
from itertools import chain
from pathlib import Path

from django.contrib.staticfiles import finders

FOLDER = "armybuilder/js/"
#: How a module imports another one of ours.
IMPORT = r'(?P<matched>(?P<how>\bimport|\bfrom) ?"(?P<url>\./[\w.]+)";)'
#: How it imports one that is fetched when it is needed first.
IMPORT_LATER = r'(?P<matched>(?P<how>\bimport)\("(?P<url>\./[\w.]+)"\))'


@cache
def modules_of(name: str, later: bool = False) -> tuple[str, ...]:
    """Return the names of the module and of all that it imports, itself first; on request with
    those that are fetched `later`.
    """
    ways = (IMPORT, IMPORT_LATER) if later else (IMPORT,)
    found = [name]
    for module in found:
        path = Path(str(finders.find(FOLDER + module)))
        text = path.read_text(encoding="utf-8")
        for imported in chain.from_iterable(re.finditer(way, text) for way in ways):
            file = imported["url"].removeprefix("./")
            if file not in found:
                found.append(file)
    return tuple(found)
