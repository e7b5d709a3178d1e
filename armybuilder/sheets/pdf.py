"""A roster sheet as PDF, in the usual set-up: the full sheet on A4 or US Letter."""

from collections.abc import Mapping
from typing import Literal

from armybuilder.sheets import setup
from armybuilder.sheets.kinds import full
from armybuilder.sheets.printing import Chapter, draw
from armybuilder.sheets.setup import Setup
from armybuilder.sheets.structure import Sheet

Paper = Literal["A4", "letter"]
#: Papers that nine cards fit on.
PAPERS: Mapping[Paper, tuple[float, float]] = {
    "A4": setup.PAPERS["A4"],
    "letter": setup.PAPERS["letter"],
}


def draw_pdf(sheet: Sheet, paper: Paper = "A4") -> bytes:
    """The sheet's PDF file. Raises KeyError for a paper that is not in `PAPERS`, and Refusal where
    something on the list is so long that no page holds it.
    """
    setup = Setup(paper=paper)
    chapter = Chapter(lambda room: full.story(sheet, setup, room))
    return draw(sheet, [chapter], setup)
