"""Units out of BattleScribe files: prices, sizes, caps, categories, who may lead."""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.battlescribe.books.drafts import ImportDoubt
from tests.building.battlescribe import (
    BEARER,
    BEASTS,
    CHARACTERS,
    CORE,
    FORCE,
    GENERAL,
    OTHER_FORCE,
    catalogue,
    categorised,
    change,
    entry,
    force,
    group,
    imported,
    limit,
    link,
    models,
    node,
    price,
    profile,
    repeat,
    rule_link,
    system,
    unit,
    unit_of,
    when,
)

LIMIT = "abab-0000-0000-0001"
OTHER = "abab-0000-0000-0002"
SMALL = when("model", "atMost", 3000, "roster", "limit")
GRAND = when("model", "atLeast", 8000, "roster", "limit")


def test_the_price_is_that_of_the_smallest_unit(tmp_path: Path) -> None:
    found = unit_of(tmp_path, models(20, 50, 12.0), price(-80.0))
    assert (found["size"], found["points"], found["points_per_model"]) == ([20, 50], 160, 12)


def test_a_unit_without_models_is_one_model(tmp_path: Path) -> None:
    found = unit_of(tmp_path, price(235))
    assert found["points"] == 235
    assert not {"size", "points_per_model"} & set(found)


def test_dearer_models_count_for_the_smallest_unit_too(tmp_path: Path) -> None:
    banner = entry("Banner", limit("max", 1), id_=OTHER)
    dearer = models(10, 20, 5, change("increment", "points", 2, when(OTHER)))
    found = unit_of(tmp_path, dearer, banner)
    assert found["when"] == [
        {"if": {"taken": "banner"}, "add": {"points": 20, "points_per_model": 2}}
    ]


def test_the_size_may_depend_on_what_is_taken(tmp_path: Path) -> None:
    size = [limit("min", 10), limit("max", 30, id_=LIMIT), change("set", LIMIT, 25, when(OTHER))]
    favour = entry("Favour", limit("max", 1), id_=OTHER)
    found = unit_of(tmp_path, entry("Model", *size, type_="model"), favour)
    assert found["size"] == [10, 30]
    assert found["when"] == [{"if": {"taken": "favour"}, "set": {"max": 25}}]


def test_caps_count_units_or_models(tmp_path: Path) -> None:
    found = unit_of(tmp_path, models(10, 20, 5, limit("max", 22, "roster")),
                    limit("max", 4, "roster"))  # fmt: skip
    assert (found["cap"], found["cap_models"]) == (4, 22)
    assert unit_of(tmp_path, limit("max", 2, "parent"))["cap"] == 2
    assert "cap" not in unit_of(tmp_path, limit("max", -1, "roster"))
    assert unit_of(tmp_path, limit("min", 1, "roster"))["army_min"] == 1


def test_scaling_that_the_rule_carries_is_dropped_and_counted(tmp_path: Path) -> None:
    cap = limit("max", 3, "roster", id_=LIMIT)
    scaled = [change("set", LIMIT, 2, SMALL), change("set", LIMIT, 6, GRAND)]
    found = imported(tmp_path, catalogue(unit("Spears", cap, *scaled)))
    assert "when" not in found.book["units"][0]
    assert [count for what, count in found.notes.dropped.items() if "8.B.c.1" in what] == [2]


def test_other_scaling_gives_way_to_the_rule_and_is_told(tmp_path: Path) -> None:
    cap = limit("max", 3, "roster", id_=LIMIT)
    found = imported(tmp_path, catalogue(unit("Spears", cap, change("set", LIMIT, 5, GRAND))))
    assert "when" not in found.book["units"][0]
    assert list(found.notes.against_rules.values()) == [1]
    assert any("otherwise than the rule" in doubt.what for doubt in found.notes.doubts)


def test_a_cap_falls_with_each_of_something_else(tmp_path: Path) -> None:
    fewer = change("decrement", LIMIT, 1, repeat(OTHER, 2, "roster"))
    text = catalogue(
        unit("Spears", limit("max", 4, "roster", id_=LIMIT), fewer), unit("Bows", id_=OTHER)
    )
    found = imported(tmp_path, text).book["units"][0]
    counted = {"taken": "bows", "in": "army", "per": 2}
    assert found["when"] == [{"for_each": counted, "add": {"cap": -1}}]


