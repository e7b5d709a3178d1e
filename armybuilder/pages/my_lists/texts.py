"""Texts that hold lists, read for a holder by shipped books and own ones.

Of many lists a table is shown, to keep all or some, or to look at one by one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.books.models import OwnBook
from armybuilder.books.pinning import take
from armybuilder.engine import Report
from armybuilder.engine.sentences import sentence
from armybuilder.exchange.files import unclear
from armybuilder.exchange.pasting import (
    OtherBook,
    PastedList,
    PastedPart,
    game_in,
    game_of_part,
    read_part,
    read_text,
    split_text,
)
from armybuilder.lists import services
from armybuilder.lists.selectors import with_free_name
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import whole_number
from armybuilder.pages.my_lists import bulk

#: Lines that are not clear which the table shows of a list.
MOST_LINES = 3
#: List of a text with what it was read as, or why it was not.
ReadPart = tuple[PastedPart, PastedList | Refusal]


class TextSource(NamedTuple):
    """Text with its lists, the `number` of its file, from 1, and its name; 0 and "" if pasted."""

    text: str
    parts: Sequence[PastedPart]
    number: int = 0
    file: str = ""

    def by_key(self) -> Iterator[tuple[str, PastedPart]]:
        """Yield each list with what a form calls it: its first line, after the number of a file."""
        for part in self.parts:
            yield (f"{self.number}-{part.first}" if self.number else str(part.first)), part


def parts_of(request: HttpRequest, text: str) -> list[PastedPart]:
    """Return the lists in a text, of the game that the form chose; one if the form says so."""
    fields = request.POST
    if fields.get("one"):
        lines = whole_number(fields.get("preface", ""), 5)
        return [PastedPart(1, text, fields.get("name", ""), preface=lines)]
    return split_text(text.replace("\0", ""), shipped_library(), _chosen_system(fields))


def read_whole(request: HttpRequest, text: str, about: PastedPart | None = None) -> PastedList:
    """Return the text as read with what was chosen; raises Refusal as `read_text` does."""
    fields, library = request.POST, shipped_library()
    text = text.replace("\0", "")
    system_id = _chosen_system(fields)
    # Books that were chosen for another game than the one chosen now are not meant.
    same = fields.get("shown_system", system_id or "") == (system_id or "")
    books = list(dict.fromkeys(filter(None, fields.getlist("book")))) if same else []
    if about and about.chosen.books and not system_id:
        meant = game_of_part(about, library)
        system_id, books = meant.system, list(meant.books)
    own = _own_books(holder_of(request))
    _keep_books(request, text, own, system_id, books)
    choices = {
        name: fields.get(name, "")
        for name in fields
        if name.startswith(("unit-", "piece-")) and fields.get(name)
    }
    return read_text(text, library, system_id, books, own, choices, about)


def read_parts(request: HttpRequest, parts: Iterable[PastedPart]) -> Iterator[ReadPart]:
    """Yield each list of a text with what it was read as, or why it was not."""
    system_id, own = _chosen_system(request.POST), _own_books(holder_of(request))
    for part in parts:
        try:
            if own and not part.chosen.books:
                _keep_books(request, part.text, own, system_id, ())
            yield part, read_part(part, shipped_library(), system_id, (), own)
        except Refusal as refusal:
            yield part, refusal


def is_doubtful(reading: PastedList | Refusal) -> bool:
    """Return whether a list was read of which a line, points, game or size are unclear."""
    if isinstance(reading, Refusal) or reading.document is None or not reading.document.units:
        return False
    guessed = not (reading.told and reading.tells_size)
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


def _chosen_system(fields: Mapping[str, str]) -> str | None:
    system_id = fields.get("system", "")
    if system_id and system_id not in shipped_library().systems:
        raise Refusal(_("There is no such game."))
    return system_id or None


def _keep_books(
    request: HttpRequest,
    text: str,
    own: Sequence[OtherBook],
    system_id: str | None,
    books: Sequence[str],
) -> None:
    """Keep the content of the own books that a text is of."""
    library = shipped_library()
    game = game_in(text, library, system_id, books, own)
    if wanted := [book.id for book in own if book.id in game.books]:
        take(holder_of(request), library.system(game.system), library, wanted)


def _own_books(holder: str) -> list[OtherBook]:
    """Return the books of the player's own, for any game."""
    if not holder:
        return []
    books = OwnBook.objects.filter(holder=holder, deleted__isnull=True).order_by("name", "id")
    return [OtherBook(*one) for one in books.values_list("id", "revision", "name", "system")]


