"""A list goes over to a newer set of its game's files: nothing of it is lost, or changed unseen."""

from collections.abc import Mapping

from armybuilder.battlescribe.files.documents import Carried, books_of, carry, pick_list
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.loading.forcelist import ForceList, GameName, ListForce, ListPick
from tests.kept_games.files import SYSTEM, catalogue, game_set, otters, unit

NEWER = GameName("newer", "War of the Otters", SYSTEM)

SPEAR = (
    '<selectionEntries><selectionEntry id="{id}" name="{name}" type="upgrade"/></selectionEntries>'
)


def with_spears(id: str = "spear", name: str = "Spear") -> dict[str, bytes]:
    otter = unit("otter", "Otter", inside=SPEAR.format(id=id, name=name))
    return {**otters(), "River.cat": catalogue("River", otter, links=("pool",), revision=2)}


def a_list() -> ForceList:
    """Otters with a spear, and a newt."""
    spear = ListPick("p2", "spear", 1, "Spear")
    picks = (
        ListPick("p1", "otter", 3, "Otter", custom_name="Ottilie", picks=(spear,)),
        ListPick("p3", "newt", 1, "Newt"),
    )
    force = ListForce("f1", "raft", "Raft", "river", "River", "1", picks=picks)
    return ForceList("Mine", GameName("old", "War of the Otters", SYSTEM), forces=(force,))


def carried(document: ForceList, files: Mapping[str, bytes]) -> Carried:
    game = GameFiles(game_set(files).members())
    return carry(document, NEWER, game, books_of(game))


def strays(document: ForceList, files: Mapping[str, bytes]) -> list[str]:
    """What the files do not have of a list."""
    return [
        stray.name for stray in pick_list(document, GameFiles(game_set(files).members())).strays
    ]


def test_entries_with_the_same_id_move_to_the_newer_files() -> None:
    result = carried(a_list(), with_spears())
    assert (result.by_name, result.gone) == ([], [])
    assert result.document.game == NEWER
    (force,) = result.document.forces
    assert (force.catalogue, force.revision) == ("river", "2")
    assert force.picks == a_list().forces[0].picks
    assert strays(result.document, with_spears()) == []


def test_an_entry_with_another_id_is_matched_by_name_and_reported() -> None:
    files = with_spears("spear-2026")
    result = carried(a_list(), files)
    assert (result.by_name, result.gone) == (["Spear"], [])
    assert result.document.forces[0].picks[0].picks[0].entry == "spear-2026"
    assert strays(result.document, files) == []


def test_an_entry_that_is_gone_keeps_its_name_and_options() -> None:
    files = {**with_spears(), "River.cat": catalogue("River", unit("eel", "Eel"), links=("pool",))}
    result = carried(a_list(), files)
    assert result.gone == ["Otter", "Spear"]
    assert result.document.forces[0].picks[0] == a_list().forces[0].picks[0]
    assert strays(result.document, files) == ["Otter", "Spear"]


def test_a_catalogue_with_another_id_is_found_by_its_name_and_one_that_is_gone_told() -> None:
    files = with_spears()
    files["River.cat"] = files["River.cat"].replace(b'id="river"', b'id="river-2026"')
    result = carried(a_list(), files)
    assert (result.by_name, result.gone) == (["Raft"], [])
    assert result.document.forces[0].catalogue == "river-2026"
    del files["River.cat"]
    result = carried(a_list(), files)
    assert result.gone == ["Raft", "Otter", "Spear", "Newt"]
    assert result.document.forces == a_list().forces


def test_an_entry_is_not_matched_by_an_ambiguous_name() -> None:
    two = SPEAR.format(id="a", name="Spear") + SPEAR.format(id="b", name="Spear")
    files = {**otters(), "River.cat": catalogue("River", unit("otter", "Otter", inside=two))}
    assert carried(a_list(), files).gone == ["Spear", "Newt"]
