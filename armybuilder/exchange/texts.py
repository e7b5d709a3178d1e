"""Lists in texts that are read without anybody looking at their lines: only where all are clear."""

import re
from pathlib import PurePath

from django.utils.translation import gettext as _

from armybuilder.exchange.pasting import PastedList, TextPart, read_part, read_text, split_text
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
    """Return the list in a text of which every line is clear: nothing is guessed.

    Raises Refusal with the lines that are not, where there is no unit, or where there are several
    lists.
    """
    text = text.replace("\0", "")
    number = len(split_text(text, library, system))
    if number > 1:
        said = _("The text holds {number} lists. Take one of them.")
        raise Refusal(said.format(number=number))
    return clear(read_text(text, library, system))


def clear_part(part: TextPart, library: Library, system: str | None = None) -> ArmyList:
    """Return one of the lists in a text, as `clear_list` does."""
    return clear(read_part(part, library, system))


def clear(reading: PastedList) -> ArmyList:
    """Return what was read where every line is clear. Raises Refusal as `clear_list` does."""
    if reading.document is None or not reading.document.units:
        raise Refusal(_("No unit was found in the text."))
    lines = unclear(reading)
    if lines:
        said = _("Not clear: {lines}. Import the text first, and look at it line by line.")
        raise Refusal(said.format(lines=" · ".join(lines[:MOST_LINES])))
    return reading.document


def unclear(reading: PastedList) -> list[str]:
    """Return the lines that are not clear."""
    return [one.text.strip() for one in reading.lines if one.state in ("doubt", "lost")]
