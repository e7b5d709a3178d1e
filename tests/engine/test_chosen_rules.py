"""Rules about what players choose or own: belongs, pool, agreed, owned, suggested; and copies of a
Unique name.
"""

from typing import Any

import pytest

from armybuilder.engine import Severity
from armybuilder.engine.kinds.belongs import Belongs
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
from tests.engine.tables import claim, claims, hold, judged

CHOOSE = {"code": "faction.choose", "summary": "Choose."}
BELONGS = rule(
    "belongs", "faction.mixed", id="faction", attribute="faction", setting="faction", choose=CHOOSE
)
CREATURES = [
    unit("red-ogre", 5, faction="red"),
    unit("blue-imp", 5, faction="blue"),
    unit("drake", 5, faction=["red", "blue"]),
    unit("nameless", 5),
]
WARBAND = game(BELONGS, units=CREATURES)
POOLED = {"settings": with_settings(POOL)}
UNIQUES = [
    unit("pat-young", 5, unique="Pat"),
    unit("pat-old", 5, unique="Pat"),
    unit("sam", 5, unique="Sam"),
    unit("guard", 5),
]
UNIQUE = rule("copies", "unique.duplicate", by="unique", max=1)
LEFT_OPEN = {"code": "pool.open", "summary": "Say what is in it."}
CLAIMS = {
    "strangers are one finding with all their lines and models": claim(
        BELONGS, units=CREATURES, lists={
            "red-ogre 3, drake | faction=red": "",
            "blue-imp 2, red-ogre, blue-imp 3 | faction=red": "faction.mixed 5/0 u1 u3",
            # a card that names no faction is no stranger
            "nameless | faction=red": ""}),
    "nothing chosen is all that is told of belonging": claim(
        BELONGS, units=CREATURES,
        lists=dict.fromkeys(("", "red-ogre", "red-ogre, blue-imp"), "faction.choose")),
    "a list may use up its pool over all its lines, and no more": claim(
        rule("pool", "tiny.pool", setting="pool"), **POOLED, lists={
            "soldier, knight, soldier"
            " | pool=book/soldier+book/soldier+book/knight+book/giant": "",
            "soldier 2, knight, soldier"
            " | pool=book/soldier+book/soldier+book/knight": "pool 3/2 u1 u3",
            "giant, titan 2 | pool=book/soldier": "pool 1/0 u1; pool 2/0 u2",
            "giant": "pool 1/0 u1"}),
    "a pool may be left open, and is told then and not judged": claim(
        rule("pool", "tiny.pool", setting="pool", open=LEFT_OPEN), **POOLED, lists={
            "giant": "note pool.open", "giant | pool=book/titan": "pool 1/0 u1"}),
    "more models than their owner has are a note": claim(
        units=[unit("orc", 5, owned=3), unit("elf", 5, owned=0), unit("man", 5)], lists={
            "orc 2, orc, man 9": "",
            "orc 2, man, orc 2, elf": "note copies.owned 4/3 u1 u3; note copies.owned 1/0 u4"}),
    "versions of one unique name are the same": claim(UNIQUE, units=UNIQUES, lists={
        "pat-old, sam, guard 9": "", "pat-old, guard 9, pat-young": "unique.duplicate 2/1 u1 u3",
        "sam 2": "unique.duplicate 2/1 u1"}),
    "unique names are counted among those that are meant only": claim(
        {**UNIQUE, "of": {"ability": "big"}},
        units=[unit("pat-young", 5, "big", unique="Pat"), *UNIQUES[1:]], lists={
            "pat-young, pat-old": "", "pat-young 2": "unique.duplicate 2/1 u1"}),
}  # fmt: skip


@claims(CLAIMS)
def test_lists_keep_to_what_is_chosen_and_owned(made: Any, lists: Any) -> None:
    hold(made, lists)


@pytest.mark.parametrize(
    ("chosen", "strangers"),
    [("red", ["Blue Imp"]), ("blue", ["Red Ogre"]), ("green", ["Blue Imp", "Drake", "Red Ogre"])],
)
def test_a_unit_belongs_by_any_of_its_values(chosen: str, strangers: list[str]) -> None:
    finding = only(judged(WARBAND, f"red-ogre, blue-imp, drake | faction={chosen}"))
    assert (finding.code, finding.values["names"]) == ("faction.mixed", strangers)
    assert (finding.values["faction"], finding.severity) == (chosen.title(), Severity.ERROR)


@pytest.mark.parametrize(
    ("text", "suiting"),
    [
        ("", {"red", "blue", "green", "none"}),
        ("red-ogre, drake", {"red"}),
        ("drake, nameless", {"red", "blue"}),
        ("red-ogre, blue-imp", set()),
    ],
)
def test_the_values_that_suit_every_unit_can_be_asked_for(text: str, suiting: set[str]) -> None:
    (belongs, *_) = WARBAND.system.rules
    assert isinstance(belongs, Belongs)
    assert set(belongs.shared(judged(WARBAND, text).full)) == suiting


