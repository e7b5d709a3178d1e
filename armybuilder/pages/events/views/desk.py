"""The checking desk: all entries with their verdicts, and what is decided about them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from armybuilder.events import deciding, entering, notices
from armybuilder.events.clock import read_local
from armybuilder.events.judging import need_words
from armybuilder.events.models import Decision, Entry, Staff
from armybuilder.events.seeing import Sight
from armybuilder.events.selectors import entries_of, find_entry, newest_pack, sight_of
from armybuilder.events.trying import TeamOutcome, judge_teams
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import pack_of
from armybuilder.pages.answers import whole_number
from armybuilder.pages.events.visits import Visit, for_organisers, for_staff, visited

#: Entries on one page.
EACH = 50
KEY = 9
#: Ways to make a list legal that a player is told.
MOST_WAYS = 3


def views_of_desk() -> dict[str, str]:
    """Return what of the entries the desk can show."""
    return {
        "": _("All"),
        "look": _("To look at"),
        "clean": _("Clean"),
        "missing": _("No list yet"),
        "returned": _("Returned"),
        "accepted": _("Accepted"),
    }


_WITH_LIST = Q(submission__isnull=False)
_TO_CHECK = Q(status=Entry.Status.ENTERED) & _WITH_LIST
_FILTERS = {
    "look": _TO_CHECK & ~Q(submission__needs=[]),
    "clean": _TO_CHECK & Q(submission__needs=[]),
    "missing": Q(submission__isnull=True) & ~Q(status=Entry.Status.WITHDRAWN),
    "returned": Q(status=Entry.Status.RETURNED),
    "accepted": Q(status=Entry.Status.ACCEPTED),
}


@dataclass(frozen=True, slots=True)
class Row:
    """An entry on the desk: its name (or a number, where names are hidden), why a human has to look
    at its list, and whether the list may be opened.
    """

    entry: Entry
    name: str
    needs: list[str]
    opens: bool


@visited
@for_staff
@require_safe
def desk(request: HttpRequest, visit: Visit) -> HttpResponse:
    """All entries, some to a page; `show` is which, `blind` hides who they are."""
    show = request.GET.get("show", "")
    blind = "blind" in request.GET
    entries = entries_of(visit.event)
    found = entries.filter(_FILTERS[show]) if show in _FILTERS else entries
    pages = Paginator(found, EACH)
    page = pages.get_page(whole_number(request.GET.get("page", ""), KEY) or 1)
    rows = list(_rows(visit, page.object_list, blind))
    context: dict[str, Any] = {
        **visit.context,
        "rows": rows,
        "page": page,
        "pack": pack_of(newest_pack(visit.event)),
        "show": show,
        "blind": blind,
        "views": _counted(entries),
        "clean": [
            one.entry
            for one in rows
            if one.entry.status == Entry.Status.ENTERED and one.entry.submission and not one.needs
        ],
    }
    return render(request, "events/desk.html", context)


def _counted(entries: QuerySet[Entry]) -> list[tuple[str, str, int]]:
    """Return what can be shown, with how many entries that is."""
    statuses = list(entries.values_list("status", "submission_id", "submission__needs"))
    entered = [needs for status, key, needs in statuses if status == "entered" and key is not None]
    counts = {
        "": len(statuses),
        "look": sum(1 for needs in entered if needs),
        "clean": sum(1 for needs in entered if not needs),
        "missing": sum(1 for status, key, _n in statuses if key is None and status != "withdrawn"),
        "returned": sum(1 for status, _key, _n in statuses if status == "returned"),
        "accepted": sum(1 for status, _key, _n in statuses if status == "accepted"),
    }
    return [(key, name, counts[key]) for key, name in views_of_desk().items()]


def _rows(visit: Visit, entries: Iterable[Entry], blind: bool) -> Iterable[Row]:
    words = need_words()
    for entry in entries:
        kept = entry.submission
        needs = [words[one] for one in kept.needs] if kept else []
        name = _("Entry {number}").format(number=entry.number)
        sight = Sight.NOTHING
        if kept is not None:
            sight = sight_of(visit.person, visit.event, entry, kept, visit.now)
        yield Row(entry, name if blind or not entry.name else entry.name, needs, sight > 0)


@visited
@for_staff
@require_safe
def teams(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What the lists of each team come to together, in sentences where all of them may be seen."""
    pack = pack_of(newest_pack(visit.event))
    rows = [
        (team, team.findings if _all_seen(visit, team) else ())
        for team in judge_teams(visit.event, pack, shipped_library())
    ]
    context = {**visit.context, "rows": rows, "for_teams": "team" in pack.data}
    return render(request, "events/teams.html", context)


