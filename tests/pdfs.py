"""What finished PDFs say. How they are made inside, their marks and fonts, is read with pypdf."""

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
