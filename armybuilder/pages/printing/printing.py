"""Printing: a set-up, pages to look at, the file, set-ups to keep; many lists into one file."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from armybuilder.accounts.holders import holder_of
from armybuilder.books.paths import is_own_id
from armybuilder.certificates.making import certify
from armybuilder.downloads import file_response
from armybuilder.lists.drawn import DrawnList, drawn_list
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.lists.services import event_pack_of
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import heavy_ahead
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh
from armybuilder.printing import jobs as print_jobs
from armybuilder.printing import setups
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.tasks import print_lists
from armybuilder.requests import HtmxRequest
from armybuilder.sharing.selectors import address_of
from armybuilder.sharing.shared_lists import code_links, make_code_links
from armybuilder.sheets.content.make import NO_LINKS, SheetLinks
from armybuilder.sheets.content.setup import (
    CARDS,
    CHOICES,
    CODED,
    MOST_LETTERS,
    OCCASION,
    PAPERS,
    SCALES,
    SWITCHES,
    Setup,
    read_setup,
    written,
)
from armybuilder.sheets.content.setup import KINDS as ALL_KINDS
from armybuilder.sheets.kinds.file_lists import FILE_KINDS, FileKind
from armybuilder.sheets.printing.printouts import (
    KINDS,
    WIDTH,
    Printout,
    SheetKind,
)

State = PrintJob.State
#: How many pages are shown as pictures.
MOST_PICTURES = 12

#: Names of a preset's choices.
NAMES: Mapping[str, object] = {
    "A4": "A4",
    "letter": gettext_lazy("US Letter"),
    "A5": "A5",
    "0": gettext_lazy("portrait"),
    "1": gettext_lazy("landscape"),
    "small": pgettext_lazy("letters", "small"),
    "normal": pgettext_lazy("letters", "normal"),
    "large": pgettext_lazy("letters", "large"),
    "poker": "63 × 88 mm",
    "A6": gettext_lazy("94 × 132 mm, for A6 sleeves"),
}


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """A parsed query string, or its error (`wrong`); `plain`: written as `query_of` does."""

    setup: Setup
    chosen: tuple[str, ...]
    plain: bool = True
    wrong: str = ""


def asked_for(query: QueryDict, usual: Setup) -> SetupRequest:
    """Read a query, or the form without script, whose `up` and `down` move a kind."""
    fields = {str(key): str(value) for key, value in query.items()}
    if not set(fields) & {"kinds", "up", "down", *CHOICES, *SWITCHES, *OCCASION}:
        return SetupRequest(usual, usual.kinds)
    ticked = ",".join(query.getlist("kinds"))
    try:
        setup = read_setup({**fields, "kinds": ticked})
    except Refusal as refusal:
        return SetupRequest(Setup(), Setup().kinds, wrong=refusal.sentence)
    if "kinds" in fields and not ticked.strip(","):
        return SetupRequest(setup, ())
    kinds = list(setup.kinds)
    for kind, step in ((fields.get("up"), -1), (fields.get("down"), 1)):
        if kind in kinds:
            to = max(kinds.index(kind) + step, 0)
            kinds.remove(kind)
            kinds.insert(to, kind)
    setup = replace(setup, kinds=tuple(kinds))
    # `mark` distinguishes the pictures of one printout from those of the next.
    known = {key: value for key, value in fields.items() if key != "mark"}
    plain = known == _query_fields(setup) and all(len(query.getlist(key)) == 1 for key in known)
    return SetupRequest(setup, setup.kinds, plain)


def query_of(setup: Setup) -> str:
    """Return the set-up as a query, always with kinds: without them the usual set-up is meant."""
    return urlencode(_query_fields(setup), safe=",")


def _query_fields(setup: Setup) -> dict[str, str]:
    return {"kinds": ",".join(setup.kinds), **written(setup)}


def coded_views(kinds: Iterable[str]) -> list[str]:
    """Return the views of frozen copies that the QR codes of these sheets lead to."""
    return list(dict.fromkeys(CODED[kind] for kind in kinds if kind in CODED))


def form_of(
    wish: SetupRequest,
    saved: Iterable[PrintSetup],
    links: SheetLinks | None = None,
    printed: Printout | None = None,
    refused: str = "",
    known: Mapping[str, SheetKind | FileKind] = KINDS,
) -> dict[str, Any]:
    """Return the context of a preset's form; `links` None for many lists, or without any.

    For one list also its printout, or why there is none. `known` are the kinds of sheet.
    """
    setup = wish.setup

    def choice(key: str, label: str, values: Iterable[str]) -> dict[str, Any]:
        now = str(int(setup.landscape)) if key == "landscape" else getattr(setup, key)
        options = [(value, NAMES[value], value == now) for value in values]
        return {"key": key, "label": label, "options": options}

    def switch(key: str, label: str, about: str = "") -> dict[str, Any]:
        return {"key": key, "label": label, "about": about, "on": getattr(setup, key)}

    contents = [
        switch("prices", _("Points"), _("prices of units and options")),
        switch("notes", _("Notes"), _("your notes on the list and its units")),
        switch("colour", _("In colour")),
    ]
    if links is not None:
        about = _("our signed verdict, on full and judge’s sheets")
        if "judge" not in known:
            about = _("our signed verdict, on the full sheet")
        contents += [
            switch("qr", _("QR code"), _("links to a copy of the list as it is now")),
            switch("certificate", _("Certificate"), about),
        ]
    return {
        "setup": setup,
        "query": query_of(setup),
        "wrong": refused,
        "printout": printed,
        "kinds": _kind_rows(wish.chosen, known),
        "paper": [
            choice("paper", _("Size"), PAPERS),
            choice("landscape", _("Orientation"), ("0", "1")),
            choice("size", _("Text size"), SCALES),
        ],
        "sides": switch("duplex", _("Both sides"), _("start each sheet and list on a new page")),
        "occasion": [(key, name, getattr(setup, key)) for key, name in OCCASION.items()],
        "most_letters": MOST_LETTERS,
        "contents": contents,
        "card_sizes": choice("cards", _("Size of a card"), CARDS),
        "has_cards": known is KINDS,
        "card_contents": [
            switch("portraits", _("Space for a picture")),
            switch("outlined", _("Outlined heads"), _("saves ink")),
            switch("backs", _("Backs"), _("for printing on both sides")),
        ],
        "code": _code_of(wish, links),
        "saved_rows": [(row, query_of(row.setup), row.setup == setup) for row in saved],
    }


def _kind_rows(
    wanted: Sequence[str], known: Mapping[str, SheetKind | FileKind]
) -> list[dict[str, Any]]:
    """Return the kinds chosen in their order, each with whether it can be moved, then others."""
    chosen = [kind for kind in wanted if kind in known]
    others = (kind for kind in ALL_KINDS if kind in known and kind not in chosen)
    kinds, last = (*chosen, *others), len(chosen) - 1
    return [
        {
            "id": kind,
            "name": known[kind].name,
            "about": known[kind].about,
            "chosen": place <= last,
            "earlier": 0 < place <= last,
            "later": place < last,
        }
        for place, kind in enumerate(kinds)
    ]


def _code_of(wish: SetupRequest, links: SheetLinks | None) -> str:
    """Return "" (no QR code wanted), "nowhere" (no sheet has a place), "missing" or "ready"."""
    if links is None or not wish.setup.qr:
        return ""
    views = coded_views(wish.chosen)
    if not views:
        return "nowhere"
    return "ready" if all(getattr(links, view) for view in views) else "missing"


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """A list of this browser, and how its address asks to print it."""

    version: Version
    wish: SetupRequest
    drawn: DrawnList

    @property
    def long(self) -> int:
        """About how many seconds it takes, where that is too long to wait for; else 0."""
        if self.wish.wrong:
            return 0
        seconds = self.drawn.seconds(self.wish.setup)
        return ceil(seconds) if seconds > settings.PRINT_SECONDS["now"] else 0

    def made(self) -> Printout:
        """Return the printout. Raises Refusal where it cannot be printed so."""
        if self.wish.wrong:
            raise Refusal(self.wish.wrong)
        if not self.wish.chosen:
            raise Refusal(_("Choose at least one sheet."))
        heavy_ahead(self.drawn.seconds(self.wish.setup))
        setup, verdict = setups.for_event(self.version, self.wish.setup), None
        with suppress(Refusal):
            verdict = setups.verdict_at_event(self.version, shipped_library())
        return replace(self.drawn, at_event=verdict).printout(setup)


def _wanted(request: HttpRequest, list_id: UUID) -> PrintRequest:
    version = current_version(request, list_id)
    wish = asked_for(request.GET, setups.usual_setup(holder_of(request)))
    drawn = drawn_list(version)
    links = code_links(version, partial(address_of, request)) if wish.setup.qr else NO_LINKS
    if wish.setup.certificate:
        issuer, pack = request.build_absolute_uri("/").rstrip("/"), event_pack_of(version)
        # The printout's page also says if the list can't be judged. For a minute it is the same.
        with suppress(Refusal):
            word = certify(version.content, shipped_library(), issuer, pack, exact=60)
            address = f"{request.build_absolute_uri(reverse('verify'))}#{word}"
            links = links._replace(certificate=address)
    return PrintRequest(version, wish, replace(drawn, links=links))


@fresh
def print_page(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Answer the page: 422 if the address asks for something that isn't offered."""
    wish = (wanted := _wanted(request, list_id)).wish
    address = f"{reverse('print', args=[list_id])}?{query_of(wish.setup)}"
    tidy = bool(wish.chosen) and not wish.wrong
    if tidy and not wish.plain and not request.htmx:
        return redirect(address)
    printed, refused = None, ""
    try:
        printed = None if wanted.long else wanted.made()
    except Refusal as refusal:
        refused = refusal.sentence
    saved, sizes = setups.setups_of(holder_of(request)), printed.sizes if printed else ()
    drawn, content = wanted.drawn, wanted.version.content
    known = FILE_KINDS if drawn.of_files else KINDS
    context = {
        "page": form_of(wish, saved, drawn.links, printed, refused, known),
        "list_id": list_id,
        "name": content.name,
        "tells_book": "full" in coded_views(wish.chosen)
        and isinstance(content, ArmyList)
        and any(is_own_id(book.id) for book in content.books),
        "pages": len(sizes),
        "long": wanted.long,
        "leaves": [(WIDTH, round(WIDTH * y / x)) for x, y in sizes[:MOST_PICTURES]],
        "kilobytes": -(-len(printed.content) // 1024) if printed else 0,
        "most": MOST_PICTURES,
        "max_name": setups.MAX_NAME,
    }
    template = "printing/print.html" + ("#printing" if request.htmx else "")
    response = render(request, template, context, status=422 if wish.wrong else 200)
    if request.htmx and tidy:
        response["HX-Replace-Url"] = address
    return response


@fresh
def print_file(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Answer the PDF of a set-up; its page where it takes long. Raises Refusal as `made` does."""
    wanted = _wanted(request, list_id)
    if wanted.long:
        return redirect(f"{reverse('print', args=[list_id])}?{query_of(wanted.wish.setup)}")
    made = wanted.made()
    return file_response(made.content, made.title, "pdf")


@require_safe
def print_picture(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """Answer one of the first pages as a picture, which never changes under the file's mark."""
    wanted = _wanted(request, list_id)
    if wanted.long:
        raise Http404("no such page yet")
    made = wanted.made()
    if not 1 <= number <= min(len(made.sizes), MOST_PICTURES):
        raise Http404("no such page")
    response = HttpResponse(made.picture(number), content_type="image/png")
    same = request.GET.get("mark") == made.mark
    response["Cache-Control"] = f"private, {'max-age=86400, immutable' if same else 'no-cache'}"
    return response


def _posted(request: HttpRequest, list_id: UUID) -> tuple[str, SetupRequest]:
    """Return whose list it is, and the set-up of the page that posts."""
    current_version(request, list_id)
    holder = holder_of(request)
    wish = asked_for(QueryDict(request.POST.get("query", "")[:1000]), setups.usual_setup(holder))
    if wish.wrong:
        raise Refusal(wish.wrong)
    return holder, wish


@require_POST
def make_link(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Make the links that QR codes on the sheets lead to, and back to the page as it was."""
    holder, wish = _posted(request, list_id)
    if make_code_links(holder, list_id, shipped_library(), coded_views(wish.chosen)):
        messages.success(request, _("Created. The code links to the list as it is now."))
    setup = replace(wish.setup, qr=True)
    return redirect(f"{reverse('print', args=[list_id])}?{query_of(setup)}")


@require_POST
def print_later(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Let the worker print a list with the set-up of the page, for it takes long."""
    holder, wish = _posted(request, list_id)
    return _start(print_jobs.plan(holder, [list_id]), wish, zipped=False)


def _start(job: PrintJob, wish: SetupRequest, zipped: bool) -> HttpResponse:
    if not wish.chosen:
        raise Refusal(_("Choose at least one sheet."))
    print_jobs.start(job, wish.setup, zipped)
    print_lists.enqueue(str(job.pk))
    return redirect("print-job", job.pk)


@require_POST
def print_setups(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Keep a set-up, choose the usual one, or delete one; back to the page as it was."""
    holder, wish = _posted(request, list_id)
    if request.POST.get("do") == "save":
        usual = request.POST.get("usual") == "1"
        kept = setups.save_setup(holder, request.POST.get("name", ""), wish.setup, usual)
        text = _("Saved the preset “{name}”.").format(name=kept.name)
    else:
        sentences = {
            "usual": _("All lists are now printed with “{name}”."),
            "plain": _("“{name}” is no longer the default preset."),
            "delete": _("Deleted the preset “{name}”."),
        }
        number, act = request.POST.get("setup", ""), request.POST.get("do", "")
        if act not in sentences or not (number.isascii() and number.isdigit()):
            raise Refusal(_("That button is unknown. Reload the page."))
        saved = setups.change_setup(holder, int(number[:12]), act)
        text = sentences[act].format(name=saved.name)
    messages.success(request, text)
    return redirect(f"{reverse('print', args=[list_id])}?{query_of(wish.setup)}")


@fresh
def prints(request: HttpRequest) -> HttpResponse:
    """Answer the recent print jobs of this browser."""
    jobs = print_jobs.jobs_of(holder_of(request))
    rows = [{"job": job, "state": queue.state_of(job)} for job in jobs]
    return render(request, "printing/prints.html", {"rows": rows, "days": queue.kept_for.days})


@fresh
def print_job(request: HtmxRequest, job_id: UUID) -> HttpResponse:
    """Answer a job: a form, progress, or its file; asked again with the state it has `seen`."""
    job = queue.get(holder_of(request), job_id)
    context = {"job": job, **queue.progress(job)}
    if request.htmx:
        if request.GET.get("seen") != context["state"]:
            return HttpResponseClientRefresh()
        return render(request, "printing/print_job.html#progress", context)
    if job.state == State.PLANNED:  # the set-up asked for, or the usual one, as fields
        holder = holder_of(request)
        wish = asked_for(request.GET, setups.usual_setup(holder))
        page = form_of(wish, setups.setups_of(holder), refused=wish.wrong)
        context |= {"page": page, "wrong": wish.wrong, "zipped": request.GET.get("file") == "zip"}
    else:  # lists with remarks, the ones not printed apart
        keys = ("id", "name", "printed", "said")
        rows = [dict(zip(keys, row, strict=False)) for row in job.troubles]
        left_out = [row for row in rows if not row["printed"]]
        context |= {
            "left_out": left_out,
            "not_legal": [row for row in rows if row["printed"]],
            "printed": job.total - len(left_out),
        }
    status = 422 if context.get("wrong") else 200
    return render(request, "printing/print_job.html", context, status=status)


@require_POST
def start(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Print a job with the set-up of the form; or put its sheets into another order first."""
    holder = holder_of(request)
    job = queue.get(holder, job_id)
    wish = asked_for(request.POST, setups.usual_setup(holder))
    zipped = request.POST.get("file") == "zip"
    if wish.wrong:
        raise Refusal(wish.wrong)
    if {"up", "down"} & set(request.POST):
        kind = "&file=zip" if zipped else ""
        return redirect(f"{reverse('print-job', args=[job.pk])}?{query_of(wish.setup)}{kind}")
    return _start(job, wish, zipped)


@require_POST
def cancel(request: HttpRequest, job_id: UUID) -> HttpResponse:
    print_jobs.cancel(queue.get(holder_of(request), job_id))
    return redirect("print-job", job_id)


@require_POST
def again(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Choose again for the same lists, starting with the choices made before."""
    job = queue.get(holder_of(request), job_id)
    planned = print_jobs.again(job)
    wish = query_of(PrintSetup(fields=job.setup).setup)
    kind = "&file=zip" if job.zipped else ""
    return redirect(f"{reverse('print-job', args=[planned.pk])}?{wish}{kind}")


@fresh
def file(request: HttpRequest, job_id: UUID) -> HttpResponseBase:
    """Answer the file of a job. Raises Http404 where it is not made, or gone."""
    job = queue.get(holder_of(request), job_id)
    if job.state != State.DONE:
        raise Http404("not printed yet")
    number = job.total - sum(not row[2] for row in job.troubles)
    title = ngettext("{number} list", "{number} lists", number).format(number=number)
    ending = "zip" if job.zipped else "pdf"
    try:
        stream = queue.files().open(queue.file_of(job))
    except FileNotFoundError as error:
        raise Http404("the file is gone") from error
    return FileResponse(stream, as_attachment=job.zipped, filename=f"{slugify(title)}.{ending}")
