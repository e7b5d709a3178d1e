"""The list that a player submits: one of their own, or that in a file or a text."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.translation import gettext as _

from armybuilder.exchange.files import clear_list, read_files
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import list_ids


def chosen_list(request: HttpRequest, system: str, library: Library) -> tuple[ArmyList, str]:
    """Return the list that the form names, and where it is from: "list", "file" or "text". Raises
    Refusal where it names none, a file holds no list or several, or a text is not wholly clear.
    """
    if files := request.FILES.getlist("file"):
        read = read_files(files, library)
        if read.refused:
            raise read.refused[0][1]
        if len(read.documents) != 1:
            raise Refusal(_("Choose a file with exactly one list."))
        return read.documents[0], "file"
    if "text" in request.POST:
        return clear_list(request.POST["text"], library, system), "text"
    ids = list_ids(filter(None, [request.POST.get("list", "")]))
    if not ids:
        raise Refusal(_("Choose a list first."))
    return current_version(request, ids[0]).document, "list"
