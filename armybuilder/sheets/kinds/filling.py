"""Letters as large as their pages allow: a sheet takes no more pages than small letters need, and
its last page is as full as it can be.
"""

from collections.abc import Callable, Iterable, Sequence

from reportlab.platypus import Flowable

from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.drawing.blocks import Scaled
from armybuilder.sheets.drawing.furniture import LATER_TOP, TOP

#: The smallest part of their normal size that letters are set in: 6 points on paper.
LEAST = 0.92

#: Lays a sheet out for letters of a scale, in the room of a later page.
Layout = Callable[[float, PageRoom], Iterable[Flowable]]


def filled(
    layout: Layout, setup: Setup, room: PageRoom, sizes: Sequence[float]
) -> Sequence[Flowable]:
    """Return the sheet on as few pages as the smallest of `sizes` needs, at the largest that needs
    no more. The sizes are parts of the set-up's, the largest first; who wants small letters wants
    none that grow.
    """
    fitting = [size for size in sizes if size * setup.scale >= LEAST]
    fitting = [size for size in fitting if size <= 1 or setup.scale >= 1] or [1.0]
    low, high = 0, len(fitting) - 1
    fewest = pages_of(_at(fitting[high], layout, setup, room), room)
    while low < high:
        middle = (low + high) // 2
        if pages_of(_at(fitting[middle], layout, setup, room), room) <= fewest:
            high = middle
        else:
            low = middle + 1
    return _at(fitting[low], layout, setup, room)


def _at(size: float, layout: Layout, setup: Setup, room: PageRoom) -> Sequence[Flowable]:
    within = PageRoom(room.width / size, room.height / size)
    return [Scaled(part, size) for part in layout(setup.scale * size, within)]


def pages_of(story: Iterable[Flowable], room: PageRoom) -> int:
    """Return on how many pages a story stands; its first page has less room than later ones."""
    pages, left, page = 1, room.height + LATER_TOP - TOP, room.height
    fresh = True
    waiting = list(story)[::-1]
    while waiting:
        part = waiting.pop()
        above = 0.0 if fresh else part.getSpaceBefore()
        tall = part.wrap(room.width, left - above)[1]
        if above + tall <= left:
            left -= above + tall
            fresh = False
            continue
        split = part.split(room.width, left - above)
        if not split and fresh and left == page:
            return pages  # no page holds it: drawing will say so
        pages, left, fresh = pages + 1, page, True
        waiting += split[:0:-1] if split else [part]
    return pages
