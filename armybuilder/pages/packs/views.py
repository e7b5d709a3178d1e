"""Event packs to read, and the verdict on a list at an event."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.downloads import file_response
from armybuilder.engine.catalogue import System
from armybuilder.engine.sentences import sentence
from armybuilder.lists.selectors import current_version
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.event_judging import judge_at
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack


class PackRule(NamedTuple):
    """A rule of a pack as it is read: what it says, where in the pack; `lifted` is what the rule of
    the game says whose place it takes, or that holds no longer. `among` are the restrictions of
    which some must be kept.
    """

    summary: str
    citation: str
    lifted: str = ""
    among: tuple[str, ...] = ()


@require_safe
def packs(request: HttpRequest) -> HttpResponse:
    """All packs, by their games."""
    library = shipped_library()
    games = [
        (system, [pack for pack in library.packs.values() if pack.system == system.id])
        for system in sorted(library.systems.values(), key=lambda one: (-one.default_size, one.id))
    ]
    return render(request, "packs/packs.html", {"games": [one for one in games if one[1]]})


@require_safe
def pack(request: HttpRequest, pack_id: str) -> HttpResponse:
    """What an event asks of lists, each rule with its place in the pack."""
    found = _pack(pack_id)
    library = shipped_library()
    system = library.systems[found.system]
    names = {book.id: book.name for book in library.books[system.id].values()}
    data = found.data
    context = {
        "pack": found,
        "system": system,
        "rules": list(_rules(found, data["rules"])),
        "changed": list(_changed(found, system)),
        "of_books": [
            (", ".join(names.get(one, one) for one in part["books"]), _rules(found, part["rules"]))
            for part in data.get("book_rules", ())
        ],
        "entry": data.get("entry", {}),
        "team": data.get("team"),
        "team_rules": list(_rules(found, data.get("team", {}).get("rules", ()))),
        "scores": [(one, str(found.cite(one["cite"]))) for one in data.get("scores", ())],
        "texts": [(one, str(found.cite(one["cite"]))) for one in data.get("texts", ())],
    }
    return render(request, "packs/pack.html", context)


@require_safe
def pack_file(request: HttpRequest, pack_id: str) -> HttpResponse:
    """The pack as the file that it is."""
    found = _pack(pack_id)
    content = json.dumps(found.data, indent=2, ensure_ascii=False)
    return file_response(content.encode(), "application/json", found.id, "json")


@never_cache
@require_safe
def at_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """The verdict on a list at the event that `pack` names, beside that of its game."""
    version, library = current_version(request, list_id), shipped_library()
    document = version.document
    suiting = [one for one in library.packs.values() if one.system == document.system]
    context: dict[str, Any] = {"list_id": list_id, "name": document.name, "packs": suiting}
    if name := request.GET.get("pack", ""):
        found = next((one for one in suiting if one.id == name), None)
        if found is None:
            raise Http404(_("There is no such event pack."))
        both = judge_at(document, catalogue_of(document, library), found)
        report = both.report
        context |= {
            "pack": found,
            "report": report,
            "refusals": [(sentence(one), one.citation) for one in report.refusals],
            "excused": [(sentence(one), one.citation) for one in report.excused],
        }
    return render(request, "packs/at_event.html", context)


def _pack(pack_id: str) -> Pack:
    found = shipped_library().packs.get(pack_id)
    if found is None:
        raise Http404(_("There is no such event pack."))
    return found


def _rules(pack: Pack, rules: Any) -> Iterator[PackRule]:
    for rule in rules:
        among = tuple(one["name"] for one in rule.get("among", ()))
        yield PackRule(rule["summary"], str(pack.cite(rule["cite"])), among=among)


def _changed(pack: Pack, system: System) -> Iterator[PackRule]:
    """Yield what of the game does not hold, and what takes its place."""
    said: Mapping[str, str] = {rule.head.id: str(rule.head.summary) for rule in system.rules}
    own = {one["rule"]: one["by"]["summary"] for one in pack.data.get("replace", ())}
    for one in pack.lifted:
        yield PackRule(own.get(one.rule, ""), str(one.citation), said.get(one.rule, one.rule))
