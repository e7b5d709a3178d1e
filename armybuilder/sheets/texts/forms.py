"""Which forms of text there are."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext_lazy

from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts.full import draw_text
from armybuilder.sheets.texts.plain import draw_compact, draw_lines, draw_secret
from armybuilder.sheets.texts.posts import draw_bbcode, draw_markdown


@dataclass(frozen=True, slots=True)
class TextForm:
    """A form: its name, what it is for in a line, how it is drawn, the ending of a file of it.
    One that `hides` is drawn of the open sheet only.
    """

    name: object
    about: object
    draw: Callable[[Sheet], str]
    ending: str = "txt"
    hides: bool = False


FORMS: Mapping[str, TextForm] = {
    "compact": TextForm(
        gettext_lazy("Compact"),
        gettext_lazy("Units with statistics and the names of their rules, for mail and chat."),
        draw_compact,
    ),
    "full": TextForm(
        gettext_lazy("Full"),
        gettext_lazy("The whole sheet in lines of 80 characters, with every rule explained."),
        draw_text,
    ),
    "lines": TextForm(
        gettext_lazy("One line per unit"),
        gettext_lazy("The way tournaments ask for lists."),
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
