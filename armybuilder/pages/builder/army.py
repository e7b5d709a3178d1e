"""The army's pane: one row for each unit, under headings if the game has army categories.

A long list shows one stretch; the rest follows on scrolling, or by links without script.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.advice.answers import own_unit
from armybuilder.editing.names import category_of, category_order
from armybuilder.engine import Finding, Report
from armybuilder.engine.about import AboutCategory
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import bears_battle_standard, side_marks
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.nouns import counted
from armybuilder.engine.roster import Pick
from armybuilder.engine.terms import POINTS, Gauge
from armybuilder.engine.verdict import counts_of, verdict_words
from armybuilder.html import EMPTY, Html, element, fill, icon, join
from armybuilder.loading.deadline import checked
from armybuilder.pages.builder.panes import sent
from armybuilder.pages.builder.pieces import WHOLE, about, army_gauge, folded, line_points
from armybuilder.sheets.content.make_judge import NumberItem, NumberMakeup
from armybuilder.sheets.content.unit_words import role_names

_Thing = TypeVar("_Thing")

#: Findings of a kind shown for a list that is sent whole, and for a longer one.
OF_A_KIND, OF_A_KIND_LONG = 50, 3
#: Units that come at once of a list that does not come whole.
STRETCH = 30

_REST = (
    '<li class="more-units" id="{id}"><a class="alone" href="{url}#{id}"'
    ' hx-get="{url}&amp;part={part}"{ways} data-goto="{id}">{words}</a></li>'
)
_FOLLOWS = ' hx-trigger="click, intersect once" hx-target="closest li" hx-swap="outerHTML"'


class Stretch(NamedTuple):
    """Of all units by id, in the order of the page, `most` from `start` on are shown.

    `url` followed by a number is the URL of the stretch that starts there.
    """

    order: Sequence[str]
    start: int
    most: int
    url: str

    def run(self, low: int, high: int) -> tuple[range, Html, Html]:
        """Return the visible part of consecutive units, from one number to before another.

        Their numbers and, as HTML, the links to those before and after.
        """
        start, end = max(low, self.start), min(high, self.start + self.most)
        if start >= end:
            return range(low, low), EMPTY, self._further(low, high)
        before = ngettext("Show {number} earlier unit", "Show {number} earlier units", start - low)
        at = max(low, start - self.most)
        earlier = self._rest("list", at, low, before, start - low) if low < start else EMPTY
        return range(start, end), earlier, self._further(end, high)

    def _further(self, at: int, high: int) -> Html:
        if at >= high:
            return EMPTY
        words = ngettext("Show {number} more unit", "Show {number} more units", high - at)
        return self._rest("lines", at, at, words, high - at, fill(_FOLLOWS))

    def _rest(
        self, part: str, at: int, first: int, words: str, number: int, ways: Html = EMPTY
    ) -> Html:
        """Return a line for hidden units, at the place of the first of them."""
        url, words = f"{self.url}{at}", words.format(number=number)
        return fill(_REST, id=self.order[first], url=url, part=part, ways=ways, words=words)


def first_of_each(
    things: Iterable[_Thing], kind: Callable[[_Thing], str], units: int
) -> list[_Thing]:
    """Return the first remark of each kind on a long list's units, in their order."""
    most = OF_A_KIND if units <= WHOLE else OF_A_KIND_LONG
    counts: Counter[str] = Counter()
    kept = []
    for thing in checked(things):
        counts[kind(thing)] += 1
        if counts[kind(thing)] <= most:
            kept.append(thing)
    return kept


def start_of(order: Sequence[str], most: int, start: int, shown: Sequence[str]) -> int:
    """Return the number at which the stretch of a list begins.

    It is that with the first of the units `shown` that is on the list; where none is, the `start`
    that is asked for. 0 where the list comes whole.
    """
    if len(order) <= WHOLE:
        return 0
    begun = start if 0 <= start < len(order) else 0
    there = next((unit for unit in shown if unit in order), None)
    if there is None or there in order[begun : begun + most]:
        return begun
    return order.index(there) // most * most


