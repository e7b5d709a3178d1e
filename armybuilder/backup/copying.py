"""Making a copy of everything, and making everything of a copy."""

import hashlib
import json
import logging
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.files import File
from django.core.files.storage import Storage, storages
from django.core.management import call_command
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import F
from django.utils import timezone, translation

from armybuilder import __version__
from armybuilder.backup import databases
from armybuilder.backup.archive import BackupError, Writer, opened, pieces, written
from armybuilder.exchange.report_data import report_data
from armybuilder.lists.models import Version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical_json, hash_of, judge
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

logger = logging.getLogger(__name__)

#: Storages whose files belong to players; what others hold can be made again.
_STORAGES = ("default", "prints")
#: Whose tables are compared.
_OURS = ("accounts.", "books.", "packs.", "lists.", "sharing.", "events.", "printing.", "uploads.")
_DATABASE, _LISTS, _KEY, _FILES = "database", "lists.jsonl", "secret_key.json", "files/"
#: Lists that are read at once.
_AT_ONCE = 200


@dataclass(frozen=True, slots=True)
class Summary:
    """What is in a copy: of when and which version of the app, how many lists and files."""

    made: str
    app: str
    lists: int
    files: int


def back_up(file: Path, judged: bool) -> Summary:
    """Copy everything into the file.

    Where lists are not `judged`, restoring cannot tell whether their verdicts are the same. Raises
    BackupError.
    """
    with written(file) as (writer, folder):
        file_of_database = folder / "database"
        with databases.copied(file_of_database) as database:
            with file_of_database.open("rb") as stream:
                writer.add(_DATABASE, pieces(stream))
            prints = fingerprints(database, judged)
            lists = writer.add(_LISTS, (json.dumps(facts).encode() + b"\n" for facts in prints))
            rows = row_counts(database)
        # After the database: a file that it names may be gone, but none is missing.
        files = sum(_add_files(writer, name) for name in _STORAGES)
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
    """Yield the names of all files; what is empty is a mark."""
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
        if not replace and not databases.is_empty():
            raise BackupError("There are lists or accounts here: see --replace.")
        if not os.environ.get("SECRET_KEY"):
            _keep_key(json.loads(archive.read(_KEY))["key"])
        for name in archive.namelist():
            if not name.startswith(_FILES):
                continue
            alias, _slash, path = name.removeprefix(_FILES).partition("/")
            if alias not in _STORAGES:
                raise BackupError(f"The copy holds a file that has no place here: {name}.")
            with archive.open(name) as stream:
                storages[alias].delete(path)
                storages[alias].save(path, File(stream))
        with TemporaryDirectory(dir=databases.folder(), prefix=".restore-") as folder:
            database = Path(folder) / "database"
            with archive.open(_DATABASE) as source, database.open("wb") as target:
                copyfileobj(source, target)
            databases.put_back(database, manifest["database"])
        call_command("migrate", verbosity=0)
        return Summary(*(manifest[key] for key in ("made", "app", "lists", "files")))


def _keep_key(key: str) -> None:
    file = settings.VAR_DIR / "secret_key"
    half = file.with_suffix(".part")
    with os.fdopen(os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as stream:
        stream.write(key)
    half.replace(file)


def key_is_known(file: Path) -> bool:
    """Return whether the app, as it is set, opens what the copy's key has signed."""
    with opened(file) as (archive, _manifest):
        key = json.loads(archive.read(_KEY))["key"]
    mine = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not os.environ.get("SECRET_KEY"):
        mine.append((settings.VAR_DIR / "secret_key").read_text(encoding="ascii").strip())
    return key in mine


def differences(file: Path) -> Iterator[str]:
    """Yield what differs here from the copy: a sentence for each list, and for each table."""
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
            if name.startswith(_OURS) and rows.get(name) != number:
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
            "hash": hash_of(version.document),
        }
        if judged:
            facts["verdict"] = _verdict(version.document)
        yield facts


def _verdict(document: ArmyList) -> str:
    """Return the hash of all that is found about a list, in English; or why nothing is."""
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
