"""`manage.py print_list FILE -o OUT.pdf`: the printout of a list document.

`--kinds full,cards` chooses sheets, `--setup size=small colour=1` how they look, `--form markdown`
makes a text. Exit 0: written, legal or not, 2: unreadable or unprintable.
"""

import argparse
import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.books.pinning import keeper_of_commands
from armybuilder.loading.documents import read_document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.management.refusals import refusing
from armybuilder.sheets.content.make import KINDS, Material
from armybuilder.sheets.content.setup import CHOICES, OCCASION, PAPERS, SWITCHES, Setup, read_setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.printing import printouts
from armybuilder.sheets.printing.printouts import draw_pdf
from armybuilder.sheets.texts.forms import FORMS, PART_NAMES

_FIELDS = (*CHOICES, *SWITCHES, *OCCASION)


class Command(BaseCommand):
    help = "Print an army list document as PDF, or as text with --form."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the list document (JSON)")
        parser.add_argument(
            "-o", "--output", type=Path, help="output file (PDF, or text with --form)"
        )
        parser.add_argument("--paper", choices=list(PAPERS))
        parser.add_argument(
            "--kind",
            choices=KINDS,
            default=KINDS[0],
            help="open leaves out what opponents may not see",
        )
        parser.add_argument(
            "--kinds", default="", help=f"sheets, separated by commas: {', '.join(printouts.KINDS)}"
        )
        parser.add_argument(
            "--setup",
            nargs="+",
            default=(),
            metavar="FIELD=VALUE",
            help=f"layout of the sheets: {', '.join(_FIELDS)}; 1 is yes, 0 is no",
        )
        parser.add_argument("--form", choices=list(FORMS), help="form of text; printed without -o")
        parser.add_argument(
            "--parts",
            help=f"parts of the text: some of {', '.join(PART_NAMES)}, separated by commas",
        )
        parser.add_argument("--text", action="store_true", help="the same as --form full")

    def handle(self, *_: Any, **options: Any) -> None:
        form = options["form"] or ("full" if options["text"] else "")
        output: Path | None = options["output"]
        if output is None and not form:
            raise CommandError("Say where the PDF goes: -o OUT.pdf.", returncode=2)
        with refusing(options["file"]):
            sheet, drawn = _drawn(options["file"], form, options)
        if output is None:
            self.stdout.write(drawn.decode(), ending="")
            return
        with refusing(output):
            output.write_bytes(drawn)
        self.stdout.write(f"{output}: {sheet.title}. {sheet.reserved}")


def _drawn(file: Path, form: str, options: dict[str, Any]) -> tuple[Sheet, bytes]:
    fields = {}
    for text in options["setup"]:
        field, equals, value = text.partition("=")
        if not equals or field not in _FIELDS:
            raise Refusal(f"“{text}” is no field of a set-up: {', '.join(_FIELDS)}.")
        fields[field] = value
    if options["kind"] == "open" and (fields or options["kinds"]):
        raise Refusal("With --kind open only --paper can be chosen.")
    if options["paper"]:
        fields["paper"] = options["paper"]
    setup = read_setup({**fields, "kinds": options["kinds"]})
    library = shipped_library().asking(keeper_of_commands())
    material = Material(read_document(file.read_bytes(), file.name), library, datetime.date.today())
    if form:
        hides = FORMS[form].hides or options["kind"] == "open"
        sheet = material.open_sheet if hides else material.sheet
        parts = FORMS[form].parts([] if options["parts"] is None else [options["parts"]])
        return sheet, FORMS[form].draw(sheet, parts).encode()
    if options["kind"] == "open":
        return material.open_sheet, draw_pdf(material.open_sheet, Setup(paper=setup.paper))
    return material.sheet, printouts.print_list(material, setup)
