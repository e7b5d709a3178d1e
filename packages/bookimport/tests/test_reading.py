"""Files that may come from anyone: what is read, and what is refused in a clear sentence."""

import zipfile
from pathlib import Path

import pytest

from armybuilder.loading.problems import Refusal
from bookimport import read_sources
from bookimport import reading as limits
from small_files import SYSTEM_ID, catalogue, system, unit
from tests.building.zips import packed


def zipped(**files: bytes | str) -> bytes:
    return packed({
        name.replace("__", "."): data if isinstance(data, bytes) else data.encode()
        for name, data in files.items()
    })  # fmt: skip


def lay(folder: Path, **files: bytes | str) -> Path:
    """The folder with these files, of which "a__cat" is called a.cat."""
    for name, data in files.items():
        raw = data if isinstance(data, bytes) else data.encode()
        (folder / name.replace("__", ".")).write_bytes(raw)
    return folder


BOOK = catalogue(unit("A"))


def books(path: Path) -> list[str]:
    return [name for name, _ in read_sources(path).books]


def test_a_folder_is_read_and_one_book_of_it_with_the_system_beside_it(tmp_path: Path) -> None:
    lay(tmp_path, game__gst=system(), b__cat=BOOK, a__cat=BOOK, readme__txt="not ours")
    assert books(tmp_path) == ["a.cat", "b.cat"]
    assert books(tmp_path / "b.cat") == ["b.cat"]


def test_zipped_files_and_a_zip_of_files_are_read(tmp_path: Path) -> None:
    lay(tmp_path, game__gstz=zipped(game__gst=system()), book__catz=zipped(book__cat=BOOK))
    assert books(tmp_path) == ["book.catz"]
    path, inner = tmp_path / "all.zip", zipped(book__cat=BOOK)
    path.write_bytes(zipped(game__gst=system(), book__catz=inner, notes__txt="not ours"))
    assert books(path) == ["book.catz"]


def refusal(path: Path) -> str:
    with pytest.raises(Refusal) as caught:
        read_sources(path)
    return caught.value.sentence