def test_a_cap_may_follow_the_game_size(tmp_path: Path) -> None:
    more = change("increment", LIMIT, 1, repeat("model", 1500, "roster", field="limit", up="true"))
    found = unit_of(tmp_path, limit("max", 0, "roster", id_=LIMIT), more)
    counted = {"limit": 1500, "round": "up"}
    assert (found["cap"], found["when"]) == (0, [{"for_each": counted, "add": {"cap": 1}}])


def test_a_cap_of_nothing_under_a_condition_is_a_need(tmp_path: Path) -> None:
    closed = change("set", LIMIT, 0, when(OTHER, "greaterThan", 0, "roster"))
    text = catalogue(
        unit("Spears", limit("max", 3, "roster", id_=LIMIT), closed),
        unit("Bows", entry("Wild", limit("max", 1), id_=OTHER)),
    )
    found = imported(tmp_path, text).book["units"][0]
    assert found["needs"] == {"not": {"taken": "bows/wild", "in": "army"}}


def test_categories_come_primary_first(tmp_path: Path) -> None:
    text = catalogue(entry("Spears", categorised(BEASTS), categorised(CORE, "true"), type_="unit"))
    assert imported(tmp_path, text).book["units"][0]["categories"] == ["core", "beasts"]


def test_an_option_may_add_a_category_to_its_unit(tmp_path: Path) -> None:
    bow = entry("Bow", limit("max", 1), id_=OTHER)
    added = change("add", "category", BEASTS, when(OTHER))
    gone = change("remove", "category", CORE, when(OTHER))
    found = unit_of(tmp_path, bow, added, gone)
    assert found["when"] == [
        {"if": {"taken": "bow"}, "add_category": "beasts"},
        {"if": {"taken": "bow"}, "remove_category": "core"},
    ]


def test_the_general_is_a_role_and_no_option(tmp_path: Path) -> None:
    def hidden_with(other: str, number: int = 1) -> str:
        return change("set", "hidden", "true", when(other, "equalTo", number))

    parts = [
        link(GENERAL, "Army General", hidden_with(BEARER)),
        link(BEARER, "Battle Standard Bearer", price(50), hidden_with(GENERAL)),
        entry("Crown", limit("max", 1), hidden_with(GENERAL, 0)),
    ]
    found = unit_of(tmp_path, *parts)
    assert found["can_lead"] is True
    assert [one["id"] for one in found["options"]] == ["crown", "battle-standard-bearer"]
    assert node(found, "crown")["needs"] == {"role": "general"}
    bearer = node(found, "battle-standard-bearer")
    assert bearer == {
        "id": "battle-standard-bearer", "name": "Battle Standard Bearer", "points": 50,
        "one_of_a_kind": True, "keywords": ["Not a Leader"],
    }  # fmt: skip


def test_who_may_lead_may_depend_on_what_is_taken(tmp_path: Path) -> None:
    wild = entry("Wild", limit("max", 1), id_=OTHER)
    hidden = change("set", "hidden", "true", when(OTHER))
    found = unit_of(tmp_path, wild, link(GENERAL, "Army General", hidden))
    assert found["can_lead"] == {"not": {"taken": "wild"}}
    inside = entry("Crown", limit("max", 1), link(GENERAL, "Army General"))
    assert unit_of(tmp_path, inside)["can_lead"] == {"taken": "crown"}
    assert "can_lead" not in unit_of(tmp_path)


def test_being_general_may_cost_points_and_bring_rules(tmp_path: Path) -> None:
    named = change("append", "name", "and Greater Dominion")
    found = unit_of(tmp_path, link(GENERAL, "Army General", price(30), named))
    assert found["when"] == [{"if": {"role": "general"}, "add": {"points": 30}}]
    assert found["keywords"] == [{"name": "Greater Dominion", "if": {"role": "general"}}]


def test_an_army_wide_choice_is_no_unit(tmp_path: Path) -> None:
    sin = entry(
        "Legion", limit("min", 1, "roster"), limit("max", 1, "roster"),
        categorised(CORE, "true"), group("Sin", limit("max", 1), entry("Envy", limit("max", 1))),
    )  # fmt: skip
    found = imported(tmp_path, catalogue(sin)).book["units"][0]
    assert (found["army_choice"], found["one_of_a_kind"], found["army_min"]) == (True, True, 1)


