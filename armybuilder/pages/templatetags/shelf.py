"""The entries of the shelf as HTML: a template takes several times as long for so many."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django import template
from django.utils.translation import gettext as _

from armybuilder.html import EMPTY, Html, element, escape, fill, icon, join
from armybuilder.pages.builder.facets import MARKS, ShelfEntry
from armybuilder.pages.builder.panes import sent

register = template.Library()

_ENTRY = (
    '<li class="entry {state}"><button {asks} name="add" value="{ref}" id="add-{ref}" class="add"'
    ' aria-label="{add}" aria-describedby="about-{ref}">{plus}</button>'
    '<details class="entry-more" name="entry"><summary><span><strong dir="auto">{name}</strong>'
    '{sign} <span class="muted">{facts}</span></span> <span class="entry-points">{points}'
    '<span class="hidden"> {points_word}</span></span></summary>'
    '<span class="entry-told" id="about-{ref}">{mark}{told}</span></details>'
    '<label class="tick-label"><input type="checkbox" class="tick" name="tick-{ref}"'
    ' id="tick-{ref}" value="on"{checked} autocomplete="off">'
    '<span class="hidden">{tick}</span></label></li>\n'
)
#: The sign of each mark.
SIGNS = {"fits": "fits", "breaks": "warning", "over": "over", "dead": "warning"}
_FOUND = '<span class="entry-found" dir="auto">{} {}</span>\n'


@dataclass(frozen=True, slots=True)
class EntryWords:
    """What stands in many entries, looked up once; "{name}" is the unit's name."""

    add: str
    tick: str
    points: Html
    has: Html
    settles: Html
    unpriced: Html
    marks: dict[str, Html]
    signs: dict[str, Html]


@register.simple_tag
def shelf_group(
    entries: Iterable[ShelfEntry], number: int, asks: Html, known: Mapping[str, str]
) -> Html:
    """Return the entries under the heading of that number as a list, a part of the page.

    It is not sent where it is `known`; `asks` are the attributes by which a button posts.
    """
    name = f"entries-{number}"
    written = element("ul", "\n", shelf_entries(entries, asks), id=name, class_="entries")
    return sent(name, written, known or {})


def shelf_entries(entries: Iterable[ShelfEntry], asks: Html) -> Html:
    """Entries as the items of a list."""
    words = EntryWords(
        add=_("Add {name}"),
        tick=_("Select {name}"),
        points=escape(_("points")),
        has=escape(_("Has:")),
        settles=escape(_("Would fix:")),
        unpriced=escape(_("The book does not state its points")),
        marks={mark: _remark("mark", SIGNS[mark], str(word)) for mark, word in MARKS.items()},
        signs={mark: fill(" {}", icon(sign)) for mark, sign in SIGNS.items()},
    )
    return join(_entry(entry, asks, words) for entry in entries)


def _entry(entry: ShelfEntry, asks: Html, words: EntryWords) -> Html:
    name = entry.unit.name
    return fill(
        _ENTRY,
        state=entry.mark,
        asks=asks,
        ref=entry.unit.ref,
        add=words.add.replace("{name}", name),
        plus=icon("plus"),
        name=name,
        facts=entry.facts,
        told=_told(entry, words),
        points=_points(entry, words),
        points_word=words.points,
        sign=EMPTY if entry.mark == "fits" else words.signs[entry.mark],
        mark=EMPTY if entry.mark == "fits" else words.marks[entry.mark],
        checked=" checked" if entry.ticked else "",
        tick=words.tick.replace("{name}", name),
    )


def _told(entry: ShelfEntry, words: EntryWords) -> Html:
    """Return what adding it would break and settle, by what it was found, and what it can do."""
    parts = [_remark("says", "warning", text) for text in entry.says]
    if entry.lacks:
        parts.append(_remark("lacks", "over", entry.lacks))
    if entry.unknown:
        parts.append(_remark("lacks", "note", entry.unknown))
    parts += [_remark("settles", "fits", text, words.settles) for text in entry.settles]
    if entry.found:
        parts.append(fill(_FOUND, words.has, entry.found))
    if entry.abilities:
        parts.append(fill('<span class="entry-abilities">{}</span>\n', entry.abilities))
    return join(parts)


def _remark(kind: str, sign: str, text: str, before: str = "") -> Html:
    said = fill("{} {}", before, text) if before else text
    return fill('<span class="entry-{}">{} {}</span>', kind, icon(sign), said)


def _points(entry: ShelfEntry, words: EntryWords) -> Html:
    if entry.unit.price.start is None:
        return fill('<span title="{}">?</span>', words.unpriced)
    if entry.start:
        return fill(
            '<span class="hidden">{} </span>{}<small aria-hidden="true">+</small>',
            entry.start,
            entry.points,
        )
    return escape(entry.points)
