"""`manage.py reading_rate FOLDER`: how well accepted lists are read, and false errors by cause."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from listcorpus.reading_rates import as_markdown, as_text, measure

FORMATS = ("text", "json", "markdown")


class Command(BaseCommand):
    help = "Read the texts of accepted lists; count what is read, and each false error by cause."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", metavar="FOLDER", help="texts, and an index.json")
        parser.add_argument("--format", choices=FORMATS, default="text")

    def handle(self, *args: Any, folder: str, **options: Any) -> None:
        if not Path(folder).is_dir():
            raise CommandError(f"There is no folder {folder}.", returncode=2)
        try:
            rate = measure(Path(folder), shipped_library())
        except Refusal as refusal:
            raise CommandError(refusal.sentence, returncode=2) from refusal
        if options["format"] == "json":
            self.stdout.write(json.dumps(rate.data(), indent=2, ensure_ascii=False))
        else:
            self.stdout.write((as_text if options["format"] == "text" else as_markdown)(rate))
