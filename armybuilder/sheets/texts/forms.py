"""Which forms of text there are, and the plain ones of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts import lines
from armybuilder.sheets.texts.full import draw_text
from armybuilder.sheets.texts.lines import TextGroup
from armybuilder.sheets.texts.posts import draw_bbcode, draw_markdown


def draw_compact(sheet: Sheet) -> str:
    """Units by category, with statistics and the names of their special rules."""
    return _text(_head(sheet), _compact(sheet))


def draw_lines(sheet: Sheet) -> str:
    """One line for each unit, as tournaments of army games ask for."""
    units = (unit.said() for group in lines.groups(sheet) for unit in group.units)
    return _text(_head(sheet), units)


def draw_secret(sheet: Sheet) -> str:
    """Return what an opponent may know: no points, items, settings or notes.

    Raises ValueError for an army's full sheet, which tells in other places what its items do.
    """
    if sheet.army and sheet.kind != "open":
        raise ValueError("an army keeps its items back on its open sheet only")
    units = (unit.said(points=False) for group in lines.groups(sheet) for unit in group.units)
    return _text(lines.head(sheet, points=False), units)


def _head(sheet: Sheet) -> Iterator[str]:
    yield from lines.head(sheet)
    yield from lines.settings(sheet)
    yield from lines.findings(sheet)


def _compact(sheet: Sheet) -> Iterator[str]:
    for number, group in enumerate(lines.groups(sheet)):
        if number:
            yield ""
        yield from _group(group)


def _group(group: TextGroup) -> Iterator[str]:
    if group.title:
        yield f"{group.title}:"
    for unit in group.units:
        yield unit.said()
        yield from (f"  {detail.said}" for detail in unit.details)


def _text(head: Iterable[str], body: Iterable[str]) -> str:
    return "\n".join([*head, "", *body]).rstrip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form: name, purpose, how it is drawn, a file's ending; `hides`: open sheets only."""

    name: object
    about: object
    draw: Callable[[Sheet], str]
    ending: str = "txt"
    hides: bool = False


FORMS: Mapping[str, TextForm] = {
    "compact": TextForm(
        gettext_lazy("Compact"),
        gettext_lazy("Units with statistics and the names of their rules, for email and chat."),
        draw_compact,
    ),
    "full": TextForm(
        gettext_lazy("Full"),
        gettext_lazy("The whole sheet in lines of 80 characters, with every rule explained."),
        draw_text,
    ),
    "lines": TextForm(
        gettext_lazy("One line per unit"),
        gettext_lazy("The format that tournaments ask for."),
        draw_lines,
    ),
    "markdown": TextForm(
        gettext_lazy("Markdown"),
        gettext_lazy("Headings and lists for chats, forums and notes, with your notes."),
        draw_markdown,
        ending="md",
    ),
    "bbcode": TextForm(
        gettext_lazy("BBCode"),
        gettext_lazy("For forums that write bold as [b]bold[/b], with your notes."),
        draw_bbcode,
    ),
    "secret": TextForm(
        gettext_lazy("Secret"),
        gettext_lazy("For opponents before the game: no points, special items, settings or notes."),
        draw_secret,
        hides=True,
    ),
}
#: The form that is shown first.
USUAL = "compact"
