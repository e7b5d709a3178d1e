"""A text that holds many lists: a table of them, to keep all or some, or to look at one by one."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.accounts.holders import make_holder
from armybuilder.engine import Report
from armybuilder.engine.sentences import sentence
from armybuilder.exchange.pasting import PastedList, TextPart
from armybuilder.exchange.texts import unclear
from armybuilder.lists import services
from armybuilder.loading.problems import Refusal
from armybuilder.pages.my_lists import bulk
from armybuilder.pages.my_lists.texts import ReadPart, named, read_parts

#: Lines that are not clear which the table shows of a list.
MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class ListRow:
    """A list by its number from 1: as read, the names of its books, lines that are not clear and
    what the text does not name, of which `more` are not shown, and why nothing was read.
    """

    number: int
    part: TextPart
    reading: PastedList | None
    books: str
    lines: tuple[str, ...] = ()
    more: int = 0
    refused: str = ""

    @property
    def name(self) -> str:
        """What the list is called."""
        document = self.reading.document if self.reading else None
        return document.name if document else self.part.name

    @property
    def units(self) -> int:
        """How many units it has."""
        document = self.reading.document if self.reading else None
        return len(document.units) if document else 0

    @property
    def report(self) -> Report | None:
        """The verdict, where there is a unit."""
        return self.reading.report if self.reading and self.units else None

    @property
    def agrees(self) -> bool | None:
        """Whether the points are those in the text; None where it tells none."""
        if self.reading is None or self.report is None or self.reading.printed is None:
            return None
        return self.reading.printed == self.report.spent


def answer_many(request: HttpRequest, text: str, parts: Sequence[TextPart]) -> HttpResponse:
    """Show the lists of a text, or keep those that are asked for."""
    go = request.POST.get("go", "")
    if go not in ("keep", "keep-all"):
        return _table(request, text, parts)
    chosen = set(request.POST.getlist("part"))
    wanted = [part for part in parts if go == "keep-all" or str(part.first) in chosen]
    if not wanted:
        return _table(request, text, parts, _("Select a list first."))
    return _keep(request, wanted)


def _table(
    request: HttpRequest, text: str, parts: Sequence[TextPart], refused: str = ""
) -> HttpResponse:
    rows = [_row(number, read) for number, read in enumerate(read_parts(request, parts), 1)]
    chosen = set(request.POST.getlist("part")) if refused else {
        str(row.part.first) for row in rows if row.units
    }  # fmt: skip
    context = {
        "text": text,
        "rows": rows,
        "chosen": {row.part.first for row in rows if str(row.part.first) in chosen},
        "refused": refused,
        "system": request.POST.get("system", ""),
        "clear": sum(bool(row.units) and not row.lines for row in rows),
        "unread": sum(not row.units for row in rows),
    }
    return render(request, "my_lists/many.html", context, status=422 if refused else 200)


def _row(number: int, read: ReadPart) -> ListRow:
    part, reading = read
    if isinstance(reading, Refusal):
        return ListRow(number, part, None, "", refused=reading.sentence)
    books = reading.catalogue.books if reading.catalogue else ()
    lines = [*unclear(reading), *map(sentence, reading.unnamed)]
    return ListRow(
        number=number,
        part=part,
        reading=reading,
        books=", ".join(book.name for book in books),
        lines=tuple(lines[:MOST_LINES]),
        more=max(0, len(lines) - MOST_LINES),
    )


def _keep(request: HttpRequest, parts: Sequence[TextPart]) -> HttpResponse:
    """Store the lists, all or none but for those without a unit, which are told."""
    holder, made, refused = make_holder(request), [], []
    with transaction.atomic():
        for part, reading in reversed(list(read_parts(request, parts))):
            try:
                document = named(request, _read(reading))
            except Refusal as refusal:
                place = _("Line {number}").format(number=part.first)
                refused.append((part.name or place, refusal.sentence))
                continue
            version = services.create_list(holder, document, _("Pasted as text."))
            made.append(version.army_list_id)
    said = ngettext("Imported {number} list.", "Imported {number} lists.", len(made))
    done = bulk.BulkResult(said.format(number=len(made)), made, "delete", "", refused[::-1])
    bulk.remember(request, done)
    return redirect("my-lists")


def _read(reading: PastedList | Refusal) -> PastedList:
    if isinstance(reading, Refusal):
        raise reading
    return reading
