"""All that is on a unit's printed card is in the unit's pane, for random units of communities'
games.
"""

import datetime
import re
from pathlib import Path
from random import Random
from unicodedata import normalize

import pytest
from django.template.loader import render_to_string

from armybuilder.battlescribe.files.documents import books_of, document_of
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.html import EMPTY
from armybuilder.lists.drawn import DrawnOfFiles
from armybuilder.lists.worked_out import WorkedOut
from armybuilder.loading.forcelist import GameName
from armybuilder.pages.forces.units import ListWords, UnitViewer
from armybuilder.sheets.content.file_lists import FileList
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.kinds.file_lists import print_file_list
from tests.battlescribe.files.random_lists import GAMES, game_in, random_list
from tests.effort import THOROUGH, scaled
from tests.kept_games.files import game_set
from tests.pages.forces.armies import squads
from tests.pdfs import text_of as pdf_text
from tests.uploads.files import text_of

#: Games of which `make thorough` tries units, besides small ones.
TRIED = [path for path in GAMES if THOROUGH or path.stem in ("kingsofwar", "TrenchCrusade")]
#: What every sheet says of itself.
HEADINGS = "Player Team Event Round Table Cards Units Rules explained continued Checked on page of"
#: A number that is in a field, where it can be changed.
NUMBER = re.compile(r'type="number"[^>]* value="(\d+)"')
DAY = datetime.date(2026, 1, 1)


def words_of(text: str) -> set[str]:
    """Return the words and figures of a text."""
    return set(re.findall(r"\w+", normalize("NFKC", text).casefold()))


def list_of_one(game: GameFiles, random: Random) -> WorkedOut | None:
    """Return a list of one random unit, and what comes with it."""
    editor = random_list(game, random, units=1)
    if editor is None:
        return None
    name = GameName("0" * 64, "Game", game.system.id)
    evaluation = Evaluation(editor.roster)
    document = document_of(editor.roster, "Onelist", name)
    return WorkedOut(document, game, books_of(game), editor.roster, (), evaluation)


def panes(one: WorkedOut) -> str:
    """Return what the panes of all units of a list say."""
    viewer = UnitViewer(ListWords(one), one.told, EMPTY, "")
    texts = []
    for branches in one.evaluation.branches.values():
        for branch in branches:
            unit = viewer.view(branch.root)
            body = render_to_string("forces/_unit_body.html", {"unit": unit, "id": unit["id"]})
            texts += [
                unit["name"],
                unit["points"],
                unit["notes"],
                text_of(body),
                *NUMBER.findall(body),
            ]
    return " ".join(texts)


def head_of(printed: FileList) -> str:
    """Return what is at the top of a sheet, and the headings of cards."""
    sheet = printed.sheet
    costs = " ".join(cost.of_limit for cost in printed.view.costs)
    head = f"{sheet.title} {sheet.system} {sheet.verdict} {sheet.price} {sheet.models} {sheet.day}"
    return f"{HEADINGS} {head} {costs} {' '.join(sheet.editions)} {sheet.hash}"


def missing_of(one: WorkedOut) -> set[str]:
    """Return the words of a list's cards that are in no pane of it."""
    printed = DrawnOfFiles(document=one.document, work=lambda: one, day=DAY).files
    cards = pdf_text(print_file_list(printed, Setup(kinds=("cards",))))
    return words_of(cards) - words_of(panes(one)) - words_of(head_of(printed))


def assert_all_shown(game: GameFiles, number: int) -> None:
    for seed in range(number):
        one = list_of_one(game, Random(seed))  # noqa: S311
        if one is not None:
            assert missing_of(one) == set(), seed


def test_the_pane_of_a_small_games_unit_has_all_of_its_card() -> None:
    found = game_set(squads())
    assert_all_shown(GameFiles(found.members(), found.system.id), 10)


@pytest.mark.skipif(not GAMES, reason="the communities' files are not here")
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_the_pane_of_a_unit_has_all_of_its_card(path: Path) -> None:
    assert_all_shown(game_in(path), scaled(3, 20, 60))
