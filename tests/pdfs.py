"""What finished PDFs say. How they are made inside, their marks and fonts, is read with pypdf."""

from collections.abc import Iterable, Iterator
from typing import Any

from pypdfium2 import PdfDocument


def pages_of(pdf: bytes) -> list[str]:
    """The words of each page, every row of spaces and line ends as one space."""
    document = PdfDocument(pdf)
    try:
        return [" ".join(page.get_textpage().get_text_range().split()) for page in document]
    finally:
        document.close()


def text_of(pdf: bytes) -> str:
    """The words of all pages."""
    return " ".join(pages_of(pdf))


def bookmarks(outline: Iterable[Any]) -> Iterator[Any]:
    """The bookmarks of an outline as pypdf tells it, those below others among them."""
    for entry in outline:
        if isinstance(entry, list):
            yield from bookmarks(entry)
        else:
            yield entry
