"""The entries of the shelf as HTML: a template takes several times as long for so many."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from django import template
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from armybuilder.pages.builder.shelf.shelf_entries import MARKS, Entry

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


@dataclass(frozen=True, slots=True)
class EntryWords:
    """What stands in many entries, looked up once, as HTML; "{name}" is the unit's name."""

    add: str
    tick: str
    points: str
    has: str
    settles: str
    unpriced: str
    marks: dict[str, str]


@register.simple_tag
def shelf_entries(entries: Iterable[Entry], asks: str) -> SafeString:
    """Entries as the items of a list; `asks` are the attributes by which a button posts."""
    words = _words()
    return SafeString("".join(_entry(entry, asks, words) for entry in entries))


def _words() -> EntryWords:
    return EntryWords(
        add=escape(_("Add {name}")),
        tick=escape(_("Tick {name}")),
        points=escape(_("points")),
        has=escape(_("Has:")),
        settles=escape(_("Would settle:")),
        unpriced=escape(_("The book does not know its points")),
        marks={mark: escape(str(word)) for mark, word in MARKS.items()},
    )


def _entry(entry: Entry, asks: str, words: EntryWords) -> str:
    name = escape(entry.unit.name)
    return _ENTRY.format(
        state=f"{entry.mark} too-costly" if entry.lacks else entry.mark,
        asks=asks,
        ref=escape(entry.unit.ref),
        add=words.add.replace("{name}", name),
        plus=_icon("plus"),
        name=name,
        facts=escape(entry.facts),
        told=_told(entry, words),
        points=_points(entry, words),
        points_word=words.points,
        sign=_icon("warning" if entry.mark == "breaks" else entry.mark),
        mark=words.marks[entry.mark],
        checked=" checked" if entry.ticked else "",
        tick=words.tick.replace("{name}", name),
    )


def _told(entry: Entry, words: EntryWords) -> str:
    """What it can do, by what it was found, and what adding it would break and settle."""
    parts = []
    if entry.abilities:
        parts.append(f'<span class="entry-abilities">{escape(entry.abilities)}</span>\n')
    if entry.found:
        has = f"{words.has} {escape(entry.found)}"
        parts.append(f'<span class="entry-found" dir="auto">{has}</span>\n')
    parts += [_remark("says", "warning", text) for text in entry.says]
    if entry.lacks:
        parts.append(_remark("lacks", "over", entry.lacks))
    if entry.unknown:
        parts.append(_remark("lacks", "note", entry.unknown))
    parts += [_remark("settles", "fits", text, f"{words.settles} ") for text in entry.settles]
    return "".join(parts)


def _remark(kind: str, icon: str, text: str, before: str = "") -> str:
    return f'<span class="entry-{kind}">{_icon(icon)} {before}{escape(text)}</span>'


def _points(entry: Entry, words: EntryWords) -> str:
    if entry.unit.price.start is None:
        return f'<span title="{words.unpriced}">?</span>'
    start = f"<small>{escape(entry.start)}</small> " if entry.start else ""
    return f"{start}{entry.points}"


def _icon(name: str) -> str:
    return f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-{name}"/></svg>'
