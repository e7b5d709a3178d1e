"""Printing many lists into one file: choose how, see how far it is, get the file."""

from typing import Any
from uuid import UUID

from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRefresh

from armybuilder.accounts.holders import holder_of
from armybuilder.jobs.queue import worker_is_there
from armybuilder.loading.problems import Refusal
from armybuilder.pages.printing.printing import PrintPage, asked_for, query_of
from armybuilder.printing import jobs as print_jobs
from armybuilder.printing import setups
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.tasks import print_lists
from armybuilder.requests import HtmxRequest

State = PrintJob.State


@never_cache
@require_safe
def prints(request: HttpRequest) -> HttpResponse:
    """What was printed in this browser of late."""
    jobs = print_jobs.jobs_of(holder_of(request))
    rows = [{"job": job, "state": queue.state_of(job)} for job in jobs]
    return render(request, "printing/prints.html", {"rows": rows, "days": queue.kept_for.days})


@never_cache
@require_safe
def print_job(request: HtmxRequest, job_id: UUID) -> HttpResponse:
    """Answer a job: what to choose, how far it is, or its file.

    The page asks again with the state it has `seen`, and is loaded anew where that has changed.
    """
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
    """Leave off printing."""
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


@never_cache
@require_safe
def file(request: HttpRequest, job_id: UUID) -> HttpResponseBase:
    """The file of a job. Raises Http404 where it is not made, or gone."""
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
