"""What templates ask for: keys, examples, stat lines in columns, the look of a verdict."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Protocol

from django import template
from django.template.loader import render_to_string
from django.utils.translation import get_language

from armybuilder.editing import stored_words
from armybuilder.engine.catalogue import System
from armybuilder.engine.nouns import counted
from armybuilder.engine.verdict import Outcome
from armybuilder.html import Html
from armybuilder.loading.examples import Example, shipped_examples
from armybuilder.pages.builder.keyboard import GROUPS
from armybuilder.pages.builder.makeup import makeup_html

register = template.Library()
register.filter(stored_words.filled_at_random)
register.filter(makeup_html)

_STATES = {Outcome.LEGAL: "ok", Outcome.UNCHECKED: "warning", Outcome.ILLEGAL: "error"}
_SIGNS = {Outcome.LEGAL: "fits", Outcome.UNCHECKED: "unchecked", Outcome.ILLEGAL: "error"}


@register.simple_tag
def keys_table() -> Html:
    """Return the table of keys in the reader's language. It is the same on every page."""
    return _table(get_language() or "")


@lru_cache(maxsize=32)
def _table(language: str) -> Html:
    return render_to_string("builder/_keys.html", {"groups": GROUPS})


@register.simple_tag
def examples_of(system_id: str) -> tuple[Example, ...]:
    """Return the example lists of a game system, the smallest first."""
    return shipped_examples().by_system.get(system_id, ())


@register.filter
def counted_in(number: int, system: System) -> str:
    """So many units of a book, as the game calls them: "12 units", "34 creatures"."""
    return counted(number, "unit" if system.sized else system.model_word)


@register.filter
def in_columns(values: Iterable[str], columns: Iterable[Any]) -> Iterator[tuple[Any, str]]:
    """(column, value) of a stat line, in its order; both are as long."""
    return zip(columns, values, strict=True)


class VerdictBadge(Protocol):
    """What has an outcome; None where it could not be judged."""

    outcome: Outcome | None


@register.filter
def state(judged: VerdictBadge | Outcome) -> str:
    """Return the class by which a style sheet knows the outcome."""
    return _STATES.get(_outcome(judged), "error")


@register.filter
def sign(judged: VerdictBadge | Outcome) -> str:
    """Return the name of the outcome's icon."""
    return _SIGNS.get(_outcome(judged), "error")


def _outcome(judged: VerdictBadge | Outcome) -> Outcome:
    outcome = judged if isinstance(judged, Outcome) else judged.outcome
    return Outcome.ILLEGAL if outcome is None else outcome
