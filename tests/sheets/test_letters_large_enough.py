"""No letters on paper are smaller than 6 points, on no sheet, paper or scale."""

from __future__ import annotations

from collections.abc import Iterator

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from armybuilder.sheets.content.setup import KINDS, PAPERS, SCALES
from tests.sheets.printed import EXAMPLES, example, long_army, pdf

pytestmark = pytest.mark.long

#: Rounded as fonts are.
LEAST = 5.95


def too_small(content: bytes) -> Iterator[tuple[str, float]]:
    """The letters below the least size, with their sizes in points on paper."""
    document = pypdfium2.PdfDocument(content)
    for page in document:
        text = page.get_textpage()
        for place in range(text.count_chars()):
            letter = chr(pdfium.FPDFText_GetUnicode(text.raw, place))
            if not letter.isspace() and letter.isprintable():
                matrix = pdfium.FS_MATRIX()
                pdfium.FPDFText_GetMatrix(text.raw, place, matrix)
                scale = max(abs(matrix.d), abs(matrix.b))
                size = pdfium.FPDFText_GetFontSize(text.raw, place) * scale
                if size < LEAST:
                    yield letter, round(size, 2)
    document.close()


@pytest.mark.one_in(97)
@pytest.mark.parametrize("name", [*EXAMPLES, "long"])
@pytest.mark.parametrize("size", SCALES)
@pytest.mark.parametrize("paper", PAPERS)
def test_letters_are_large_enough(paper: str, size: str, name: str) -> None:
    listed = long_army() if name == "long" else example(name)
    for kind in KINDS:
        content = pdf(listed, kinds=kind, paper=paper, size=size, backs="1")
        assert list(too_small(content))[:20] == [], kind
