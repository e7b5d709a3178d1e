"""My books: all of them, new ones and files; one with its cards, abilities and army categories."""

from collections import Counter
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring import checking, edits
from armybuilder.authoring.checking import about_of, find_part, find_unit, hints_of, mark_of
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.selectors import own_book, own_books, shared_book
from armybuilder.books.services import BookConflict, BookResult
from armybuilder.downloads import file_response, json_file
from armybuilder.engine.catalogue import System
from armybuilder.games.services import games_of
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import Document
from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.loading.systems import read_ability
from armybuilder.pages.answers import (
    fresh,
    fresh_form,
    playable,
    private,
    render_for_htmx,
    wants_part,
)
from armybuilder.pages.books.common import (
    MAX_UPLOAD,
    address,
    change,
    fields_of,
    go,
    page_of,
    rows_of,
    system_of,
    uploaded,
)
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_book

#: Deleted books shown, the latest first.
DELETED_SHOWN = 20
#: Sheets of paper by their names in addresses.
PAPERS: dict[str, str] = {"a4": "A4", "letter": "letter"}
PAGE = "books/book.html"
PANEL = "books/book.html#panel"
ROWS = "books/book.html#rows"

#: Acts on one card, in its row of the table.
UNIT_ACTS = ("remove", "copy", "up", "down")
CHANGED = gettext_lazy(
    "That was changed elsewhere, in another window or on another page, after this "
    "page was loaded. Nothing was done; below is the current book."
)