class TextRow(NamedTuple):
    """List of a text by its number from 1, what the form calls it, and the file it is in.

    As read, with a verdict and whether the points agree if there are units; unclear lines, and what
    the text does not name, of which `more` are not shown; or why nothing was read.
    """

    number: int
    key: str
    file: str
    part: PastedPart
    name: str
    reading: PastedList | None = None
    units: int = 0
    game: str = ""
    books: str = ""
    report: Report | None = None
    agrees: bool | None = None
    lines: tuple[str, ...] = ()
    more: int = 0
    refused: str = ""

    @property
    def is_clear(self) -> bool:
        """Whether it was read without a doubt; what size the game has, the table says."""
        return bool(self.units) and not self.lines and self.agrees is not False


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
    return _keep(request, wanted)


def show_table(
    request: HttpRequest,
    sources: Sequence[TextSource],
    refused: str = "",
    others: bulk.BulkResult | None = None,
) -> HttpResponse:
    """Show the lists of texts, why none was kept, and what was done with `others`."""
    rows: list[TextRow] = []
    for source in sources:
        read = read_parts(request, source.parts)
        for (key, _part), one in zip(source.by_key(), read, strict=True):
            rows.append(_row(len(rows) + 1, key, source.file, one))
    ticked = request.POST.getlist("part") if refused else [row.key for row in rows if row.units]
    context = {
        "text": sources[0].text,
        "sources": sources if sources[0].file else (),
        "rows": rows,
        "chosen": set(ticked),
        "refused": refused,
        "others": others,
        "system": request.POST.get("system", ""),
        "clear": sum(row.is_clear for row in rows),
        "unread": sum(not row.units for row in rows),
    }
    return render(request, "my_lists/many.html", context, status=422 if refused else 200)


def _row(number: int, key: str, file: str, read: ReadPart) -> TextRow:
    part, reading = read
    if isinstance(reading, Refusal):
        return TextRow(number, key, file, part, part.name, refused=reading.sentence)
    document, catalogue = reading.document, reading.catalogue
    units = len(document.units) if document else 0
    lines = [*unclear(reading), *map(sentence, reading.unnamed)]
    return TextRow(
        number,
        key,
        file,
        part,
        document.name if document else part.name,
        reading,
        units,
        catalogue.system.name if catalogue else "",
        ", ".join(book.name for book in catalogue.books) if catalogue else "",
        reading.report if units else None,
        reading.agrees if units else None,
        tuple(lines[:MOST_LINES]),
        max(0, len(lines) - MOST_LINES),
    )


def _keep(request: HttpRequest, wanted: Sequence[tuple[TextSource, PastedPart]]) -> HttpResponse:
    """Store the lists, all or none but for those without a unit, which are told."""
    holder, made, refused = make_holder(request), [], []
    read = [(source, *one) for source, part in wanted for one in read_parts(request, [part])]
    with transaction.atomic():
        for source, part, reading in reversed(read):
            try:
                document = named(request, reading)
            except Refusal as refusal:
                place = source.file or _("Line {number}").format(number=part.first)
                refused.append((part.name or place, refusal.sentence))
                continue
            act = _("Imported from a file.") if source.file else _("Pasted as text.")
            version = services.create_list(holder, document, act)
            made.append(version.army_list_id)
    bulk.remember(request, imported(made, refused[::-1]))
    return redirect("my-lists")


def imported(made: list[UUID], refused: Sequence[tuple[str, str]]) -> bulk.BulkResult:
    """Return what is said of lists that were imported."""
    text = ngettext("Imported {number} list.", "Imported {number} lists.", len(made))
    return bulk.BulkResult(text.format(number=len(made)), made, "delete", "", refused)
