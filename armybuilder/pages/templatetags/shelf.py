"""Entries of the shelf as HTML: a template takes several times as long."""

from collections.abc import Iterable, Mapping

from django import template
from django.utils.translation import gettext as _

from armybuilder.html import EMPTY, Html, element, fill, icon, join
from armybuilder.pages.builder.panes import sent
from armybuilder.pages.builder.shelf import MARKS, ShelfEntry

register = template.Library()

_ENTRY = (
    '<li class="entry {state}"><button {asks} name="add" value="{ref}" id="add-{ref}" class="add"'
    ' aria-label="{add}" aria-describedby="about-{ref}">{plus}</button>'
    '<div class="entry-row"><span class="entry-sign">{sign}</span>'
    '<span class="entry-name"><a class="peek" href="?preview={ref}&amp;view=unit">'
    '<strong dir="auto">{name}</strong></a>{held}</span>'
    ' <span class="entry-facts">{facts}</span> <span class="entry-points">{points}'
    '<span class="hidden"> {points_word}</span></span>'
    '<details class="entry-more" name="entry"><summary><span class="hidden">{more}</span></summary>'
    '<span class="entry-told" id="about-{ref}">{mark}{told}</span></details></div>'
    '<label class="tick-label"><input type="checkbox" class="tick" name="tick-{ref}"'
    ' id="tick-{ref}" value="on"{checked} autocomplete="off">'
    '<span class="hidden">{tick}</span></label></li>\n'
)
#: The sign of each mark.
SIGNS = {"fits": "fits", "breaks": "warning", "over": "over", "dead": "warning"}
_FOUND = '<span class="entry-found" dir="auto">{} {}</span>\n'
_HELD = (
    ' <span class="entry-held"><span aria-hidden="true">{}</span>'
    '<span class="hidden">{}</span></span>'
)
_START = '<span class="hidden">{} </span>{}<small aria-hidden="true">+</small>'


@register.simple_tag
def shelf_group(
    entries: Iterable[ShelfEntry], number: int, asks: Html, known: Mapping[str, str]
) -> Html:
    """Return the entries of a heading as a part of the page; `asks` are attributes of buttons."""
    name = f"entries-{number}"
    written = element("ul", "\n", shelf_entries(entries, asks), id=name, class_="entries")
    return sent(name, written, known or {})


def shelf_entries(entries: Iterable[ShelfEntry], asks: Html) -> Html:
    # Words of many entries are translated once.
    add, more, tick, unpriced = (
        _("Add {name}"),
        _("About {name}"),
        _("Select {name}"),
        _("The book does not state its points"),
    )
    shared = {"asks": asks, "plus": icon("plus"), "points_word": _("points")}
    looks = {
        mark: (icon(SIGNS[mark]), _remark("mark", SIGNS[mark], str(word)))
        for mark, word in MARKS.items()
    }
    looks["fits"] = EMPTY, EMPTY
    written = []
    for entry in entries:
        name, (sign, mark) = entry.unit.name, looks[entry.mark]
        if entry.unit.price.start is None:
            points = fill('<span title="{}">?</span>', unpriced)
        elif entry.start:
            points = fill(_START, entry.start, entry.points)
        else:
            points = fill("{}", entry.points)
        row = fill(
            _ENTRY,
            **shared,
            state=entry.mark,
            ref=entry.unit.ref,
            add=add.replace("{name}", name),
            name=name,
            more=more.replace("{name}", name),
            held=fill(_HELD, *entry.held) if entry.held else EMPTY,
            facts=entry.facts,
            told=entry_told(entry),
            points=points,
            sign=sign,
            mark=mark,
            checked=" checked" if entry.ticked else "",
            tick=tick.replace("{name}", name),
        )
        written.append(row)
    return join(written)


@register.filter
def entry_told(entry: ShelfEntry) -> Html:
    """Return the errors that adding it causes and settles, why it was found, its abilities."""
    parts = [_remark("says", "warning", text) for text in entry.says]
    if entry.lacks:
        parts.append(_remark("lacks", "over", entry.lacks))
    if entry.unknown:
        parts.append(_remark("lacks", "note", entry.unknown))
    parts += [_remark("settles", "fits", f"{_('Would fix:')} {text}") for text in entry.settles]
    if entry.found:
        parts.append(fill(_FOUND, _("Has:"), entry.found))
    if entry.abilities:
        parts.append(fill('<span class="entry-abilities">{}</span>\n', ", ".join(entry.abilities)))
    return join(parts)


def _remark(kind: str, sign: str, text: str) -> Html:
    return fill('<span class="entry-{}">{} {}</span>', kind, icon(sign), text)
