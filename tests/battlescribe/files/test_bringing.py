"""What somebody brings is taken apart into games; what is none is refused with its reason."""

import pytest

from armybuilder.battlescribe.files import bringing, surveying
from armybuilder.battlescribe.files.books import FileBook
from armybuilder.battlescribe.files.bringing import take_apart
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.surveying import GameSurvey
from armybuilder.loading.problems import Refusal
from tests.kept_games.files import (
    catalogue,
    game_set,
    json_catalogue,
    otters,
    system,
    unit,
    zipped,
)


def test_a_zip_and_its_files_one_by_one_in_any_order_are_one_game() -> None:
    files = list(otters().items())
    (packed,) = take_apart([("a.zip", zipped(otters()))]).games
    (of_all,) = take_apart([("otters.bsr", zipped(otters(), ""))]).games
    (loose,) = take_apart(reversed(files)).games
    assert packed.key == of_all.key == loose.key == game_set().key
    assert packed.system.get("name") == "War of the Otters"


def test_two_games_in_one_zip_are_two() -> None:
    other = {
        "Moles.gst": system("Moles", "sys-moles"),
        "Hill.cat": catalogue("Hill", of="sys-moles"),
    }
    brought = take_apart([("a.zip", zipped({**otters(), **other}, comment="801555b"))])
    assert sorted(game.system.get("name") for game in brought.games) == [
        *("Moles", "War of the Otters"),
    ]
    assert brought.comment == "801555b"
    assert brought.dated is not None


def test_json_and_xml_mix_and_other_files_are_passed_over() -> None:
    files = {
        **otters(),
        "Lake.json": json_catalogue("Lake"),
        "package.json": b'{"name": "x"}',
        "README.md": b"#",
    }
    brought = take_apart([("a.zip", zipped(files))])
    assert brought.refused == []
    assert brought.others == ["otters-main/README.md", "package.json"]
    survey = GameSurvey(GameFiles(brought.games[0].members()))
    assert [one["name"] for one in survey.report()["catalogues"]] == ["Lake", "River", "Sea"]


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (catalogue("Hill", of="sys-moles"), "The game system is missing"),
        (catalogue("Hill", version="2.01"), "BattleScribe 2.01, which we can’t read"),
        (catalogue("Hill", version="1.15b"), "BattleScribe 1.15b, which we can’t read"),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><catalogue id='&a;'/>", "The file defines entities"),
        (b"<catalogue", "is not a complete XML file"),
        (b'{"catalogue": {', "is not a complete JSON file"),
        (b"<roster id='x'/>", "This is an army list"),
        (b"<catalogue/>", "The file has no id"),
    ],
)
def test_a_file_that_cannot_be_taken_is_refused_and_the_others_go_on(file: bytes, why: str) -> None:
    brought = take_apart([*otters().items(), ("Hill.cat", file)])
    ((name, told),) = brought.refused
    assert name == "Hill.cat"
    assert why in told
    assert len(brought.games[0].files) == 4


def test_a_game_without_catalogues_and_a_second_system_of_one_id_are_refused() -> None:
    told = dict(take_apart([("A.gst", system()), ("B.gst", system())]).refused)
    assert told["B.gst"] == "The file has the same id as A.gst."
    assert "No catalogue among the files" in told["A.gst"]


def test_catalogues_of_one_id_are_told_apart_by_their_names() -> None:
    files = {**otters(), "Delta.cat": catalogue("Delta", unit("frog", "Frog"), id="river")}
    found = game_set(files)
    game = GameFiles(found.members(), found.system.id)
    report = GameSurvey(game).report()
    assert [one["name"] for one in report["catalogues"]] == ["Delta", "River", "Sea"]
    ids = {one["name"]: one["id"] for one in report["catalogues"]}
    assert [root.name for root in FileBook(game, ids["Delta"]).roots] == ["Frog"]


def test_files_of_format_2_02_offer_what_the_catalogues_do_that_they_link_to() -> None:
    files = otters()
    for version, offered in (("2.02", ["Newt", "Otter"]), ("2.03", ["Otter"])):
        river = catalogue("River", unit("otter", "Otter"), links=("pool",), version=version)
        files["River.cat"] = river.replace(b' importRootEntries="true"', b"")
        book = FileBook(GameFiles(game_set(files).members()), "river")
        assert sorted(root.name for root in book.roots) == offered


def test_a_missing_library_is_reported_and_the_catalogue_opens() -> None:
    files = otters()
    del files["Pool.cat"]
    found = game_set(files)
    report = GameSurvey(GameFiles(found.members())).report()
    assert [one["missing"] for one in report["catalogues"]] == [["pool"], ["pool"]]
    assert [one["units"] for one in report["catalogues"]] == [1, 1]


def test_words_and_changes_of_a_category_cost_no_catalogue() -> None:
    files = otters()
    told = b'<categoryEntry id="core" name="Core" hidden="false"><description>Many.</description>'
    hidden = b'<modifiers><modifier type="set" field="hidden" value="false"/></modifiers>'
    files["Otters.gst"] = files["Otters.gst"].replace(
        b'<categoryEntry id="core" name="Core"/>', told + hidden + b"</categoryEntry>"
    )
    groups = b"<modifierGroups><modifierGroup>" + hidden + b"</modifierGroup></modifierGroups>"
    files["River.cat"] = files["River.cat"].replace(
        b'targetId="core" primary="true"/>',
        b'targetId="core" primary="true">' + groups + b"</categoryLink>",
    )
    assert groups in files["River.cat"]
    report = _report(files)
    assert [(one["name"], one["units"]) for one in report["catalogues"]] == [
        ("River", 2),
        ("Sea", 2),
    ]
    assert (report["constructs"], report["refused"]) == ([], [])


def test_more_than_may_be_read_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "MAX_TOTAL", 100)
    with pytest.raises(Refusal, match="unzip to more than"):
        take_apart(otters().items())
    monkeypatch.undo()
    monkeypatch.setattr(bringing, "MAX_FILES", 3)
    with pytest.raises(Refusal, match="more than 3 files"):
        take_apart(otters().items())


def test_constructs_not_understood_are_named_once_with_their_places_and_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    strange = (
        '<constraints><constraint id="1a2b-3c4d-5e6f-0001" type="max" field="selections"'
        ' scope="over-the-rainbow" value="1"/></constraints>'
    )
    files = {
        **otters(),
        "Lake.cat": catalogue(
            "Lake", unit("a", "Asp", inside=strange), unit("b", "Bee", inside=strange)
        ),
    }
    (construct,) = _report(files)["constructs"]
    assert construct["number"] == 2
    assert "over-the-rainbow" in construct["construct"]
    assert sorted(construct["places"]) == [["Lake", "Asp"], ["Lake", "Bee"]]
    monkeypatch.setattr(surveying, "MAX_READ", 0)
    assert _report(files)["constructs"] == [construct], "also where each catalogue is let go of"


def _report(files: dict[str, bytes]) -> dict[str, list[dict[str, object]]]:
    return dict(GameSurvey(GameFiles(game_set(files).members())).report())
