"""Letters as large as their pages allow: a sheet takes no more pages than small letters need, and
its last page is as full as it can be.
"""

from collections.abc import Callable, Iterable, Sequence
from math import ceil

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
    """Return the sheet on as few pages as the smallest of `sizes` needs, at about the largest that
    needs no more. The sizes are parts of the set-up's, the largest first; who wants small letters
    wants none that grow.
    """
    fitting = [size for size in sizes if size * setup.scale >= LEAST]
    fitting = [size for size in fitting if size <= 1 or setup.scale >= 1] or [1.0]
    usual = min(fitting, key=lambda size: abs(size - 1))
    story = _at(usual, layout, setup, room)
    pages = pages_of(story, room)
    # Twice the size fills four times as many pages: that finds the size in a step or two.
    each = pages / usual**2
    fewest = ceil(0.97 * each * fitting[-1] ** 2)
    for target in range(fewest, ceil(pages) + 1):
        for size in (size for size in fitting if each * size**2 <= target):
            if size == usual:
                return story
            tried = _at(size, layout, setup, room)
            if pages_of(tried, room) <= target:
                return tried
    return story


def _at(size: float, layout: Layout, setup: Setup, room: PageRoom) -> Sequence[Flowable]:
    within = PageRoom(room.width / size, room.height / size)
    return [Scaled(part, size) for part in layout(setup.scale * size, within)]


def pages_of(story: Iterable[Flowable], room: PageRoom) -> float:
    """Return how many pages a story fills: 2.25, where it has a quarter of the third. Its first
    page has less room than later ones.
    """
    pages, left, page = 0, room.height + LATER_TOP - TOP, room.height
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
            break  # no page holds it: drawing will say so
        pages, left, fresh = pages + 1, page, True
        waiting += split[:0:-1] if split else [part]
    return pages + max(0.01, 1 - left / page)
