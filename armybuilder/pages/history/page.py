"""A list's history: its versions, page by page and one by one, as readable lines."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.http import Http404, HttpRequest

from armybuilder.accounts.holders import holder_of
from armybuilder.comparing.difference import difference
from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import mark_of
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, find_version
from armybuilder.loading.armylist import ArmyList, ListBook
from armybuilder.loading.documents import Judged, catalogue_of, judge_by
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
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
    """A version of a list of this browser; without a number the current one. Raises Http404."""
    if number is None:
        return current_version(request, list_id)
    version = find_version(holder_of(request), list_id, number)
    if version is None:
        raise Http404("no such version of a list in this browser")
    return version


def history_page(
    current: Version, number: int, library: Library, wanted: HistoryQuery | None = None
) -> Page:
    """A page of the history of the list whose current version is given; of what is wanted."""
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
    """A sentence of the verdict, its severity, `TO_DO` where something must still come, and where
    it is from.
    """

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