@pytest.mark.parametrize(
    ("settings", "names"),
    [
        ("limit=50", []),
        ("limit=100", []),
        ("limit=75", ["most models", "map"]),
        ("limit=75 most=9", ["map"]),
        ("limit=75 map=field", ["most models"]),
        ("limit=75 most=9 map=field", []),
    ],
)
def test_limits_nobody_agreed_on_are_reported_at_unusual_sizes(
    settings: str, names: list[str]
) -> None:
    note = rule("agreed", "size.open", severity="note", sizes=[50, 100], settings=["most", "map"])
    found = judged(game(note, settings=with_settings(MOST, MAP)), f"| {settings}").findings
    told = [(each.values["names"], each.values["size"], each.severity) for each in found]
    assert told == ([(names, 75, Severity.NOTE)] if names else [])


# Owned and suggested: rules that every system has


def test_suggested_points_are_noted_once() -> None:
    # Points that are a suggestion are a note with all such units.
    catalogue = game(units=[unit("orc", 5, suggested=True), unit("elf", 5), unit("imp", 5)])
    assert judge(catalogue, take("elf")).findings == ()
    report = judge(catalogue, take("orc"), take("elf"), take("orc", 3, name="Grub"))
    finding = only(report)
    assert report.legal
    assert (finding.code, finding.units) == ("price.suggested", ("u1", "u3"))
    assert finding.values["names"] == ["Orc"]
    # Notes of every system stand behind all of its own.
    note = rule("limit", "tiny.note", count="models", max=0, severity="note")
    catalogue = game(note, units=[unit("orc", 5, owned=0, suggested=True)])
    assert codes(judge(catalogue, take("orc"))) == ["tiny.note", "copies.owned", "price.suggested"]


def test_what_does_not_belong_or_is_there_twice_is_named() -> None:
    # Strangers are told by their names and a choice by its rule.
    entries = [take("blue-imp", 2), take("red-ogre"), take("blue-imp", 3, name="Tom")]
    assert only(judge(WARBAND, *entries, faction="red")).values["names"] == ["Blue Imp", "Tom"]
    assert only(judged(WARBAND, "")).head.id == "faction-choice"
    # Units over their pool are told by name or by what they are.
    catalogue = game(rule("pool", "pool.exceeded", setting="pool"), **POOLED)
    assert only(judged(catalogue, "soldier 2 | pool=book/soldier")).values["unit"] == "Soldier"
    found = judged(catalogue, "giant, titan 2 | pool=book/soldier").findings
    assert [each.about.text for each in found] == ["book/giant", "book/titan"]
    # Versions of one unique name are named.
    catalogue = game(UNIQUE, units=UNIQUES)
    finding = only(judged(catalogue, "pat-old, guard 9, pat-young"))
    assert (finding.values["unit"], finding.values["names"]) == ("Pat", ["Pat Old", "Pat Young"])
    assert finding.about.text == "pat"
    assert only(judged(catalogue, "sam 2")).values["unit"] == "Sam"


@pytest.mark.parametrize("text", ["pat-young, pat-old", "pat-old, pat-young"])
def test_a_unique_name_is_the_same_however_it_is_spelt(text: str) -> None:
    finding = only(
        judged(game(UNIQUE, units=[unit("pat-young", unique="pat"), *UNIQUES[1:]]), text)
    )
    assert (finding.measured, finding.values["unit"]) == (2, "Pat")


# Settings with nothing chosen


@pytest.mark.parametrize(("chosen", "pieces"), [(None, 0), ("field", 1), ("yard", 1)])
def test_a_choice_is_one_piece_and_nothing_chosen_is_none(chosen: str | None, pieces: int) -> None:
    most = rule("limit", count="pieces", setting="map", min=1, gauge="Maps")
    report = judge(game(most, settings=with_settings(MAP)), map=chosen)
    assert report.legal is bool(pieces)
    assert report.gauges[0].used == pieces


def test_choices_count_by_tags_and_must_suit_other_settings() -> None:
    # Settings may start with nothing chosen.
    catalogue = game(settings=with_settings(MOST, MAP, POOL))
    chosen = roster(document(), catalogue).settings
    assert (chosen["most"], chosen["map"], chosen["pool"]) == (None, None, ())
    # A choice is counted by its tags and must suit the other settings.
    half = rule("limit", "tiny.half", id="half", count="pieces", setting="map", max=0)
    half["of"] = {"tag": "half"}
    suits = rule("available", "tiny.suits", id="suits", setting="map")
    catalogue = game(half, suits, settings=with_settings(MAP))
    assert judge(catalogue, map="field").findings == ()
    assert codes(judge(catalogue, map="yard")) == ["tiny.half"]
    assert codes(judge(catalogue, map="yard", ground="cave")) == ["tiny.half", "tiny.suits"]
