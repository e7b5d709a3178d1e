"""`manage.py repair_list FILE`: ways to make an army list legal, each by the smallest change left.

`--keep u1 u2:general u3/shield` keeps units, roles, options. `-o OUT.json` writes the list that the
first way makes, `--json` prints all of them. Exit 0: legal now or already, 1: no way was found, 2:
unreadable, or no solver is installed.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.books.pinning import keeper_of_commands
from armybuilder.comparing.difference import difference
from armybuilder.loading.documents import Judged, judge, judge_by, read_document
from armybuilder.loading.library import shipped_library
from armybuilder.management.refusals import refusing
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.keeping import read_pins, strays
from armybuilder.solving.port import NoSolver
from armybuilder.solving.repair import Repair, Repairs, repairs

#: Ways that are looked for at most, and the seconds that this may take where nothing is said.
MOST, SECONDS = 10, 10.0
#: Sentences about a fix's changes, at most.
MOST_LINES = 50


class Command(BaseCommand):
    help = "Find the smallest changes that make an army list legal."
    requires_system_checks = ()

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="the list document (JSON)")
        parser.add_argument(
            "--keep",
            nargs="+",
            default=[],
            metavar="WHAT",
            help="keep this unit (u1), role (u1:general) or option (u1/shield)",
        )
        parser.add_argument(
            "--number",
            type=int,
            default=3,
            choices=range(1, MOST + 1),
            metavar="NUMBER",
            help=f"number of fixes, at most {MOST} (default 3)",
        )
        parser.add_argument(
            "--seconds",
            type=float,
            default=SECONDS,
            help=f"time limit in seconds (default {SECONDS:.0f})",
        )
        parser.add_argument("--json", action="store_true", help="print the fixes as JSON")
        parser.add_argument("-o", "--output", type=Path, help="output file of the first fixed list")

    def handle(self, *_: Any, **options: Any) -> None:
        file: Path = options["file"]
        with refusing(file):
            library = shipped_library().asking(keeper_of_commands())
            judged = judge(read_document(file.read_bytes(), file.name), library)
        if unknown := strays(options["keep"], judged.document):
            said = f"{file}: nothing on the list is called “{unknown[0]}”."
            raise CommandError(said, returncode=2)
        answer = _repairs(judged, options)
        if options["json"]:
            data = {
                "legal": judged.report.legal,
                "repairs": [_data(judged, repair) for repair in answer.found],
                "impossible": answer.impossible,
            }
            self.stdout.write(json.dumps(data, indent=2, ensure_ascii=False))
        else:
            self._print(judged, answer)
        if not answer.found and not judged.report.legal:
            raise SystemExit(1)
        made = answer.found[0].army_list if answer.found else judged.document
        if options["output"] is not None:
            text = json.dumps(made.to_dict(), indent=2, ensure_ascii=False)
            with refusing(options["output"]):
                options["output"].write_text(f"{text}\n", "utf-8")

    def _print(self, judged: Judged, answer: Repairs) -> None:
        report = judged.report
        points = f"{report.spent} of {report.limit} points"
        self.stdout.write(f"{judged.document.name}: {report.outcome_words}, {points}")
        for number, repair in enumerate(answer.found, 1):
            way = _data(judged, repair)
            sure = "" if repair.proved else " (good; perhaps not the smallest change)"
            self.stdout.write(f"{number}. {way['spent']} points{sure}")
            for line in way["changes"]:
                self.stdout.write(f"   {line}")
        if answer.impossible:
            self.stdout.write("No change to units, options or settings makes it legal.")
        elif not answer.found and not report.legal:
            self.stdout.write("No fix found in time. Try again.")


def _repairs(judged: Judged, options: dict[str, Any]) -> Repairs:
    if judged.report.legal:
        return Repairs(())
    pins = read_pins(options["keep"])
    number, seconds = options["number"], options["seconds"]
    try:
        return repairs(judged.document, judged.catalogue, CpSat(), number, pins, seconds=seconds)
    except NoSolver as missing:
        said = "No solver is installed: pip install ortools, as requirements.txt has it."
        raise CommandError(said, returncode=2) from missing


def _data(judged: Judged, repair: Repair) -> dict[str, Any]:
    made = judge_by(repair.army_list, judged.catalogue)
    return {
        "changes": list(difference(judged, made).lines(MOST_LINES)),
        "spent": made.report.spent,
        "proved": repair.proved,
        "document": repair.army_list.to_dict(),
    }
