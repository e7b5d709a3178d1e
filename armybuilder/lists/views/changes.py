"""What would differ: before a list takes over a changed book, or is switched to another edition."""

from typing import NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.books.pinning import take
from armybuilder.lists.book_edits import add_book
from armybuilder.lists.builder import BuilderPage
from armybuilder.lists.comparison import Comparison, compare, in_edition, judge
from armybuilder.lists.selectors import current_version, holder_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal


class Proposal(NamedTuple):
    """A change that the player is asked about: what it is, and the act that makes it."""

    title: str
    about: str
    act: str
    field: str
    value: str
    yes: str
    comparison: Comparison


@never_cache
@require_safe
def changes(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """What would differ with the `book` of the address as it is now, or in its `edition`."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    if "edition" in request.GET:
        proposal = _edition(page, request.GET["edition"])
    else:
        proposal = _book(page, request.GET.get("book", ""), holder_of(request))
    return render(request, "lists/changes.html", {"page": page, "proposal": proposal})


def _book(page: BuilderPage, book_id: str, holder: str) -> Proposal:
    changed = next((book for book in page.changed_books if book.id == book_id), None)
    if changed is None:
        raise Refusal(_("That book has not changed since this list took it."))
    revision = take(holder, page.system, page.library, [book_id])[book_id]
    after = judge(add_book(page.document, book_id, revision), page.library)
    return Proposal(
        _("“{name}” has changed").format(name=changed.name),
        _("This list keeps the book as it was when it took it. With the book as it is now:"),
        "update-book",
        "book",
        book_id,
        _("Take over the changes"),
        compare(judge(page.document, page.library), after),
    )


def _edition(page: BuilderPage, system_id: str) -> Proposal:
    switched = in_edition(page.document, page.library, system_id)
    name = page.library.system(system_id).name
    title = _("Switch to {name}").format(name=name)
    after = judge(switched.document, page.library)
    return Proposal(
        title,
        _("The same models under the rules of {name}. You can undo it.").format(name=name),
        "edition",
        "system",
        system_id,
        title,
        compare(judge(page.document, page.library), after, switched.lost),
    )
