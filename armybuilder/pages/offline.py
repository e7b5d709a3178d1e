"""Pages that browsers save to show them without a connection.

A worker of the browser (`/sw.js`: `worker.js` behind the names of this release's files) saves pages
whose views are marked here, and those alone. Each page names its reader by a mark: pages of another
reader, or of nobody, replace the saved ones.
"""

import json
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from typing import Any, TypeVar, cast

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.templatetags.static import static
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.packing import FOLDER, loaded_by

_View = TypeVar("_View", bound=Callable[..., HttpResponseBase])

#: Says whose page it is, and "path" where all queries of an address have one saved page.
SAVED = "X-Offline"
#: Scripts and styles of the pages that are saved.
_SCRIPTS = ("site", "builder", "lists", "play", "judge", "certificates", "saved")
_STYLES = ("site", "builder", "forces", "own", "lists", "play", "sheet", "events", "certificates")
_OTHERS = (
    *("armybuilder/js.js", "armybuilder/icon.svg", "vendor/idiomorph.min.js"),
    *(
        "django_htmx/htmx-2.min.js",
        "vendor/qr-decode.min.js",
        "armybuilder/fonts/source-serif-4-latin.woff2",
    ),
)
#: Takes the place of the worker where OFFLINE is 0: removes all that it saved, and itself.
_FAREWELL = """\
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil((async () => {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
  await registration.unregister();
})()));
"""


def reader_mark(request: HttpRequest | None) -> str:
    """Return a mark of the reader that reveals nothing: "a…" with an account; "": don't save."""
    session = getattr(request, "session", None)
    if request is None or session is None or not settings.OFFLINE:
        return ""
    kind = "a" if "user_name" in session else "v"
    return kind + sha256(f"reader:{holder_of(request)}".encode()).hexdigest()[:12]


def saved(view: _View, by_path: bool = False) -> _View:
    """Let browsers save a view's pages: of each address, or one of all its queries `by_path`."""

    @wraps(view)
    def marked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        response = view(request, *args, **kwargs)
        mark = reader_mark(request)
        if mark and response.status_code == 200 and "HX-Request" not in request.headers:
            response[SAVED] = f"{mark} path" if by_path else mark
        return response

    return cast(_View, marked)


def saved_by_path(view: _View) -> _View:
    """Let browsers save the latest page of a view, for any query."""
    return saved(view, by_path=True)


@cache_control(no_cache=True)
@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """Answer the script that saves pages; where OFFLINE is 0, the one that removes it."""
    text = _worker_text() if settings.OFFLINE else _FAREWELL
    return HttpResponse(text, content_type="text/javascript; charset=utf-8")


@cache
def _worker_text() -> str:
    # Other names of files are another worker, so browsers take each release's by themselves.
    files = [*files_of_pages(), "/saved/"]
    version = sha256(json.dumps(files).encode()).hexdigest()[:12]
    facts = {"files": files, "version": version, "static": settings.STATIC_URL}
    return f"self.site={json.dumps(facts)};\nimportScripts({static('armybuilder/worker.js')!r});\n"


def files_of_pages() -> list[str]:
    """Return the addresses of all files that the pages which are saved need."""
    scripts = dict.fromkeys(one for name in _SCRIPTS for one in loaded_by(name, later=True))
    styles = (f"armybuilder/css/{name}.css" for name in _STYLES)
    return [static(name) for name in (*styles, *(FOLDER + one for one in scripts), *_OTHERS)]


@require_safe
def saved_pages(request: HttpRequest) -> HttpResponse:
    """Show which pages this browser has saved: its script finds them. Nothing here is anyone's."""
    return render(request, "offline/saved.html", {"messages": ()})