def _all_seen(visit: Visit, team: TeamOutcome) -> bool:
    sights = (
        sight_of(visit.person, visit.event, entry, entry.submission, visit.now)
        for entry in team.entries
        if entry.submission is not None
    )
    return all(sight is Sight.FULL for sight in sights)


def _staff(visit: Visit) -> Staff:
    """Return the visitor as somebody who decides. Raises Http404 for others."""
    if visit.staff is None or not visit.person.decides:
        raise Http404("no such page")
    return visit.staff


@visited
@require_POST
def accept_clean(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Accept the clean lists that the page showed; `clean` are "entry.submission"."""
    pairs = [one.partition(".") for one in request.POST.getlist("clean")]
    seen = [(whole_number(a, KEY), whole_number(b, KEY)) for a, _dot, b in pairs]
    done = deciding.accept_clean(visit.event.pk, seen, _staff(visit), visit.now)
    said = ngettext("Accepted {number} list.", "Accepted {number} lists.", done)
    messages.success(request, said.format(number=done))
    return redirect("event-desk", visit.event.pk)


@visited
@require_POST
def decide(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Accept or return a list, or break its seal: `what`; `seen` is the submission looked at, and
    `judged` the mark of its verdict. A list that is not legal is accepted where the form says
    `sure`.
    """
    by, fields = _staff(visit), request.POST
    entry = find_entry(visit.event, number)
    seen, words = whole_number(fields.get("seen", ""), KEY), fields.get("to_player", "")
    what = fields.get("what", "")
    if what == Decision.What.RETURNED and (ways := fields.getlist("way")[:MOST_WAYS]):
        words = "\n".join([words, _("This would make it legal:"), *ways])
    if what not in Decision.What.values:
        raise Refusal(_("Choose what becomes of the list."))
    illegal = entry.submission is not None and not entry.submission.legal
    if what == Decision.What.ACCEPTED and illegal and "sure" not in fields:
        raise Refusal(
            _("This list is not legal at this event. Say that you accept it nevertheless.")
        )
    now = visit.now
    if what == Decision.What.UNSEALED:
        made = deciding.unseal(visit.event.pk, number, seen, by, now, words)
    else:
        chosen = Decision.What(what)
        told = (words, fields.get("for_staff", ""), fields.get("judged", ""))
        made = deciding.decide(visit.event.pk, number, seen, chosen, by, now, *told)
    address = request.build_absolute_uri(reverse("event", args=[visit.event.pk]))
    notices.decided(made, entry, address)
    return redirect("event-submission", visit.event.pk, number, seen)


@visited
@for_organisers
@require_POST
def extend(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Give one entry more time."""
    fields, role = request.POST, visit.person.role
    if role is None:
        raise Http404("no such page")
    until = read_local(fields.get("until", ""), visit.event.zone).moment
    entry = find_entry(visit.event, number)
    reason = fields.get("reason", "")
    entering.extend(visit.event.pk, entry.number, until, reason, role, visit.now)
    messages.success(request, _("This entry has more time now."))
    return redirect("event-entry", visit.event.pk, number)


@visited
@for_staff
@require_safe
def entry_page(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """One entry for the staff: its submissions, decisions, and more time."""
    entry = find_entry(visit.event, number)
    kept = entry.submissions.defer("document").prefetch_related("decisions").order_by("-number")
    rows = [(one, sight_of(visit.person, visit.event, entry, one, visit.now) > 0) for one in kept]
    log = visit.event.log.filter(entry=number).order_by("sequence")
    pack = pack_of(newest_pack(visit.event))
    context = {**visit.context, "entry": entry, "rows": rows, "log": log, "pack": pack}
    return render(request, "events/entry.html", context)
