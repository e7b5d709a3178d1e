"""Printing many lists into one file: what a player asks for, and the state of it.

The work is done by another process (`work`), in the order of `queue`. It makes a file in the folder
PRINTS_DIR, and puts it into the storage "prints" once it is complete.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.lists.selectors import names_of
from armybuilder.loading.problems import Refusal
from armybuilder.printing.models import PrintJob, PrintWorker
from armybuilder.sheets.content.setup import Setup, written

#: Most lists of one file; how many files of one browser stay, and jobs that were not started.
MOST_PRINTED = 300
MOST_KEPT = 10
MOST_PLANNED = 3
#: How many of one browser may be under way.
MOST_AT_ONCE = 2
#: How long a file stays.
KEPT_FOR = timedelta(days=7)
#: After so long without a sign of life, a worker is taken for dead, and its job for abandoned.
SILENCE = timedelta(seconds=30)

State = PrintJob.State
UNDER_WAY = (State.WAITING, State.WORKING)


def plan(holder: str, ids: Sequence[UUID]) -> PrintJob:
    """Return a new job for these lists, in this order. Raises Http404 where one is not the
    holder's, Refusal where they are too many.
    """
    if len(ids) > MOST_PRINTED:
        said = _("At most {most} lists fit into one file; these are {number}.")
        raise Refusal(said.format(most=MOST_PRINTED, number=len(ids)))
    names = names_of(holder, ids)
    if not ids or len(names) < len(ids):
        raise Http404("no such list in this browser")
    pairs = [[str(one), names[one]] for one in ids]
    return _plan(holder, pairs)


def _plan(holder: str, pairs: Sequence[Sequence[str]]) -> PrintJob:
    job = PrintJob.objects.create(holder=holder, lists=list(pairs))
    planned = PrintJob.objects.filter(holder=holder, state=State.PLANNED).order_by("-created")
    for jobs, most in ((planned, MOST_PLANNED), (jobs_of(holder), MOST_KEPT)):
        remove(jobs[most:])
    return job


def jobs_of(holder: str) -> QuerySet[PrintJob]:
    """Return what the holder has asked for, the latest first; not what was only planned."""
    jobs = PrintJob.objects.filter(holder=holder).exclude(holder="")
    return jobs.exclude(state=State.PLANNED).order_by("-created")


def job_of(holder: str, job_id: UUID) -> PrintJob:
    """Raises Http404 where the holder has no such job."""
    job = PrintJob.objects.filter(pk=job_id, holder=holder).exclude(holder="").first()
    if job is None:
        raise Http404("no such print in this browser")
    return job


def start(job: PrintJob, setup: Setup, zipped: bool) -> None:
    """Let a planned job wait for the worker; `tasks.print_lists` is to be enqueued for it.

    Raises Refusal where it was started before, or others of the holder are under way.
    """
    with transaction.atomic():
        mine = PrintJob.objects.filter(holder=job.holder)
        # All of them, so that two who start at the same time go one after the other.
        states = mine.select_for_update().order_by("pk").values_list("state", flat=True)
        if sum(state in UNDER_WAY for state in states) >= MOST_AT_ONCE:
            raise Refusal(_("Other lists are being printed. Wait for one, or cancel it."))
        started = mine.filter(pk=job.pk, state=State.PLANNED).update(
            state=State.WAITING,
            moved=timezone.now(),
            setup=written(setup),
            zipped=zipped,
            language=get_language() or "en",
        )
    if not started:
        raise Refusal(_("That has already been started."))


def cancel(job: PrintJob) -> None:
    """Leave off; the worker notices before the next list."""
    under_way = PrintJob.objects.filter(pk=job.pk, state__in=UNDER_WAY)
    under_way.update(state=State.CANCELLED, moved=timezone.now())


def again(job: PrintJob) -> PrintJob:
    """A new job for the same lists as far as they are there, for which nothing is chosen yet.
    Raises Refusal where none is left.
    """
    names = names_of(job.holder, [UUID(one) for one, _name in job.lists])
    pairs = [[one, names[UUID(one)]] for one, _name in job.lists if UUID(one) in names]
    if not pairs:
        raise Refusal(_("None of these lists exists any more."))
    return _plan(job.holder, pairs)


def remove(jobs: Iterable[PrintJob]) -> int:
    """Remove jobs with their files; how many there were. A worker that has one leaves off."""
    gone = list(jobs)
    PrintJob.objects.filter(pk__in=[job.pk for job in gone]).delete()
    for job in gone:
        files().delete(file_of(job))
    return len(gone)


def long_ago(now: datetime) -> QuerySet[PrintJob]:
    """Jobs whose time is over."""
    return PrintJob.objects.filter(created__lt=now - KEPT_FOR)


def remove_strays(now: datetime) -> None:
    """Remove files of jobs that are gone and of tries that came to nothing; old ones of others."""
    folder()  # where files are kept here, it must be there
    _folders, names = files().listdir("")
    ids = {name: _id_in(name) for name in names}
    jobs = PrintJob.objects.only("state", "tries", "zipped").in_bulk(filter(None, ids.values()))
    for name, job_id in ids.items():
        job = jobs.get(job_id) if job_id else None
        if job is not None:
            needed = job.state == State.WORKING or _has_file(job, name)
        else:
            needed = not job_id and files().get_modified_time(name) >= now - KEPT_FOR
        if not needed:
            files().delete(name)


def _has_file(job: PrintJob, name: str) -> bool:
    return job.state == State.DONE and name == file_of(job)


def _id_in(name: str) -> UUID | None:
    try:
        return UUID(name[:36])
    except ValueError:
        return None


def file_of(job: PrintJob) -> str:
    """Return what its file is called, once it is done. Each further try has a name of its own, so
    that a worker which was only slow does not write into the file of the next.
    """
    mark = f"-{job.tries}" if job.tries > 1 else ""
    return f"{job.pk}{mark}.{'zip' if job.zipped else 'pdf'}"


def files() -> Storage:
    """Return where complete files are; it may be far from here."""
    return storages["prints"]


def folder() -> Path:
    """Where files are made, and the worker shows that it lives; it is there."""
    place = Path(settings.PRINTS_DIR)
    place.mkdir(parents=True, exist_ok=True)
    return place


def living(now: datetime) -> QuerySet[PrintWorker]:
    """Workers that gave a sign of life of late."""
    return PrintWorker.objects.filter(seen__gt=now - SILENCE)


def worker_is_there() -> bool:
    """Whether somebody does the work: a worker on any host, or the request itself."""
    if "Immediate" in settings.TASKS["default"]["BACKEND"]:
        return True
    return living(timezone.now()).exists()
