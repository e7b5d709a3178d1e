"""Pages of the gallery: the components, and a game's lists in the templates of the builder."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from armybuilder.html import attributes
from armybuilder.pages.builder.charts import charts_of
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.shelf.shelf import ShelfQuery, make_shelf
from armybuilder.pages.gallery import samples
from armybuilder.pages.gallery.tokens import SCHEMES, TOKENS, colours, pairs, sizes

View = Callable[..., HttpResponse]


def while_debugging(view: View) -> View:
    """A view that is there only where DEBUG is on."""

    @wraps(view)
    def there(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.DEBUG:
            raise Http404
        return view(request, *args, **kwargs)

    return there


@require_safe
@while_debugging
def components(request: HttpRequest) -> HttpResponse:
    """Tokens with their contrasts, and every component in light and dark beside each other."""
    css = TOKENS.read_text(encoding="utf-8")
    found = colours(css)
    return render(
        request,
        "gallery/gallery.html",
        {
            "schemes": SCHEMES,
            "colours": [
                (name, light, found["dark"][name]) for name, light in found["light"].items()
            ],
            "pairs": list(pairs({name: found[name] for name in SCHEMES})),
            "text_sizes": sizes(css, "text"),
            "spaces": sizes(css, "space"),
            "tellings": samples.tellings(samples.a_rule()),
            "severities": list(samples.SENTENCES.items()),
            "systems": samples.systems(),
            **_acts(request),
        },
    )


@require_safe
@while_debugging
def lists(request: HttpRequest, system_id: str) -> HttpResponse:
    """A list of a game, whole or broken, in the real templates; ?scheme= shows it in the dark."""
    system = next((one for one in samples.systems() if one.id == system_id), None)
    if system is None:
        raise Http404
    page = samples.page(system, "broken" in request.GET, request.GET.get("open", ""))
    return render(
        request,
        "gallery/lists.html",
        {
            "page": page,
            "charts": charts_of(page.report, page.catalogue),
            "shelf": make_shelf(page.roster, page.catalogue, ShelfQuery(), page.report),
            "wanted": ShelfQuery(),
            "scheme": "dark" if request.GET.get("scheme") == "dark" else "light",
            "broken": "broken" in request.GET,
            "systems": samples.systems(),
            **_acts(request, page),
        },
    )


def _acts(request: HttpRequest, page: BuilderPage | None = None) -> dict[str, Any]:
    """What the builder's templates write into their forms: here they lead back to the gallery."""
    broken = "broken=1&" if "broken" in request.GET else ""
    if page is not None:
        page.open_url = f"{request.path}?{broken}open="
        page.closed_url = f"{request.path}?{broken}".rstrip("&?")
    return {
        "act_form": attributes(method="get", action=request.path),
        "asks": "",
        "form_token": "",
        "form_keys": "",
    }
