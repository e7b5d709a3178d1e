"""What players do: read about an event, enter, submit a list, see what becomes of it, withdraw."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import make_holder
from armybuilder.certificates.making import certify
from armybuilder.downloads import file_response
from armybuilder.engine.event_report import Scored
from armybuilder.events import entering, notices
from armybuilder.events.captains import CAPTAIN
from armybuilder.events.entering import PLAYER
from armybuilder.events.judging import need_words
from armybuilder.events.models import Entry, Submission
from armybuilder.events.seeing import Role, Sight
from armybuilder.events.selectors import (
    captain_of,
    find_entry,
    newest_pack,
    pack_of_entry,
    players_of,
    sight_of,
    turn_of,
)
from armybuilder.events.shown import changed_lines, hides_cost, show
from armybuilder.events.submitting import submit, try_list
from armybuilder.events.telling import told_of
from armybuilder.lists.selectors import lists_of
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.event_judging import judge_at
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import at_event
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import pack_of
from armybuilder.pages.answers import whole_number
from armybuilder.pages.builder.ways import WaysView, make_ways
from armybuilder.pages.events.chosen import chosen_list
from armybuilder.pages.events.forms import AUDIENCES, EntryForm
from armybuilder.pages.events.mine import own_entries
from armybuilder.pages.events.visits import Visit, for_organisers, handed_in_by, visited
from armybuilder.pages.packs.reading import pack_context, written

#: Lists that are offered to be submitted, those changed last first.
MOST_OFFERED = 100


@visited
@require_safe
def event(request: HttpRequest, visit: Visit) -> HttpResponse:
    """What an event is, when what happens, and the visitor's own part in it."""
    return _event_page(request, visit)


def _event_page(request: HttpRequest, visit: Visit, form: EntryForm | None = None) -> HttpResponse:
    found = visit.event
    kept = newest_pack(found)
    playing, lists = players_of(found).count(), pack_of(kept).lists
    context = {
        **visit.context,
        "kept": kept,
        "pack": pack_of(kept),
        "lists": lists,
        "system": shipped_library().systems.get(found.system),
        "playing": playing,
        "full": bool(found.capacity) and playing >= found.capacity,
        "audience": AUDIENCES.get(found.rules.audience, ""),
        "form": form or EntryForm(),
        "mine": list(own_entries(visit)),
        "takes": found.takes_entries(visit.now),
        "wanting": visit.entry is not None and len(visit.entries) < lists,
        "need_words": need_words(),
        "helpers": (helpers := list(found.staff.exclude(holder="").order_by("pk"))),
        "unowned": all(one.role != Role.OWNER for one in helpers),
    }
    if visit.entry is not None:
        context["captain"] = captain_of(found, visit.entry.team)
        context["own_address"] = request.build_absolute_uri(
            reverse("come-back", args=[found.pk, visit.entry.secret])
        )
    return render(request, "events/event.html", context, status=422 if form else 200)


