"""Pages of the gallery: the design's colours and contrasts, the components, a game's lists."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from armybuilder.advice.answers import Culprit, FindingView, Remedy
from armybuilder.editing.list_edits import example_document
from armybuilder.engine.catalogue import System
from armybuilder.engine.citations import RuleHead
from armybuilder.html import attributes
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading import armylist
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import Library, shipped_library
from armybuilder.pages.builder.charts import charts_of
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.shelf import ShelfQuery, make_shelf

TOKENS = Path(__file__).parents[2] / "static" / "armybuilder" / "css" / "tokens.css"
SCHEMES = ("light", "dark")

#: What text needs at least (WCAG 2.2, 1.4.3), and what the edge of a field needs (1.4.11).
TEXT, EDGE = 4.5, 3.0

#: Grounds that any text may stand on.
GROUNDS = ("ground", "paper", "sunk")
#: Each colour of text or edges: the grounds it stands on, and the contrast it needs there.
USES: dict[str, tuple[tuple[str, ...], float]] = {
    "ink": (
        (*GROUNDS, "accent-ground", "ok-ground", "warn-ground", "bad-ground", "note-ground"),
        TEXT,
    ),
    "muted": ((*GROUNDS, "ok-ground", "warn-ground", "bad-ground", "note-ground"), TEXT),
    "accent": ((*GROUNDS, "accent-ground", "ok-ground", "warn-ground", "bad-ground"), TEXT),
    "on-accent": (("accent",), TEXT),
    "ok": ((*GROUNDS, "ok-ground"), TEXT),
    "warn": ((*GROUNDS, "warn-ground"), TEXT),
    "bad": ((*GROUNDS, "bad-ground"), TEXT),
    "note": ((*GROUNDS, "note-ground"), TEXT),
    "edge": (("ground", "paper"), EDGE),
}


class Pair(NamedTuple):
    """A colour on a ground in a scheme: the contrast it has, and the one it needs."""

    scheme: str
    colour: str
    ground: str
    contrast: float
    needs: float

    @property
    def enough(self) -> bool:
        """Whether it can be read."""
        return self.contrast >= self.needs


def colours(css: str) -> dict[str, dict[str, str]]:
    """Return the colours of a style sheet by scheme and name, as they are written: "#f3efe6"."""
    found = re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\);", css)
    return {
        "light": {name: light for name, light, _ in found},
        "dark": {name: dark for name, _, dark in found},
    }


def sizes(css: str, kind: str) -> dict[str, str]:
    """Return the sizes of one kind by name: sizes(css, "text") holds "text-tiny": ".75rem"."""
    return dict(re.findall(rf"--({kind}-[\w-]+): ([^;]+);", css))


def contrast(one: str, other: str) -> float:
    """Return how far two colours stand apart, from 1 to 21, as WCAG measures it."""
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def pairs(of: Mapping[str, Mapping[str, str]]) -> Iterator[Pair]:
    """Return every pair that USES names, in every scheme of `of` (as `colours` gives it)."""
    for scheme, values in of.items():
        for colour, (grounds, needs) in USES.items():
            for ground in grounds:
                yield Pair(scheme, colour, ground, contrast(values[colour], values[ground]), needs)


#: A list that nobody has.
NOBODYS = UUID(int=0)

SENTENCES = {
    "error": "The list costs 159 points: 89 over the limit of 70.",
    "warning": "The Captain gives no orders: nobody else stands in the list.",
    "note": "The points of the Stranger are not known: fill them in from your card.",
}


def tellings(rule: RuleHead) -> list[FindingView]:
    """A finding of each severity, with everything a finding can have."""
    answers = (
        Remedy("Remove 5 × Knuckle Alley Bruiser (25 points)", {}),
        Remedy("Remove the Captain", {}),
    )
    culprits = (Culprit("u1", "Captain"), Culprit("u2", "Knuckle Alley Bruiser"))
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
            culprits=culprits,
            answers=answers if severity == "error" else answers[1:],
        )
        for severity, sentence in SENTENCES.items()
    ]


def a_rule() -> RuleHead:
    """Return the head of some shipped rule, with its reading where one has a reading."""
    heads = [rule.head for system in systems() for rule in system.rules]
    return next((head for head in heads if head.reading), heads[0])


def systems() -> list[System]:
    """Return the shipped games, by name."""
    return list(shipped_library().systems.values())


def sample_page(system: System, broken: bool, opened: str = "") -> BuilderPage:
    """Return a page of the game's largest example; `broken`: for half the points it costs."""
    library = shipped_library()
    document = _document(system, broken, library)
    army_list = ArmyList(id=NOBODYS, number=2, latest=3)
    version = Version(pk=0, army_list=army_list, number=2, document=document, act="Added a unit.")
    names = [unit.id for unit in document.units]
    return BuilderPage(version, library, opened if opened in names else "")


def _document(system: System, broken: bool, library: Library) -> armylist.ArmyList:
    examples = shipped_examples().by_system.get(system.id, ())
    if not examples:
        return armylist.ArmyList(system.id, (), "", 1)
    example = examples[-1]
    document = example_document(example, library)
    return replace(document, limit=max(1, example.points // 2)) if broken else document


@require_safe
def components(request: HttpRequest) -> HttpResponse:
    """Tokens with their contrasts, and every component in light and dark beside each other."""
    _only_while_debugging()
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
            "tellings": tellings(a_rule()),
            "severities": list(SENTENCES.items()),
            "systems": systems(),
            **_acts(request),
        },
    )


@require_safe
def lists(request: HttpRequest, system_id: str) -> HttpResponse:
    """A list of a game, whole or broken, in the real templates; ?scheme= shows it in the dark."""
    _only_while_debugging()
    system = next((one for one in systems() if one.id == system_id), None)
    if system is None:
        raise Http404
    page = sample_page(system, "broken" in request.GET, request.GET.get("open", ""))
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
            "systems": systems(),
            **_acts(request, page),
        },
    )


def _only_while_debugging() -> None:
    """Raise Http404 unless DEBUG is on."""
    if not settings.DEBUG:
        raise Http404


def _acts(request: HttpRequest, page: BuilderPage | None = None) -> dict[str, Any]:
    """What the builder's templates write into their forms: here they lead back to the gallery."""
    broken = "broken=1&" if "broken" in request.GET else ""
    if page is not None:
        page.open_url = f"{request.path}?{broken}open="
    return {
        "act_form": attributes(method="get", action=request.path),
        "asks": "",
        "form_token": "",
        "form_keys": "",
        "view_url": f"{request.path}?{broken}view=",
    }
