"""Pages beside the builder: changed books, charts, units compared, custom models, keys."""

from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.units import TICK, OwnModel
from armybuilder.books.pinning import take
from armybuilder.comparing.editions import Comparison, compare, in_edition
from armybuilder.editing.list_edits import add_book
from armybuilder.editing.unit_edits import find
from armybuilder.engine import choices
from armybuilder.engine.abilities import Ability
from armybuilder.engine.nouns import counted
from armybuilder.engine.vocabulary import Stat
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.loading.armylist import ListUnit
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import back_to_list, fresh, render_for_htmx, wants_part
from armybuilder.pages.builder.charts import charts_of
from armybuilder.pages.builder.keyboard import Command, commands_everywhere, commands_of
from armybuilder.pages.builder.page import BuilderPage, current_page
from armybuilder.pages.builder.shelf import make_entry, read_ticks
from armybuilder.pages.builder.views import perform
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.content.make_judge import line_makeup
from armybuilder.sheets.content.unit_words import MOST, chosen_units, side_by_side, units_query

Draft = dict[str, str]


class ChangeProposal(NamedTuple):
    """A change to be confirmed: its act and fields, and single `parts` (name, query)."""

    title: str
    about: str
    act: str
    fields: dict[str, str]
    yes: str
    comparison: Comparison
    parts: tuple[tuple[str, str], ...] = ()


@fresh
def changes(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show what differs with the `book` as it is now, with all changed ones, or in an `edition`."""
    page = current_page(request, list_id)
    if "edition" in request.GET:
        system_id = request.GET["edition"]
        switched = in_edition(page.document, page.library, system_id)
        name = page.library.system(system_id).name
        title = _("Switch to {name}").format(name=name)
        after = judge(switched.document, page.library)
        proposal = ChangeProposal(
            title,
            _("The same models under the rules of {name}. You can undo it.").format(name=name),
            "edition",
            {"system": system_id},
            title,
            compare(judge(page.document, page.library), after, switched.lost),
        )
    else:
        proposal = _books(page, request.GET.get("book", ""), holder_of(request))
    return render(request, "builder/changes.html", {"page": page, "proposal": proposal})


def _books(page: BuilderPage, book_id: str, holder: str) -> ChangeProposal:
    """Return the change to one changed book, or with no id to all of them."""
    changed = [book for book in page.changed_books if book_id in ("", book.id)]
    if not changed:
        single = _("That book has not changed since it was added to this list.")
        none = _("No book of this list has changed since it was added.")
        raise Refusal(single if book_id else none)
    ids = [book.id for book in changed]
    revisions = take(holder, page.system, page.library, ids)
    document = page.document
    for changed_id, revision in revisions.items():
        document = add_book(document, changed_id, revision)
    title = _("“{name}” has changed").format(name=changed[0].name)
    about = _("This list keeps the book as it was when it was added. With the current book:")
    several = changed if len(changed) > 1 else []
    if several:
        title = _("{number} books have changed").format(number=len(changed))
        about = _(
            "This list keeps its books as they were when they were added. With {names} as "
            "they are now:"
        ).format(names=", ".join(book.name for book in changed))
    return ChangeProposal(
        title,
        about,
        "update-book",
        {"book": ",".join(ids), "revision": ",".join(revisions[changed_id] for changed_id in ids)},
        _("Apply the changes"),
        compare(judge(page.document, page.library), judge(document, page.library)),
        tuple((book.name, urlencode({"book": book.id})) for book in several),
    )


@fresh
def charts(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Show the list's charts, and what the points of each of its units are made of."""
    page = current_page(request, list_id)
    context: dict[str, Any] = {"page": page, "charts": charts_of(page.report, page.catalogue)}
    if wants_part(request):
        return render_for_htmx(request, "builder/charts.html#drawn", context)
    context["made"] = [
        (line.pick.id, page.names[line.pick.id], line_makeup(line, page.system))
        for line in page.report.full.lines
    ]
    return render_for_htmx(request, "builder/charts.html", context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def compare_units(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Compare up to four units (`unit` in the address); the shelf posts those ticked on it."""
    page = current_page(request, list_id)
    if request.method == "POST":
        ticked = read_ticks(request.POST, page.catalogue)
        if not ticked:
            request.session["said"] = _("Select two to four units to compare them.")
            return redirect("builder", list_id)
        query = units_query(page.catalogue.units[ref] for ref in ticked)
        return redirect(f"{reverse('compare-units', args=[list_id])}?{query}")
    chosen = chosen_units(request.GET.getlist("unit"), page.catalogue.units)
    entries = [
        make_entry(choice, page.catalogue, page.report)
        for choice in choices(page.roster, page.catalogue, chosen.units)
    ]
    points = [
        "?" if entry.unit.price.start is None else f"{entry.start} {entry.points}".strip()
        for entry in entries
    ]
    context = {
        "page": page,
        "chosen": chosen,
        "columns": list(zip(chosen.columns, entries, strict=True)),
        "parts": side_by_side(chosen.units, page.system, points) if entries else (),
        "most": MOST,
    }
    return render(request, "builder/compare_units.html", context)


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """Show the keys on a page of their own."""
    return render(request, "builder/keys.html")


@fresh
def commands(request: HttpRequest, list_id: UUID | None = None) -> JsonResponse:
    """Answer what the palette offers; `tick` begins the fields that add several of a unit."""
    offered: list[Command] = []
    if list_id is not None:
        offered += commands_of(current_page(request, list_id))
    offered += commands_everywhere(holder_of(request), shipped_library(), list_id)
    return JsonResponse({"commands": [command.plain for command in offered], "tick": TICK})


@require_http_methods(["GET", "POST"])
def own_model(request: HtmxRequest, list_id: UUID, unit: str = "") -> HttpResponse:
    """Make a model of one's own, or change one; a POST with "price" only shows what it costs."""
    page = current_page(request, list_id)
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
    groups: dict[str, list[tuple[Ability, bool, str]]] = {}
    for ability in page.catalogue.abilities.values():
        target = draft.get(f"target-{ability.id}", "")
        row = (ability, f"ability-{ability.id}" in draft, target)
        groups.setdefault(ability.group, []).append(row)
    context = {
        "page": page,
        "unit": unit,
        "draft": draft,
        "refused": refused,
        "stats": [
            (stat, draft.get(f"stat-{stat.id}", ""), _bounds(stat))
            for stat in page.system.stats.values()
        ],
        "groups": groups.items(),
        **_price(page, draft),
    }
    template = "builder/own_model.html#price" if request.htmx else "builder/own_model.html"
    return render_for_htmx(request, template, context, 422 if refused else 200)


def _bounds(stat: Stat) -> range:
    return range(stat.low or 0, (stat.high or 0) + 1)


def _draft(page: BuilderPage, unit: str) -> Draft:
    """Return the fields for an own model on the list; the middle of everything for a new one."""
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
    """Return what the drafted model costs and what its rules say of it, or why that is unknown."""
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
