"""`manage.py print_list FILE -o OUT.pdf`: the roster sheet of a list document.

Exit code 0 when the sheet is written, legal or not (its verdict is told); 2 when the file is
not a list that can be read, or the sheet cannot be written.
"""

import argparse
import datetime
from pathlib import Path
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError

from armybuilder.loading.documents import read_document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.make import KINDS, sheet_of
from armybuilder.sheets.pdf import PAPERS, draw_pdf
from armybuilder.sheets.structure import Sheet
from armybuilder.sheets.text import draw_text


class Command(BaseCommand):
    help = "Print an army list document as a roster sheet (PDF, or text with --text)."
    requires_system_checks: ClassVar[list[str]] = []

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the list document (JSON)")
        parser.add_argument("-o", "--output", type=Path, help="where the sheet goes")
        parser.add_argument("--paper", choices=list(PAPERS), default="A4")
        parser.add_argument(
            "--kind", choices=KINDS, default=KINDS[0], help="of an army: open leaves items out"
        )
        parser.add_argument("--text", action="store_true", help="plain text; printed without -o")

    def handle(self, *_: Any, **options: Any) -> None:
        output: Path | None = options["output"]
        if output is None and not options["text"]:
            raise CommandError("Say where the PDF goes: -o OUT.pdf.", returncode=2)
        sheet = _read_sheet(options["file"], options["kind"])
        if output is None:
            self.stdout.write(draw_text(sheet), ending="")
            return
        drawn = draw_text(sheet).encode() if options["text"] else draw_pdf(sheet, options["paper"])
        try:
            output.write_bytes(drawn)
        except OSError as error:
            raise CommandError(f"{output}: {error.strerror}.", returncode=2) from error
        self.stdout.write(f"{output}: {sheet.title}. {sheet.verdict}")


def _read_sheet(file: Path, kind: str) -> Sheet:
    """The sheet of the document in `file`, as of today."""
    try:
        document = read_document(file.read_bytes(), file.name)
        return sheet_of(document, shipped_library(), datetime.date.today(), kind)
    except OSError as error:
        raise CommandError(f"{file}: {error.strerror}.", returncode=2) from error
    except Refusal as refusal:
        raise CommandError(f"{file}: {refusal.sentence}", returncode=2) from refusal
