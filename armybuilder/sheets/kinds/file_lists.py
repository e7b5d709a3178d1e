"""Sheets of a list of a community's files: roster sheet, points list, and a frame for each unit.

Profiles are in tables with their files' columns; texts of rules are printed once, at the end, or in
the frame of each unit.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.platypus import Flowable

from armybuilder.battlescribe.files.view import (
    ForceLines,
    PickLine,
    ProfileTable,
    RuleText,
    UnitLines,
)
from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.file_lists import FileList
from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.drawing.army_pdf import Ruled, priced
from armybuilder.sheets.drawing.blocks import PADDING, Across, PdfSection, Stack, shares
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.drawing.tagged import Tag
from armybuilder.sheets.drawing.typeface import BOLD, FAINT, LABEL, SMALL, STRONG, Ink
from armybuilder.sheets.drawing.words import WordRun, Words
from armybuilder.sheets.kinds import parts

#: Sizes that letters may have, the largest first: the smallest letters are 7 points on paper.
SIZES: Final = (1.3, 1.2, 1.14, 1.07)
#: Least width in points of a unit, of a unit in its frame, and of a line of the points list.
UNIT, FRAME, LINE = 230, 230, 200
#: Points between the columns of a profile.
GAP: Final = 6.0

NAME = Ink(BOLD, 9.6)


def roster_sheet(
    printed: FileList, setup: Setup, scale: float, room: PageRoom, brief: bool = False
) -> Iterator[Flowable]:
    """Yield a list: its units with their profiles, then the meanings of their rules.

    `brief`: a paragraph for each unit, with its costs.
    """
    yield parts.title(printed.sheet, room, parts.code_of(printed.sheet, scale))
    yield from parts.findings(printed.sheet, room)
    draw_unit, least = (_brief, LINE) if brief else (_unit, UNIT)
    for force in printed.view.all_forces:
        blocks = _grouped(force, partial(draw_unit, setup=setup))
        yield from parts.section(_title(force), blocks, room, least)
    yield from () if brief else _rules(printed.view.rules, room)
    yield from parts.section(_("Notes"), parts.notes(printed.sheet.notes, SMALL), room)
    if not brief:
        yield from parts.certified(printed.sheet, scale, room)


def frames(printed: FileList, setup: Setup, scale: float, room: PageRoom) -> Iterator[Flowable]:
    """Yield a frame for each unit, equal ones once, with the texts of its own profiles.

    Rules without a profile, often those of the whole game, are printed once after the frames.
    """
    framed: dict[UnitLines, UnitLines] = {}
    for unit in printed.view.units:
        if not unit.is_plain:
            framed.setdefault(replace(unit, id=""), unit)
    yield parts.title(printed.sheet, room)
    blocks = (_frame(unit, setup) for unit in framed.values())
    yield from parts.section(_("Units"), blocks, room, FRAME)
    yield from _rules((rule for rule in printed.view.rules if not rule.type), room)


def _title(force: ForceLines) -> str:
    costs = ", ".join(cost.words for cost in force.costs)
    return " · ".join(filter(None, (force.own or force.name, force.book, costs)))


def _grouped(force: ForceLines, draw: Callable[..., Flowable]) -> Iterator[Flowable]:
    """Yield the units of a force; the first of each category is below its name."""
    for group in force.groups:
        tag: Tag = "H4" if group.name else "H3"
        first, *others = [draw(unit, tag=tag) for unit in checked(group.units)]
        heading = [Words(WordRun(group.name, Ink(BOLD, 8.4)), tag="H3")] if group.name else []
        yield Stack(*heading, first, gap=2)
        yield from others


def _head(unit: UnitLines, setup: Setup, ink: Ink, tag: Tag) -> Flowable:
    """Return the name of a unit, with its costs at the right."""
    pick = unit.pick
    number = f"{pick.number} " if pick.number > 1 else ""
    name = WordRun(number + (pick.own or pick.name), ink)
    also = [WordRun(f"· {pick.name}", FAINT)] if pick.own else []
    place = [WordRun(unit.source, FAINT)] if unit.source else []
    head = Words(name, *also, *place, tag=tag)
    return priced(head, unit.price if setup.prices and unit.costs else "")


def _choice(unit: UnitLines, ink: Ink = STRONG) -> Words:
    """Return a mere choice, in a paragraph."""
    taken = ", ".join(one.words for one in unit.pick.below)
    label = f"{unit.pick.name}:" if taken else unit.pick.name
    return Words(WordRun(label, ink), WordRun(taken, SMALL))


def _picks(pick: PickLine) -> Iterator[Flowable]:
    """Yield the picks on something: its options, then a line for each kind of model."""
    if pick.options:
        yield Words(WordRun(pick.options_words, SMALL))
    for line in pick.lines:
        yield from _model(line)


def _model(line: PickLine) -> Iterator[Flowable]:
    name = f"{line.number} {line.own or line.name}"
    yield Words(WordRun(name, STRONG), WordRun(line.options_words, SMALL))
    if line.lines:
        inner = (words for one in line.lines for words in _model(one))
        yield Stack(*inner, frame="bar", gap=1)


def _brief(unit: UnitLines, setup: Setup, tag: Tag) -> Flowable:
    if unit.is_plain:
        return _choice(unit)
    notes = parts.notes(unit.pick.notes if setup.notes else "", FAINT)
    return Ruled(_head(unit, setup, Ink(BOLD, 8.6), tag), *_picks(unit.pick), *notes, gap=1)


def _unit(unit: UnitLines, setup: Setup, tag: Tag) -> Flowable:
    if unit.is_plain and not (unit.named or unit.keywords):
        return _choice(unit)
    return Ruled(*_unit_parts(unit, setup, tag), *_named(unit), gap=2)


def _unit_parts(unit: UnitLines, setup: Setup, tag: Tag) -> Iterator[Flowable]:
    yield _head(unit, setup, NAME, tag)
    yield from _picks(unit.pick)
    yield from map(ProfileGrid, unit.tables)
    if unit.keywords:
        yield Words(WordRun(", ".join(unit.keywords), FAINT))
    if setup.notes:
        yield from parts.notes(unit.pick.notes, SMALL)


def _named(unit: UnitLines) -> Iterator[Flowable]:
    for named in unit.named:
        names = WordRun(", ".join(named.names), SMALL)
        yield Words(WordRun(named.type or _("Special rules"), LABEL), names)


class ProfileGrid(Flowable):
    """A table of profiles on a band, split into several if its columns don't fit."""

    def __init__(self, table: ProfileTable) -> None:
        super().__init__()
        self.table = table
        self.laid = Stack()

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        if width != self.laid.wrapped_at:
            self.laid = Stack(*_tables(self.table, width), gap=2)
        self.width, self.height = self.laid.wrap(width, height)
        return self.width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        self.wrap(width, height)
        return self.laid.split(width, height)

    def draw(self) -> None:
        self.laid.drawOn(self.canv, 0, 0)


