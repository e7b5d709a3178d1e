"""Zips of anyone: what is in them is read as far as it may be long, or refused by name."""

import io
import zipfile

import pytest

from armybuilder.loading.archives import ArchiveEntry, is_zip, length_of, zip_entries
from armybuilder.loading.problems import Refusal
from tests.building.zips import packed

LENGTHS = {".json": 10, ".csv": 20}


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    return io.BytesIO(packed(files, method))


def read(file: io.BytesIO, most: int = 10_000) -> list[ArchiveEntry]:
    return list(zip_entries(file, LENGTHS, most))


def refusal_of(entry: ArchiveEntry) -> str:
    assert isinstance(entry.content, Refusal)
    return entry.content.sentence


def test_what_is_in_a_zip_comes_in_its_order_each_file_one_byte_too_far_at_most() -> None:
    file = zipped({"b.json": b"b", "in/a.CSV": b"a", "__MACOSX/b.json": b"x", "in/.hidden": b"x"})
    assert is_zip(file)
    assert read(file) == [("b.json", b"b"), ("in/a.CSV", b"a")]
    file = zipped({"a.json": b"x" * 5_000_000, "b.csv": b"x" * 5_000_000})
    assert [len(entry.content) for entry in read(file)] == [11, 21]


def test_what_has_another_name_is_packed_otherwise_or_damaged_is_refused() -> None:
    other, json = read(zipped({"a.exe": b"x", "b.json": b"y"}))
    assert refusal_of(other) == "Its name does not end in .json or .csv."
    assert json.content == b"y"
    assert length_of("a.Json", LENGTHS) == 10
    assert length_of("json", LENGTHS) is None
    (packed,) = read(zipped({"a.json": b"x"}, zipfile.ZIP_LZMA))
    assert "compression or password protection" in refusal_of(packed)
    raw = bytearray(zipped({"a.json": b"012345678"}, zipfile.ZIP_STORED).getvalue())
    raw[raw.index(b"01234")] = 1
    (damaged,) = read(io.BytesIO(bytes(raw)))
    assert refusal_of(damaged) == "It is damaged."


def test_what_is_no_zip_or_too_long_a_one_is_refused() -> None:
    for raw in (b"", b"PK", b"PK\x03\x04", b"{}"):
        with pytest.raises(Refusal, match="not a complete zip"):
            read(io.BytesIO(raw))
    file = zipped({"a.json": b"x"})
    with pytest.raises(Refusal, match="A zip file may have at most 0 MB"):
        read(file, most=len(file.getvalue()) - 1)
    assert read(file, most=len(file.getvalue()))
    assert is_zip(zipped({}))
    assert read(zipped({})) == [], "an empty zip holds nothing"
