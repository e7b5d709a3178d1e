"""Keeping what was found in an upload: its books become own books, its games are kept with them."""

from collections.abc import Collection
from typing import NamedTuple
from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _

from armybuilder.books.models import OwnBook
from armybuilder.books.pinning import keep_system
from armybuilder.books.services import create_books
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.jobs import State
from armybuilder.uploads.models import Upload


class KeptUpload(NamedTuple):
    """What was kept of an upload: its books."""

    books: list[OwnBook]


def keep(holder: str, upload_id: UUID, book_ids: Collection[str]) -> KeptUpload:
    """Make own books of those that are chosen, all or none; the upload goes. Raises Http404 where
    there is no such upload any more, Refusal where nothing is chosen, NoRoom where it is too much.
    """
    with transaction.atomic():
        mine = Upload.objects.filter(pk=upload_id, holder=holder, state=State.DONE)
        upload = mine.exclude(holder="").select_for_update().first()
        if upload is None or upload.found is None:
            raise Http404("no such upload in this browser")
        chosen = [one for one in upload.found["books"] if one["id"] in book_ids]
        if not chosen:
            raise Refusal(_("Choose at least one book."))
        needed = {one["system"] for one in chosen}
        for system in upload.found["systems"]:
            if system["id"] in needed:
                keep_system(system)
        books = create_books(holder, chosen)
        upload.delete()
        return KeptUpload(books)
