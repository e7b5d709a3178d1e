"""Pages of the day: rounds with their tables, a game and its result, standings, the format."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.downloads import file_response
from armybuilder.events import rounds
from armybuilder.events.exporting import hides_cost
from armybuilder.events.leagues import league_table, rounds_of_league
from armybuilder.events.models import Entry, Pairing, TournamentFormat
from armybuilder.events.rounds import Place, Score, find_game, format_of, scoring_of
from armybuilder.events.rules import (
    Audience,
    EventState,
    Seen,
    Sight,
    may_see,
    read_local,
    zone_of,
)
from armybuilder.events.selectors import newest_pack
from armybuilder.exchange.csvs import safe_text
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.visits import (
    FORM,
    READ,
    EventVisit,
    organises,
    page_number,
    visited,
)
from armybuilder.tournament.standings import ScoringKind, TieBreak

#: Tables of a round, and rows of the standings, on one page.
EACH = 50
#: Format of a moment in the browser's own date field.
_FIELD = "%Y-%m-%dT%H:%M"


def may_follow(visit: EventVisit) -> bool:
    """Return whether the visitor may read who plays whom, and the standings."""
    if visit.person.role is not None:
        return True
    if visit.state is EventState.CANCELLED:
        return False
    return bool(visit.person.own) or visit.event.rules.audience is Audience.PUBLIC


def _follow(visit: EventVisit) -> None:
    if not may_follow(visit):
        raise Http404("no such page")


def armies_of(visit: EventVisit, entries: Iterable[Entry | None]) -> dict[int, str]:
    """Return the books of the lists that the visitor may see, by the keys of their entries.

    Without a list it is the army that the desk wrote down, for those who might see a list.
    """
    books = shipped_library().books.get(visit.event.system, {})
    armies: dict[int, str] = {}
    for entry in filter(None, entries):
        if entry.submission is None:
            seen = Seen(entry.pk, entry.team, entry.status != Entry.Status.WITHDRAWN)
            sight = may_see(visit.person, seen, visit.event.rules, visit.state)
            armies[entry.pk] = entry.army if sight >= Sight.OPEN else ""
        elif visit.sight(entry) >= Sight.OPEN:
            names = [books[key].name for key in entry.submission.revisions if key in books]
            armies[entry.pk] = ", ".join(names)
    return {key: army for key, army in armies.items() if army}


def _with_lists(visit: EventVisit, keys: Iterable[int]) -> QuerySet[Entry]:
    entries = visit.event.entries.filter(pk__in=keys)
    return entries.select_related("submission").defer("submission__document")


# Rounds.


@visited(FORM)
def pairings(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the tables of a round; organisers draw, write, show and plan it and enter results."""
    _follow(visit)
    number, refused = whole_number(request.GET.get("round", ""), 3), ""
    if request.method == "POST":
        act = _ACTS.get(request.POST.get("go", "write"))
        if act is None or not visit.person.organises:
            raise Http404("no such page")
        try:
            number = act(visit, request.POST)
        except Refusal as refusal:
            refused, number = refusal.sentence, whole_number(request.POST.get("round", ""), 3)
        else:
            return redirect(f"{reverse('event-pairings', args=[visit.event.pk])}?round={number}")
    context = _round_page(request, visit, number) | {"refused": refused}
    return render(request, "events/pairings.html", context, status=422 if refused else 200)


def _round_page(request: HttpRequest, visit: EventVisit, number: int) -> dict[str, Any]:
    event, may_edit = visit.event, visit.person.organises
    numbers = rounds.rounds_of(event, shown_only=not may_edit)
    paired = event.pairings.all() if may_edit else event.pairings.filter(shown=True)
    newest = paired.order_by("-round").values_list("round", flat=True).first() or 0
    number = number or newest or (numbers[0] if numbers else 1)
    whole = paired.filter(round=number).order_by("table", "pk")
    shown = whole.select_related("first__submission", "second__submission")
    shown = shown.defer("first__submission__document", "second__submission__document")
    page = Paginator(shown.prefetch_related("reports"), EACH).get_page(page_number(request))
    tables = list(page.object_list)
    plan = event.rounds.filter(number=number).first()
    context: dict[str, Any] = {
        **visit.context,
        "numbers": numbers,
        "number": number,
        "newest": newest,
        "plan": plan,
        "page": page,
        "tables": tables,
        "show": "",
        "armies": armies_of(visit, (side for one in tables for side in (one.first, one.second))),
        "game": rounds.own_game(event, visit.entry) if visit.entry else None,
        "hidden": any(not one.shown for one in tables),
        "format": format_of(event),
    }
    if may_edit:
        context |= _for_organisers(request, visit, number, newest, plan)
        seated = whole.select_related("first", "second")
        context["pairs"] = request.POST.get("pairs", rounds.pairings_text(seated))
    return context


