"""A list pasted as text: paste it, look at the outcome of each line, make the list.

Nothing is kept between the steps: the text and what was chosen travel in the form.
"""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.books.models import OwnBook
from armybuilder.books.pinning import books_now, take
from armybuilder.exchange.pasting import OtherBook, PastedList, game_in, read_text
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.lists import services
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.my_lists.paste_review import chosen_before, shown_lines

PAGE = "my_lists/paste.html"


@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the form, empty or with a text; after a post the review, or make the new list."""
    if request.method == "GET":
        asked = request.GET
        text = asked.get("text", "")[:MAX_TEXT]
        return _show(request, {"text": text, "chosen_system": asked.get("system", "")})
    try:
        reading = _read(request)
        if request.POST.get("go") == "make":
            return _make(request, reading)
    except Refusal as refusal:
        context = {"refused": refusal.sentence, "chosen_system": request.POST.get("system", "")}
        return _show(request, {**context, "text": request.POST.get("text", "")}, 422)
    return _show(request, _review(request, reading))


def _read(request: HttpRequest) -> PastedList:
    """Return the text as read with what was chosen; keep the content of own books first."""
    fields, library = request.POST, shipped_library()
    text = fields.get("text", "").replace("\0", "")
    system_id = fields.get("system", "")
    if system_id and system_id not in library.systems:
        raise Refusal(_("There is no such game here."))
    # Books that were chosen for another game than the one chosen now are not meant.
    same = fields.get("shown_system", system_id) == system_id
    books = list(dict.fromkeys(filter(None, fields.getlist("book")))) if same else []
    own = _own_books(holder_of(request))
    found = game_in(text, library, system_id or None, books, own)
    wanted = [book.id for book in own if book.id in found.books]
    if wanted:
        take(holder_of(request), library.system(found.system), library, wanted)
    choices = chosen_before((name, fields.get(name, "")) for name in fields)
    return read_text(text, library, system_id or None, books, own, choices)


def _own_books(holder: str) -> list[OtherBook]:
    """The books of the player's own, for any game."""
    if not holder:
        return []
    books = OwnBook.objects.filter(holder=holder, deleted__isnull=True).order_by("name", "id")
    columns = ("id", "revision", "name", "system")
    return [OtherBook(*values) for values in books.values_list(*columns)]


def _make(request: HttpRequest, reading: PastedList) -> HttpResponse:
    """Store what was read as a new list. Raises Refusal where nothing was."""
    if reading.document is None:
        raise Refusal(_("Choose a game first."))
    if not reading.document.units:
        raise Refusal(_("No unit was found in the text; choose the game and its books."))
    holder, library = make_holder(request), shipped_library()
    take(holder, library.system(reading.system), library, reading.books)
    version = services.create_list(holder, reading.document, _("Pasted as text."))
    return redirect("builder", version.army_list_id)


def _review(request: HttpRequest, reading: PastedList) -> dict[str, Any]:
    library = shipped_library()
    system = library.systems.get(reading.system)
    return {
        "text": request.POST.get("text", ""),
        "reading": reading,
        "report": reading.report,
        "system": system,
        "chosen_system": reading.system,
        "books": books_now(holder_of(request), system, library) if system else (),
        "folds": shown_lines(reading),
        "made": len(reading.document.units) if reading.document else 0,
        "counts": {state: reading.count(state) for state in ("ok", "doubt", "lost")},
    }


def _show(request: HttpRequest, context: dict[str, Any], status: int = 200) -> HttpResponse:
    context = {
        "systems": shipped_library().systems.values(),
        "most_kilobytes": MAX_TEXT // 1024,
        **context,
    }
    return render(request, PAGE, context, status=status)