def test_a_unit_called_an_upgrade_is_a_unit_and_doubtful(tmp_path: Path) -> None:
    found = imported(tmp_path, catalogue(entry("Giant", categorised(CORE, "true"), price(275))))
    assert found.book["units"][0]["points"] == 275
    assert ImportDoubt("Giant", "is called an upgrade; taken for a unit") in found.notes.doubts


def test_models_called_an_upgrade_are_models(tmp_path: Path) -> None:
    stats = profile("Model Global", "1 Global", {"Adv": "4"})
    ogres = entry("Ogre", limit("min", 3), limit("max", 8), stats, price(65))
    assert unit_of(tmp_path, ogres, price(-15))["points"] == 180


def organisations(*second: str) -> tuple[str, str]:
    first = force(
        "Öre Folk", categorised(CHARACTERS, "false", limit("max", 40, "roster", "share")),
        categorised(CORE), categorised(BEASTS, "false", limit("max", 3, "roster")),
    )  # fmt: skip
    links = categorised(CORE), categorised(BEASTS, "false", limit("max", 3, "roster"))
    return force("Fleet", *second, *links, id_=OTHER_FORCE), first


def test_a_book_may_have_several_organisations(tmp_path: Path) -> None:
    share = categorised(CHARACTERS, "false", limit("max", 50, "roster", "share"))
    hidden = change("set", "hidden", "true", when(OTHER_FORCE, "instanceOf", 0, "force"))
    shown = change("set", "hidden", "false", when(OTHER_FORCE, "notInstanceOf", 0, "force"))
    text = catalogue(
        unit("Spears", entry("Horn", limit("max", 1), hidden),
             entry("Drum", limit("max", 1), shown, hidden="true")),
        forces=organisations(share),
    )  # fmt: skip
    book: dict[str, Any] = imported(tmp_path, text).book
    assert [one["id"] for one in book["organisations"]] == ["ore-folk", "fleet"]
    moved = {"if": {"organisation": "fleet"}, "set": {"max": 50}}
    assert book["categories"] == [
        {"id": "characters", "name": "Characters", "max": "40%", "when": [moved]},
        {"id": "core", "name": "Core"},
        {"id": "beasts", "name": "Beasts", "max_units": 3},
    ]
    for name in ("horn", "drum"):
        needs = node(book["units"][0], name)["needs"]
        assert needs == {"not": {"organisation": "fleet"}}


@pytest.mark.parametrize("name", ["Öre Folk", "Army list"])
def test_a_book_without_an_organisation_has_that_of_its_game(tmp_path: Path, name: str) -> None:
    """The one of its name where there is one, else all."""
    text = catalogue(unit("Spears"))
    start, end = text.index("<forceEntries>"), text.index("</forceEntries>")
    share = categorised(CORE, "false", limit("min", 25, "roster", "share"))
    other = [force("Elves", categorised(BEASTS), id_=OTHER_FORCE)] if name == "Öre Folk" else []
    game = system().replace(
        "</forceEntries>", f"{force(name, share)}{''.join(other)}</forceEntries>"
    )
    book = imported(tmp_path, text[:start] + text[end + len("</forceEntries>") :], game).book
    assert book["categories"] == [{"id": "core", "name": "Core", "min": "25%"}]
    assert "organisations" not in book


@pytest.mark.parametrize("kind", ["1 {}", "A - {}"])
def test_a_stat_line_is_told_by_the_kinds_of_its_profiles(tmp_path: Path, kind: str) -> None:
    stats = (
        profile("Model Global", kind.format("Global"), {"Adv": "4"}),
        profile("Model Def", kind.format("Defensive"), {"HP": "1"}),
    )
    (line,) = unit_of(tmp_path, models(5, 10, 9, *stats))["profiles"]
    assert line["stats"] == {"adv": "4", "hp": "1"}


def test_a_share_may_depend_on_the_army(tmp_path: Path) -> None:
    least = limit("min", 25.0, "roster", "share", id_=LIMIT)
    lowered = change("decrement", LIMIT, 5.0, when(OTHER, "greaterThan", 0, "roster"))
    text = catalogue(
        unit("Spears", entry("Wild", limit("max", 1), id_=OTHER)),
        forces=(force("Öre Folk", categorised(CORE, "false", least, lowered), id_=FORCE),),
    )
    core = imported(tmp_path, text).book["categories"][0]
    asked = {"taken": "spears/wild", "in": "army"}
    assert (core["min"], core["when"]) == ("25%", [{"if": asked, "add": {"min": -5}}])


