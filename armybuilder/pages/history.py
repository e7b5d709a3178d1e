"""The history of a list: its versions, going back to one, and differences between any two."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import mark_of
from armybuilder.lists import services
from armybuilder.lists.compaction import EACH, HOURLY
from armybuilder.lists.comparing import list_difference, with_report
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, find_version, lists_of
from armybuilder.lists.services import MAX_LABEL, set_label
from armybuilder.lists.worked_out import WorkedOut, work_out
from armybuilder.loading.armylist import ListBook
from armybuilder.loading.documents import Judged, catalogue_of, judge_by
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import back_to_list, fresh, list_ids, whole_number, with_query
from armybuilder.pages.builder.army import summary
from armybuilder.sheets.content.unit_words import role_names

PER_PAGE = 25
#: Lines about a version's changes, at most.
MOST_LINES = 3
#: A list or a version of it in an address: its id, and "@" with the version's number.
_POINT = re.compile(r"([0-9a-f-]{32,36})(?:@([0-9]{1,9}))?", re.ASCII)
#: Digits of a primary key or a number in an address.
KEY = 18
#: Letters that are looked for in a history.
MAX_TEXT = 80
#: Most lists that are offered to be compared.
MOST_LISTS = 200


class HistoryQuery(NamedTuple):
    """A player's search in a history: words of labels and acts; or all labelled ones."""

    text: str = ""
    labelled: bool = False

    @property
    def filtering(self) -> bool:
        return bool(self.text or self.labelled)

    def fits(self, act: str, label: str) -> bool:
        text = f"{label}\n{act}".casefold()
        every = all(word in text for word in self.text.casefold().split())
        return every and bool(label or not self.labelled)


class Side(NamedTuple):
    """One of two lists to compare: its part of the URL, its name, its page."""

    point: str
    version: Version
    name: str
    words: str
    address: str


