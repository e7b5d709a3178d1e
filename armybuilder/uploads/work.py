"""The worker's part of an upload: what is in its files, what books they make, and what is told."""

import errno
import logging
import time
from collections.abc import Iterator
from io import BytesIO
from typing import IO, Any
from zipfile import ZipFile

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from armybuilder.battlescribe.books import RefusedSource, read_uploaded
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.problems import Refusal
from armybuilder.printing.limits import limited
from armybuilder.uploads import jobs
from armybuilder.uploads.making import Maker, Step
from armybuilder.uploads.models import Upload
from armybuilder.uploads.queue import uploads
from armybuilder.uploads.reports import REFUSED_SHOWN, WHY_SHOWN

logger = logging.getLogger(__name__)

#: Seconds between two words on how far it is.
PACE = 0.4
#: What the system says where a file has no room.
_NO_ROOM = {errno.ENOSPC, errno.EDQUOT, errno.EROFS}

State = Upload.State


class _LeftOff(Exception):
    """The upload was thrown away."""


def work(upload: Upload) -> None:
    """Read an upload that was taken (`queue.uploads.take`).

    Raises SystemExit or KeyboardInterrupt where the worker is ended on the way, OperationalError or
    InterfaceError where the database is gone; the upload is then as it was.
    """
    try:
        with translation.override(upload.language):
            _tell_or_leave_off(upload, **_outcome(upload))
    except _LeftOff:
        return
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        logger.exception("reading %s failed", upload.pk)
        full = isinstance(error, OSError) and error.errno in _NO_ROOM
        _tell(upload, state=State.FAILED, fault=Upload.Fault.DISK if full else "")
    jobs.files().delete(str(upload.pk))


def _tell(upload: Upload, **values: Any) -> bool:
    """Say the state of an upload; False where nobody wants it any more."""
    return bool(uploads.held(upload).update(moved=timezone.now(), **values))


def _tell_or_leave_off(upload: Upload, **values: Any) -> None:
    if not _tell(upload, **values):
        raise _LeftOff


def _outcome(upload: Upload) -> dict[str, Any]:
    """Return what the upload is, once it is read."""
    try:
        maker = _made(upload)
    except Refusal as refusal:
        return {"state": State.FAILED, "refused": refusal.sentence[:WHY_SHOWN]}
    except OutOfTime:
        told = _("It takes too long to read these files. Upload fewer at once.")
        return {"state": State.FAILED, "refused": told}
    return {"state": State.DONE, "report": maker.report(), "found": maker.found()}


def _made(upload: Upload) -> Maker:
    """Make all that the files hold. Raises Refusal where that is nothing, or too much, OutOfTime
    where already reading takes too long, _LeftOff where nobody wants it any more.
    """
    stored = jobs.opened(upload)
    if stored is None:
        raise Refusal(_("The files are no longer here. Upload them again."))
    ends = time.thread_time() + settings.UPLOAD_SECONDS["all"]
    with stored, limited(settings.UPLOAD_SECONDS["reading"]):
        found = read_uploaded(_files(stored))
    if not found.sources.books and not found.sources.systems:
        raise Refusal(_nothing(found.refused))
    maker = Maker(found, upload.game)
    _tell_or_leave_off(upload, total=maker.steps)
    told = time.monotonic()
    for number, step in enumerate(maker.each()):
        if time.monotonic() - told > PACE:
            told = time.monotonic()
            _tell_or_leave_off(upload, done=number)
        _do(step, ends, maker)
    return maker


def _do(step: Step, ends: float, maker: Maker) -> None:
    """Do one step; what it cannot do is told with its file."""
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
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        logger.exception("%s of an upload cannot be read", step.file)
        maker.refuse(step.file, _("Something in it cannot be read."))


def _files(stored: IO[bytes]) -> Iterator[tuple[str, bytes]]:
    """The files as they were uploaded: see `jobs.start`."""
    with ZipFile(BytesIO(stored.read())) as archive:
        for name in archive.namelist():
            yield name.partition("/")[2], archive.read(name)


def _nothing(refused: list[RefusedSource]) -> str:
    """Say why nothing was found: each file with its reason, if there are few."""
    if not refused:
        return _("There is no BattleScribe file in it: .cat, .catz, .gst or .gstz.")
    lines = [f"{one.file}: {one.why}" for one in refused[:REFUSED_SHOWN]]
    return " ".join(lines)
