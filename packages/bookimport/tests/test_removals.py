"""Of the constructs of a source none is lost silently: a sample, from the files of three games.

The files are no part of the project: `BATTLESCRIBE_FILES` names the folder that has them. More by
hand: `python tests/try_removals.py`. The small catalogue of the last tests is invented.
"""

from pathlib import Path

import pytest

from bookimport import read_sources
from removals import (
    VARIABLE,
    Bookbinder,
    binders,
    constructs,
    files,
    sample,
    without,
)  # fmt: skip
from small_files import catalogue, entry, group, limit, models, price, system, unit
from tests.effort import THOROUGH

pytestmark = pytest.mark.long

#: Constructs of each of so many books, chosen by chance.
EACH, EVERY = (3, 1) if THOROUGH else (2, 12)
SEED = "1"


@pytest.mark.slow
def test_of_real_files_nothing_is_lost_silently() -> None:
    folder = files()
    if folder is None:
        pytest.skip(f"{VARIABLE} names no folder with all games in it")
    found = [
        binder.try_without(construct)
        for number, binder in enumerate(binders(folder))
        if number % EVERY == 0
        for construct in sample(binder, EACH, SEED)
    ]
    assert [str(one) for one in found if one.outcome == "lost"] == []
    assert {one.outcome for one in found} >= {"book"}


@pytest.fixture
def binder(tmp_path: Path) -> Bookbinder:
    """A book of one unit: 10 to 20 Spears, with a Horn of 5 points or a Drum for nothing."""
    music = group("Music", entry("Horn", limit("max", 1), price(5)), entry("Drum", price(0)),
                  limit("max", 1))  # fmt: skip
    spears = unit("Spears", models(10, 20, 7), music, price(30))
    (tmp_path / "game.gst").write_text(system(), encoding="utf-8")
    (tmp_path / "book.cat").write_text(catalogue(spears), encoding="utf-8")
    return Bookbinder(read_sources(tmp_path), 0, "t9a-2023")


def test_all_constructs_of_a_small_book_are_noticed_or_go_without_saying(
    binder: Bookbinder, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = {str(one.construct): one for one in map(binder.try_without, constructs(binder.root))}
    assert len(tried) > 15
    assert [said for said, one in tried.items() if one.outcome == "lost"] == []
    assert "book" in {one.outcome for one in tried.values()}
    before = [one.element for one in constructs(binder.root)]
    for construct in constructs(binder.root):
        with without(construct):
            assert construct.element not in list(construct.above[-1])
    assert [one.element for one in constructs(binder.root)] == before
    # What the check is worth: an importer that always says the same loses all but defaults.
    monkeypatch.setattr(Bookbinder, "_import", lambda self: self.whole)
    tried = [binder.try_without(construct) for construct in constructs(binder.root)]
    assert sum(one.outcome == "lost" for one in tried) == len(tried) - 2
