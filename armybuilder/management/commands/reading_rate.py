"""`manage.py reading_rate FOLDER`: how well accepted lists are read; a command of `listcorpus`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from armybuilder.exchange.files import needs_listcorpus


class Command(BaseCommand):
    help = "Read the texts of accepted lists; needs the package listcorpus."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", nargs="?")
        parser.add_argument("--format")

    def handle(self, *args: Any, **options: Any) -> None:
        raise CommandError(needs_listcorpus("reading_rate"), returncode=2)
