"""Lists kept: of texts, read by shipped books and own ones, and of files; several changed at once.

Of many lists a table is shown, to keep all or some, or to look at one by one. What another
program's file said is kept for the session.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, ngettext_lazy

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.battlescribe.files.roster_files import ReadRoster
from armybuilder.battlescribe.rosters import Remark
from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import library_of, take
from armybuilder.engine.names import simple
from armybuilder.engine.sentences import sentence
from armybuilder.exchange.files import UploadedList, read_files, unclear
from armybuilder.exchange.pasting import (
    PastedList,
    PastedPart,
    editions_of,
    in_one_edition,
    read_part,
    read_text,
    split_text,
)
from armybuilder.exchange.pasting.head import HeadChoice, disagreement, fits_summed
from armybuilder.lists import flags, services
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.file_imports import KeptGames
from armybuilder.lists.forces import store_list
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions, with_free_name
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import whole_number

#: Session key of the last act, until the page has reported it.
DONE = "lists_done"


@dataclass(frozen=True, slots=True)
class BulkResult:
    """A sentence on the act, the changed lists, the act (and tags) to undo it, refusals."""

    said: str
    changed: list[UUID]
    undo: str
    tags: str = ""
    refused: Sequence[tuple[str, str]] = ()


def remember(
    request: HttpRequest,
    done: BulkResult,
    ticked: Sequence[UUID] = (),
    focus: str = "",
    rosters: bool = False,
) -> None:
    """Keep an act, and the ticks and focus of the page, until the page reports and undoes it."""
    request.session[DONE] = {
        "said": done.said,
        "undo": done.undo if done.changed else "",
        "lists": [str(one) for one in done.changed],
        "tags": done.tags,
        "ticked": [str(one) for one in ticked],
        "focus": focus,
        "refused": done.refused,
        "rosters": rosters,
    }


#: Acts, with the sentences about them. Those with tags take them.
_ACTS: dict[str, Any] = {
    "pin": ngettext_lazy("Pinned {number} list.", "Pinned {number} lists.", "number"),
    "unpin": ngettext_lazy("Unpinned {number} list.", "Unpinned {number} lists.", "number"),
    "archive": ngettext_lazy("Archived {number} list.", "Archived {number} lists.", "number"),
    "unarchive": ngettext_lazy("Unarchived {number} list.", "Unarchived {number} lists.", "number"),
    "delete": ngettext_lazy("Deleted {number} list.", "Deleted {number} lists.", "number"),
    "restore": ngettext_lazy("Restored {number} list.", "Restored {number} lists.", "number"),
    "tag": ngettext_lazy(
        "Tagged {number} list: {tags}.", "Tagged {number} lists: {tags}.", "number"
    ),
    "untag": ngettext_lazy(
        "Untagged {number} list: {tags}.", "Untagged {number} lists: {tags}.", "number"
    ),
}
#: The act that undoes each.
_UNDO = {"pin": "unpin", "archive": "unarchive", "delete": "restore", "tag": "untag"}
_UNDO |= {undo: act for act, undo in _UNDO.items()}


def do_act(name: str, holder: str, ids: Sequence[UUID], fields: Mapping[str, str]) -> BulkResult:
    """Do an act with some of the holder's lists. Raises Refusal if unknown or without a tag."""
    if name not in _ACTS:
        raise Refusal(_("That button is unknown. Reload the page."))
    tags = flags.read_tags(fields.get("tags", "")) if name in ("tag", "untag") else []
    if name in ("tag", "untag") and not tags:
        raise Refusal(_("Write a tag first."))
    changed = getattr(flags, name)(holder, ids, *([tags] if tags else []))
    return BulkResult(
        _ACTS[name].format(number=len(changed), tags=", ".join(tags)),
        changed,
        _UNDO[name],
        ", ".join(tags),
    )


_KEY = "rosters_read"
#: Lists and remarks in the session, at most: it is loaded with every page.
MOST_LISTS, MOST_REMARKS = 20, 100


