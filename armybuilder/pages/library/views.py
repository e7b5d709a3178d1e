"""Pages to browse game systems, their rules and their books, and their cards to print."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page, require_safe

from armybuilder.downloads import file_response
from armybuilder.engine.abilities import Ability
from armybuilder.engine.catalogue import Book, System
from armybuilder.library.book_data import make_book_data, truth_tables
from armybuilder.library.units import MOST, by_category, chosen_units, side_by_side
from armybuilder.loading.library import shipped_library
from armybuilder.pages.answers import game_of, meaning_page
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import Face, blank_faces, faces_of_book
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.setup import CARD_PAPERS


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    shipped = shipped_library()
    games = sorted(shipped.systems.values(), key=lambda game: (-game.default_size, game.id))
    systems = [(game, shipped.books[game.id].values()) for game in games]
    return render(request, "library/library.html", {"systems": systems})


@require_safe
def truth(request: HttpRequest) -> HttpResponse:
    """Show the meaning of verdicts, and how much of each imported book is checked."""
    return render(request, "library/truth.html", {"tables": list(truth_tables())})


@require_safe
def system(request: HttpRequest, system_id: str) -> HttpResponse:
    """Show a game system: its rules with their sources and readings, and its abilities."""
    game = game_of(system_id)
    abilities: dict[str, list[Ability]] = {}
    for ability in game.abilities.values():
        abilities.setdefault(ability.group, []).append(ability)
    context = {
        "system": game,
        "books": shipped_library().books[system_id].values(),
        "ability_groups": abilities.items(),
    }
    return render(request, "library/system.html", context)


@require_safe
def book(request: HttpRequest, system_id: str, book_id: str) -> HttpResponse:
    """Show a book with all its units and where their numbers come from."""
    game, book = _book(system_id, book_id)
    catalogue = shipped_library().catalogue(game.id, [book.id])
    context = {"system": game, "book": book, "categories": by_category(book, catalogue)}
    return render(request, "library/book.html", context)


@conditional_page
@require_safe
def meaning(request: HtmxRequest, system_id: str, name: str, book_id: str = "") -> HttpResponse:
    """Show the meaning of a name that the game explains, or that units of a book carry."""
    books = [_book(system_id, book_id)[1].id] if book_id else []
    game = game_of(system_id)
    return meaning_page(request, shipped_library().catalogue(game.id, books), name)


@require_safe
def book_data(request: HttpRequest, system_id: str, book_id: str) -> HttpResponse:
    """Show a book's sources, its size, and its gaps."""
    game, book = _book(system_id, book_id)
    context = {"system": game, "book": book, "data": make_book_data(book)}
    return render(request, "library/book_data.html", context)


@require_safe
def book_cards(
    request: HttpRequest, system_id: str, book_id: str, paper: str = "A4"
) -> HttpResponse:
    """Draw the book's units as cards, nine to a page."""
    game, book = _book(system_id, book_id)
    faces = faces_of_book(book, game)
    return _cards(faces, paper, _("{name} cards").format(name=book.name), f"{book_id}-cards")


@require_safe
def blank_cards(request: HttpRequest, system_id: str, paper: str = "A4") -> HttpResponse:
    """Draw a page of the game's cards to fill in by pen."""
    game = game_of(system_id)
    title = _("{name} empty cards").format(name=game.name)
    return _cards(blank_faces(game), paper, title, f"{system_id}-blank-cards")


def _cards(faces: list[Face], paper: str, title: str, name: str) -> HttpResponse:
    if paper not in CARD_PAPERS:
        raise Http404("no such paper")
    content = draw_cards(faces, paper, title)
    return file_response(content, name, "pdf")


def _book(system_id: str, book_id: str) -> tuple[System, Book]:
    """Return a shipped book of an address, and its game. Raises Http404."""
    game, books = game_of(system_id), shipped_library().books[system_id]
    if book_id not in books:
        raise Http404("no such book")
    return game, books[book_id]


@require_safe
def compare(request: HttpRequest, system_id: str) -> HttpResponse:
    """Show up to four units, each named by a `unit` of the address ("book/unit")."""
    game = game_of(system_id)
    refs, books = request.GET.getlist("unit"), shipped_library().books[system_id]
    named = books.keys() & {ref.partition("/")[0] for ref in refs} or books.keys()
    drawn = (book for book in books.values() if book.id in named)
    chosen = chosen_units(refs, {ref: unit for book in drawn for ref, unit in book.units.items()})
    drawn_from = sorted({unit.book for unit in chosen.units})
    views = entry_views(chosen.units, shipped_library().catalogue(game.id, drawn_from))
    context = {
        "system": game,
        "chosen": chosen,
        "columns": [(column, None) for column in chosen.columns],
        "parts": side_by_side(list(views)),
        "most": MOST,
    }
    return render(request, "library/compare.html", context)
