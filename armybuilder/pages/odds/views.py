"""Odds of one unit against another, each of a list, a link or a book of the same game."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import say
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.selectors import current_version, lists_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.odds.combatants import Combatant, combatants
from armybuilder.pages.answers import fresh, game_of
from armybuilder.pages.odds.forms import FORMS, OddsForm
from armybuilder.sharing.selectors import find_link
from armybuilder.sharing.shared_lists import SharedList
from armybuilder.sheets.content.make_units import entry_views
from armybuilder.sheets.content.unit_view import UnitView

#: Own lists that are offered.
MOST_LISTS = 40


class SidePart(NamedTuple):
    """One side of the page: the address of its units, their name, the chosen one."""

    letter: str
    role: str
    source: str
    name: str
    units: list[Combatant]
    chosen: Combatant | None
    wrong: str = ""


@fresh
def odds(request: HttpRequest, system_id: str) -> HttpResponse:
    """Show the odds of unit `a` against unit `b`, each of the list, link or book in its `from`."""
    system = game_of(system_id)
    if system.odds is None:
        raise Http404("this game has no odds")
    shipped = f"book:{next(iter(shipped_library().books[system.id]))}"
    first = _side(request, system, "a", shipped)
    second = _side(request, system, "b", first.source)
    form = None
    if first.chosen and second.chosen:
        modes = system.odds.modes
        mode = request.GET.get("mode", "")
        mode = mode if mode in modes else first.chosen.mode
        given = request.GET if "work" in request.GET else None
        form = FORMS[system.odds.kind](system.odds, mode, (first.chosen, second.chosen), given)
    wrong = bool(first.wrong or second.wrong or (form and form.errors and "work" in request.GET))
    context = {
        "system": system,
        "sides": (first, second),
        "sources": list(_sources(request, system, (first, second))),
        "form": form,
        "swapped": urlencode({**_query("a", second), **_query("b", first)}),
        **(_results(form) if form is not None else {}),
    }
    return render(request, "odds/odds.html", context, status=422 if wrong else 200)


def _query(letter: str, side: SidePart) -> dict[str, str]:
    return {f"{letter}_from": side.source, letter: side.chosen.key if side.chosen else ""}


def _results(form: OddsForm) -> dict[str, Any]:
    odds, mode = form.odds, form.mode
    return {
        "mode": mode,
        "modes": [(key, say(name)) for key, name in odds.modes.items()],
        "steps": [step for step in odds.steps if mode in step.modes],
        "left_out": [(one.name, one.other) for one in form.sides if one.other],
        **(form.results() if form.is_valid() else {}),
    }


def _side(request: HttpRequest, system: System, letter: str, usual: str) -> SidePart:
    """Return a side as the address has it; with the error, if its units can't be found."""
    source = request.GET.get(f"{letter}_from", "")[:200] or usual
    role = _("Attacker") if letter == "a" else _("Enemy")
    try:
        name, views = _units(request, system, source)
    except Refusal as refusal:
        return SidePart(letter, role, source, "", [], None, refusal.sentence)
    units = combatants(views, system)
    wanted = request.GET.get(letter, "")[:200]
    named = (one for one in units if wanted in (one.key, one.key.rpartition("~")[0]))
    return SidePart(letter, role, source, name, units, next(named, units[0] if units else None))


def _units(request: HttpRequest, system: System, source: str) -> tuple[str, Iterable[UnitView]]:
    """Return the name and units of a list, a link or a book. Raises Refusal where there is none."""
    kind, _colon, key = source.partition(":")
    library, day = shipped_library(), timezone.localdate()
    if kind == "book" and key in library.books[system.id]:
        book = library.books[system.id][key]
        catalogue = library.catalogue(system.id, [key])
        return book.name, entry_views(book.units.values(), catalogue)
    drawn = None
    if kind == "list":
        with suppress(ValueError, Http404):
            drawn = drawn_list(current_version(request, UUID(key)))
    elif kind == "link" and (link := find_link(key)) is not None:
        drawn = SharedList(link, library, day).drawn
    if drawn is None or drawn.of_files or drawn.document.system != system.id:
        raise Refusal(_("We can’t find these units. Choose a list or book of this game."))
    return drawn.sheet.title, drawn.sheet.units


def _sources(
    request: HttpRequest, system: System, sides: Iterable[SidePart]
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Yield what units may be taken from, in groups: own lists, links in use, books."""
    lists = lists_of(holder_of(request)).filter(system=system.id, archived=None)
    rows = lists.order_by("-updated", "id").values_list("pk", "name")[:MOST_LISTS]
    own = [(f"list:{key}", name or "") for key, name in rows]
    books = [(f"book:{key}", book.name) for key, book in shipped_library().books[system.id].items()]
    known = {key for key, _name in (*own, *books)}
    used = {side.source: side.name for side in sides if side.name and side.source not in known}
    groups = ((_("Your lists"), own), (_("Other lists"), list(used.items())), (_("Books"), books))
    yield from ((name, group) for name, group in groups if group)
