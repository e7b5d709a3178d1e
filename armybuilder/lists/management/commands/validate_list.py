"""`manage.py validate_list FILE...`: are these army lists legal, and why not?

Exit 0: all legal, 1: one is not, 2: one could not be read. `--json` prints the reports.
"""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.engine import Report, validate
from armybuilder.lists.reports import report_data
from armybuilder.loading.documents import catalogue_of, make_roster, read_document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal


class Command(BaseCommand):
    help = "Check army lists (JSON documents) against the rules of their game."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE")
        parser.add_argument("--json", action="store_true", help="print the reports as JSON")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        worst = 0
        told = []
        for file in files:
            try:
                document, report = _judge(file)
            except Refusal as refusal:
                worst = 2
                told.append({"file": file, "unreadable": refusal.sentence})
                self._unreadable(file, refusal)
                continue
            worst = max(worst, 0 if report.legal else 1)
            data = {"file": file, **report_data(report)}
            told.append(data)
            if not options["json"]:
                self._print(file, document["name"], data)
        if options["json"]:
            self.stdout.write(json.dumps(told, indent=2, ensure_ascii=False))
        if worst:
            raise SystemExit(worst)

    def _unreadable(self, file: str, refusal: Refusal) -> None:
        self.stderr.write(f"{file}: {refusal.sentence}")
        for problem in refusal.problems:
            self.stderr.write(f"  {problem}")

    def _print(self, file: str, name: str, data: dict[str, Any]) -> None:
        verdict = "legal" if data["legal"] else "not legal"
        self.stdout.write(f"{file}: {name}: {verdict}, {data['spent']} of {data['limit']} points")
        for finding in data["findings"]:
            self.stdout.write(
                f"  {finding['severity']}: {finding['sentence']}"
                f" [{finding['code']}; {finding['citation']}]"
            )


def _judge(file: str) -> tuple[dict[str, Any], Report]:
    try:
        raw = Path(file).read_bytes()
    except OSError as error:
        raise Refusal(f"The file cannot be read: {error.strerror}.") from error
    document = read_document(raw, file)
    catalogue = catalogue_of(document, shipped_library())
    return document, validate(make_roster(document, catalogue), catalogue)
