"""Answers that a browser saves as files."""

import json
from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from armybuilder.loading.file_names import file_stem

#: Media types of files by their endings; browsers show those of `SHOWN`, and save others.
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "ics": "text/calendar; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
    "ros": "application/xml; charset=utf-8",
    "rosz": "application/zip",
    "zip": "application/zip",
    **dict.fromkeys(("txt", "md"), "text/plain; charset=utf-8"),
}
SHOWN = ("pdf", "txt", "md")


def file_response(content: bytes, title: str, ending: str, untitled: str = "") -> HttpResponse:
    """Return a file under a title, which may be in any script; without letters it is `untitled`."""
    name = file_stem(title) or untitled or _("list")
    place = content_disposition_header(ending not in SHOWN, f"{name}.{ending}")
    headers = {"Content-Disposition": place or ""}
    return HttpResponse(content, content_type=MEDIA_TYPES[ending], headers=headers)


def json_file(data: Any, title: str, untitled: str = "") -> HttpResponse:
    """Return JSON that a browser saves, indented for people; for the names see `file_response`."""
    content = json.dumps(data, indent=2, ensure_ascii=False).encode()
    return file_response(content, title, "json", untitled=untitled)
