"""Answers that are files."""

import re

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _


def file_response(
    content: bytes, kind: str, title: str, ending: str, inline: bool = False
) -> HttpResponse:
    """A response that a browser saves (or shows, if `inline`) under a title in whatever script;
    `kind` is its media type.
    """
    name = re.sub(r"[\W_]+", "-", title).strip("-")[:60] or _("list")
    place = content_disposition_header(not inline, f"{name}.{ending}")
    return HttpResponse(content, content_type=kind, headers={"Content-Disposition": place or ""})
