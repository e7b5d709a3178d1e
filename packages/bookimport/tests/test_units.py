"""Units out of BattleScribe files: prices, sizes, caps, categories, who may lead."""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine.conditions import Army, Place
from armybuilder.engine.profiles import stat_line
from armybuilder.loading.books import build_book
from armybuilder.loading.library import book_problems, shipped_library
from bookimport.drafts import ImportDoubt
from small_files import (
    BEARER,
    BEASTS,
    CHARACTERS,
    CORE,
    FORCE,
    GENERAL,
    OTHER_FORCE,
    assert_parts,
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


ONCE = limit("max", 1)
TAKEN = {"if": {"taken": "horn"}}
HORN = entry("Horn", ONCE, id_=OTHER)
#: By the claim: parts of a unit, and what is made of them at nodes ("": the unit itself).
CLAIMS: dict[str, tuple[list[str], dict[str, dict[str, Any]]]] = {
    "the price is that of the smallest unit": (
        [models(20, 50, 12.0), price(-80.0)],
        {"": {"size": [20, 50], "points": 160, "points_per_model": 12}}),
    "a unit without models is one model": (
        [price(235)], {"": {"points": 235, "size": None, "points_per_model": None}}),
    "dearer models count for the smallest unit too": (
        [models(10, 20, 5, change("increment", "points", 2, when(OTHER))), HORN],
        {"": {"when": [{**TAKEN, "add": {"points": 20, "points_per_model": 2}}]}}),
    "the size may depend on what is taken": (
        [entry("Model", limit("min", 10), limit("max", 30, id_=LIMIT),
               change("set", LIMIT, 25, when(OTHER)), type_="model"), HORN],
        {"": {"size": [10, 30], "when": [{**TAKEN, "set": {"max": 25}}]}}),
    "caps count units or models": (
        [models(10, 20, 5, limit("max", 22, "roster")), limit("max", 4, "roster")],
        {"": {"cap": 4, "cap_models": 22}}),
    "a cap may stand in what the unit is in": ([limit("max", 2, "parent")], {"": {"cap": 2}}),
    "a cap below zero is none": ([limit("max", -1, "roster")], {"": {"cap": None}}),
    "an army may have to have it": ([limit("min", 1, "roster")], {"": {"army_min": 1}}),
    "a cap may follow the game size": (
        [limit("max", 0, "roster", id_=LIMIT),
         change("increment", LIMIT, 1, repeat("model", 1500, "roster", field="limit", up="true"))],
        {"": {"cap": 0, "when": [
            {"for_each": {"limit": 1500, "round": "up"}, "add": {"cap": 1}}]}}),
    "an option may add a category to its unit": (
        [HORN, change("add", "category", BEASTS, when(OTHER)),
         change("remove", "category", CORE, when(OTHER))],
        {"": {"when": [
            {**TAKEN, "add_category": "beasts"}, {**TAKEN, "remove_category": "core"}]}}),
    "being General may cost points and bring rules": (
        [link(GENERAL, "Army General", price(30),
              change("append", "name", "and Greater Dominion"))],
        {"": {"when": [{"if": {"role": "general"}, "add": {"points": 30}}],
              "keywords": [{"name": "Greater Dominion", "if": {"role": "general"}}]}}),
    "who may lead may depend on what is taken": (
        [HORN, link(GENERAL, "Army General", change("set", "hidden", "true", when(OTHER)))],
        {"": {"can_lead": {"not": {"taken": "horn"}}}}),
    "what is taken may let somebody lead": (
        [entry("Crown", ONCE, link(GENERAL, "Army General"))],
        {"": {"can_lead": {"taken": "crown"}}}),
    "nobody leads of whom that is not said": ([], {"": {"can_lead": None}}),
    "models called an upgrade are models": (
        [entry("Ogre", limit("min", 3), limit("max", 8),
               profile("Model Global", "1 Global", {"Adv": "4"}), price(65)), price(-15)],
        {"": {"points": 180}}),
    "keywords are names of rules and weapons": (
        [rule_link("Strider", change("append", "name", " (Forest)")),
         rule_link("Fly", hidden="true"),
         rule_link("Fear", change("set", "hidden", "false", when(OTHER)), hidden="true"),
         entry("Horn", ONCE, rule_link("Horn"), id_=OTHER)],
        {"": {"keywords": ["Strider (Forest)", {"name": "Fear", **TAKEN}]},
         "horn": {"keywords": None}}),
    "stat lines are merged by name": (
        [profile("Crew Global", "1 Global",
                 {"Adv": '5"', "Rules": "Fear, Fly (8&quot;, 16&quot;)"}),
         profile("Crew Offensive (2)", "3 Offensive", {"Att": "1"}),
         profile("Horse  Offensive", "3 Offensive", {"Att": "2", "Rules": "-"}),
         profile("Sword", "5 Melee Weapon", {"Str": "+1"}),
         profile("Holy Book", "7 Artefact", {"Type": "Artefact", "Effect": "Long prose."})],
        {"": {"keywords": ["Sword"], "profiles": [
            {"name": "Crew", "stats": {"adv": '5"', "att": "1"},
             "rules": ["Fear", 'Fly (8", 16")']},
            {"name": "Horse", "stats": {"att": "2"}}]}}),
    "what is taken on a model is taken once for each": (
        [models(2, 4, 105, group("Kind", limit("min", 1), entry("Newt", price(20)),
                                 entry("Toad")))],
        {"kind": {"name": "Kind", "choose": [0, 0],
                  "options": [{"id": "newt", "name": "Newt", "points": 20, "number": [0, 4]},
                              {"id": "toad", "name": "Toad", "number": [0, 4]}],
                  "when": [{"for_each": {"models": 1}, "add": {"max": 1, "min": 1}}]}}),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_parts_of_a_unit_are_read(claim: str, tmp_path: Path) -> None:
    parts, expected = CLAIMS[claim]
    assert_parts(unit_of(tmp_path, *parts), expected)


def test_caps_scale_by_the_rule_fall_or_are_needs(tmp_path: Path) -> None:
    # Scaling gives way to the rule and other scaling is told.
    cap = limit("max", 3, "roster", id_=LIMIT)
    scaled = [change("set", LIMIT, 2, SMALL), change("set", LIMIT, 6, GRAND)]
    found = imported(tmp_path, catalogue(unit("Spears", cap, *scaled)))
    assert "when" not in found.book["units"][0]
    assert [count for what, count in found.notes.dropped.items() if "8.B.c.1" in what] == [2]
    found = imported(tmp_path, catalogue(unit("Spears", cap, change("set", LIMIT, 5, GRAND))))
    assert "when" not in found.book["units"][0]
    assert list(found.notes.against_rules.values()) == [1]
    assert any("otherwise than the rule" in doubt.what for doubt in found.notes.doubts)
    # A cap falls with each of something else.
    fewer = change("decrement", LIMIT, 1, repeat(OTHER, 2, "roster"))
    text = catalogue(
        unit("Spears", limit("max", 4, "roster", id_=LIMIT), fewer), unit("Bows", id_=OTHER)
    )
    found = imported(tmp_path, text).book["units"][0]
    counted = {"taken": "bows", "in": "army", "per": 2}
    assert found["when"] == [{"for_each": counted, "add": {"cap": -1}}]
    # A cap of nothing under a condition is a need.
    closed = change("set", LIMIT, 0, when(OTHER, "greaterThan", 0, "roster"))
    text = catalogue(
        unit("Spears", limit("max", 3, "roster", id_=LIMIT), closed),
        unit("Bows", entry("Wild", limit("max", 1), id_=OTHER)),
    )
    found = imported(tmp_path, text).book["units"][0]
    assert found["needs"] == {"not": {"taken": "bows/wild", "in": "army"}}
    # Categories come primary first.
    text = catalogue(entry("Spears", categorised(BEASTS), categorised(CORE, "true"), type_="unit"))
    assert imported(tmp_path, text).book["units"][0]["categories"] == ["core", "beasts"]


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


def test_army_wide_choices_and_upgrades(tmp_path: Path) -> None:
    # An army wide choice is no unit.
    sin = entry(
        "Legion", limit("min", 1, "roster"), limit("max", 1, "roster"),
        categorised(CORE, "true"), group("Sin", limit("max", 1), entry("Envy", limit("max", 1))),
    )  # fmt: skip
    found = imported(tmp_path, catalogue(sin)).book["units"][0]
    assert (found["army_choice"], found["one_of_a_kind"], found["army_min"]) == (True, True, 1)
    # A unit called an upgrade is a unit and doubtful.
    found = imported(tmp_path, catalogue(entry("Giant", categorised(CORE, "true"), price(275))))
    assert found.book["units"][0]["points"] == 275
    assert ImportDoubt("Giant", "is called an upgrade; taken for a unit") in found.notes.doubts


def test_a_number_in_a_category_of_models_alone_counts_models(tmp_path: Path) -> None:
    many = force(
        "Öre Folk", categorised(CORE), categorised(BEASTS, "false", limit("max", 24, "roster"))
    )
    brutes = unit("Brutes", models(3, 6, 30, categorised(BEASTS)))
    made = imported(tmp_path, catalogue(brutes, forces=(many,))).book
    assert made["categories"][1] == {"id": "beasts", "name": "Beasts", "max_models": 24}
    assert made["units"][0]["models_in"] == ["beasts"]


def test_a_unit_that_rules_out_others_of_its_kind_does_so_for_the_army(tmp_path: Path) -> None:
    legion, most = "abab-0000-0000-0031", "abab-0000-0000-0032"
    alone = change("set", most, 1, when(legion))
    king = unit("King", entry("Legion", limit("max", 1), id_=legion), alone,
                limit("max", -1, "roster", id_=most))  # fmt: skip
    (made,) = imported(tmp_path, catalogue(king)).book["units"]
    assert made["when"] == [{"if": {"taken": "king/legion", "in": "army"}, "set": {"cap": 1}}]
    assert "unchecked" not in made


def test_a_bearer_has_one_banner_where_the_file_nowhere_allows_two(tmp_path: Path) -> None:
    bearer = entry("Battle Standard Bearer", limit("max", 1))

    def banners(most: int) -> str:
        return group("Banner Enchantment", limit("max", most), *map(entry, ("Flame", "Frost")))

    def chosen(*most: int) -> list[object]:
        units = (unit(f"Thane {number}", bearer, banners(number)) for number in most)
        made = imported(tmp_path, catalogue(*units)).book["units"]
        return [node(one, "banner-enchantment").get("choose") for one in made]

    assert chosen(1) == [[0, 1]]
    assert chosen(1, 2) == [None, None]


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


def test_stats_change_under_conditions_and_what_cannot_be_said_is_a_gap(tmp_path: Path) -> None:
    wings = entry("Wings", limit("max", 1), id_=OTHER)
    moved = [
        change("set", "HP", 8, when(OTHER)),
        change("decrement", "Res", 1, when(OTHER)),
        change("append", "HP", " (9)", when(OTHER)),
    ]
    stats = profile("Crew Defensive", "2 Defensive", {"HP": "7", "Res": "4"}, *moved)
    found = imported(tmp_path, catalogue(unit("Spears", stats, wings)))
    asked = {"if": {"taken": "wings"}}
    assert found.book["units"][0]["profiles"][0]["when"] == [
        {**asked, "set": {"hp": "8"}},
        {**asked, "add": {"res": -1}},
    ]
    assert [gap["where"] for gap in found.book["gaps"]] == ["spears"]


def test_a_row_has_the_name_that_its_profile_has_at_the_time(tmp_path: Path) -> None:
    wings = entry("Wings", limit("max", 1), id_=OTHER)
    moved = [
        change("append", "name", "(2)"),
        change("set", "name", "Rower (3) Defensive", when(OTHER)),
        change("set", "name", "Rower (2) Defensive", when(OTHER, "equalTo", 0.0)),
    ]
    parts = [
        profile("Rower", "2 Defensive", {"HP": "7"}, *moved),
        profile("Drummer Global", "1 Global", {"Adv": "4"}, change("set", "name", "Chief Global")),
    ]
    book = imported(tmp_path, catalogue(unit("Spears", wings, *parts))).book
    game = shipped_library().system("t9a-2023")
    assert book_problems(book, game, "book.json") == []
    rower, chief = book["units"][0]["profiles"]
    assert rower["name"] == "Rower (2)"
    assert rower["when"] == [{"if": {"taken": "wings"}, "name": "Rower (3)"}]
    assert (chief["name"], chief.get("when")) == ("Chief", None)
    built, problems = build_book(book, game.apart(), "book.json")
    assert built is not None, problems
    (unit_,), army = built.units.values(), Army(1000, {}, {})
    taken = dict.fromkeys(unit_.offer.slots["wings"][0].option.counted, 1)
    names = [stat_line(unit_.profiles[0], Place(army, counts)).name for counts in ({}, taken)]
    assert names == ["Rower (2)", "Rower (3)"]


def test_a_rule_is_called_what_it_is_and_not_what_a_link_once_called_it(tmp_path: Path) -> None:
    shared = [
        f'<rule id="{OTHER}" name="Trained" hidden="false"/>',
        f'<rule id="{LIMIT}" name="Bow" hidden="false"/>',
    ]
    links = [
        rule_link("Training", target=OTHER),
        rule_link("Bow (4+)", change("append", "name", "(3+)"), target=LIMIT),
        rule_link("Lost"),
    ]
    extra = f"<sharedRules>{''.join(shared)}</sharedRules>"
    book = imported(tmp_path, catalogue(unit("Spears", *links), extra=extra)).book
    assert book["units"][0]["keywords"] == ["Trained", "Bow (3+)", "Lost"]


def test_what_the_book_does_not_say_is_a_gap(tmp_path: Path) -> None:
    # A missing stat line is a gap.
    gaps = imported(tmp_path, catalogue(unit("Spears"))).book["gaps"]
    assert gaps == [{"where": "spears", "what": "No stat line in the source."}]
    # A rule told in a sentence is a gap and not stored.
    prose = "This model strikes first in every round of combat until the battle has ended"
    stats = profile("Crew Global", "1 Global", {"Adv": "5", "Rules": prose})
    found = imported(tmp_path, catalogue(unit("Spears", stats)))
    assert "strikes first" not in str(found.book)
    assert "told in a sentence" in found.book["gaps"][0]["what"]
