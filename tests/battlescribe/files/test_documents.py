"""Lists of a game's files survive being written down: the same document, numbers and findings."""

import json
from pathlib import Path
from random import Random

import pytest

from armybuilder.battlescribe.files.documents import (
    books_of,
    document_of,
    game_name,
    pick_list,
)
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import PickList
from armybuilder.loading.documents import canonical, hash_of
from armybuilder.loading.forcelist import MAX_DEEP, ForceList, check_force_list, read_force_list
from armybuilder.loading.problems import Refusal
from tests.battlescribe.files.random_lists import GAMES, game_in, random_list
from tests.battlescribe.files.specs import Run, game_of, read_spec
from tests.battlescribe.files.test_specs import OWN

KEY = "ab" * 32
#: Games that are read within a second.
FEW = [path for path in GAMES if path.stem in ("kingsofwar", "TrenchCrusade")]
not_here = pytest.mark.skipif(not GAMES, reason="community files of games are not here")


def written(roster: PickList, game: GameFiles) -> ForceList:
    return document_of(roster, "A list", game_name(KEY, game), "Notes")


def breaches_and_costs(roster: PickList, game: GameFiles) -> list[tuple[object, ...]]:
    evaluation = Evaluation(roster)
    found = [
        (breach.why, breach.node.definition.key, breach.measured, breach.allowed)
        for breach in evaluation.breaches
    ]
    costs = [(cost.id, evaluation.spent(cost.id)) for cost in game.system.all("costTypes")]
    return [*sorted(map(tuple, map(repr, found))), *costs]


def assert_survives(roster: PickList, game: GameFiles) -> None:
    document = written(roster, game)
    read = read_force_list(json.dumps(document.to_dict()).encode())
    assert read == document
    assert canonical(read) == canonical(document)
    resolved = pick_list(read, game, books_of(game))
    assert written(resolved.roster, game) == document
    assert breaches_and_costs(resolved.roster, game) == breaches_and_costs(roster, game)


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_lists_of_specs_survive(path: Path) -> None:
    run = Run(read_spec(path))
    assert_survives(run.editor.roster, run.game)


@not_here
@pytest.mark.parametrize("path", FEW, ids=lambda path: path.stem)
def test_random_lists_of_games_survive(path: Path) -> None:
    game = game_in(path)
    for seed in range(3):
        editor = random_list(game, Random(seed))  # noqa: S311
        if editor is not None:
            assert_survives(editor.roster, game)


def an_army() -> Run:
    return Run(read_spec(next(path for path in OWN if path.stem == "forces-within-forces")))


def test_what_the_files_have_no_longer_keeps_its_name_and_what_is_on_it() -> None:
    run = an_army()
    document = written(run.editor.roster, run.game)
    spec = dict(run.spec)
    spec["setup"] = {**spec["setup"], "catalogues": [{"id": "book"}]}
    game = game_of(spec)
    resolved = pick_list(document, game)
    assert list(dict.fromkeys(stray.name for stray in resolved.strays)) == [
        "Squad",
        "Troop",
        "Chief",
    ]
    assert written(resolved.roster, game) == document
    assert len(Evaluation(resolved.roster).breaches) >= len(resolved.strays)


def test_a_force_of_a_catalogue_that_is_gone_stays() -> None:
    run = an_army()
    document = written(run.editor.roster, run.game)
    spec = dict(run.spec)
    spec["setup"] = {**spec["setup"], "catalogues": [{"id": "another"}]}
    game = game_of(spec)
    resolved = pick_list(document, game)
    assert resolved.strays[0].name == "Army"
    assert written(resolved.roster, game) == document
    assert Evaluation(resolved.roster).breaches


def a_document() -> dict[str, object]:
    run = an_army()
    return written(run.editor.roster, run.game).to_dict()


def places(data: object) -> list[str]:
    with pytest.raises(Refusal) as refused:
        check_force_list(data)
    return [problem.pointer for problem in refused.value.problems]


def test_mistakes_are_reported_by_their_place() -> None:
    data = a_document()
    forces = data["forces"]
    assert isinstance(forces, list)
    forces[0]["picks"][0]["number"] = -1
    forces[0]["picks"][1]["id"] = "half an id"
    assert places(data) == ["/forces/0/picks/0/number", "/forces/0/picks/1/id"]
    assert places({**data, "forces": [], "limits": {"pts": 1.5}}) == ["/limits/pts"]


def test_a_duplicate_id_is_refused() -> None:
    data = a_document()
    forces = data["forces"]
    assert isinstance(forces, list)
    forces[0]["picks"][1]["id"] = forces[0]["picks"][0]["id"]
    assert places(data) == ["/forces/0/picks/1"]


def test_what_is_nested_too_deeply_or_too_much_is_refused() -> None:
    data = a_document()
    forces = data["forces"]
    assert isinstance(forces, list)
    inner = {"id": "deep", "entry": "x", "name": "X"}
    for number in range(MAX_DEEP + 1):
        inner = {"id": f"on-{number}", "entry": "x", "name": "X", "picks": [inner]}
    forces[0]["picks"] = [inner]
    assert len(places(data)) == 1
    forces[0]["picks"] = [{"id": f"p{n}", "entry": "x", "name": "X"} for n in range(3001)]
    assert places(data) == ["/forces/0/picks"]


def test_equal_lists_have_equal_hashes() -> None:
    data = a_document()
    assert hash_of(check_force_list(data)) == hash_of(
        check_force_list(dict(reversed(data.items())))
    )