@fresh
def history(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show every version of a list, or those that are looked for (`q`, `labelled`), in pages."""
    return _history(request, list_id)


def _history(request: HttpRequest, list_id: UUID, status: int = 200) -> HttpResponse:
    current = current_version(request, list_id)
    wanted = HistoryQuery(request.GET.get("q", "").strip()[:MAX_TEXT], "labelled" in request.GET)
    fields = {"q": wanted.text, "labelled": "1" if wanted.labelled else ""}
    query = urlencode({key: text for key, text in fields.items() if text})
    page = whole_number(request.GET.get("page", ""), KEY) or 1
    context = {
        "current": current,
        "wanted": wanted,
        "query": f"{query}&" if query else "",
        "max_label": MAX_LABEL,
        "list_id": list_id,
        "of_files": isinstance(current.content, ForceList),
        "rows": _history_page(current, page, shipped_library(), wanted),
        "undone": current.army_list.latest - current.number,
        "changed": status == 409,
        "each": EACH,
        "days": HOURLY.days,
    }
    return render(request, "history/history.html", context, status=status)


def _history_page(
    current: Version, number: int, library: Library, wanted: HistoryQuery
) -> dict[str, Any]:
    """Return a page of a list's history, by its current version and the query.

    A version that is undone can be redone; one without a report cannot be checked.
    """
    numbers: Sequence[int] = range(current.army_list.latest, 0, -1)
    if wanted.filtering:
        every = Version.objects.filter(army_list_id=current.army_list_id).order_by("-number")
        acts = every.values_list("number", "act", "label")
        numbers = [at for at, act, label in acts if wanted.fits(act, label)]
    last = max(1, -(-len(numbers) // PER_PAGE))
    number = min(max(number, 1), last)
    shown = numbers[(number - 1) * PER_PAGE : number * PER_PAGE]
    # Each is described by its changes, so that the one before it is needed, too.
    needed = {at - before for at in shown for before in (0, 1)}
    rows = Version.objects.filter(army_list_id=current.army_list_id, number__in=needed)
    versions = {version.number: version for version in rows.prefetch_related("bundle")}
    judged = _found_out_versions(versions, library)
    moments = []
    for at in shown:
        was, now = judged.get(at - 1), judged.get(at)
        moments.append(
            {
                "version": versions[at],
                "current": at == current.number,
                "undone": at > current.number,
                "changes": list_difference(was, now).lines(MOST_LINES) if was and now else (),
                "report": now.report if now else None,
                "points": now.report.numbers[0] if now else 0,
            }
        )
    return {"moments": moments, "number": number, "last": last, "found": len(numbers)}


def _found_out_versions(
    versions: Mapping[int, Version], library: Library
) -> dict[int, Judged | WorkedOut]:
    """Return the versions that can be checked: their game is here and they have all it needs."""
    # The catalogue of the same books is looked for once, also where their content is kept no more.
    catalogues: dict[tuple[str, tuple[ListBook, ...]], Catalogue] = {}
    found: dict[int, Judged | WorkedOut] = {}
    for number, version in versions.items():
        document = version.content
        with suppress(Refusal):
            if isinstance(document, ForceList):
                found[number] = work_out(document)
                continue
            key = document.system, document.books
            if key not in catalogues:
                catalogues[key] = catalogue_of(document, library)
            found[number] = judge_by(document, catalogues[key])
    return found


@require_POST
def label(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Label version `target` or take it off; go to the page `next`, if `alone` to the version."""
    target = whole_number(request.POST.get("target", ""), KEY)
    labelled = set_label(holder_of(request), list_id, target, request.POST.get("label", ""))
    if labelled.label:
        said = _("Version {number} is now labelled “{label}”.")
    else:
        said = _("Removed the label of version {number}.")
    messages.success(request, said.format(number=labelled.number, label=labelled.label))
    if "alone" in request.POST:
        return redirect("version", list_id, labelled.number)
    fields = QueryDict(request.POST.get("next", ""))
    query = {key: fields[key] for key in ("q", "labelled", "page") if fields.get(key)}
    address = with_query(reverse("history", args=[list_id]), urlencode(query))
    return redirect(f"{address}#version-{labelled.number}")


def version_at(request: HttpRequest, list_id: UUID, number: int | None = None) -> Version:
    """Return a version of a list of this browser, else the current one. Raises Http404."""
    if number is None:
        return current_version(request, list_id)
    version = find_version(holder_of(request), list_id, number)
    if version is None:
        raise Http404("no such version of a list in this browser")
    return version


@fresh
def version(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """Show a version as it was. Raises Refusal where its game is not here any more."""
    shown = version_at(request, list_id, number)
    current = shown if shown.number == shown.army_list.number else version_at(request, list_id)
    found = with_report(shown.content)
    if isinstance(found, WorkedOut):
        drawn = drawn_list(found, texts=False)
        more = {"sheet": drawn.sheet, "view": drawn.view}
    else:
        more = rows_of(found)
    context = {
        "shown": shown,
        "current": current,
        "list_id": list_id,
        **more,
        "earlier": number - 1,
        "later": number + 1 if number < shown.army_list.latest else 0,
        "max_label": MAX_LABEL,
    }
    return render(request, "history/version.html", context)


def rows_of(judged: Judged) -> dict[str, Any]:
    """Return a checked document with its units and the lines of the verdict, in their orders."""
    lines = {line.pick.id: line for line in judged.report.full.lines}
    units = []
    for pick in judged.roster.picks:
        line = lines.get(pick.id)
        priced = line is not None and line.unit.price.start is not None
        units.append(
            {
                "name": pick.name or (pick.unit.name if pick.unit else pick.ref),
                "unit_name": pick.unit.name if pick.unit and pick.name else "",
                "models": pick.models,
                "marks": ", ".join(role_names(pick, judged.catalogue.system)),
                "options": summary(line) if line is not None else "",
                "notes": pick.notes,
                "points": str(line.points) if line is not None and priced else "?",
            }
        )
    findings = (
        (mark_of(one.severity, one.state), sentence(one), one.citation)
        for one in judged.report.findings
    )
    return {"judged": judged, "units": units, "findings": list(findings)}


@require_POST
def go_back(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Make the version `target` current; `version` is the one the page showed (primary keys)."""
    seen, target = (whole_number(request.POST.get(key, ""), KEY) for key in ("version", "target"))
    try:
        now = services.go_to(holder_of(request), list_id, seen, target)
    except services.Conflict:
        return _history(request, list_id, status=409)
    said = now.act if now.pk != seen else _("The list already matches that version.")
    return back_to_list(request, list_id, said, "")


@fresh
def compare_lists(request: HttpRequest) -> HttpResponse:
    """Show what differs between `a` and `b`, lists or versions; of one alone to now, or `to`."""
    sides = _sides(request)
    library = shipped_library()
    context: dict[str, Any] = {"sides": sides, "choices": _choices(request, sides, library)}
    if sides:
        before, after = sides
        one_list = before.version.army_list_id == after.version.army_list_id
        was, now = (with_report(side.version.content) for side in sides)
        found = list_difference(was, now, one_list)
        names = None if one_list else (before.name, after.name)
        if names and before.name == after.name:
            names = f"{before.name} (1)", f"{after.name} (2)"
        context |= {
            "difference": found,
            "lines": found.lines(names=names),
            "one_list": one_list,
            "columns": names or (_("Before"), _("After")),
            "swap": urlencode({"a": after.point, "b": before.point}),
        }
    return render(request, "history/difference.html", context)


def _sides(request: HttpRequest) -> list[Side]:
    """Return the two lists that the address names, or none; ticked versions come in order."""
    points = [point for key in "ab" for point in request.GET.getlist(key) if point]
    if not points:
        return []
    if len(points) > 2:
        raise Refusal(_("Select exactly two versions to compare."))
    versions = []
    for point in points:
        match = _POINT.fullmatch(point)
        if match is None:
            raise Http404("no such list")
        (list_id,) = list_ids([match[1]])
        versions.append(version_at(request, list_id, int(match[2]) if match[2] else None))
    if len(versions) == 1:
        other = whole_number(request.GET.get("to", ""), KEY) or None
        versions.append(version_at(request, versions[0].army_list_id, other))
    one_list = versions[0].army_list_id == versions[1].army_list_id
    if one_list and not request.GET.get("b"):
        versions.sort(key=lambda version: version.number)
    return [_side(version, one_list) for version in versions]


def _side(version: Version, one_list: bool) -> Side:
    list_id, name = version.army_list_id, version.content.name
    current = version.number == version.army_list.number
    words = _("as it is now")
    if not current:
        act = f"{version.label} · {version.act}" if version.label else version.act
        words = _("version {number}: {act}").format(number=version.number, act=act)
    if current and not one_list:
        return Side(str(list_id), version, name, words, reverse("builder", args=[list_id]))
    point = f"{list_id}@{version.number}"
    return Side(point, version, name, words, reverse("version", args=[list_id, version.number]))


def _choices(
    request: HttpRequest, sides: list[Side], library: Library
) -> list[tuple[dict[str, list[tuple[str, str]]], str]]:
    """Return menus of this browser's lists by game and name; compared or latest ones are chosen."""
    mine = lists_of(holder_of(request)).values_list("pk", "name", "system")[:MOST_LISTS]
    games: dict[str, list[tuple[str, str]]] = {}
    for list_id, name, system in mine:
        known = library.find_system(system or "")
        game = known.name if known else system or ""
        games.setdefault(game, []).append((str(list_id), name or ""))
    ordered = {
        game: sorted(games[game], key=lambda entry: entry[1].casefold()) for game in sorted(games)
    }
    compared = list(dict.fromkeys(str(side.version.army_list_id) for side in sides))
    latest = [str(row[0]) for row in mine if str(row[0]) not in compared]
    ids = [*compared, *latest]
    return [(ordered, chosen) for chosen in [*ids, *ids][:2]]
