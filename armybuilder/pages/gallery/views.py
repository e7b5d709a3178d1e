"""The gallery: every colour, size and component of the design in light and in dark."""

import re
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from armybuilder.advice.answers import Culprit, FindingView, Remedy
from armybuilder.engine.citations import RuleHead
from armybuilder.html import attributes
from armybuilder.loading.library import shipped_library

TOKENS = Path(__file__).parents[2] / "static" / "armybuilder" / "css" / "tokens.css"
SENTENCES = {
    "error": "The list costs 159 points: 89 over the limit of 70.",
    "warning": "The Captain gives no orders: nobody else stands in the list.",
    "note": "The points of the Stranger are not known: fill them in from your card.",
}


def colours(css: str) -> list[tuple[str, str, str]]:
    """Return each colour of a style sheet as (name, light, dark), written as "#f3efe6"."""
    return re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);", css)


def _findings(rule: RuleHead) -> list[FindingView]:
    """Return a finding of each severity, with everything that a finding can have."""
    remedies = (
        Remedy("Remove 5 × Knuckle Alley Bruiser (25 points)", {}),
        Remedy("Remove the Captain", {}),
    )
    return [
        FindingView(
            id=f"rule-{severity}",
            severity=severity,
            state="broken" if severity == "error" else severity,
            sentence=sentence,
            by="89 over" if severity == "error" else "",
            rule=rule,
            citation="Rulebook 101",
            own=False,
            place=None,
            culprits=(Culprit("u1", "Captain"), Culprit("u2", "Knuckle Alley Bruiser")),
            answers=remedies if severity == "error" else remedies[1:],
        )
        for severity, sentence in SENTENCES.items()
    ]


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Show the design's tokens, and every component; only with DEBUG."""
    if not settings.DEBUG:
        raise Http404
    css = TOKENS.read_text(encoding="utf-8")
    heads = [rule.head for system in shipped_library().systems.values() for rule in system.rules]
    context = {
        "schemes": ("light", "dark"),
        "colours": colours(css),
        "text_sizes": re.findall(r"--(text-[\w-]+): ([^;]+);", css),
        "spaces": re.findall(r"--(space-[\w-]+): ([^;]+);", css),
        "tellings": _findings(next((head for head in heads if head.reading), heads[0])),
        "severities": list(SENTENCES.items()),
        # Form fields of the builder's templates: here they lead nowhere else.
        "act_form": attributes(method="get", action=request.path),
        "asks": "",
        "form_token": "",
        "form_keys": "",
        "view_url": f"{request.path}?view=",
    }
    return render(request, "gallery/gallery.html", context)
