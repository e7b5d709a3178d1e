"""My lists: finding them again, and what can be done with one of them or with several at once."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import replace_url

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.acts.about import Rename
from armybuilder.exchange.files import UploadedList, is_text, read_files, text_in
from armybuilder.exchange.pasting import split_text
from armybuilder.housekeeping.tidying import RESTORED_FOR
from armybuilder.lists import flags, services
from armybuilder.lists.flags import MAX_TAG, MOST_TAGS, read_tags
from armybuilder.lists.selectors import current_version
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import list_ids, with_query
from armybuilder.pages.my_lists import bulk, rosters_read
from armybuilder.pages.my_lists.finding import SORTS, ListQuery, read_wanted
from armybuilder.pages.my_lists.keeping import keep, to_list
from armybuilder.pages.my_lists.overview import found_ids, make_overview
from armybuilder.pages.my_lists.texts import TextSource, is_doubtful, named, read_parts
from armybuilder.pages.my_lists.views import many, paste
from armybuilder.printing import jobs
from armybuilder.requests import HtmxRequest

#: Acts after which the lists stand where they stood, still ticked; each with the part of the bar in
#: which its button stands.
STAYING = {"tag": "tags", "untag": "tags", "pin": "more", "unpin": "more"}
#: Buttons that show two lists elsewhere.
PAIRED_BY = {"compare": "compare-lists", "side-by-side": "side-by-side"}

#: Bytes of texts that are shown at once: a page sends them along.
MOST_TOLD = 2 << 20


@never_cache
@require_safe
def my_lists(request: HtmxRequest) -> HttpResponse:
    """The lists of this browser, as the address wants them."""
    wanted = read_wanted(request.GET.dict())
    overview = make_overview(holder_of(request), wanted, shipped_library())
    wanted = wanted._replace(page=overview.page)
    done = request.session.pop(bulk.DONE, None)
    context = {
        "wanted": wanted,
        "overview": overview,
        "sorts": [(key, name) for key, (name, _by, _backwards) in SORTS.items()],
        "places": [(place, address(ListQuery(place=place.key))) for place in overview.places],
        "earlier": wanted._replace(page=overview.page - 1).query,
        "later": wanted._replace(page=overview.page + 1).query,
        "done": done,
        "ticked": [UUID(one) for one in done["ticked"]] if done else [],
        "unshown": overview.found - len(overview.rows),
        "days": RESTORED_FOR.days,
        "abandoned_days": settings.ABANDONED_DAYS,
        "max_tag": MAX_TAG,
        "max_tags": MOST_TAGS * (MAX_TAG + 2),
    }
    response = render(request, "my_lists/my_lists.html", context)
    # While somebody types, the address follows, so that reloading or a bookmark finds the same.
    return replace_url(response, address(wanted)) if request.htmx else response


def address(wanted: ListQuery) -> str:
    """Return the address of the lists that are wanted."""
    return with_query(reverse("my-lists"), wanted.query)


@require_POST
def chosen(request: HttpRequest) -> HttpResponse:
    """Do what the button `do` says with the lists that are ticked, or show them elsewhere."""
    ids = list_ids(request.POST.getlist("list"))
    act = request.POST.get("do", "")
    if act == "print-all":
        wanted = read_wanted(QueryDict(request.POST.get("next", "")).dict())
        ids, act = found_ids(holder_of(request), wanted, shipped_library()), "print"
    if not ids:
        raise Refusal(_("Select at least one list first."))
    if act == "print":
        return redirect("print-job", jobs.plan(holder_of(request), ids).pk)
    if act == "save":
        return redirect(f"{reverse('save-lists')}?{urlencode([('list', one) for one in ids])}")
    if act in PAIRED_BY:
        if len(ids) != 2:
            raise Refusal(_("Select exactly two lists for that."))
        return redirect(f"{reverse(PAIRED_BY[act])}?{urlencode({'a': ids[0], 'b': ids[1]})}")
    done = bulk.do(act, holder_of(request), ids, request.POST)
    # The bar has the ticks themselves; other buttons on the page only send them along.
    from_bar = "bar" in request.POST
    ticked = ids if from_bar else _ticked(request)
    if act not in STAYING:
        ticked = [one for one in ticked if one not in ids]
    return _back(request, done, ticked, STAYING.get(act, "") if from_bar else "")


def _ticked(request: HttpRequest) -> list[UUID]:
    """Return the lists that were ticked on the page when another button was pressed."""
    return list_ids(request.POST.getlist("ticked"))


def _back(
    request: HttpRequest,
    done: bulk.BulkResult,
    ticked: Sequence[UUID] | None = None,
    focus: str = "",
    rosters: bool = False,
) -> HttpResponse:
    """Return to the page, which says what was done and offers to undo it. `ticked` are ticked
    (None: as before), `focus` is a part of their bar, `rosters`: files were read.
    """
    bulk.remember(request, done, _ticked(request) if ticked is None else ticked, focus, rosters)
    return redirect(address(read_wanted(QueryDict(request.POST.get("next", "")).dict())))


def _said(request: HttpRequest, said: str, **values: Any) -> HttpResponse:
    return _back(request, bulk.BulkResult(said.format(**values), [], ""))


@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Open list documents, loose or in a zip, as they are. One alone leads to its builder, a text
    alone to a look at its lines, several with a line that is not clear to a table of their lists;
    of several files, each that is refused is named with the reason.
    """
    if request.method == "GET":
        return redirect("import")
    try:
        return _open(request)
    except Refusal as refusal:
        return paste.show_form(request, refusal=refusal)


