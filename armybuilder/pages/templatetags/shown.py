"""Template tags and filters: keys, examples, stat lines in columns, verdicts."""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Protocol

from django import template
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.authoring.edits import told_about
from armybuilder.engine.catalogue import System
from armybuilder.engine.nouns import counted, known
from armybuilder.engine.report import Report
from armybuilder.engine.states import State, mark_of
from armybuilder.engine.verdict import Outcome
from armybuilder.engine.wording import label
from armybuilder.exchange.batch import BatchLine, Said
from armybuilder.html import EMPTY, Html, fill
from armybuilder.loading import likeness
from armybuilder.loading.examples import Example, shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.keyboard import GROUPS
from armybuilder.pages.builder.pieces import makeup_html, names_html
from armybuilder.pages.offline import reader_mark
from armybuilder.pages.theme import COOKIE, THEMES
from armybuilder.sheets.content.structure import Sheet, severity_word

register = template.Library()
register.filter(known)
register.filter(makeup_html)
register.filter(names_html)
register.filter(label)
register.filter(severity_word)
register.filter(told_about)
register.filter(reader_mark)

_STATES = {Outcome.LEGAL: "ok", Outcome.UNCHECKED: "warning", Outcome.ILLEGAL: "error"}
_SIGNS = {Outcome.LEGAL: "fits", Outcome.UNCHECKED: "unchecked", Outcome.ILLEGAL: "error"}


@register.simple_tag
def keys_table() -> Html:
    """Return the table of keys in the reader's language. It is the same on every page."""
    return _table(get_language() or "")


@lru_cache(maxsize=32)
def _table(language: str) -> Html:
    return render_to_string("builder/_keys.html", {"groups": GROUPS.items()})


@register.simple_tag
def examples_of(system_id: str) -> tuple[Example, ...]:
    """Return the example lists of a game system, the smallest first."""
    return shipped_examples().by_system.get(system_id, ())


@register.filter
def counted_in(number: int, system: System) -> str:
    """So many units of a book, as the game calls them: "12 units", "34 creatures"."""
    return counted(number, "unit" if system.sized else system.model_word)


@register.filter
def theme(request: HttpRequest | None) -> str:
    """Return the theme that the reader has chosen: "light", "dark" or ""."""
    chosen = request.COOKIES.get(COOKIE, "") if request else ""
    return chosen if chosen in THEMES else ""


@register.simple_tag
def themes() -> list[tuple[str, str, str]]:
    """Return the themes: key, icon and name."""
    return [(key, icon, str(name)) for key, (icon, name) in THEMES.items()]


@register.filter
def moment(when: datetime) -> str:
    """Return a time in the reader's style with its zone: "22 Nov 2026, 07:07 UTC"."""
    return f"{date_format(when, _('j M Y, H:i'))} {when:%Z}"


class VerdictBadge(Protocol):
    """Something with an outcome; None if it couldn't be checked."""

    outcome: Outcome | None


@register.filter
def state(judged: VerdictBadge | Outcome) -> str:
    """Return the class that style sheets know the outcome by: "to-do" where nothing is broken."""
    counts = getattr(judged, "counts", None)
    if counts is not None and counts.missing and not counts.broken:
        return "to-do"
    return _STATES.get(_outcome(judged), "error")


@register.filter
def sign(judged: VerdictBadge | Outcome) -> str:
    if state(judged) == "to-do":
        return "to-do"
    return _SIGNS.get(_outcome(judged), "error")


@register.filter
def reservation(judged: Report | Sheet | BatchLine | System) -> Html:
    """Return the reservation of a verdict, to show next to it."""
    words = str(judged.reservation)
    return fill('<span class="reservation">{}</span>', capfirst(words)) if words else EMPTY


@register.filter
def differences(report: Report) -> tuple[str, ...]:
    """Return the changes of a list's custom books to shipped ones, a sentence each."""
    return likeness.differences(report.catalogue)


@register.filter
def mark(found: Mapping[str, str] | Said) -> str:
    """Return the severity of a finding, stored or of a file; `TO_DO` if something must come."""
    if isinstance(found, Said):
        return mark_of(found.severity, found.state)
    # Findings stored before states existed have none, and are shown as they were.
    return mark_of(found["severity"], found.get("state", State.BROKEN))


def _outcome(judged: VerdictBadge | Outcome) -> Outcome:
    outcome = judged if isinstance(judged, Outcome) else judged.outcome
    return Outcome.ILLEGAL if outcome is None else outcome


@register.filter
def pack_address(key: str) -> str:
    """Return the address of a pack by the key that names it: in the box, or an own one."""
    name = "pack" if key in shipped_library().packs else "own-pack"
    return reverse(name, args=[key])