@dataclass
class ArmyLister:
    """Makes the rows of one list.

    `opened` is the id of the open unit; `open_url` with a unit's id behind it opens another.
    `known` are the hashes of the rows that the browser has.
    """

    report: Report
    catalogue: Catalogue
    names: Mapping[str, str]
    stretch: Stretch
    opened: str
    open_url: str
    known: Mapping[str, str]

    def __post_init__(self) -> None:
        self.system = self.catalogue.system
        self.lines = {line.pick.id: line for line in self.report.full.lines}
        # Words of many rows, translated once.
        self.points_word, self.standard = _("points"), _("Battle Standard")
        self.fewer, self.more = _("One fewer {name}"), _("One more {name}")

    @cached_property
    def wrong(self) -> dict[str, list[Finding]]:
        wrong: dict[str, list[Finding]] = {}
        for finding in self.report.findings:
            wrong.setdefault(own_unit(finding), []).append(finding)
        return wrong

    def headings(self, picks: Iterable[Pick]) -> list[dict[str, Any]]:
        """Return the units by category in the book's order; under "" alone if the game has none.

        `made` is their total cost, `limit` its bounds, and `over` whether it exceeds them; `rows`
        are HTML, as templates are too slow for long lists.
        """
        gauges: dict[str, list[Gauge]] = {}
        for gauge in self.report.gauges if self.system.sized else ():
            if isinstance(gauge.term.about, AboutCategory):
                gauges.setdefault(gauge.term.name, []).append(gauge)
        under = by_category(picks, self.catalogue) if self.system.sized else {"": list(picks)}
        begun = 0
        headings = []
        for name, here in under.items():
            headings.append(self._heading(name, here, begun, gauges.get(name, ())))
            begun += len(here)
        return headings

    def _heading(
        self, name: str, picks: list[Pick], begun: int, gauges: Collection[Gauge]
    ) -> dict[str, Any]:
        shown, earlier, further = self.stretch.run(begun, begun + len(picks))
        rows = join(self._row(picks[at - begun]) for at in checked(shown))
        made, limit = EMPTY, EMPTY
        if name:
            made = self._made(picks, gauges)
            # The bar of a category's number: of several, one that is over, else the first.
            drawn = sorted(gauges, key=lambda gauge: not gauge.term.is_over)
            limit = army_gauge(drawn[0], EMPTY).drawing if drawn else EMPTY
        over = any(gauge.term.is_over for gauge in gauges)
        heading = {"name": name, "over": over, "made": made, "limit": limit, "rows": rows}
        return {**heading, "earlier": earlier, "further": further}

    def _made(self, picks: Iterable[Pick], gauges: Collection[Gauge]) -> Html:
        """Return the cost of a category, with its bounds and its parts.

        As its rule counts, which may be more than the units below it; without a rule their total
        cost.
        """
        made = next((gauge for gauge in gauges if gauge.term.count == POINTS), None)
        items = []
        if made is None:
            lines = [self.lines[pick.id] for pick in picks if pick.id in self.lines]
            items = [NumberItem(self.names[one.pick.id], one.points, one.pick.id) for one in lines]
        for part in made.parts if made is not None else ():
            name = self.names.get(part.unit, part.label)
            # Of a unit that counts elsewhere, what of it counts here too.
            if part.options:
                name += f": {', '.join(taken.option.name for taken, _amount in part.options)}"
            items.append(NumberItem(name, part.amount, part.unit))
        points = sum(item.amount for item in items)
        words = [army_gauge(gauge, EMPTY).text for gauge in gauges if _bounded(gauge)]
        if made is None or not _bounded(made):
            words.insert(0, counted(points, "points"))
        hidden = ": " + _("show the breakdown")
        return folded(" · ".join(words), hidden, NumberMakeup(points, tuple(items)))

    def _row(self, pick: Pick) -> Html:
        line = self.lines.get(pick.id)
        sign, trouble = _state(self.wrong.get(pick.id, ()), line)
        opened = pick.id == self.opened
        steps = EMPTY
        if not self.system.sized:
            name = self.names[pick.id]
            less, more = (words.replace("{name}", name) for words in (self.fewer, self.more))
            steps = fill(
                _STEPS, id=pick.id, fewer=less, more=more, minus=icon("minus"), plus=icon("plus")
            )
        row = fill(
            _ROW,
            id=pick.id,
            state=f"{sign} open" if opened else sign,
            current="true" if opened else "false",
            url=f"{self.open_url}{pick.id}",
            words=self._words(pick, line, sign, trouble),
            steps=steps,
        )
        return sent(pick.id, row, self.known)

    def _words(self, pick: Pick, line: Line | None, sign: str, trouble: str) -> Html:
        numbers = self.report.lines.get(pick.id)
        chosen = summary(line) if line is not None else ""
        # A single model's facts and abilities, before its chosen options.
        if not self.system.sized and pick.unit is not None:
            chosen = " · ".join(filter(None, (about(pick.unit, self.system), chosen)))
        marks = [("mark role", _(role)) for role in role_names(pick, self.system)]
        if line and bears_battle_standard(line):
            marks.append(("mark", self.standard))
        marks += [("mark", mark) for mark in (side_marks(numbers) if numbers is not None else ())]
        what = [fill('<strong dir="auto">{}</strong>', self.names[pick.id])]
        if pick.unit is not None and pick.name and pick.unit.name:
            what.append(fill(' <span class="muted">{}</span>', pick.unit.name))
        what += [fill(' <span class="{}">{}</span>', kind, mark) for kind, mark in marks]
        if trouble:
            what.append(fill(_BADGE, sign, icon(sign), trouble))
        unit = pick.unit
        single = unit is None or not unit.counts or size_bounds(unit) == (1, 1)
        if not (single and pick.models == 1):
            what.insert(1, fill(_TIMES, pick.models))
        return fill(
            _WORDS,
            what=join(what),
            points=line_points(pick.unit, numbers),
            points_word=self.points_word,
            summary=element("span", chosen, class_="unit-summary") if chosen else EMPTY,
            notes=element("span", pick.notes, class_="line-notes") if pick.notes else EMPTY,
        )


