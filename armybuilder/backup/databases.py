"""The database as one file, as it stood at one moment, and back: SQLite or PostgreSQL."""

import os
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.postgresql.client import DatabaseClient

from armybuilder.backup.archive import BackupError
from armybuilder.lists.models import ArmyList

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
        # All of it in one step: writers go on, in the log beside the database.
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


def folder() -> Path:
    """Return the folder for a file that is to become the database."""
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

    Raises BackupError where it is one of another kind, or somebody uses what is there.
    """
    if vendor != connection.vendor:
        raise BackupError(f"The copy is of {vendor}, but DATABASE_URL is of {connection.vendor}.")
    if vendor == "postgresql":
        connection.close()
        options = ["--clean", "--if-exists", "--no-owner", "--single-transaction"]
        _run("pg_restore", [*options, "--exit-on-error"], file)
        return
    _leave_alone()
    with file.open("rb") as stream:
        os.fsync(stream.fileno())
    file.replace(connection.settings_dict["NAME"])


def _leave_alone() -> None:
    """Empty the log beside the database, which would spoil another; only one alone with it can."""
    connection.close()
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=1)) as old:
        try:
            (mode,) = old.execute("PRAGMA journal_mode = DELETE").fetchone()
        except sqlite3.OperationalError:
            mode = ""
    if mode != "delete":
        raise BackupError("Somebody uses the database: stop the server and the worker first.")


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
