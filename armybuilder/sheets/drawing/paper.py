"""The papers of cards and single sheets."""

from collections.abc import Mapping
from typing import Literal

from armybuilder.sheets.content import setup

Paper = Literal["A4", "letter"]


#: Papers that nine cards fit on.
PAPERS: Mapping[Paper, tuple[float, float]] = {
    "A4": setup.PAPERS["A4"],
    "letter": setup.PAPERS["letter"],
}