def test_keywords_are_names_of_rules_and_weapons(tmp_path: Path) -> None:
    named = rule_link("Strider", change("append", "name", " (Forest)"))
    secret = rule_link("Fly", hidden="true")
    winged = rule_link("Fear", change("set", "hidden", "false", when(OTHER)), hidden="true")
    wings = entry("Wings", limit("max", 1), rule_link("Wings"), id_=OTHER)
    found = unit_of(tmp_path, named, secret, winged, wings)
    assert found["keywords"] == ["Strider (Forest)", {"name": "Fear", "if": {"taken": "wings"}}]
    assert "keywords" not in node(found, "wings")


def test_stat_lines_are_merged_by_name(tmp_path: Path) -> None:
    parts = [
        profile("Crew Global", "1 Global", {"Adv": '5"', "Rules": "Fear, Fly (8&quot;, 16&quot;)"}),
        profile("Crew Offensive (2)", "3 Offensive", {"Att": "1"}),
        profile("Horse  Offensive", "3 Offensive", {"Att": "2", "Rules": "-"}),
        profile("Sword", "5 Melee Weapon", {"Str": "+1"}),
        profile("Holy Book", "7 Artefact", {"Type": "Artefact", "Effect": "Long prose."}),
    ]
    found = unit_of(tmp_path, *parts)
    assert found["profiles"] == [
        {"name": "Crew", "stats": {"adv": '5"', "att": "1"}, "rules": ["Fear", 'Fly (8", 16")']},
        {"name": "Horse", "stats": {"att": "2"}},
    ]
    assert found["keywords"] == ["Sword"]


def test_stats_change_under_conditions_and_what_cannot_be_said_is_a_gap(tmp_path: Path) -> None:
    wings = entry("Wings", limit("max", 1), id_=OTHER)
    moved = [
        change("set", "HP", 8, when(OTHER)),
        change("decrement", "Res", 1, when(OTHER)),
        change("append", "HP", " (9)", when(OTHER)),
        change("set", "name", "Big Crew", when(OTHER)),
    ]
    stats = profile("Crew Defensive", "2 Defensive", {"HP": "7", "Res": "4"}, *moved)
    found = imported(tmp_path, catalogue(unit("Spears", stats, wings)))
    asked = {"if": {"taken": "wings"}}
    assert found.book["units"][0]["profiles"][0]["when"] == [
        {**asked, "set": {"hp": "8"}},
        {**asked, "add": {"res": -1}},
    ]
    assert [gap["where"] for gap in found.book["gaps"]] == ["spears", "spears"]


def test_a_missing_stat_line_is_a_gap(tmp_path: Path) -> None:
    gaps = imported(tmp_path, catalogue(unit("Spears"))).book["gaps"]
    assert gaps == [{"where": "spears", "what": "No stat line in the source."}]


def test_a_rule_told_in_a_sentence_is_a_gap_and_not_stored(tmp_path: Path) -> None:
    prose = "This model strikes first in every round of combat until the battle has ended"
    stats = profile("Crew Global", "1 Global", {"Adv": "5", "Rules": prose})
    found = imported(tmp_path, catalogue(unit("Spears", stats)))
    assert "strikes first" not in str(found.book)
    assert "told in a sentence" in found.book["gaps"][0]["what"]


def test_what_is_taken_on_a_model_is_taken_once_for_each(tmp_path: Path) -> None:
    kinds = group("Kind", limit("min", 1), entry("Newt", price(20)), entry("Toad"))
    found = unit_of(tmp_path, models(2, 4, 105, kinds))
    each = {"for_each": {"models": 1}, "add": {"max": 1, "min": 1}}
    assert found["options"] == [
        {
            "group": "kind",
            "name": "Kind",
            "choose": [0, 0],
            "options": [
                {"id": "newt", "name": "Newt", "points": 20, "number": [0, 4]},
                {"id": "toad", "name": "Toad", "number": [0, 4]},
            ],
            "when": [each],
        }
    ]
