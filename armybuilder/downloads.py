"""Answers that a browser saves as files."""

import json
from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from armybuilder.loading.file_names import file_stem


def file_response(
    content: bytes, kind: str, title: str, ending: str, inline: bool = False, untitled: str = ""
) -> HttpResponse:
    """Return a response that a browser saves (or shows, if `inline`) under a title.

    The title may be in any script; `kind` is its media type, `untitled` its name if the title makes
    none ("list").
    """
    name = file_stem(title) or untitled or _("list")
    place = content_disposition_header(not inline, f"{name}.{ending}")
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": place or ""})


def json_file(data: Any, title: str, untitled: str = "") -> HttpResponse:
    """Return JSON that a browser saves, indented for people; for the names see `file_response`."""
    content = json.dumps(data, indent=2, ensure_ascii=False).encode()
    return file_response(content, "application/json", title, "json", untitled=untitled)
