"""Who plays where, at the head of sheets: known, or with a line to write on."""

import pytest

from armybuilder.sheets.content.setup import MOST_LETTERS
from tests.sheets.printed import EXAMPLES, example, setup, told

KINDS = ("full", "compact", "quick", "judge", "opponent")
KNOWN = {"player": "Anne Mill", "team": "Ravens", "event": "Lantern Cup", "round": "2"}
LISTS = ["t9a-2023/the-long-table", "sbh/gruks-green-flood"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("paper", ["A4", "A5"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_sheet_says_who_plays_where(kind: str, paper: str, name: str) -> None:
    first, *_more = told(example(name), kinds=kind, paper=paper, **KNOWN)
    for label, text in KNOWN.items():
        assert f"{label.capitalize()} {text}" in first
    assert "Table" in first


def test_an_empty_record_sheet_and_cards_tell_nothing_of_it() -> None:
    for kind in ("blank", "cards"):
        pages = told(example(LISTS[0]), kinds=kind, **KNOWN)
        assert not any("Anne Mill" in page for page in pages)


def test_texts_are_one_line_and_not_too_long() -> None:
    made = setup(player="A\n B", team="x" * 500)
    assert (made.player, len(made.team)) == ("A B", MOST_LETTERS)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_long_texts_stay_on_their_lines(name: str) -> None:
    long = dict.fromkeys((*KNOWN, "table"), "W" * MOST_LETTERS)
    (first, *_more) = told(example(name), kinds="compact", **long)
    assert "W" * MOST_LETTERS not in first
    assert "…" in first