def _for_organisers(
    request: HttpRequest, visit: EventVisit, number: int, newest: int, plan: Any
) -> dict[str, Any]:
    hidden = visit.event.pairings.filter(round=newest, shown=False).exists()
    starts = plan.starts_at.astimezone(zone_of(visit.event.zone)) if plan and plan.starts_at else ""
    return {
        "drawable": newest if hidden else newest + 1,
        "starts": request.POST.get("starts", f"{starts:{_FIELD}}" if starts else ""),
        "scenario": request.POST.get("scenario", plan.scenario if plan else ""),
    }


def _draw(visit: EventVisit, fields: QueryDict) -> int:
    by_chance, present = fields.get("how") == "chance", "present" in fields
    about = (visit.event.pk, visit.role, visit.now)
    return rounds.draw(*about, by_chance=by_chance, present_only=present)


def _write(visit: EventVisit, fields: QueryDict) -> int:
    number = whole_number(fields.get("round", ""), 3)
    pairs, shown = fields.get("pairs", ""), "hidden" not in fields
    rounds.set_pairings(visit.event.pk, number, pairs, visit.role, visit.now, shown)
    return number


def _show(visit: EventVisit, fields: QueryDict) -> int:
    number = whole_number(fields.get("round", ""), 3)
    rounds.show_round(visit.event.pk, number, visit.role, visit.now)
    return number


def _plan(visit: EventVisit, fields: QueryDict) -> int:
    number, starts = whole_number(fields.get("round", ""), 3), fields.get("starts", "")
    moment = read_local(starts, visit.event.zone).moment if starts else None
    about = (moment, fields.get("scenario", ""), visit.role, visit.now)
    rounds.plan_round(visit.event.pk, number, *about)
    return number


def _results(visit: EventVisit, fields: QueryDict) -> int:
    """Store the results on a page of tables; empty ones stay unchanged."""
    number, scoring = whole_number(fields.get("round", ""), 3), scoring_of(format_of(visit.event))
    for game in visit.event.pairings.filter(round=number).exclude(second=None):
        first, second = (fields.get(f"{side}-{game.table}", "") for side in ("first", "second"))
        if not first and not second:
            continue
        try:
            score = rounds.read_score(first, second, scoring)
        except Refusal as refusal:
            sentence = _("Table {table}: {reason}")
            raise Refusal(sentence.format(table=game.table, reason=refusal.sentence)) from refusal
        if score != (game.first_score, game.second_score):
            about = (score, visit.role, visit.now, visit.person.own)
            rounds.settle(visit.event.pk, number, game.table, *about)
    return number


_ACTS: Mapping[str, Callable[[EventVisit, QueryDict], int]] = {
    "draw": _draw,
    "write": _write,
    "show": _show,
    "plan": _plan,
    "results": _results,
}


# One game.


@visited(FORM)
def game(request: HttpRequest, visit: EventVisit, number: int, which: int) -> HttpResponse:
    """Show a game with its result; its players report it, the desk decides it."""
    _follow(visit)
    found = find_game(visit.event, number, which)
    if not found.shown and not visit.person.organises:
        raise Http404("no such table")
    own = next((one for one in visit.entries if one.pk in (found.first_id, found.second_id)), None)
    refused, fields = "", request.POST
    if request.method == "POST":
        if own is None and not visit.person.organises:
            raise Http404("no such page")
        try:
            _take_result(visit, found, own, fields)
        except Refusal as refusal:
            refused = refusal.sentence
        else:
            return redirect("event-game", visit.event.pk, number, which)
    context = {**visit.context, **_game_page(visit, found, own), "refused": refused}
    context |= {"first": fields.get("first", ""), "second": fields.get("second", "")}
    return render(request, "events/game.html", context, status=422 if refused else 200)


