"""Pages of my lists: find them again, change one or several, open files, save and compare."""

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import replace_url

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.downloads import file_response
from armybuilder.events.building import copy_tie
from armybuilder.exchange.files import UploadedList, is_text, read_files, text_in
from armybuilder.exchange.pasting import split_text
from armybuilder.housekeeping.tidying import RESTORED_FOR
from armybuilder.lists import flags, services
from armybuilder.lists.file_imports import KeptGames
from armybuilder.lists.flags import MAX_TAG, MOST_TAGS, read_tags
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, current_versions, lists_of
from armybuilder.loading.documents import judge
from armybuilder.loading.file_names import free_name
from armybuilder.loading.forcelist import FROM_FILES
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import back_to_list, fresh, list_ids, with_query
from armybuilder.pages.history import rows_of
from armybuilder.pages.my_lists import paste
from armybuilder.pages.my_lists.keeping import (
    DONE,
    BulkResult,
    TextSource,
    answer_read,
    do_act,
    imported,
    is_doubtful,
    keep,
    keep_read,
    named,
    own_library,
    read_parts,
    recall,
    remember,
    show_table,
    to_list,
)
from armybuilder.pages.my_lists.search import (
    SORTS,
    ListQuery,
    found_ids,
    make_overview,
    read_wanted,
)
from armybuilder.printing import jobs
from armybuilder.requests import HtmxRequest

#: Acts after which the lists stand where they stood, still ticked; each with the part of the bar in
#: which its button stands.
STAYING = {"tag": "tags", "untag": "tags", "pin": "more", "unpin": "more"}
#: Buttons that show two lists elsewhere.
PAIRED_BY = {"compare": "compare-lists", "side-by-side": "side-by-side"}
#: Bytes of texts that are shown at once: a page sends them along.
MOST_TOLD = 2 << 20
#: Lists that fit into one file; lists offered for comparison with another.
MOST_SAVED, MOST_OFFERED = 500, 200


@fresh
def my_lists(request: HtmxRequest) -> HttpResponse:
    """Show the lists of this browser, as the address wants them."""
    wanted = read_wanted(request.GET.dict())
    overview = make_overview(holder_of(request), wanted, shipped_library())
    wanted = wanted._replace(page=overview["page"])
    done = request.session.pop(DONE, None)
    context = {
        "wanted": wanted,
        "overview": overview,
        "sorts": [(key, name) for key, (name, _by, _backwards) in SORTS.items()],
        "places": [(place, _address(ListQuery(place=place.key))) for place in overview["places"]],
        "earlier": wanted._replace(page=wanted.page - 1).query,
        "later": wanted._replace(page=wanted.page + 1).query,
        "done": done,
        "ticked": [UUID(one) for one in done["ticked"]] if done else [],
        "unshown": overview["found"] - len(overview["rows"]),
        "days": RESTORED_FOR.days,
        "abandoned_days": settings.ABANDONED_DAYS,
        "one_day_days": settings.ONE_DAY_DAYS,
        "max_tag": MAX_TAG,
        "max_tags": MOST_TAGS * (MAX_TAG + 2),
    }
    response = render(request, "my_lists/my_lists.html", context)
    # While somebody types, the address follows, so that reloading or a bookmark finds the same.
    return replace_url(response, _address(wanted)) if request.htmx else response


def _address(wanted: ListQuery) -> str:
    return with_query(reverse("my-lists"), wanted.query)


@require_POST
def chosen(request: HttpRequest) -> HttpResponse:
    """Do the act of the button `do` on the ticked lists, or show them elsewhere."""
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
        return redirect(f"{reverse('save-lists')}?{urlencode({'list': ids}, doseq=True)}")
    if act == "together":
        system = current_version(request, ids[0]).content.system.removeprefix(FROM_FILES)
        query = urlencode({"list": ids}, doseq=True)
        return redirect(f"{reverse('lists-together', args=[system])}?{query}")
    if act in PAIRED_BY:
        if len(ids) != 2:
            raise Refusal(_("Select exactly two lists for that."))
        return redirect(f"{reverse(PAIRED_BY[act])}?{urlencode({'a': ids[0], 'b': ids[1]})}")
    done = do_act(act, holder_of(request), ids, request.POST)
    # The bar has the ticks themselves; other buttons on the page only send them along.
    from_bar = "bar" in request.POST
    ticked = ids if from_bar else _ticked(request)
    if act not in STAYING:
        ticked = [list_id for list_id in ticked if list_id not in ids]
    return _back(request, done, ticked, STAYING.get(act, "") if from_bar else "")


