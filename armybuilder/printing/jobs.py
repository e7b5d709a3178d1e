"""Printing many lists into one file: the player's choices, and the state of the job.

The work is done by another process (`tasks`). It makes a file in the folder PRINTS_DIR, and puts it
into the storage "prints" once it is complete.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.jobs.queue import UNDER_WAY, JobQueue, State, due_for
from armybuilder.lists.selectors import current_versions, names_of
from armybuilder.loading.problems import Refusal
from armybuilder.printing.models import PrintJob
from armybuilder.sheets.content.setup import Setup, written
from armybuilder.sheets.printing.printouts import seconds_for

#: Most lists of one file; how many files of one browser stay, and jobs that were not started.
MAX_PRINTED = 300
MAX_KEPT = 10
MAX_PLANNED = 3
#: How many of one browser may be under way.
MAX_AT_ONCE = 2


class _Prints(JobQueue[PrintJob]):
    def file_of(self, job: PrintJob) -> str:
        """Return the name of its file, once it is done.

        Each further try has another name, so that a slow worker doesn't write into the file of the
        next.
        """
        mark = f"-{job.tries}" if job.tries > 1 else ""
        return f"{job.pk}{mark}.{'zip' if job.zipped else 'pdf'}"

    def undo(self, job: PrintJob) -> None:
        if not PrintJob.objects.filter(pk=job.pk, state=State.DONE, tries=job.tries).exists():
            self.files().delete(self.file_of(job))


prints = _Prints(PrintJob, "prints", kept_for=timedelta(days=7))


def plan(holder: str, ids: Sequence[UUID]) -> PrintJob:
    """Return a new job for these lists, in this order.

    Raises Http404 if one is not the holder's, Refusal if they are too many.
    """
    if len(ids) > MAX_PRINTED:
        sentence = _("At most {most} lists fit into one file; {number} were selected.")
        raise Refusal(sentence.format(most=MAX_PRINTED, number=len(ids)))
    names = names_of(holder, ids)
    if not ids or len(names) < len(ids):
        raise Http404("no such list in this browser")
    return _plan(holder, [[str(list_id), names[list_id]] for list_id in ids])


def _plan(holder: str, lists: Sequence[Sequence[str]]) -> PrintJob:
    job = PrintJob.objects.create(holder=holder, lists=list(lists))
    prints.remove(prints.of(holder).filter(state=State.PLANNED)[MAX_PLANNED:])
    prints.remove(jobs_of(holder)[MAX_KEPT:])
    return job


def jobs_of(holder: str) -> QuerySet[PrintJob]:
    """Return the holder's jobs, the latest first, without planned ones."""
    return prints.of(holder).exclude(state=State.PLANNED)


def start(job: PrintJob, setup: Setup, zipped: bool) -> None:
    """Let a planned job wait for the worker; `tasks.print_lists` is to be enqueued for it.

    Raises Refusal if it was started before, or others of the holder are under way.
    """
    ids = [UUID(key) for key, _name in job.lists]
    versions = current_versions(job.holder).filter(army_list_id__in=ids)
    seconds = sum(seconds_for(version.content, setup) for version in versions)
    with transaction.atomic():
        if prints.count_under_way(job.holder) >= MAX_AT_ONCE:
            raise Refusal(
                _("Other lists are being printed. Wait until they are done, or cancel one.")
            )
        mine = PrintJob.objects.filter(holder=job.holder, pk=job.pk, state=State.PLANNED)
        started = mine.update(
            state=State.WAITING,
            moved=timezone.now(),
            setup=written(setup),
            zipped=zipped,
            seconds=seconds,
            due=due_for(job.holder, seconds),
            language=get_language() or "en",
        )
    if not started:
        raise Refusal(_("Printing has already started."))


def cancel(job: PrintJob) -> None:
    """Leave off; the worker notices before the next list."""
    under_way = PrintJob.objects.filter(pk=job.pk, state__in=UNDER_WAY)
    under_way.update(state=State.CANCELLED, moved=timezone.now())


def again(job: PrintJob) -> PrintJob:
    """Return a new job for the same lists, for which nothing is chosen yet.

    Raises Refusal if none of the lists is left.
    """
    names = names_of(job.holder, [UUID(key) for key, _name in job.lists])
    lists = [[key, names[UUID(key)]] for key, _name in job.lists if UUID(key) in names]
    if not lists:
        raise Refusal(_("None of these lists exists any more."))
    return _plan(job.holder, lists)


def remove_strays(now: datetime) -> None:
    """Remove files of jobs that are gone and of tries that came to nothing; old ones of others."""
    folder()  # where files are kept here, it must be there
    files = prints.files()
    ids: dict[str, UUID | None] = dict.fromkeys(files.listdir("")[1])
    for name in ids:
        with suppress(ValueError):
            ids[name] = UUID(name[:36])
    jobs = PrintJob.objects.only("state", "tries", "zipped").in_bulk(filter(None, ids.values()))
    for name, job_id in ids.items():
        job = jobs.get(job_id) if job_id else None
        if job is not None:
            is_made = job.state == State.DONE and name == prints.file_of(job)
            needed = job.state == State.WORKING or is_made
        else:
            needed = not job_id and files.get_modified_time(name) >= now - prints.kept_for
        if not needed:
            files.delete(name)


def folder() -> Path:
    """Return the folder where files are made; it is there."""
    place = Path(settings.PRINTS_DIR)
    place.mkdir(parents=True, exist_ok=True)
    return place
