"""What the worker does with an upload: what is in its files, what books they make, each a step."""

import logging
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from io import BytesIO
from typing import Any
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from django.conf import settings
from django.utils.translation import gettext as _
from django_tasks import TaskContext, task

from armybuilder.authoring.checking import sentence
from armybuilder.authoring.edits import as_own
from armybuilder.battlescribe.books import Import, UploadedSources, make_book, read_uploaded
from armybuilder.battlescribe.books.rulebook import Rulebook
from armybuilder.battlescribe.files.bringing import take_apart
from armybuilder.battlescribe.games import fitted, make_game
from armybuilder.battlescribe.rosters.sites import (
    OriginName,
    find_system,
    games_by_system,
    packed_origin,
)
from armybuilder.books.models import new_book_id
from armybuilder.books.pinning import size_of
from armybuilder.engine.catalogue import Book, System
from armybuilder.games.fetching import fetch_game
from armybuilder.jobs.queue import DATABASE_GONE, ProgressReport, State, do_next, limited, perform
from armybuilder.library.book_data import not_checked, restrictions_of
from armybuilder.loading.books import build_book
from armybuilder.loading.deadline import OutOfTime
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.own_systems import as_own_system, is_own_system, own_system
from armybuilder.loading.problems import Refusal
from armybuilder.uploads.games import is_whole_game, read_games
from armybuilder.uploads.jobs import MAX_BYTES, uploads
from armybuilder.uploads.models import Upload

logger = logging.getLogger(__name__)

#: How many refused files are named in one sentence.
_MAX_REFUSED = 5
#: Bytes of all that is found in one upload.
MAX_FOUND = 6_000_000
#: Lines of one kind that are kept of one book; the others are counted.
MAX_LINES = 100
#: Letters of a reason.
MAX_REASON = 1000


#: Something to be done: of which kind (`UPLOAD_SECONDS`), the file it is about, and the work.
Step = tuple[str, str, Callable[[], None]]


