"""Cells of tables that spreadsheets open: texts that stay texts, values, and how files are read."""

import codecs
import csv
import io
import json
import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.problems import Refusal

#: Beginnings that a spreadsheet takes for a formula, and those that were kept from it.
_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_KEPT = re.compile(r"'+[=+\-@\t\r]")


def safe_text(text: str) -> str:
    """Return the text as a cell that no spreadsheet takes for a formula: after an apostrophe."""
    return f"'{text}" if _FORMULA.match(text) else text


def plain_text(cell: str) -> str:
    """Return the text that `safe_text` made the cell of."""
    return cell[1:] if _KEPT.match(cell) else cell


def value_text(value: Any) -> str:
    """Return a value as JSON; a text that is no JSON stands as it is, without quotes."""
    if isinstance(value, str) and not _is_json(value):
        return value
    return json.dumps(value, ensure_ascii=False)


def text_value(text: str) -> Any:
    """Return the value that `value_text` made the text of. Raises Refusal where it is too large."""
    return parse_json(text.encode(), MAX_BYTES, MAX_DEPTH) if _is_json(text) else text


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def table_text(raw: bytes) -> str:
    """Decode a table's file: UTF-8, or as Windows writes it. Raises Refusal: it is no text."""
    utf16 = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    for encoding in ("utf-16" if utf16 else "utf-8-sig", "cp1252"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    raise Refusal(_("That is not text; save the table as CSV."))


def table_rows(text: str, heading: str) -> Iterator[list[str]]:
    """Yield a table's rows; its heading tells the separator. Raises Refusal: none, a long cell."""
    first = text.partition("\n")[0]
    headings = {
        mark: [cell.strip().strip('"').casefold() for cell in first.split(mark)] for mark in ",;\t"
    }
    separator = next((mark for mark, found in headings.items() if heading in found), None)
    if separator is None:
        said = _("It is not a list as a table: no column of its first row is called “{heading}”.")
        raise Refusal(said.format(heading=heading))
    try:
        yield from csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    except csv.Error as error:
        raise Refusal(_("A cell of the table is too long.")) from error
