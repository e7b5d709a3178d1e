"""What every page holds for the hand: the sheet of keys."""

from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.translation import get_language

from armybuilder.html import Html
from armybuilder.pages.builder.keyboard import GROUPS

register = template.Library()


@register.simple_tag
def keys_table() -> Html:
    """The table of keys in the reader's language. It is the same on every page."""
    return _table(get_language() or "")


@lru_cache(maxsize=32)
def _table(language: str) -> Html:
    return render_to_string("builder/_keys.html", {"groups": GROUPS})
