"""The entries of the shelf as HTML: a template takes several times as long for so many."""

from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.utils.translation import gettext as _

from armybuilder.html import Html, escape, fill, icon, join
from armybuilder.pages.builder.shelf.facets import MARKS, ShelfEntry

register = template.Library()

_ENTRY = (
    '<li class="entry {state}"><button {asks} name="add" value="{ref}" id="add-{ref}" class="add"'
    ' aria-label="{add}" aria-describedby="about-{ref}">{plus}</button>\n'
    '<span class="entry-name" id="about-{ref}"><strong dir="auto">{name}</strong>'
    ' <span class="muted">{facts}</span>{told}</span>\n'
    '<span class="entry-points">{points}<span class="hidden"> {points_word}</span>'
    '<span class="entry-mark">{sign} {mark}</span></span>\n'
    '<label class="tick-label"><input type="checkbox" class="tick" name="tick-{ref}"'
    ' id="tick-{ref}" value="on"{checked} autocomplete="off">'
    '<span class="hidden">{tick}</span></label></li>\n'
)
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


@register.simple_tag
def shelf_entries(entries: Iterable[ShelfEntry], asks: Html) -> Html:
    """Entries as the items of a list; `asks` are the attributes by which a button posts."""
    words = _words()
    return join(_entry(entry, asks, words) for entry in entries)


def _words() -> EntryWords:
    return EntryWords(
        add=_("Add {name}"),
        tick=_("Tick {name}"),
        points=escape(_("points")),
        has=escape(_("Has:")),
        settles=escape(_("Would settle:")),
        unpriced=escape(_("The book does not know its points")),
        marks={mark: escape(str(word)) for mark, word in MARKS.items()},
    )


def _entry(entry: ShelfEntry, asks: Html, words: EntryWords) -> Html:
    name = entry.unit.name
    return fill(
        _ENTRY,
        state=f"{entry.mark} too-costly" if entry.lacks else entry.mark,
        asks=asks,
        ref=entry.unit.ref,
        add=words.add.replace("{name}", name),
        plus=icon("plus"),
        name=name,
        facts=entry.facts,
        told=_told(entry, words),
        points=_points(entry, words),
        points_word=words.points,
        sign=icon("warning" if entry.mark == "breaks" else entry.mark),
        mark=words.marks[entry.mark],
        checked=" checked" if entry.ticked else "",
        tick=words.tick.replace("{name}", name),
    )


def _told(entry: ShelfEntry, words: EntryWords) -> Html:
    """Return what it can do, by what it was found, and what adding it would break and settle."""
    parts = []
    if entry.abilities:
        parts.append(fill('<span class="entry-abilities">{}</span>\n', entry.abilities))
    if entry.found:
        parts.append(fill(_FOUND, words.has, entry.found))
    parts += [_remark("says", "warning", text) for text in entry.says]
    if entry.lacks:
        parts.append(_remark("lacks", "over", entry.lacks))
    if entry.unknown:
        parts.append(_remark("lacks", "note", entry.unknown))
    parts += [_remark("settles", "fits", text, words.settles) for text in entry.settles]
    return join(parts)


def _remark(kind: str, sign: str, text: str, before: str = "") -> Html:
    said = fill("{} {}", before, text) if before else text
    return fill('<span class="entry-{}">{} {}</span>', kind, icon(sign), said)


def _points(entry: ShelfEntry, words: EntryWords) -> Html:
    if entry.unit.price.start is None:
        return fill('<span title="{}">?</span>', words.unpriced)
    if entry.start:
        return fill("<small>{}</small> {}", entry.start, entry.points)
    return escape(entry.points)
