"""Pages of players: read about an event, enter, submit a list, follow it, withdraw.

Captains have that of their team.
"""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Prefetch, prefetch_related_objects
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import override

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring.pack_entries import contradictions
from armybuilder.certificates.making import certify
from armybuilder.downloads import json_file
from armybuilder.events import entering
from armybuilder.events.building import open_submission, tie
from armybuilder.events.deciding import check_other
from armybuilder.events.entering import CAPTAIN, submit, try_list
from armybuilder.events.exporting import changed_lines, hides_cost, show
from armybuilder.events.judging import findings_on, judge_teams
from armybuilder.events.leaving import may_delete
from armybuilder.events.models import Decision, Entry, Event, Submission
from armybuilder.events.news import PLAYER, news_of
from armybuilder.events.people import place_of, wait
from armybuilder.events.rounds import own_game, rounds_of
from armybuilder.events.rules import EventState, Sight, StaffRole
from armybuilder.events.selectors import (
    captain_of,
    find_entry,
    is_full,
    newest_pack,
    pack_of_entry,
    players_of,
    sight_of,
    team_of,
    turn_of,
)
from armybuilder.events.unchecked import open_rules
from armybuilder.exchange.files import clear_list, read_files
from armybuilder.lists.file_imports import KeptGames, clear_read
from armybuilder.lists.forces import lists_of_game
from armybuilder.lists.models import ArmyList as ArmyListRow
from armybuilder.lists.models import ListDocument
from armybuilder.lists.selectors import current_version, lists_of
from armybuilder.lists.worked_out import work_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of, judge_at
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.packs import Pack, at_event
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of
from armybuilder.packs.unchecked import open_questions
from armybuilder.pages.answers import list_ids, whole_number
from armybuilder.pages.builder.ways import find_ways
from armybuilder.pages.events.organise import AUDIENCES
from armybuilder.pages.events.rounds import armies_of, may_follow
from armybuilder.pages.events.visits import (
    FORM,
    READ,
    WRITE,
    EventVisit,
    game_of,
    handed_in_by,
    hands_in,
    organises,
    owns,
    visited,
)
from armybuilder.pages.forces.verbs import ways_of
from armybuilder.pages.packs.shown import pack_context
from armybuilder.pages.playing.views import Played, played

#: Lists that are offered to be submitted, those changed last first.
MOST_OFFERED = 100


class EntryForm(forms.Form):
    name = forms.CharField(max_length=80, label=_lazy("Your name"))
    team = forms.CharField(max_length=80, required=False, label=_lazy("Team or club"))
    captain = forms.BooleanField(
        required=False,
        label=_lazy("I am the captain of the team"),
        help_text=_lazy(
            "The captain can see and submit all of the team’s lists. The first player to "
            "register can become captain; after that the organisers choose."
        ),
    )
    agrees = forms.BooleanField(
        required=False,
        label=_lazy("My team’s captain can see my list and submit for me"),
    )
    email = forms.EmailField(
        required=False,
        label=_lazy("Email for receipts"),
        help_text=_lazy("We delete it 30 days after the event."),
    )


