"""One book: its cards in a table, and the acts of its buttons; htmx gets the part that changes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring import edits
from armybuilder.authoring.hints import hints_of
from armybuilder.authoring.marks import about_of, find_unit, mark_of
from armybuilder.books import services
from armybuilder.books.models import OwnBook
from armybuilder.books.selectors import own_book
from armybuilder.books.services import BookResult, Watch, change_book
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.books.shown import rows_of
from armybuilder.pages.books.views.common import address, fields_of, page_of, system_of
from armybuilder.requests import HtmxRequest

PAGE = "books/book.html"
PANEL = "books/book.html#panel"
ROWS = "books/book.html#rows"

CHANGED = gettext_lazy(
    "That was changed elsewhere, in another window or on another page, after this "
    "page was loaded. Nothing was done; below is the current book."
)


@never_cache
@require_safe
def page(request: HtmxRequest, book_id: str) -> HttpResponse:
    """The page of a book; by htmx only its cards, searched anew."""
    return _show(request, own_book(request, book_id), ROWS if wants_part(request) else PAGE)


def _show(
    request: HttpRequest, book: OwnBook, template: str, status: int = 200, **more: Any
) -> HttpResponse:
    system = system_of(book)
    search, number = page_of(request.GET)
    context = {
        "book": book,
        "system": system,
        "rows": rows_of(book.data, system, search, number),
        "about_mark": mark_of(about_of(book.data)),
        "act_url": address("book-act", book.pk, q=search, page=number),
        "share_url": _share_url(request, book),
        "hints": hints_of(book.data),
        **more,
    }
    return render_for_htmx(request, template, context, status)


def _share_url(request: HttpRequest, book: OwnBook) -> str:
    """Return the whole address to give away; "" where the book is not shared."""
    if not book.shared or not book.share_token:
        return ""
    where = reverse("shared-book", args=[book.pk, book.share_token])
    return request.build_absolute_uri(where)


@dataclass(frozen=True, slots=True)
class BookQuery:
    """What a button asks for: the unit meant, its mark on the page, and the form's fields."""

    system: System
    unit: str
    mark: str
    fields: dict[str, str]


@require_POST
def act(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Do what a button asks: `act` is its name, or "name:unit:mark"."""
    book = own_book(request, book_id)
    fields = fields_of(request)
    name, _colon, what = fields.get("act", "").partition(":")
    unit, _colon, mark = what.partition(":")
    template = PANEL if request.htmx else PAGE
    typed = fields if name == "rename" else {}
    try:
        said = ACTS.get(name, _unknown)(
            request, book, BookQuery(system_of(book), unit, mark, fields)
        )
    except Refusal as refusal:
        now = own_book(request, book_id)
        return _show(request, now, template, 422, refused=refusal.sentence, typed=typed)
    except services.Conflict as conflict:
        return _show(request, conflict.book, template, 409, refused=CHANGED, typed=typed)
    return _after(request, book_id, name, said)


def _after(request: HtmxRequest, book_id: str, name: str, said: str) -> HttpResponse:
    """What is shown after an act that was done."""
    if name == "delete":
        messages.success(request, said, extra_tags=f"book:{book_id}")
        return _to(request, address("my-books"))
    if request.htmx and name in IN_PLACE:
        return _show(request, own_book(request, book_id), PANEL, said=said)
    messages.success(request, said)
    part = "#book-share" if name in ("share", "unshare") else ""
    return _to(request, address("own-book", book_id, **request.GET.dict()) + part)


def _to(request: HtmxRequest, where: str) -> HttpResponse:
    """A redirect, which htmx follows as a whole page."""
    if request.htmx:
        return HttpResponse(headers={"HX-Redirect": where})
    return redirect(where)


def _edit(
    request: HttpRequest, book: OwnBook, asked: BookQuery, edit: Callable[..., BookResult]
) -> str:
    """Change the unit that a button stands beside; the unit watched where the page marks it."""
    watch = Watch(lambda data: find_unit(data, asked.unit), asked.mark) if asked.mark else None
    changed = change_book(
        holder_of(request), book.pk, lambda data: edit(data, asked.system, asked.unit), watch
    )
    return changed.done.said


def _name(book: Document, unit_id: str) -> str:
    unit = find_unit(book, unit_id)
    if unit is None:
        raise Refusal(_("That card is no longer in the book."))
    return str(unit["name"])


def _remove(book: Document, system: System, unit_id: str) -> BookResult:
    name = _name(book, unit_id)
    said = _("Removed “{name}”.").format(name=name)
    return BookResult(edits.remove_unit(book, system, unit_id), said)


def _copy(book: Document, system: System, unit_id: str) -> BookResult:
    name = _name(book, unit_id)
    document, made = edits.duplicate_unit(book, system, unit_id)
    return BookResult(document, _("Copied “{name}”.").format(name=name), made)


def _move(step: int) -> Callable[..., BookResult]:
    def move(book: Document, system: System, unit_id: str) -> BookResult:
        told = _("Moved “{name}” up.") if step < 0 else _("Moved “{name}” down.")
        said = told.format(name=_name(book, unit_id))
        return BookResult(edits.move_unit(book, system, unit_id, step), said)

    return move


def _rename(request: HttpRequest, book: OwnBook, asked: BookQuery) -> str:
    name, about = (asked.fields.get(key, "").strip() for key in ("name", "about"))
    changed = change_book(
        holder_of(request),
        book.pk,
        lambda data: BookResult(
            edits.rename(data, asked.system, name, about),
            _("Changed the book’s name or description."),
        ),
        Watch(about_of, asked.fields.get("mark", "")),
    )
    return changed.done.said


def _undo(request: HttpRequest, book: OwnBook, asked: BookQuery) -> str:
    return services.step(holder_of(request), book.pk, asked.fields.get("revision", ""))[1]


def _share(request: HttpRequest, book: OwnBook, asked: BookQuery) -> str:
    services.share_book(holder_of(request), book.pk)
    return _("Shared. Anyone with the address below can see the book and copy it.")


def _unshare(request: HttpRequest, book: OwnBook, asked: BookQuery) -> str:
    services.unshare_book(holder_of(request), book.pk)
    return _("No longer shared. The old address no longer works.")


def _delete(request: HttpRequest, book: OwnBook, asked: BookQuery) -> str:
    services.delete_book(holder_of(request), book.pk)
    return _("Deleted “{name}”.").format(name=book.name)


def _unknown(request: HttpRequest, book: OwnBook, asked: BookQuery) -> str:
    raise Refusal(_("That button is unknown. Reload the page."))


def _on_unit(edit: Callable[..., BookResult]) -> Callable[[HttpRequest, OwnBook, BookQuery], str]:
    return lambda request, book, asked: _edit(request, book, asked, edit)


ACTS: dict[str, Callable[[HttpRequest, OwnBook, BookQuery], str]] = {
    "remove": _on_unit(_remove),
    "copy": _on_unit(_copy),
    "up": _on_unit(_move(-1)),
    "down": _on_unit(_move(1)),
    "undo": _undo,
    "rename": _rename,
    "share": _share,
    "unshare": _unshare,
    "delete": _delete,
}
#: Acts after which only the table of cards is drawn anew.
IN_PLACE = ("remove", "copy", "up", "down", "undo")