def _take_result(visit: EventVisit, found: Pairing, own: Entry | None, fields: QueryDict) -> None:
    """Store a result: a player's as a report, an organiser's as final."""
    event, number, table = visit.event, found.round, found.table
    if visit.person.organises and fields.get("go") == "remove":
        rounds.settle(event.pk, number, table, None, visit.role, visit.now, visit.person.own)
        return
    texts = fields.get("first", ""), fields.get("second", "")
    score = rounds.read_score(*texts, scoring_of(format_of(event)))
    if visit.person.organises and fields.get("go") == "settle":
        rounds.settle(event.pk, number, table, score, visit.role, visit.now, visit.person.own)
    elif own is not None:
        rounds.report(event.pk, number, table, own, score, visit.now)


def _game_page(visit: EventVisit, found: Pairing, own: Entry | None) -> dict[str, Any]:
    reports = list(found.reports.select_related("by").order_by("at"))
    keys = [key for key in (found.first_id, found.second_id) if key is not None]
    return {
        "game": found,
        "mine": own,
        "plan": visit.event.rounds.filter(number=found.round).first(),
        "armies": armies_of(visit, _with_lists(visit, keys)),
        "reports": reports,
        "contradicts": len({Score(one.first_score, one.second_score) for one in reports}) > 1,
        "reported": any(one.by_id == own.pk for one in reports) if own else False,
        "format": format_of(visit.event),
    }


# Standings.


def tie_break_names() -> dict[TieBreak, str]:
    return {
        TieBreak.OPPONENTS: _("Opponents’ points"),
        TieBreak.DIFFERENCE: _("Score difference"),
        TieBreak.SCORED: _("Score"),
        TieBreak.WINS: _("Wins"),
    }