@fresh
def page(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Show the page of a book; for htmx only its cards, found again."""
    return _show(request, own_book(request, book_id), ROWS if wants_part(request) else PAGE)


def _show(
    request: HttpRequest, book: OwnBook, template: str, status: int = 200, **more: Any
) -> HttpResponse:
    system = system_of(book)
    search, number = page_of(request.GET)
    hints, hint_count = hints_of(book.data)
    share_url = ""
    if book.shared and book.share_token:
        where = reverse("shared-book", args=[book.pk, book.share_token])
        share_url = request.build_absolute_uri(where)
    context = {
        "book": book,
        "system": system,
        "rows": rows_of(book.data, system, search, number),
        "about_mark": mark_of(about_of(book.data)),
        "act_url": address("book-act", book.pk, q=search, page=number),
        "share_url": share_url,
        "hints": hints,
        "hint_count": hint_count,
        **more,
    }
    return render_for_htmx(request, template, context, status)


@require_POST
def act(request: HtmxRequest, book_id: str) -> HttpResponse:
    """Do the act of a button: `act` is its name, or "name:unit:mark"."""
    book = own_book(request, book_id)
    fields = fields_of(request)
    name, _colon, what = fields.get("act", "").partition(":")
    template = PANEL if request.htmx else PAGE
    typed = fields if name == "rename" else {}
    try:
        if name in UNIT_ACTS:
            sentence = _unit_act(request, book, name, what)
        else:
            sentence = _book_act(request, book, name, fields)
    except Refusal as refusal:
        now = own_book(request, book_id)
        return _show(request, now, template, 422, refused=refusal.sentence, typed=typed)
    except services.BookConflict as conflict:
        return _show(request, conflict.book, template, 409, refused=CHANGED, typed=typed)
    if request.htmx and name in (*UNIT_ACTS, "undo"):
        return _show(request, own_book(request, book_id), PANEL, said=sentence)
    if name == "delete":
        messages.success(request, sentence, extra_tags=f"book:{book_id}")
        where = address("my-books")
    else:
        messages.success(request, sentence)
        part = "#book-share" if name in ("share", "unshare") else ""
        where = address("own-book", book_id, **request.GET.dict()) + part
    # htmx follows this as a whole page.
    return HttpResponse(headers={"HX-Redirect": where}) if request.htmx else redirect(where)


def _unit_act(request: HttpRequest, book: OwnBook, name: str, what: str) -> str:
    """Change the unit of a button, watched if the page marks it; add a message."""
    unit_id, _colon, mark = what.partition(":")
    changed = change(
        request,
        book,
        lambda data: _edit_unit(data, system_of(book), name, unit_id),
        (lambda data: find_unit(data, unit_id)) if mark else None,
        mark,
    )
    return changed.done.said


def _edit_unit(book: Document, system: System, act: str, unit_id: str) -> BookResult:
    unit, made = find_unit(book, unit_id), ""
    if unit is None:
        raise Refusal(_("That card is no longer in the book."))
    if act == "remove":
        document, sentence = edits.remove_unit(book, system, unit_id), _("Removed “{name}”.")
    elif act == "copy":
        document, made = edits.copy_unit(book, system, book, unit_id)
        sentence = _("Copied “{name}”.")
    elif act == "up":
        document, sentence = edits.move_unit(book, system, unit_id, -1), _("Moved “{name}” up.")
    else:
        document, sentence = edits.move_unit(book, system, unit_id, 1), _("Moved “{name}” down.")
    return BookResult(document, sentence.format(name=unit["name"]), made)


def _book_act(request: HttpRequest, book: OwnBook, act: str, fields: dict[str, str]) -> str:
    holder, system = holder_of(request), system_of(book)
    if act == "undo":
        return services.step(holder, book.pk, fields.get("revision", ""))[1]
    if act == "rename":
        name, about = (fields.get(key, "").strip() for key in ("name", "about"))
        sentence = _("Changed the book’s name or description.")
        change(
            request,
            book,
            lambda data: BookResult(edits.rename(data, system, name, about), sentence),
            about_of,
            fields.get("mark", ""),
        )
        return sentence
    if act == "share":
        services.share_book(holder, book.pk)
        return _("Shared. Anyone with the link below can see the book and copy it.")
    if act == "unshare":
        services.unshare_book(holder, book.pk)
        return _("No longer shared. The old link no longer works.")
    if act == "delete":
        services.delete_book(holder, book.pk)
        return _("Deleted “{name}”.").format(name=book.name)
    raise Refusal(_("That button is unknown. Reload the page."))


@fresh
def my_books(request: HttpRequest) -> HttpResponse:
    """Show the browser's books by game, those that were deleted, and how to start one."""
    holder = holder_of(request)
    library = shipped_library()
    books = list(own_books(holder))
    # Games in the order of the library, then the player's own; those without books left out.
    ids = dict.fromkeys([*library.systems, *sorted({book.system for book in books})])
    games = [
        (system, held)
        for system_id in ids
        if (system := library.find_system(system_id)) is not None
        and (held := [book for book in books if book.system == system.id])
    ]
    context = {
        "games": games,
        "strange": [book for book in books if library.find_system(book.system) is None],
        "systems": library.systems.values(),
        "deleted": own_books(holder, deleted=True)[:DELETED_SHOWN],
        "held": games_of(holder).filter(brought=True),
    }
    return render(request, "books/my_books.html", context)


@require_http_methods(["GET", "POST"])
def new_book(request: HttpRequest, system_id: str) -> HttpResponse:
    """Name a new book; it is empty or starts as a copy of a shipped one (`?copy=...`)."""
    system, books = playable(request, system_id), shipped_library().books[system_id]
    fields = {"copy": request.GET.get("copy", ""), **fields_of(request)}
    refused = ""
    if request.method == "POST":
        try:
            return _created(request, _new_document(system, fields))
        except Refusal as refusal:
            refused = refusal.sentence
    context = {"system": system, "books": books.values(), "fields": fields, "refused": refused}
    return render(request, "books/new.html", context, status=422 if refused else 200)


def _created(request: HttpRequest, document: Document) -> HttpResponse:
    return go("own-book", services.create_book(make_holder(request), document).pk)


def _new_document(system: System, fields: dict[str, str]) -> Document:
    """Return the document that the form of a new book asks for. Raises Refusal."""
    name, about = fields.get("name", "").strip(), fields.get("about", "").strip()
    copied = fields.get("copy", "")
    if not copied:
        return edits.new_book(system, new_book_id(), name, about)
    library = shipped_library()
    shipped = None
    if copied in library.books[system.id]:
        shipped = library.shipped_data(system.id, copied)
    if shipped is None:
        raise Refusal(_("{game} has no book “{book}”.").format(game=system.name, book=copied[:80]))
    document = edits.as_own({**shipped, "system": system.id}, new_book_id(), name)
    problems = book_problems(document, system, "book")
    if problems:
        raise Refusal(_("That book cannot be copied."), problems)
    return edits.rename(document, system, document["name"], about) if about else document


@require_http_methods(["GET", "POST"])
def import_book(request: HttpRequest) -> HttpResponse:
    """Import a book from a file; report every mistake of the file with its place."""
    refused = None
    if request.method == "POST":
        try:
            return _created(request, _imported(request))
        except Refusal as refusal:
            refused = refusal
    context = {
        "refused": refused,
        "most_kilobytes": MAX_UPLOAD // 1024,
        "units": checking.MAX_UNITS,
    }
    return render(request, "books/import.html", context, status=422 if refused else 200)


def _imported(request: HttpRequest) -> Document:
    file = request.FILES.get("file")
    if file is None:
        raise Refusal(_("Choose a file first: a book saved here, ending in .json."))
    name = str(file.name)[:80]
    document, _system = edits.read_book(uploaded(request, "file"), shipped_library(), name)
    return edits.as_own(document, new_book_id())


@require_POST
def restore(request: HttpRequest, book_id: str) -> HttpResponse:
    if not services.restore_book(holder_of(request), book_id):
        raise Http404("no such deleted book in this browser")
    messages.success(request, _("The book has been restored."))
    return go("my-books")


@fresh
def book_file(request: HttpRequest, book_id: str) -> HttpResponse:
    """Download the book as a file that can be brought in again, here or elsewhere."""
    data = own_book(request, book_id).data
    return json_file(data, data["name"], untitled="book")


@fresh
def cards_pdf(request: HttpRequest, book_id: str, paper: str = "a4") -> HttpResponse:
    if paper not in PAPERS:
        raise Http404("no such paper")
    book = own_book(request, book_id)
    if not book.unit_count:
        raise Refusal(_("There are no cards in the book yet."))
    system = system_of(book)
    built, problems = build_book(book.data, system, "book")
    if built is None:
        raise Refusal(_("The game does not accept this book as it is."), problems)
    title = _("{book} cards").format(book=book.name)
    content = draw_cards(faces_of_book(built, system), PAPERS[paper], title)
    return file_response(content, title, "pdf", untitled="book")


@fresh
def shared(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    """Show a shared book to everyone with its URL."""
    book = shared_book(book_id, token)
    system = system_of(book)
    text, number = page_of(request.GET)
    context = {
        "book": book,
        "system": system,
        "token": token,
        "rows": rows_of(book.data, system, text, number),
        "mine": book.holder == holder_of(request),
    }
    return private(render(request, "books/shared.html", context))


@require_POST
def copy_shared(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    """Make the shared book one of this browser's own."""
    return _created(request, edits.as_own(shared_book(book_id, token).data, new_book_id()))


@fresh
def shared_file(request: HttpRequest, book_id: str, token: str) -> HttpResponse:
    data = shared_book(book_id, token).data
    return private(json_file(data, data["name"], untitled="book"))


#: How an ability's number is written, as the page names it.
RATINGS = (
    ("none", gettext_lazy("no number")),
    ("number", gettext_lazy("a number: Burst 2")),
    ("plus", gettext_lazy("a bonus: Rage +2")),
    ("times", gettext_lazy("how often: Tough ×2")),
    ("inches", gettext_lazy("inches: Leap 4″")),
    ("dc", gettext_lazy("a DC: Gaze DC 15")),
    ("level", gettext_lazy("a level: Chief 3")),
    ("roll", gettext_lazy("a roll: Dodge 5+")),
)


@fresh_form
def abilities(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show all abilities of the book's own, each a form; a post changes one."""
    book = own_book(request, book_id)
    if request.method == "GET":
        return _show_abilities(request, book, {})
    fields = fields_of(request)
    ability_id, mark = fields.get("id", ""), fields.get("mark", "")

    def edit(data: Document) -> BookResult:
        ability = {key: fields.get(key, "") for key in ("id", "name", "rating", "summary")}
        if system_of(book).formula is not None:
            ability["points"] = fields.get("points", "").strip() or "0"
        document = edits.own_ability(data, system_of(book), ability)
        sentence = _("Changed the ability {name}.")
        return BookResult(document, sentence.format(name=ability["name"].strip()))

    try:
        change(request, book, edit, lambda data: find_part(data, "abilities", ability_id), mark)
    except Refusal as refusal:
        return _show_abilities(request, book, fields, 422, refusal.sentence)
    except BookConflict as conflict:
        refused = _(
            "That ability was changed elsewhere in the meantime. Your text is still here: "
            "save again to keep it."
        )
        fields["mark"] = mark_of(find_part(conflict.book.data, "abilities", ability_id))
        return _show_abilities(request, conflict.book, fields, 409, refused)
    messages.success(request, _("Saved “{name}”.").format(name=fields.get("name", "").strip()))
    return go("book-abilities", book.pk)


def _show_abilities(
    request: HttpRequest, book: OwnBook, typed: dict[str, str], status: int = 200, refused: str = ""
) -> HttpResponse:
    used = Counter(
        read_ability(use)["ability"]
        for unit in book.data["units"]
        for use in unit.get("abilities", ())
    )
    rows = []
    for ability in book.data.get("abilities", ()):
        mine = typed if typed.get("id") == ability["id"] else {}
        stored = {"rating": "none", "summary": "", "points": 0, **ability}
        rows.append({**stored, "mark": mark_of(ability), "used": used[ability["id"]], **mine})
    context = {
        "book": book,
        "system": system_of(book),
        "abilities": rows,
        "ratings": RATINGS,
        "refused": refused,
        "about": typed.get("id", ""),
    }
    return render(request, "books/abilities.html", context, status=status)


@fresh_form
def categories(request: HttpRequest, book_id: str) -> HttpResponse:
    """Show categories, each a form, and an empty one; a post changes one; 404 in games without."""
    book = own_book(request, book_id)
    if not system_of(book).sized:
        raise Http404("no categories in books of this game")
    if request.method == "GET":
        return _show_categories(request, book, {})
    fields = fields_of(request)
    category_id = fields.get("id", "")
    # Acts that change a category; if another page changed it meanwhile, they ask first.
    watched = category_id and fields.get("act", "save") in ("save", "remove")
    try:
        changed = change(
            request,
            book,
            lambda data: _edit_category(data, system_of(book), fields),
            (lambda data: find_part(data, "categories", category_id)) if watched else None,
            fields.get("mark", ""),
        )
    except Refusal as refusal:
        return _show_categories(request, book, fields, 422, refusal.sentence)
    except BookConflict as conflict:
        now = find_part(conflict.book.data, "categories", category_id)
        refused = _(
            "That category was changed elsewhere in the meantime. Nothing was done; press "
            "the button again to do it anyway."
        )
        if now is None:
            refused = _(
                "That category was removed elsewhere in the meantime. Below is the current book."
            )
        fields["mark"] = mark_of(now)
        return _show_categories(request, conflict.book, fields, 409, refused)
    messages.success(request, changed.done.said)
    return go("book-categories", book.pk)


def _edit_category(data: Document, system: System, fields: dict[str, str]) -> BookResult:
    act, category_id = fields.get("act", "save"), fields.get("id", "")
    if act == "save":
        document, category_id = edits.put_category(data, system, fields, category_id)
        sentence = _("Saved the category “{name}”.")
        return BookResult(document, sentence.format(name=_category_name(document, category_id)))
    name = _category_name(data, category_id)
    if act == "remove":
        document = edits.remove_category(data, system, category_id)
        sentence = _("Removed the category “{name}”.")
    elif act == "up":
        document = edits.move_category(data, system, category_id, -1)
        sentence = _("Moved the category “{name}” up.")
    elif act == "down":
        document = edits.move_category(data, system, category_id, 1)
        sentence = _("Moved the category “{name}” down.")
    else:
        raise Refusal(_("That button is unknown. Reload the page."))
    return BookResult(document, sentence.format(name=name))


def _category_name(data: Document, category_id: str) -> str:
    category = find_part(data, "categories", category_id)
    if category is None:
        raise Refusal(_("That category is no longer in the book."))
    return str(category["name"])


def _show_categories(
    request: HttpRequest, book: OwnBook, typed: dict[str, str], status: int = 200, refused: str = ""
) -> HttpResponse:
    """Return the page; the category with the rejected input, or the new one, shows `typed`."""
    system, about = system_of(book), typed.get("id", "")
    used = Counter(name for unit in book.data["units"] for name in unit.get("categories", ()))
    needed = edits.needed_categories(system)
    labels = {"name": _("Name"), **{bound.key: str(bound.label) for bound in edits.BOUNDS}}

    def inputs(texts: dict[str, str], category_id: str) -> list[tuple[str, str, str]]:
        mine = typed if "name" in typed and about == category_id else texts
        return [(key, label, mine.get(key, "")) for key, label in labels.items()]

    rows = [
        {
            "id": category["id"],
            "title": category["name"],
            "fields": inputs(edits.texts_of(category), category["id"]),
            "mark": typed.get("mark") if about == category["id"] else mark_of(category),
            "used": used[category["id"]],
            "needed": category["id"] in needed,
            "moves": bool(category.get("when")),
        }
        for category in book.data.get("categories", ())
    ]
    context = {
        "book": book,
        "system": system,
        "categories": rows,
        "new_fields": inputs({}, ""),
        "about": about,
        "refused": refused,
    }
    return render(request, "books/categories.html", context, status=status)
