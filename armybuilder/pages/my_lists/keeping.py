"""Lists that were opened, out of files or texts that are such files: stored, and shown."""

from collections.abc import Sequence
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import make_holder
from armybuilder.exchange.files import UploadedList, read_files
from armybuilder.lists import services
from armybuilder.lists.selectors import with_free_name
from armybuilder.loading.library import shipped_library
from armybuilder.pages.my_lists import rosters_read


def keep(request: HttpRequest, saved: UploadedList) -> list[UUID]:
    """Store opened lists, all or none; the first file becomes the list that comes first."""
    if not saved.documents:
        return []
    holder, library, made = make_holder(request), shipped_library(), []
    with transaction.atomic():
        for at, document in reversed([*enumerate(saved.documents)]):
            if at in saved.readings:  # as another program had it, perhaps without a name
                document = with_free_name(holder, document, library)
            version = services.create_list(holder, document, _("Imported from a file."))
            made.append(version.army_list_id)
    rosters_read.remember(request, {made[-1 - at]: one for at, one in saved.readings.items()})
    return made


def to_list(saved: UploadedList, made: Sequence[UUID]) -> HttpResponse:
    """Lead to the only list that was stored, or to what its file told."""
    return redirect("rosters-read") if saved.readings else redirect("builder", made[0])


def open_text(request: HttpRequest, text: str, ending: str) -> HttpResponse:
    """Open the list of a file whose name would end so, of which only the text is there. Raises
    Refusal where there is none.
    """
    content = text.lstrip("\ufeff \t\r\n").encode("utf-8", "replace")
    file = SimpleUploadedFile(f"list{ending}", content)
    saved = read_files([file], shipped_library())
    for _name, refusal in saved.refused:
        raise refusal
    return to_list(saved, keep(request, saved))