NO_XML = "a.cat: This is not a complete XML file."
DOCTYPE = "<!DOCTYPE catalogue [{}]><catalogue>x</catalogue>"
ENTITIES = "defines entities or a document type"
CUT_OFF = "not a complete zip file"
WHOLE = zipped(game__gst=system())
REFUSED: dict[str, tuple[dict[str, bytes | str], str]] = {
    "no game system": ({"a__cat": BOOK}, "no game system"),
    "one twice": ({"a__gst": system(), "b__gst": system()}, "one game system twice: a.gst, b.gst"),
    "nothing": ({"a__cat": ""}, NO_XML),
    "no XML": ({"a__cat": "not a complete XML"}, NO_XML),
    "an open element": ({"a__cat": "<catalogue>"}, NO_XML),
    "another end": ({"a__cat": "<a></b>"}, NO_XML),
    "something else": ({"a__cat": "<html/>"}, "neither a game system nor a catalogue"),
    "bombs": ({"a__cat": DOCTYPE.format('<!ENTITY a "ha"><!ENTITY b "&a;&a;">')}, ENTITIES),
    "files": ({"a__cat": DOCTYPE.format('<!ENTITY a SYSTEM "file:///etc/hostname">')}, ENTITIES),
    "types": ({"a__cat": DOCTYPE.format("<!ELEMENT catalogue ANY>")}, ENTITIES),
    "deep nesting": (
        {"a__cat": "<catalogue>" * 3000 + "</catalogue>" * 3000},
        "a.cat: The file is nested too deeply.",
    ),
    "an unknown encoding": (
        {"a__cat": '<?xml version="1.0" encoding="klingon"?><catalogue/>'},
        "a.cat: The file’s encoding can’t be read.",
    ),
    **{
        f"a zip cut off at {end}": ({"game__gstz": WHOLE[:end]}, CUT_OFF) for end in (0, 9, 99, -20)
    },
    "a zip of two books": (
        {"a__catz": zipped(a__cat="<catalogue/>", b__cat="<catalogue/>")},
        "holds more than 1 file",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_folder_is_refused_for(what: str, tmp_path: Path) -> None:
    files, sentence = REFUSED[what]
    assert sentence in refusal(lay(tmp_path, **files))


def test_each_book_is_read_by_its_own_game(tmp_path: Path) -> None:
    other = "aaaa-0000-0000-0009"
    lay(tmp_path, a__gst=system(), b__gst=system().replace(SYSTEM_ID, other), a__cat=BOOK)
    assert read_sources(tmp_path).of_game(None).system_of(0)[0] == "a.gst"
    (tmp_path / "b.cat").write_text(catalogue(unit("B"), of=other))
    sources = read_sources(tmp_path)
    assert [sources.system_of(number)[0] for number in range(2)] == ["a.gst", "b.gst"]
    assert [name for name, _root in sources.of_game("b.gst").books] == ["b.cat"]
    with pytest.raises(Refusal, match=r"several games: a.gst, b.gst. Choose one with --game"):
        sources.of_game(None)
    with pytest.raises(Refusal, match=r"c.gst is no game among the files: a.gst, b.gst"):
        sources.of_game("c.gst")


@pytest.mark.parametrize(("files", "told"), [
    ({"game__gst": b"<a>" + b" " * (8 << 20) + b"</a>"}, "game.gst is too large when unzipped"),
    *(({name: system()}, "points outside") for name in (
        "../game.gst", "/game.gst", "a/../../game.gst", "C:\\game.gst", "c:/g.gst")),
])  # fmt: skip
def test_a_zip_is_refused_for(files: dict[str, bytes | str], told: str, tmp_path: Path) -> None:
    path = tmp_path / "all.zip"
    path.write_bytes(zipped(**files))
    assert told in refusal(path)


def test_what_a_header_says_of_the_size_is_not_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = bytearray(zipped(game__gst=b"<a>" + bytes(range(65, 91)) * 400 + b"</a>"))
    true, false = (10407).to_bytes(4, "little"), (10).to_bytes(4, "little")
    assert raw.count(true) == 2
    path = tmp_path / "all.zip"
    path.write_bytes(bytes(raw.replace(true, false)))
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 5000)
    assert "all.zip" in refusal(path)


def test_all_files_together_may_not_be_too_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lay(tmp_path, game__gst=system(), a__cat=BOOK)
    monkeypatch.setattr(limits, "MAX_TOTAL_BYTES", 2000)
    assert "unzip to more than" in refusal(tmp_path)


def test_a_large_file_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "game.gst").write_text(system())
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 100)
    assert "game.gst has more than" in refusal(tmp_path)


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_FILES", 2)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.cat").write_text(catalogue(unit("A")))
    assert "more than 2 files" in refusal(tmp_path)
    path = tmp_path / "all.zip"
    path.write_bytes(zipped(a__cat="x", b__cat="x", c__cat="x"))
    assert "more than 2 files" in refusal(path)


def test_other_missing_and_encrypted_files_are_refused(tmp_path: Path) -> None:
    # Other files and missing ones are refused.
    (tmp_path / "list.txt").write_text("x")
    assert "list.txt is not a folder" in refusal(tmp_path / "list.txt")
    assert "no file or folder away.zip" in refusal(tmp_path / "away.zip")
    # Encrypted files are refused.
    raw = bytearray(zipped(game__gst=system()))
    start = raw.index(b"PK\x01\x02")
    raw[start + 8] |= 1
    path = tmp_path / "all.zip"
    path.write_bytes(bytes(raw))
    assert "all.zip: game.gst: We can’t read its compression or password protection" in refusal(
        path
    )


@pytest.mark.parametrize("name", [".", ""])
def test_members_with_names_that_are_no_files_are_refused(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo(name or "x"), "<catalogue/>")
        archive.filelist[0].filename = name
    assert "There is no game system" in refusal(tmp_path / "a.zip")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_DEFLATED])
def test_damaged_members_of_every_kind_are_refused(tmp_path: Path, method: int) -> None:
    file = tmp_path / "a.zip"
    with zipfile.ZipFile(file, "w", compression=method) as archive:
        archive.writestr("a.cat", "<catalogue/>" * 200)
    raw = bytearray(file.read_bytes())
    raw[45:60] = b"\xff" * 15
    file.write_bytes(raw)
    said = (
        "The file is damaged"
        if method == zipfile.ZIP_DEFLATED
        else "We can’t read its compression or password"
    )
    assert f"a.zip: a.cat: {said}" in refusal(file)
