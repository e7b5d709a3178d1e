"""Pages of the staff: the checking desk with decisions about entries, and the judge’s page.

For all readers lists once they are shown, each as far as the reader may see it; the log.
"""

import json
from io import BytesIO
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.certificates.making import published_keys
from armybuilder.downloads import file_response, json_file
from armybuilder.events import deciding, entering, exporting
from armybuilder.events.deciding import give_points, standing_of, take_back
from armybuilder.events.exporting import hides_cost, shown_lists
from armybuilder.events.judging import judge_teams, need_words
from armybuilder.events.log import first_broken, line_data
from armybuilder.events.models import (
    Decision,
    Entry,
    Staff,
    Submission,
    SubmissionBook,
)
from armybuilder.events.rules import EventState, Sight, read_local
from armybuilder.events.selectors import (
    entries_of,
    find_entry,
    newest_pack,
    sees_all,
    shown_entries,
    sight_of,
    team_of,
    turn_of,
)
from armybuilder.events.shown import book_names
from armybuilder.events.unchecked import checks_of, needs_of, open_rules
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.rounds import may_follow
from armybuilder.pages.events.visits import (
    KEY,
    READ,
    WRITE,
    EventVisit,
    is_staff,
    organises,
    page_number,
    visited,
)
from armybuilder.pages.middleware import with_camera

#: Entries on one page of the desk; lists on one of the judge's, kept on a phone for the whole day.
EACH, EACH_TO_JUDGE = 50, 200
#: Suggested fixes shown to a player; restrictions that one decision ticks.
MOST_WAYS, MOST_CHECKED = 3, 500


_TO_CHECK = Q(status=Entry.Status.ENTERED, submission__isnull=False)
_FILTERS = {
    "look": _TO_CHECK & ~Q(submission__needs=[]),
    "clean": _TO_CHECK & Q(submission__needs=[]),
    "missing": Q(submission__isnull=True) & ~Q(status=Entry.Status.WITHDRAWN),
    "returned": Q(status=Entry.Status.RETURNED),
    "accepted": Q(status=Entry.Status.ACCEPTED),
}


