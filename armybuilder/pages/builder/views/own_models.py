"""Own models: a form for name, statistics and special rules, with the price as it changes."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from armybuilder.acts.own_models import OwnModel
from armybuilder.editing.unit_edits import find
from armybuilder.engine.abilities import Ability
from armybuilder.engine.nouns import counted
from armybuilder.engine.vocabulary import Stat
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ListUnit
from armybuilder.loading.library import shipped_library
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import back_to_list, render_for_htmx
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.views.builder import perform
from armybuilder.requests import HtmxRequest

PAGE = "builder/own_model.html"
PRICE = "builder/own_model.html#price"

Draft = dict[str, str]


@require_http_methods(["GET", "POST"])
def own_model(request: HtmxRequest, list_id: UUID, unit: str = "") -> HttpResponse:
    """Make a model of one's own, or change one; a POST with "price" only shows what it costs."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    if not page.system.own_models:
        raise Refusal(_("{game} has no custom models.").format(game=page.system.name))
    if request.method == "GET":
        return _form(request, page, unit, _draft(page, unit))
    draft = request.POST.dict()
    if "price" in draft:
        return _form(request, page, unit, draft)
    try:
        said, entry = perform(request, list_id, {**draft, "act": "own", "unit": unit})[1:]
    except Refusal as refusal:
        return _form(request, page, unit, draft, refusal.sentence)
    except services.Conflict:
        refused = _(
            "This model was changed elsewhere in the meantime. Save again to keep your numbers."
        )
        return _form(request, page, unit, draft, refused)
    return back_to_list(request, list_id, said, entry)


def _form(
    request: HtmxRequest, page: BuilderPage, unit: str, draft: Draft, refused: str = ""
) -> HttpResponse:
    context = {
        "page": page,
        "unit": unit,
        "draft": draft,
        "refused": refused,
        "stats": [_stat_field(stat, draft) for stat in page.system.stats.values()],
        "groups": _ability_groups(page, draft).items(),
        **_price(page, draft),
    }
    template = PRICE if request.htmx else PAGE
    return render_for_htmx(request, template, context, 422 if refused else 200)


def _bounds(stat: Stat) -> range:
    """Return the values an own model may have of a statistic."""
    return range(stat.low or 0, (stat.high or 0) + 1)


def _stat_field(stat: Stat, draft: Draft) -> tuple[Stat, str, range]:
    return stat, draft.get(f"stat-{stat.id}", ""), _bounds(stat)


def _draft(page: BuilderPage, unit: str) -> Draft:
    """The form's fields for an own model on the list; the middle of everything for a new one."""
    if not unit:
        stats = page.system.stats.values()
        return {f"stat-{stat.id}": str(_bounds(stat)[len(_bounds(stat)) // 2]) for stat in stats}
    profile = find(page.document, unit).profile
    if profile is None:
        raise Refusal(_("That is not a custom model."))
    draft = {"name": profile.name}
    draft |= {f"stat-{stat}": str(value) for stat, value in profile.stats.items()}
    for use in profile.abilities:
        draft[f"ability-{use.ability}"] = "on"
        draft[f"target-{use.ability}"] = use.target
    return draft


def _price(page: BuilderPage, draft: Draft) -> dict[str, Any]:
    """What the drafted model costs and what its rules say of it, or why that cannot be told."""
    named = {**draft, "name": draft.get("name", "").strip()[:MAX_NAME] or _("This model")}
    try:
        profile = OwnModel.read(named).profile(page.catalogue)
    except Refusal as refusal:
        return {"price_refused": refusal.sentence}
    units = (ListUnit("u1", 1, profile=profile),)
    alone = replace(page.document, units=units, limit=MAX_LIMIT)
    trial = BuilderPage(Version(document=alone), page.library)
    tellings = [telling for telling in trial.tellings if telling.own]
    return {"points": counted(trial.report.full.lines[0].each, "points"), "tellings": tellings}


def _ability_groups(page: BuilderPage, draft: Draft) -> dict[str, list[tuple[Ability, bool, str]]]:
    """Return the special rules by group, each with whether the draft has it and its target."""
    groups: dict[str, list[tuple[Ability, bool, str]]] = {}
    for ability in page.catalogue.abilities.values():
        held = f"ability-{ability.id}" in draft
        target = draft.get(f"target-{ability.id}", "")
        groups.setdefault(ability.group, []).append((ability, held, target))
    return groups
