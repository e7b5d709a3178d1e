"""The file that holds a copy: a zip, with a manifest that knows the hash of everything else."""

import fcntl
import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import rmtree
from typing import IO, Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

MANIFEST = "manifest.json"
_CHUNK = 1 << 20


class BackupError(Exception):
    """What hinders a copy, in one sentence for the operator."""


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
        """Write down what is in the copy, and facts about it."""
        manifest = {**facts, "sha256": self._hashes}
        self._archive.writestr(MANIFEST, json.dumps(manifest, indent=1, sort_keys=True))


@contextmanager
def written(file: Path) -> Iterator[tuple[Writer, Path]]:
    """Open a copy to be written, with a folder to work in.

    It gets its name when it is whole and on the disk: until then, and if the process ends on the
    way, there are a file and a folder with ".part" and ".work" behind the name, which the next copy
    replaces, and what had the name before stays. Raises BackupError if somebody else is writing it.
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
    """Be the only one who writes it; whoever came too late may hold what is finished by now."""
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
    """Yield what is left in a stream, a megabyte at a time."""
    while piece := stream.read(_CHUNK):
        yield piece
