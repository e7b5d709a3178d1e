"""Forms with marks for forums and notes: Markdown and BBCode."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from django.utils.translation import gettext as _

from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts import lines
from armybuilder.sheets.texts.lines import TextGroup, UnitLine

#: A bracket that boards take for no tag: a space of no width stands behind it.
UNTAGGED = "[\u200b"


class Markdown:
    """CommonMark, as forums, notes and chats know it."""

    _MARKS = re.compile(r"[\\`*_\[\]<>#~|]|&(?=[#\w]+;)|^(?:[-+=]|\d+(?=[.)]))")

    def text(self, said: str) -> str:
        return self._MARKS.sub(self._escaped, said)

    @staticmethod
    def _escaped(found: re.Match[str]) -> str:
        """Return a backslash before the mark; before the full stop that makes a number a list's."""
        return f"{found[0]}\\" if found[0].isdigit() else f"\\{found[0]}"

    def bold(self, said: str) -> str:
        return f"**{said}**"

    def italic(self, said: str) -> str:
        return f"*{said}*"

    def title(self, said: str) -> str:
        return f"# {said}"

    def heading(self, said: str) -> str:
        return f"## {said}"

    def lines(self, said: Iterable[str]) -> Iterator[str]:
        """Return a list, as Markdown runs lines together that stand in one paragraph."""
        return (f"- {line}" for line in said)

    def items(self, said: Iterable[list[str]]) -> Iterator[str]:
        for first, *more in said:
            yield f"- {first}"
            yield from (f"  - {line}" for line in more)


class BBCode:
    """What boards such as phpBB have in common: bold, italic, underlined, lists."""

    def text(self, said: str) -> str:
        """Return it with a mark that is not seen behind brackets, so that none is a tag."""
        return said.replace("[", UNTAGGED)

    def bold(self, said: str) -> str:
        return f"[b]{said}[/b]"

    def italic(self, said: str) -> str:
        return f"[i]{said}[/i]"

    def title(self, said: str) -> str:
        return f"[b][u]{said}[/u][/b]"

    def heading(self, said: str) -> str:
        return f"[b]{said}[/b]"

    def lines(self, said: Iterable[str]) -> Iterator[str]:
        return iter(said)

    def items(self, said: Iterable[list[str]]) -> Iterator[str]:
        yield "[list]"
        for first, *more in said:
            yield f"[*]{first}"
            yield from more
        yield "[/list]"


#: How a markup writes each part: `text` escapes; the other methods take what is escaped.
Markup = Markdown | BBCode


def draw_markdown(sheet: Sheet, parts: AbstractSet[str]) -> str:
    """Headings and lists for forums and notes that read Markdown."""
    return "\n".join(_post(sheet, Markdown(), parts)) + "\n"


def draw_bbcode(sheet: Sheet, parts: AbstractSet[str]) -> str:
    """Return the same for boards that read BBCode."""
    return "\n".join(_post(sheet, BBCode(), parts)) + "\n"


def _post(sheet: Sheet, markup: Markup, parts: AbstractSet[str]) -> Iterator[str]:
    title, verdict, *head = (markup.text(line) for line in lines.head(sheet))
    yield markup.title(title)
    yield ""
    yield markup.bold(verdict)
    yield ""
    told = [*head, *(markup.text(line) for line in lines.settings(sheet))]
    yield from markup.lines(told)
    found = [markup.bold(markup.text(line)) for line in lines.findings(sheet)]
    if found:
        yield from ("", *markup.lines(found))
    for group in lines.groups(sheet, parts):
        yield from _group(group, markup)
    if sheet.notes and "notes" in parts:
        yield from ("", markup.heading(markup.text(_("Notes"))), "")
        yield from _paragraphs(sheet.notes, markup)


def _group(group: TextGroup, markup: Markup) -> Iterator[str]:
    if not group.units:
        return
    yield from ("", markup.heading(markup.text(group.title or _("Units"))), "")
    yield from markup.items(list(_unit(unit, markup)) for unit in group.units)


def _unit(unit: UnitLine, markup: Markup) -> Iterator[str]:
    rest = unit.said().removeprefix(unit.head)
    # Before the rest a letter stands, so that nothing in it is taken for the start of a line.
    yield markup.bold(markup.text(unit.head)) + markup.text(f"x{rest}")[1:]
    yield from (markup.text(detail.said) for detail in unit.details)
    yield from (markup.italic(markup.text(line)) for line in unit.notes.split("\n") if line)


def _paragraphs(notes: str, markup: Markup) -> Iterator[str]:
    """Return each line of notes a paragraph of its own: Markdown would run them together."""
    told = [markup.text(line) for line in notes.split("\n") if line]
    for number, line in enumerate(told):
        yield from ("", line) if number else (line,)
