"""Rules about what players choose or own: belongs, pool, agreed, owned, suggested; and copies of a
Unique name.
"""

from typing import Any

import pytest

from armybuilder.engine import Severity
from armybuilder.engine.kinds.belongs import Belongs
from armybuilder.engine.rules import Finding
from tests.building.tiny import (
    MAP,
    MOST,
    POOL,
    codes,
    document,
    game,
    judge,
    only,
    roster,
    rule,
    take,
    unit,
    with_settings,
)

CHOOSE = {"code": "faction.choose", "summary": "Choose."}
BELONGS = rule(
    "belongs",
    "faction.mixed",
    id="faction",
    attribute="faction",
    setting="faction",
    choose=CHOOSE,
)
CREATURES = [
    unit("red-ogre", 5, faction="red"),
    unit("blue-imp", 5, faction="blue"),
    unit("drake", 5, faction=["red", "blue"]),
    unit("nameless", 5),
]
WARBAND = game(BELONGS, units=CREATURES)


# Belongs


@pytest.mark.parametrize(
    ("chosen", "strangers"),
    [("red", ["Blue Imp"]), ("blue", ["Red Ogre"]), ("green", ["Red Ogre", "Blue Imp", "Drake"])],
)
def test_a_unit_belongs_by_any_of_its_values(chosen: str, strangers: list[str]) -> None:
    entries = [take("red-ogre"), take("blue-imp"), take("drake")]
    finding = only(judge(WARBAND, *entries, faction=chosen))
    assert (finding.code, finding.values["names"]) == ("faction.mixed", strangers)
    assert finding.values["faction"] == chosen.title()
    assert finding.severity is Severity.ERROR


def test_strangers_are_one_finding_with_all_their_lines_and_models() -> None:
    entries = [take("blue-imp", 2), take("red-ogre"), take("blue-imp", 3, name="Tom")]
    finding = only(judge(WARBAND, *entries, faction="red"))
    assert finding.units == ("u1", "u3")
    assert (finding.measured, finding.allowed) == (5, 0)
    assert finding.values["names"] == ["Blue Imp", "Tom"]


def test_a_list_of_one_faction_belongs() -> None:
    assert judge(WARBAND, take("red-ogre", 3), take("drake"), faction="red").findings == ()


@pytest.mark.parametrize("entries", [(), (take("red-ogre"),), (take("red-ogre"), take("blue-imp"))])
def test_nothing_chosen_is_all_that_is_told_of_belonging(entries: tuple[Any, ...]) -> None:
    finding = only(judge(WARBAND, *entries))
    assert (finding.code, finding.units) == ("faction.choose", ())
    assert finding.head.id == "faction-choice"


def test_a_card_that_names_no_faction_is_no_stranger() -> None:
    assert judge(WARBAND, take("nameless"), faction="red").findings == ()


def test_the_values_that_suit_every_unit_can_be_asked_for() -> None:
    for entries, suiting in [
        ([], {"red", "blue", "green", "none"}),
        (["red-ogre", "drake"], {"red"}),
        (["drake", "nameless"], {"red", "blue"}),
        (["red-ogre", "blue-imp"], set()),
    ]:
        made = judge(WARBAND, *(take(entry) for entry in entries))
        belongs = WARBAND.system.rules[0]
        assert isinstance(belongs, Belongs), entries
        assert set(belongs.shared(made.full)) == suiting, entries


# Pool


def pooled(*refs: str, entries: list[Any]) -> tuple[Finding, ...]:
    catalogue = game(rule("pool", "pool.exceeded", setting="pool"), settings=with_settings(POOL))
    return judge(catalogue, *entries, pool=[f"book/{ref}" for ref in refs]).findings


def test_a_list_may_use_up_its_pool_over_all_its_lines() -> None:
    entries = [take("soldier"), take("knight"), take("soldier")]
    assert pooled("soldier", "soldier", "knight", "giant", entries=entries) == ()


def test_a_list_holds_no_more_of_a_unit_than_its_pool() -> None:
    entries = [take("soldier", 2), take("knight"), take("soldier")]
    (finding,) = pooled("soldier", "soldier", "knight", entries=entries)
    assert (finding.measured, finding.allowed, finding.units) == (3, 2, ("u1", "u3"))
    assert finding.values["unit"] == "Soldier"


def test_what_is_not_in_the_pool_at_all_is_over_it() -> None:
    found = pooled("soldier", entries=[take("giant"), take("titan", 2)])
    assert [(each.measured, each.allowed, each.about.text) for each in found] == [
        (1, 0, "book/giant"),
        (2, 0, "book/titan"),
    ]


def test_without_a_pool_nothing_may_be_taken() -> None:
    assert [each.allowed for each in pooled(entries=[take("giant")])] == [0]


def test_a_pool_may_be_left_open_and_is_told_then_and_not_judged() -> None:
    for pool, told in [([], ["pool.open"]), (["book/titan"], ["tiny.pool"])]:
        left_open = {"code": "pool.open", "summary": "Say what is in it."}
        pools = rule("pool", "tiny.pool", setting="pool", open=left_open)
        report = judge(game(pools, settings=with_settings(POOL)), take("giant"), pool=pool)
        assert codes(report) == told, pool
        assert report.legal is not bool(pool), pool


# Agreed


def agreed(limit: int, **chosen: Any) -> tuple[Finding, ...]:
    note = rule("agreed", "size.open", severity="note", sizes=[50, 100], settings=["most", "map"])
    return judge(game(note, settings=with_settings(MOST, MAP)), limit=limit, **chosen).findings


@pytest.mark.parametrize("limit", [50, 100])
def test_at_sizes_of_the_rulebook_nothing_is_left_to_agree_on(limit: int) -> None:
    assert agreed(limit) == ()


