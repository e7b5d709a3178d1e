"""Pages of event packs to read, and of the verdict on a list at an event."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.downloads import file_response
from armybuilder.engine.sentences import sentence
from armybuilder.lists.selectors import current_version
from armybuilder.lists.services import build_for, event_pack_of
from armybuilder.loading.documents import catalogue_of, judge_at
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack, pack_of_size
from armybuilder.packs.selectors import own_packs, pack_by_key, suiting
from armybuilder.pages.answers import fresh


class PackRule(NamedTuple):
    """Rule of a pack: what it says, and where in the pack.

    `lifted` is what the rule of the game says whose place it takes, or that is lifted. `among` are
    the restrictions of which some must be kept.
    """

    summary: str
    citation: str
    lifted: str = ""
    among: tuple[str, ...] = ()


def pack_context(pack: Pack) -> dict[str, Any]:
    """Return what the template `packs/_pack.html` shows of a pack."""
    library = shipped_library()
    system = library.systems[pack.system]
    names = {book.id: book.name for book in library.books[system.id].values()}
    data = pack.data
    summaries = {rule.head.id: str(rule.head.summary) for rule in system.rules}
    replaced = {one["rule"]: _(one["by"]["summary"]) for one in data.get("replace", ())}
    return {
        "pack": pack,
        "system": system,
        "rules": list(_rules(pack, data["rules"])),
        "changed": [
            PackRule(
                replaced.get(one.rule, ""), str(one.citation), summaries.get(one.rule, one.rule)
            )
            for one in pack.lifted
        ],
        "of_books": [
            (", ".join(names.get(one, one) for one in part["books"]), _rules(pack, part["rules"]))
            for part in data.get("book_rules", ())
        ],
        "entry": data.get("entry", {}),
        "team": data.get("team"),
        "team_rules": list(_rules(pack, data.get("team", {}).get("rules", ()))),
        "scores": [(one, str(pack.cite(one["cite"]))) for one in data.get("scores", ())],
        "texts": [(one, str(pack.cite(one["cite"]))) for one in data.get("texts", ())],
    }


def _rules(pack: Pack, rules: Any) -> Iterator[PackRule]:
    for rule in rules:
        among = tuple(_(one["name"]) for one in rule.get("among", ()))
        yield PackRule(_(rule["summary"]), str(pack.cite(rule["cite"])), among=among)


def written(data: Mapping[str, Any]) -> str:
    """Return a pack as the text of its file."""
    return json.dumps(data, indent=2, ensure_ascii=False)


@fresh
def packs(request: HttpRequest) -> HttpResponse:
    """Show the visitor's own packs, and all shipped ones, by their games."""
    library = shipped_library()
    games = [
        (system, [pack for pack in library.packs.values() if pack.system == system.id])
        for system in sorted(library.systems.values(), key=lambda one: (-one.default_size, one.id))
    ]
    context = {"games": [game for game in games if game[1]], "own": own_packs(holder_of(request))}
    return render(request, "packs/packs.html", context)


@require_safe
def pack(request: HttpRequest, pack_id: str) -> HttpResponse:
    """Show what an event asks of lists, each rule with its place in the pack."""
    context = {**pack_context(_shipped(pack_id)), "key": pack_id}
    return render(request, "packs/pack.html", context)


@require_safe
def pack_file(request: HttpRequest, pack_id: str) -> HttpResponse:
    shipped = _shipped(pack_id)
    return file_response(written(shipped.data).encode(), "application/json", shipped.id, "json")


@fresh
def at_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show the verdicts on a list by its game, and at the event of `pack` or its own."""
    version = current_version(request, list_id)
    document, built_for, key = version.document, event_pack_of(version), request.GET.get("pack", "")
    context: dict[str, Any] = {
        "list_id": list_id,
        "name": document.name,
        "packs": suiting(holder_of(request), document.system),
        "built_for": built_for,
        "key": key,
    }
    chosen = _pack(key) if key else built_for
    if chosen is not None:
        if chosen.system != document.system:
            raise Http404(_("There is no such event pack."))
        chosen = pack_of_size(chosen, document.limit)
        report = judge_at(document, catalogue_of(document, shipped_library()), chosen).report
        context |= {
            "pack": chosen,
            "report": report,
            "refusals": [(sentence(one), one.citation) for one in report.refusals],
            "excused": [(sentence(one), one.citation) for one in report.excused],
        }
    return render(request, "packs/at_event.html", context)


@require_POST
def build_for_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Let the list be built for the event whose pack the form names, or for none."""
    current_version(request, list_id)
    key = request.POST.get("pack", "")
    build_for(holder_of(request), list_id, _pack(key) if key else None)
    return redirect("builder", list_id)


def _pack(key: str) -> Pack:
    pack = pack_by_key(key)
    if pack is None:
        raise Http404(_("There is no such event pack."))
    return pack


def _shipped(pack_id: str) -> Pack:
    pack = shipped_library().packs.get(pack_id)
    if pack is None:
        raise Http404(_("There is no such event pack."))
    return pack
