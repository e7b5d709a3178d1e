"""Solver's answers about a list of a community's files: fixes, and points spent."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from armybuilder.acts.proposals import SEEDS, packed, question_name, solver_needed
from armybuilder.battlescribe.files.barring import Barring
from armybuilder.battlescribe.files.building import more_forces
from armybuilder.battlescribe.files.documents import document_of
from armybuilder.battlescribe.files.showing import number_text
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.owned import beyond
from armybuilder.lists.selectors import current_version
from armybuilder.lists.worked_out import WorkedOut, changed
from armybuilder.loading.documents import canonical
from armybuilder.pages.answers import fresh, render_page_or_part, whole_number
from armybuilder.pages.builder.list_page import act_attributes
from armybuilder.pages.builder.ways import models_answer, no_answer
from armybuilder.pages.forces.page import ForcesPage
from armybuilder.requests import HtmxRequest
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.owned import Models
from armybuilder.solving.picks.edits import edits_between
from armybuilder.solving.picks.verbs import (
    LARGEST,
    SECONDS,
    Found,
    Goal,
    Outcome,
    explain,
    extreme,
    fill,
    goals,
    look_ahead,
    repair,
)
from armybuilder.solving.port import NoSolver

#: Sentences of one proposal that are shown; of more their number.
MOST_LINES = 12
#: How many proposals are looked for before others are asked for.
PROPOSALS = 3


@fresh
@solver_needed()
def show_repair(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the smallest change that makes a list legal, as far as it is checked."""
    page = _page_of(request, list_id)
    version, one = page.version, page.one
    repaired = None
    if not one.report.legal:
        forces = partial(more_forces, one.game, one.book)
        repaired = repair(one.evaluation, CpSat(), forces=forces, owned=page.owned_only)
    context = {
        "version": version,
        "page": page,
        "done": one.report.legal,
        "proposals": [] if repaired is None else _proposals(one, [repaired]),
        "none": "" if repaired is None else _none_of(repaired.outcome, of_owned=page.of_owned),
    }
    context |= act_attributes(request, version, "force-act")
    return render_page_or_part(request, "forces/repair.html", "verb", context)


