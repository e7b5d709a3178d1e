"""Lists in texts that are read without anybody looking at their lines: only where all are clear."""

import re
from pathlib import PurePath

from django.utils.translation import gettext as _

from armybuilder.exchange.pasting import read_text
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

#: How names of texts end.
ENDINGS = (".txt", ".text", ".md")
#: What texts beside lists are called: they tell of the folder or zip.
_ABOUT = re.compile(r"read[ ._-]?me|licen[cs]e|copying|change", re.I)
#: Lines of a text that are told where they are not clear.
MOST_LINES = 5


def tells_of_others(name: str) -> bool:
    """Return whether a file among lists is, by its name, a text about them: "Read me.txt"."""
    file = PurePath(name).name
    return file.lower().endswith(ENDINGS) and _ABOUT.match(file) is not None


def clear_list(text: str, library: Library, system: str | None = None) -> ArmyList:
    """Return the list in a text of which every line is clear: nothing is guessed. Raises Refusal
    with the lines that are not, and where there is no unit.
    """
    reading = read_text(text.replace("\0", ""), library, system)
    if reading.document is None or not reading.document.units:
        raise Refusal(_("No unit was found in the text."))
    unclear = [one.text.strip() for one in reading.lines if one.state in ("doubt", "lost")]
    if unclear:
        said = _("Not clear: {lines}. Import the text first, and look at it line by line.")
        raise Refusal(said.format(lines=" · ".join(unclear[:MOST_LINES])))
    return reading.document
