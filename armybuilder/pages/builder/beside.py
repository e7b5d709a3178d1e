"""Pages around the builder: changed books, charts, compared units, custom models, keys.

Charts are drawn here as SVG, each with a table of the same numbers. The style sheet colours them by
class; a pattern, not colour, separates two kinds of bars.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    conditional_page,
    require_http_methods,
    require_POST,
    require_safe,
)

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.base import fields_of
from armybuilder.acts.units import TICK
from armybuilder.books.pinning import take
from armybuilder.books.services import keep_model
from armybuilder.comparing.editions import compare, edition_of
from armybuilder.editing.list_edits import add_book, switch_edition
from armybuilder.editing.names import category_of
from armybuilder.editing.unit_edits import find
from armybuilder.engine import choices
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
from armybuilder.library.units import MOST, chosen_units, side_by_side, units_query
from armybuilder.lists.selectors import current_version
from armybuilder.loading.documents import catalogue_of, judge
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import (
    back_to_list,
    fresh,
    fresh_form,
    meaning_page,
    render_for_htmx,
    wants_part,
)
from armybuilder.pages.builder.keyboard import Command, commands_everywhere, commands_of
from armybuilder.pages.builder.list_page import act_attributes
from armybuilder.pages.builder.own import MOST_FOUND, OwnModelView
from armybuilder.pages.builder.page import BuilderPage, current_page
from armybuilder.pages.builder.shelf import make_entry, read_ticks
from armybuilder.pages.builder.views import CARD_BUILDER
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.content.make_judge import line_makeup
from armybuilder.sheets.content.make_units import entry_views


@fresh
def changes(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show the differences with the current `book`, with all changed ones, or in an `edition`."""
    page = current_page(request, list_id)
    if "edition" in request.GET:
        system_id = request.GET["edition"]
        document, old = page.document, catalogue_of(page.document, page.library)
        switched = switch_edition(document, old, edition_of(document, old, page.library, system_id))
        name = page.library.system(system_id).name
        title = _("Switch to {name}").format(name=name)
        about = _("The same models under the rules of {name}. You can undo it.").format(name=name)
        after = judge(switched.document, page.library)
        proposal = {
            "title": title,
            "about": about,
            "act": "edition",
            "fields": {"system": system_id},
            "yes": title,
            "comparison": compare(judge(page.document, page.library), after, switched.lost),
        }
    else:
        proposal = _books(page, request.GET.get("book", ""), holder_of(request))
    return render(request, "builder/changes.html", {"page": page, "proposal": proposal})


@conditional_page
@require_safe
def meaning(request: HtmxRequest, list_id: UUID, name: str) -> HttpResponse:
    """Show the meaning of a name in the game and books of a list."""
    document = current_version(request, list_id).document
    return meaning_page(request, catalogue_of(document, shipped_library()), name)


def _books(page: BuilderPage, book_id: str, holder: str) -> dict[str, Any]:
    """Return the change to one changed book, or with no id to all of them.

    It is to be confirmed: its act and fields, and single `parts` (name, query).
    """
    changed = [book for book in page.changed_books if book_id in ("", book.id)]
    if not changed:
        single = _("That book has not changed since it was added to this list.")
        none = _("No book of this list has changed since it was added.")
        raise Refusal(single if book_id else none)
    ids = [book.id for book in changed]
    revisions = take(holder, page.system, page.library, ids)
    document = page.document
    for changed_id, revision in revisions.items():
        document = add_book(document, changed_id, revision)
    title = _("“{name}” has changed").format(name=changed[0].name)
    about = _("This list keeps the book as it was when it was added. With the current book:")
    several = changed if len(changed) > 1 else []
    if several:
        title = _("{number} books have changed").format(number=len(changed))
        about = _(
            "This list uses its books as they were when you added them. With the current {names}:"
        ).format(names=", ".join(book.name for book in changed))
    pinned = ",".join(revisions[changed_id] for changed_id in ids)
    return {
        "title": title,
        "about": about,
        "act": "update-book",
        "fields": {"book": ",".join(ids), "revision": pinned},
        "yes": _("Apply the changes"),
        "comparison": compare(judge(page.document, page.library), judge(document, page.library)),
        "parts": [(book.name, urlencode({"book": book.id})) for book in several],
    }