def keep(request: HttpRequest, saved: UploadedList) -> list[UUID]:
    """Store opened lists, all or none; the first file becomes the list that comes first."""
    if not saved.documents:
        return []
    holder, library, made = make_holder(request), shipped_library(), []
    now = own_library(request).books
    with transaction.atomic():
        for at, document in reversed([*enumerate(saved.documents)]):
            mine = {book.id: book.revision for book in now[document.system].values()}
            pins = [one.id for one in document.books if one.revision == mine.get(one.id)]
            system = library.system(document.system)
            take(holder, system, library, [book for book in pins if is_own_id(book)])
            if at in saved.readings:  # as another program had it, perhaps without a name
                document = with_free_name(holder, document, library)
            version = services.create_list(holder, document, _("Imported from a file."))
            made.append(version.army_list_id)
    if saved.readings:
        # The news about them, instead of the former ones.
        room, kept = MOST_REMARKS, []
        for at, reading in [*saved.readings.items()][:MOST_LISTS]:
            told = reading.remarks[:room]
            room -= len(told)
            more = reading.more + len(reading.remarks) - len(told)
            entry = {"id": str(made[-1 - at]), "spent": reading.spent, "told": told, "more": more}
            kept.append(entry)
        request.session[_KEY] = kept
    return made


def to_list(saved: UploadedList, made: Sequence[UUID]) -> HttpResponse:
    """Redirect to the only list that was stored, or to the remarks on its file."""
    return redirect("rosters-read") if saved.readings else redirect("builder", made[0])


def open_text(request: HttpRequest, text: str, ending: str) -> HttpResponse:
    """Open the list of a file with that ending, of which only the text is there."""
    content = text.lstrip("\ufeff \t\r\n").encode("utf-8", "replace")
    kept = KeptGames(holder_of(request)).file
    file = SimpleUploadedFile(f"list{ending}", content)
    saved = read_files([file], own_library(request), kept)
    for _name, refusal in saved.refused:
        raise refusal
    if saved.of_files:
        return answer_read(request, saved.of_files, ())
    return to_list(saved, keep(request, saved))


def recall(request: HttpRequest, library: Library) -> list[dict[str, Any]]:
    """Return the imported lists that still exist, in the order of the files.

    Each as it is now, with whether it costs the points in the file, if that gives any; the remarks
    on it, of which `more` aren't shown.
    """
    kept: list[dict[str, Any]] = request.session.get(_KEY, [])
    ids = [UUID(entry["id"]) for entry in kept]
    versions = current_versions(holder_of(request)).filter(army_list_id__in=ids) if ids else ()
    by_id = {str(version.army_list_id): version for version in versions}
    rows = []
    for entry in kept:
        if version := by_id.get(entry["id"]):
            report = judge(version.document, library).report
            remarks = [Remark(*remark) for remark in entry["told"]]
            same = entry["spent"] in (None, report.spent)
            row = {"version": version, "report": report, "same_points": same, "remarks": remarks}
            rows.append({**entry, **row})
    return rows


#: Lines that are not clear which the table shows of a list.
MOST_LINES = 3
#: List of a text with its reading, or the refusal.
ReadPart = tuple[PastedPart, PastedList | Refusal]


class TextSource(NamedTuple):
    """Text with its lists, the `number` of its file, from 1, and its name; 0 and "" if pasted."""

    text: str
    parts: Sequence[PastedPart]
    number: int = 0
    file: str = ""

    def by_key(self) -> Iterator[tuple[str, PastedPart]]:
        """Yield each list with its key in a form: its first line, after the number of a file."""
        for part in self.parts:
            yield (f"{self.number}-{part.first}" if self.number else str(part.first)), part


def own_library(request: HttpRequest) -> Library:
    """Return the library with the visitor's own books and games."""
    return library_of(holder_of(request), shipped_library())


def parts_of(fields: QueryDict, text: str, library: Library) -> list[PastedPart]:
    """Return the lists in a text, of the game that the form chose; one if the form says so."""
    if fields.get("one"):
        lines, size = (whole_number(fields.get(name, ""), 5) for name in ("preface", "size"))
        return [PastedPart(1, text, fields.get("name", ""), preface=lines, size=size)]
    system, several = _chosen_system(fields, library), bool(fields.get("several"))
    return split_text(text.replace("\0", ""), library, system, several)


def read_whole(
    fields: QueryDict, text: str, library: Library, about: PastedPart | None = None
) -> PastedList:
    """Return the text read with the form's choices; raises Refusal as `read_text` does."""
    text = text.replace("\0", "")
    system_id = _chosen_system(fields, library)
    # Books that were chosen for another game than the one chosen now are not meant.
    same = fields.get("shown_system", system_id or "") == (system_id or "")
    books = list(dict.fromkeys(filter(None, fields.getlist("book")))) if same else []
    if about and about.chosen.books and not system_id:
        (about,) = in_one_edition([about], library, fields.get("edition", ""))
    choices = {
        name: fields.get(name, "")
        for name in fields
        if name.startswith(("unit-", "piece-")) and fields.get(name)
    }
    return read_text(text, library, system_id, books, choices, about)


