"""Pages to browse game systems, their rules and their books."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from armybuilder.engine.catalogue import Ability, System
from armybuilder.engine.describe import unit_abilities, unit_facts
from armybuilder.library.units import by_category
from armybuilder.loading.library import shipped_library


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    shipped = shipped_library()
    systems = [(system, shipped.books[system.id].values()) for system in shipped.systems.values()]
    return render(request, "library/library.html", {"systems": systems})


@require_safe
def system(request: HttpRequest, system_id: str) -> HttpResponse:
    """A game system: its rules with their sources and readings, and its abilities."""
    found = _system(system_id)
    abilities: dict[str, list[Ability]] = {}
    for ability in found.abilities.values():
        abilities.setdefault(ability.group, []).append(ability)
    context = {
        "system": found,
        "books": shipped_library().books[system_id].values(),
        "ability_groups": abilities.items(),
    }
    return render(request, "library/system.html", context)


@require_safe
def book(request: HttpRequest, system_id: str, book_id: str) -> HttpResponse:
    """A book with all its units and where their numbers come from."""
    found = _system(system_id)
    books = shipped_library().books[system_id]
    if book_id not in books:
        raise Http404("no such book")
    if found.sized:
        categories = by_category(books[book_id], found)
        context = {"system": found, "book": books[book_id], "categories": categories}
        return render(request, "library/army_book.html", context)
    units = [
        (unit, unit_facts(unit, found), unit_abilities(unit))
        for unit in books[book_id].units.values()
    ]
    context = {"system": found, "book": books[book_id], "units": units}
    return render(request, "library/book.html", context)


def _system(system_id: str) -> System:
    systems = shipped_library().systems
    if system_id not in systems:
        raise Http404("no such game system")
    return systems[system_id]
