"""What the worker does with an upload: what is in its files, what books they make."""

import logging
import time
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any
from zipfile import ZipFile

from django.conf import settings
from django.utils.translation import gettext as _
from django_tasks import TaskContext, task

from armybuilder.battlescribe.books import read_uploaded
from armybuilder.jobs.queue import State
from armybuilder.jobs.working import DATABASE_GONE, ProgressReport, do_next, limited, perform
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.jobs import uploads
from armybuilder.uploads.making import MAX_REASON, Maker, Step
from armybuilder.uploads.models import Upload

logger = logging.getLogger(__name__)

#: How many refused files are named in one sentence.
_MAX_REFUSED = 5


@task(takes_context=True)
def read_upload(context: TaskContext, upload_id: str) -> None:
    """Read the upload that is next: often `upload_id`, as with prints."""
    do_next(uploads, context.task_result.worker_ids[-1], work, enqueue)


def enqueue(upload: Upload) -> None:
    """Let a worker know that an upload waits."""
    read_upload.enqueue(str(upload.pk))


def work(upload: Upload) -> None:
    """Read an upload that was taken. Raises what `perform` raises."""
    if perform(uploads, upload, _outcome):
        uploads.files().delete(uploads.file_of(upload))


def _outcome(upload: Upload) -> dict[str, Any]:
    try:
        maker = _make_all(upload)
    except Refusal as refusal:
        return {"state": State.FAILED, "refused": refusal.sentence[:MAX_REASON]}
    except OutOfTime:
        sentence = _("It takes too long to read these files. Upload fewer at once.")
        return {"state": State.FAILED, "refused": sentence}
    return {"state": State.DONE, "report": maker.report(), "found": maker.found()}


def _make_all(upload: Upload) -> Maker:
    """Make all that the files hold.

    Raises Refusal if that is nothing, or too much, OutOfTime if already reading takes too long.
    """
    try:
        stored = uploads.files().open(uploads.file_of(upload))
    except FileNotFoundError as error:
        raise Refusal(_("The files are no longer here. Upload them again.")) from error
    ends = time.thread_time() + settings.UPLOAD_SECONDS["all"]
    with stored, limited(settings.UPLOAD_SECONDS["reading"]):
        read = read_uploaded(_files_in(stored))
    if not read.sources.books and not read.sources.systems:
        reasons = [f"{source.file}: {source.why}" for source in read.refused[:_MAX_REFUSED]]
        nothing = _("There is no BattleScribe file in it: .cat, .catz, .gst or .gstz.")
        raise Refusal(" ".join(reasons) or nothing)
    maker = Maker(read, upload.game)
    uploads.tell(upload, total=maker.steps)
    progress = ProgressReport(lambda number: uploads.tell(upload, done=number))
    for number, step in enumerate(maker.each()):
        progress.reach(number)
        _do(step, ends, maker)
    return maker


def _do(step: Step, ends: float, maker: Maker) -> None:
    rest = min(ends - time.thread_time(), settings.UPLOAD_SECONDS[step.kind])
    if rest <= 0:
        maker.refuse(step.file, _("The files before it took all the time."))
        return
    try:
        with limited(rest):
            step.do()
    except Refusal as refusal:
        maker.refuse(step.file, refusal.sentence)
    except OutOfTime:
        maker.refuse(step.file, _("It takes too long to read."))
    except DATABASE_GONE:
        raise
    except Exception:
        logger.exception("%s of an upload cannot be read", step.file)
        maker.refuse(step.file, _("Something in it cannot be read."))


def _files_in(stored: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """Return the files as they were uploaded: see `jobs.start`."""
    with ZipFile(BytesIO(stored.read())) as archive:
        for name in archive.namelist():
            yield name.partition("/")[2], archive.read(name)