@visited
@require_safe
def rules(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The pack that the event is played by, to read."""
    pack = pack_of(newest_pack(visit.event))
    context = {**visit.context, **pack_context(pack), "history": visit.event.packs.order_by("-pk")}
    if visit.event.books_at is not None:
        names = shipped_library().books.get(visit.event.system, {})
        rows = visit.event.books.order_by("book_id").values_list("book_id", "revision")
        context["books"] = [(names[key].name if key in names else key, at) for key, at in rows]
    return render(request, "events/rules.html", context)


@visited
@require_safe
def rules_file(request: HttpRequest, visit: Visit) -> HttpResponse:
    """The same as the file that it is."""
    kept = newest_pack(visit.event)
    content = written(kept.data).encode()
    return file_response(content, "application/json", kept.pack_id, "json")


@visited
@require_POST
def enter(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Enter the event; back to its page, which tells of the own entry."""
    form = EntryForm(request.POST)
    if not form.is_valid():
        return _event_page(request, visit, form)
    said = form.cleaned_data
    holder = make_holder(request)
    told = (said["name"], said["email"], said["team"])
    made = entering.enter(
        visit.event.pk, holder, *told, visit.now, shipped_library(), said["captain"]
    )
    if made.submission_id is None:
        messages.success(request, _("You have entered. Now submit a list."))
    else:
        messages.success(request, _("You have entered again. Your list counts again."))
    return redirect(f"{reverse('event', args=[visit.event.pk])}#mine")


@visited
@require_POST
def enter_lists(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Enter the further lists that the event takes of a player by now."""
    entering.enter_lists(visit.event.pk, _own(visit).number, visit.now)
    return redirect(f"{reverse('event', args=[visit.event.pk])}#mine")


@visited
@require_POST
def withdraw(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Take the own entry out of the event."""
    entering.withdraw(visit.event.pk, _own(visit).number, PLAYER, visit.now)
    return redirect("event", visit.event.pk)


@visited
@require_http_methods(["GET", "HEAD", "POST"])
def come_back(request: HttpRequest, visit: Visit, secret: str) -> HttpResponse:
    """Let this browser hold the entry whose secret address this is."""
    if request.method != "POST":
        return render(request, "events/come_back.html", visit.context)
    if entering.come_back(visit.event, secret, make_holder(request)) is None:
        raise Http404("no such entry, or this browser has another")
    return redirect("event", visit.event.pk)


def _own(visit: Visit) -> Entry:
    if visit.entry is None:
        raise Http404("nobody here has entered")
    return visit.entry


@visited
@require_http_methods(["GET", "HEAD", "POST"])
def submit_list(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Choose one of the own lists, a file or a text, and submit it, or see first what would be
    found about it (`go` is "check"); a captain also for another player of the team, `player` by
    number.
    """
    entry = _own(visit)
    if number := whole_number(request.POST.get("player", request.GET.get("player", "")), 5):
        entry = handed_in_by(visit, number)
    refused = ""
    if request.method == "POST":
        library = shipped_library()
        try:
            document, source = chosen_list(request, visit.event.system, library)
            if request.POST.get("go") == "check":
                verdicts = try_list(entry, document, library)
                tried = {"tried": verdicts, "tried_name": document.name}
                return _submit_page(request, visit, entry, {**tried, "errors": verdicts.errors})
            actor = PLAYER if entry.pk in visit.person.own else CAPTAIN
            made = submit(visit.event.pk, entry.number, document, source, library, visit.now, actor)
        except Refusal as refusal:
            refused = refusal.sentence
        else:
            notices.submitted(made, _event_address(request, visit))
            said = _("Submitted as number {number}.").format(number=made.number)
            messages.success(request, said)
            if actor == CAPTAIN:
                return redirect("event-team", visit.event.pk)
            return redirect(f"{reverse('event', args=[visit.event.pk])}#mine")
    return _submit_page(request, visit, entry, {"refused": refused})


def _submit_page(
    request: HttpRequest, visit: Visit, entry: Entry, told: dict[str, Any]
) -> HttpResponse:
    context = {
        **visit.context,
        "lists": lists_of(visit.holder).filter(system=visit.event.system)[:MOST_OFFERED],
        "turn": turn_of(visit.event, entry, visit.now),
        "entry": entry,
        "pack": pack_of(newest_pack(visit.event)),
        "system": shipped_library().systems.get(visit.event.system),
        "player": entry if entry.pk != _own(visit).pk else None,
        "text": request.POST.get("text", ""),
        "chosen": request.POST.get("list", ""),
        **told,
    }
    status = 422 if told.get("refused") else 200
    return render(request, "events/submit.html", context, status=status)


def _event_address(request: HttpRequest, visit: Visit) -> str:
    return request.build_absolute_uri(reverse("event", args=[visit.event.pk]))


@visited
@require_safe
def submission(request: HttpRequest, visit: Visit, number: int, which: int) -> HttpResponse:
    """A submission as far as the visitor may see it: for its player, for staff, for readers."""
    entry = find_entry(visit.event, number)
    found, before = _submission(entry, which)
    shown = show(visit.person, visit.event, entry, found, visit.now, shipped_library())
    sight = sight_of(visit.person, visit.event, entry, found, visit.now)
    if sight is Sight.NOTHING:
        raise Http404("no such submission")
    whole = shown is not None and shown.whole
    context = {
        **visit.context,
        "entry": entry,
        "submission": found,
        "shown": shown,
        "sheet": shown.sheet if shown else None,
        "whole": whole,
        "within": hides_cost(visit.event, sight, shipped_library()),
        "reasons": _reasons(found) if whole else "",
        "changed": changed_lines(before, found, shipped_library()) if whole and before else None,
        "before": before,
        "need_words": need_words(),
        "decisions": _decisions(visit, entry, found),
        "counts": entry.submission_id == found.pk,
        "pack": pack_of(found.pack),
        "blind": "blind" in request.GET,
    }
    if whole:
        context["told"] = told_of(found, shipped_library())
        context["scored"] = _scored(found)
    if whole and "ways" in request.GET and visit.person.decides:
        context["found"] = _ways(found)
    return render(request, "events/submission.html", context)


def _scored(found: Submission) -> Sequence[Scored]:
    """Return what the event scores of a list; the list is judged for it where the pack scores."""
    pack, document = pack_of_entry(found.entry, found.pack), found.document
    if not pack.data.get("scores"):
        return ()
    return judge_at(document, catalogue_of(document, shipped_library()), pack).report.scored


def _ways(found: Submission) -> WaysView | None:
    """Return ways to make a list legal at the event; None without a solver."""
    catalogue = at_event(
        catalogue_of(found.document, shipped_library()), pack_of_entry(found.entry, found.pack)
    )
    try:
        return make_ways(found.document, catalogue)
    except Refusal:
        return None


def _submission(entry: Entry, which: int) -> tuple[Submission, Submission | None]:
    """Return a submission by its number, and the one before it."""
    found = {one.number: one for one in entry.submissions.filter(number__in=(which - 1, which))}
    if which not in found:
        raise Http404("no such submission")
    return found[which], found.get(which - 1)


def _reasons(found: Submission) -> str:
    """Return the errors of a list, a line each, as reasons to return it for: in the player's own
    language.
    """
    with override(found.entry.language):
        return "\n".join(one["sentence"] for one in told_of(found, shipped_library()).errors)


def _decisions(visit: Visit, entry: Entry, found: Submission) -> list[Any]:
    """Return what was decided about it, for those whom it concerns."""
    if visit.person.role is None and entry.pk not in visit.person.own:
        return []
    return list(found.decisions.order_by("pk"))


@visited
@require_safe
def receipt(request: HttpRequest, visit: Visit, which: int) -> HttpResponse:
    """The receipt of an own submission as a file: what its commitment is made of, and a certificate
    of what this server found about the list.
    """
    entry = _own(visit)
    if number := whole_number(request.GET.get("player", ""), 5):
        entry = next((one for one in visit.entries if one.number == number), entry)
    found, _before = _submission(entry, which)
    pack, library = pack_of_entry(entry, found.pack), shipped_library()
    data = {
        "format": "receipt/1",
        "event": {"id": str(visit.event.pk), "name": visit.event.name},
        "entry": entry.number,
        "submission": found.number,
        "received": found.received.isoformat(),
        "late": found.late,
        "commitment": found.commitment,
        "salt": found.salt,
        "document": found.document.to_dict(),
        "certificate": certify(found.document, library, request.build_absolute_uri("/"), pack),
    }
    content = json.dumps(data, indent=2, ensure_ascii=False).encode()
    title = f"{visit.event.name} {entry.number}-{found.number}"
    return file_response(content, "application/json", title, "json", untitled="receipt")


@visited
@for_organisers
@require_POST
def withdraw_other(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Take somebody's entry out of the event, or `back` in."""
    entry, role = find_entry(visit.event, number), str(visit.person.role)
    if "back" in request.POST:
        entering.take_back(visit.event.pk, entry.number, role, visit.now, shipped_library())
    else:
        entering.withdraw(visit.event.pk, entry.number, role, visit.now)
    return redirect("event-entry", visit.event.pk, number)
