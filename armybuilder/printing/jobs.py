"""Printing many lists into one file: what a player asks for, and the state of it.

The work itself is done by a process of its own (`work`, `manage.py print_worker`), which makes
the files in the folder that the setting PRINTS_DIR names and then puts them into the storage
"prints".
"""

import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.lists.selectors import names_of
from armybuilder.loading.problems import Refusal
from armybuilder.printing.models import PrintJob
from armybuilder.sheets.content.setup import Setup, written

#: Most lists of one file; how many files of one browser stay, and jobs that were not started.
MOST_PRINTED = 300
MOST_KEPT = 10
MOST_PLANNED = 3
#: How many of one browser may be under way.
MOST_AT_ONCE = 2
#: How long a file stays.
KEPT_FOR = timedelta(days=7)
#: After so long without a word from the worker about a job, it is not worked on any more.
SILENCE = timedelta(minutes=2)
#: The worker touches this file; after so many seconds without that, there is none.
ALIVE = "worker-alive"
ALIVE_FOR = 20

State = PrintJob.State


def plan(holder: str, ids: Sequence[UUID]) -> PrintJob:
    """Return a new job for these lists, in this order. Raises Http404 where one is not the
    holder's, Refusal where they are too many.
    """
    if len(ids) > MOST_PRINTED:
        said = _("At most {most} lists go into one file; these are {number}.")
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
        mine = PrintJob.objects.select_for_update().filter(holder=job.holder)
        running = mine.filter(state__in=(State.WAITING, State.WORKING))
        if sum(not silent(one) for one in running) >= MOST_AT_ONCE:
            raise Refusal(_("Others are being printed already. Wait for one, or cancel it."))
        started = mine.filter(pk=job.pk, state=State.PLANNED).update(
            state=State.WAITING,
            moved=timezone.now(),
            setup=written(setup),
            zipped=zipped,
            language=get_language() or "en",
        )
    if not started:
        raise Refusal(_("That was started already."))


def cancel(job: PrintJob) -> None:
    """Leave off; the worker notices before the next list."""
    under_way = PrintJob.objects.filter(pk=job.pk, state__in=(State.WAITING, State.WORKING))
    under_way.update(state=State.CANCELLED, moved=timezone.now())


def again(job: PrintJob) -> PrintJob:
    """A new job for the same lists as far as they are there, for which nothing is chosen yet.
    Raises Refusal where none is left.
    """
    names = names_of(job.holder, [UUID(one) for one, _name in job.lists])
    pairs = [[one, names[UUID(one)]] for one, _name in job.lists if UUID(one) in names]
    if not pairs:
        raise Refusal(_("None of these lists is here any more."))
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
    """Remove files as old that no job knows: a worker that was ended left them."""
    folder()  # where they are kept here, it must be there
    _folders, names = files().listdir("")
    for name in names:
        if name != ALIVE and files().get_modified_time(name) < now - KEPT_FOR:
            files().delete(name)


def file_of(job: PrintJob) -> str:
    """What its file is called, once it is done."""
    return f"{job.pk}.{'zip' if job.zipped else 'pdf'}"


def files() -> Storage:
    """Where finished files are; it may be far from here."""
    return storages["prints"]


def folder() -> Path:
    """Where files are made, and the worker shows that it lives; it is there."""
    place = Path(settings.PRINTS_DIR)
    place.mkdir(parents=True, exist_ok=True)
    return place


def silent(job: PrintJob) -> bool:
    """Return whether a job that the worker has taken does not move: its worker was ended."""
    late = job.moved is not None and job.moved < timezone.now() - SILENCE
    return job.state == State.WORKING and late


def ahead_of(job: PrintJob) -> int:
    """Return how many others the worker does before."""
    before = Q(state=State.WORKING) | Q(state=State.WAITING, moved__lt=job.moved)
    others = PrintJob.objects.filter(before).exclude(pk=job.pk)
    return sum(not silent(one) for one in others.only("state", "moved"))


def worker_is_there() -> bool:
    """Whether somebody does the work: a worker that gave a sign of life, or the request itself."""
    if "Immediate" in settings.TASKS["default"]["BACKEND"]:
        return True
    try:
        return time.time() - (folder() / ALIVE).stat().st_mtime < ALIVE_FOR
    except FileNotFoundError:
        return False
