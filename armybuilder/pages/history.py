"""TODO."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.comparing.difference import difference
from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import mark_of
from armybuilder.lists import services
from armybuilder.lists.labels import MAX_LABEL, set_label
from armybuilder.lists.models import Version
from armybuilder.lists.pruning import EACH, HOURLY
from armybuilder.lists.selectors import current_version, find_version, lists_of
from armybuilder.loading.armylist import ArmyList, ListBook
from armybuilder.loading.documents import Judged, catalogue_of, judge, judge_by
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import back_to_list, list_ids, whole_number, with_query
from armybuilder.pages.builder.army import summary
from armybuilder.sheets.content.structure import severity_word
from armybuilder.sheets.content.unit_words import role_names

Catalogues = dict[tuple[str, tuple[ListBook, ...]], Catalogue]

PER_PAGE = 25
#: How many lines a version gets for what it changed.
MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class Moment:
    """A version in the history. `undone`: it can be redone; `report` None: it cannot be judged."""

    version: Version
    current: bool
    undone: bool
    changes: tuple[str, ...]
    report: Report | None


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """What a player looks for in a history: words of labels and acts; or all that is labelled."""

    text: str = ""
    labelled: bool = False

    @property
    def filtering(self) -> bool:
        """Whether any versions may be left out."""
        return bool(self.text or self.labelled)

    def fits(self, act: str, label: str) -> bool:
        """Whether a version of that act and label is looked for: each word is in one of them."""
        told = f"{label}\n{act}".casefold()
        found = all(word in told for word in self.text.casefold().split())
        return found and bool(label or not self.labelled)


@dataclass(frozen=True, slots=True)
class Page:
    """Versions of a list, the latest first: page `number` of `last`, from 1, of all `found`."""

    moments: tuple[Moment, ...]
    number: int
    last: int
    found: int


def version_at(request: HttpRequest, list_id: UUID, number: int | None = None) -> Version:
    """Return a version of a list of this browser, else the current one. Raises Http404."""
    if number is None:
        return current_version(request, list_id)
    version = find_version(holder_of(request), list_id, number)
    if version is None:
        raise Http404("no such version of a list in this browser")
    return version


def history_page(
    current: Version, number: int, library: Library, wanted: HistoryQuery | None = None
) -> Page:
    """Return a page of the history of a list, by its current version; of what is wanted."""
    numbers = _numbers(current, wanted or HistoryQuery())
    last = max(1, -(-len(numbers) // PER_PAGE))
    number = min(max(number, 1), last)
    shown = numbers[(number - 1) * PER_PAGE : number * PER_PAGE]
    # Each is told by what it changed, so that the one before it is needed, too.
    needed = {one - before for one in shown for before in (0, 1)}
    found = Version.objects.filter(army_list_id=current.army_list_id, number__in=needed)
    versions = {one.number: one for one in found.prefetch_related("bundle")}
    moments = _moments(versions, shown, current, library)
    return Page(moments, number, last, len(numbers))


def _numbers(current: Version, wanted: HistoryQuery) -> Sequence[int]:
    """Return the numbers of the wanted versions, the latest first."""
    if not wanted.filtering:
        return range(current.army_list.latest, 0, -1)
    versions = Version.objects.filter(army_list_id=current.army_list_id).order_by("-number")
    told = versions.values_list("number", "act", "label")
    return [number for number, act, label in told if wanted.fits(act, label)]


def _moments(
    versions: Mapping[int, Version], shown: Sequence[int], current: Version, library: Library
) -> tuple[Moment, ...]:
    """Return the versions of these numbers, each told against the one before it."""
    # The catalogue of the same books is looked for once, also where their content is kept no more.
    catalogues: Catalogues = {}
    judged = {key: _judged(one.document, catalogues, library) for key, one in versions.items()}
    moments = []
    for number in shown:
        before, after = judged.get(number - 1), judged.get(number)
        changes = difference(before, after).lines(MOST_LINES) if before and after else ()
        report, undone = after.report if after else None, number > current.number
        moments.append(Moment(versions[number], number == current.number, undone, changes, report))
    return tuple(moments)


def _judged(document: ArmyList, catalogues: Catalogues, library: Library) -> Judged | None:
    """None: its game is not here any more, or wants what it does not say."""
    key = document.system, document.books
    try:
        if key not in catalogues:
            catalogues[key] = catalogue_of(document, library)
        return judge_by(document, catalogues[key])
    except Refusal:
        return None


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A unit of a version, to read: `points` "?" where unknown."""

    name: str
    unit_name: str
    models: int
    marks: str
    options: str
    notes: str
    points: str


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A sentence of the verdict, its severity and where it is from; `TO_DO` for what must come."""

    severity: str
    sentence: str
    citation: str

    @property
    def word(self) -> str:
        """The severity as it is read: "error"."""
        return severity_word(self.severity)


def unit_rows(judged: Judged) -> list[UnitRow]:
    """Return the units of a document in its order."""
    lines = {line.pick.id: line for line in judged.report.full.lines}
    rows = []
    for pick in judged.roster.picks:
        line = lines.get(pick.id)
        priced = line is not None and line.unit.price.start is not None
        rows.append(
            UnitRow(
                pick.name or (pick.unit.name if pick.unit else pick.ref),
                pick.unit.name if pick.unit and pick.name else "",
                pick.models,
                ", ".join(role_names(pick, judged.catalogue.system)),
                summary(line) if line is not None else "",
                pick.notes,
                str(line.points) if line is not None and priced else "?",
            )
        )
    return rows


def finding_rows(judged: Judged) -> list[FindingRow]:
    """Return what the verdict says, in its order."""
    return [
        FindingRow(mark_of(one.severity, one.state), sentence(one), one.citation)
        for one in judged.report.findings
    ]


#: A list or a version of it in an address: its id, and "@" with the version's number.
_POINT = re.compile(r"([0-9a-f-]{32,36})(?:@([0-9]{1,9}))?", re.ASCII)

#: Digits of a primary key or a number in an address.
KEY = 18
#: Letters that are looked for in a history.
MAX_TEXT = 80
#: Most lists that are offered to be compared.
MOST_LISTS = 200


@never_cache
@require_safe
def history(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Every version of a list, or those that are looked for (`q`, `labelled`), some to a page."""
    return _history(request, list_id)


