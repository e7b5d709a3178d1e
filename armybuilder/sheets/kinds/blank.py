"""A record sheet to fill in by pen: an empty list of the game, with as many units as a page holds.

It says nothing of the list that it is printed with, not even in its margins.
"""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer

from armybuilder.engine.catalogue import System
from armybuilder.engine.nouns import known
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import PageRoom
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.army_pdf import Box, PenBlank, PenBoxes
from armybuilder.sheets.drawing.blocks import COLUMN_GAP, Across, Scaled, Stack, height_of
from armybuilder.sheets.drawing.pages import LATER_TOP, TOP
from armybuilder.sheets.drawing.typeface import BOLD, GREY, LABEL, Ink
from armybuilder.sheets.drawing.words import WordRun, Words
from armybuilder.sheets.kinds import parts

#: Least widths in points of a column of units, and of a line to write on.
UNIT, LINE = 235, 150
#: The least room in points in which the page has its usual size.
LEAST = PageRoom(356, 356)
#: Between two units, in points.
GAP = 9.0
#: Heights in points of a row of figures, and of one with room for words.
FIGURES, WORDS = 23, 30
#: What of a row of figures its names take, in points.
NAMED = 7
#: Statistics that stand in one row with the name, where they are no more than these.
FEW = 3
TICK = WordRun("", Ink(size=7), 1)


def sheet_for(material: Material) -> Sheet:
    """Return a sheet for the margins of the page: the game, and nothing of a list."""
    sheet = material.sheet
    return Sheet(material.system.name, sheet.system, sheet.date, limit=sheet.limit)


def story(system: System, room: PageRoom) -> Iterator[Flowable]:
    """Return the page: head and units in the room of a later page; on a small one all smaller."""
    height = room.height + LATER_TOP - TOP
    scale = min(1.0, height / LEAST.height, room.width / LEAST.width)
    within = PageRoom(room.width / scale, height / scale - 2)
    yield from (Scaled(part, scale) for part in _page(system, within))


def _page(system: System, room: PageRoom) -> Iterator[Flowable]:
    head = Stack(*_head(system, room), Spacer(0, 2), gap=4)
    yield head
    number = 1 if system.sized else parts.columns(room, UNIT)
    width = (room.width + COLUMN_GAP) / number - COLUMN_GAP
    left = room.height - height_of([head], room.width)
    tall = height_of([_unit(system, width, WORDS)], width) + GAP
    rows = max(1, int(left / tall))
    # What is left over is room to write on.
    words = WORDS + max(0, left - rows * tall) / rows / len(list(_words(system, width)))
    for _row in range(rows):
        units = [_unit(system, width, words) for _column in range(number)]
        yield Stack(Spacer(0, GAP), Across(units, [1 / number] * number), gap=0)


def _head(system: System, room: PageRoom) -> Iterator[Flowable]:
    name = WordRun(system.name, Ink(BOLD, 15))
    yield Words(name, WordRun(_("Record sheet"), Ink(size=10, colour=GREY)), tag="H1")
    army = _("Army Book") if system.sized else ""
    faction = system.attributes.get("faction")
    names = [
        _("List"),
        _("Player"),
        army or (_(faction.name) if faction else _("Books")),
        known(system.points_name),
        _("Points spent"),
        *(_(setting.name) for setting in system.settings.values()),
        _("Date"),
    ]
    # A game may also ask for its faction among its settings.
    blanks = [PenBlank(name) for name in dict.fromkeys(names)]
    yield from parts.in_rows(blanks, parts.columns(room, LINE))


def _unit(system: System, width: float, words: float) -> Flowable:
    """Return an empty unit: name and points, statistics, and rows for words."""
    head = [Box(_("Name"), 4), Box(_("Number")), Box(_("Points"))]
    names = [stat.short for stat in system.stats.values()]
    few = len(names) <= FEW
    rows: list[Flowable] = [PenBoxes([*head, *map(Box, names)] if few else head, FIGURES)]
    # A box per statistic in rows; armies have another line for riders.
    boxes = [] if few else [Box(name) for name in names]
    most = int(width / max((box.natural_width for box in boxes), default=1))
    each = -(-len(boxes) // -(-len(boxes) // most)) if boxes else 1
    for start in range(0, len(boxes), each):
        row = boxes[start : start + each]
        rows.append(PenBoxes(row, FIGURES))
        rows += [PenBoxes([Box("") for _box in row], FIGURES - NAMED)] if system.sized else []
    rows += [PenBoxes(row, words) for row in _words(system, width)]
    ticks = [run for role in system.roles.values() for run in (TICK, WordRun(role.name, LABEL))]
    ticks += [WordRun(state, LABEL, 1) for state in system.states]
    return Stack(*([Words(*ticks), Spacer(0, 2)] if ticks else []), *rows, gap=0)


def _words(system: System, width: float) -> Iterator[Sequence[Box]]:
    if system.sized:
        yield [Box(_("Options and special items"), 3), Box(_("Special rules"), 2)]
        return
    boxes = [Box(_("Special rules"), 2), *(Box(part.name, 2) for part in system.texts.values())]
    if system.spells:
        boxes.append(Box(_("Spells"), 1.5))
    if any(stat.health for stat in system.stats.values()):
        boxes.append(Box(_("Health"), 1))
    number = max(3, int(width / 80))
    for start in range(0, len(boxes), number):
        yield boxes[start : start + number]
