"""Making a copy of everything, and making everything of a copy.

The copy is a zip, with a manifest that knows the hash of everything else. The database is in it as
one file, as it stood at one moment: SQLite or PostgreSQL.
"""

import fcntl
import hashlib
import json
import logging
import os
import sqlite3
import subprocess
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import copyfileobj, rmtree
from tempfile import TemporaryDirectory
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.postgresql.client import DatabaseClient
from django.db.models import F
from django.utils import timezone, translation

from armybuilder import __version__
from armybuilder.backup import state
from armybuilder.exchange.batch import report_data
from armybuilder.lists.models import ArmyList, ListDocument, Version
from armybuilder.loading.documents import hash_of, judge
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.jsontext import canonical_json
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

# The file that holds a copy.

MANIFEST = "manifest.json"
_CHUNK = 1 << 20


class BackupError(Exception):
    """A problem with a backup, in one sentence for the operator."""


class Writer:
    """Puts things into a copy, and remembers their hashes."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._hashes: dict[str, str] = {}

    def add(self, name: str, content: Iterable[bytes]) -> int:
        """Put something in, piece after piece; return how many pieces there were."""
        digest, number = hashlib.sha256(), 0
        with self._archive.open(name, "w", force_zip64=True) as stream:
            for piece in content:
                digest.update(piece)
                stream.write(piece)
                number += 1
        self._hashes[name] = digest.hexdigest()
        return number

    def finish(self, facts: dict[str, Any]) -> None:
        """Write the manifest: the contents of the copy, and facts about it."""
        manifest = {**facts, "sha256": self._hashes}
        self._archive.writestr(MANIFEST, json.dumps(manifest, indent=1, sort_keys=True))


@contextmanager
def written(file: Path) -> Iterator[tuple[Writer, Path]]:
    """Open a backup for writing, with a working folder.

    It gets its name once complete and on the disk. Until then, or if the process dies, a file
    ".part" and a folder ".work" are there, which the next backup replaces; an older backup of that
    name stays. Raises BackupError if another process is writing it.
    """
    half, work = file.with_name(f"{file.name}.part"), file.with_name(f"{file.name}.work")
    handle = os.open(half, os.O_RDWR | os.O_CREAT, 0o600)  # it holds the key
    with os.fdopen(handle, "w+b") as stream:
        _take(stream, half)
        stream.truncate()
        rmtree(work, ignore_errors=True)
        work.mkdir(0o700)
        try:
            with ZipFile(stream, "w", ZIP_DEFLATED, compresslevel=3) as archive:
                yield Writer(archive), work
            stream.flush()
            os.fsync(stream.fileno())
            half.replace(file)
        finally:
            half.unlink(missing_ok=True)
            rmtree(work, ignore_errors=True)
    folder = os.open(file.parent, os.O_RDONLY)
    os.fsync(folder)
    os.close(folder)


def _take(stream: IO[bytes], half: Path) -> None:
    """Lock the backup for this process; one that came too late may find it finished."""
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        is_mine = half.exists() and os.path.samestat(os.fstat(stream.fileno()), half.stat())
    except BlockingIOError:
        is_mine = False
    if not is_mine:
        raise BackupError(f"Another process is writing {half}.")


@contextmanager
def opened(file: Path) -> Iterator[tuple[ZipFile, dict[str, Any]]]:
    """Open a copy, with its manifest.

    Raises BackupError if it is not whole: every hash is checked before anything is done with it.
    """
    try:
        with ZipFile(file) as archive:
            manifest = json.loads(archive.read(MANIFEST))
            _check(archive, manifest["sha256"])
            yield archive, manifest
    except (BadZipFile, KeyError, EOFError, json.JSONDecodeError) as error:
        raise BackupError(f"{file} is not a whole copy: {error}.") from error
    except FileNotFoundError as error:
        raise BackupError(f"There is no {file}.") from error


def _check(archive: ZipFile, hashes: dict[str, str]) -> None:
    if set(archive.namelist()) != {*hashes, MANIFEST}:
        raise BadZipFile("it holds other things than it says")
    for name, wanted in hashes.items():
        digest = hashlib.sha256()
        with archive.open(name) as stream:
            for piece in pieces(stream):
                digest.update(piece)
        if digest.hexdigest() != wanted:
            raise BadZipFile(f"{name} is not as it was")


def pieces(stream: IO[bytes]) -> Iterator[bytes]:
    """Yield the rest of a stream, a megabyte at a time."""
    while piece := stream.read(_CHUNK):
        yield piece


# The database as a file.

_COPY = "backup"


def copied(file: Path) -> AbstractContextManager[str]:
    """Copy the database into the file, while others read and write.

    Within, the copy can be read: by the name under which Django knows it.
    """
    if connection.vendor == "sqlite":
        return _sqlite(file)
    if connection.vendor == "postgresql":
        return _postgresql(file)
    raise BackupError(f"{connection.display_name} is copied with its own tools.")


@contextmanager
def _sqlite(file: Path) -> Iterator[str]:
    connection.ensure_connection()
    with closing(sqlite3.connect(file)) as copy:
        # All of it in one step: writers go on, in the write-ahead log.
        connection.connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
        (result,) = copy.execute("PRAGMA quick_check").fetchone()
    if result != "ok":
        raise BackupError(f"The database is damaged: {result}.")
    connections.databases[_COPY] = {**connection.settings_dict, "NAME": file, "OPTIONS": {}}
    try:
        yield _COPY
    finally:
        connections[_COPY].close()
        del connections[_COPY]
        del connections.databases[_COPY]


@contextmanager
def _postgresql(file: Path) -> Iterator[str]:
    """Dump a snapshot, the one that is read here, too."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            cursor.execute("SELECT pg_export_snapshot()")
            (snapshot,) = cursor.fetchone()
        options = ["--format=custom", "--no-owner", f"--snapshot={snapshot}", f"--file={file}"]
        _run("pg_dump", options)
        yield DEFAULT_DB_ALIAS


