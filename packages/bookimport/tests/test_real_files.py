"""Books that communities keep for BattleScribe: all of them are read.

The files are no part of the project. `BATTLESCRIBE_FILES` names the folder that has them.
"""

import os
from pathlib import Path

import pytest

from bookimport import make_book, read_sources

FOLDER = os.environ.get("BATTLESCRIBE_FILES")
BOOKS = {"t9a-2023": 22, "t9a-2024": 23, "essence-of-war": 22}


#: One game, and the others for `make thorough`.
EVERY_GAME = [
    pytest.param(*one, marks=[] if one[0] == "essence-of-war" else pytest.mark.slow)
    for one in BOOKS.items()
]


@pytest.mark.parametrize(("game", "number"), EVERY_GAME)
def test_every_book_of_a_game_is_read(game: str, number: int) -> None:
    folder = Path(FOLDER or "-") / game
    if not folder.is_dir():
        pytest.skip(f"BATTLESCRIBE_FILES names no folder with {game} in it")
    sources = read_sources(folder)
    books = [make_book(sources, place, "t9a-2023").book for place in range(len(sources.books))]
    assert len(books) == number
    assert all(book["units"] and book["categories"] for book in books)
