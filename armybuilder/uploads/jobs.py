"""Uploads of a holder: their files, as they came, the state of each, and keeping their games."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from tempfile import TemporaryFile
from uuid import UUID
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from django.conf import settings
from django.core.files import File
from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.games import services
from armybuilder.games.fetching import address_of
from armybuilder.games.models import Game, Holding
from armybuilder.jobs.queue import JobQueue, State, due_for
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.models import Upload
from armybuilder.writable import count_bytes

#: Bytes of all files of one upload, and how many files these are.
MAX_BYTES = 16 * 1024 * 1024
MAX_FILES = 100
#: Seconds of the processor for each byte: Warhammer 40,000 is 3.8 MB as a zip, and takes 6 s.
_SECONDS_PER_BYTE = 2e-6
#: Uploads of one holder that stay, the latest; those before are thrown away.
MAX_KEPT = 3
#: Letters of a file's name.
_MAX_NAME = 120

#: Their files wait to be read; a try writes its report once, when it is done.
uploads = JobQueue(Upload, "uploads", kept_for=timedelta(days=2))


def start(holder: str, uploaded: Sequence[UploadedFile[bytes]]) -> Upload:
    """Store files as a new upload, which waits; `tasks.enqueue` is to be called for it.

    Raises Refusal if they are too many or too large, or another upload is being read.
    """
    _check(uploaded)
    size = sum(file.size or 0 for file in uploaded)
    count_bytes(size)
    names = [str(file.name or "?")[-_MAX_NAME:] for file in uploaded]
    name = names[0] if len(names) == 1 else _("{first} and others").format(first=names[0])
    with transaction.atomic():
        upload = _begin(holder, size * _SECONDS_PER_BYTE, name=name)
        # One file for all, a zip of them, where the worker finds it.
        with TemporaryFile(dir=settings.VAR_DIR) as half:
            with ZipFile(half, "w", ZIP_STORED) as archive:
                for number, (file, file_name) in enumerate(zip(uploaded, names, strict=True)):
                    archive.writestr(ZipInfo(f"{number}/{file_name}"), file.read())
            half.seek(0)
            uploads.files().save(uploads.file_of(upload), File(half))
    uploads.remove(uploads.of(holder)[MAX_KEPT:])
    return upload


def start_address(holder: str, address: str) -> Upload:
    """Start an upload that the worker fetches from a URL.

    Raises Refusal if it isn't the URL of a game, or another upload is being read.
    """
    found = address_of(address)
    with transaction.atomic():
        seconds = MAX_BYTES * _SECONDS_PER_BYTE
        upload = _begin(holder, seconds, name=found.name[-_MAX_NAME:], address=found.url)
    uploads.remove(uploads.of(holder)[MAX_KEPT:])
    return upload


def _begin(holder: str, seconds: float, **values: str) -> Upload:
    """Let an upload wait. Raises Refusal if another of the holder's is being read."""
    if uploads.count_under_way(holder):
        raise Refusal(_("Your last upload is still being read. Wait for it, or cancel it."))
    return Upload.objects.create(
        holder=holder,
        state=State.WAITING,
        moved=timezone.now(),
        seconds=seconds,
        due=due_for(holder, seconds),
        language=get_language() or "en",
        **values,
    )


def _check(uploaded: Sequence[UploadedFile[bytes]]) -> None:
    if not uploaded:
        raise Refusal(_("Choose a file first: .zip, .cat, .catz, .gst, .gstz or .json."))
    if len(uploaded) > MAX_FILES:
        sentence = _("At most {most} files at once; put more into a zip file.")
        raise Refusal(sentence.format(most=MAX_FILES))
    if sum(file.size or 0 for file in uploaded) > MAX_BYTES:
        sentence = _("The files may have at most {most} MB together.")
        raise Refusal(sentence.format(most=MAX_BYTES >> 20))


@transaction.atomic
def keep(holder: str, upload_id: UUID, keys: Collection[str]) -> list[Holding]:
    """Let a holder hold the chosen games of an upload, all or none, and remove the upload.

    Raises Http404 if there is no such upload any more, Refusal if nothing is chosen, NoRoom if it
    is too much.
    """
    mine = Upload.objects.filter(pk=upload_id, holder=holder, state=State.DONE)
    upload = mine.exclude(holder="").select_for_update().first()
    if upload is None or upload.report is None:
        raise Http404("no such upload in this browser")
    chosen = [game["key"] for game in upload.report.get("whole", ()) if game["key"] in keys]
    if not chosen:
        raise Refusal(_("Choose at least one game."))
    source = upload.report.get("source", "")
    try:
        held = [services.keep(holder, key, source=source) for key in chosen]
    except Game.DoesNotExist as error:
        raise Refusal(_("The files are no longer here. Upload them again.")) from error
    upload.delete()
    return held


def remove_strays(now: datetime) -> None:
    """Remove files of uploads that are gone, unless they are being stored at this moment."""
    files = uploads.files()
    try:
        _folders, names = files.listdir("")
    except FileNotFoundError:
        return
    known = {str(key) for key in Upload.objects.values_list("pk", flat=True)}
    for name in set(names) - known:
        if files.get_modified_time(name) < now - timedelta(hours=1):
            files.delete(name)