class Maker:
    """Makes all that can be made of the files. `game` is as in `Upload`."""

    def __init__(self, files: UploadedSources, game: str) -> None:
        self.sources = files.sources
        self.others = files.others
        #: What is told of each game that the files are of, by the file of the game.
        self.games: dict[str, dict[str, Any]] = {}
        self.systems: list[Document] = []
        self.documents: list[Document] = []
        #: Where everything of each book stands in its file, packed.
        self.origins: dict[str, str] = {}
        self.refused = [{"file": source.file, "why": source.why} for source in files.refused]
        #: Our system for each game of theirs, "" where it becomes one of the player's own.
        self._targets = {
            root.get("id", ""): ""
            if game == Upload.OWN_GAME
            else game or find_system(_name_of(root)) or ""
            for _file, root in self.sources.systems
        }
        self.steps = sum(1 for _step in self._steps())
        self._size = 0

    def refuse(self, file: str, why: str) -> None:
        why = why.removeprefix(f"{file}: ")
        self.refused.append({"file": file, "why": why[:MAX_REASON]})

    def each(self) -> Iterator[Step]:
        """Yield what is to be done, one after the other."""
        yield from self._steps()
        used = {root.get("gameSystemId") for _file, root in self.sources.books}
        for file, root in self.sources.systems:
            if root.get("id") not in used:
                self.refuse(file, _("No catalogue among the files belongs to this game."))

    def _steps(self) -> Iterator[Step]:
        used = {root.get("gameSystemId") for _file, root in self.sources.books}
        for number, (file, root) in enumerate(self.sources.systems):
            if not self._targets[root.get("id", "")] and root.get("id") in used:
                yield "game", file, partial(self._own_game, number)
        for number, (file, root) in enumerate(self.sources.books):
            if self._targets.get(root.get("gameSystemId", ""), "?"):
                yield "book", file, partial(self._book, number, root)

    def _own_game(self, number: int) -> None:
        file = self.sources.systems[number][0]
        made = make_game(self.sources, number, "own-game")
        data = as_own_system(made.system)
        system = own_system(data)
        game = self._add_game(file, system.id, system.name, gaps=made.gaps)
        for source in made.refused:
            self.refuse(source.file, source.sentence)
        for book in made.books:
            name = book.audit["source"]["file"]
            try:
                self._keep(game, system, book, name)
            except Refusal as refusal:
                self.refuse(name, refusal.sentence)
        if game["books"]:
            self.systems.append(data)

    def _book(self, number: int, root: Element) -> None:
        """Make the book of a catalogue.

        Raises Refusal if its game is not among the files, or none of ours.
        """
        game_id = root.get("gameSystemId", "")
        games = {game.get("id"): (file, game) for file, game in reversed(self.sources.systems)}
        if game_id not in games:
            raise Refusal(_missing(game_id))
        file, game = games[game_id]
        name = _name_of(game)
        system = shipped_library().system(self._targets[name.id])
        if file not in self.games:
            doubt = _doubt(name, games_by_system()[system.id], system)
            self._add_game(file, system.id, system.name, doubt)
        made = make_book(self.sources, number, system.id, Rulebook.carrying(system.carried))
        self._keep(self.games[file], system, made, self.sources.books[number][0])

    def _add_game(
        self, file: str, system: str, name: str, doubt: str = "", gaps: Iterable[str] = ()
    ) -> dict[str, Any]:
        """Begin the report of a game: its doubts, and the gaps of one that is made of the files."""
        self.games[file] = {
            "name": name,
            "own": is_own_system(system),
            "file": file,
            "doubt": doubt,
            "gaps": list(gaps)[:MAX_LINES],
            "books": [],
        }
        return self.games[file]

    def _keep(self, game: dict[str, Any], system: System, made: Import, file: str) -> None:
        fit = fitted(made, system)
        if fit.book is None:
            raise Refusal(fit.sentence)
        document = as_own({**fit.book.book, "system": system.id}, new_book_id())
        name = document["name"]
        book, problems = build_book(document, system.apart(), name)
        if book is None or problems:
            raise Refusal(sentence(problems, document))
        origin = packed_origin(fit.book.origin)
        self._size += size_of(document) + len(origin)
        if self._size > MAX_FOUND:
            raise Refusal(_("The upload already has the maximum number of books."))
        game["books"].append(_book_report(file, fit.book, book))
        self.documents.append(document)
        self.origins[book.id] = origin


def _book_report(file: str, made: Import, book: Book) -> dict[str, Any]:
    """Return the report of a book: its size, and how much of its source is judged and left out."""
    options = {id(option) for unit in book.units.values() for option in unit.offer.options()}
    left_out = [_line(entry["place"], entry["what"]) for entry in made.audit["left_out"]]
    return {
        "file": file,
        "id": book.id,
        "name": book.name,
        "units": len(book.units),
        "options": len(options),
        "judged": sum(fates.get("judged", 0) for fates in made.audit["counts"].values()),
        "unchecked": len(restrictions_of(book)),
        "not_checked": [[what.name, list(what.lines)] for what in not_checked(book)][:MAX_LINES],
        "left_out": left_out[:MAX_LINES],
        "left_out_number": len(left_out),
        "doubts": [_line(doubt.place, doubt.what) for doubt in made.notes.doubts][:MAX_LINES],
        "gaps": len(book.gaps),
    }


def _line(place: str, what: str) -> str:
    return f"{place}: {what}" if place else what


def _missing(game: str) -> str:
    """Say which game system must be uploaded with a catalogue."""
    for known in games_by_system().values():
        if known.id == game:
            text = _("The game system is missing. Upload the .gst file of “{game}” too.")
            return text.format(game=known.name)
    return _("The game system is missing. Upload the .gst file of its game too.")


def _name_of(root: Element) -> OriginName:
    revision = root.get("revision", "")
    number = int(revision) if revision.isascii() and revision.isdigit() else 0
    return OriginName(root.get("id", ""), root.get("name", "")[:200], number)


