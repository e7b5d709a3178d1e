"""The stretch of a long list that its page shows; the rest follows when it is scrolled to, or by
links where there is no script.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from django.utils.translation import ngettext

from armybuilder.html import EMPTY, Html, fill
from armybuilder.loading.deadline import checked

_Thing = TypeVar("_Thing")

#: A list of so many units, at most, comes whole.
WHOLE = 60
#: Findings of a kind that are told of a list that comes whole, and of a longer one.
OF_A_KIND, OF_A_KIND_LONG = 50, 3
#: Parts of a number that are shown where it has more than `WHOLE`.
PARTS = 12
#: Units that come at once of a longer one.
STRETCH = 30

_REST = (
    '<li class="more-units" id="{id}"><a class="alone" href="{url}#{id}"'
    ' hx-get="{url}&amp;part={part}"{ways} data-goto="{id}">{words}</a></li>'
)
_FOLLOWS = ' hx-trigger="click, intersect once" hx-target="closest li" hx-swap="outerHTML"'


class Run(NamedTuple):
    """Units that stand in one list of the page: the numbers of the first and behind the last that
    are shown, and as HTML the ways to those before and after.
    """

    start: int
    end: int
    earlier: Html
    further: Html


@dataclass(frozen=True, slots=True)
class Stretch:
    """Of all units by their ids, in the order of the page, those from `start` on are shown, `most`
    of them. `url` with a number behind it is the address of the stretch that starts there.
    """

    order: Sequence[str]
    start: int
    most: int
    url: str

    def run(self, low: int, high: int) -> Run:
        """Return what is shown of units that stand together, from one number to before another."""
        start, end = max(low, self.start), min(high, self.start + self.most)
        if start >= end:
            return Run(low, low, EMPTY, self._further(low, high))
        before = ngettext("Show {number} earlier unit", "Show {number} earlier units", start - low)
        at = max(low, start - self.most)
        earlier = self._rest("list", at, low, before, start - low) if low < start else EMPTY
        return Run(start, end, earlier, self._further(end, high))

    def _further(self, at: int, high: int) -> Html:
        if at >= high:
            return EMPTY
        said = ngettext("Show {number} more unit", "Show {number} more units", high - at)
        return self._rest("lines", at, at, said, high - at, fill(_FOLLOWS))

    def _rest(
        self, part: str, at: int, first: int, said: str, number: int, ways: Html = EMPTY
    ) -> Html:
        """Return a line for units that are not shown, which stands where the first of them will."""
        return fill(
            _REST,
            id=self.order[first],
            url=f"{self.url}{at}",
            part=part,
            ways=ways,
            words=said.format(number=number),
        )


def first_of_each(
    things: Iterable[_Thing], kind: Callable[[_Thing], str], units: int
) -> list[_Thing]:
    """Return the first of each kind of what is told of a list of so many units, in their order."""
    most = OF_A_KIND if units <= WHOLE else OF_A_KIND_LONG
    counts: Counter[str] = Counter()
    kept = []
    for thing in checked(things):
        counts[kind(thing)] += 1
        if counts[kind(thing)] <= most:
            kept.append(thing)
    return kept


def most_of(units: int) -> int:
    """Return how many units a stretch of a list of so many has."""
    return WHOLE if units <= WHOLE else STRETCH


def start_of(order: Sequence[str], most: int, asked: int, shown: Sequence[str]) -> int:
    """Return the number at which the stretch of a list begins that has the first of the units
    `shown` that is on it; where none is, the one that is asked for. 0 where the list comes whole.
    """
    if len(order) <= WHOLE:
        return 0
    begun = asked if 0 <= asked < len(order) else 0
    there = next((unit for unit in shown if unit in order), None)
    if there is None or there in order[begun : begun + most]:
        return begun
    return order.index(there) // most * most