@visited(READ)
def event(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show an event, its times, and the visitor's own part in it."""
    return _event_page(request, visit)


def _event_page(
    request: HttpRequest, visit: EventVisit, form: EntryForm | None = None
) -> HttpResponse:
    event = visit.event
    kept = newest_pack(event)
    playing, lists = players_of(event).count(), pack_of(kept).lists
    context = {
        **visit.context,
        "kept": kept,
        "pack": pack_of(kept),
        "lists": lists,
        "game": game_of(event),
        "playing": playing,
        "full": bool(event.capacity) and playing >= event.capacity,
        "waits": place_of(event, visit.holder) if visit.entry is None else 0,
        "audience": AUDIENCES.get(event.rules.audience, ""),
        "form": form or EntryForm(),
        "mine": list(_own_entries(visit)),
        "takes": event.takes_entries(visit.now),
        "wanting": visit.entry is not None and len(visit.entries) < lists,
        "helpers": (helpers := list(event.staff.exclude(holder="").order_by("pk"))),
        "unowned": all(one.role != StaffRole.OWNER for one in helpers),
        "deletable": owns(visit.person) and may_delete(event, visit.helper, visit.now),
    }
    context["follower"] = may_follow(visit)
    if context["follower"] and (rounds_of(event, shown_only=True) or visit.person.organises):
        context["follows"] = True
    if visit.state is EventState.DRAFT:
        pack = context["pack"]
        context["questions"] = open_questions(pack, shipped_library())
        context["contradictions"] = () if isinstance(pack, FilePack) else contradictions(pack.data)
    if visit.entry is not None:
        context["news"] = news_of(event, visit.entries, visit.now)
        own = context["own_game"] = own_game(event, visit.entry)
        context["armies"] = armies_of(visit, [own.first, own.second]) if own else {}
        context["captain"] = captain_of(event, visit.entry.team)
        context["welcome"] = "welcome" in request.GET
        place = reverse("come-back", args=[event.pk, visit.entry.secret])
        context["own_address"] = request.build_absolute_uri(place)
    return render(request, "events/event.html", context, status=422 if form else 200)


def _own_entries(visit: EventVisit) -> Iterator[dict[str, Any]]:
    """Yield the visitor's entries, that of the first list first.

    Each with its submissions, and whether a list may be submitted for it now. `told`: the
    reasons why the current list is not legal, and `changed` the pack by which it was checked since
    anybody saw it.
    """
    prefetch_related_objects(visit.entries, "ledger")
    decisions = Prefetch("decisions", Decision.objects.order_by("pk"))
    submitted = Submission.objects.filter(entry__in=visit.entries).defer("document")
    kept = list(submitted.prefetch_related(decisions).order_by("-number"))
    for entry in visit.entries:
        turn = turn_of(visit.event, entry, visit.now)
        submissions = [submission for submission in kept if submission.entry_id == entry.pk]
        current, findings, changed = entry.submission, None, None
        if current is not None and entry.status != Entry.Status.WITHDRAWN:
            current.entry = entry
            findings = findings_on(current, shipped_library())
            decided = next(one.decisions.all() for one in submissions if one.pk == current.pk)
            looked = [one.at for one in decided if one.what not in Decision.OF_SIGHT]
            if current.pack.since > max([current.received, *looked]):
                first = visit.event.packs.order_by("pk").first()
                if first is not None and first.pk != current.pack.pk:
                    changed = current.pack
        yield {
            "entry": entry,
            "turn": turn,
            "submissions": submissions,
            "told": findings,
            "changed": changed,
        }


@visited(READ)
def rules(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the pack that the event is played by."""
    pack = pack_of(newest_pack(visit.event))
    context = {**visit.context, **pack_context(pack), "history": visit.event.packs.order_by("-pk")}
    context["game"] = game_of(visit.event)
    if visit.event.books_at is not None:
        names = shipped_library().books.get(visit.event.system, {})
        rows = visit.event.books.order_by("book_id").values_list("book_id", "revision")
        context["books"] = [(names[key].name if key in names else key, at) for key, at in rows]
    return render(request, "events/rules.html", context)


@visited(READ)
def rules_file(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Send the same as the file that it is."""
    kept = newest_pack(visit.event)
    return json_file(kept.data, kept.pack_id)


@visited(WRITE)
def enter(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Register for the event; back to its page, with the own entry or the refused form."""
    form = EntryForm(request.POST)
    if not form.is_valid():
        return _event_page(request, visit, form)
    data, library = form.cleaned_data, shipped_library()
    who = (make_holder(request), data["name"], data["email"], data["team"], visit.now)
    if visit.entry is None and is_full(visit.event):
        wait(visit.event.pk, *who)
        messages.success(request, _("You are on the waiting list."))
        return _to_own_part(visit)
    about = {"captain": data["captain"], "agrees": data["agrees"]}
    try:
        made = entering.enter(visit.event.pk, *who, library, **about)
    except Refusal as refusal:
        if visit.entry is not None or not visit.event.takes_entries(visit.now):
            raise  # the page has no form
        form.add_error(None, refusal.sentence)
        return _event_page(request, visit, form)
    if made.submission_id is None:
        messages.success(request, _("You are registered. Now submit a list."))
        return redirect(f"{reverse('event', args=[visit.event.pk])}?welcome=1#mine")
    messages.success(request, _("You are registered again, and your list is current again."))
    return _to_own_part(visit)


def _to_own_part(visit: EventVisit) -> HttpResponse:
    return redirect(f"{reverse('event', args=[visit.event.pk])}#mine")


@visited(WRITE)
def enter_lists(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Enter the further lists that the event takes of a player by now."""
    entering.enter_lists(visit.event.pk, _own(visit).number, visit.now)
    return _to_own_part(visit)


@visited(WRITE)
def choose_role(request: HttpRequest, visit: EventVisit, number: int) -> HttpResponse:
    """Choose the role of a player in the team: the own one, or as the captain."""
    entry = handed_in_by(visit, number)
    entering.choose_role(visit.event.pk, number, request.POST.get("role", ""), visit.now)
    messages.success(request, _("Saved."))
    own = visit.entry is not None and visit.entry.pk == entry.pk and not entry.captain
    return _to_own_part(visit) if own else redirect("event-team", visit.event.pk)


@visited(WRITE)
def withdraw(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    entering.withdraw(visit.event.pk, _own(visit).number, PLAYER, visit.now)
    return redirect("event", visit.event.pk)


@visited(FORM)
def come_back(request: HttpRequest, visit: EventVisit, secret: str) -> HttpResponse:
    """Let this browser hold the entry whose secret address this is."""
    if request.method != "POST":
        return render(request, "events/come_back.html", visit.context)
    if entering.come_back(visit.event, secret, make_holder(request), visit.now) is None:
        raise Http404("no such entry, or this browser has another")
    return redirect("event", visit.event.pk)


def _own(visit: EventVisit) -> Entry:
    if visit.entry is None:
        raise Http404("nobody here has entered")
    return visit.entry


def _chosen_list(request: HttpRequest, event: Event, library: Library) -> tuple[ListDocument, str]:
    """Return the one clear list of the form, from a "list", "file" or "text". Raises Refusal."""
    games = KeptGames(holder_of(request))
    if files := request.FILES.getlist("file"):
        read = read_files(files, library, games.file)
        if read.refused:
            raise read.refused[0][1]
        found: list[ListDocument] = [*read.documents, *map(clear_read, read.of_files)]
        if len(found) != 1:
            raise Refusal(_("Choose a file with exactly one list."))
        return found[0], "file"
    if "text" in request.POST:
        text = request.POST["text"].replace("\0", "")
        if event.game_id is not None:
            return clear_read(games.read(text, event.game_id)), "text"
        return clear_list(text, library, event.system), "text"
    ids = list_ids(filter(None, [request.POST.get("list", "")]))
    if not ids:
        raise Refusal(_("Choose a list first."))
    return current_version(request, ids[0]).content, "list"


@visited(FORM)
def submit_list(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Submit a list, or only check it (`go`); captains and organisers also for a `player`."""
    number = whole_number(request.POST.get("player", request.GET.get("player", "")), 5)
    entry, library = _player(visit, number), shipped_library()
    outcome: dict[str, Any] = {"refused": ""}
    if request.method == "POST":
        try:
            document, source = _chosen_list(request, visit.event, library)
            if request.POST.get("go") != "check":
                return _submit(request, visit, entry, document, source)
            verdicts = try_list(entry, document, library)
            outcome = {"tried": verdicts, "tried_name": document.name, "errors": verdicts.errors}
            outcome["rules"] = open_rules(verdicts.event_report)
        except Refusal as refusal:
            outcome = {"refused": refusal.sentence}
    context = {
        **visit.context,
        "lists": _suiting(visit),
        "turn": turn_of(visit.event, entry, visit.now),
        "entry": entry,
        "pack": pack_of(newest_pack(visit.event)),
        "game": game_of(visit.event),
        "player": None if entry == visit.entry else entry,
        "text": request.POST.get("text", ""),
        "chosen": request.POST.get("list", request.GET.get("list", "")),
        **outcome,
    }
    status = 422 if outcome.get("refused") else 200
    return render(request, "events/submit.html", context, status=status)


def _player(visit: EventVisit, number: int) -> Entry:
    """Return the entry that the visitor submits for: the own if there is no `number`."""
    if not number:
        return _own(visit)
    if not visit.person.organises:
        return handed_in_by(visit, number)
    entry = find_entry(visit.event, number)
    if not hands_in(visit, entry):
        sentence = _("You can’t submit for a player of this team.")
        check_other(entry, visit.helper, sentence, sentence)
    return entry


def _suiting(visit: EventVisit) -> list[ArmyListRow]:
    """Return the visitor's lists of the event's game, those changed last first."""
    if visit.event.game_id is not None:
        return [version.army_list for version in lists_of_game(visit.holder, visit.event.game_id)]
    return list(lists_of(visit.holder).filter(system=visit.event.system)[:MOST_OFFERED])


def _submit(
    request: HttpRequest, visit: EventVisit, entry: Entry, document: ListDocument, source: str
) -> HttpResponse:
    actor = PLAYER if entry.pk in visit.person.own else CAPTAIN
    if not hands_in(visit, entry):
        actor = str(visit.role)
    about = (document, source, shipped_library(), visit.now, actor)
    made = submit(visit.event.pk, entry.number, *about)
    if source == "list":
        tie(list_ids([request.POST["list"]])[0], visit.event, entry.part)
    messages.success(request, _("Submitted as number {number}.").format(number=made.number))
    if actor == PLAYER:
        return _to_own_part(visit)
    if actor == CAPTAIN:
        return redirect("event-team", visit.event.pk)
    return redirect("event-entry", visit.event.pk, entry.number)


@visited(READ)
def submission(request: HttpRequest, visit: EventVisit, number: int, which: int) -> HttpResponse:
    """Show a submission as far as the visitor may see it: its player, staff, readers."""
    entry, library = find_entry(visit.event, number), shipped_library()
    current, before = _submission(entry, which)
    shown = show(visit.person, visit.event, entry, current, visit.now)
    sight = sight_of(visit.person, visit.event, entry, current, visit.now)
    if sight is Sight.NOTHING:
        raise Http404("no such submission")
    whole = shown is not None and shown.whole
    concerns = visit.person.role is not None or entry.pk in visit.person.own
    context = {
        **visit.context,
        "entry": entry,
        "submission": current,
        "shown": shown,
        "sheet": shown.visible.sheet if shown else None,
        "view": shown.visible.view if shown else None,
        "whole": whole,
        "within": hides_cost(visit.event, sight, library),
        "reasons": "",
        "changed": changed_lines(before, current) if whole and before else None,
        "before": before,
        "decisions": list(current.decisions.order_by("pk")) if concerns else [],
        "words": whole,
        "counts": entry.submission_id == current.pk,
        "pack": pack_of(current.pack),
        "blind": "blind" in request.GET,
        "opens": whole and hands_in(visit, entry),
    }
    if whole:
        context["told"] = findings_on(current, library)
        with override(current.entry.language):  # reasons to return it for, as its player reads them
            errors = findings_on(current, library).errors
            context["reasons"] = "\n".join(error["sentence"] for error in errors)
        pack, document = pack_of_entry(current.entry, current.pack), current.content
        if isinstance(document, ArmyList) and pack.data.get("scores"):
            judged = judge_at(document, catalogue_of(document, library), pack)
            context["scored"] = judged.report.scored
        if document is not None and "ways" in request.GET and visit.person.decides:
            context["found"] = _ways_for(document, pack, library)
    return render(request, "events/submission.html", context)


@visited(READ)
def play_list(request: HttpRequest, visit: EventVisit, number: int, which: int) -> HttpResponse:
    """Show a submission to be played, as far as the visitor may see it."""
    entry = find_entry(visit.event, number)
    current, _before = _submission(entry, which)
    shown = show(visit.person, visit.event, entry, current, visit.now)
    if shown is None:
        raise Http404("no such submission")
    address = reverse("event-submission", args=[visit.event.pk, number, which])
    key = f"entry-{visit.event.pk}-{number}-{which}"
    return played(request, Played(shown.visible.side, key, address, address))


@visited(WRITE)
def open_list(request: HttpRequest, visit: EventVisit, number: int, which: int) -> HttpResponse:
    """Open a submission of one's own, or of the team, as a list: to be corrected, or to `print`."""
    entry = handed_in_by(visit, number)
    found, _before = _submission(entry, which)
    list_id = open_submission(make_holder(request), visit.event, entry, found)
    if "print" in request.POST:
        return redirect("print", list_id)
    address = reverse("builder", args=[list_id])
    return redirect(address if found.legal else f"{address}?view=errors")


def _ways_for(document: ListDocument, pack: Pack, library: Library) -> Any:
    """Return suggested fixes for a list at its event."""
    if isinstance(document, ForceList):
        return ways_of(work_out(document, pack if isinstance(pack, FilePack) else None))
    return find_ways(document, at_event(catalogue_of(document, library), pack))


def _submission(entry: Entry, which: int) -> tuple[Submission, Submission | None]:
    """Return a submission by its number, and the one before it."""
    rows = {one.number: one for one in entry.submissions.filter(number__in=(which - 1, which))}
    if which not in rows:
        raise Http404("no such submission")
    return rows[which], rows.get(which - 1)


@visited(READ)
def receipt(request: HttpRequest, visit: EventVisit, which: int) -> HttpResponse:
    """Send the receipt of an own submission, with a certificate of this server's verdict."""
    entry = _own(visit)
    if number := whole_number(request.GET.get("player", ""), 5):
        entry = next((one for one in visit.entries if one.number == number), entry)
    submitted, _before = _submission(entry, which)
    if (document := submitted.content) is None:
        raise Http404("this list was removed")
    pack, issuer = pack_of_entry(entry, submitted.pack), request.build_absolute_uri("/")
    data = {
        "format": "receipt/1",
        "event": {"id": str(visit.event.pk), "name": visit.event.name},
        "entry": entry.number,
        "submission": submitted.number,
        "received": submitted.received.isoformat(),
        "late": submitted.late,
        "commitment": submitted.commitment,
        "salt": submitted.salt,
        "document": document.to_dict(),
        "unchecked": [one._asdict() for one in open_rules(submitted.event_report)],
        "certificate": certify(document, shipped_library(), issuer, pack),
    }
    title = f"{visit.event.name} {entry.number}-{submitted.number}"
    return json_file(data, title, untitled="receipt")


@visited(FORM)
def team(request: HttpRequest, visit: EventVisit) -> HttpResponse:
    """Show the team's players and the check of its lists; add a player, or remove one."""
    captain, refused = visit.entry, ""
    if captain is None or not visit.person.leads or not visit.person.plays:
        raise Http404("no captain of a team")
    if request.method == "POST":
        try:
            return _change_team(request, visit, captain)
        except Refusal as refusal:
            refused = refusal.sentence
    pack, rows = pack_of(newest_pack(visit.event)), []
    for entry in team_of(visit.event, captain.team):
        address = ""
        if not entry.holder:  # brought by the captain, and not come yet
            place = reverse("come-back", args=[entry.event_id, entry.secret])
            address = request.build_absolute_uri(place)
        rows.append((entry, turn_of(visit.event, entry, visit.now), address))
    judged = next(judge_teams(visit.event, pack, shipped_library(), captain.team), None)
    context = {**visit.context, "rows": rows, "judged": judged, "pack": pack, "refused": refused}
    context |= {"for_teams": "team" in pack.data, "takes": visit.event.takes_entries(visit.now)}
    return render(request, "events/team.html", context, status=422 if refused else 200)


def _change_team(request: HttpRequest, visit: EventVisit, captain: Entry) -> HttpResponse:
    """Remove a player of a captain's team, or add one. Raises Refusal."""
    if gone := whole_number(request.POST.get("out", ""), 5):
        entry = handed_in_by(visit, gone)
        entering.withdraw(visit.event.pk, (entry.main or entry).number, CAPTAIN, visit.now)
    else:
        made = entering.bring(visit.event.pk, captain, request.POST.get("name", ""), visit.now)
        sentence = _("{name} plays on your team as player {number}.")
        messages.success(request, sentence.format(name=made.name, number=made.number))
    return redirect("event-team", visit.event.pk)


@visited(WRITE, may=organises)
def name_captain(request: HttpRequest, visit: EventVisit, number: int) -> HttpResponse:
    entry, reason = find_entry(visit.event, number), request.POST.get("reason", "")
    entering.name_captain(visit.event.pk, number, visit.helper, visit.now, reason)
    sentence = _("{name} is now captain of “{team}”.")
    messages.success(request, sentence.format(name=entry.name, team=entry.team))
    return redirect("event-entry", visit.event.pk, number)
