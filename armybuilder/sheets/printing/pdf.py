"""A roster sheet as PDF, in the usual set-up: the full sheet on A4 or US Letter."""

from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.pages import Chapter, draw
from armybuilder.sheets.kinds import full


def draw_pdf(sheet: Sheet, paper: str = "A4") -> bytes:
    """Return the sheet's PDF. Raises KeyError for an unknown paper, Refusal as `draw` does."""
    setup = Setup(paper=paper)
    chapter = Chapter(lambda room: full.story(sheet, setup, room))
    return draw(sheet, [chapter], setup)
