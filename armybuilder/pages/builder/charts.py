"""Charts of a list: drawn here as SVG, each with a table that says the same numbers.

The style sheet colours them by class; a pattern, not colour, tells two kinds of bars apart.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.editing.names import category_of
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.lines import Line
from armybuilder.engine.nouns import counted, known, several
from armybuilder.engine.report import Report
from armybuilder.engine.rulebook import commanding
from armybuilder.engine.tally import setting_points
from armybuilder.engine.terms import COMMAND
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import either
from armybuilder.html import Html, attributes, element, fill, join

#: Width of every drawing, in its own units; the page scales it.
WIDTH = 360
#: Letters of a name at most, where the words beside it leave room for them.
LETTERS = 40
#: Width of a letter of a name, and of a bold one of the words beside it, on the generous side.
NAME_LETTER, WORDS_LETTER = 6.6, 7.4
#: A cost curve has at most so many columns.
COLUMNS = 9
#: Letters that a name may hold and a drawing may not.
UNDRAWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class ChartBar(NamedTuple):
    """A bar with the words beside it; `second`: patterned; `unit`: the entry it speaks of."""

    name: str
    value: int
    words: str
    second: bool = False
    unit: str = ""


class ChartRow(NamedTuple):
    """A row of a chart's table: what it is about, its numbers, and the entry it speaks of."""

    name: str
    cells: tuple[str, ...]
    unit: str = ""


class Chart(NamedTuple):
    """A drawing and the table that says the same: `columns` names those of `rows`."""

    id: str
    title: str
    says: str
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]
    svg: Html


def charts_of(report: Report, catalogue: Catalogue) -> tuple[Chart, ...]:
    """Return the charts of a list, in the order of a page; none where nothing is on it."""
    if not report.full.lines:
        return ()
    drawn = (
        _by_unit(report),
        _by_kind(report, catalogue),
        _cost_curve(report),
        _commanders(report),
        _command(report),
    )
    return tuple(chart for chart in drawn if chart is not None)


def _by_unit(report: Report) -> Chart:
    """Return points by entry of the list, the dearest first; settings that cost points too."""
    bars = []
    for line in sorted(report.full.lines, key=lambda line: -line.points):
        name = f"{line.models} × {line.name}" if line.models > 1 else line.name
        words = _("not known") if line.unit.price.start is None else str(line.points)
        bars.append(ChartBar(name, line.points, words, False, line.pick.id))
    bars += _choices(report)
    rows = tuple(ChartRow(bar.name, (bar.words,), bar.unit) for bar in bars)
    return _bars("by-unit", _("Points by unit"), bars, (_("Unit"), _("Points")), rows)


def _choices(report: Report) -> Iterator[ChartBar]:
    """Yield points of settings, such as tactical advantage."""
    for setting, points in setting_points(report.full.roster, report.system):
        yield ChartBar(_(setting.name), points, str(points))


def _by_kind(report: Report, catalogue: Catalogue) -> Chart:
    """Return points by category, faction or group, whichever the game sorts its units by."""
    title, heading, kind_of = _kinds(catalogue)
    points: Counter[str] = Counter()
    for line in report.full.lines:
        points[kind_of(line.unit)] += line.points
    if chosen := sum(bar.value for bar in _choices(report)):
        # No unit costs them.
        points[_("Choices for the game")] = chosen
    bars, rows = [], []
    for name, number in points.most_common():
        share = f"{round(100 * number / max(report.spent, 1))} %"
        bars.append(ChartBar(name, number, f"{number} · {share}"))
        rows.append(ChartRow(name, (str(number), share)))
    return _bars("by-kind", title, bars, (heading, _("Points"), _("Share")), tuple(rows))


