"""Which forms of text there are, and the plain ones of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts import lines
from armybuilder.sheets.texts.full import draw_text
from armybuilder.sheets.texts.isolating import isolated
from armybuilder.sheets.texts.lines import TextGroup
from armybuilder.sheets.texts.posts import draw_bbcode, draw_markdown
from armybuilder.sheets.texts.tournament import draw_tournament

#: What a text may say or leave out, by its name on screen.
PART_NAMES: Mapping[str, object] = {
    "stats": gettext_lazy("Statistics"),
    "rules": gettext_lazy("Special rules"),
    "pages": gettext_lazy("Where the rules stand"),
    "notes": gettext_lazy("Notes"),
}


def draw_compact(sheet: Sheet, parts: AbstractSet[str]) -> str:
    """Units by category, with statistics and the names of their special rules."""
    return _text(_head(sheet), _compact(sheet, parts))


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


def _compact(sheet: Sheet, parts: AbstractSet[str]) -> Iterator[str]:
    for number, group in enumerate(lines.groups(sheet, parts)):
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
    `armies`: for these alone; `offers`: the parts that one may leave out, `usual` those that are
    said where nobody chose.
    """

    name: object
    about: object
    drawn: Callable[[Sheet, AbstractSet[str]], str]
    ending: str = "txt"
    hides: bool = False
    armies: bool = False
    offers: tuple[str, ...] = ()
    usual: frozenset[str] = frozenset()

    def draw(self, sheet: Sheet, parts: AbstractSet[str] | None = None) -> str:
        """Return the list as text; names that run from right to left turn nothing beside them.
        `parts`: those that are said, None: the usual ones.
        """
        return isolated(self.drawn(sheet, self.usual if parts is None else parts))

    def parts(self, asked: Sequence[str]) -> frozenset[str]:
        """Return the parts that are asked for, names with commas between; the usual ones where
        nothing is. Raises Refusal for what is not offered.
        """
        if not asked:
            return self.usual
        parts = frozenset(filter(None, ",".join(asked).split(",")))
        wrong = sorted(parts.difference(self.offers))
        if wrong:
            raise Refusal(_("“{value}” is not offered here.").format(value=wrong[0][:80]))
        return parts


def _same(draw: Callable[[Sheet], str]) -> Callable[[Sheet, AbstractSet[str]], str]:
    """Return a form that says the same whatever is asked for."""
    return lambda sheet, _parts: draw(sheet)


_COMPACT = ("stats", "rules", "pages")
_POST = (*_COMPACT, "notes")

FORMS: Mapping[str, TextForm] = {
    "compact": TextForm(
        gettext_lazy("Compact"),
        gettext_lazy("Units with statistics and the names of their rules, for email and chat."),
        draw_compact,
        offers=_COMPACT,
        usual=frozenset({"stats", "rules"}),
    ),
    "full": TextForm(
        gettext_lazy("Full"),
        gettext_lazy("The whole sheet in lines of 80 characters, with every rule explained."),
        _same(draw_text),
    ),
    "lines": TextForm(
        gettext_lazy("One line per unit"),
        gettext_lazy("The unit, what it has and its points, separated by commas."),
        _same(draw_lines),
    ),
    "t9a": TextForm(
        gettext_lazy("For tournaments"),
        gettext_lazy("As tournaments of The Ninth Age take lists and their tools read them."),
        _same(draw_tournament),
        armies=True,
    ),
    "discord": TextForm(
        gettext_lazy("Discord"),
        gettext_lazy("Units and points without statistics, short enough for one message mostly."),
        draw_markdown,
        ending="md",
        offers=_POST,
    ),
    "markdown": TextForm(
        gettext_lazy("Markdown"),
        gettext_lazy("Headings and lists for chats, forums and notes, with your notes."),
        draw_markdown,
        ending="md",
        offers=_POST,
        usual=frozenset({"stats", "rules", "notes"}),
    ),
    "bbcode": TextForm(
        gettext_lazy("BBCode"),
        gettext_lazy("For forums that write bold as [b]bold[/b], with your notes."),
        draw_bbcode,
        offers=_POST,
        usual=frozenset({"stats", "rules", "notes"}),
    ),
    "secret": TextForm(
        gettext_lazy("Secret"),
        gettext_lazy("For opponents before the game: no points, special items, settings or notes."),
        _same(draw_secret),
        hides=True,
    ),
}


def forms_of(sheet_is_army: bool) -> Mapping[str, TextForm]:
    """Return the forms that a list, or an army, can be drawn in."""
    return {key: form for key, form in FORMS.items() if sheet_is_army or not form.armies}


#: The form that is shown first.
USUAL = "compact"
