"""Files with letters and line ends as other machines and languages write them."""

from pathlib import Path

import pytest

from armybuilder.battlescribe.books import make_book, read_sources
from armybuilder.loading.library import book_problems, shipped_library
from tests.building.battlescribe import catalogue, entry, limit, models, price, system, unit
from tests.building.zips import packed

HEBREW, ARABIC = "שומרי החומה", "حرس البوابة"
#: It turns what stands behind it round, wherever it is shown.
OVERRIDE = "\u202e"


def book_of(folder: Path) -> dict[str, object]:
    """The book of the files in a folder, which has no problem."""
    made = make_book(read_sources(folder), 0, "t9a-2023")
    assert book_problems(made.book, shipped_library().system("t9a-2023"), "book.json") == []
    return dict(made.book)


def names(book: dict[str, object]) -> list[str]:
    units = book["units"]
    assert isinstance(units, list)
    return [units[0]["name"], units[0]["options"][0]["name"]]


def test_names_from_right_to_left_stay_and_what_turns_text_round_does_not(tmp_path: Path) -> None:
    guard = unit(
        f"{HEBREW}{OVERRIDE}",
        models(10, 20, 5),
        entry(f"{OVERRIDE}{ARABIC}", limit("max", 1), price(5)),
    )
    (tmp_path / "game.gst").write_text(system(), encoding="utf-8")
    (tmp_path / "book.cat").write_text(catalogue(guard, name=f"{ARABIC} 2023"), encoding="utf-8")
    book = book_of(tmp_path)
    assert names(book) == [HEBREW, ARABIC]
    assert book["name"] == ARABIC


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_windows_line_ends_and_its_first_mark_change_nothing(tmp_path: Path, mark: bytes) -> None:
    spears = unit("Spears", models(10, 20, 5), entry("Horn", limit("max", 1), price(5)))
    files = {"game.gst": system(), "book.cat": catalogue(spears)}
    books = []
    for folder, end in (("unix", "\n"), ("windows", "\r\n")):
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            raw = text.replace("><", f">{end}<").encode()
            raw = mark + raw if end == "\r\n" else raw
            (tmp_path / folder / name).write_bytes(raw)
        books.append(book_of(tmp_path / folder))
    assert books[0] == books[1]


def test_utf_16_is_read_as_its_first_line_says(tmp_path: Path) -> None:
    head = '<?xml version="1.0" encoding="UTF-16"?>\r\n'
    spears = unit("Spears", models(10, 20, 5), entry("Horn", limit("max", 1), price(5)))
    (tmp_path / "game.gst").write_bytes((head + system()).encode("utf-16"))
    raw = packed({"book.cat": (head + catalogue(spears)).encode("utf-16")})
    (tmp_path / "book.catz").write_bytes(raw)
    assert names(book_of(tmp_path)) == ["Spears", "Horn"]