@fresh
@solver_needed()
def show_filling(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show units that the remaining points could be spent on; `seed` selects others."""
    page = _page_of(request, list_id)
    version, one = page.version, page.one
    seed = whole_number(request.GET.get("seed", "0"), 9) or 0
    found: list[Found] = []
    cost = next((cost.id for cost in one.costs if cost.spent < cost.limit), "")
    for more in range(PROPOSALS if cost else 0):
        owned = page.owned_only
        filled = fill(one.evaluation, cost, CpSat(), (seed + more) % SEEDS, owned=owned)
        if filled.outcome is not Outcome.FOUND:
            break
        found.append(filled)
    context = {
        "version": version,
        "page": page,
        "done": not cost,
        "proposals": _proposals(one, found),
        "others": f"seed={(seed + PROPOSALS) % SEEDS}{'&owned=1' if page.of_owned else ''}",
    }
    context |= act_attributes(request, version, "force-act")
    return render_page_or_part(request, "forces/filling.html", "verb", context)


@fresh
@solver_needed()
def show_why(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show why `entry` may not be taken `on` a pick, or the outlook of the list with it."""
    page = _page_of(request, list_id)
    version, one = page.version, page.one
    context: dict[str, Any] = {"version": version, "page": page, "asked": ""}
    if "entry" in request.GET:
        on, entry = request.GET.get("on", ""), request.GET["entry"]
        context |= _barred(one, on, entry, page.owned_only)
        context["asked"] = urlencode({"on": on, "entry": entry})
    else:
        context |= _outlook(one, page.owned_only)
    context |= act_attributes(request, version, "force-act")
    return render_page_or_part(request, "forces/why.html", "verb", context)


def _barred(one: WorkedOut, on: str, entry: str, owned: Models | None) -> dict[str, Any]:
    """Return the reasons against one more of an entry, and the smallest change that allows it.

    Of `owned` models, where these are given; with those that are missing. Raises Refusal if the
    files have no such entry there.
    """
    builder = one.builder()
    id = builder.select(on, builder.offered(builder.at(on), entry))
    builder.check_room()
    after, node = changed(one, builder), builder.at(id)
    known = {told.sentence for told in one.told}
    broken = [told for told in after.told if told.is_error and told.sentence not in known]
    found = None
    if broken:
        forces = partial(more_forces, one.game, one.book)
        found = repair(
            after.evaluation, CpSat(), SECONDS, lambda pick: pick.id == id, forces, owned
        )
    if found is not None and found.roster is not None:
        found = found._replace(edits=edits_between(one.roster, found.roster))
    return {
        "name": after.teller.shown.name(node).strip(),
        "reasons": Barring(after.teller).reasons(node),
        "broken": broken,
        "proposals": [] if found is None else _proposals(one, [found]),
        "none": "" if found is None else _none_of(found.outcome, of_owned=owned is not None),
        "missing": [] if owned is None else beyond(after.roster, owned),
    }


def _outlook(one: WorkedOut, owned: Models | None) -> dict[str, Any]:
    """Return whether additions alone can make a list legal, how, or what prevents it."""
    found, clash = look_ahead(one.evaluation, CpSat(), owned=owned), None
    if found.outcome is not Outcome.FOUND:
        clash = explain(one.evaluation, CpSat(), owned=owned)
    barring = Barring(one.teller)
    picks = [] if clash is None else [pick.definition.name.strip() for pick in clash.picks]
    return {
        "outlook": found.outcome.name,
        "proposals": _proposals(one, [found]),
        "demands": [] if clash is None else [barring.demand(one) for one in clash.demands],
        "picks": list(dict.fromkeys(picks)),
        "none": _none_of(found.outcome, adding=True),
    }


def ways_of(one: WorkedOut) -> dict[str, Any] | None:
    """Return the smallest change that makes a list legal, for pages of events, if any."""
    try:
        found = repair(one.evaluation, CpSat())
    except NoSolver:
        return None
    ways = [{"said": " ".join(way["lines"])} for way in _proposals(one, [found])]
    return {"ways": ways, "impossible": found.outcome is Outcome.NONE}


@fresh
@solver_needed()
def show_questions(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show how many models, or how few points, a list could have: the answer to `ask`."""
    page = _page_of(request, list_id)
    known = goals(cost.id for cost in page.one.costs)
    question = next((each for each in known if each.id == request.GET.get("ask")), None)
    named = [(each.id, question_name(each), each is question) for each in known]
    context: dict[str, Any] = {"page": page, "version": page.version, "questions": named}
    context |= {"asked": question, "of_files": True, "asked_query": ""}
    if question is not None:
        goal = known[question]
        reply = extreme(page.one.evaluation, goal, CpSat(), owned=page.owned_only)
        context |= {"reply": reply, "proposals": _proposals(page.one, [reply])}
        context |= {"said": _answer(page, goal, reply), "asked_query": f"ask={question.id}"}
    context |= act_attributes(request, page.version, "force-act")
    return render(request, "builder/questions.html", context)


def _answer(page: ForcesPage, goal: Goal, reply: Found) -> str:
    """Return the number that a list reaches, and whether there may be a better list."""
    if reply.roster is None:
        return no_answer(reply.outcome is Outcome.NONE)
    number = goal.counted(Evaluation(reply.roster, page.one.evaluation))
    if goal is LARGEST:
        return models_answer(int(number), reply.best)
    price = f"{number_text(number)} {page.one.costs[0].name}"
    return f"{price}." if reply.best else _("At most {price}.").format(price=price)


def _page_of(request: HtmxRequest, list_id: UUID) -> ForcesPage:
    version = current_version(request, list_id)
    return ForcesPage(version, of_owned=bool(request.GET.get("owned")))


def _proposals(one: WorkedOut, found: list[Found]) -> list[dict[str, Any]]:
    """Return the changes of each list found, in words, and the data of its button."""
    proposals = {}
    for answer in found:
        if answer.roster is None or not answer.edits:
            continue
        words = one.document
        made = document_of(answer.roster, words.name, words.game, words.notes)
        lines = [edit.words for edit in answer.edits]
        proposals[canonical(made)] = {
            "lines": lines[:MOST_LINES],
            "more": max(0, len(lines) - MOST_LINES),
            "proposal": packed(made, one.document),
            "proved": answer.best,
        }
    return list(proposals.values())


def _none_of(outcome: Outcome, adding: bool = False, of_owned: bool = False) -> str:
    """Return the sentence for a search without a result, `adding` alone or `of_owned` models."""
    if outcome is Outcome.NONE:
        if adding:
            return _("Adding units can’t make the list legal. We didn’t find out why in time.")
        if of_owned:
            return _("No change with the models you own makes it legal.")
        return _("No change makes this list legal.")
    if outcome is Outcome.NONE_SEEN:
        return _("We found no fix so far. There may be one that we didn’t try.")
    return _("No fix found in time. Try again.")