def read_parts(
    fields: QueryDict, parts: Iterable[PastedPart], library: Library
) -> Iterator[ReadPart]:
    """Yield each list of a text with its reading, or the refusal.

    Those that name no edition are of one, which the form may choose.
    """
    system_id = _chosen_system(fields, library)
    several = list(parts)
    if system_id is None:
        several = in_one_edition(several, library, fields.get("edition", ""))
    for part in several:
        try:
            yield part, read_part(part, library, system_id)
        except Refusal as refusal:
            yield part, refusal


def is_doubtful(reading: PastedList | Refusal) -> bool:
    """Return whether a list was read of which a line, points, game or size are unclear."""
    if isinstance(reading, Refusal) or reading.document is None or not reading.document.units:
        return False
    guessed = not (reading.named and reading.tells_size)
    return reading.agrees is False or guessed or bool(unclear(reading) or reading.unnamed)


def named(request: HttpRequest, reading: PastedList | Refusal) -> ArmyList:
    """Return the list that was read, with a name. Raises Refusal if there is none."""
    if isinstance(reading, Refusal):
        raise reading
    if reading.document is None:
        raise Refusal(_("Choose a game first."))
    if not reading.document.units:
        raise Refusal(_("No unit was found in the text; choose the game and its books."))
    holder, library = make_holder(request), shipped_library()
    take(holder, library.system(reading.system), library, reading.books)
    return with_free_name(holder, reading.document, library)


def _chosen_system(fields: Mapping[str, str], library: Library) -> str | None:
    system_id = fields.get("system", "")
    if system_id and system_id not in library.systems:
        raise Refusal(_("There is no such game."))
    return system_id or None


def answer_many(request: HttpRequest, sources: Sequence[TextSource]) -> HttpResponse:
    """Show the lists of one or several texts, or keep those that are asked for."""
    go = request.POST.get("go", "")
    if go not in ("keep", "keep-all"):
        return show_table(request, sources)
    chosen = set(request.POST.getlist("part"))
    wanted = [
        (source, part)
        for source in sources
        for key, part in source.by_key()
        if go == "keep-all" or key in chosen
    ]
    if not wanted:
        return show_table(request, sources, _("Select a list first."))
    return _keep_parts(request, wanted)


def show_table(
    request: HttpRequest,
    sources: Sequence[TextSource],
    refused: str = "",
    others: BulkResult | None = None,
) -> HttpResponse:
    """Show the lists of texts, why none was kept, and the result for `others`."""
    rows: list[dict[str, Any]] = []
    readings: list[PastedList] = []
    library = own_library(request)
    for source in sources:
        read = read_parts(request.POST, source.parts, library)
        for (key, _part), (part, reading) in zip(source.by_key(), read, strict=True):
            rows.append(_row(len(rows) + 1, key, source.file, (part, reading)))
            readings += [reading] if isinstance(reading, PastedList) else []
    editions, edition = _editions(readings, library)
    ticked = request.POST.getlist("part")
    if not refused:
        ticked = [row["key"] for row in rows if row["units"]]
    context = {
        "text": sources[0].text,
        "sources": sources if sources[0].file else (),
        "rows": rows,
        "chosen": set(ticked),
        "refused": refused,
        "others": others,
        "system": request.POST.get("system", ""),
        "several": request.POST.get("several", ""),
        "editions": editions,
        "edition": edition,
        "disagreement": disagreement(fits_summed(fit for read in readings for fit in read.fits)),
        "clear": sum(row["is_clear"] for row in rows),
        "unread": sum(not row["units"] for row in rows),
    }
    return render(request, "my_lists/many.html", context, status=422 if refused else 200)


def _editions(readings: Iterable[PastedList], library: Library) -> tuple[dict[str, str], str]:
    """Return the games that lists may be of which name no edition, and that of most of them."""
    names, meant = dict[str, str](), Counter[str]()
    for reading in readings:
        games = (
            () if reading.told else editions_of(HeadChoice(reading.system, reading.books), library)
        )
        if len(games) > 1:
            names |= {game.system: library.system(game.system).name for game in games}
            meant[reading.system] += 1
    return names, next((system for system, _number in meant.most_common(1)), "")