def _open(request: HttpRequest) -> HttpResponse:
    """Open the files that were sent. Raises Refusal where none is kept."""
    files = request.FILES.getlist("file")
    if not files:
        raise Refusal(_("Choose a file first: a list saved here or by BattleScribe."))
    texts = [file for file in files if is_text(file)]
    if len(files) == len(texts) == 1:
        return paste.answer_text(request, text_in(texts[0]))
    saved = read_files([file for file in files if file not in texts], shipped_library())
    told = _told_texts(request, texts, saved)
    if not told and not saved.documents and len(saved.refused) == 1:
        raise saved.refused[0][1]
    made = keep(request, saved)
    if not told and len(made) == 1 and not saved.refused:
        return to_list(saved, made)
    said = ngettext("Imported {number} list.", "Imported {number} lists.", len(made))
    refused = [(name, refusal.sentence) for name, refusal in saved.refused]
    done = bulk.BulkResult(said.format(number=len(made)), made, "delete", "", refused)
    if told:
        if made:
            bulk.remember(request, done, rosters=bool(saved.readings))
        return many.show_table(request, told, others=done if made or refused else None)
    return _back(request, done, rosters=bool(saved.readings))


def _told_texts(
    request: HttpRequest, files: Sequence["UploadedFile[bytes]"], saved: UploadedList
) -> list[TextSource]:
    """Add the lists in text files to those to be kept where every line of each is clear; else
    return all of them, for somebody to look at. Raises Refusal where these are too long for one
    page.
    """
    sources: list[TextSource] = []
    for file in files:
        name, text = file.name or "?", text_in(file).replace("\0", "")
        try:
            parts = split_text(text, shipped_library())
        except Refusal as refusal:
            saved.refused.append((name, refusal))
            continue
        sources.append(TextSource(text, parts, len(sources) + 1, name))
    read = [(source, *one) for source in sources for one in read_parts(request, source.parts)]
    if any(is_doubtful(reading) for _source, _part, reading in read):
        if sum(len(source.text.encode()) for source in sources) > MOST_TOLD:
            said = _("At most {most} MB can be read at once. Import the lists in smaller batches.")
            raise Refusal(said.format(most=MOST_TOLD >> 20))
        return sources
    for number, (source, _part, reading) in enumerate(read, 1):
        try:
            if isinstance(reading, Refusal):
                raise reading
            saved.documents.append(named(request, reading))
        except Refusal as refusal:
            place = f"{source.file}/{number}" if len(source.parts) > 1 else source.file
            saved.refused.append((place, refusal))
    return []


@never_cache
@require_safe
def rosters_read_page(request: HttpRequest) -> HttpResponse:
    """The outcome of the rosters that were opened last; to my lists, where there are none."""
    found = rosters_read.recall(request, shipped_library())
    if not found:
        return redirect("my-lists")
    return render(request, "my_lists/rosters_read.html", {"found": found})


@require_POST
def copy(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """A list of its own with the same content."""
    version = services.copy_list(current_version(request, list_id), make_holder(request))
    said = _("Copied. The copy is called “{name}”.").format(name=version.document.name)
    return _back(request, bulk.BulkResult(said, [version.army_list_id], "delete"))


@require_POST
def rename(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Another name, as a version of its own that the builder can undo."""
    seen = current_version(request, list_id).pk
    act = Rename(request.POST.get("name", ""))
    try:
        services.perform(holder_of(request), list_id, seen, act, shipped_library())
    except services.Conflict as conflict:
        refusal = _("The list has just been renamed elsewhere; check it first.")
        raise Refusal(refusal) from conflict
    return _said(request, _("Renamed."))


@require_POST
def set_tags(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Exactly the tags that were typed."""
    name = current_version(request, list_id).document.name
    tags = read_tags(request.POST.get("tags", ""))
    flags.set_tags(holder_of(request), [list_id], tags)
    if not tags:
        return _said(request, _("“{name}” has no tags now."), name=name)
    return _said(request, _("“{name}” is tagged: {tags}."), name=name, tags=", ".join(tags))


@require_POST
def rename_tag(request: HttpRequest) -> HttpResponse:
    """Call a tag otherwise on every list that has it; with no new name it goes."""
    old, new = request.POST.get("old", ""), read_tags(request.POST.get("tag", ""))
    if not flags.rename_tag(holder_of(request), old, new):
        return _said(request, _("Nothing was changed."))
    if not new:
        return _said(request, _("Removed the tag “{tag}”."), tag=old)
    return _said(request, _("The tag is now called “{tag}”."), tag=", ".join(new))


@require_POST
def delete(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Put a list away; it can be restored."""
    name = current_version(request, list_id).document.name
    changed = flags.delete(holder_of(request), [list_id])
    said = _("Deleted “{name}”.").format(name=name)
    return _back(request, bulk.BulkResult(said, changed, "restore"))


@require_POST
def restore(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Bring a deleted list back."""
    changed = flags.restore(holder_of(request), [list_id])
    if not changed:
        raise Http404("no such deleted list in this browser")
    return _back(request, bulk.BulkResult(_("The list has been restored."), changed, "delete"))
