"""Worker's task of printing many lists: one after the other, each into the file at once.

A list that can't be printed is reported among the job's troubles.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import SEEK_END
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Any, NamedTuple, TypeAlias
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.core.files import File
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django_tasks import TaskContext, task

from armybuilder.jobs.queue import DATABASE_GONE, ProgressReport, State, do_next, limited, perform
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.file_names import free_name
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.printing.jobs import folder, prints
from armybuilder.printing.models import PrintJob
from armybuilder.printing.setups import for_event, verdict_at_event
from armybuilder.sheets.content.setup import Setup, read_setup

logger = logging.getLogger(__name__)


class Trouble(NamedTuple):
    """Remark on a list: why it was not printed, or that it isn't legal."""

    list_id: str
    name: str
    printed: bool
    sentence: str


class _Archive:
    """A zip with a file for each list, without a page count."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._taken: set[str] = {"report.txt"}
        self.pages = 0

    def add(self, name: str, content: bytes) -> None:
        # Without the time of day, equal lists make equal files.
        info = ZipInfo(free_name(name, "pdf", self._taken))
        self._archive.writestr(info, content, ZIP_DEFLATED)


if TYPE_CHECKING:
    from armybuilder.sheets.printing.merging import Merger

#: The file that lists are printed into.
_File: TypeAlias = "Merger | _Archive"


def work(job: PrintJob) -> None:
    """Do a print that was taken. Raises what `perform` raises."""
    perform(prints, job, _outcome)


@task(takes_context=True)
def print_lists(context: TaskContext, job_id: str) -> None:
    """Do the job that is due first: often `job_id`, for which the task was enqueued."""
    do_next(context.task_result.worker_ids[-1])


def enqueue(job: PrintJob) -> None:
    print_lists.enqueue(str(job.pk))


prints.work, prints.enqueue = work, enqueue


def _outcome(job: PrintJob) -> dict[str, Any]:
    """Print all lists into the file, if any can be printed; return the job's new fields."""
    troubles: list[Trouble] = []
    # Without a name, it goes with the process, however that ends.
    with TemporaryFile(dir=folder()) as half:
        with _opened(job, half, troubles) as file:
            _print_all(job, file, troubles)
        has_printed = _count_printed(job, troubles) > 0
        size = half.seek(0, SEEK_END)
        if has_printed:
            prints.files().save(prints.file_of(job), File(half))
    return {
        "state": State.DONE if has_printed else State.FAILED,
        "done": job.total,
        "pages": file.pages,
        "size": size,
        "troubles": [list(trouble) for trouble in troubles],
    }


def _print_all(job: PrintJob, file: _File, troubles: list[Trouble]) -> None:
    setup = read_setup(job.setup)
    progress = ProgressReport(prints, job, settings.PRINT_SECONDS["job"])
    for number, (list_id, name) in enumerate(job.lists):
        progress.reach(number, at_once=number == 1)
        trouble: Trouble | None
        if progress.left > 0:
            trouble = _print(job, UUID(list_id), name, setup, file.add)
        else:
            trouble = Trouble(list_id, name, False, _("The lists before it used up the time."))
        if trouble is not None:
            troubles.append(trouble)


def _print(
    job: PrintJob, list_id: UUID, name: str, setup: Setup, add: Callable[[str, bytes], None]
) -> Trouble | None:
    # Read again for each list: after a sign-in, lists and job have another holder.
    holder = PrintJob.objects.filter(pk=job.pk).values("holder")[:1]
    version = current_versions(holder).filter(army_list_id=list_id).first()
    if version is None:
        return Trouble(str(list_id), name, False, _("The list no longer exists."))
    name = version.content.name
    try:
        with limited(settings.PRINT_SECONDS["list"]):
            event = verdict_at_event(version, shipped_library())
            drawn = drawn_list(version, at_event=event)
            content = drawn.pdf(for_event(version, setup))
            verdict = "" if drawn.sheet.legal else drawn.sheet.verdict
    except Refusal as refusal:
        return Trouble(str(list_id), name, False, refusal.sentence)
    except OutOfTime:
        return Trouble(str(list_id), name, False, _("This list takes too long to print."))
    except DATABASE_GONE:  # own books are read there
        raise
    except Exception:
        logger.exception("the list %s cannot be printed", list_id)
        return Trouble(str(list_id), name, False, _("Part of this list can’t be printed."))
    add(name, content)
    return Trouble(str(list_id), name, True, verdict) if verdict else None


@contextmanager
def _opened(job: PrintJob, stream: IO[bytes], troubles: list[Trouble]) -> Iterator[_File]:
    """Open the file for the printed lists; it is completed in the end, if all went well."""
    if job.zipped:
        with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
            yield _Archive(archive)
            if troubles:
                archive.writestr(ZipInfo("report.txt"), report(troubles).encode())
        return
    from armybuilder.sheets.printing.merging import Merger

    merger = Merger(stream, read_setup(job.setup).both_sides)
    yield merger
    number = _count_printed(job, troubles)
    title = ngettext("{number} list", "{number} lists", number).format(number=number)
    merger.finish(title, job.language)


def _count_printed(job: PrintJob, troubles: list[Trouble]) -> int:
    return job.total - sum(not trouble.printed for trouble in troubles)


def report(troubles: list[Trouble]) -> str:
    """Return the troubles as a text, those that were not printed first."""
    parts = []
    for printed, title in ((False, _("Not printed")), (True, _("Printed, but not legal"))):
        lines = [f"{row.name}: {row.sentence}" for row in troubles if row.printed is printed]
        if lines:
            parts.append("\n".join([f"{title}:", *lines, ""]))
    return "\n".join(parts)