@visited(READ, may=is_staff)
def desk(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show all entries, some to a page; `show` and `book` filter, `blind` hides names.

    Each has its name or number, its books, the reasons to review its list, and whether that opens.
    """
    show, book = request.GET.get("show", ""), request.GET.get("book", "")
    blind = "blind" in request.GET
    entries = entries_of(visit.event)
    chosen = entries.filter(_FILTERS[show]) if show in _FILTERS else entries
    # A filter by book reveals contents of lists.
    books = _books_at(visit) if sees_all(visit.event, visit.person, visit.now) else []
    if book in {key for key, _name, _number in books}:
        chosen = chosen.filter(submission__books__book_id=book)
    if books and "by_book" in request.GET:
        chosen = chosen.order_by(_first_book(), "number")
    page = Paginator(chosen.prefetch_related("submission__books"), EACH).get_page(
        page_number(request)
    )
    words, rows, clean, checks = need_words(), [], [], checks_of(visit.event)
    for entry in page.object_list:
        # Checks made for a book reveal the book of a list.
        known = checks if visit.sight(entry) is Sight.FULL else {}
        needs = (
            [words[need] for need in needs_of(entry.submission, known)] if entry.submission else []
        )
        number = _("Player {number}").format(number=entry.number)
        name = number if blind or not entry.name else entry.name
        sight = visit.sight(entry)
        row = {"entry": entry, "name": name, "needs": needs, "opens": sight > 0}
        rows.append(row | {"books": _books_of(entry) if sight >= Sight.OPEN else ""})
        if entry.status == Entry.Status.ENTERED and entry.submission and not needs:
            clean.append(entry)
    context: dict[str, Any] = {
        **visit.context,
        "rows": rows,
        "page": page,
        "pack": pack_of(newest_pack(visit.event)),
        "show": show,
        "book": book,
        "by_book": "by_book" in request.GET,
        "books": books,
        "blind": blind,
        "views": _counted(entries),
        "clean": clean,
    }
    return render(request, "events/desk.html", context)


def _first_book() -> Subquery:
    books = SubmissionBook.objects.filter(submission=OuterRef("submission")).order_by("book_id")
    return Subquery(books.values("book_id")[:1])


def _book_name(system: str, book: str) -> str:
    known = shipped_library().books.get(system, {}).get(book)
    return known.name if known is not None else _("custom book")


def _books_of(entry: Entry) -> str:
    if entry.submission is None:
        return ""
    system = entry.event.system
    return ", ".join(_book_name(system, one.book_id) for one in entry.submission.books.all())


def _books_at(visit: EventVisit) -> list[tuple[str, str, int]]:
    """Return the books of the lists of an event with their numbers of lists, by name."""
    books = SubmissionBook.objects.filter(
        submission__in=entries_of(visit.event).values("submission")
    )
    numbers = books.order_by("book_id").values_list("book_id").annotate(number=Count("pk"))
    named = [(key, _book_name(visit.event.system, key), number) for key, number in numbers]
    return sorted(named, key=lambda each: each[1].casefold())


def _counted(entries: QuerySet[Entry]) -> list[tuple[str, str, int]]:
    """Return the filters of entries, with the number of entries in each."""
    names = {
        "": _("All"),
        "look": _("Needs review"),
        "clean": _("No issues"),
        "missing": _("No list yet"),
        "returned": _("Returned"),
        "accepted": _("Accepted"),
    }
    numbers = {key: Count("pk", filter=chosen) for key, chosen in _FILTERS.items()}
    counts = entries.aggregate(all=Count("pk"), **numbers)
    return [(key, name, counts[key or "all"]) for key, name in names.items()]


@visited(READ, may=is_staff)
def teams(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the verdict on each team, with sentences if all of its lists may be seen."""
    pack, rows = pack_of(newest_pack(visit.event)), []
    for team in judge_teams(visit.event, pack, shipped_library()):
        lists = [entry for entry in team.entries if entry.submission is not None]
        whole = all(visit.sight(entry) is Sight.FULL for entry in lists)
        rows.append((team, team.findings if whole else ()))
    context = {**visit.context, "rows": rows, "for_teams": "team" in pack.data, "pack": pack}
    return render(request, "events/teams.html", context)


def _decider(visit: EventVisit) -> Staff:
    """Return the visitor as one who decides. Raises Http404 for others."""
    if not visit.person.decides:
        raise Http404("no such page")
    return visit.helper


@visited(WRITE)
def accept_clean(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Accept the clean lists that the page showed; `clean` are "entry.submission"."""
    pairs = [one.partition(".") for one in request.POST.getlist("clean")[:EACH]]
    seen = [(whole_number(a, KEY), whole_number(b, KEY)) for a, _dot, b in pairs]
    done = deciding.accept_clean(visit.event.pk, seen, _decider(visit), visit.now)
    sentence = ngettext("Accepted {number} list.", "Accepted {number} lists.", done)
    messages.success(request, sentence.format(number=done))
    return redirect("event-desk", visit.event.pk)


@visited(WRITE)
def decide(request: HttpRequest, visit: EventVisit, number: int) -> HttpResponse:
    """Accept (`sure`: an illegal one, too) or return a list, or break its seal, by `what`."""
    event, by, now, fields = visit.event.pk, _decider(visit), visit.now, request.POST
    entry = find_entry(visit.event, number)
    seen, words = whole_number(fields.get("seen", ""), KEY), fields.get("to_player", "")
    what = fields.get("what", "")
    if what == Decision.What.RETURNED and (ways := fields.getlist("way")[:MOST_WAYS]):
        words = "\n".join([words, _("This would make it legal:"), *ways])
    if what not in Decision.What.values:
        raise Refusal(_("Choose Accept or Return."))
    illegal = entry.submission is not None and not entry.submission.legal
    if what == Decision.What.ACCEPTED and illegal and "sure" not in fields:
        raise Refusal(_("This list is not legal at this event. Confirm that you accept it anyway."))
    if what == Decision.What.UNSEALED:
        deciding.unseal(event, number, seen, by, now, words)
    else:
        texts = (words, fields.get("for_staff", ""), fields.get("judged", ""))
        sight = visit.sight(entry) is Sight.FULL
        ticked = fields.getlist("checked")[:MOST_CHECKED] if sight else []
        about = (*texts, ticked, "for_book" in fields)
        deciding.decide(event, number, seen, Decision.What(what), by, now, *about)
    return redirect("event-submission", event, number, seen)


@visited(WRITE, may=organises)
def extend(request: HttpRequest, visit: EventVisit, number: int) -> HttpResponse:
    """Give an entry more time; a refused form keeps its input."""
    reason = request.POST.get("reason", "")
    find_entry(visit.event, number)
    try:
        until = read_local(request.POST.get("until", ""), visit.event.zone).moment
        entering.extend(visit.event.pk, number, until, reason, visit.helper, visit.now)
    except Refusal as refusal:
        return _entry_page(request, visit, number, refusal.sentence)
    messages.success(request, _("This player has more time now."))
    return redirect("event-entry", visit.event.pk, number)


@visited(WRITE, may=organises)
def withdraw_other(request: HttpRequest, visit: EventVisit, number: int) -> HttpResponse:
    """Withdraw somebody's entry from the event, or bring it `back`."""
    own = _("Withdraw, or register again, on the event’s page.")
    deciding.check_other(find_entry(visit.event, number), visit.helper, own)
    about = (visit.event.pk, number, str(visit.role), visit.now)
    if "back" in request.POST:
        entering.take_back(*about, shipped_library())
    else:
        entering.withdraw(*about)
    return redirect("event-entry", visit.event.pk, number)


@visited(READ, may=is_staff)
def entry_page(request: HttpRequest, visit: EventVisit, number: int) -> HttpResponse:
    """Show one entry to the staff: its submissions, decisions, and more time."""
    return _entry_page(request, visit, number)


def _entry_page(
    request: HttpRequest, visit: EventVisit, number: int, refused: str = ""
) -> HttpResponse:
    entry = find_entry(visit.event, number)
    kept = entry.submissions.defer("document").prefetch_related("decisions").order_by("-number")
    rows = []
    for submission in kept:
        sight = sight_of(visit.person, visit.event, entry, submission, visit.now)
        rows.append((submission, sight > 0, sight is Sight.FULL))
    log = visit.event.log.filter(entry=number).order_by("sequence")
    pack = pack_of(newest_pack(visit.event))
    context = {**visit.context, "entry": entry, "rows": rows, "log": log, "pack": pack}
    context |= {"refused": refused, "typed": request.POST}
    context["turn"] = turn_of(visit.event, entry, visit.now)
    context["asks_captain_reason"] = any(
        mate.submission and entry.pk not in (mate.pk, mate.main_id)
        for mate in team_of(visit.event, entry.team)
    )
    return render(request, "events/entry.html", context, status=422 if refused else 200)


@visited(READ, may=is_staff)
def judge(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show every list that the visitor may see, to be read at the tables, also offline.

    Each has a unit a line to be ticked, with the number that was accepted; and penalties, by the
    ladder. Large events have several such pages.
    """
    points = standing_of(visit.event)
    pages = Paginator(shown_entries(visit.event), EACH_TO_JUDGE)
    page = pages.get_page(page_number(request, digits=5))
    entries = list(page.object_list)
    rows = [
        (
            shown,
            shown.visible.lines,
            points.get(shown.entry.number, 0),
            open_rules(shown.submission.event_report) if shown.whole else [],
        )
        for shown in shown_lists(visit.person, visit.event, visit.now, entries)
    ]
    hashes = _hashes(visit)
    missing = visit.event.entries.filter(submission=None).exclude(status=Entry.Status.WITHDRAWN)
    room = EACH_TO_JUDGE if page.number == pages.num_pages else 0
    context = {
        **visit.context,
        "rows": rows,
        "missing": missing.order_by("number")[:room],
        "page": page,
        "hashes": json.dumps(hashes),
        "keys": json.dumps(published_keys()),
    }
    return with_camera(render(request, "events/judge.html", context))


def _hashes(visit: EventVisit) -> list[list[str | int]]:
    """Return the hashes of every submission of entries whose lists the visitor may see whole.

    Each is [hash, entry, number, description], also of other pages, current ones first. The
    player's own sheets have another hash than the submission if the list did not name the revisions
    of its books.
    """
    entries = [
        entry.pk
        for entry in shown_entries(visit.event).defer("submission__document")
        if visit.sight(entry) is Sight.FULL
    ]
    found = Submission.objects.filter(entry__in=entries).exclude(list_hash="")
    rows = found.select_related("entry").defer("document").order_by("entry__number", "-number")
    marked = [(row, row.entry.submission_id == row.pk) for row in rows]
    return [
        [digest, row.entry.number, row.number, row.entry.status if is_current else "former"]
        for row, is_current in sorted(marked, key=lambda one: not one[1])
        for digest in dict.fromkeys((row.list_hash, row.paper_hash))
        if digest
    ]


@visited(WRITE, may=is_staff)
def give(request: HttpRequest, visit: EventVisit, number: int) -> HttpResponse:
    """Give an entry the points for a reason, or take them `back`; `key` names this one time."""
    fields, event = request.POST, visit.event.pk
    find_entry(visit.event, number)
    try:
        key = UUID(fields.get("key", ""))
    except ValueError:  # a browser without script sends none
        key = uuid4()
    if "back" in fields:
        take_back(event, number, key, visit.helper, visit.now)
    else:
        give_points(event, number, fields.get("reason", ""), key, visit.helper, visit.now)
    return redirect("event-entry", event, number)


@visited(WRITE, may=organises)
def reinstate(request: HttpRequest, visit: EventVisit, number: int, which: int) -> HttpResponse:
    """Let a former list of somebody be current again."""
    find_entry(visit.event, number)
    about = (visit.helper, visit.now, request.POST.get("reason", ""), shipped_library())
    entering.reinstate(visit.event.pk, number, which, *about)
    messages.success(request, _("List {number} is current again.").format(number=which))
    return redirect("event-entry", visit.event.pk, number)


#: Lists that one booklet holds.
MOST_IN_BOOKLET = 300


@visited(READ)
def lists(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the lists that the visitor may see, some to a page."""
    entries = entries_of(visit.event).exclude(submission=None).defer(None)
    page, library = Paginator(entries, EACH).get_page(page_number(request)), shipped_library()
    rows = [
        (entry, hides_cost(visit.event, sight, library), book_names(entry.submission, library))
        for entry in page.object_list
        if (sight := visit.sight(entry)) >= Sight.OPEN
    ]
    return render(request, "events/lists.html", {**visit.context, "rows": rows, "page": page})


@visited(READ)
def lists_file(request: HttpRequest, visit: EventVisit, form: str) -> HttpResponse:
    """Send the lists as a file: JSON, players for pairing tools, CSV, or a zip of texts."""
    event = visit.event
    shown = exporting.listed(visit.person, event, visit.now)
    if not shown:
        raise Http404("no list may be seen")
    if form == "csv":
        table = exporting.file_of_table(event, shown)
        return file_response(table, event.name, "csv")
    if form == "zip":
        stream = BytesIO()
        exporting.write_zip(stream, event, shown)
        return file_response(stream.getvalue(), event.name, "zip")
    make = exporting.as_players if form == "players" else exporting.as_data
    return json_file(make(event, shown), event.name)


@visited(READ)
def booklet(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    shown = list(shown_lists(visit.person, visit.event, visit.now))
    if not shown:
        raise Http404("no list may be seen")
    if len(shown) > MOST_IN_BOOKLET:
        sentence = _("A booklet holds {most} lists. Save the zip instead.")
        raise Refusal(sentence.format(most=MOST_IN_BOOKLET))
    stream = BytesIO()
    exporting.write_booklet(stream, visit.event, shown)
    return file_response(stream.getvalue(), visit.event.name, "pdf")


@visited(READ)
def log(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the log, or its lines for players; as JSON with `form`."""
    lines = visit.event.log.order_by("sequence")
    whole = may_follow(visit) and (visit.person.role is not None or visit.reveals)
    if not whole:
        if visit.entry is None:
            raise Http404("not shown yet")
        lines = lines.filter(entry__in=[entry.number for entry in visit.entries])
    if request.GET.get("form") == "json":
        data = [{**line_data(one), "previous": one.previous, "hash": one.hash} for one in lines]
        content = json.dumps({"format": "log/1", "lines": data}, indent=2).encode()
        return file_response(content, visit.event.name, "json")
    page = Paginator(lines.reverse(), EACH).get_page(page_number(request))
    broken = first_broken(lines.iterator(500)) if whole else 0
    context = {**visit.context, "page": page, "broken": broken, "whole": whole}
    return render(request, "events/log.html", context)


@visited(READ)
def commitments(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Send the commitments after the list deadline, which prove that lists were not changed."""
    if visit.state in (EventState.DRAFT, EventState.OPEN, EventState.CANCELLED):
        raise Http404("lists are not due yet")
    entries = entries_of(visit.event).exclude(submission=None)
    rows = entries.values_list("number", "submission__number", "submission__commitment")
    sheet = [{"entry": a, "submission": b, "commitment": c} for a, b, c in rows]
    data = {"format": "commitments/1", "event": str(visit.event.pk), "commitments": sheet}
    return json_file(data, "commitments")
