"""Rosters of a community's files: what is written is read back, by native ids; foreign ones say
which game and which revisions they are of.
"""

import io
import json
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest

from armybuilder.battlescribe.files.documents import document_of, game_name, pick_list
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import read_element
from armybuilder.battlescribe.files.roster_files import (
    RosterHead,
    best_game,
    read_roster,
    write_roster,
)
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.battlescribe.files.view import view_of
from armybuilder.battlescribe.rosters.writing import zipped
from armybuilder.engine.kernel.branches import Why
from armybuilder.engine.kernel.picks import PickList
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.problems import Refusal
from tests.battlescribe.files.random_lists import game_in, random_list
from tests.battlescribe.files.small_game import CATALOGUE, SYSTEM, small_game, small_list
from tests.battlescribe.files.test_statement import TRIED, not_here
from tests.effort import scaled

KEY = "ab" * 20


def written(game: GameFiles, roster: PickList, notes: str = "Bring dice.") -> ForceList:
    return document_of(roster, "Quay patrol", game_name(KEY, game), notes)


def assert_there_and_back(game: GameFiles, document: ForceList) -> None:
    xml = write_roster(document, game)
    read = read_roster(read_element(zipped(xml, "list")), game, document.game)
    assert read == (document, ())
    assert write_roster(read.document, game) == xml


def test_a_list_goes_out_and_comes_back_the_same() -> None:
    game = small_game()
    editor = small_list(game)
    assert_there_and_back(game, written(game, editor.roster, "Line one.\nLine <two>."))
    editor.set_limit("pts", -1)
    editor.set_limit("crates", 3)
    assert_there_and_back(game, written(game, editor.roster))


def test_a_limit_of_nothing_in_the_files_is_none_until_the_player_sets_it() -> None:
    game = small_game(SYSTEM.replace('defaultCostLimit="200"', 'defaultCostLimit="0"'))
    editor = small_list(game)
    for limit, wrong in ((0, True), (-1, False)):
        editor.set_limit("pts", limit)
        document = written(game, editor.roster)
        assert_there_and_back(game, document)
        assert any(one.why is Why.LIMIT for one in editor.evaluation.breaches) is wrong
    unsaid = ForceList.from_dict({**document.to_dict(), "limits": {}})
    assert pick_list(unsaid, game).roster.limits["pts"] == -1


def test_costs_of_a_catalogue_are_counted_limited_and_carried() -> None:
    costs = '<costTypes><costType id="rum" name="Rum" hidden="false"/></costTypes>'
    barrel = '<cost name="Rum" typeId="rum" value="3"/><cost name=" pts" typeId="pts" value="40"/>'
    catalogue = CATALOGUE.replace("<selectionEntries>", f"{costs}<selectionEntries>", 1)
    catalogue = catalogue.replace('<cost name=" pts" typeId="pts" value="40"/>', barrel)
    game = small_game(catalogue=catalogue)
    editor = small_list(game)
    editor.set_limit("rum", 2)
    document = written(game, editor.roster)
    assert 'name="Rum" typeId="rum" value="3"' in write_roster(document, game)
    assert_there_and_back(game, document)
    found = Teller(game, editor.evaluation).findings
    assert [one.sentence for one in found] == ["The list costs 3 Rum; the maximum is 2."]
    shown = [cost.of_limit for cost in view_of(game, editor.evaluation).costs]
    assert "3 of 2 Rum" in shown


def test_equal_lists_give_equal_files() -> None:
    game = small_game()
    xml = write_roster(written(game, small_list(game).roster), game)
    raw = zipped(xml, "list")
    assert raw == zipped(xml, "list")
    with ZipFile(io.BytesIO(raw)) as archive:
        assert archive.namelist() == ["list.ros"]


def test_what_the_files_lack_stays_in_the_list_and_is_named() -> None:
    game = small_game()
    document = written(game, small_list(game).roster)
    older = small_game(SYSTEM, CATALOGUE.replace('id="banner"', 'id="flag"'))
    xml = write_roster(document, game)
    read = read_roster(read_element(xml.encode()), older, document.game)
    assert read.document == document
    assert read.told == ("Not in your files: CG: Banner.",)
    # Nor is a force lost whose catalogue is not there.
    other = small_game(SYSTEM, CATALOGUE.replace('id="gulls"', 'id="terns"'))
    read = read_roster(read_element(xml.encode()), other, document.game)
    assert read.document == document
    assert_there = read_roster(
        read_element(write_roster(read.document, other).encode()), other, document.game
    )
    assert assert_there.document == document


def test_a_roster_tells_its_game_and_other_revisions() -> None:
    game = small_game()
    document = written(game, small_list(game).roster)
    xml = write_roster(document, game)
    newer = small_game(
        SYSTEM.replace('revision="3"', 'revision="4"'),
        CATALOGUE.replace('revision="7"', 'revision="9"'),
    )
    root = read_element(xml.encode())
    head = RosterHead.of(root)
    assert head.words == "Harbour Wars, revision 3; Gull Company, revision 7"
    read = read_roster(root, newer, document.game)
    assert read.told == (
        "The list was made with revision 3 of Harbour Wars; your files have revision 4.",
        "The list was made with revision 7 of Gull Company; your files have revision 9.",
    )
    # Of several sets of files of a game the one of those revisions is taken.
    assert best_game(head, [newer, game]) is game
    assert best_game(head, [newer]) is newer
    foreign = small_game(
        SYSTEM.replace('"harbour"', '"other"'), CATALOGUE.replace('"harbour"', '"other"')
    )
    assert best_game(head, [foreign]) is None
    with pytest.raises(Refusal, match="The list is for Harbour Wars"):
        read_roster(root, foreign, document.game)


def test_a_roster_of_new_recruit_in_json_is_read() -> None:
    """In their form: numbers as numbers, selections in lists, more keys than ours."""
    roster = {
        "roster": {
            "name": "Patrol", "id": "x", "gameSystemId": "harbour",
            "gameSystemName": "Harbour Wars",
            "gameSystemRevision": 3, "generatedBy": "https://newrecruit.eu",
            "costs": [{"name": " pts", "typeId": "pts", "value": 40}],
            "costLimits": [{"name": " pts", "typeId": "pts", "value": 500}],
            "forces": [{
                "id": "f", "name": "Fleet", "entryId": "fleet", "catalogueId": "gulls",
                "catalogueName": "Gull Company", "catalogueRevision": 7,
                "selections": [
                    {"id": "a", "name": "Captain", "entryId": "captain", "number": 1,
                     "type": "model",
                     "customName": "Maud",
                     "categories": [{"id": "z", "entryId": "captains"}],
                     "selections": [{"id": "a", "name": "Cutlass", "entryId": "cutlass",
                                     "entryGroupId": "arms", "number": 1, "type": "upgrade"}]},
                ],
            }],
        }
    }  # fmt: skip
    game = small_game()
    read = read_roster(read_element(json.dumps(roster).encode()), game, game_name(KEY, game))
    assert read.told == ()
    (captain,) = read.document.forces[0].picks
    assert (captain.entry, captain.custom_name) == ("captain", "Maud")
    # An id that is taken is another one.
    assert [pick.id for pick in captain.walk()] == ["a", "r1"]
    assert read.document.limits["pts"] == 500


@not_here
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_random_lists_of_real_games_go_out_and_come_back_the_same(path: Path) -> None:
    game = game_in(path)
    for number in range(scaled(3, 8, 20)):
        editor = random_list(game, Random(number))  # noqa: S311
        if editor is not None:
            assert_there_and_back(game, written(game, editor.roster))