def _kinds(catalogue: Catalogue) -> tuple[str, str, Callable[[Unit], str]]:
    """Return what units are sorted by: a chart's title, its word, and how to tell it of a unit."""
    if catalogue.system.sized:
        title = _("Points by category")
        return title, _("Category"), lambda unit: category_of(unit, catalogue)
    attribute = catalogue.system.attributes.get("faction")

    def faction(unit: Unit) -> str:
        if attribute is None:
            return unit.group or (_("Your own") if unit.own else _("Others"))
        names = (attribute.values[value] for value in unit.attributes.get(attribute.id, ()))
        return either(names) or _("Not known")

    if attribute is None:
        return _("Points by group"), _("Group"), faction
    return _("Points by faction"), _("Faction"), faction


def _cost_curve(report: Report) -> Chart:
    """Return how many models at which price; in a game of units how many units."""
    system = report.system
    word = "unit" if system.sized else system.model_word
    prices: Counter[int] = Counter()
    unknown = 0
    for line in report.full.lines:
        number = int(line.unit.counts) if system.sized else line.models
        if line.unit.price.start is None:
            unknown += number
        elif number:
            prices[line.points if system.sized else line.each] += number
    step = _step(prices)
    low = min(prices, default=0) // step * step
    high = max(prices, default=0) // step * step
    counts, rows = [], []
    for start in range(low, high + 1, step) if prices else ():
        number = sum(prices[price] for price in prices if start <= price < start + step)
        counts.append((start, number))
        span = str(start)
        if step > 1:
            span = _("{low} to {high}").format(low=start, high=start + step - 1)
        rows.append(ChartRow(span, (str(number),)))
    if unknown:
        rows.append(ChartRow(_("not known"), (str(unknown),)))
    title = _("How many {things} at which price").format(things=several(word))
    points = _("{price} points")
    says = _says(((points.format(price=row.name), row.cells[0]) for row in rows), title)
    axis = _("points of a {thing}, from").format(thing=known(word))
    svg = _columns("curve", title, says, counts, axis)
    return Chart("curve", title, says, (_("Points"), _heading(several(word))), tuple(rows), svg)


def _heading(word: str) -> str:
    return f"{word[:1].upper()}{word[1:]}"


def _step(prices: Iterable[int]) -> int:
    """Return the width of a column, in points: a round number that needs few columns."""
    low, high = min(prices, default=0), max(prices, default=0)
    ten = 1
    while True:
        for step in (ten, 2 * ten, 5 * ten):
            if high // step - low // step < COLUMNS:
                return step
        ten *= 10


def _commanders(report: Report) -> Chart | None:
    ability = min(commanding(report.system), default="")
    if not ability and "commander" in report.system.abilities:
        ability = "commander"
    if not ability:
        return None
    sides: dict[bool, list[Line]] = {True: [], False: []}
    for line in report.full.lines:
        sides[f"ability:{ability}" in line.tags].append(line)
    bars, rows = [], []
    model_word = report.system.model_word
    for commands, name in ((True, _("Commanders")), (False, _("Troops"))):
        points = sum(line.points for line in sides[commands])
        models = sum(line.models for line in sides[commands])
        words = f"{counted(points, 'point')} · {counted(models, model_word)}"
        bars.append(ChartBar(name, points, words, not commands))
        rows.append(ChartRow(name, (str(models), str(points))))
    columns = ("", _heading(several(model_word)), _("Points"))
    return _bars("commanders", _("Commanders and troops"), bars, columns, tuple(rows))


def _command(report: Report) -> Chart | None:
    bars = []
    for gauge in report.gauges:
        if gauge.term.count == COMMAND:
            # The line-up of which it holds, where that is not all of them.
            lineup, given = f", {gauge.lineup}" if gauge.lineup else "", gauge.maximum or 0
            bars.append(ChartBar(_("Given") + lineup, given, str(given)))
            bars.append(ChartBar(_("Needed") + lineup, gauge.used, str(gauge.used), second=True))
    if not bars:
        return None
    rows = tuple(ChartRow(bar.name, (bar.words,)) for bar in bars)
    return _bars("command", _("Command given and needed"), bars, ("", _("Command")), rows)


