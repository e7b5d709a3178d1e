"""Which forms of text there are, and the plain ones of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts import lines
from armybuilder.sheets.texts.full import draw_text
from armybuilder.sheets.texts.isolating import isolated
from armybuilder.sheets.texts.lines import TextGroup
from armybuilder.sheets.texts.posts import draw_bbcode, draw_markdown, draw_message
from armybuilder.sheets.texts.tournament import draw_tournament


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
    """A form: name, purpose, how it is drawn, a file's ending; `hides`: open sheets only;
    `armies`: for these alone."""

    name: object
    about: object
    drawn: Callable[[Sheet], str]
    ending: str = "txt"
    hides: bool = False
    armies: bool = False

    def draw(self, sheet: Sheet) -> str:
        """Return the list as text; names that run from right to left turn nothing beside them."""
        return isolated(self.drawn(sheet))


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
        gettext_lazy("The unit, what it has and its points, separated by commas."),
        draw_lines,
    ),
    "t9a": TextForm(
        gettext_lazy("For tournaments"),
        gettext_lazy("As tournaments of The Ninth Age take lists and their tools read them."),
        draw_tournament,
        armies=True,
    ),
    "discord": TextForm(
        gettext_lazy("Discord"),
        gettext_lazy("Units and points without statistics, short enough for one message mostly."),
        draw_message,
        ending="md",
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


def forms_of(sheet_is_army: bool) -> Mapping[str, TextForm]:
    """Return the forms that a list, or an army, can be drawn in."""
    return {key: form for key, form in FORMS.items() if sheet_is_army or not form.armies}


#: The form that is shown first.
USUAL = "compact"