def _tables(table: ProfileTable, width: float) -> Iterator[Flowable]:
    count = len(table.columns)
    while count:
        rows = [row[: count + 1] for row in table.rows]
        heads = (table.type, *table.columns[:count])
        if (share := shares((heads, *rows), width - PADDING, STRONG, GAP)) is not None:
            cells = [Words(WordRun(text, LABEL)) for text in heads]
            head = Across(cells, share, row="heads", gap=GAP)
            lines = (_row(row, share) for row in rows)
            yield Stack(head, *lines, gap=1, frame="band", tag="Table")
            break
        count -= 1
    else:
        count = 1
        for name, text, *_rest in table.rows:
            label = WordRun(table.columns[0], LABEL)
            yield Words(WordRun(name, STRONG), label, WordRun(text, SMALL))
    if rest := table.columns[count:]:
        rows = [(row[0], *row[count + 1 :]) for row in table.rows]
        yield from _tables(ProfileTable(table.type, rest, tuple(rows)), width)


def _row(row: Sequence[str], share: Sequence[float]) -> Flowable:
    cells = [Words(WordRun(row[0], STRONG)), *(Words(WordRun(text, SMALL)) for text in row[1:])]
    return Across(cells, share, row="values", gap=GAP)


def _frame(unit: UnitLines, setup: Setup) -> Flowable:
    """Return a frame: the unit, what its profiles say, and the names of its other rules."""
    texts = [_rule(rule) for rule in unit.rules if rule.type and rule.texts]
    told = {(rule.type, rule.name) for rule in unit.rules if rule.type and rule.texts}
    names = [n for of in unit.named for n in of.names if (of.type, n) not in told]
    rest = [Words(WordRun(", ".join(names), SMALL))] if names else []
    return Stack(*_unit_parts(unit, setup, "H3"), *texts, *rest, frame="box")


