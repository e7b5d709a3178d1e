"""Shapes that files of other games have, in files of our own: theatres of war as forces, squads of
men taken one by one, limits that count in a category, rules without a name at their place.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from armybuilder.battlescribe.books import pretty
from armybuilder.engine import validate
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import make_roster, read_document
from armybuilder.loading.library import Library, load_library
from tests.building.battlescribe import (
    CREWS,
    ENGINES,
    book,
    categorised,
    change,
    crew,
    entry,
    force,
    game,
    group,
    group_of,
    limit,
    link,
    made,
    models,
    node,
    price,
    when,
)
from tests.building.documents import list_of
from tests.building.tiny import take

DELTA, CANAL = "ffff-0000-0000-0011", "ffff-0000-0000-0012"
SQUAD, RULE = "abab-0000-0000-0011", "abab-0000-0000-0012"


def squad() -> str:
    """Return a squad: its leader is a model among the options, its men are options by number."""
    leader = entry("Leader", limit("min", 1), limit("max", 1), price(15), type_="model")
    men = entry("Man", limit("min", 2), limit("max", 9), price(8))
    members = group("Members", limit("min", 3), limit("max", 10), leader, men)
    return entry("Squad", members, type_="unit", id_=SQUAD)


def theatres() -> str:
    """Return a book with two forces; one of its units is there in one of them only."""
    shows = change("set", "hidden", "false", when(DELTA, "instanceOf", 1, "force"))
    hidden = link(SQUAD, "Squad", categorised(CREWS, "true"), shows)
    roots = group_of("entryLinks", [hidden.replace('hidden="false"', 'hidden="true"', 1)])
    rule = f'<rule id="{RULE}" name="Steady hands" hidden="false"/>'
    nameless = f'<infoLink id="i" hidden="false" targetId="{RULE}" type="rule"/>'
    primary = change("set-primary", "category", ENGINES, when(CANAL, "instanceOf", 1, "force"))
    counted = limit("max", 1).replace('scope="parent"', f'scope="{CREWS}"')
    guard = crew("Guard", models(2, 6, 10), nameless, primary, counted)
    many = categorised(CREWS, "false", limit("max", 50.0, "roster", "share"))
    forces = [
        force("Delta", categorised(CREWS), categorised(ENGINES), id_=DELTA),
        force("Canal", many, categorised(ENGINES), id_=CANAL),
    ]
    more = group_of("forceEntries", forces) + roots
    more += group_of("sharedSelectionEntries", [squad()]) + group_of("sharedRules", [rule])
    return book("Delta Folk", guard, more=more, id_="bbbb-0000-0000-0014")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    dummy = game().replace('name="Fleet" hidden="false"', 'name="None" hidden="true"')
    found = made(tmp_path / "files", game=dummy, theatres=theatres())
    assert [one.file for one in found.refused] == ["reeds.cat", "stones.cat"]
    folder = tmp_path / "catalogs/barge-wars"
    folder.mkdir(parents=True)
    (folder / "system.json").write_text(pretty(found.system), encoding="utf-8")
    for one in found.books:
        (folder / f"{one.book['id']}.json").write_text(pretty(one.book), encoding="utf-8")
    return load_library(tmp_path / "catalogs")


def units(tmp_path: Path) -> dict[str, Any]:
    file = tmp_path / "catalogs/barge-wars/delta-folk.json"
    return {unit["id"]: unit for unit in json.loads(file.read_text(encoding="utf-8"))["units"]}


def test_books_whose_game_has_no_force_to_show_are_refused_and_others_are_not(
    library: Library,
) -> None:
    assert library.problems == ()
    assert list(library.books["barge-wars"]) == ["delta-folk"]


def test_forces_are_ways_to_organise_that_units_may_ask_for(
    library: Library, tmp_path: Path
) -> None:
    assert units(tmp_path)["squad"]["needs"] == {"organisation": "delta"}
    # Three guards of six at 10 points each; a leader at 15 and two men at 8.
    assert told(library, "canal", squads=1) == [
        "Squad: not available, only in Delta.",
        "Crews: 211 points, 11 over the limit of 200.",
    ]
    assert told(library, "delta", squads=1) == []
    assert told(library, "canal", squads=0) == ["Crews: 240 points, 40 over the limit of 200."]


def told(library: Library, organisation: str, squads: int) -> list[str]:
    """Return what is said of four guards of six and some squads, in an organisation."""
    catalogue = library.catalogue("barge-wars", ["delta-folk"])
    men = [{"id": "leader"}, {"id": "man", "number": 2}]
    taken = [take("delta-folk/guard", 6)] * 4
    taken = taken[: 3 if squads else 4]
    taken += [take("delta-folk/squad", options=men)] * squads
    settings = {"organisation": organisation}
    data = list_of("barge-wars", ["delta-folk"], taken, limit=400, settings=settings)
    roster = make_roster(read_document(json.dumps(data).encode()), catalogue)
    return [sentence(found) for found in validate(roster, catalogue).findings]


def test_units_are_as_their_file_says(library: Library, tmp_path: Path) -> None:
    # Men taken one by one are options by number.
    found = units(tmp_path)["squad"]
    assert node(found, "members")["choose"] == [3, 10]
    assert node(found, "leader")["number"] == [1, 1]
    assert node(found, "man")["number"] == [2, 9]
    # What counts in a category and what moves the primary one is not checked.
    what = [one["what"] for one in units(tmp_path)["guard"]["unchecked"]]
    assert any(one.startswith("how many may be taken: the file has scope=") for one in what)
    assert any(one.startswith("whether it counts in Engines: the file has type=") for one in what)
    # A rule without a name at its place has its own.
    assert units(tmp_path)["guard"]["keywords"] == ["Steady hands"]
