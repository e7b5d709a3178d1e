"""What would differ: before a list takes over a changed book, or is switched to another edition."""

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.books.pinning import take
from armybuilder.comparing.editions import Comparison, compare, in_edition
from armybuilder.editing.book_edits import add_book
from armybuilder.lists.selectors import current_version
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.page import BuilderPage


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that the player is asked about: what it is, the act that makes it and its fields;
    and the single `parts` that can be looked at instead, by their name and query.
    """

    title: str
    about: str
    act: str
    fields: dict[str, str]
    yes: str
    comparison: Comparison
    parts: tuple[tuple[str, str], ...] = ()


@never_cache
@require_safe
def changes(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """What would differ with the `book` of the address as it is now, with all that have changed, or
    in its `edition`.
    """
    page = BuilderPage(current_version(request, list_id), shipped_library())
    if "edition" in request.GET:
        proposal = _edition(page, request.GET["edition"])
    else:
        proposal = _books(page, request.GET.get("book", ""), holder_of(request))
    return render(request, "builder/changes.html", {"page": page, "proposal": proposal})


def _books(page: BuilderPage, book_id: str, holder: str) -> Proposal:
    """One changed book, or with no id all of them."""
    changed = [book for book in page.changed_books if book_id in ("", book.id)]
    if not changed:
        raise Refusal(_not_changed(book_id))
    ids = [book.id for book in changed]
    revisions = take(holder, page.system, page.library, ids)
    document = page.document
    for one, revision in revisions.items():
        document = add_book(document, one, revision)
    title = _("“{name}” has changed").format(name=changed[0].name)
    about = _("This list keeps the book as it was when it took it. With the book as it is now:")
    several = changed if len(changed) > 1 else []
    if several:
        title = _("{number} books have changed").format(number=len(changed))
        about = _("This list keeps its books as they were when it took them. With {names} as now:")
        about = about.format(names=", ".join(book.name for book in changed))
    return Proposal(
        title,
        about,
        "update-book",
        {"book": ",".join(ids), "revision": ",".join(revisions[one] for one in ids)},
        _("Take over the changes"),
        compare(judge(page.document, page.library), judge(document, page.library)),
        tuple((book.name, urlencode({"book": book.id})) for book in several),
    )


def _not_changed(book_id: str) -> str:
    if book_id:
        return _("That book has not changed since this list took it.")
    return _("No book of this list has changed since it took them.")


def _edition(page: BuilderPage, system_id: str) -> Proposal:
    switched = in_edition(page.document, page.library, system_id)
    name = page.library.system(system_id).name
    title = _("Switch to {name}").format(name=name)
    after = judge(switched.document, page.library)
    return Proposal(
        title,
        _("The same models under the rules of {name}. You can undo it.").format(name=name),
        "edition",
        {"system": system_id},
        title,
        compare(judge(page.document, page.library), after, switched.lost),
    )
