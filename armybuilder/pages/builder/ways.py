"""What the solver proposes for a list: ways to make it legal, fillings, answers.

Ways and fillings are loaded into the builder where somebody asks; each is a page of its own, too.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from time import thread_time
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

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
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.wording import change_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge_by
from armybuilder.pages.answers import render_page_or_part
from armybuilder.pages.builder.page import BuilderPage, current_page
from armybuilder.pages.builder.views import act_attributes
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.content.unit_words import option_names
from armybuilder.solving.questions import Question, Reply, Sought

#: So many sentences say what a way changes.
MOST_LINES = 8
#: How many proposals are shown; and in how much processor time of one request, in seconds: the
#: others follow by requests of their own.
PROPOSALS, TIME = 3, 0.08


@dataclass(frozen=True, slots=True)
class WayView:
    """A way to make a list legal: what changes, in sentences, and how many points more or less.

    `proposal` is what its button sends.
    """

    lines: tuple[str, ...]
    points: str
    proposal: str
    proved: bool

    @property
    def said(self) -> str:
        points = _("{points} points").format(points=self.points) if self.points else ""
        return "; ".join(filter(None, (*self.lines, points)))


class WaysView(NamedTuple):
    """The best ways, the smallest change first. `impossible`: there is none."""

    ways: tuple[WayView, ...]
    impossible: bool


def make_ways(army_list: ArmyList, catalogue: Catalogue, kept: Collection[str] = ()) -> WaysView:
    """Return the best ways to a legal list (`kept`: see `read_pins`). Raises Refusal."""
    before = judge_by(army_list, catalogue)

    def view(made: ArmyList, proved: bool) -> WayView:
        after = judge_by(made, catalogue)
        more = after.report.spent - before.report.spent
        lines = difference(before, after).lines(MOST_LINES)
        return WayView(lines, change_of(more) if more else "", packed(made, army_list), proved)

    repairs = ways(army_list, catalogue, kept)
    views = tuple(view(repair.army_list, repair.proved) for repair in repairs.found)
    return WaysView(views, repairs.impossible)


@dataclass(frozen=True, slots=True)
class Keepable:
    """Something that a way may be asked to keep: a unit, with `parts` that may be kept alone.

    `value` is what `read_pins` reads.
    """

    value: str
    name: str
    is_kept: bool
    parts: tuple["Keepable", ...] = ()

    @property
    def is_open(self) -> bool:
        return any(part.is_kept for part in self.parts)


@never_cache
@require_safe
def show_ways(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the best ways to make a list legal; `keep` names units, roles and options to keep."""
    page = current_page(request, list_id)
    context: dict[str, Any] = {"page": page}
    if not page.report.legal:
        units = _keepables(page, set(request.GET.getlist("keep")))
        every = [keepable for unit in units for keepable in (unit, *unit.parts)]
        kept = [keepable.value for keepable in every if keepable.is_kept]
        found = make_ways(page.document, page.catalogue, kept)
        context |= {"found": found, "units": units, "kept": kept}
    context |= act_attributes(request, page.version, reverse("act", args=[list_id]))
    return render_page_or_part(request, "builder/ways.html", "ways", context)


def _keepables(page: BuilderPage, kept: Collection[str]) -> list[Keepable]:
    roles = page.system.roles
    units = []
    for pick in page.roster.picks:
        parts = [(f"{pick.id}:{role}", _(roles[role].name)) for role in pick.roles if role in roles]
        parts += _keepable_options(pick.picks, pick.id)
        of_unit = tuple(Keepable(value, name, value in kept) for value, name in parts)
        units.append(Keepable(pick.id, page.names[pick.id], pick.id in kept, of_unit))
    return units


def _keepable_options(picks: tuple[OptionPick, ...], above: str) -> Iterator[tuple[str, str]]:
    for pick in picks:
        value = f"{above}/{pick.id}"
        if not pick.given:
            yield value, pick.option.name
        yield from _keepable_options(pick.picks, value)


class NewUnit(NamedTuple):
    """A unit of a proposal, with its roles and what is `taken` on it, in words.

    `points` is None where its card does not say.
    """

    name: str
    models: int
    points: int | None
    taken: str


class ProposalView(NamedTuple):
    """A proposal: the new units, what else changes in sentences, and the points."""

    units: tuple[NewUnit, ...]
    lines: tuple[str, ...]
    spent: int
    unfinished: bool
    proposal: str