def database_folder() -> Path:
    if connection.vendor == "sqlite":
        return Path(connection.settings_dict["NAME"]).parent
    return Path(settings.VAR_DIR)


def is_empty() -> bool:
    """Return whether the database that the settings name holds no list and no account."""
    there = connection.introspection.table_names()
    models = (ArmyList, get_user_model())
    return not any(
        model._default_manager.exists() for model in models if model._meta.db_table in there
    )


def put_back(file: Path, vendor: str) -> None:
    """Make the file the database that the settings name, in one step.

    Raises BackupError if that is a database of another kind, or in use.
    """
    if vendor != connection.vendor:
        raise BackupError(f"The copy is of {vendor}, but DATABASE_URL is of {connection.vendor}.")
    if vendor == "postgresql":
        connection.close()
        options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
        _run("pg_restore", [*options, "--exit-on-error"], file)
        return
    # Empty the write-ahead log, which would spoil another database; this needs sole access.
    connection.close()
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=1)) as old:
        try:
            (mode,) = old.execute("PRAGMA journal_mode = DELETE").fetchone()
        except sqlite3.OperationalError:
            mode = ""
    if mode != "delete":
        raise BackupError("Somebody uses the database: stop the server and the worker first.")
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
    file.replace(connection.settings_dict["NAME"])


