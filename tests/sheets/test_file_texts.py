"""Lists of a community's files as text."""

import re

import pytest

from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.documents import books_of
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.battlescribe.files.view import view_of
from armybuilder.sheets.content.file_lists import FileList, sheet_of
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.kinds.file_lists import print_file_list
from armybuilder.sheets.texts.file_lists import FILE_FORMS
from tests.battlescribe.files.small_game import small_game, small_list
from tests.kept_games.files import game_set
from tests.pages.forces.armies import squads
from tests.pdfs import text_of
from tests.sheets.papers import DAY


@pytest.fixture(scope="module")
def drawn() -> FileList:
    game = small_game()
    view = view_of(game, small_list(game).evaluation)
    return FileList(view, sheet_of(view, "Quay patrol", DAY, "abcdef0123", "Bring dice."))


def test_the_plain_text_is_that_of_other_army_builders(drawn: FileList) -> None:
    assert FILE_FORMS["compact"].draw(drawn) == (
        "Quay patrol\n"
        "Legal.\n"
        "138 of 200 pts, 1 Crates, 11 models, #abcdef0123\n"
        "Harbour Wars: Gull Company, revision 7\n"
        "\n"
        "++ Fleet (Gull Company) [138 pts, 1 Crates] ++\n"
        "\n"
        "+ Captains +\n"
        'Captain “Old Maud” [48 pts, 1 Crates]: Ranged: Pistol (12")\n'
        "  Notes: Blue coat.\n"
        "\n"
        "+ Crews +\n"
        "Dock Crew [90 pts]: CG: Banner\n"
        "• 10x Deck Hand: 10x Boat Hook\n"
        "\n"
        "Tide: Ebb\n"
        "\n"
        "Notes: Bring dice.\n"
    )


def test_posts_have_marks_and_say_as_much_as_is_wanted(drawn: FileList) -> None:
    post = FILE_FORMS["markdown"].draw(drawn)
    assert "# Quay patrol\n\n**Legal.**" in post
    assert r"- **Dock Crew \[90 pts\]**: CG: Banner" in post
    assert '  - Captain: Move 6"  Fight 5+' in post
    assert "  - Special rules: Stubborn" in post
    brief = FILE_FORMS["discord"].draw(drawn)
    assert len(brief) < 500
    assert "Move" not in brief
    assert "Blue coat" not in brief
    assert "[b]Dock Crew" in FILE_FORMS["bbcode"].draw(drawn)


def test_a_list_that_is_not_legal_says_so_in_every_text() -> None:
    game = small_game()
    editor = small_list(game)
    editor.remove(editor.roster.forces[0].below[0].id)
    view = view_of(game, editor.evaluation, Teller(game, editor.evaluation).findings)
    drawn = FileList(view, sheet_of(view, "", DAY, "abcdef0123"))
    for form in FILE_FORMS.values():
        assert "Not legal yet: 1 to do." in form.draw(drawn)
    assert "TO DO: Captains: 0 in Fleet; the minimum is 1." in FILE_FORMS["compact"].draw(drawn)


def test_a_list_of_a_game_without_models_tells_none() -> None:
    game = small_game()
    editor = small_list(game)
    captain, crew, _tide = editor.roster.forces[0].below
    editor.remove(captain.id)
    editor.remove(crew.id)
    view = view_of(game, editor.evaluation)
    text = FILE_FORMS["compact"].draw(FileList(view, sheet_of(view, "", DAY, "abcdef0123")))
    assert "models" not in text


@pytest.mark.parametrize(("costs", "price"), [("", ""), ("<costTypes>", "0 pts")])
def test_an_empty_list_costs_nothing_or_has_no_cost_at_all(costs: str, price: str) -> None:
    gone = rb"<costTypes>.*?</costTypes>" if not costs else rb"no such thing"
    found = game_set({name: re.sub(gone, b"", raw) for name, raw in squads().items()})
    game = GameFiles(found.members(), found.system.id)
    builder = ListBuilder(game, books_of(game))
    builder.start_force("pond", "raft")
    view = view_of(game, builder.evaluation)
    drawn = FileList(view, sheet_of(view, "", DAY, "abcdef0123"))
    assert drawn.sheet.price == price
    assert "point" not in FILE_FORMS["compact"].draw(drawn)
    assert "point" not in text_of(print_file_list(drawn, Setup()))
