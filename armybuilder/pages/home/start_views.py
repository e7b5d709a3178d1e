"""Starting well: opening an example, and something random to begin with."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.acts.about import Starter
from armybuilder.books.pinning import books_now
from armybuilder.editing.book_edits import example_document
from armybuilder.lists import services
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.home.forms import NewListForm


@require_POST
def open_example(request: HttpRequest, system_id: str, example_id: str) -> HttpResponse:
    """A copy of an example as a list of this browser."""
    example = shipped_examples().find(system_id, example_id)
    if example is None:
        raise Http404("no such example")
    document = example_document(example, shipped_library())
    version = services.create_list(make_holder(request), document, "Opened an example.")
    return redirect("builder", version.army_list_id)


@require_POST
def make_starter(request: HttpRequest, system_id: str) -> HttpResponse:
    """A new list of the chosen name, size and books, filled at random; undo leaves it empty."""
    library = shipped_library()
    if system_id not in library.systems:
        raise Http404("no such game system")
    system = library.systems[system_id]
    books = books_now(holder_of(request), system, library)
    form = NewListForm(system, books, "", request.POST)
    if not form.is_valid():
        context = {"system": system, "books": books, "form": form}
        return render(request, "home/new.html", context, status=422)
    asked, holder = form.cleaned_data, make_holder(request)
    version = services.start_list(
        holder, system, library, asked["name"], asked["limit"], asked["books"]
    )
    list_id = version.army_list_id
    try:
        saved = services.perform(holder, list_id, version.pk, Starter(), library)
        request.session["said"] = saved.said
    except Refusal as refusal:
        request.session["said"] = refusal.sentence
    return redirect("builder", list_id)