def _ticked(request: HttpRequest) -> list[UUID]:
    """Return the lists that were ticked on the page when another button was pressed."""
    return list_ids(request.POST.getlist("ticked"))


def _back(
    request: HttpRequest,
    done: BulkResult,
    ticked: Sequence[UUID] | None = None,
    focus: str = "",
    rosters: bool = False,
) -> HttpResponse:
    """Return to the page, which reports the act (see `remember`) and offers to undo it."""
    remember(request, done, _ticked(request) if ticked is None else ticked, focus, rosters)
    return redirect(_address(read_wanted(QueryDict(request.POST.get("next", "")).dict())))


def _said(request: HttpRequest, said: str, **values: Any) -> HttpResponse:
    return _back(request, BulkResult(said.format(**values), [], ""))


@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    """Open list documents, loose or in a zip.

    One alone leads to its builder, a text alone to a review of its lines, several with an unclear
    line to a table of their lists; of several files, each refused one is named with the reason.
    """
    if request.method == "GET":
        return redirect("import")
    try:
        return _open(request)
    except Refusal as refusal:
        return paste.show_form(request, refusal=refusal)


def _open(request: HttpRequest) -> HttpResponse:
    """Open the files that were sent. Raises Refusal if none is kept."""
    files = request.FILES.getlist("file")
    if not files:
        raise Refusal(_("Choose a file first: a list saved here or by BattleScribe."))
    texts = [file for file in files if is_text(file)]
    if len(files) == len(texts) == 1:
        return paste.answer_text(request, text_in(texts[0]))
    kept, library = KeptGames(holder_of(request)).file, own_library(request)
    saved = read_files([file for file in files if file not in texts], library, kept)
    if saved.of_files and not texts and not saved.documents:
        return answer_read(request, saved.of_files, saved.refused)
    keep_read(request, saved.of_files)
    sources = _unclear_texts(request, texts, saved, library)
    if not sources and not saved.documents and len(saved.refused) == 1:
        raise saved.refused[0][1]
    made = keep(request, saved)
    if not sources and len(made) == 1 and not saved.refused:
        return to_list(saved, made)
    refused = [(name, refusal.sentence) for name, refusal in saved.refused]
    done = imported(made, refused)
    if sources:
        if made:
            remember(request, done, rosters=bool(saved.readings))
        return show_table(request, sources, others=done if made or refused else None)
    return _back(request, done, rosters=bool(saved.readings))


def _unclear_texts(
    request: HttpRequest,
    files: Sequence["UploadedFile[bytes]"],
    saved: UploadedList,
    library: Library,
) -> list[TextSource]:
    """Add lists of clear texts to those saved; else return all, to be looked at."""
    sources: list[TextSource] = []
    for file in files:
        name, text = file.name or "?", text_in(file).replace("\0", "")
        try:
            parts = split_text(text, library)
        except Refusal as refusal:
            saved.refused.append((name, refusal))
            continue
        sources.append(TextSource(text, parts, len(sources) + 1, name))
    read = [
        (source, *one)
        for source in sources
        for one in read_parts(request.POST, source.parts, library)
    ]
    if any(part.doubt or is_doubtful(reading) for _source, part, reading in read):
        if sum(len(source.text.encode()) for source in sources) > MOST_TOLD:
            limit = _("At most {most} MB can be read at once. Import the lists in smaller batches.")
            raise Refusal(limit.format(most=MOST_TOLD >> 20))
        return sources
    for number, (source, _part, reading) in enumerate(read, 1):
        try:
            saved.documents.append(named(request, reading))
        except Refusal as refusal:
            place = f"{source.file}/{number}" if len(source.parts) > 1 else source.file
            saved.refused.append((place, refusal))
    return []


