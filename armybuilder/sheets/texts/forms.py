"""The forms of text, and all but the full one."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Generic, TypeVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.loading.deadline import checked
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.printable import LEFTWARD
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.content.unit_view import TakenLine, UnitView
from armybuilder.sheets.texts import lines
from armybuilder.sheets.texts.lines import PARTS, UnitLine, draw_text

_WORDS = re.compile(f"[{LEFTWARD}]+(?: [{LEFTWARD}]+)*")
#: First-strong isolate, and its end (Unicode Annex 9).
_START, _END = "\u2068", "\u2069"


def isolated(text: str) -> str:
    """Return the text with such words between marks that are not seen."""
    if text.isascii():
        return text
    return _WORDS.sub(lambda words: f"{_START}{words[0]}{_END}", text)


#: A bracket that boards take for no tag: a space of no width stands behind it.
UNTAGGED = "[\u200b"


#: Characters of one message on Discord.
DISCORD = 2000


class Markdown:
    """CommonMark, as forums, notes and chats know it."""

    bold, italic, title, heading = "**{}**", "*{}*", "# {}", "## {}"
    _MARKS = re.compile(r"[\\`*_\[\]<>#~|]|&(?=[#\w]+;)|^(?:[-+=]|\d+(?=[.)]))")

    def text(self, said: str) -> str:
        """Return it with a backslash before marks, or behind a number that would begin a list."""
        return self._MARKS.sub(lambda m: f"{m[0]}\\" if m[0].isdigit() else f"\\{m[0]}", said)

    def lines(self, said: Iterable[str]) -> Iterator[str]:
        """Return a list, as Markdown joins the lines of a paragraph."""
        return (f"- {line}" for line in said)

    def items(self, said: Iterable[list[str]]) -> Iterator[str]:
        for first, *more in said:
            yield f"- {first}"
            yield from (f"  - {line}" for line in more)


class BBCode:
    """Common tags of boards such as phpBB: bold, italic, underlined, lists."""

    bold, italic, title, heading = "[b]{}[/b]", "[i]{}[/i]", "[b][u]{}[/u][/b]", "[b]{}[/b]"

    def text(self, said: str) -> str:
        """Return it with a mark that is not seen behind brackets, so that none is a tag."""
        return said.replace("[", UNTAGGED)

    def lines(self, said: Iterable[str]) -> Iterator[str]:
        return iter(said)

    def items(self, said: Iterable[list[str]]) -> Iterator[str]:
        yield "[list]"
        for first, *more in said:
            yield f"[*]{first}"
            yield from more
        yield "[/list]"


#: How a markup writes each part: `text` escapes; all others take what is escaped.
Markup = Markdown | BBCode


def _post(markup: Markup, sheet: Sheet, parts: AbstractSet[str]) -> Iterator[str]:
    """Yield headings and lists for forums and notes that read such marks."""
    title, verdict, *head = (markup.text(line) for line in lines.head(sheet))
    yield from (markup.title.format(title), "", markup.bold.format(verdict), "")
    yield from markup.lines([*head, *(markup.text(line) for line in lines.settings(sheet))])
    findings = [markup.bold.format(markup.text(line)) for line in lines.findings(sheet)]
    if findings:
        yield from ("", *markup.lines(findings))
    for title, units in lines.groups(sheet, parts):
        if units:
            yield from ("", markup.heading.format(markup.text(title or _("Units"))), "")
            yield from markup.items(list(_unit(unit, markup)) for unit in units)
    if sheet.notes and "notes" in parts:
        yield from ("", markup.heading.format(markup.text(_("Notes"))))
        # Each line of notes is a paragraph of its own: Markdown would run them together.
        for line in filter(None, sheet.notes.split("\n")):
            yield from ("", markup.text(line))


def _unit(unit: UnitLine, markup: Markup) -> Iterator[str]:
    rest = unit.said().removeprefix(unit.head)
    # Before the rest a letter stands, so that nothing in it is taken for the start of a line.
    yield markup.bold.format(markup.text(unit.head)) + markup.text(f"x{rest}")[1:]
    yield from (markup.text(detail.said) for detail in unit.details)
    notes = filter(None, unit.notes.split("\n"))
    yield from (markup.italic.format(markup.text(line)) for line in notes)


def _tournament(sheet: Sheet, parts: AbstractSet[str]) -> str:
    """Return an army in the form of The Ninth Age's tournaments, for their tools.

    A line for each unit, points first: "865 - High Prince, General, Dragon, Shield (Dusk Forged)".
    Options of something follow it in brackets (Rulebook 22.A). The army's points are alone on the
    last line; unknown ones are a question mark. Notes on units are below them, those on the list
    are for the player alone. Raises Refusal for a list that isn't an army.
    """
    if sheet.army is None:
        raise Refusal(_("This format is only for armies with categories."))
    text = list(sheet.books)
    for unit in checked(sheet.army.units):
        name = _plain(unit.unit_name or unit.name)
        number = f"{unit.models} " if unit.models > 1 and unit.counts else ""
        text.append(f"{unit.price or '?'} - " + ", ".join((number + name, *_taken(unit))))
        text += _noted(lines.notes(unit.notes), parts)
    return "\n".join([*text, str(sheet.spent)]) + "\n"


def _noted(notes: Iterable[str], parts: AbstractSet[str]) -> Iterator[str]:
    """Yield the notes on a unit, set in, where notes are wanted."""
    return (f"  {line}" for line in notes if "notes" in parts)


def _taken(unit: UnitView) -> Iterator[str]:
    left = [*unit.options, *unit.items]
    there = {option.plain for option in left}
    for mark in unit.marks:
        left = [option for option in left if option.plain != mark]
        yield mark + _carried(mark, left)
    for option in list(left):
        if option not in left or option.on in there:
            continue
        left.remove(option)
        # What every model has, such as a hand weapon, is no option of its own.
        on = f" (on {option.on})" if option.on else _carried(option.plain, left)
        yield _plain(option.plain) + on
        yield from [_plain(option.plain)] * (option.number - 1)
    # What is on something of its own name stands by itself: nothing is dropped.
    yield from (_plain(option.plain) for option in left)
    if unit.wizard and unit.wizard.path:
        yield _plain(unit.wizard.path)


def _carried(name: str, left: list[TakenLine]) -> str:
    """Return the options on something in one pair of brackets, and take them out of the rest."""
    on = [option for option in left if option.on == name]
    for option in on:
        left.remove(option)
    told: list[str] = []
    for option in on:
        inner = _carried(option.plain, left)[2:-1]
        told += [*[_plain(option.plain)] * option.number, *([inner] if inner else [])]
    return f" ({', '.join(told)})" if told else ""


def _plain(name: str) -> str:
    """Return a name without commas, which part things here."""
    return name.replace(",", "")


#: What a text may say or leave out, by its name on screen.
PART_NAMES: Mapping[str, object] = {
    "stats": gettext_lazy("Statistics"),
    "rules": gettext_lazy("Special rules"),
    "pages": gettext_lazy("Page references"),
    "notes": gettext_lazy("Notes"),
}


def _plain_text(sheet: Sheet, parts: AbstractSet[str], titled: bool = True) -> str:
    """Return a line for each unit with its details below; `titled`: by category."""
    body: list[str] = []
    for number, (title, units) in enumerate(lines.groups(sheet, parts)):
        body += [""] if titled and number else []
        body += [f"{title}:"] if titled and title else []
        for unit in units:
            body += [unit.said(), *(f"  {detail.said}" for detail in unit.details)]
            body += _noted(lines.notes(unit.notes), parts)
    if sheet.notes.strip() and "notes" in parts:
        body += ["", *lines.notes(sheet.notes)]
    head = chain(lines.head(sheet), lines.settings(sheet), lines.findings(sheet))
    return _text(head, body)


def _secret(sheet: Sheet, _parts: AbstractSet[str]) -> str:
    """Return the part an opponent may know: no points, items, settings or notes.

    Raises ValueError for an army's full sheet, which describes its items elsewhere, too.
    """
    if sheet.army and sheet.kind != "open":
        raise ValueError("an army keeps its items back on its open sheet only")
    groups = lines.groups(sheet, frozenset())
    units = (unit.said(points=False) for _title, units in groups for unit in units)
    return _text(lines.head(sheet, points=False), units)


def _text(head: Iterable[str], body: Iterable[str]) -> str:
    return "\n".join([*head, "", *body]).rstrip("\n") + "\n"


#: What a form draws: the sheet of a list.
Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True)
class TextForm(Generic[Drawn]):
    """A form: name, purpose, how it is drawn, a file's ending; `hides`: open sheets only.

    `armies`: for these only; `offers`: the parts that can be left out, `usual` the default ones.
    `message`: characters of one message of a chat, 0 for no chat.
    """

    name: object
    about: object
    drawn: Callable[[Drawn, AbstractSet[str]], str]
    ending: str = "txt"
    hides: bool = False
    armies: bool = False
    offers: tuple[str, ...] = ()
    usual: frozenset[str] = frozenset()
    message: int = 0

    def messages(self, text: str) -> list[str]:
        """Return a text in messages that hold its lines whole; one after another they are it."""
        found = [""]
        for line in text.splitlines(keepends=True):
            if found[-1] and 0 < self.message < len(found[-1]) + len(line):
                found.append("")
            found[-1] += line
        return found

    def draw(self, sheet: Drawn, parts: AbstractSet[str] | None = None) -> str:
        """Return the list as text with those `parts`, None: the usual ones."""
        return isolated(self.drawn(sheet, self.usual if parts is None else parts))

    def parts(self, wanted: Sequence[str]) -> frozenset[str]:
        """Return the parts asked for, separated by commas; the usual ones if none is.

        Raises Refusal for one that is not offered.
        """
        if not wanted:
            return self.usual
        parts = frozenset(filter(None, ",".join(wanted).split(",")))
        wrong = sorted(parts.difference(self.offers))
        if wrong:
            raise Refusal(_("“{value}” is not a valid choice.").format(value=wrong[0][:80]))
        return parts


def posts(
    post: Callable[[Markup, Drawn, AbstractSet[str]], Iterable[str]],
    offers: tuple[str, ...],
    brief: frozenset[str],
    usual: frozenset[str],
) -> dict[str, TextForm[Drawn]]:
    """Return the forms for chats and forums, drawn by `post`; `brief`: usual parts in a chat."""

    def drawn(markup: Markup, sheet: Drawn, parts: AbstractSet[str]) -> str:
        return "\n".join(post(markup, sheet, parts)) + "\n"

    markdown = TextForm(
        gettext_lazy("Markdown"),
        gettext_lazy("Headings and lists for chats, forums and notes, with your notes."),
        partial(drawn, Markdown()),
        ending="md",
        offers=offers,
        usual=usual,
    )
    return {
        "discord": replace(
            markdown,
            name=gettext_lazy("Discord"),
            about=gettext_lazy("Units and points without stats; usually fits in one message."),
            message=DISCORD,
            usual=brief,
        ),
        "markdown": markdown,
        "bbcode": replace(
            markdown,
            name=gettext_lazy("BBCode"),
            about=gettext_lazy("For forums that write bold as [b]bold[/b], with your notes."),
            drawn=partial(drawn, BBCode()),
            ending="txt",
        ),
    }


_NOTES = frozenset({"notes"})

FORMS: Mapping[str, TextForm[Sheet]] = {
    "compact": TextForm(
        gettext_lazy("Compact"),
        gettext_lazy("Units with stats and the names of their rules, for email and chat."),
        _plain_text,
        offers=PARTS,
        usual=frozenset({"stats", "rules", "notes"}),
    ),
    "full": TextForm(
        gettext_lazy("Full"),
        gettext_lazy("The whole sheet in lines of 80 characters, with every rule explained."),
        lambda sheet, _parts: draw_text(sheet),
    ),
    "lines": TextForm(
        gettext_lazy("One line per unit"),
        gettext_lazy("The unit, what it has and its points, separated by commas."),
        partial(_plain_text, titled=False),
        offers=("notes",),
        usual=_NOTES,
    ),
    "t9a": TextForm(
        gettext_lazy("For tournaments"),
        gettext_lazy("The format Ninth Age tournaments use."),
        _tournament,
        armies=True,
        offers=("notes",),
        usual=_NOTES,
    ),
    **posts(_post, PARTS, _NOTES, frozenset({"stats", "rules", "notes"})),
    "secret": TextForm(
        gettext_lazy("Secret"),
        gettext_lazy("For opponents before the game: no points, special items, settings or notes."),
        _secret,
        hides=True,
    ),
}


def forms_of(sheet_is_army: bool) -> Mapping[str, TextForm[Sheet]]:
    """Return the forms that a list, or an army, can be drawn in."""
    return {key: form for key, form in FORMS.items() if sheet_is_army or not form.armies}


#: The form that is shown first.
USUAL = "compact"
