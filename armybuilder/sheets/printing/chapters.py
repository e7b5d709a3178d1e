"""Which kinds of sheet there are, and how each is made of a list."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from django.utils.translation import gettext_lazy

from armybuilder.sheets.content.material import Material
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.kinds import blank, cards, compact, full, judge, opponent, quick


@dataclass(frozen=True, slots=True)
class SheetKind:
    """A kind of sheet: its name, also of its chapter, what it is for, what it makes."""

    name: object
    about: object
    make: Callable[[Material, Setup], Chapter]


def _opponent(material: Material, setup: Setup) -> Chapter:
    """All but notes; its code leads to the open copy, which has none either."""
    shown, opened = material.sheet, material.open_sheet
    sheet = replace(shown, link=opened.link, hash=opened.hash if opened.link else shown.hash)
    return Chapter(partial(opponent.story, sheet, setup))


def _hidden(material: Material, setup: Setup) -> Chapter:
    """The open list of an army; of any other game all but what the player noted privately."""
    sheet, shown = material.open_sheet, replace(setup, notes=False)
    return Chapter(partial(full.story, sheet, shown), sheet=sheet)


def _blank(material: Material, _setup: Setup) -> Chapter:
    sheet = blank.sheet_for(material)
    return Chapter(lambda room: blank.story(material.system, room), sheet=sheet)


KINDS: Mapping[str, SheetKind] = {
    "full": SheetKind(
        gettext_lazy("Full sheet"),
        gettext_lazy("Every unit with its statistics, options and points, and every rule."),
        lambda material, setup: Chapter(partial(full.story, material.sheet, setup)),
    ),
    "compact": SheetKind(
        gettext_lazy("Compact sheet"),
        gettext_lazy("The whole list in brief, on one page if possible."),
        lambda material, setup: Chapter(partial(compact.story, material.sheet, setup)),
    ),
    "quick": SheetKind(
        gettext_lazy("Quick reference"),
        gettext_lazy("Every special rule on the list, game-day figures, reminders and tables."),
        lambda material, setup: Chapter(partial(quick.story, material.sheet, setup)),
    ),
    "cards": SheetKind(
        gettext_lazy("Cards"),
        gettext_lazy("A card for each unit, to cut out, with boxes for health and uses."),
        lambda material, setup: Chapter(partial(cards.story, material, setup), bare=True),
    ),
    "judge": SheetKind(
        gettext_lazy("Judge's sheet"),
        gettext_lazy("What a judge checks, with boxes to tick: numbers, points and rules."),
        lambda material, setup: Chapter(partial(judge.story, material, setup)),
    ),
    "opponent": SheetKind(
        gettext_lazy("Opponent's sheet"),
        gettext_lazy("What your opponent needs: every unit and every rule, without your notes."),
        _opponent,
    ),
    "hidden": SheetKind(
        gettext_lazy("Hidden list"),
        gettext_lazy("For games with hidden lists: without special items and without your notes."),
        _hidden,
    ),
    "blank": SheetKind(
        gettext_lazy("Record sheet"),
        gettext_lazy("An empty sheet for the game, to fill in by hand."),
        _blank,
    ),
}


def print_list(material: Material, setup: Setup, tagged: bool = True) -> bytes:
    """Return the PDF file of a list's sheets, `tagged` unless it is merged with others, which loses
    its structure. Raises Refusal as `printing.draw` does.
    """
    kinds = [KINDS[kind] for kind in setup.kinds]
    chapters = [replace(kind.make(material, setup), name=str(kind.name)) for kind in kinds]
    # A file of nothing but sheets with words of their own must not tell those of the whole list.
    whole = next((chapter for chapter in chapters if chapter.sheet is None), None)
    sheet = material.sheet if whole else chapters[0].sheet or material.sheet
    return draw(sheet, chapters, setup, tagged)


def draw_pdf(sheet: Sheet, paper: str = "A4") -> bytes:
    """Return the sheet's PDF. Raises KeyError for an unknown paper, Refusal as `draw` does."""
    setup = Setup(paper=paper)
    return draw(sheet, [Chapter(partial(full.story, sheet, setup))], setup)