@fresh
def rosters_read_page(request: HttpRequest) -> HttpResponse:
    """Show the outcome of the rosters that were opened last; of none, my lists."""
    rosters = recall(request, shipped_library())
    if not rosters:
        return redirect("my-lists")
    return render(request, "my_lists/rosters_read.html", {"found": rosters})


@require_POST
def copy(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Copy a list; stay among the lists, or `open` the copy."""
    version = services.copy_list(current_version(request, list_id), make_holder(request))
    copy_tie(list_id, version.army_list_id)
    said = _("Copied. The copy is called “{name}”.").format(name=version.content.name)
    if "open" in request.POST:
        return back_to_list(request, version.army_list_id, said, "")
    return _back(request, BulkResult(said, [version.army_list_id], "delete"))


@require_POST
def rename(request: HttpRequest, list_id: UUID) -> HttpResponse:
    version = current_version(request, list_id)
    document = services.renamed(version.content, request.POST.get("name", ""))
    act = _("Renamed the list to {name}.").format(name=document.name)
    try:
        services.replace_document(holder_of(request), list_id, version.pk, document, act)
    except services.Conflict as conflict:
        raise Refusal(_("The list has just been renamed elsewhere; check it first.")) from conflict
    return _said(request, _("Renamed."))


@require_POST
def set_tags(request: HttpRequest, list_id: UUID) -> HttpResponse:
    name = current_version(request, list_id).content.name
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
    name = current_version(request, list_id).content.name
    changed = flags.delete(holder_of(request), [list_id])
    said = _("Deleted “{name}”.").format(name=name)
    return _back(request, BulkResult(said, changed, "restore"))


@require_POST
def restore(request: HttpRequest, list_id: UUID) -> HttpResponse:
    changed = flags.restore(holder_of(request), [list_id])
    if not changed:
        raise Http404("no such deleted list in this browser")
    return _back(request, BulkResult(_("The list has been restored."), changed, "delete"))


@fresh
def save_lists(request: HttpRequest) -> HttpResponse:
    """Send the lists that the address names as files in a zip; each can be opened here again."""
    ids = list_ids(request.GET.getlist("list"))
    if len(ids) > MOST_SAVED:
        limit = _("At most {most} lists fit into one file; {number} were selected.")
        raise Refusal(limit.format(most=MOST_SAVED, number=len(ids)))
    versions = _versions_in(request, ids)
    if not ids or len(versions) < len(ids):
        raise Http404("no such list in this browser")
    buffer, taken = BytesIO(), set[str]()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for version in (versions[list_id] for list_id in ids):
            name = free_name(version.content.name, "json", taken)
            content = json.dumps(version.content.to_dict(), indent=2, ensure_ascii=False)
            # Without the time of day, equal lists make equal files.
            archive.writestr(ZipInfo(name), content.encode(), ZIP_DEFLATED)
    return file_response(buffer.getvalue(), "lists", "zip")


def _versions_in(request: HttpRequest, ids: Sequence[UUID]) -> dict[UUID, Version]:
    mine = current_versions(holder_of(request)).filter(army_list_id__in=ids)
    return {version.army_list_id: version for version in mine}


@fresh
def side_by_side(request: HttpRequest) -> HttpResponse:
    """Show the lists `a` and `b` in comparison, one alone with the latest other one."""
    ids = [one for key in "ab" for one in list_ids(filter(None, [request.GET.get(key)]))]
    if len(ids) == 1:
        others = lists_of(holder_of(request)).exclude(pk=ids[0])
        ids += others.values_list("pk", flat=True)[:1]
    versions = _versions_in(request, ids)
    if len(versions) < len(set(ids)):
        raise Http404("no such list in this browser")
    sides = [
        {"id": list_id, **rows_of(judge(versions[list_id].document, shipped_library()))}
        for list_id in ids
    ]
    offered = lists_of(holder_of(request)).values_list("pk", "name")[:MOST_OFFERED]
    context = {"sides": sides, "lists": list(offered), "pair": len(sides) == 2}
    return render(request, "my_lists/side_by_side.html", context)
