"""Texts that are read for a holder: by shipped books and own ones, whole or as many lists."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.http import HttpRequest
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.books.models import OwnBook
from armybuilder.books.pinning import take
from armybuilder.exchange.files import unclear
from armybuilder.exchange.pasting import (
    OtherBook,
    PastedList,
    TextPart,
    game_in,
    game_of_part,
    read_part,
    read_text,
    split_text,
)
from armybuilder.lists.naming import with_free_name
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

#: A list of a text with what it was read as, or why it was not.
ReadPart = tuple[TextPart, PastedList | Refusal]


@dataclass(frozen=True, slots=True)
class TextSource:
    """A text with its lists: the `number` of its file, from 1, and what that is called; 0 and ""
    where it was pasted.
    """

    text: str
    parts: Sequence[TextPart]
    number: int = 0
    file: str = ""

    def by_key(self) -> Iterator[tuple[str, TextPart]]:
        """Yield each list with what a form calls it: its first line, after the number of a file."""
        for part in self.parts:
            yield (f"{self.number}-{part.first}" if self.number else str(part.first)), part


def parts_of(request: HttpRequest, text: str) -> list[TextPart]:
    """Return the lists in a text, of the game that the form chose; one where the form says so."""
    if request.POST.get("one"):
        return [told_part(request.POST, text)]
    system_id = _chosen_system(request.POST)
    return split_text(text.replace("\0", ""), shipped_library(), system_id)


def told_part(fields: Mapping[str, str], text: str) -> TextPart:
    """Return a text with what the form keeps of it as one of several."""
    preface = fields.get("preface", "")
    lines = int(preface) if preface.isascii() and preface.isdigit() and len(preface) < 6 else 0
    return TextPart(1, text, fields.get("name", ""), preface=lines)


def read_whole(request: HttpRequest, text: str, about: TextPart | None = None) -> PastedList:
    """Return the text as read with what was chosen; keep the content of own books first. Raises
    Refusal as `read_text` does.
    """
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
    _keep(request, text, own, system_id, books)
    choices = chosen_before((name, fields.get(name, "")) for name in fields)
    return read_text(text, library, system_id, books, own, choices, about)


def read_parts(request: HttpRequest, parts: Iterable[TextPart]) -> Iterator[ReadPart]:
    """Yield each list of a text with what it was read as, or why it was not."""
    system_id, own = _chosen_system(request.POST), _own_books(holder_of(request))
    for part in parts:
        try:
            if own and not part.chosen.books:
                _keep(request, part.text, own, system_id, ())
            yield part, read_part(part, shipped_library(), system_id, (), own)
        except Refusal as refusal:
            yield part, refusal


def is_doubtful(reading: PastedList | Refusal) -> bool:
    """Return whether a list was read of which something is not clear: a line, what the text does
    not name, its points, the game or its size.
    """
    if isinstance(reading, Refusal) or reading.document is None or not reading.document.units:
        return False
    guessed = not (reading.told and reading.tells_size)
    return reading.agrees is False or guessed or bool(unclear(reading) or reading.unnamed)


def named(request: HttpRequest, reading: PastedList) -> ArmyList:
    """Return the list that was read, with a name. Raises Refusal where there is none."""
    if reading.document is None:
        raise Refusal(_("Choose a game first."))
    if not reading.document.units:
        raise Refusal(_("No unit was found in the text; choose the game and its books."))
    holder, library = make_holder(request), shipped_library()
    take(holder, library.system(reading.system), library, reading.books)
    return with_free_name(holder, reading.document, library)


def chosen_before(fields: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return what the player chose on the review, out of the fields of its form."""
    return {name: value for name, value in fields if name.startswith(("unit-", "piece-")) and value}


def _chosen_system(fields: Mapping[str, str]) -> str | None:
    system_id = fields.get("system", "")
    if system_id and system_id not in shipped_library().systems:
        raise Refusal(_("There is no such game."))
    return system_id or None


def _keep(
    request: HttpRequest,
    text: str,
    own: Sequence[OtherBook],
    system_id: str | None,
    books: Sequence[str],
) -> None:
    """Keep the content of the own books that a text is of."""
    library = shipped_library()
    found = game_in(text, library, system_id, books, own)
    wanted = [book.id for book in own if book.id in found.books]
    if wanted:
        take(holder_of(request), library.system(found.system), library, wanted)


def _own_books(holder: str) -> list[OtherBook]:
    """Return the books of the player's own, for any game."""
    if not holder:
        return []
    books = OwnBook.objects.filter(holder=holder, deleted__isnull=True).order_by("name", "id")
    columns = ("id", "revision", "name", "system")
    return [OtherBook(*values) for values in books.values_list(*columns)]
