"""Scripts of the pages: ES modules. Each kind of page loads one, which imports the others."""

import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from whitenoise.storage import CompressedManifestStaticFilesStorage

FOLDER = "armybuilder/js/"
#: How a module imports another one of ours.
_IMPORT = r'(?m)(?P<matched>(?P<how>^import|\bfrom) "(?P<url>\./[\w.]+)";)$'


class Storage(CompressedManifestStaticFilesStorage):
    """Static files whose names carry a hash of their content, also where our modules import them.

    What Django has for that (`support_js_module_import_aggregation`) looks into every script, and
    stumbles over those of packages that tell in a comment how they are imported.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        (f"{FOLDER}*.js", ((_IMPORT, '%(how)s "%(url)s";'),)),
    )


@cache
def modules_of(name: str) -> tuple[str, ...]:
    """Return the names of the module and of all that it imports, itself first."""
    found = [name]
    for module in found:
        path = Path(str(finders.find(FOLDER + module)))
        for imported in re.finditer(_IMPORT, path.read_text(encoding="utf-8")):
            file = imported["url"].removeprefix("./")
            if file not in found:
                found.append(file)
    return tuple(found)