@never_cache
@require_safe
def show_filling(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show how points that are left may be spent.

    `wish` are ids of wishes, `seed` says by which chance, `seen` are the hashes of proposals that
    are shown already.
    """
    page = current_page(request, list_id)
    known = known_wishes(page.catalogue)
    wished = [wish for wish in dict.fromkeys(request.GET.getlist("wish")) if wish in known]
    seen = [mark for mark in request.GET.getlist("seen") if mark.isalnum()][: PROPOSALS - 1]
    context: dict[str, Any] = {
        "page": page,
        "wishes": [(key, name, key in wished) for key, name in known.items()],
        "wished": wished,
        "seen": seen,
    }
    if page.report.legal and not page.left:
        context["done"] = True
    else:
        context |= _proposals(page, seed_of(request.GET.get("seed", "")), wished, seen)
    context |= act_attributes(request, page.version, reverse("act", args=[list_id]))
    # Further proposals come by themselves.
    return render_page_or_part(
        request, "builder/filling.html", "more" if seen else "filling", context
    )


def _proposals(
    page: BuilderPage, seed: int, wished: Sequence[str], seen: Sequence[str]
) -> dict[str, Any]:
    """Return proposals until the time is up, and how to ask for more, or for others."""
    wishes, until = read_wishes(wished, page.catalogue), thread_time() + TIME
    shown, found, impossible = list(seen), list[ProposalView](), False
    more = True
    while more and len(shown) < PROPOSALS and (not found or thread_time() < until):
        made = propose(page.document, page.catalogue, seed, wishes, shown)
        more, impossible = made.found is not None, made.impossible
        if made.found is not None:
            filled = made.found.filled
            proposal = packed(filled.army_list, page.document)
            added = added_by(page, filled.army_list)
            found.append(ProposalView(*added, filled.unfinished, proposal))
            shown.append(made.found.hash)
            seed = made.found.seed + 1
    query = [*(("wish", wish) for wish in wished), ("seed", str(seed))]
    further = more and len(shown) < PROPOSALS
    return {
        "proposals": found,
        "impossible": impossible,
        "more": urlencode([*query, *(("seen", mark) for mark in shown)]) if further else "",
        "others": urlencode(query) if shown else "",
    }


def added_by(page: BuilderPage, made: ArmyList) -> tuple[tuple[NewUnit, ...], tuple[str, ...], int]:
    """Return what a list adds to the page's: units, other changes as sentences, points spent."""
    after, roles = judge_by(made, page.catalogue), page.system.roles
    found = difference(judge_by(page.document, page.catalogue), after)
    picks = {pick.id: pick for pick in after.roster.picks}
    new = []
    for unit in found.units:
        if unit.kind == "new":
            pick = picks[unit.ids[1]]
            taken = (*(roles[role].name for role in pick.roles), *option_names(pick.picks))
            new.append(NewUnit(unit.name, unit.models, unit.after, ", ".join(taken)))
    rest = replace(found, units=tuple(unit for unit in found.units if unit.kind != "new"))
    return tuple(new), rest.lines(12), after.report.spent


@never_cache
@require_safe
def show_questions(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show how much of something a list could have: the questions, and the answer to `ask`."""
    page = current_page(request, list_id)
    known = questions_by_id(page.catalogue)
    asked = known.get(request.GET.get("ask", ""))
    context: dict[str, Any] = {
        "page": page,
        "questions": [(one.id, question_name(one), one is asked) for one in known.values()],
        "asked": asked,
    }
    if asked is not None:
        reply = reply_to(asked, page.document, page.catalogue)
        context |= {"reply": reply, "said": _answer(asked, reply)}
        if reply.army_list is not None and reply.army_list != page.document:
            units, lines, _spent = added_by(page, reply.army_list)
            proposal = packed(reply.army_list, page.document)
            context |= {"units": units, "lines": lines, "proposal": proposal}
    context |= act_attributes(request, page.version, reverse("act", args=[list_id]))
    return render(request, "builder/questions.html", context)


def _answer(question: Question, reply: Reply) -> str:
    if reply.army_list is None:
        if reply.impossible:
            return _("No way was found to make the list legal by adding alone.")
        return _("No answer was found.")
    number = reply.value
    if question.sought is Sought.MODELS:
        if reply.proved:
            text = ngettext("{number} model.", "{number} models.", number)
        else:
            text = ngettext("At least {number} model.", "At least {number} models.", number)
    elif reply.proved:
        text = ngettext("{number} point.", "{number} points.", number)
    elif question.sought is Sought.CHEAPEST:
        text = ngettext("At most {number} point.", "At most {number} points.", number)
    else:
        text = ngettext("At least {number} point.", "At least {number} points.", number)
    return text.format(number=number)
