"""`manage.py audit_catalogues [DIR]`: is every restriction judged, or told as not judged?

Prints the outcome of the restrictions of each imported book, and problems with file, pointer and
advice; --source compares with BattleScribe files. Exit 0: no problems, 1: some, 2: nothing to read.
"""

import json
from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from armybuilder.loading.audits import FOLDER, Audit, AuditTally, read_audit
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.loading.problems import Problem, Refusal
from bookimport import make_book, read_sources
from bookimport.auditing import Audited, Place, audit_folder
from bookimport.other_editions import OtherEditions
from bookimport.rulebook import NINTH_AGE, Rulebook


class Command(BaseCommand):
    help = "Report the outcome of every restriction of the imported books, and what is not checked."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", nargs="?", type=Path, default=CATALOGUE_DIR)
        parser.add_argument("--book", default="", help="only this book (id)")
        parser.add_argument("--source", type=Path, help="BattleScribe files to compare with")
        parser.add_argument("--lists", action="store_true", help="list what isn't checked, and why")
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(
        self, *args: Any, directory: Path, book: str, source: Path | None, **options: Any
    ) -> None:
        if not directory.is_dir():
            self._refuse(f"{directory} is not a folder.")
        audited = audit_folder(directory)
        try:
            compared = list(_stale(source, audited)) if source else []
        except Refusal as refusal:
            self._refuse(refusal.sentence)
        audits = [audit for audit in audited.audits.values() if book in ("", audit.book)]
        problems = [
            problem
            for problem in (*audited.problems, *compared)
            if book in ("", Path(problem.file).stem)
        ]
        if not problems and book not in {"", *(book_id for _system, book_id in audited.books)}:
            self._refuse(f"There is no book {book}.")
        if options["json"]:
            self.stdout.write(json.dumps(_data(audits, problems), indent=1, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_lines(audits, problems, options["lists"])))
        if problems or not audited.books:
            raise SystemExit(1)

    def _refuse(self, sentence: str) -> NoReturn:
        self.stderr.write(sentence)
        raise SystemExit(2)


def _stale(source: Path, audited: Audited) -> Iterator[Problem]:
    """Return books and ledgers that differ from what their files give now, or are missing.

    Raises Refusal where a file cannot be read or translated.
    """
    places: dict[str, list[Place]] = defaultdict(list)
    for place, audit in audited.audits.items():
        places[audit.source].append(place)
    sources = read_sources(source)
    advice = "Import it anew."
    for number, (file, root) in enumerate(sources.books):
        if file not in places:
            yield Problem(file, "", "No ledger is of a book that was made of it.", advice)
            continue
        # Editions of a game call their files alike.
        revision = root.get("revision")
        same = [p for p in places[file] if str(audited.audits[p].revision) == revision]
        system, book_id = (same or places[file])[0]
        game = shipped_library().systems.get(system)
        rules = Rulebook.carrying(game.carried) if game else NINTH_AGE
        made = make_book(sources, number, system, rules, OtherEditions.read(CATALOGUE_DIR / system))
        audit = read_audit(system, made.audit)
        if audit != audited.audits[system, book_id]:
            where = f"{system}/{FOLDER}/{book_id}.json"
            yield Problem(where, "", f"{file} gives another ledger now.", advice)
        if made.book != audited.books.get((system, book_id)):
            yield Problem(f"{system}/{book_id}.json", "", f"{file} gives another book now.", advice)


def _lines(audits: list[Audit], problems: list[Problem], lists: bool) -> Iterator[str]:
    for audit in audits:
        yield f"{audit.system}/{audit.book}: {_counts(audit.tally)}"
        if lists:
            for title, entries in (("unchecked", audit.unchecked), ("left out", audit.left_out)):
                yield from (f"  {title}: {entry.place}: {entry.what}" for entry in entries)
            yield from (f"  idle: {number} × {why}" for why, number in audit.idle.items())
            yield from (f"  unaccounted: {count} × {at}" for at, count in audit.unaccounted.items())
    yield from map(str, problems)
    ledgers = f"{len(audits)} ledger{'' if len(audits) == 1 else 's'}: {_counts(_total(audits))}"
    yield f"{ledgers}; {len(problems) or 'no'} problem{'' if len(problems) == 1 else 's'}."


def _counts(tally: AuditTally) -> str:
    numbers = tally._asdict().items()
    return ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in numbers)


def _total(audits: list[Audit]) -> AuditTally:
    return reduce(AuditTally.plus, (audit.tally for audit in audits), AuditTally())


def _data(audits: list[Audit], problems: list[Problem]) -> dict[str, Any]:
    return {
        "books": [
            {
                **audit._asdict(),
                "unchecked": [entry._asdict() for entry in audit.unchecked],
                "left_out": [entry._asdict() for entry in audit.left_out],
                "tally": audit.tally._asdict(),
            }
            for audit in audits
        ],
        "total": _total(audits)._asdict(),
        "problems": [{"file": problem.file, **problem.data()} for problem in problems],
    }