def _rules(rules: Iterable[RuleText], room: PageRoom) -> list[PdfSection]:
    """Return what rules say, each type under its name; those without a text by names and places."""
    blocks: list[Flowable] = []
    for type, of in groupby(rules, lambda rule: rule.type):
        first, *others = map(_rule, of)
        heading = Words(WordRun(type or _("Special rules"), Ink(BOLD, 8.4)), tag="H3")
        blocks += [Stack(heading, first, gap=1), *others]
    return parts.section(_("Rules explained"), blocks, room, parts.BRIEF, gap=2.4)


def _rule(rule: RuleText) -> Flowable:
    """Return a rule: its name, its values by column, and its text line by line."""
    name, place = WordRun(rule.name, STRONG), WordRun(rule.source, LABEL)
    owners = [WordRun(f"({', '.join(rule.of)})", LABEL)] if rule.of else []
    many = len(rule.texts) > 1
    lines: list[list[WordRun]] = [[name, *owners]]
    for column, text in rule.texts:
        first, *rest = text.split("\n") if text else [""]
        label = [WordRun(column, LABEL)] if many and column else []
        lines[-1] += [*label, WordRun(first, SMALL)]
        lines += [[WordRun(line, SMALL)] for line in rest if line.strip()]
    lines[-1].append(place)
    words = [Words(*(run for run in runs if run.text)) for runs in lines]
    return words[0] if len(words) == 1 else Stack(*words, gap=0.6)


#: Lays a list out for letters of a scale, in the room of a later page.
_Layout = Callable[[FileList, Setup, float, PageRoom], Iterator[Flowable]]


class FileKind(NamedTuple):
    """A kind of sheet: its name, its purpose, and its layout."""

    name: object
    about: object
    layout: _Layout


#: The kinds of sheet that lists of files have, by their names in set-ups.
FILE_KINDS: Mapping[str, FileKind] = {
    "full": FileKind(
        gettext_lazy("Full sheet"),
        gettext_lazy("Every unit with its profiles and options, and what the rules mean."),
        roster_sheet,
    ),
    "compact": FileKind(
        gettext_lazy("Compact sheet"),
        gettext_lazy("The whole list in brief: units, what they have, and what they cost."),
        partial(roster_sheet, brief=True),
    ),
    "cards": FileKind(
        gettext_lazy("Cards"),
        gettext_lazy("A frame for each unit with its profiles and rules, to cut out."),
        frames,
    ),
}


def print_file_list(printed: FileList, setup: Setup, before: int | None = None) -> bytes:
    """Return the PDF of a list's sheets, of those kinds of a set-up that it can have.

    Letters are as large as the pages allow. `before`, and raises Refusal, as `draw`.
    """
    shown = printed.shown(setup)

    def chapter(kind: str) -> Chapter:
        name, _about, layout = FILE_KINDS[kind]

        def story(room: PageRoom) -> Iterable[Flowable]:
            return parts.filled(partial(layout, shown, setup), setup, room, SIZES)

        return Chapter(story, str(name))

    kinds = [kind for kind in setup.kinds if kind in FILE_KINDS] or ["full"]
    return draw(printed.sheet, [chapter(kind) for kind in kinds], setup, before)
