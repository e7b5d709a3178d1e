"""Pictures of the pages of a PDF, drawn from the very file that is printed.

PDFium is loaded for the first picture, and must not be used from two threads at once.
"""

from io import BytesIO
from threading import Lock
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from armybuilder.loading.problems import Refusal

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

#: How wide a picture is, in pixels.
WIDTH = 600
_ONE_AT_A_TIME = Lock()


def sizes_of_pages(content: bytes) -> list[tuple[float, float]]:
    """Width and height in points of each page of a PDF."""
    with _ONE_AT_A_TIME:
        document = _opened(content)
        try:
            return [document.get_page_size(number) for number in range(len(document))]
        finally:
            document.close()


def picture_of_page(content: bytes, number: int, colour: bool = True) -> bytes:
    """Return a page as PNG, counted from 1. Raises Refusal where there is no such page."""
    with _ONE_AT_A_TIME:
        document = _opened(content)
        try:
            if not 1 <= number <= len(document):
                raise Refusal(_("There is no page {number}.").format(number=number))
            page = document[number - 1]
            bitmap = page.render(scale=WIDTH / page.get_width(), grayscale=not colour)
            image = bitmap.to_pil()
        finally:
            document.close()
    buffer = BytesIO()
    image.save(buffer, "PNG", compress_level=3)
    return buffer.getvalue()


def _opened(content: bytes) -> "PdfDocument":
    import pypdfium2  # takes a tenth of a second and 10 MB, and many processes never print

    return pypdfium2.PdfDocument(content)
