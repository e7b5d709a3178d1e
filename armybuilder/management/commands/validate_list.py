"""`manage.py validate_list FILE|DIR|ZIP...`: are these army lists legal, and why not?

Exit 0: all legal as far as checked, 1: one is not, 2: one could not be read. `--json` prints the
reports. The package `listcorpus`, where it is installed, adds reports in files, several processes,
and files of any number of lists.
"""

import json
from argparse import Action, ArgumentParser
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from textwrap import indent
from typing import Any

from django.core.management.base import BaseCommand

from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import keeper_of_commands
from armybuilder.engine.citations import Severity
from armybuilder.engine.verdict import Outcome
from armybuilder.engine.wording import listed
from armybuilder.exchange.batch import BatchLine, line_of, report_data
from armybuilder.exchange.files import entries_of, needs_listcorpus, read_entry
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import Data, Keeper, shipped_library
from armybuilder.loading.packs import Pack, build_pack
from armybuilder.loading.problems import Refusal
from armybuilder.management.refusals import refusing


class Command(BaseCommand):
    help = "Check army lists (JSON documents, or tables) against the rules of their game."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE|DIR|ZIP|CORPUS")
        parser.add_argument("--json", action="store_true", help="print the reports as JSON")
        parser.add_argument(
            "--newest-books",
            action="store_true",
            help="use the current books instead of the revisions that lists name",
        )
        parser.add_argument(
            "--pack",
            metavar="ID|FILE",
            help="check an event pack, too: a shipped one by id, or a file",
        )
        self.add_corpus_arguments(parser)

    def add_corpus_arguments(self, parser: ArgumentParser) -> None:
        """Add the options of `listcorpus`; without it they say what to install."""
        for option in ("--report", "--jobs", "--dask", "--dask-wait"):
            parser.add_argument(option, action=_Missing, help="needs listcorpus")

    def handle(self, *args: Any, files: list[str], **options: Any) -> None:
        outcomes = set()
        printer = ListPrinter(self, options["json"])
        library = shipped_library().asking(keeper(options["newest_books"]))
        with refusing():
            pack = read_pack(options["pack"]) if options["pack"] else None
        for entry in entries_of(files):
            line, report = line_of(partial(read_entry, entry), library, pack)
            data = report_data(report) if options["json"] and report else None
            printer.add(entry.name, line, data)
            outcomes.add(line.outcome)
        printer.finish()
        exit_with(outcomes)


class _Missing(Action):
    def __call__(self, parser: ArgumentParser, *_: Any) -> None:
        """Raise CommandError: the option is one of a package that is not installed."""
        parser.error(needs_listcorpus(self.option_strings[0]))


def exit_with(outcomes: set[Outcome | None]) -> None:
    """Raise SystemExit where a list could not be read (2), or is not legal (1)."""
    if None in outcomes or Outcome.ILLEGAL in outcomes:
        raise SystemExit(2 if None in outcomes else 1)


def read_pack(name: str) -> Pack:
    """Return a pack in the box, or of a file.

    Raises Refusal where it is neither, or where the file has a mistake.
    """
    library = shipped_library()
    if name in library.packs:
        return library.packs[name]
    try:
        raw = Path(name).read_bytes()
    except OSError as error:
        known = listed(sorted(library.packs))
        said = f"There is no pack “{name}”, and no such file. In the box: {known}."
        raise Refusal(said) from error
    pack, problems = build_pack(parse_json(raw, MAX_BYTES, MAX_DEPTH), library.systems, name)
    if pack is None:
        raise Refusal("\n".join(map(str, problems)), problems)
    return pack


def keeper(newest: bool) -> Keeper:
    """Return the lookup of books that this site keeps for lists.

    It finds none if there are no tables yet, and no shipped one with `--newest-books`.
    """
    kept = keeper_of_commands()

    @lru_cache(maxsize=100)
    def find(book_id: str, revision: str) -> Data | None:
        return None if newest and not is_own_id(book_id) else kept(book_id, revision)

    return find


class JsonArray:
    """A JSON array that is written one value after the other, so that none waits for the others."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self.write = write
        self.before = "[\n"

    def add(self, text: str) -> None:
        """Write one value more, or several with commas between, as JSON."""
        self.write(self.before + text)
        self.before = ",\n"

    def finish(self) -> None:
        self.write("[]\n" if self.before.startswith("[") else "\n]\n")


class ListPrinter:
    """Prints lists as text or JSON; `quiet`: as text only those that cannot be read."""

    def __init__(self, command: BaseCommand, as_json: bool, quiet: bool = False) -> None:
        self.out = command.stdout
        self.err = command.stderr
        self.array = JsonArray(partial(self.out.write, ending="")) if as_json else None
        self.quiet = quiet

    def add(self, file: str, line: BatchLine, data: dict[str, Any] | None) -> None:
        """Print a list; `data` is its report where JSON is wanted."""
        if line.legal is None:
            self.err.write(f"{file}: {line.problem}")
            for problem in line.problems:
                self.err.write(f"  {problem}")
        if self.array:
            whole = {"file": file, **(data or {"unreadable": line.problem})}
            self.array.add(indent(json.dumps(whole, indent=2, ensure_ascii=False), "  "))
        elif line.legal is not None and not self.quiet:
            verdict = line.verdict_sentence[0].lower() + line.verdict_sentence[1:]
            if line.game_verdict:
                verdict = f"at the event {verdict} (in the game: {line.game_verdict})"
            points = f"{line.spent} of {line.limit} points"
            words = filter(None, (verdict, points, line.reservation))
            self.out.write(f"{file}: {line.name}: {', '.join(words)}")
            for finding in line.findings:
                error = finding.severity == Severity.ERROR
                what = f"{finding.severity}, {finding.state}" if error else finding.severity
                whose = f"{finding.origin}, " if line.game_verdict else ""
                cited = f"[{finding.code}; {finding.citation}]"
                self.out.write(f"  {whose}{what}: {finding.sentence} {cited}")
            for sentence in line.unchecked:
                self.out.write(f"  not checked: {sentence}")

    def finish(self) -> None:
        if self.array:
            self.array.finish()
