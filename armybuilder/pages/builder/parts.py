"""Parts of the page that a browser has already are not sent again.

A part is an element with an id, and says by a hash (`data-part`) what is in it. The browser sends
the hashes of what it has (`X-Parts`, see views.js); where one is still right, an empty element
stands for the part, and the script leaves what is there. What differs in each answer though nothing
has changed, the fields of all forms, does not count; the script renews the version in them.

A pane that nobody sees is not drawn before it must be: the browser says which of them it shows
(`X-Shown`), an empty element stands for the others, and they come with the units, which are asked
for after each change, where the browser says that it has an old one (`X-Stale`).
"""

import re
from collections.abc import Iterable, Mapping
from zlib import crc32

from armybuilder.html import Html, element, with_attributes

_HASH = re.compile(r"[0-9a-f]{1,8}")
#: Letters of the header that are read: about 500 parts.
_MOST = 8_000
#: Ids of the panes of which one is seen at a time.
PANES = frozenset({"unit", "verdict", "game"})


def parts_known(header: str) -> dict[str, str]:
    """Return the hash of each part that a browser has, by its id; nonsense is no part."""
    pairs = (pair.partition(":") for pair in header[:_MOST].split(","))
    return {name: mark for name, __, mark in pairs if _HASH.fullmatch(mark)}


def panes_unseen(header: str | None) -> frozenset[str]:
    """Return the panes that a browser does not show, from the ids of those it does; none where it
    does not say.
    """
    return frozenset() if header is None else PANES - set(header[:_MOST].split(","))


def panes_stale(header: str) -> frozenset[str]:
    """Return the panes that a browser has as they were before."""
    return PANES & set(header[:_MOST].split(","))


def mark_of(text: str) -> str:
    """Return the hash of what is in a part."""
    return f"{crc32(text.encode()):x}"


def sent(name: str, written: str, known: Mapping[str, str], fields: Iterable[str] = ()) -> Html:
    """Return a part, whose element has the id `name`, with its hash; an empty element where the
    browser has it. `fields` do not count.
    """
    counted = written
    for field in filter(None, fields):
        counted = counted.replace(field, "")
    mark = mark_of(counted)
    if known.get(name) == mark:
        tag = counted.lstrip()[1:].partition(" ")[0]
        return element(tag, id=name, data_same=True)
    return with_attributes(written, data_part=mark)
