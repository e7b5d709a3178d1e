"""Lists of games that are kept by their files: imported from files, and from texts after a look."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.battlescribe.files.roster_files import ReadRoster
from armybuilder.engine.names import simple
from armybuilder.lists import file_sheets
from armybuilder.lists.file_imports import KeptGames
from armybuilder.lists.forces import store_forces
from armybuilder.lists.models import Version
from armybuilder.lists.worked_out import work_out
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal


def keep_read(request: HttpRequest, read: Sequence[ReadRoster]) -> list[Version]:
    """Store lists that were read from files. Raises Refusal, NoRoom."""
    holder, act = make_holder(request), _("Imported from a file.")
    return [store_forces(holder, one.document, act) for one in read]


def answer_read(
    request: HttpRequest,
    read: Sequence[ReadRoster],
    refused: Sequence[tuple[str, Refusal]],
) -> HttpResponse:
    """Store imported lists; redirect to the only one, or show the remarks."""
    made = keep_read(request, read)
    if len(made) == 1 and not read[0].told and not refused:
        return redirect("builder", made[0].army_list_id)
    rows = [
        {"id": version.army_list_id, "name": one.document.name, "told": one.told}
        for version, one in zip(made, read, strict=True)
    ]
    told = [(name, refusal.sentence) for name, refusal in refused]
    return render(request, "my_lists/file_lists.html", {"rows": rows, "refused": told})


def answer_text(request: HttpRequest, text: str, library: Library) -> HttpResponse | None:
    """Show how a text of such a game was read, or make the list if asked; None: of another game.

    Raises Refusal where no unit is found in it.
    """
    games = KeptGames(holder_of(request))
    books = (book.name for of_game in library.books.values() for book in of_game.values())
    key = games.text(text, request.POST.get("system", ""), frozenset(map(simple, books)))
    if not key:
        return None
    read = games.read(text.replace("\0", ""), key)
    if request.POST.get("go") == "make":
        act = _("Pasted as text.")
        version = store_forces(make_holder(request), read.document, act)
        return redirect("builder", version.army_list_id)
    shown = file_sheets.drawn(work_out(read.document), timezone.localdate())
    context = {
        "text": text,
        "told": read.told,
        "sheet": shown.sheet,
        "view": shown.view,
        "choice": request.POST.get("system", ""),
    }
    return render(request, "my_lists/file_text.html", context)
