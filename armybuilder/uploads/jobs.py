"""Uploads of a holder: their files, as they came, and the state of each."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from tempfile import TemporaryFile
from typing import IO
from uuid import UUID
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.battlescribe.rosters.sites import games_by_system
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.models import Upload

#: Bytes of all files of one upload, and how many files these are.
MOST_BYTES = 16 * 1024 * 1024
MOST_FILES = 100
#: Uploads of one holder that stay, the latest; those before are thrown away.
MOST_KEPT = 3
#: How long an upload waits for its player.
KEPT_FOR = timedelta(days=2)
#: Letters of a file's name.
_NAME = 120

State = Upload.State
#: Columns that pages do without.
_LARGE = ("found",)


def start(holder: str, uploaded: Sequence[UploadedFile[bytes]], game: str) -> Upload:
    """Store files as a new upload, which waits; `tasks.enqueue` is to be called for it. Raises
    Refusal where they are too many or too large, or another upload is being read.
    """
    _check(uploaded, game)
    names = [str(one.name or "?")[-_NAME:] for one in uploaded]
    name = names[0] if len(names) == 1 else _("{first} and others").format(first=names[0])
    with transaction.atomic():
        mine = Upload.objects.filter(holder=holder)
        # All of them, so that two who upload at the same time go one after the other.
        states = mine.select_for_update().order_by("pk").values_list("state", flat=True)
        if any(state in (State.WAITING, State.WORKING) for state in states):
            raise Refusal(_("Your last upload is still being read. Wait for it, or cancel it."))
        upload = Upload.objects.create(
            holder=holder,
            name=name,
            game=game,
            state=State.WAITING,
            moved=timezone.now(),
            language=get_language() or "en",
        )
        _store(upload, uploaded, names)
    remove(list(uploads_of(holder)[MOST_KEPT:]))
    return upload


def _check(uploaded: Sequence[UploadedFile[bytes]], game: str) -> None:
    if not uploaded:
        raise Refusal(_("Choose a file first: .cat, .catz, .gst, .gstz or .zip."))
    if len(uploaded) > MOST_FILES:
        said = _("At most {most} files at once; put more into a zip file.")
        raise Refusal(said.format(most=MOST_FILES))
    if sum(one.size or 0 for one in uploaded) > MOST_BYTES:
        said = _("The files may have at most {most} MB together.")
        raise Refusal(said.format(most=MOST_BYTES >> 20))
    if game and game != Upload.OWN_GAME and game not in games_by_system():
        raise Refusal(_("There is no such game."))


def _store(upload: Upload, uploaded: Iterable[UploadedFile[bytes]], names: Iterable[str]) -> None:
    """Put the files into one, a zip of them, where the worker finds it."""
    with TemporaryFile(dir=settings.VAR_DIR) as half:
        with ZipFile(half, "w", ZIP_STORED) as archive:
            for number, (one, name) in enumerate(zip(uploaded, names, strict=True)):
                archive.writestr(ZipInfo(f"{number}/{name}"), one.read())
        half.seek(0)
        files().save(str(upload.pk), File(half))


def opened(upload: Upload) -> IO[bytes] | None:
    """Open the files of an upload; None where they are gone."""
    try:
        return files().open(str(upload.pk))
    except FileNotFoundError:
        return None


def uploads_of(holder: str) -> QuerySet[Upload]:
    """Return the holder's uploads, the latest first."""
    mine = Upload.objects.filter(holder=holder).exclude(holder="")
    return mine.defer(*_LARGE).order_by("-created")


def upload_of(holder: str, upload_id: UUID) -> Upload:
    """Return one of the holder's uploads. Raises Http404 where there is none of this id."""
    upload = uploads_of(holder).filter(pk=upload_id).first()
    if upload is None:
        raise Http404("no such upload in this browser")
    return upload


def remove(uploads: Iterable[Upload]) -> int:
    """Throw uploads away with their files; how many there were. Its worker leaves off."""
    gone = list(uploads)
    Upload.objects.filter(pk__in=[one.pk for one in gone]).delete()
    for one in gone:
        files().delete(str(one.pk))
    return len(gone)


def long_ago(now: datetime) -> QuerySet[Upload]:
    """Uploads that nobody came back for."""
    return Upload.objects.filter(created__lt=now - KEPT_FOR).defer(*_LARGE)


def remove_strays(now: datetime) -> None:
    """Remove files of uploads that are gone, unless they are being stored at this moment."""
    try:
        _folders, names = files().listdir("")
    except FileNotFoundError:
        return
    known = {str(key) for key in Upload.objects.values_list("pk", flat=True)}
    for name in set(names) - known:
        if files().get_modified_time(name) < now - timedelta(hours=1):
            files().delete(name)


def files() -> Storage:
    """Return where files wait to be read; it may be far from here."""
    return storages["uploads"]