def _run(program: str, options: list[str], file: Path | None = None) -> None:
    """One of PostgreSQL's programs, with the database of the settings."""
    client, variables = DatabaseClient.settings_to_cmd_args_env(connection.settings_dict, [])
    where = [*client[1:-1], f"--dbname={client[-1]}"]
    command = [program, *where, *options, *([str(file)] if file else [])]
    try:
        done = subprocess.run(  # noqa: S603 - nothing of a stranger's
            command, env={**os.environ, **(variables or {})}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
    except FileNotFoundError as error:
        raise BackupError(f"{program} is missing: install PostgreSQL’s client.") from error
    if done.returncode:
        raise BackupError(f"{program} failed: {done.stderr.strip()[-500:]}")


# The contents of a copy.

logger = logging.getLogger(__name__)

_DATABASE, _LISTS, _KEY, _FILES = "database", "lists.jsonl", "secret_key.json", "files/"
#: Lists that are read at once.
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Summary:
    """Contents of a backup: time and version of the app, numbers of lists and files."""

    made: str
    app: str
    lists: int
    files: int


def back_up(file: Path, judged: bool) -> Summary:
    """Copy everything into the file.

    Unless lists are `judged`, restoring can't compare their verdicts. Raises BackupError.
    """
    with written(file) as (writer, folder):
        file_of_database = folder / "database"
        with copied(file_of_database) as database:
            with file_of_database.open("rb") as stream:
                writer.add(_DATABASE, pieces(stream))
            prints = fingerprints(database, judged)
            lists = writer.add(_LISTS, (json.dumps(facts).encode() + b"\n" for facts in prints))
            rows = row_counts(database)
        # After the database: a file that it names may be gone, but none is missing.
        files = sum(_add_files(writer, name) for name in state.STORAGES)
        keys = {"key": settings.SECRET_KEY, "fallbacks": settings.SECRET_KEY_FALLBACKS}
        writer.add(_KEY, [json.dumps(keys).encode()])
        summary = Summary(timezone.now().isoformat(), __version__, lists, files)
        facts = {"judged": judged, "database": connection.vendor, "rows": rows}
        writer.finish({**asdict(summary), **facts})
    return summary


def _add_files(writer: Writer, alias: str) -> int:
    number = 0
    for name in _names(storages[alias]):
        try:
            stream = storages[alias].open(name)
        except FileNotFoundError:
            continue  # tidied away meanwhile
        with stream:
            writer.add(f"{_FILES}{alias}/{name}", pieces(stream))
        number += 1
    return number


def _names(storage: Storage, folder: str = "") -> Iterator[str]:
    """Yield the names of all files; empty ones are marks and left out."""
    try:
        folders, names = storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in sorted(names):
        path = f"{folder}{name}"
        if storage.size(path):
            yield path
    for name in sorted(folders):
        yield from _names(storage, f"{folder}{name}/")


def restore(file: Path, replace: bool) -> Summary:
    """Make everything of the copy; nothing is touched before all of it was read.

    Raises BackupError if there is something already that is not to be replaced.
    """
    with opened(file) as (archive, manifest):
        if not replace and not is_empty():
            raise BackupError("There are lists or accounts here: see --replace.")
        if not os.environ.get("SECRET_KEY"):
            half = settings.VAR_DIR / "secret_key.part"
            handle = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(handle, "w") as stream:
                stream.write(json.loads(archive.read(_KEY))["key"])
            half.replace(half.with_suffix(""))
        for name in archive.namelist():
            if not name.startswith(_FILES):
                continue
            alias, _slash, path = name.removeprefix(_FILES).partition("/")
            if alias not in state.STORAGES:
                raise BackupError(f"The copy holds a file that has no place here: {name}.")
            with archive.open(name) as content:
                storages[alias].delete(path)
                storages[alias].save(path, File(content))
        with TemporaryDirectory(dir=database_folder(), prefix=".restore-") as folder:
            database = Path(folder) / "database"
            with archive.open(_DATABASE) as source, database.open("wb") as target:
                copyfileobj(source, target)
            put_back(database, manifest["database"])
        call_command("migrate", verbosity=0)
        return Summary(*(manifest[key] for key in ("made", "app", "lists", "files")))


def key_is_known(file: Path) -> bool:
    """Return whether the app, with its settings, accepts signatures by the backup's key."""
    with opened(file) as (archive, _manifest):
        key = json.loads(archive.read(_KEY))["key"]
    mine = state.secret_keys()
    if not os.environ.get("SECRET_KEY"):
        mine.append((settings.VAR_DIR / "secret_key").read_text(encoding="ascii").strip())
    return key in mine


def differences(file: Path) -> Iterator[str]:
    """Yield the differences from the copy: a sentence for each list, and for each table."""
    with opened(file) as (archive, manifest):
        here = fingerprints(DEFAULT_DB_ALIAS, manifest["judged"])
        with archive.open(_LISTS) as stream:
            for line in stream:
                wanted, actual = json.loads(line), next(here, {})
                key = wanted["list"]
                if key != actual.get("list"):
                    yield f"The list {key} is missing."
                    return
                if (wanted["number"], wanted["hash"]) != (actual["number"], actual["hash"]):
                    yield f"The list {key} is another."
                elif wanted.get("verdict") != actual.get("verdict"):
                    yield f"The list {key} has another verdict."
        rows = row_counts(DEFAULT_DB_ALIAS)
        for name, number in manifest["rows"].items():
            # Migrations of a newer version add rows of their own to Django's tables.
            if name.partition(".")[0] in state.APPS and rows.get(name) != number:
                yield f"{name}: {rows.get(name)} rows instead of {number}."


def row_counts(database: str) -> dict[str, int]:
    """Return how many rows each table has, by the model's name; `database` is Django's name."""
    return {
        model._meta.label: model._default_manager.using(database).count()
        for model in apps.get_models()
        if model._meta.managed and not model._meta.proxy
    }


def fingerprints(database: str, judged: bool) -> Iterator[dict[str, Any]]:
    """Yield of each list its id, the number of the current version, and the hash of that.

    If they are to be judged, the hash of the verdict, too.
    """
    current = Version.objects.using(database).filter(number=F("army_list__number"))
    for version in current.order_by("army_list_id").iterator(_AT_ONCE):
        facts = {
            "list": str(version.army_list_id),
            "number": version.number,
            "hash": hash_of(version.content),
        }
        if judged:
            facts["verdict"] = _verdict(version.content)
        yield facts


def _verdict(document: ListDocument) -> str:
    """Return the hash of all that is found about a list, in English; or why nothing is."""
    if isinstance(document, ForceList):
        return "of files"
    with translation.override("en"):
        try:
            report = report_data(judge(document, shipped_library()).report)
        except Refusal as refusal:
            return f"refused: {refusal.sentence}"
        except Exception as error:
            # One list that cannot be judged is no reason to have no copy of the others.
            logger.exception("a list cannot be judged")
            return f"failed: {type(error).__name__}"
    return hashlib.sha256(canonical_json(report)).hexdigest()