@visited(READ)
def standings(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the standings, some to a page; a team event has its teams first."""
    _follow(visit)
    chosen, places = format_of(visit.event), rounds.standings_of(visit.event)
    page = Paginator(places, EACH).get_page(page_number(request))
    names = tie_break_names()
    breaks = [TieBreak(code) for code in chosen.tie_breaks]
    rows = [(one, [one.standing.value(by) for by in breaks]) for one in page.object_list]
    context = {
        **visit.context,
        "rows": rows,
        "breaks": [names[by] for by in breaks],
        "page": page,
        "show": "",
        "armies": armies_of(visit, _with_lists(visit, [one.entry.pk for one in page.object_list])),
        "teams": rounds.team_standings(places) if chosen.by_teams else [],
        "own_row": next((one for one in places if one.entry.pk in visit.person.own), None),
    }
    return render(request, "events/standings.html", context)


#: The columns of the file of standings (docs/events.md).
COLUMNS = (
    *("place", "number", "name", "team", "points", "wins", "draws", "losses", "byes", "scored"),
    *("conceded", "opponents_points", "penalties", "bonuses", "withdrawn"),
)


@visited(READ)
def standings_table(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    _follow(visit)
    stream, sums = io.StringIO(), rounds.penalties_and_bonuses(visit.event)
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for one in rounds.standings_of(visit.event):
        writer.writerow(_row(one, *sums.get(one.entry.number, (0, 0))))
    content = f"\ufeff{stream.getvalue()}".encode()
    return file_response(content, visit.event.name, "csv")


def _row(one: Place, penalties: int, bonuses: int) -> list[str | int]:
    entry, row = one.entry, one.standing
    return [
        *(row.place, entry.number, safe_text(entry.name), safe_text(entry.team), row.points),
        *(row.wins, row.draws, row.losses, row.byes, row.scored, row.conceded, row.strength),
        *(penalties, bonuses, "yes" if one.gone else "no"),
    ]


# The league.


class LeagueCell(NamedTuple):
    """A player in a round of a league, with the entry whose list is visible, and its points."""

    place: Place | None
    entry: Entry | None = None
    points: int | None = None

    @property
    def address(self) -> str:
        entry = self.entry
        if entry is None or entry.submission is None:
            return ""
        about = [entry.event_id, entry.number, entry.submission.number]
        return reverse("event-submission", args=about)


@visited(READ)
def league(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the table of a league, with the lists of all rounds that the visitor may see."""
    _follow(visit)
    if visit.event.league is None:
        raise Http404("no league")
    visits = [EventVisit(one, visit.holder, visit.now) for one in rounds_of_league(visit.event)]
    open_ = [one for one in visits if one.state is not EventState.DRAFT and may_follow(one)]
    table = league_table([one.event for one in open_])
    page = Paginator(table, EACH).get_page(page_number(request))
    places = [[row.rounds[number] for row in page.object_list] for number in range(len(open_))]
    columns = list(map(_league_column, open_, places))
    packs = [pack_of(newest_pack(one.event)) for one in open_]
    context = {
        **visit.context,
        "rounds": [
            (one.event, ", ".join(map(str, pack.sizes)))
            for one, pack in zip(open_, packs, strict=True)
        ],
        "rows": list(zip(page.object_list, zip(*columns, strict=True), strict=True)),
        "page": page,
        "show": "",
    }
    return render(request, "events/league.html", context)


def _league_column(visit: EventVisit, places: Iterable[Place | None]) -> list[LeagueCell]:
    """Return a round's cells, with those lists that the visitor may see."""
    places = list(places)
    lists = _with_lists(visit, [place.entry.pk for place in places if place]).in_bulk()
    cells = []
    for place in places:
        entry = lists[place.entry.pk] if place else None
        if entry is None or entry.submission is None or visit.sight(entry) < Sight.OPEN:
            cells.append(LeagueCell(place))
            continue
        hidden = hides_cost(visit.event, visit.sight(entry), shipped_library())
        points = None if hidden else entry.submission.game_report["spent"]
        cells.append(LeagueCell(place, entry, points))
    return cells


# The format.


class FormatForm(forms.ModelForm[TournamentFormat]):
    """Form of scoring, tie-breaks, and clubs kept apart."""

    scoring = forms.ChoiceField(
        label=_lazy("Players enter"),
        choices=[
            (ScoringKind.WINS.value, _lazy("the score of the game; only the winner counts")),
            (ScoringKind.POINTS.value, _lazy("the tournament points of both, such as 13 and 7")),
        ],
    )
    first_break = forms.ChoiceField(required=False, label=_lazy("First tie-break"))
    second_break = forms.ChoiceField(required=False, label=_lazy("Second tie-break"))

    class Meta:
        model = TournamentFormat
        fields = ("by_teams", "clubs_apart", "scoring", "win", "draw", "loss", "bye", "total")
        labels = {
            "by_teams": _lazy("Teams play teams"),
            "clubs_apart": _lazy("Rounds in which clubs are kept apart"),
            "win": _lazy("Points for a win"),
            "draw": _lazy("Points for a draw"),
            "loss": _lazy("Points for a loss"),
            "bye": _lazy("Points for a bye"),
            "total": _lazy("Sum of both players’ points (0: any)"),
        }

    def __init__(self, data: Any, chosen: TournamentFormat) -> None:
        super().__init__(data, instance=chosen)
        choices = [("", _("None")), *((key.value, name) for key, name in tie_break_names().items())]
        for place, name in enumerate(("first_break", "second_break")):
            self.fields[name].choices = choices  # type: ignore[attr-defined]  # of choices
            there = chosen.tie_breaks[place : place + 1]
            self.fields[name].initial = there[0] if there else ""

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        breaks = [data.get(name, "") for name in ("first_break", "second_break")]
        self.instance.tie_breaks = list(dict.fromkeys(filter(None, breaks)))
        return data


@visited(FORM, may=organises)
def change_format(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show or change how games score; standings follow at once."""
    data = request.POST if request.method == "POST" else None
    form = FormatForm(data, format_of(visit.event))
    if form.is_valid():
        rounds.set_format(visit.event.pk, form.save(commit=False), visit.role, visit.now)
        messages.success(request, _("Saved."))
        return redirect("event-pairings", visit.event.pk)
    status = 422 if request.method == "POST" else 200
    return render(request, "events/format.html", {**visit.context, "form": form}, status=status)
