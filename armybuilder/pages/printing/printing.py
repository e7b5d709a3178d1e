"""Printing: a set-up, pages to look at, the file, set-ups to keep; many lists into one file."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, QueryDict
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from armybuilder.accounts.holders import holder_of
from armybuilder.books.paths import is_own_id
from armybuilder.certificates.making import certify
from armybuilder.downloads import file_response
from armybuilder.jobs.queue import worker_is_there
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.lists.services import event_pack_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh
from armybuilder.printing import jobs as print_jobs
from armybuilder.printing import setups
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.tasks import print_lists
from armybuilder.requests import HtmxRequest
from armybuilder.sharing.shared_lists import code_links, make_code_links
from armybuilder.sharing.tokens import address_of
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
from armybuilder.sheets.printing.printouts import KINDS, WIDTH, Printout, printout

State = PrintJob.State
#: How many pages are shown as pictures.
MOST_PICTURES = 12

#: What the choices of a set-up are called.
NAMES: Mapping[str, object] = {
    "A4": "A4",
    "letter": gettext_lazy("US Letter"),
    "A5": "A5",
    "small": pgettext_lazy("letters", "small"),
    "normal": pgettext_lazy("letters", "normal"),
    "large": pgettext_lazy("letters", "large"),
    "poker": "63 × 88 mm",
    "A6": gettext_lazy("94 × 132 mm, for sleeves of A6"),
}


@dataclass(frozen=True, slots=True)
class SetupRequest:
    """What an address asks for, or what is `wrong`; `plain`: written as `query_of` does."""

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
    # `mark` tells the pictures of one printout from those of the next.
    known = {key: value for key, value in fields.items() if key != "mark"}
    plain = known == _query_fields(setup) and all(len(query.getlist(key)) == 1 for key in known)
    return SetupRequest(setup, setup.kinds, plain)


def query_of(setup: Setup) -> str:
    """Return the set-up as a query, always with kinds: without them the usual set-up is meant."""
    return urlencode(_query_fields(setup), safe=",")


def _query_fields(setup: Setup) -> dict[str, str]:
    return {"kinds": ",".join(setup.kinds), **written(setup)}


def coded_views(kinds: Iterable[str]) -> list[str]:
    """Return what the frozen copies show that the QR codes of these sheets lead to."""
    return list(dict.fromkeys(CODED[kind] for kind in kinds if kind in CODED))


def lacking(kinds: Iterable[str], links: SheetLinks) -> list[str]:
    """Return those of them to which there is no link yet."""
    return [view for view in coded_views(kinds) if not getattr(links, view)]


class KindRow(NamedTuple):
    """A kind of sheet in the form, and whether it can be moved within those chosen."""

    id: str
    name: object
    about: object
    chosen: bool = False
    earlier: bool = False
    later: bool = False


class SetupChoice(NamedTuple):
    """A field of the form with its options: value, name, and whether it is chosen."""

    key: str
    label: object
    options: Sequence[tuple[str, object, bool]]


class Switch(NamedTuple):
    """A field of the form that is on or off."""

    key: str
    label: object
    about: object
    on: bool


class Leaf(NamedTuple):
    """A page of the preview; `width` and `height` of its picture in pixels."""

    number: int
    width: int
    height: int


class SavedRow(NamedTuple):
    """A saved set-up; `current` is one that says what the form says."""

    saved: PrintSetup
    query: str
    current: bool


@dataclass(frozen=True)
class PrintPage:
    """All of the page: `printout` None where `wrong` says why; `links` None for many lists."""

    setup: Setup
    chosen: tuple[str, ...]
    saved: list[PrintSetup]
    printout: Printout | None = None
    wrong: str = ""
    links: SheetLinks | None = None
    most_letters = MOST_LETTERS

    @property
    def query(self) -> str:
        return query_of(self.setup)

    @property
    def kinds(self) -> Iterator[KindRow]:
        """The kinds chosen in their order, then the others."""
        last = len(self.chosen) - 1
        for place, kind in enumerate(self.chosen):
            about = (KINDS[kind].name, KINDS[kind].about)
            yield KindRow(kind, *about, True, place > 0, place < last)
        for kind in ALL_KINDS:
            if kind not in self.chosen:
                yield KindRow(kind, KINDS[kind].name, KINDS[kind].about)

    @property
    def paper(self) -> list[SetupChoice]:
        ways = (("0", gettext_lazy("portrait")), ("1", gettext_lazy("landscape")))
        options = [(key, name, key == str(int(self.setup.landscape))) for key, name in ways]
        return [
            self._choice("paper", _("Size"), PAPERS),
            SetupChoice("landscape", _("Orientation"), options),
            self._choice("size", _("Text size"), SCALES),
        ]

    @property
    def occasion(self) -> list[tuple[str, object, str]]:
        return [(key, name, getattr(self.setup, key)) for key, name in OCCASION.items()]

    @property
    def sides(self) -> Switch:
        about = _("each sheet and each list begins on paper of its own")
        return Switch("duplex", _("Both sides"), about, self.setup.duplex)

    @property
    def card_sizes(self) -> SetupChoice:
        return self._choice("cards", _("Size of a card"), CARDS)

    @property
    def contents(self) -> list[Switch]:
        rows = [
            ("prices", _("Points"), _("what each unit and option costs")),
            ("notes", _("Notes"), _("what you wrote about the list and its units")),
            ("colour", _("In colour"), ""),
        ]
        if self.links is not None:
            about = _("what this site found, signed, on full and judge’s sheets")
            rows += [
                ("qr", _("QR code"), _("links to a copy of the list as it is now")),
                ("certificate", _("Certificate"), about),
            ]
        return self._switches(*rows)

    @property
    def code(self) -> str:
        """Return "" (none wanted), "nowhere" (no sheet has a place), "missing" or "ready"."""
        if self.links is None or not self.setup.qr:
            return ""
        if not coded_views(self.chosen):
            return "nowhere"
        return "missing" if lacking(self.chosen, self.links) else "ready"

    @property
    def card_contents(self) -> list[Switch]:
        return self._switches(
            ("portraits", _("Space for a picture"), ""),
            ("outlined", _("Outlined heads"), _("saves ink")),
            ("backs", _("Backs"), _("for printing on both sides")),
        )

    def _switches(self, *rows: tuple[str, str, str]) -> list[Switch]:
        return [Switch(*row, getattr(self.setup, row[0])) for row in rows]

    def _choice(self, key: str, label: object, values: Iterable[str]) -> SetupChoice:
        now = getattr(self.setup, key)
        return SetupChoice(key, label, [(value, NAMES[value], value == now) for value in values])

    @property
    def leaves(self) -> list[Leaf]:
        sizes = self.printout.sizes[:MOST_PICTURES] if self.printout else []
        return [
            Leaf(number, WIDTH, round(WIDTH * height / width))
            for number, (width, height) in enumerate(sizes, 1)
        ]

    @property
    def pages(self) -> int:
        return len(self.printout.sizes) if self.printout else 0

    @property
    def kilobytes(self) -> int:
        return -(-len(self.printout.content) // 1024) if self.printout else 0

    @property
    def saved_rows(self) -> list[SavedRow]:
        return [
            SavedRow(saved, query_of(saved.setup), saved.setup == self.setup)
            for saved in self.saved
        ]


@dataclass(frozen=True, slots=True)
class PrintRequest:
    """A list of this browser, and how its address asks to print it."""

    version: Version
    asked: SetupRequest
    links: SheetLinks

    def made(self) -> Printout:
        """Return the printout. Raises Refusal where it cannot be printed so."""
        if self.asked.wrong:
            raise Refusal(self.asked.wrong)
        if not self.asked.chosen:
            raise Refusal(_("Choose at least one sheet."))
        library, day = shipped_library(), timezone.localdate()
        return printout(self.version.document, library, day, self.asked.setup, self.links)


def _wanted(request: HttpRequest, list_id: UUID) -> PrintRequest:
    version = current_version(request, list_id)
    asked = asked_for(request.GET, setups.usual_setup(holder_of(request)))
    links = code_links(version, partial(address_of, request)) if asked.setup.qr else NO_LINKS
    if asked.setup.certificate:
        issuer, pack = request.build_absolute_uri("/").rstrip("/"), event_pack_of(version)
        # The page says it of the printout, too, where the list cannot be judged. A certificate is
        # the same for a minute, so that the pages of one printout are.
        with suppress(Refusal):
            word = certify(version.document, shipped_library(), issuer, pack, exact=60)
            address = f"{request.build_absolute_uri(reverse('verify'))}#{word}"
            links = links._replace(certificate=address)
    return PrintRequest(version, asked, links)


@fresh
def print_page(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """Answer the page: 422 where the address asks for what is not offered."""
    wanted = _wanted(request, list_id)
    asked = wanted.asked
    address = f"{reverse('print', args=[list_id])}?{query_of(asked.setup)}"
    tidy = bool(asked.chosen) and not asked.wrong
    if tidy and not asked.plain and not request.htmx:
        return redirect(address)
    page = PrintPage(
        asked.setup, asked.chosen, setups.setups_of(holder_of(request)), links=wanted.links
    )
    try:
        page = replace(page, printout=wanted.made())
    except Refusal as refusal:
        page = replace(page, wrong=refusal.sentence)
    context = {
        "page": page,
        "list_id": list_id,
        "name": wanted.version.document.name,
        "tells_book": "full" in coded_views(asked.chosen)
        and any(is_own_id(book.id) for book in wanted.version.document.books),
        "most": MOST_PICTURES,
        "max_name": setups.MAX_NAME,
    }
    template = "printing/print.html#printing" if request.htmx else "printing/print.html"
    response = render(request, template, context, status=422 if asked.wrong else 200)
    if request.htmx and tidy:
        response["HX-Replace-Url"] = address
    return response


@fresh
def print_file(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Answer the PDF of a set-up. Raises Refusal where it cannot be made."""
    made = _wanted(request, list_id).made()
    return file_response(made.content, "application/pdf", made.title, "pdf", inline=True)


