"""Texts of lists of a community's files: the game they name, and the list that they hold."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from armybuilder.battlescribe.files.documents import document_of, game_name, pick_list
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.showing import Shown
from armybuilder.battlescribe.files.view import ListView, PickLine, view_of
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.names import simple
from armybuilder.exchange.pasting.file_lists import (
    GameTitles,
    ReadText,
    game_of_text,
    read_file_text,
    spellings,
)
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.file_lists import FileList, sheet_of
from armybuilder.sheets.texts.file_lists import FILE_FORMS
from tests.battlescribe.files.random_lists import game_in, random_list
from tests.battlescribe.files.small_game import small_game, small_list
from tests.battlescribe.files.test_statement import TRIED, not_here
from tests.effort import scaled
from tests.sheets.papers import DAY

KEY = "ab" * 20


@pytest.fixture(scope="module")
def game() -> GameFiles:
    return small_game()


def read(text: str, game: GameFiles) -> ReadText:
    return read_file_text(text, game, game_name(KEY, game))


def view(document: ForceList, game: GameFiles) -> ListView:
    return view_of(game, Evaluation(pick_list(document, game).roster))


def text_of(document: ForceList, game: GameFiles, form: str = "compact") -> str:
    shown = view(document, game)
    sheet = sheet_of(shown, document.name, DAY, "abcdef0123", document.notes)
    return FILE_FORMS[form].draw(FileList(shown, sheet))


def picked(shown: ListView) -> list[object]:
    """What a list holds, in words: forces, and what is taken in them, in no order."""
    return [
        (force.name, force.book, force.own, [in_order(unit.pick) for unit in force.units])
        for force in shown.all_forces
    ]


def in_order(pick: PickLine) -> PickLine:
    return replace(pick, below=tuple(sorted(map(in_order, pick.below), key=repr)))


def test_our_own_text_comes_back_as_the_same_list(game: GameFiles) -> None:
    document = document_of(small_list(game).roster, "Quay patrol", game_name(KEY, game), "Dice.")
    for form in ("compact", "discord"):
        back = read(text_of(document, game, form), game)
        if form == "compact":
            assert back.told == ()
            assert (back.document.name, back.document.notes) == ("Quay patrol", "Dice.")
            assert picked(view(back.document, game)) == picked(view(document, game))
        assert [unit.pick.models for unit in view(back.document, game).units] == [1, 10, 0]


@pytest.mark.parametrize(
    "text",
    [
        # BattleScribe's.
        "++ Fleet (Gull Company) [125pts] ++\n\n+ Captains +\n\nCaptain [45pts]: Cutlass\n\n"
        "+ Crews +\n\nDock Crew [80pts]: Banner\n. 10x Deck Hand: 10x Boat Hook\n",
        # New Recruit's.
        "# ++ Army Roster ++ [125 pts]\nHarbour Wars - Gull Company\n## Captains [45 pts]\n"
        "Captain [45 pts]: Melee: Cutlass\n## Crews [80 pts]\nDock Crew [90 pts]: Banner\n"
        "• 10x Deck Hand: 10x Boat Hook\n",
        # A player's, with numbers before names.
        "Gull Company\n\n1 Captain - 45 pts, Cutlass\n10 Dock Crew, Banner, 10 Boat Hook\n",
        # Options on lines of their own.
        "Gull Company (Harbour Wars)\nCAPTAIN (45 pts)\n- 1x cutlass\nDock Crew (90 points)\n"
        "• Banner\n• 10x Deck Hand\n  • 10 with Boat Hook\n",
    ],
    ids=["battlescribe", "newrecruit", "player", "lines"],
)
def test_texts_of_others_name_units_and_options_without_what_sorts_them(
    text: str, game: GameFiles
) -> None:
    captain, crew = view(read(text, game).document, game).units
    assert [one.name for one in captain.pick.below] == ["Melee: Cutlass"]
    assert {one.name: one.number for one in crew.pick.below} == {"CG: Banner": 1, "Deck Hand": 10}
    (hands,) = crew.pick.lines
    assert [(one.name, one.number) for one in hands.below] == [("Boat Hook", 10)]


def test_spaces_of_names_may_be_any(game: GameFiles) -> None:
    text = "Gull Company\nDock\u00a0Crew [90 pts]:  CG:  Banner\n•  10x  Deck   Hand\n"
    (crew,) = view(read(text, game).document, game).units
    assert {one.name: one.number for one in crew.pick.below} == {"CG: Banner": 1, "Deck Hand": 10}


def test_what_is_not_understood_is_reported(game: GameFiles) -> None:
    text = "Gull Company\nCaptain: Cutlass, Parrot\nSea Serpent [200 pts]\nDock Crew\n"
    back = read(text, game)
    assert back.told == (
        "Not understood: Captain: Parrot",
        "Not understood: Sea Serpent [200 pts]",
    )
    with pytest.raises(Refusal, match="No unit of Harbour Wars was found"):
        read("Something else\nentirely", game)


TITLES = (
    GameTitles("kings", "Kings of War: 3rd Edition", ("(Good) Northern Alliance",)),
    GameTitles("third", "The 9th Age", ("Beast Herds (Public Test - Hotfix 2)", "Dread Elves")),
    GameTitles("forty", "Warhammer 40,000 10th Edition", ("Imperium - Space Marines",)),
)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("My list\n3000 points\nThe 9th Age: Beast Herds\n300 - 30 Wildhorns", "third"),
        ("Beast Herds\n300 - 30 Wildhorns", "third"),
        ("++ Army Roster (Imperium - Space Marines) [2000pts] ++\nCaptain", "forty"),
        ("Space Marines\nWarhammer 40,000 10th Edition", "forty"),
        ("Northern Alliance 2000", "kings"),
        ("Highborn Elves\n300 - 30 Spears", None),
    ],
)
def test_a_text_names_its_game_and_its_book(text: str, key: str | None) -> None:
    named = game_of_text(text, TITLES)
    assert (named.key if named else None) == key


@not_here
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_texts_of_random_lists_come_back_where_names_are_unambiguous(path: Path) -> None:
    game = game_in(path)
    for number in range(scaled(2, 4, 6)):
        editor = random_list(game, Random(number))  # noqa: S311
        if editor is None or is_ambiguous(editor.evaluation):
            continue
        document = document_of(editor.roster, "A list", game_name(KEY, game))
        back = read(text_of(document, game), game)
        assert picked(view(back.document, game)) == picked(view(document, game)), number


def is_ambiguous(evaluation: Evaluation) -> bool:
    """Whether something is picked that shares its name, as readers know it, with what is beside,
    or whose name begins otherwise by what else is picked.
    """
    shown = Shown(evaluation)
    for node in evaluation.nodes():
        if not simple(shown.name(node)).startswith(simple(node.definition.name)):
            return True
        above = node.above.definition if node.above else node.definition
        beside = [one for one in above.offered if not one.is_as(node.definition)]
        own = read_as(node.definition.name)
        if any(own & read_as(one.name) for one in beside):
            return True
    return False


def read_as(name: str) -> set[str]:
    return set(map(simple, spellings(name)))