@pytest.mark.parametrize(
    ("chosen", "names"),
    [
        ({}, ["most models", "map"]),
        ({"most": 9}, ["map"]),
        ({"map": "field"}, ["most models"]),
        ({"most": 9, "map": "field"}, []),
    ],
)
def test_at_other_sizes_it_is_told_what_nobody_has_agreed_on(chosen: Any, names: list[str]) -> None:
    found = agreed(75, **chosen)
    assert [each.values["names"] for each in found] == ([names] if names else [])
    assert all(each.values["size"] == 75 and each.severity is Severity.NOTE for each in found)


# Owned and suggested: rules that every system has


def test_more_models_than_their_owner_has_are_a_note() -> None:
    catalogue = game(units=[unit("orc", 5, owned=3), unit("elf", 5, owned=0), unit("man", 5)])
    few = judge(catalogue, take("orc", 2), take("orc"), take("man", 9))
    assert few.findings == ()
    report = judge(catalogue, take("orc", 2), take("man"), take("orc", 2), take("elf"))
    assert report.legal
    assert [(each.code, each.measured, each.allowed) for each in report.findings] == [
        ("copies.owned", 4, 3),
        ("copies.owned", 1, 0),
    ]
    assert [each.units for each in report.findings] == [("u1", "u3"), ("u4",)]
    assert {each.severity for each in report.findings} == {Severity.NOTE}


def test_points_that_are_a_suggestion_are_a_note_with_all_such_units() -> None:
    catalogue = game(units=[unit("orc", 5, suggested=True), unit("elf", 5), unit("imp", 5)])
    assert judge(catalogue, take("elf")).findings == ()
    report = judge(catalogue, take("orc"), take("elf"), take("orc", 3, name="Grub"))
    finding = only(report)
    assert report.legal
    assert (finding.code, finding.units) == ("price.suggested", ("u1", "u3"))
    assert finding.values["names"] == ["Orc", "Orc"]


def test_notes_of_every_system_stand_behind_all_of_its_own() -> None:
    note = rule("limit", "tiny.note", count="models", max=0, severity="note")
    catalogue = game(note, units=[unit("orc", 5, owned=0, suggested=True)])
    assert codes(judge(catalogue, take("orc"))) == ["tiny.note", "copies.owned", "price.suggested"]


# Copies of a Unique name


UNIQUES = [
    unit("pat-young", 5, unique="Pat"),
    unit("pat-old", 5, unique="Pat"),
    unit("sam", 5, unique="Sam"),
    unit("guard", 5),
]
UNIQUE = game(rule("copies", "unique.duplicate", by="unique", max=1), units=UNIQUES)


def test_versions_of_one_unique_name_are_the_same() -> None:
    assert judge(UNIQUE, take("pat-old"), take("sam"), take("guard", 9)).findings == ()
    finding = only(judge(UNIQUE, take("pat-old"), take("guard", 9), take("pat-young")))
    assert (finding.measured, finding.allowed, finding.units) == (2, 1, ("u1", "u3"))
    assert (finding.values["unit"], finding.values["names"]) == ("Pat", ["Pat Old", "Pat Young"])
    assert finding.about.text == "pat"


def test_a_unique_name_is_the_same_however_it_is_spelt() -> None:
    units = [unit("pat-young", 5, unique="pat"), *UNIQUES[1:]]
    catalogue = game(rule("copies", "unique.duplicate", by="unique", max=1), units=units)
    for entries in (("pat-young", "pat-old"), ("pat-old", "pat-young")):
        finding = only(judge(catalogue, *map(take, entries)))
        assert (finding.measured, finding.values["unit"]) == (2, "Pat")


def test_a_unique_unit_taken_twice_is_one_too_many_too() -> None:
    finding = only(judge(UNIQUE, take("sam", 2)))
    assert (finding.measured, finding.values["unit"]) == (2, "Sam")


def test_unique_names_are_counted_among_those_that_are_meant_only() -> None:
    units = [unit("pat-young", 5, "big", unique="Pat"), *UNIQUES[1:]]
    rules = rule("copies", of={"ability": "big"}, by="unique", max=1)
    assert judge(game(rules, units=units), take("pat-young"), take("pat-old")).legal
    assert not judge(game(rules, units=units), take("pat-young", 2)).legal


# Settings with nothing chosen


def test_settings_may_start_with_nothing_chosen() -> None:
    catalogue = game(settings=with_settings(MOST, MAP, POOL))
    chosen = roster(document(), catalogue).settings
    assert (chosen["most"], chosen["map"], chosen["pool"]) == (None, None, ())


@pytest.mark.parametrize(("chosen", "pieces"), [(None, 0), ("field", 1), ("yard", 1)])
def test_a_choice_is_one_piece_and_nothing_chosen_is_none(chosen: str | None, pieces: int) -> None:
    most = rule("limit", count="pieces", setting="map", min=1, gauge="Maps")
    report = judge(game(most, settings=with_settings(MAP)), map=chosen)
    assert report.legal is bool(pieces)
    assert report.gauges[0].used == pieces


def test_a_choice_is_counted_by_its_tags_and_must_suit_the_other_settings() -> None:
    half = rule("limit", "tiny.half", id="half", count="pieces", setting="map", max=0)
    half["of"] = {"tag": "half"}
    suits = rule("available", "tiny.suits", id="suits", setting="map")
    catalogue = game(half, suits, settings=with_settings(MAP))
    assert judge(catalogue, map="field").findings == ()
    assert codes(judge(catalogue, map="yard")) == ["tiny.half"]
    assert codes(judge(catalogue, map="yard", ground="cave")) == ["tiny.half", "tiny.suits"]