@require_safe
def print_picture(request: HttpRequest, list_id: UUID, number: int) -> HttpResponse:
    """Answer one of the first pages as a picture, which never changes under the file's mark."""
    made = _wanted(request, list_id).made()
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
    asked = asked_for(QueryDict(request.POST.get("query", "")[:1000]), setups.usual_setup(holder))
    if asked.wrong:
        raise Refusal(asked.wrong)
    return holder, asked


@require_POST
def make_link(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Make the links that QR codes on the sheets lead to, and back to the page as it was."""
    holder, asked = _posted(request, list_id)
    if make_code_links(holder, list_id, shipped_library(), coded_views(asked.chosen)):
        messages.success(request, _("Created. The code links to the list as it is now."))
    setup = replace(asked.setup, qr=True)
    return redirect(f"{reverse('print', args=[list_id])}?{query_of(setup)}")


@require_POST
def print_setups(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Keep a set-up, choose the usual one, or delete one; back to the page as it was."""
    holder, asked = _posted(request, list_id)
    if request.POST.get("do") == "save":
        usual = request.POST.get("usual") == "1"
        kept = setups.save_setup(holder, request.POST.get("name", ""), asked.setup, usual)
        text = _("Saved the set-up “{name}”.").format(name=kept.name)
    else:
        text = _changed(holder, request.POST)
    messages.success(request, text)
    return redirect(f"{reverse('print', args=[list_id])}?{query_of(asked.setup)}")


def _changed(holder: str, fields: QueryDict) -> str:
    """Do what a button beside a saved set-up asks; return what was done as a sentence."""
    acts = {
        "usual": (setups.make_usual, _("All lists are now printed with “{name}”.")),
        "plain": (setups.unmake_usual, _("“{name}” is no longer the default set-up.")),
        "delete": (setups.delete_setup, _("Deleted the set-up “{name}”.")),
    }
    number = fields.get("setup", "")
    do = fields.get("do", "")
    if do not in acts or not (number.isascii() and number.isdigit()):
        raise Refusal(_("That button is unknown. Reload the page."))
    act, said = acts[do]
    kept = act(holder, int(number[:12]))
    if kept is None:
        raise Refusal(_("That set-up no longer exists."))
    return said.format(name=kept.name)


@fresh
def prints(request: HttpRequest) -> HttpResponse:
    """Answer what was printed in this browser of late."""
    jobs = print_jobs.jobs_of(holder_of(request))
    rows = [{"job": job, "state": queue.state_of(job)} for job in jobs]
    return render(request, "printing/prints.html", {"rows": rows, "days": queue.kept_for.days})


@fresh
def print_job(request: HtmxRequest, job_id: UUID) -> HttpResponse:
    """Answer a job: a form, progress, or its file; asked again with the state it has `seen`."""
    job = queue.get(holder_of(request), job_id)
    state = queue.state_of(job)
    waiting, planned = state == State.WAITING, job.state == State.PLANNED
    context: dict[str, Any] = {
        "job": job,
        "state": state,
        "ahead": queue.ahead_of(job) if waiting else 0,
        "worker": not (waiting or planned) or worker_is_there(),
        "days": queue.kept_for.days,
    }
    if request.htmx:
        if request.GET.get("seen") != state:
            return HttpResponseClientRefresh()
        return render(request, "printing/print_job.html#progress", context)
    if planned:  # the set-up that the address asks for, or the usual one, as fields; those saved
        holder = holder_of(request)
        asked = asked_for(request.GET, setups.usual_setup(holder))
        page = PrintPage(asked.setup, asked.chosen, setups.setups_of(holder), wrong=asked.wrong)
        zipped = request.GET.get("file") == "zip"
        context |= {"page": page, "wrong": asked.wrong, "zipped": zipped}
    else:  # of which lists there is something to tell, the ones not printed apart
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
    asked = asked_for(request.POST, setups.usual_setup(holder))
    zipped = request.POST.get("file") == "zip"
    if asked.wrong:
        raise Refusal(asked.wrong)
    if {"up", "down"} & set(request.POST):
        kind = "&file=zip" if zipped else ""
        return redirect(f"{reverse('print-job', args=[job.pk])}?{query_of(asked.setup)}{kind}")
    if not asked.chosen:
        raise Refusal(_("Choose at least one sheet."))
    print_jobs.start(job, asked.setup, zipped)
    print_lists.enqueue(str(job.pk))
    return redirect("print-job", job.pk)


@require_POST
def cancel(request: HttpRequest, job_id: UUID) -> HttpResponse:
    print_jobs.cancel(queue.get(holder_of(request), job_id))
    return redirect("print-job", job_id)


@require_POST
def again(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Choose anew for the same lists, beginning with what was chosen before."""
    job = queue.get(holder_of(request), job_id)
    planned = print_jobs.again(job)
    asked = query_of(PrintSetup(fields=job.setup).setup)
    kind = "&file=zip" if job.zipped else ""
    return redirect(f"{reverse('print-job', args=[planned.pk])}?{asked}{kind}")


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
    name = f"{slugify(title)}.{ending}"
    return FileResponse(stream, as_attachment=job.zipped, filename=name)
