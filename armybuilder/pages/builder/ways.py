"""Solver's answers about a list: fixes, fillings, answers, its outlook.

The outlook: whether it can still become legal by adding units, which units block a legal list, and
why.

Each is loaded into the builder on demand, and is also a page of its own.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from time import thread_time
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.acts.base import performed
from armybuilder.acts.proposals import (
    known_wishes,
    packed,
    propose,
    question_name,
    questions_by_id,
    read_wishes,
    reply_to,
    seed_of,
    ways,
)
from armybuilder.comparing.difference import difference
from armybuilder.editing.names import entry_name
from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.nouns import counted
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.sentences import sentence
from armybuilder.engine.terms import POINTS, PRICE
from armybuilder.engine.wording import change_of
from armybuilder.lists.outlooks import ahead_of, options_ahead_of
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge_by, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.possible import bounds_of
from armybuilder.pages.answers import fresh, render_page_or_part, wants_part
from armybuilder.pages.builder.list_page import act_attributes
from armybuilder.pages.builder.page import BuilderPage, OwnedPage
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.content.unit_words import option_names
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import Core, explain
from armybuilder.solving.look_ahead import Fate
from armybuilder.solving.port import NoSolver
from armybuilder.solving.questions import Question, Reply, Sought

#: Seconds that are spent on a reason, in a process for heavy work.
SECONDS = 6.0
#: Units named at most; of more, only the number is shown.
MOST_UNITS = 5
#: Sentences about a fix's changes, at most.
MOST_LINES = 8
#: How many proposals are shown; and in how much processor time of one request, in seconds: the
#: others follow by requests of their own.
PROPOSALS, TIME = 3, 0.08
#: A new unit says in one line what is taken if it is no more than this.
MOST_TOLD = 3


def make_ways(
    army_list: ArmyList, catalogue: Catalogue, kept: Collection[str] = ()
) -> dict[str, Any]:
    """Return the best ways to a legal list, the smallest change first, or that there is none.

    Each says what changes, points more or less, and what its button sends. `kept`: see
    `read_pins`. Raises Refusal.
    """
    before = judge_by(army_list, catalogue)

    def view(made: ArmyList, proved: bool) -> dict[str, Any]:
        after = judge_by(made, catalogue)
        more = after.report.spent - before.report.spent
        lines, points = difference(before, after).lines(MOST_LINES), change_of(more) if more else ""
        changed = (*lines, _("{points} points").format(points=points) if points else "")
        return {
            "lines": lines,
            "points": points,
            "said": "; ".join(filter(None, changed)),
            "proposal": packed(made, army_list),
            "proved": proved,
        }

    repairs = ways(army_list, catalogue, kept)
    views = [view(repair.army_list, repair.proved) for repair in repairs.found]
    return {"ways": views, "impossible": repairs.impossible}


def find_ways(army_list: ArmyList, catalogue: Catalogue) -> dict[str, Any] | None:
    """Return the best ways to a legal list; None without a solver."""
    try:
        return make_ways(army_list, catalogue)
    except Refusal:
        return None


#: A thing that a fix may keep: its value for `read_pins`, its name, and whether it is kept.
Keepable = tuple[str, str, bool]


@fresh
def show_ways(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the best ways to make a list legal; `keep` names units, roles and options to keep."""
    page = _advised_page(request, list_id)
    context: dict[str, Any] = {"page": page}
    if not page.report.legal:
        units = list(_keepables(page, set(request.GET.getlist("keep"))))
        every = [keepable for unit, parts, _open in units for keepable in (unit, *parts)]
        kept = [value for value, _name, is_kept in every if is_kept]
        found = make_ways(page.document, page.catalogue, kept)
        context |= {"found": found, "units": units, "kept": kept}
        context["asked"] = urlencode({"keep": kept}, doseq=True)
    context |= act_attributes(request, page.version)
    return render_page_or_part(request, "builder/ways.html", "ways", context)


def _keepables(
    page: BuilderPage, kept: Collection[str]
) -> Iterator[tuple[Keepable, list[Keepable], bool]]:
    """Yield the units, each with its parts that can be kept alone, and whether any is."""
    roles = page.system.roles
    for pick in page.roster.picks:
        parts = [(f"{pick.id}:{role}", _(roles[role].name)) for role in pick.roles if role in roles]
        parts += _keepable_options(pick.picks, pick.id)
        unit = (pick.id, page.names[pick.id], pick.id in kept)
        marked = [(value, name, value in kept) for value, name in parts]
        yield unit, marked, any(is_kept for _value, _name, is_kept in marked)