def _history(request: HttpRequest, list_id: UUID, status: int = 200) -> HttpResponse:
    current = current_version(request, list_id)
    wanted = HistoryQuery(request.GET.get("q", "").strip()[:MAX_TEXT], "labelled" in request.GET)
    page = whole_number(request.GET.get("page", ""), KEY) or 1
    rows = history_page(current, page, shipped_library(), wanted)
    context = {
        "current": current,
        "wanted": wanted,
        "query": _query(wanted),
        "max_label": MAX_LABEL,
        "list_id": list_id,
        "rows": rows,
        "undone": current.army_list.latest - current.number,
        "changed": status == 409,
        "each": EACH,
        "days": HOURLY.days,
    }
    return render(request, "history/history.html", context, status=status)


def _query(wanted: HistoryQuery) -> str:
    """Return what is looked for as the beginning of a query string: "q=orc&"; "" for all."""
    told = {"q": wanted.text, "labelled": "1" if wanted.labelled else ""}
    query = urlencode({key: text for key, text in told.items() if text})
    return f"{query}&" if query else ""


@require_POST
def label(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Label the version `target` (primary key) or take its label away.

    Go back to the page `next`, or to the version where the form says `alone`.
    """
    target = whole_number(request.POST.get("target", ""), KEY)
    labelled = set_label(holder_of(request), list_id, target, request.POST.get("label", ""))
    messages.success(request, _label_said(labelled))
    if "alone" in request.POST:
        return redirect("version", list_id, labelled.number)
    fields = QueryDict(request.POST.get("next", ""))
    query = {key: fields[key] for key in ("q", "labelled", "page") if fields.get(key)}
    address = with_query(reverse("history", args=[list_id]), urlencode(query))
    return redirect(f"{address}#version-{labelled.number}")


def _label_said(version: Version) -> str:
    if not version.label:
        return _("Removed the label of version {number}.").format(number=version.number)
    said = _("Version {number} is now labelled “{label}”.")
    return said.format(number=version.number, label=version.label)


@never_cache
@require_safe
def version(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """Show a version as it was. Raises Refusal where its game is not here any more."""
    shown = version_at(request, list_id, number)
    judged = judge(shown.document, shipped_library())
    current = shown if shown.number == shown.army_list.number else version_at(request, list_id)
    context = {
        "shown": shown,
        "current": current,
        "list_id": list_id,
        "judged": judged,
        "units": unit_rows(judged),
        "findings": finding_rows(judged),
        "earlier": number - 1,
        "later": number + 1 if number < shown.army_list.latest else 0,
        "max_label": MAX_LABEL,
    }
    return render(request, "history/version.html", context)


@require_POST
def go_back(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Make the version `target` current; `version` is the one the page showed (primary keys)."""
    seen, target = (whole_number(request.POST.get(key, ""), KEY) for key in ("version", "target"))
    try:
        now = services.go_to(holder_of(request), list_id, seen, target)
    except services.Conflict:
        return _history(request, list_id, status=409)
    said = now.act if now.pk != seen else _("The list is already like that.")
    return back_to_list(request, list_id, said, "")


@dataclass(frozen=True, slots=True)
class Side:
    """One of two lists to compare: how it stands in an address, what it is called, its page."""

    point: str
    version: Version
    name: str
    words: str
    address: str


@never_cache
@require_safe
def compare_lists(request: HttpRequest) -> HttpResponse:
    """Show what differs between `a` and `b`, lists or versions.

    One alone is compared with its list as it is now, or with its version `to`.
    """
    sides = _sides(request)
    library = shipped_library()
    context: dict[str, object] = {"sides": sides, "choices": _choices(request, sides, library)}
    if sides:
        before, after = sides
        one_list = before.version.army_list_id == after.version.army_list_id
        was, now = (judge(side.version.document, library) for side in sides)
        found = difference(was, now, one_list=one_list)
        names = None if one_list else _told_apart(before.name, after.name)
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
    found = [_find(request, point) for point in points]
    if len(found) == 1:
        other = whole_number(request.GET.get("to", ""), KEY) or None
        found.append(version_at(request, found[0].army_list_id, other))
    one_list = found[0].army_list_id == found[1].army_list_id
    if one_list and not request.GET.get("b"):
        found.sort(key=lambda version: version.number)
    return [_side(version, one_list) for version in found]


def _find(request: HttpRequest, point: str) -> Version:
    match = _POINT.fullmatch(point)
    if match is None:
        raise Http404("no such list")
    (list_id,) = list_ids([match[1]])
    return version_at(request, list_id, int(match[2]) if match[2] else None)


def _side(version: Version, one_list: bool) -> Side:
    list_id, name = version.army_list_id, version.document.name
    current = version.number == version.army_list.number
    words = _("as it is now")
    if not current:
        act = f"{version.label} · {version.act}" if version.label else version.act
        words = _("version {number}: {act}").format(number=version.number, act=act)
    if current and not one_list:
        return Side(str(list_id), version, name, words, reverse("builder", args=[list_id]))
    point = f"{list_id}@{version.number}"
    return Side(point, version, name, words, reverse("version", args=[list_id, version.number]))


def _told_apart(before: str, after: str) -> tuple[str, str]:
    """Return the names of two lists, numbered where they are the same."""
    return (before, after) if before != after else (f"{before} (1)", f"{after} (2)")


@dataclass(frozen=True, slots=True)
class VersionChoice:
    """A menu of lists: the lists by the name of their game, as (id, name), and which is chosen."""

    games: dict[str, list[tuple[str, str]]]
    chosen: str


def _choices(request: HttpRequest, sides: list[Side], library: Library) -> list[VersionChoice]:
    """Return the menus for both sides: this browser's lists by game and name.

    The two that are compared, or else those that were changed last, are chosen. None where there
    are no lists.
    """
    mine = lists_of(holder_of(request)).values_list("pk", "name", "system")
    found = [(key, name or "", system or "") for key, name, system in mine[:MOST_LISTS]]
    games: dict[str, list[tuple[str, str]]] = {}
    for list_id, name, system in found:
        known = library.find_system(system)
        games.setdefault(known.name if known else system, []).append((str(list_id), name))
    ordered = {
        game: sorted(games[game], key=lambda one: one[1].casefold()) for game in sorted(games)
    }
    compared = list(dict.fromkeys(str(side.version.army_list_id) for side in sides))
    latest = [str(row[0]) for row in found if str(row[0]) not in compared]
    ids = [*compared, *latest]
    return [VersionChoice(ordered, one) for one in [*ids, *ids][:2]]
