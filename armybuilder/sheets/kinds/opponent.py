"""The opponent's sheet: the list as opponents may read it before the game.

Of an army it is the open list, without special items; of any other game everything but what the
player noted privately.
"""

from collections.abc import Iterator
from dataclasses import replace

from reportlab.platypus import Flowable

from armybuilder.sheets.content.setup import PageRoom, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.kinds import full


def story(sheet: Sheet, setup: Setup, room: PageRoom) -> Iterator[Flowable]:
    """The open sheet from top to bottom; `room` is that of a later page."""
    yield from full.story(sheet, replace(setup, notes=False), room)