def _keepable_options(picks: tuple[OptionPick, ...], above: str) -> Iterator[tuple[str, str]]:
    for pick in picks:
        value = f"{above}/{pick.id}"
        if not pick.given:
            yield value, pick.option.name
        yield from _keepable_options(pick.picks, value)


def _advised_page(request: HttpRequest, list_id: UUID, opened: str = "") -> BuilderPage:
    """Return a list's page for advice: on its books, or on the models that the player owns."""
    owned = "owned" in request.GET or "owned" in request.GET.getlist("wish")
    kind = OwnedPage if owned else BuilderPage
    return kind(current_version(request, list_id), shipped_library(), opened)


@fresh
def show_filling(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show how points that are left may be spent.

    `wish` are ids of wishes, `seed` says by which chance, `seen` are the hashes of proposals that
    are shown already.
    """
    page = _advised_page(request, list_id)
    known = known_wishes(page.catalogue, page.owned)
    wished = [wish for wish in dict.fromkeys(request.GET.getlist("wish")) if wish in known]
    seen = [mark for mark in request.GET.getlist("seen") if mark.isalnum()][: PROPOSALS - 1]
    context: dict[str, Any] = {
        "page": page,
        "wishes": [((key, name, key in wished), (), False) for key, name in known.items()],
        "wished": wished,
        "seen": seen,
    }
    if page.report.legal and not page.left:
        context["done"] = True
    else:
        context |= _proposals(page, seed_of(request.GET.get("seed", "")), wished, seen)
    context |= act_attributes(request, page.version)
    # Further proposals come by themselves.
    return render_page_or_part(
        request, "builder/filling.html", "more" if seen else "filling", context
    )


def _proposals(
    page: BuilderPage, seed: int, wished: Sequence[str], seen: Sequence[str]
) -> dict[str, Any]:
    """Return proposals until the time is up, and how to ask for more, or for others."""
    wishes, until = read_wishes(wished, page.catalogue), thread_time() + TIME
    shown, proposals, impossible = list(seen), list[dict[str, Any]](), False
    more = True
    while more and len(shown) < PROPOSALS and (not proposals or thread_time() < until):
        made = propose(page.document, page.catalogue, seed, wishes, shown)
        more, impossible = made.found is not None, made.impossible
        if made.found is not None:
            filled = made.found.filled
            proposals.append({**added_by(page, filled.army_list), "unfinished": filled.unfinished})
            shown.append(made.found.hash)
            seed = made.found.seed + 1
    query = [*(("wish", wish) for wish in wished), ("seed", str(seed))]
    further = more and len(shown) < PROPOSALS
    return {
        "proposals": proposals,
        "impossible": impossible,
        "more": urlencode([*query, *(("seen", mark) for mark in shown)]) if further else "",
        "others": urlencode(query) if shown else "",
    }


def added_by(page: BuilderPage, made: ArmyList) -> dict[str, Any]:
    """Return the additions of a list to the page's: units, other changes as sentences, points.

    The points of a unit are None if its card lacks them; roles and options are `taken`. `short` is
    the same in one line; `more` are the points that it costs, `left` the points left after it.
    """
    after, roles = judge_by(made, page.catalogue), page.system.roles
    change = difference(judge_by(page.document, page.catalogue), after)
    picks = {pick.id: pick for pick in after.roster.picks}
    new, names = [], []
    for unit in change.units:
        if unit.kind == "new":
            pick = picks[unit.ids[1]]
            named = f"{unit.models} × {unit.name}" if unit.models > 1 else unit.name
            taken = [*(roles[role].name for role in pick.roles), *option_names(pick.picks)]
            told = ", ".join(taken)
            names.append(f"{named} ({told})" if 0 < len(taken) <= MOST_TOLD else named)
            row = {"name": unit.name, "models": unit.models, "points": unit.after}
            new.append({**row, "taken": told})
    rest = replace(change, units=tuple(unit for unit in change.units if unit.kind != "new"))
    lines = rest.lines(12)
    return {
        "units": new,
        "lines": lines,
        "short": "; ".join((*names, *lines)),
        "more": change_of(after.report.spent - page.report.spent),
        "left": after.report.limit - after.report.spent,
        "spent": after.report.spent,
        "proposal": packed(made, page.document),
    }


@fresh
def show_questions(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show how much of something a list could have: the questions, and the answer to `ask`.

    In the builder all answers, except those already met by the list.
    """
    page = _advised_page(request, list_id)
    context: dict[str, Any] = {"page": page}
    if wants_part(request):
        context["answers"] = list(_possible(page))
        context |= act_attributes(request, page.version)
        return render(request, "builder/questions.html#possible", context)
    known = questions_by_id(page.catalogue)
    question = known.get(request.GET.get("ask", ""))
    named = [(one.id, question_name(one), one is question) for one in known.values()]
    context |= {"questions": named, "asked": question}
    context["asked_query"] = f"ask={question.id}" if question else ""
    if question is not None:
        reply = reply_to(question, page.document, page.catalogue)
        context |= {"reply": reply, "said": _answer(question, reply)}
        if reply.army_list is not None and reply.army_list != page.document:
            context |= added_by(page, reply.army_list)
    context |= act_attributes(request, page.version)
    return render(request, "builder/questions.html", context)


def _possible(page: BuilderPage) -> Iterator[dict[str, Any]]:
    """Yield the answers to questions for which the list has to change."""
    for question in questions_by_id(page.catalogue).values():
        reply = reply_to(question, page.document, page.catalogue)
        made = reply.army_list
        if made is not None and made != page.document:
            told = {"name": question_name(question), "said": _answer(question, reply)}
            yield {**told, **added_by(page, made)}


def _answer(question: Question, reply: Reply) -> str:
    number = reply.value
    if reply.army_list is None:
        return no_answer(reply.impossible)
    if question.sought is Sought.MODELS:
        return models_answer(number, reply.proved)
    if reply.proved:
        text = ngettext("{number} point.", "{number} points.", number)
    elif question.sought is Sought.CHEAPEST:
        text = ngettext("At most {number} point.", "At most {number} points.", number)
    else:
        text = ngettext("At least {number} point.", "At least {number} points.", number)
    return text.format(number=number)


def no_answer(impossible: bool) -> str:
    if impossible:
        return _("We found no way to make the list legal by adding units.")
    return _("We found no answer.")


def models_answer(number: int, proved: bool) -> str:
    if proved:
        text = ngettext("{number} model.", "{number} models.", number)
    else:
        text = ngettext("At least {number} model.", "At least {number} models.", number)
    return text.format(number=number)


@fresh
def show_outlook(request: HtmxRequest, list_id: UUID, longer: bool = False) -> HttpResponse:
    """Show whether additions can make a list legal; `now-open` names the open unit."""
    page = _advised_page(request, list_id, request.GET.get("now-open", ""))
    context = {"page": page, "outlook": outlook_of(page, longer)}
    return render_page_or_part(request, "builder/outlook.html", "ahead", context)


@fresh
def look_longer(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the same after looking for seconds."""
    answer: HttpResponse = show_outlook(request, list_id, longer=True)
    return answer


def outlook_of(page: BuilderPage, longer: bool = False) -> dict[str, Any]:
    """Return whether a list can become legal if units and options are only added.

    `state` is that of the whole list, "over" if more points than allowed are spent, "unfinished" if
    cards must be filled in first, "busy" while another request works it out, "absent" without a
    solver. `needs` are the missing things, in sentences; `dead` are the units that block a legal
    list, by ref and name; `places` the ids of the buttons of such options of the open unit. Looking
    `further` may find more.
    """
    if page.left < 0:
        return {"state": "over"}
    units, opened = page.catalogue.units, page.opened
    options: tuple[str, ...] = ()
    try:
        ahead = ahead_of(page.document, page.catalogue, longer)
        if ahead is not None and ahead.whole is Fate.OPEN and opened in page.names:
            dead = options_ahead_of(page.document, page.catalogue, opened)
            options = tuple(sorted(f"option-{opened}-{'/'.join(path)}" for path in dead))
    except NoSolver:
        return {"state": "absent"}
    if ahead is None:
        return {"state": "busy"}
    enough = ""
    if ahead.points:
        enough = ngettext(
            "{number} more point is enough.", "{number} more points are enough.", ahead.points
        ).format(number=ahead.points)
    # That the points left do not suffice for a unit, the shelf says anyway.
    affordable = [ref for ref in ahead.dead if (units[ref].price.start or 0) <= page.left]
    hangs_on_cards = ahead.cards and ahead.whole is Fate.UNKNOWN
    state = "unfinished" if hangs_on_cards else ahead.whole.value
    return {
        "state": state,
        "needs": () if page.report.legal else list(_needs(page.report)),
        "enough": enough,
        "dead": [(ref, units[ref].name) for ref in affordable],
        "refs": " ".join(affordable),
        "places": " ".join(options),
        "unknown": ahead.unknown,
        "long": ahead.long,
        "further": not ahead.long and (state == Fate.UNKNOWN.value or ahead.unknown > 0),
    }


def _needs(report: Report) -> Iterator[str]:
    free = max(0, report.limit - report.spent)
    for gauge in report.gauges:
        if not gauge.term.is_short:
            continue
        short = (gauge.minimum or 0) - gauge.used
        if gauge.term.count in (POINTS, PRICE):
            text = _("{name} still needs {points}; {free} are left.")
            yield text.format(name=gauge.name, points=counted(short, "point"), free=free)
        else:
            yield _("{name}: {number} more needed.").format(name=gauge.name, number=short)


@fresh
def show_why(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show why adding cannot make a list legal, with one more `unit`, or by the rule at `rule`."""
    page = _advised_page(request, list_id)
    ref, rule = request.GET.get("unit", ""), request.GET.get("rule", "")
    army_list: ArmyList | None = page.document
    if ref:
        try:
            army_list = performed(page.subject, {"act": "add", "ref": ref})
        except Refusal as refusal:
            raise Http404("the unit cannot be added") from refusal
    if army_list is None:
        raise Http404("the unit cannot be added")
    more = page.catalogue.units[ref].name if ref else ""
    context = {"page": page, "more": more, "why": _why(page, army_list, rule)}
    return render_page_or_part(request, "builder/why.html", "why", context)


def _why(page: BuilderPage, army_list: ArmyList, rule: str) -> dict[str, Any]:
    """Return rules and units that contradict each other; of many `units` only their `number`.

    `found`: a reason is known; `open`: none is needed, as adding can settle it; `absent`: no
    solver; `minimal`: nothing of it can be left out.
    """
    try:
        core = explain(army_list, page.catalogue, CpSat(), SECONDS, rule)
    except NoSolver:
        return {"absent": True}
    if core is None:
        ahead = ahead_of(army_list, page.catalogue, longer=True)
        return {"open": ahead is not None and ahead.whole is Fate.OPEN}
    report = validate(make_roster(army_list, page.catalogue), page.catalogue)
    left = report.limit - report.spent
    return {
        "found": True,
        "rules": [_reason(head, report) for head in core.rules],
        "units": list(_core_units(page, army_list, core)),
        "number": len(core.units),
        "free": _("{points} are left.").format(points=counted(left, "point")) if left > 0 else "",
        "minimal": core.minimal,
    }


def _reason(head: RuleHead, report: Report) -> tuple[str, str, str]:
    """Return a rule by its finding on the list, else by its summary.

    Also its number and bounds ("Core: 845, at least 1,125"), and its citation.
    """
    finding = next((one for one in report.findings if one.head.pointer == head.pointer), None)
    gauge = next((one for one in report.gauges if one.head.pointer == head.pointer), None)
    numbers = [f"{gauge.name}: {gauge.used}", *bounds_of(gauge)] if gauge is not None else []
    said = str(head.summary) if finding is None else sentence(finding)
    return said, ", ".join(numbers), str(head.citation)


def _core_units(page: BuilderPage, army_list: ArmyList, core: Core) -> Iterator[str]:
    """Yield the names of the core's units, each with how many they are; nothing for many."""
    if len(core.units) > MOST_UNITS:
        return
    entries = {entry.id: entry for entry in army_list.units}
    names = Counter(entry_name(entries[unit], page.catalogue.units) for unit in core.units)
    for name, number in names.items():
        yield f"{name} ({number})" if number > 1 else name
