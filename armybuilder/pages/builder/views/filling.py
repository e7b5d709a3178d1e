"""Proposals to fill a list: loaded into the army where somebody asks, and a page of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from time import thread_time
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.acts.filling import Proposal, known_wishes, propose, read_wishes, seed_of
from armybuilder.acts.proposals import packed
from armybuilder.comparing.difference import difference
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.views.builder import act_attributes
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.content.unit_words import option_names

PAGE = "builder/filling.html"
PART = "builder/filling.html#filling"
#: Further proposals, by themselves.
MORE = "builder/filling.html#more"

#: How many proposals are shown; and in how much processor time of one request, in seconds: the
#: others follow by requests of their own.
PROPOSALS, TIME = 3, 0.08


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A unit of a proposal, with its roles and what is `taken` on it, in words; `points` None where
    its card does not say.
    """

    name: str
    models: int
    points: int | None
    taken: str


@dataclass(frozen=True, slots=True)
class ProposalView:
    """A proposal: the new units, what else changes in sentences, and the points."""

    units: tuple[NewUnit, ...]
    lines: tuple[str, ...]
    spent: int
    unfinished: bool
    proposal: str


@never_cache
@require_safe
def show_filling(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show how points that are left may be spent: `wish` are ids of wishes, `seed` says by which
    chance, `seen` are the hashes of proposals that are shown already.
    """
    page = BuilderPage(current_version(request, list_id), shipped_library())
    known = known_wishes(page.catalogue)
    wished = [one for one in dict.fromkeys(request.GET.getlist("wish")) if one in known]
    seen = [one for one in request.GET.getlist("seen") if one.isalnum()][: PROPOSALS - 1]
    seed = seed_of(request.GET.get("seed", ""))
    context: dict[str, Any] = {
        "page": page,
        "wishes": [(key, name, key in wished) for key, name in known.items()],
        "wished": wished,
        "seen": seen,
    }
    if page.report.legal and not page.left:
        context["done"] = True
    else:
        context |= _proposals(page, seed, wished, seen)
    context |= act_attributes(request, page.version, reverse("act", args=[list_id]))
    part = MORE if seen else PART
    return render_for_htmx(request, part if wants_part(request) else PAGE, context)


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
            found.append(_view(page, made.found))
            shown.append(made.found.hash)
            seed = made.found.seed + 1
    kept = [("wish", one) for one in wished]
    asked = [*kept, ("seed", str(seed))]
    return {
        "proposals": found,
        "impossible": impossible,
        "more": urlencode([*asked, *(("seen", one) for one in shown)])
        if more and len(shown) < PROPOSALS
        else "",
        "others": urlencode(asked) if shown else "",
    }


def _view(page: BuilderPage, proposal: Proposal) -> ProposalView:
    made = proposal.filled.army_list
    units, lines, spent = added_by(page, made)
    text = packed(made, page.document)
    return ProposalView(units, lines, spent, proposal.filled.unfinished, text)


def added_by(page: BuilderPage, made: ArmyList) -> tuple[tuple[NewUnit, ...], tuple[str, ...], int]:
    """Return what a list made of the page's adds to it, as a player reads it: new units, other
    changes in sentences, and the points that are spent then.
    """
    after, roles = judge_by(made, page.catalogue), page.system.roles
    found = difference(judge_by(page.document, page.catalogue), after)
    picks = {pick.id: pick for pick in after.roster.picks}
    new = []
    for one in found.units:
        if one.kind == "new":
            pick = picks[one.ids[1]]
            taken = (*(roles[role].name for role in pick.roles), *option_names(pick.picks))
            new.append(NewUnit(one.name, one.models, one.after, ", ".join(taken)))
    rest = replace(found, units=tuple(one for one in found.units if one.kind != "new"))
    return tuple(new), rest.lines(12), after.report.spent
