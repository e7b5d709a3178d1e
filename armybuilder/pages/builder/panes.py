"""The parts of the builder's page in one table, and the choice of parts for an answer.

A part is an element with an id and a hash of its content (`data-part`). The browser sends the
hashes that it has (`X-Parts`, see views.js); for an unchanged part the answer has an empty element,
and the script keeps the old one. Fields that differ in every answer, such as the version in all
forms, don't count; the script renews them.

A hidden pane isn't drawn until needed: the browser says which ones it shows (`X-Shown`), and the
others are empty. When it opens an outdated one, it says so (`X-Stale`) as it requests the units,
and gets the pane with them.
"""

import re
from collections.abc import Iterable, Mapping, Set
from functools import cache
from typing import NamedTuple
from zlib import crc32

from django import template
from django.http import HttpRequest
from django.template import Context, Engine
from django.utils.translation import get_language

from armybuilder.html import Html, element, join, with_attributes

register = template.Library()

_HASH = re.compile(r"[0-9a-f]{1,8}")
#: Letters of a header that are read: about 500 parts.
_MOST = 8_000


class PagePart(NamedTuple):
    """A part: its template, and its dependencies besides the list.

    A `template` without a folder is in that of the list's kind (`parts_in`). `pane`: one of several
    of which one is visible. `of_list`: it depends on the list alone, so that
    it is the same for any open unit. `on`: it depends only on a value of the context; if that is
    unchanged it isn't drawn, and an empty `tag` replaces it.
    """

    template: str
    pane: bool = False
    of_list: bool = False
    on: str | None = None
    tag: str = "section"


#: Every part that a template draws, by its id. Rows of units and groups of the shelf are parts too
#: (`sent`).
PARTS = {
    "unit": PagePart("builder/_unit.html", pane=True),
    "verdict": PagePart("_errors.html", pane=True, of_list=True),
    "game": PagePart("_game.html", pane=True, of_list=True),
    "news": PagePart("builder/_news.html", of_list=True),
    "facets": PagePart("_facets.html"),
    "lists": PagePart("builder/_bar.html#lists", on="menu_key", tag="details"),
    "bar-ways": PagePart("builder/_bar.html#bar-ways", on="parts_in", tag="span"),
}
PANES = frozenset(name for name, part in PARTS.items() if part.pane)


class BrowserParts(NamedTuple):
    """State of the browser's page: the hash of each part by its id.

    Also its hidden and outdated panes; `unchanged`: its list is the current one.
    """

    known: Mapping[str, str] = {}
    unseen: Set[str] = frozenset()
    stale: Set[str] = frozenset()
    unchanged: bool = False


def browser_parts(request: HttpRequest, wants_part: bool, unchanged: bool) -> BrowserParts:
    """Return the parts that a browser has; its panes count only if it requests a part."""
    headers = request.headers
    pairs = (pair.partition(":") for pair in headers.get("X-Parts", "")[:_MOST].split(","))
    known = {name: mark for name, __, mark in pairs if _HASH.fullmatch(mark)}
    if not wants_part:
        return BrowserParts(known, unchanged=unchanged)
    shown = headers.get("X-Shown")
    unseen = PANES - set(shown[:_MOST].split(",")) if shown is not None else frozenset()
    stale = PANES & set(headers.get("X-Stale", "")[:_MOST].split(","))
    return BrowserParts(known, unseen, stale, unchanged)


@register.simple_tag(takes_context=True)
def page_part(context: Context, name: str, apart: bool = False) -> Html:
    """Draw a part; an empty element if the browser has it, or will request it later.

    `apart` from its place: it replaces the one on the page, wherever that is.
    """
    part, browser = PARTS[name], context.get("browser") or BrowserParts()
    path = part.template if "/" in part.template else f"{context['parts_in']}{part.template}"
    source = Engine.get_default().get_template(path)
    if part.on is not None:
        mark = _mark_of(repr((context[part.on], _mark_of_source(path), get_language())))
        if browser.known.get(name) == mark:
            return element(part.tag, id=name, data_same=True)
        return with_attributes(source.render(context), data_part=mark)
    same = browser.unchanged and part.of_list and name in browser.known
    if same or (name in browser.unseen and not apart):
        stale = not same or name in browser.stale
        return element(part.tag, id=name, data_same=True, data_stale=stale)
    fields = (str(context.get(key, "")) for key in ("form_keys", "form_token", "act_form"))
    drawn = sent(name, source.render(context), browser.known, fields)
    return with_attributes(drawn, hx_swap_oob="morph") if apart else drawn


@register.simple_tag(takes_context=True)
def stale_panes(context: Context) -> Html:
    """Draw the panes that the browser has as they were before, apart from their places."""
    stale = (name for name in PARTS if name in context["browser"].stale)
    return join(page_part(context, name, apart=True) for name in stale)


def sent(name: str, written: str, known: Mapping[str, str], fields: Iterable[str] = ()) -> Html:
    """Return the part of this id with its hash, empty if it is `known`; `fields` do not count."""
    counted = written
    for field in filter(None, fields):
        counted = counted.replace(field, "")
    mark = _mark_of(counted)
    if known.get(name) == mark:
        tag = counted.lstrip()[1:].partition(" ")[0]
        return element(tag, id=name, data_same=True)
    return with_attributes(written, data_part=mark)


@cache
def _mark_of_source(name: str) -> str:
    # A partial reads and parses its file to give its source.
    return _mark_of(Engine.get_default().get_template(name).source)


def _mark_of(text: str) -> str:
    return f"{crc32(text.encode()):x}"
