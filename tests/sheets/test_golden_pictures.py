"""The first page of every kind of sheet of every game as it was when somebody last looked at it.

After a change that is meant, look at the new pictures and keep them:
`GOLDEN=keep .venv/bin/python -m pytest tests/sheets/test_golden_pictures.py`
"""

import os
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageChops, ImageFilter

from armybuilder.sheets.content.setup import KINDS
from tests.sheets.papers import GAMES, example, pdf
from tests.sheets.test_promises import nothing_is_cut_and_nothing_overlaps, printed

pytestmark = pytest.mark.long

FOLDER = Path(__file__).parent / "golden"
#: Dots of a picture for each point of paper.
SCALE = 0.9
#: How much of a picture may differ by more than `TONE` of 255, after hair lines are blurred.
SHARE, TONE = 0.002, 60


def drawn(content: bytes) -> Image.Image:
    document = pypdfium2.PdfDocument(content)
    picture = document[0].render(scale=SCALE, grayscale=True).to_pil()
    document.close()
    return picture


def differing(one: Image.Image, other: Image.Image) -> float:
    """The share of dots that differ much."""
    blurred = (picture.convert("L").filter(ImageFilter.BoxBlur(1)) for picture in (one, other))
    tones = ImageChops.difference(*blurred).histogram()
    return sum(tones[TONE:]) / (one.width * one.height)


@pytest.mark.one_in(14)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_sheet_looks_as_it_did(game: str, kind: str) -> None:
    made = printed(example(GAMES[game]), {"kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    file, picture = FOLDER / f"{game}-{kind}.png", drawn(made.pdf)
    if os.environ.get("GOLDEN") == "keep":
        FOLDER.mkdir(exist_ok=True)
        picture.quantize(8).save(file, optimize=True)
    kept = Image.open(file)
    assert picture.size == kept.size
    assert differing(picture, kept) <= SHARE


def test_a_change_is_seen() -> None:
    picture = drawn(pdf(example(GAMES["sbh"]), kinds="full"))
    changed = picture.copy()
    changed.paste(255, (60, 150, 200, 260))
    assert differing(picture, changed) > SHARE