@fresh
def charts(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the list's charts, and the parts of each unit's points."""
    page = current_page(request, list_id)
    context: dict[str, Any] = {"page": page, "charts": charts_of(page.report, page.catalogue)}
    if wants_part(request):
        return render_for_htmx(request, "builder/charts.html#drawn", context)
    context["made"] = [
        (line.pick.id, page.names[line.pick.id], line_makeup(line, page.system))
        for line in page.report.full.lines
    ]
    return render_for_htmx(request, "builder/charts.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def compare_units(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Compare up to four units (`unit` in the address); the shelf posts those ticked on it."""
    page = current_page(request, list_id)
    if request.method == "POST":
        ticked = read_ticks(request.POST, page.catalogue)
        if not ticked:
            request.session["said"] = _("Select two to four units to compare them.")
            return redirect("builder", list_id)
        query = units_query(page.catalogue.units[ref] for ref in ticked)
        return redirect(f"{reverse('compare-units', args=[list_id])}?{query}")
    chosen = chosen_units(request.GET.getlist("unit"), page.catalogue.units)
    entries = [
        make_entry(choice, page.catalogue, page.report)
        for choice in choices(page.roster, page.catalogue, chosen.units)
    ]
    points = [
        "?" if entry.unit.price.start is None else f"{entry.start} {entry.points}".strip()
        for entry in entries
    ]
    views = list(entry_views(chosen.units, page.catalogue, page.roster))
    context = {
        "page": page,
        "chosen": chosen,
        "columns": list(zip(chosen.columns, entries, strict=True)),
        "parts": side_by_side(views, points),
        "most": MOST,
    }
    return render(request, "builder/compare_units.html", context)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Show the keys on their own page."""
    return render(request, "builder/keys.html")


@fresh
def commands(request: HttpRequest, list_id: UUID | None = None) -> JsonResponse:
    """Answer the palette's commands; `tick` begins the fields that add several of a unit."""
    offered: list[Command] = []
    if list_id is not None:
        offered += commands_of(current_page(request, list_id))
    offered += commands_everywhere(holder_of(request), shipped_library(), list_id)
    return JsonResponse({"commands": [command.plain for command in offered], "tick": TICK})


def _own_view(page: BuilderPage, unit: str) -> OwnModelView:
    profile = find(page.document, unit).profile
    if profile is None:
        raise Refusal(_("That is not a custom model."))
    return OwnModelView(profile, page.catalogue)


@fresh
def own_rules(request: HtmxRequest, list_id: UUID, unit: str) -> HttpResponse:
    """Show special rules that an own model may take: all with the words, by htmx the first."""
    page = current_page(request, list_id, unit)
    own = _own_view(page, unit)
    words = request.GET.get("rule", "")[:60].strip()
    rules = own.offered(words)
    part = wants_part(request)
    shown = rules[: MOST_FOUND if words else 0] if part else rules
    context = {
        "page": page,
        "own": own,
        "id": unit,
        "words": words,
        "found": shown,
        "more": len(rules) - len(shown) if words else 0,
        **act_attributes(request, page.version, query=urlencode({"open": unit})),
    }
    template = "builder/_own_rules.html" if part else "builder/own_rules.html"
    return render_for_htmx(request, template, context)


@require_POST
def keep_own(request: HttpRequest, list_id: UUID, unit: str) -> HttpResponse:
    """Put an own model into the player's book of them, in place of one of its name."""
    page = current_page(request, list_id)
    profile = _own_view(page, unit).profile
    book = keep_model(holder_of(request), page.system, profile)
    said = _("Saved {name} to “{book}”. New lists can use that book.")
    sentence = said.format(name=profile.name, book=book.name)
    return back_to_list(request, list_id, sentence, unit, unit, view="unit")


@fresh_form
def stat_lines(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Let the player write down the stat lines that a book lacks, of all units of a list."""
    page = current_page(request, list_id)
    if request.method == "POST":
        _version, sentence, _entry = CARD_BUILDER.perform(request, list_id, fields_of(request.POST))
        messages.success(request, sentence)
        return redirect("print", list_id)
    units = {pick.ref: pick.unit for pick in page.roster.picks if pick.unit is not None}
    rows = [(unit.name, lines) for unit in units.values() if (lines := page.stat_lines(unit))]
    return render(request, "builder/stat_lines.html", {"page": page, "units": rows})


#: Width of every drawing, in its own units; the page scales it.
WIDTH = 360
#: Letters of a name at most, if the words next to it leave room.
LETTERS = 40
#: Width of a letter of a name, and of a bold one of the words next to it, estimated generously.
NAME_LETTER, WORDS_LETTER = 6.6, 7.4
#: Columns of a cost curve, at most.
COLUMNS = 9
#: Letters that a name may hold and a drawing may not.
UNDRAWN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class ChartBar(NamedTuple):
    """A bar with its label; `second`: patterned; `unit`: its entry."""

    name: str
    value: int
    words: str
    second: bool = False
    unit: str = ""


class ChartRow(NamedTuple):
    """A row of a chart's table: its title, its numbers, and the entry that it refers to."""

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
        words = _("unknown") if line.unit.price.start is None else str(line.points)
        bars.append(ChartBar(name, line.points, words, False, line.pick.id))
    bars += _choices(report)
    rows = tuple(ChartRow(bar.name, (bar.words,), bar.unit) for bar in bars)
    return bars_chart("by-unit", _("Points by unit"), bars, (_("Unit"), _("Points")), rows)


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
    return bars_chart("by-kind", title, bars, (heading, _("Points"), _("Share")), tuple(rows))


def _kinds(catalogue: Catalogue) -> tuple[str, str, Callable[[Unit], str]]:
    """Return how units are sorted: a chart's title, its word, and a function of a unit."""
    if catalogue.system.sized:
        title = _("Points by category")
        return title, _("Category"), lambda unit: category_of(unit, catalogue)
    attribute = catalogue.system.attributes.get("faction")

    def faction(unit: Unit) -> str:
        if attribute is None:
            return unit.group or (_("Your own") if unit.own else _("Others"))
        names = (attribute.values[value] for value in unit.attributes.get(attribute.id, ()))
        return either(names) or _("Unknown")

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
        rows.append(ChartRow(_("unknown"), (str(unknown),)))
    title = _("Number of {things} by price").format(things=several(word))
    points = _("{price} points")
    says = _says(((points.format(price=row.name), row.cells[0]) for row in rows), title)
    axis = _("points per {thing}, from").format(thing=known(word))
    svg = _columns("curve", title, says, counts, axis)
    return Chart("curve", title, says, (_("Points"), capfirst(several(word))), tuple(rows), svg)


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
    columns = ("", capfirst(several(model_word)), _("Points"))
    return bars_chart("commanders", _("Commanders and troops"), bars, columns, tuple(rows))


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
    return bars_chart("command", _("Command given and needed"), bars, ("", _("Command")), rows)


def bars_chart(
    chart_id: str,
    title: str,
    bars: Sequence[ChartBar],
    columns: tuple[str, ...],
    rows: tuple[ChartRow, ...],
) -> Chart:
    """Return a chart of bars, one below the other."""
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
    """Return the maximum letters of a name on a line with these words."""
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
