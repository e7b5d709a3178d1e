"""Texts that hold many lists: a table of them, to keep all or some, or to look at one by one."""

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
from armybuilder.exchange.files import unclear
from armybuilder.exchange.pasting import PastedList, TextPart
from armybuilder.lists import services
from armybuilder.loading.problems import Refusal
from armybuilder.pages.my_lists import bulk
from armybuilder.pages.my_lists.texts import ReadPart, TextSource, named, read_parts

#: Lines that are not clear which the table shows of a list.
MOST_LINES = 3


@dataclass(frozen=True, slots=True)
class ListRow:
    """A list by its number from 1, what the form calls it and the file it is in: as read, the names
    of its books, lines that are not clear and what the text does not name, of which `more` are not
    shown, and why nothing was read.
    """

    number: int
    key: str
    file: str
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
    def game(self) -> str:
        """The game that it was read by."""
        catalogue = self.reading.catalogue if self.reading else None
        return catalogue.system.name if catalogue else ""

    @property
    def report(self) -> Report | None:
        """The verdict, where there is a unit."""
        return self.reading.report if self.reading and self.units else None

    @property
    def agrees(self) -> bool | None:
        """Whether the points are those in the text; None where it tells none."""
        return self.reading.agrees if self.reading and self.units else None

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
    """Show the lists of texts; `refused` is why nothing was kept, `others` what was done with files
    that came with the texts.
    """
    rows: list[ListRow] = []
    for source in sources:
        read = read_parts(request, source.parts)
        for (key, _part), one in zip(source.by_key(), read, strict=True):
            rows.append(_row(len(rows) + 1, key, source.file, one))
    chosen = set(request.POST.getlist("part")) if refused else {
        row.key for row in rows if row.units
    }  # fmt: skip
    context = {
        "text": sources[0].text,
        "sources": sources if sources[0].file else (),
        "rows": rows,
        "chosen": chosen,
        "refused": refused,
        "others": others,
        "system": request.POST.get("system", ""),
        "clear": sum(row.is_clear for row in rows),
        "unread": sum(not row.units for row in rows),
    }
    return render(request, "my_lists/many.html", context, status=422 if refused else 200)


def _row(number: int, key: str, file: str, read: ReadPart) -> ListRow:
    part, reading = read
    if isinstance(reading, Refusal):
        return ListRow(number, key, file, part, None, "", refused=reading.sentence)
    books = reading.catalogue.books if reading.catalogue else ()
    lines = [*unclear(reading), *map(sentence, reading.unnamed)]
    return ListRow(
        number=number,
        key=key,
        file=file,
        part=part,
        reading=reading,
        books=", ".join(book.name for book in books),
        lines=tuple(lines[:MOST_LINES]),
        more=max(0, len(lines) - MOST_LINES),
    )


def _keep(request: HttpRequest, wanted: Sequence[tuple[TextSource, TextPart]]) -> HttpResponse:
    """Store the lists, all or none but for those without a unit, which are told."""
    holder, made, refused = make_holder(request), [], []
    read = [(source, *one) for source, part in wanted for one in read_parts(request, [part])]
    with transaction.atomic():
        for source, part, reading in reversed(read):
            try:
                document = named(request, _read(reading))
            except Refusal as refusal:
                place = source.file or _("Line {number}").format(number=part.first)
                refused.append((part.name or place, refusal.sentence))
                continue
            about = _("Imported from a file.") if source.file else _("Pasted as text.")
            version = services.create_list(holder, document, about)
            made.append(version.army_list_id)
    said = ngettext("Imported {number} list.", "Imported {number} lists.", len(made))
    done = bulk.BulkResult(said.format(number=len(made)), made, "delete", "", refused[::-1])
    bulk.remember(request, done)
    return redirect("my-lists")


def _read(reading: PastedList | Refusal) -> PastedList:
    if isinstance(reading, Refusal):
        raise reading
    return reading
