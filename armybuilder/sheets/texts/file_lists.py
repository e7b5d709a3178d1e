"""Lists of a community's files as text: for posts and chats, and as other army builders read them.

The plain form is that of BattleScribe's and New Recruit's texts, and is read back from pasting.
"""

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.battlescribe.files.view import CostLine, ForceLines, PickLine, UnitLines
from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.file_lists import FileList
from armybuilder.sheets.texts import lines
from armybuilder.sheets.texts.forms import Markup, TextForm, posts

#: What stands before a model's line, once for each pick that it is on.
BULLET: Final = "• "


def _plain(drawn: FileList, parts: AbstractSet[str]) -> str:
    """Return units by force and category, with their picks in the order of the list."""
    text = [*_head(drawn), *lines.findings(drawn.sheet)]
    for force in drawn.view.all_forces:
        text += ["", f"++ {_title(force)} ++"]
        for group in force.groups:
            text += ["", f"+ {group.name} +"] if group.name else [""]
            for unit in checked(group.units):
                text += _unit(unit, parts)
    if drawn.sheet.notes and "notes" in parts:
        text += ["", *lines.notes(drawn.sheet.notes)]
    return "\n".join(text) + "\n"


def _head(drawn: FileList) -> Iterator[str]:
    sheet = drawn.sheet
    yield sheet.title
    yield sheet.verdicts
    yield ", ".join(filter(None, (sheet.price, sheet.models, f"#{sheet.hash}")))
    yield f"{sheet.system}: {'; '.join(sheet.books)}"


def _title(force: ForceLines) -> str:
    name = f"{lines.quoted(force.own)} {force.name}" if force.own else force.name
    return f"{name} ({force.book}){_costs(force.costs)}"


def _costs(costs: tuple[CostLine, ...]) -> str:
    return f" [{', '.join(cost.words for cost in costs)}]" if costs else ""


def _unit(unit: UnitLines, parts: AbstractSet[str]) -> Iterator[str]:
    pick = unit.pick
    yield _line(pick, _costs(unit.costs))
    yield from _models(pick, 1)
    if "stats" in parts:
        yield from (f"  {line}" for line in _stats(unit))
    if "rules" in parts:
        yield from (f"  {line}" for line in _rules(unit))
    if "notes" in parts:
        yield from (f"  {line}" for line in lines.notes(pick.notes))


def _line(pick: PickLine, costs: str = "", single: bool = False) -> str:
    """Return such as "4x Deck Hand “Ann's crew” [24 pts]: 4x Boat Hook, Banner"."""
    number = f"{pick.number}x " if single or pick.number != 1 else ""
    own = f" {lines.quoted(pick.own)}" if pick.own else ""
    taken = ", ".join(_taken(one) for one in pick.options)
    return f"{number}{pick.name}{own}{costs}{': ' if taken else ''}{taken}"


def _taken(pick: PickLine) -> str:
    number = f"{pick.number}x " if pick.number != 1 else ""
    inner = ", ".join(_taken(one) for one in pick.below)
    return f"{number}{pick.name}{f' ({inner})' if inner else ''}"


def _models(pick: PickLine, depth: int) -> Iterator[str]:
    for line in pick.lines:
        yield BULLET * depth + _line(line, single=True)
        yield from _models(line, depth + 1)


def _stats(unit: UnitLines) -> Iterator[str]:
    """Yield each profile on a line, with the names of its columns."""
    for table in unit.tables:
        for name, *values in table.rows:
            pairs = zip(table.columns, values, strict=True)
            yield f"{name}: " + "  ".join(f"{column} {text}" for column, text in pairs if text)


def _rules(unit: UnitLines) -> Iterator[str]:
    for named in unit.named:
        yield f"{named.type or _('Special rules')}: {', '.join(named.names)}"


def _post(markup: Markup, drawn: FileList, parts: AbstractSet[str]) -> list[str]:
    """Return headings and lists for forums, notes and chats that read such marks."""
    title, verdict, *head = map(markup.text, _head(drawn))
    text = [markup.title.format(title), "", markup.bold.format(verdict), "", *markup.lines(head)]
    for force in drawn.view.all_forces:
        text += ["", markup.heading.format(markup.text(_title(force)))]
        for group in force.groups:
            text += ["", markup.bold.format(markup.text(group.name)), ""] if group.name else [""]
            text += markup.items([list(_posted(unit, markup, parts)) for unit in group.units])
    if drawn.sheet.notes and "notes" in parts:
        text += ["", *markup.lines(markup.text(line) for line in lines.notes(drawn.sheet.notes))]
    return text


def _posted(unit: UnitLines, markup: Markup, parts: AbstractSet[str]) -> Iterator[str]:
    first, *rest = _unit(unit, parts)
    name, sign, taken = first.partition(": ") if not unit.costs else first.partition("]")
    yield (
        markup.bold.format(markup.text(f"{name}{sign.strip(' :')}"))
        + markup.text(f"x{': ' if sign == ': ' else ''}{taken}")[1:]
    )
    yield from (markup.text(line.strip().removeprefix(BULLET)) for line in rest)


_PARTS: Final = ("stats", "rules", "notes")

FILE_FORMS: Mapping[str, TextForm[FileList]] = {
    "compact": TextForm(
        gettext_lazy("Plain text"),
        gettext_lazy("The format BattleScribe and New Recruit use. You can paste it here again."),
        _plain,
        offers=_PARTS,
        usual=frozenset({"notes"}),
    ),
    **posts(_post, _PARTS, frozenset(), frozenset(_PARTS)),
}