def _row(number: int, key: str, file: str, read: ReadPart) -> dict[str, Any]:
    """Return a row for a list of a text: its number from 1, its key in the form, and its file.

    As read, with a verdict and whether the points agree if there are units; unclear lines, and the
    things that the text doesn't name, of which `more` are not shown; or why nothing was read. It
    `is_clear` if it was read without a doubt; the table gives the game size.
    """
    part, reading = read
    row = {"number": number, "key": key, "file": file, "part": part, "name": part.name}
    if isinstance(reading, Refusal):
        return {**row, "units": 0, "is_clear": False, "refused": reading.sentence}
    document, catalogue = reading.document, reading.catalogue
    units = len(document.units) if document else 0
    lines = [*filter(None, [part.doubt]), *unclear(reading), *map(sentence, reading.unnamed)]
    return row | {
        "name": document.name if document else part.name,
        "reading": reading,
        "units": units,
        "game": catalogue.system.name if catalogue else "",
        "books": ", ".join(book.name for book in catalogue.books) if catalogue else "",
        "report": reading.report if units else None,
        "agrees": reading.agrees if units else None,
        "lines": lines[:MOST_LINES],
        "more": max(0, len(lines) - MOST_LINES),
        "is_clear": units > 0 and not lines and reading.agrees is not False,
    }


def _keep_parts(
    request: HttpRequest, wanted: Sequence[tuple[TextSource, PastedPart]]
) -> HttpResponse:
    """Store the lists, all or none; those without a unit are reported."""
    holder, made, refused = make_holder(request), [], []
    library = own_library(request)
    read = [
        (source, *one)
        for source, group in groupby(wanted, key=itemgetter(0))
        for one in read_parts(request.POST, [part for _source, part in group], library)
    ]
    with transaction.atomic():
        for source, part, reading in reversed(read):
            try:
                document = named(request, reading)
            except Refusal as refusal:
                place = source.file or _("Line {number}").format(number=part.first)
                refused.append((part.name or place, refusal.sentence))
                continue
            act = _("Imported from a file.") if source.file else _("Pasted as text.")
            made.append(services.create_list(holder, document, act).army_list_id)
    remember(request, imported(made, refused[::-1]))
    return redirect("my-lists")


def imported(made: list[UUID], refused: Sequence[tuple[str, str]]) -> BulkResult:
    """Return the result of an import of lists."""
    text = ngettext("Imported {number} list.", "Imported {number} lists.", len(made))
    return BulkResult(text.format(number=len(made)), made, "delete", "", refused)


def keep_read(request: HttpRequest, read: Sequence[ReadRoster]) -> list[Version]:
    """Store lists that were read from files. Raises Refusal, NoRoom."""
    holder, act = make_holder(request), _("Imported from a file.")
    return [store_list(holder, one.document, act) for one in read]


def answer_read(
    request: HttpRequest,
    read: Sequence[ReadRoster],
    refused: Sequence[tuple[str, Refusal]],
) -> HttpResponse:
    """Store imported lists; redirect to the only one, or show the remarks."""
    made = keep_read(request, read)
    if len(made) == 1 and not read[0].told and not refused:
        return redirect("builder", made[0].army_list_id)
    rows = [
        {"id": version.army_list_id, "name": one.document.name, "told": one.told}
        for version, one in zip(made, read, strict=True)
    ]
    told = [(name, refusal.sentence) for name, refusal in refused]
    return render(request, "my_lists/file_lists.html", {"rows": rows, "refused": told})


def answer_file_text(request: HttpRequest, text: str, library: Library) -> HttpResponse | None:
    """Show how a text of such a game was read, or make the list if asked; None: of another game.

    Raises Refusal where no unit is found in it.
    """
    games = KeptGames(holder_of(request))
    books = (book.name for of_game in library.books.values() for book in of_game.values())
    key = games.text(text, request.POST.get("system", ""), frozenset(map(simple, books)))
    if not key:
        return None
    read = games.read(text.replace("\0", ""), key)
    if request.POST.get("go") == "make":
        act = _("Pasted as text.")
        version = store_list(make_holder(request), read.document, act)
        return redirect("builder", version.army_list_id)
    shown = drawn_list(read.document)
    context = {
        "text": text,
        "told": read.told,
        "sheet": shown.sheet,
        "view": shown.view,
        "choice": request.POST.get("system", ""),
    }
    return render(request, "my_lists/file_text.html", context)