def _bars(
    chart_id: str,
    title: str,
    bars: Sequence[ChartBar],
    columns: tuple[str, ...],
    rows: tuple[ChartRow, ...],
) -> Chart:
    says = _says(((bar.name, bar.words) for bar in bars), title)
    top = max([1, *(bar.value for bar in bars)])
    drawn = join(_bar(number, bar, top, chart_id) for number, bar in enumerate(bars))
    svg = _svg(chart_id, title, says, 36 * len(bars) + 4, drawn)
    return Chart(chart_id, title, says, columns, rows, svg)


def _says(named: Iterable[tuple[str, str]], title: str) -> str:
    return f"{title}: {'; '.join(f'{name}: {words}' for name, words in named)}."


def _bar(number: int, bar: ChartBar, top: int, chart_id: str) -> Html:
    y = 36 * number
    length = max(0, round((WIDTH - 2) * bar.value / top, 1))
    letters = letters_beside(bar.words)
    name = bar.name if len(bar.name) <= letters else f"{bar.name[: letters - 1]}…"
    kind = {"class_": "chart-bar"}
    if bar.second:
        kind = {"class_": "chart-bar second", "fill": f"url(#{chart_id}-hatch)"}
    words = {"text_anchor": "end", "class_": "chart-number"}
    return join(
        (
            element("text", _drawable(name), x=1, y=y + 14),
            element("text", _drawable(bar.words), x=WIDTH - 1, y=y + 14, **words),
            fill(_RECT, attributes(class_="chart-back", x=1, y=y + 19, width=WIDTH - 2, height=11)),
            fill(_RECT, attributes(**kind, x=1, y=y + 19, width=length, height=11)),
        )
    )


def letters_beside(words: str) -> int:
    """Return how many letters a name may have that stands on a line with these words."""
    room = WIDTH - 10 - WORDS_LETTER * len(words)
    return max(1, min(LETTERS, int(room / NAME_LETTER)))


def _columns(
    chart_id: str, title: str, says: str, counts: Sequence[tuple[int, int]], axis: str
) -> Html:
    top = max([1, *(pair[1] for pair in counts)])
    wide = (WIDTH - 2) / max(len(counts), 4)
    drawn = []
    for number, (start, count) in enumerate(counts):
        x, high = 1 + number * wide, 110 * count / top
        middle = f"{x + wide / 2:.1f}"
        if count:
            box = (f"{side:.1f}" for side in (x + 3, 128 - high, wide - 6, high))
            drawn.append(fill(_COLUMN, *box))
            drawn.append(fill(_COUNT, middle, f"{123 - high:.1f}", count))
        drawn.append(fill('<text x="{}" text-anchor="middle" y="144">{}</text>', middle, start))
    drawn.append(fill('<line class="chart-axis" x1="1" x2="{}" y1="128" y2="128"/>', WIDTH - 1))
    drawn.append(element("text", _drawable(axis), x=1, y=164))
    return _svg(chart_id, title, says, 170, join(drawn))


def _drawable(text: str) -> str:
    return UNDRAWN.sub("�", text)


_RECT = "<rect {}/>"
_COLUMN = '<rect class="chart-bar" x="{}" y="{}" width="{}" height="{}"/>'
_COUNT = '<text x="{}" text-anchor="middle" y="{}" class="chart-number">{}</text>'
_SVG = (
    '<svg class="chart" viewBox="0 0 {width} {height}" role="img" xmlns="http://www.w3.org/2000/svg"'
    ' aria-labelledby="{id}-title" aria-describedby="{id}-says">'
    '<title id="{id}-title">{title}</title><desc id="{id}-says">{says}</desc>'
    '<defs><pattern id="{id}-hatch" width="6" height="6" patternUnits="userSpaceOnUse"'
    ' patternTransform="rotate(45)"><rect class="chart-back" width="6" height="6"/>'
    '<rect class="chart-hatch" width="2.5" height="6"/></pattern></defs>{drawn}</svg>'
)


def _svg(chart_id: str, title: str, says: str, height: int, drawn: Html) -> Html:
    texts = {"title": _drawable(title), "says": _drawable(says)}
    return fill(_SVG, width=WIDTH, height=height, id=chart_id, drawn=drawn, **texts)