def by_category(picks: Iterable[Pick], catalogue: Catalogue) -> dict[str, list[Pick]]:
    """Return the units under their headings, in the order of the book; no heading without any."""
    grouped: dict[str, list[Pick]] = {name: [] for name in category_order(catalogue)}
    for pick in picks:
        grouped.setdefault(category_of(pick.unit, catalogue), []).append(pick)
    return {name: under for name, under in grouped.items() if under}


_TIMES = ' <span class="unit-models">{}<span class="times">×</span></span>'
_BADGE = ' <span class="badge {}">{} {}</span>'
_WORDS = (
    '<span class="unit-what">{what}</span>'
    ' <span class="unit-points">{points}<span class="hidden"> {points_word}</span></span>'
    " {summary}{notes}"
)
_ROW = (
    '<li id="{id}" class="line {state}" tabindex="-1">'
    '<span class="handle" aria-hidden="true"></span>'
    '<a class="unit-line" id="open-{id}" aria-current="{current}" href="{url}"'
    ' hx-get="{url}&amp;part=list" data-view="unit">{words}</a>{steps}</li>\n'
)
_STEPS = (
    '<span class="count"><button name="act" value="fewer:{id}" id="fewer-{id}" class="step"'
    ' aria-label="{fewer}">{minus}</button><button name="act" value="more:{id}" id="more-{id}"'
    ' class="step" aria-label="{more}">{plus}</button></span>'
)


def _bounded(gauge: Gauge) -> bool:
    return gauge.minimum is not None or gauge.maximum is not None


def summary(line: Line) -> str:
    """Return the chosen options in a line, without those given or free by default."""
    return ", ".join(
        f"{taken.number} × {taken.option.name}" if taken.number > 1 else taken.option.name
        for taken in line.loadout.taken
        if not taken.pick.given
        and (
            taken.points
            or not (taken.slot.groups and taken.slot.groups[-1].default == taken.option.id)
        )
    )


def _state(wrong: Collection[Finding], line: Line | None) -> tuple[str, str]:
    """Return the style of a row and the text of its badge: missing things aren't errors."""
    if line is None:
        return "error", _("not in the book")
    if not wrong:
        return "", ""
    counts = counts_of(((one.severity.value, one.state.value) for one in wrong), 0)
    trouble = verdict_words(counts) if counts.errors else _("view")
    if counts.broken:
        return "error", trouble
    if counts.missing:
        return "to-do", trouble
    return next(iter(wrong)).severity.value, trouble
