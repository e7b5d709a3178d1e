"""Scripts of the pages: ES modules. Each kind of page loads one, which imports the others."""

import re
from functools import cache
from itertools import chain
from pathlib import Path

from django.contrib.staticfiles import finders
from whitenoise.storage import CompressedManifestStaticFilesStorage

FOLDER = "armybuilder/js/"
#: How a module imports another one of ours.
_IMPORT = r'(?m)(?P<matched>(?P<how>^import|\bfrom) "(?P<url>\./[\w.]+)";)$'
#: How it imports one that is fetched when it is needed first.
_IMPORT_LATER = r'(?P<matched>(?P<how>\bimport)\("(?P<url>\./[\w.]+)"\))'


class Storage(CompressedManifestStaticFilesStorage):
    """Static files whose names carry a hash of their content, also where our modules import them.

    What Django has for that (`support_js_module_import_aggregation`) looks into every script, and
    stumbles over those of packages that tell in a comment how they are imported.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (f"{FOLDER}*.js", ((_IMPORT, '%(how)s "%(url)s";'), (_IMPORT_LATER, '%(how)s("%(url)s")'))),
    )


@cache
def modules_of(name: str, later: bool = False) -> tuple[str, ...]:
    """Return the names of the module and of all that it imports, itself first; on request with
    those that are fetched `later`.
    """
    ways = (_IMPORT, _IMPORT_LATER) if later else (_IMPORT,)
    found = [name]
    for module in found:
        path = Path(str(finders.find(FOLDER + module)))
        text = path.read_text(encoding="utf-8")
        for imported in chain.from_iterable(re.finditer(way, text) for way in ways):
            file = imported["url"].removeprefix("./")
            if file not in found:
                found.append(file)
    return tuple(found)
