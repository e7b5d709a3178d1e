"""Sheets of lists of a community's files: all that they show is on the paper, nothing is cut."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from pypdf import PdfReader

from armybuilder.battlescribe.files.telling import Teller
from armybuilder.battlescribe.files.view import ListView, view_of
from armybuilder.sheets.content.file_lists import FileList, sheet_of
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.kinds.file_lists import FILE_KINDS, print_file_list
from tests.battlescribe.files.random_lists import game_in, random_list
from tests.battlescribe.files.small_game import small_game, small_list
from tests.battlescribe.files.test_statement import TRIED, not_here
from tests.pdfs import bookmarks, text_of
from tests.sheets import finished
from tests.sheets.finished import squeezed
from tests.sheets.papers import DAY

pytestmark = pytest.mark.long

#: The least size of letters in points, rounded as fonts are.
LEAST = 6.9


def printed(view: ListView, kind: str, **fields: object) -> bytes:
    sheet = sheet_of(view, "Quay patrol", DAY, "abcdef0123", "Bring dice.")
    return print_file_list(FileList(view, sheet), Setup(kinds=(kind,), **fields))


@pytest.fixture(scope="module")
def view() -> ListView:
    game = small_game()
    return view_of(game, small_list(game).evaluation)


def test_a_roster_sheet_has_head_units_profiles_and_rules(view: ListView) -> None:
    pdf = printed(view, "full")
    text = text_of(pdf)
    for part in (
        "Quay patrol 138 of 200 pts, 1 Crates, 11 models Harbour Wars",
        "revision 3 · Gull Company, revision 7",
        "Legal.",
        "Fleet · Gull Company · 138 pts, 1 Crates",
        "Old Maud · Captain 48 pts, 1 Crates",
        'Ranged: Pistol (12")',
        'Fighter Move Fight Captain 6" 5+',
        "Ability Bellow",
        "Blue coat.",
        "10 Deck Hand Boat Hook",
        "Tide: Ebb",
        "Bellow Every crew in six inches hears the captain and may move again at once.",
        "Stubborn This crew holds the quay. It never runs. The Harbour Book, page 12",
        "Bring dice.",
    ):
        assert part in text, part
    assert pdf == printed(view, "full")
    reader = PdfReader(BytesIO(pdf))
    assert reader.metadata.subject == "Harbour Wars, 138 of 200 pts, 1 Crates. Legal."
    marks = [mark.title for mark in bookmarks(reader.outline)]
    assert marks[:3] == ["Fleet · Gull Company · 138 pts, 1 Crates", "Captains", "Old Maud"]


def test_a_points_list_has_no_profiles_and_frames_have_the_texts_of_their_unit(
    view: ListView,
) -> None:
    brief, frames = text_of(printed(view, "compact")), text_of(printed(view, "cards"))
    assert "10 Deck Hand Boat Hook" in brief
    assert "Fight" not in brief
    captain, crew = frames.split("Dock Crew")
    assert "Every crew in six inches" in captain
    assert "This crew holds the quay." in crew


def test_a_preset_leaves_out_prices_and_notes(view: ListView) -> None:
    text = text_of(printed(view, "full", prices=False, notes=False))
    assert "48 pts" not in text
    assert "138 of 200 pts" in text
    assert "Blue coat." not in text
    assert "Bring dice." not in text


def test_others_print_names_of_rules_alone(view: ListView) -> None:
    for kind in FILE_KINDS:
        text = text_of(printed(view.without_texts(), kind))
        assert "holds the quay" not in text
        assert "hears the captain" not in text


@not_here
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_all_that_a_real_list_shows_is_on_the_paper(path: Path) -> None:
    seeds = (Random(number) for number in range(9))  # noqa: S311
    editor = next(filter(None, (random_list(game_in(path), seed, 8) for seed in seeds)))
    found = Teller(editor.game, editor.evaluation).findings
    view = view_of(editor.game, editor.evaluation, found)
    names = [squeezed(part) for part in _parts(view)]
    for kind, paper in (("full", "A4"), ("compact", "A5"), ("cards", "letter")):
        pages = finished.read(printed(view, kind, paper=paper))
        letters = "".join(page.squeezed for page in pages)
        for page in pages:
            room = finished.margins(page, 1, False)
            assert finished.flaws(page, room) == []
            assert all(text.size >= LEAST for text in page.texts)
        for name in names if kind == "full" else ():
            assert name in letters


def _parts(view: ListView) -> Iterator[str]:
    """Yield all that the paper must say, each as it stands in a cell or a line of its own."""
    for unit in view.units:
        yield unit.pick.own or unit.pick.name
        yield from unit.keywords
        for table in unit.tables:
            yield from (table.type, *table.columns)
            yield from (cell for row in table.rows for cell in row)
        for named in unit.named:
            yield from named.names
    for rule in view.rules:
        for _column, text in rule.texts:
            yield from text.split("\n")
    yield from (finding.sentence for finding in view.findings)