def _doubt(name: OriginName, ours: OriginName, system: System) -> str:
    """Say where the files are of another game or edition than our system was made of."""
    if (name.id, name.revision) == (ours.id, ours.revision):
        return ""
    text = _(
        "These files are for “{theirs}”, revision {their_revision}; our rules are those of "
        "“{ours}”, revision {our_revision}. Differences are checked by our rules."
    )
    return text.format(
        theirs=name.name,
        their_revision=name.revision,
        ours=ours.name,
        our_revision=ours.revision,
    )


@task(takes_context=True)
def read_upload(context: TaskContext, upload_id: str) -> None:
    """Do the job that is due first: often `upload_id`, as with prints."""
    do_next(context.task_result.worker_ids[-1])


def enqueue(upload: Upload) -> None:
    read_upload.enqueue(str(upload.pk))


def work(upload: Upload) -> None:
    """Read an upload that was taken. Raises what `perform` raises."""
    if perform(uploads, upload, _outcome):
        uploads.files().delete(uploads.file_of(upload))


uploads.work, uploads.enqueue = work, enqueue


def _outcome(upload: Upload) -> dict[str, Any]:
    try:
        files = _files_of(upload)
        with limited(settings.UPLOAD_SECONDS["reading"]):
            brought = take_apart(files)
        if is_whole_game(upload.game, brought):
            return read_games(upload, brought)
        maker = _make_all(upload, files)
    except Refusal as refusal:
        return {"state": State.FAILED, "refused": refusal.sentence[:MAX_REASON]}
    except OutOfTime:
        sentence = _("It takes too long to read these files. Upload fewer at once.")
        return {"state": State.FAILED, "refused": sentence}
    games = [game for game in maker.games.values() if game["books"]]
    return {
        "state": State.DONE,
        "report": {"games": games, "refused": maker.refused, "others": maker.others},
        "found": {
            "systems": maker.systems,
            "books": maker.documents,
            "origins": maker.origins,
        },
    }


def _files_of(upload: Upload) -> list[tuple[str, bytes]]:
    """Return the files of an upload, named as they were. Raises Refusal where they are gone."""
    if upload.address:
        return [(f"{upload.name}.zip", fetch_game(upload.address, MAX_BYTES))]
    try:
        stored = uploads.files().open(uploads.file_of(upload))
    except FileNotFoundError as error:
        raise Refusal(_("The files are no longer here. Upload them again.")) from error
    with stored, ZipFile(BytesIO(stored.read())) as archive:
        return [(name.partition("/")[2], archive.read(name)) for name in archive.namelist()]


def _make_all(upload: Upload, files: list[tuple[str, bytes]]) -> Maker:
    """Make all that the files hold.

    Raises Refusal if that is nothing, or too much, OutOfTime if already reading takes too long.
    """
    progress = ProgressReport(uploads, upload, settings.UPLOAD_SECONDS["all"])
    with limited(settings.UPLOAD_SECONDS["reading"]):
        read = read_uploaded(files)
    if not read.sources.books and not read.sources.systems:
        reasons = [f"{source.file}: {source.why}" for source in read.refused[:_MAX_REFUSED]]
        nothing = _("The zip contains no BattleScribe file (.cat, .catz, .gst or .gstz).")
        raise Refusal(" ".join(reasons) or nothing)
    maker = Maker(read, upload.game)
    uploads.tell(upload, total=maker.steps)
    for number, step in enumerate(maker.each()):
        progress.reach(number)
        _do(step, progress.left, maker)
    return maker


def _do(step: Step, left: float, maker: Maker) -> None:
    kind, file, work = step
    rest = min(left, settings.UPLOAD_SECONDS[kind])
    if rest <= 0:
        maker.refuse(file, _("The files before it used up the time."))
        return
    try:
        with limited(rest):
            work()
    except Refusal as refusal:
        maker.refuse(file, refusal.sentence)
    except OutOfTime:
        maker.refuse(file, _("It takes too long to read."))
    except DATABASE_GONE:
        raise
    except Exception:
        logger.exception("%s of an upload cannot be read", file)
        maker.refuse(file, _("Something in it cannot be read."))
