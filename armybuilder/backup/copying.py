"""Making a copy of everything, and making everything of a copy."""

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import ZipFile

from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection
from django.utils import timezone

from armybuilder import __version__
from armybuilder.backup import databases
from armybuilder.backup.archive import BackupError, Writer, opened, pieces, written
from armybuilder.backup.fingerprints import fingerprints, row_counts

#: Storages whose files belong to players; what others hold can be made again.
_STORAGES = ("default", "prints")
#: Whose tables are compared.
_OURS = ("accounts.", "books.", "packs.", "lists.", "sharing.", "events.", "printing.", "uploads.")
_DATABASE, _LISTS, _KEY, _FILES = "database", "lists.jsonl", "secret_key.json", "files/"


@dataclass(frozen=True, slots=True)
class Told:
    """What is in a copy: of when and which version of the app, how many lists and files."""

    made: str
    app: str
    lists: int
    files: int


def back_up(file: Path, judged: bool) -> Told:
    """Copy everything into the file. Where lists are not `judged`, restoring cannot tell whether
    their verdicts are the same. Raises BackupError.
    """
    with written(file) as (writer, folder):
        with databases.copied(folder) as copy:
            with copy.file.open("rb") as stream:
                writer.add(_DATABASE, pieces(stream))
            counter = [0]
            writer.add(_LISTS, _lines(copy.database, judged, counter))
            rows = row_counts(copy.database)
        # After the database: a file that it names may be gone, but none is missing.
        files = sum(_add_files(writer, name) for name in _STORAGES)
        keys = {"key": settings.SECRET_KEY, "fallbacks": settings.SECRET_KEY_FALLBACKS}
        writer.add(_KEY, [json.dumps(keys).encode()])
        told = Told(timezone.now().isoformat(), __version__, counter[0], files)
        writer.finish(
            {
                "made": told.made,
                "app": told.app,
                "lists": told.lists,
                "files": told.files,
                "judged": judged,
                "database": connection.vendor,
                "rows": rows,
            }
        )
    return told


def _lines(database: str, judged: bool, counter: list[int]) -> Iterator[bytes]:
    for told in fingerprints(database, judged):
        counter[0] += 1
        yield json.dumps(told).encode() + b"\n"


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
    """The names of all files; what is empty is a mark."""
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


def restore(file: Path, replace: bool) -> Told:
    """Make everything of the copy; nothing is touched before all of it was read. Raises BackupError
    where there is something already that is not to be replaced.
    """
    with opened(file) as (archive, manifest):
        if not replace and not databases.is_empty():
            raise BackupError("There are lists or accounts here: see --replace.")
        _restore_key(json.loads(archive.read(_KEY)))
        for name in archive.namelist():
            if name.startswith(_FILES):
                _restore_file(archive, name)
        with TemporaryDirectory(dir=databases.folder(), prefix=".restore-") as folder:
            database = Path(folder) / "database"
            with archive.open(_DATABASE) as source, database.open("wb") as target:
                copyfileobj(source, target)
            databases.put_back(database, manifest["database"])
        call_command("migrate", verbosity=0)
        return Told(*(manifest[key] for key in ("made", "app", "lists", "files")))


def _restore_file(archive: ZipFile, name: str) -> None:
    alias, _slash, path = name.removeprefix(_FILES).partition("/")
    if alias not in _STORAGES:
        raise BackupError(f"The copy holds a file that has no place here: {name}.")
    with archive.open(name) as stream:
        storages[alias].delete(path)
        storages[alias].save(path, File(stream))


def _restore_key(told: dict[str, Any]) -> None:
    """Put the key where the app looks for it, unless it is told another."""
    if os.environ.get("SECRET_KEY"):
        return
    file = settings.VAR_DIR / "secret_key"
    half = file.with_suffix(".part")
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        stream.write(told["key"])
    half.replace(file)


def key_is_known(file: Path) -> bool:
    """Whether the app, as it is set, opens what the copy's key has signed."""
    with opened(file) as (archive, _manifest):
        told = json.loads(archive.read(_KEY))["key"]
    kept = settings.VAR_DIR / "secret_key"
    mine = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not os.environ.get("SECRET_KEY"):
        mine.append(kept.read_text(encoding="ascii").strip())
    return told in mine


def differences(file: Path) -> Iterator[str]:
    """What is otherwise here than in the copy: a sentence for each list, and for each table."""
    with opened(file) as (archive, manifest):
        here = fingerprints(DEFAULT_DB_ALIAS, manifest["judged"])
        with archive.open(_LISTS) as stream:
            for line in stream:
                wanted, found = json.loads(line), next(here, None)
                yield from _differs(wanted, found or {})
                if found is None or wanted["list"] != found["list"]:
                    return
        rows = row_counts(DEFAULT_DB_ALIAS)
        for name, number in manifest["rows"].items():
            # Migrations of a newer version add rows of their own to Django's tables.
            if name.startswith(_OURS) and rows.get(name) != number:
                yield f"{name}: {rows.get(name)} rows instead of {number}."


def _differs(wanted: dict[str, Any], found: dict[str, Any]) -> Iterator[str]:
    if wanted["list"] != found.get("list"):
        yield f"The list {wanted['list']} is missing."
    elif (wanted["number"], wanted["hash"]) != (found["number"], found["hash"]):
        yield f"The list {wanted['list']} is another."
    elif wanted.get("verdict") != found.get("verdict"):
        yield f"The list {wanted['list']} has another verdict."
