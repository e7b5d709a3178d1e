"""Options, groups, shared nodes and conditions out of BattleScribe files."""

from pathlib import Path
from typing import Any

import pytest

from bookimport import make_book, read_sources
from bookimport.drafts import ImportDoubt
from small_files import (
    BEASTS,
    CORE,
    any_of,
    assert_parts,
    catalogue,
    categorised,
    change,
    entry,
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
HORN = "abab-0000-0000-0002"
SWORD = "abab-0000-0000-0003"
VOW = "abab-0000-0000-0005"
ONCE = limit("max", 1)
MODEL = "abab-0000-0000-0004"
THE_HORN = entry("Horn", ONCE, id_=HORN)
IF_HORN = {"if": {"taken": "horn"}}


def item_group(name: str, *options: str, most: int = 1) -> str:
    return group(name, limit("max", most), *options)


def relic(name: str, *parts: str, kind: str = "", id_: str = "") -> str:
    told = [profile(name, "7 Artefact", {"Type": kind, "Effect": "Prose."})] if kind else []
    return entry(name, ONCE, *told, *parts, id_=id_)


#: By the claim: parts of a unit, and what is made of them at nodes ("": the unit itself).
WHICH = "its price: 2 points a model, or 4"
CLAIMS: dict[str, tuple[list[str], dict[str, dict[str, Any]]]] = {
    "an option at most once says nothing of its number": (
        [entry("Great Horn", ONCE, price(10.0))],
        {"": {"options": [{"id": "great-horn", "name": "Great Horn", "points": 10}]}}),
    "a must is given": (
        [entry("Horn", ONCE, limit("min", 1)), entry("Drum", limit("max", 3))],
        {"horn": {"number": [1, 1]}, "drum": {"number": [0, 3]}}),
    "a price per model is said once": (
        [models(5, 10, 5, id_=MODEL),
         entry("Horn", ONCE, price(10), change("increment", "points", 2.0, repeat())),
         entry("Drum", ONCE, change("increment", "points", 3, repeat(MODEL, 1)))],
        {"horn": {"points": 10, "points_per_model": 2}, "drum": {"points_per_model": 3}}),
    "prices change with what is taken": (
        [models(5, 9, 1), THE_HORN,
         entry("Boar", ONCE, change("set", "points", 40, when(HORN)),
               change("increment", "points", 5, when(HORN), repeat()),
               change("increment", "points", 10, repeat(HORN, 1, "roster")),
               change("increment", "points", 0, when(HORN)))],
        {"boar": {"when": [
            {**IF_HORN, "set": {"points": 40}}, {**IF_HORN, "add": {"points_per_model": 5}},
            {"for_each": {"taken": "spears/horn", "in": "army"}, "add": {"points": 10}}]}}),
    "a group says how many and for how much": (
        [group("Music", limit("min", 1), ONCE, limit("max", 50, "parent", "points"), THE_HORN,
               entry("Drum", ONCE), default=HORN)],
        {"music": {"choose": [1, 1], "default": "horn", "allowance": 50}}),
    "a limit implied by the group around is left out": (
        [group("Music", ONCE, group("Strings", ONCE, entry("Harp", ONCE), entry("Lute", ONCE)),
               entry("Horn", ONCE))],
        {"strings": {"choose": None, "name": "Strings"}}),
    "a unit that may have more items than others says so": (
        [item_group("Weapon Enchantments", relic("A"), relic("B"), most=2)],
        {"": {"item_limits": {"weapon-enchantment": 2}}}),
    "a cap too high for units is one of models": (
        [entry("Longbow", ONCE, limit("max", 55, "roster"))], {"longbow": {"cap_models": 55}}),
    "caps of options count takings or points": (
        [entry("Axes", ONCE, limit("max", 3, "roster"), limit("max", 80, "roster", "points"))],
        {"axes": {"cap": 3, "cap_points": 80}}),
    "options may count in a category of their own": (
        [entry("Bear", ONCE, categorised(BEASTS), categorised(CORE)),
         entry("Wolf", ONCE, change("add", "category", BEASTS))],
        {"bear": {"categories": ["beasts"]}, "wolf": {"categories": ["beasts"]}}),
    "hidden with either of two refuses both": (
        [THE_HORN, entry("Sword", ONCE, id_=SWORD),
         entry("Relic", ONCE, change("set", "hidden", "true", any_of(when(HORN), when(SWORD))))],
        {"relic": {"not_with": ["horn", "sword"]}}),
    "a least may rise and a most may fall": (
        [THE_HORN,
         entry("Shield", ONCE, limit("min", 0, id_=LIMIT), change("set", LIMIT, 1, when(HORN))),
         entry("Gits", limit("max", 2, id_=SWORD), change("increment", SWORD, 1, when(HORN)))],
        {"shield": {"when": [{**IF_HORN, "set": {"min": 1}}]},
         "gits": {"when": [{**IF_HORN, "add": {"max": 1}}]}}),
    "a most of nothing that rises is a need": (
        [THE_HORN,
         entry("Scout", limit("max", 0, id_=LIMIT), change("set", LIMIT, 1, when(HORN)))],
        {"scout": {"needs": {"taken": "horn"}, "number": None, "when": None, "not_with": None}}),
    "no most under a condition is all there are": (
        [THE_HORN, group("Blades", limit("max", 1, id_=LIMIT), change("set", LIMIT, -1, when(HORN)),
                         entry("A", ONCE), entry("B", ONCE))],
        {"blades": {"when": [{**IF_HORN, "set": {"max": 2}}]}}),
    "an allowance may depend on what is taken": (
        [THE_HORN, group("Gear", limit("max", 100, "parent", "points", id_=LIMIT),
                         change("set", LIMIT, 200, when(HORN)), entry("Orb", ONCE))],
        {"gear": {"when": [{**IF_HORN, "set": {"allowance": 200}}]}}),
    "a rune capped at one is one of a kind, and others are as often as they say": (
        [item_group("Runic Armour Enchantments", relic("Iron", limit("max", 1, "roster")),
                    relic("Steel", limit("max", 2, "roster")), relic("Stone"), most=3)],
        {"iron": {"item": "rune", "one_of_a_kind": True, "cap": None},
         "steel": {"cap": 2, "one_of_a_kind": None},
         "stone": {"cap": None, "one_of_a_kind": None}}),
    "a group asked for in a condition is kept": (
        [group("Mounts", group("Beasts", ONCE, entry("Boar", ONCE), entry("Wolf", ONCE)), id_=HORN),
         entry("Lance", limit("max", 1, id_=LIMIT),
               change("set", LIMIT, 0, when(HORN, "equalTo", 0)))],
        {"lance": {"needs": {"taken": "mounts"}}, "beasts": {"choose": [0, 1]},
         "mounts": {"name": "Mounts"}}),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_parts_of_a_unit_are_read(claim: str, tmp_path: Path) -> None:
    parts, expected = CLAIMS[claim]
    assert_parts(unit_of(tmp_path, *parts), expected)


@pytest.mark.parametrize(
    ("limits", "less"),
    [
        ([limit("min", 1), limit("max", 1)], {"min": -1, "max": -1}),
        ([limit("max", 1)], {"max": -1}),
    ],
)
def test_the_mark_of_the_general_takes_a_place_of_its_group(
    limits: list[str], less: dict[str, int], tmp_path: Path
) -> None:
    general = entry("Army General", limit("max", 1, "roster"), limit("min", 1, "roster"))
    rank = group("Rank", *limits, entry("Captain", ONCE), general, entry("Guard", ONCE))
    (found,) = unit_of(tmp_path, rank)["options"]
    assert [one["id"] for one in found["options"]] == ["captain", "guard"]
    assert found["when"] == [{"if": {"role": "general"}, "add": less}]


def test_an_option_without_a_most_is_taken_once_and_told(tmp_path: Path) -> None:
    runes = group("Runes", limit("max", 3), entry("Fire"), entry("Ice", limit("max", -1)))
    found = imported(tmp_path, catalogue(unit("Spears", entry("Horn"), runes)))
    tree = found.book["units"][0]
    assert "number" not in node(tree, "horn")
    assert node(tree, "fire")["number"] == node(tree, "ice")["number"] == [0, 3]
    assert [doubt.place for doubt in found.notes.doubts if "no most" in doubt.what] == [
        "Spears › Horn"
    ]


def test_defaults_mean_what_is_there(tmp_path: Path) -> None:
    # A link as default means its target.
    music = group("Music", ONCE, link(HORN, "Horn", id_=SWORD), default=SWORD)
    assert unit_of(tmp_path, music, shared=(THE_HORN,))["options"][0]["default"] == "horn"
    # A default that is not there is told.
    music = group("Music", ONCE, entry("Drum", ONCE), default=HORN)
    found = imported(tmp_path, catalogue(unit("Spears", music, entry("Horn", ONCE, id_=HORN))))
    assert "default" not in found.book["units"][0]["options"][0]
    assert (
        ImportDoubt("Spears › Music", "its default is not among its options") in found.notes.doubts
    )


def test_wrappers_become_groups_and_ask_for_nothing(tmp_path: Path) -> None:
    # Wrappers become groups and count as taken by what is in them.
    wrapper = entry(
        "Special Equipment", ONCE,
        group("Special Equipment", limit("max", 100, "parent", "points"),
              group("Relics", entry("Orb", ONCE), entry("Rod", ONCE)),
              group("Flags", entry("Banner", ONCE))),
        id_=HORN,
    )  # fmt: skip
    asks = entry("Chest", ONCE, change("set", "hidden", "true", when(HORN, "equalTo", 0)))
    found = unit_of(tmp_path, wrapper, asks)
    assert node(found, "special-equipment")["allowance"] == 100
    assert node(found, "relics")["options"][0]["id"] == "orb"
    assert node(found, "chest")["needs"] == {"taken": "special-equipment"}
    # What is a must in a wrapper is allowed and told as a gap.
    inner = group("Blades", limit("min", 2), limit("max", 2), entry("A", ONCE), entry("B", ONCE),
                  entry("C", ONCE))  # fmt: skip
    other = group("Relics", entry("Orb", ONCE))
    found = imported(
        tmp_path, catalogue(unit("Spears", entry("Special Equipment", ONCE, inner, other)))
    )
    blades = node(found.book["units"][0], "blades")
    assert blades["choose"] == [0, 2]
    assert "when" not in blades
    assert any("asks for 2 of them" in gap["what"] for gap in found.book["gaps"])


def test_options_are_laid_out_as_the_format_has_them(tmp_path: Path) -> None:
    # Points limits of one option are an allowance around it.
    found = unit_of(tmp_path, entry("Damnation", ONCE, limit("max", 60, "parent", "points")))
    assert found["options"][0]["allowance"] == 60
    assert found["options"][0]["options"][0]["id"] == "damnation"
    # Groups that tell nothing are merged away.
    lone = group("Upgrades", group("Music", ONCE, entry("Horn", ONCE), entry("Drum", ONCE)))
    same = group("Spears", entry("Flag", ONCE))
    found = unit_of(tmp_path, lone, same, group("Empty"))
    assert [one.get("group") or one["id"] for one in found["options"]] == ["music", "flag"]
    # Ids are unique below a unit.
    fires = (entry(name, ONCE) for name in ("Fire", "Åsk's Fíre°", "Fire"))
    found = unit_of(tmp_path, group("Fire", ONCE, *fires))["options"][0]
    assert found["group"] == "fire"
    assert [one["id"] for one in found["options"]] == ["fire-2", "asks-fire", "fire-3"]


def test_what_is_used_is_shared_or_stands_where_it_is_used(tmp_path: Path) -> None:
    # What is used twice is shared and overridden at its places.
    sword = entry("Sword", ONCE, rule_link("Sharp"), price(5), id_=SWORD)
    text = catalogue(
        unit("Spears", link(SWORD, "Sword")),
        unit("Bows", link(SWORD, "Sword", price(8), change("append", "name", "(3+)"),
                          limit("max", 2, "roster"), limit("min", 1))),
        shared=(sword, entry("Unused", ONCE)),
    )  # fmt: skip
    book = imported(tmp_path, text).book
    assert book["options"] == [{"id": "sword", "name": "Sword", "points": 5, "keywords": ["Sharp"]}]
    assert book["units"][0]["options"] == [{"use": "sword"}]
    assert book["units"][1]["options"] == [
        {"use": "sword", "name": "Sword (3+)", "points": 8, "number": [1, 1], "cap": 2}
    ]
    # What is used once stands where it is used.
    sword = entry("Sword", ONCE, price(5), id_=SWORD)
    book = imported(tmp_path, catalogue(unit("Spears", link(SWORD, "Sword")), shared=(sword,))).book
    assert book["units"][0]["options"] == [{"id": "sword", "name": "Sword", "points": 5}]
    assert "options" not in book
    # Ids of the book come before those of the game.
    game = system(entry("Old Sword", ONCE, id_=SWORD), entry("Game Horn", ONCE, id_=HORN))
    text = catalogue(
        unit("Spears", link(SWORD, "Sword"), link(HORN, "Horn")),
        shared=(entry("New Sword", ONCE, id_=SWORD),),
    )
    found = imported(tmp_path, text, game).book["units"][0]
    assert [one["id"] for one in found["options"]] == ["new-sword", "game-horn"]
    # A link to nowhere is told and not fatal.
    found = imported(tmp_path, catalogue(unit("Spears", link(SWORD, "Lost Sword"))))
    assert "options" not in found.book["units"][0]
    assert (f"links to {SWORD}, which is nowhere") in [one.what for one in found.notes.doubts]


def test_what_links_add_belongs_to_the_target_or_stands_beside_it(tmp_path: Path) -> None:
    # What all links add belongs to the target.
    bear = entry("Bear", ONCE, id_=SWORD)
    place = link(SWORD, "Bear", categorised(BEASTS))
    book = imported(tmp_path, catalogue(unit("A", place), unit("B", place), shared=(bear,))).book
    assert book["options"] == [{"id": "bear", "name": "Bear", "categories": ["beasts"]}]
    # What one link adds stands beside it.
    saddle = entry("Saddle", ONCE, limit("min", 1), id_=HORN)
    text = catalogue(
        unit("A", link(SWORD, "Bear", link(HORN, "Saddle"))),
        unit("B", link(SWORD, "Bear"), link(HORN, "Saddle")),
        shared=(bear, saddle),
    )
    found = imported(tmp_path, text).book["units"][0]["options"]
    follow = {"if": {"taken": "bear"}, "set": {"min": 1}}
    assert found == [
        {"use": "bear"},
        {"use": "saddle", "number": [0, 1], "needs": {"taken": "bear"}, "when": [follow]},
    ]
    # A limit set by a link on its target is its own.
    sword = entry("Sword", limit("max", 1, id_=LIMIT), id_=SWORD)
    closed = link(SWORD, "Sword", change("set", LIMIT, 0, when(HORN)))
    text = catalogue(
        unit("A", entry("Horn", ONCE, id_=HORN), closed), unit("B", link(SWORD, "Sword")),
        shared=(sword,),
    )  # fmt: skip
    found = imported(tmp_path, text).book["units"][0]
    assert node(found, "sword") == {"use": "sword", "not_with": ["horn"]}


@pytest.mark.parametrize(
    ("most", "points", "told"), [(35, 70, []), (35, 60, [WHICH]), (35, None, [WHICH])]
)
def test_of_two_prices_that_one_holds_at_which_two_caps_are_one(
    most: int, points: int | None, told: list[str], tmp_path: Path
) -> None:
    each = change("increment", "points", 2, repeat())
    cap = [] if points is None else [limit("max", points, "roster", "points")]
    text = catalogue(
        unit("Lancers", models(8, 25, 8, id_=MODEL), link(SWORD, "Vanguard", ONCE, each, *cap)),
        shared=(entry("Vanguard", limit("max", most, "roster"), each, id_=SWORD),),
    )
    found = node(imported(tmp_path, text).book["units"][0], "vanguard")
    assert found["points_per_model"] == 2
    assert [one["what"] for one in found.get("unchecked", ())] == told


def test_a_must_that_is_linked_twice_is_there_twice(tmp_path: Path) -> None:
    oath = entry("Oath", limit("min", 1), limit("max", 1), limit("max", 3, "roster"), id_=SWORD)
    vow = entry("Vow", ONCE, id_=VOW)
    twice = [link(SWORD, "Oath"), link(SWORD, "Oath")]
    either = [link(VOW, "Vow"), link(VOW, "Vow")]
    text = catalogue(
        unit("Knights", *twice, *either),
        unit("Squires", link(SWORD, "Oath"), link(VOW, "Vow")),
        shared=(oath, vow),
    )
    found = imported(tmp_path, text).book
    knights, squires = found["units"]
    assert knights["options"] == [{"use": "oath", "number": [2, 2]}, *[{"use": "vow"}] * 2]
    assert squires["options"] == [{"use": "oath"}, {"use": "vow"}]
    assert "oath" in {gap["where"] for gap in found["gaps"]}


def test_ids_do_not_depend_on_other_books(tmp_path: Path) -> None:
    text = catalogue(unit("Spears", entry("Horn", ONCE), entry("Horn", ONCE)))
    alone = imported(tmp_path, text).book
    other = catalogue(unit("Horn"), unit("Spears"), name="Another")
    (tmp_path / "a.cat").write_text(other, encoding="utf-8")
    sources = read_sources(tmp_path)
    assert [name for name, _ in sources.books] == ["a.cat", "book.cat"]
    assert make_book(sources, 1, "t9a-2023").book == alone


def needs(folder: Path, *conditions: str, of: str = "") -> Any:
    """What an option needs that is hidden unless the conditions hold."""
    shown = change("set", "hidden", "false", *conditions)
    text = unit_of(
        folder,
        models(5, 40, 5, id_=MODEL),
        group("Music", ONCE, entry("Horn", limit("max", 3), id_=HORN), id_=LIMIT),
        entry("Sword", ONCE, id_=SWORD),
        entry("Relic", ONCE, shown, hidden="true"),
    )
    found = node(text, "relic")
    return found.get("needs", found.get("not_with"))


def test_conditions_are_said_in_the_formats_words_and_must_all_hold(tmp_path: Path) -> None:
    # Conditions are said in the formats words.
    for condition, said in [
        (when(HORN), {"taken": "horn"}),
        (when(HORN, "atLeast", 1), {"taken": "horn"}),
        (when(HORN, "greaterThan", 0), {"taken": "horn"}),
        (when(HORN, "equalTo", 0), ["horn"]),
        (when(HORN, "lessThan", 1), ["horn"]),
        (when(HORN, "atLeast", 2), {"taken": "horn", "at_least": 2}),
        (when(HORN, "equalTo", 2), {"taken": "horn", "at_least": 2, "at_most": 2}),
        (when(HORN, "atMost", 2), {"taken": "horn", "at_most": 2}),
        (when(LIMIT), {"taken": "music"}),
        (when(HORN, "equalTo", 1, "roster"), {"taken": "spears/horn", "in": "army"}),
        (when("model", "atLeast", 30), {"models": {"at_least": 30}}),
        (when("model", "greaterThan", 30), {"models": {"at_least": 31}}),
        (when(MODEL, "lessThan", 30), {"models": {"at_most": 29}}),
        (when("model", "equalTo", 20), {"models": {"at_least": 20, "at_most": 20}}),
        (when("model", "atMost", 3000, "roster", "limit"), {"limit": {"at_most": 3000}}),
        (when("model", "greaterThan", 3000, "roster", "limit"), {"limit": {"at_least": 3001}}),
        (when(CORE, "instanceOf", 0, "primary-category"), {"category": "core"}),
        (any_of(when(HORN), when(SWORD)), {"taken": ["horn", "sword"]}),
        (
            any_of(when(HORN), when(SWORD), op="and"),
            {"all": [{"taken": "horn"}, {"taken": "sword"}]},
        ),
    ]:  # fmt: skip
        assert needs(tmp_path, condition) == said, condition
    # Conditions and groups of them must all hold.
    both = needs(tmp_path, when(HORN), any_of(when(SWORD), when(LIMIT, "equalTo", 0)))
    inner = {"any": [{"taken": "sword"}, {"not": {"taken": "music"}}]}
    assert both == {"all": [{"taken": "horn"}, inner]}


def test_what_can_never_be_taken_is_told(tmp_path: Path) -> None:
    # What can never be taken is asked for in vain and told.
    hidden = change("set", "hidden", "true", any_of(when(HORN), when(SWORD)))
    text = catalogue(
        unit("Spears", entry("Sword", ONCE, id_=SWORD), entry("Relic", ONCE, hidden)),
        unit("Bows", entry("Horn", ONCE, id_=HORN)),
    )
    found = imported(tmp_path, text)
    assert node(found.book["units"][0], "relic")["not_with"] == ["sword"]
    doubt = ImportDoubt("Spears › Relic", "asks for Horn, which can never be taken there")
    assert doubt in found.notes.doubts
    # What is always hidden is left out and told.
    found = imported(tmp_path, catalogue(unit("Spears", entry("Horn", ONCE, hidden="true"))))
    assert "options" not in found.book["units"][0]
    assert "what can never be taken by the source, left out" in found.audit["idle"]


def test_special_items_are_one_of_a_kind(tmp_path: Path) -> None:
    grand = change("set", LIMIT, 2, when("model", "atLeast", 8000, "roster", "limit"))
    items = item_group(
        "OF Weapon Enchantments",
        relic("Slayer", limit("max", 1, "roster", id_=LIMIT), grand,
              kind="Hand weapon or Paired Weapon Enchantment"),
        relic("Banisher", limit("max", 3, "roster"), kind="Melee Weapon Enchantment"),
        relic("Needle"),
    )  # fmt: skip
    found = imported(tmp_path, catalogue(unit("Spears", items)))
    tree = found.book["units"][0]
    assert "choose" not in tree["options"][0]
    slayer = node(tree, "slayer")
    assert (slayer["item"], slayer["one_of_a_kind"]) == ("weapon-enchantment", True)
    assert slayer["on"] == ["hand-weapon", "paired-weapons"]
    assert not {"cap", "when"} & set(slayer)
    banisher = node(tree, "banisher")
    assert banisher["cap"] == 3
    assert "one_of_a_kind" not in banisher
    assert banisher["on"][:3] == ["hand-weapon", "paired-weapons", "great-weapon"]
    assert node(tree, "needle")["one_of_a_kind"] is True
    silent = [gap["where"] for gap in found.book["gaps"] if "goes on" in gap["what"]]
    assert silent == ["spears/needle"]
    assert list(found.notes.against_rules.values()) == [1]
    assert "Prose" not in str(found.book)


@pytest.mark.parametrize(("name", "most", "kept"), [
    ("Armour Enchantments", 1, False), ("Shield Enchantment", 1, False),
    ("Artefacts (non-Wizards)", 2, False), ("Banner Enchantments", 1, False),
    ("Artefacts", 1, True), ("Weapon Enchantments", 2, True), ("Banner Enchantments", 2, True),
    ("Runic Weapon Enchantments", 1, True),
])  # fmt: skip
def test_limits_of_item_groups_are_kept_only_where_they_differ_from_the_rule(
    name: str, most: int, kept: bool, tmp_path: Path
) -> None:
    items = item_group(name, relic("A"), relic("B"), relic("C"), most=most)
    found = unit_of(tmp_path, items)["options"][0]
    assert found.get("choose") == ([0, most] if kept else None)


def test_dominant_items_exclude_each_other_by_rule(tmp_path: Path) -> None:
    ball, book, rod = "abab-0000-0000-0007", "abab-0000-0000-0008", "abab-0000-0000-0009"
    refused = any_of(when(book), when(rod))
    text = item_group(
        "Artefacts",
        entry("°Crystal Ball", limit("max", 1, id_=LIMIT), change("set", LIMIT, 0, refused),
              id_=ball),
        relic("Book", kind="Artefact - Dominant", id_=book),
        relic("Rod", id_=rod),
        most=2,
    )  # fmt: skip
    found = unit_of(tmp_path, text)
    crystal = node(found, "crystal-ball")
    assert (crystal["name"], crystal["dominant"]) == ("Crystal Ball", True)
    assert crystal["not_with"] == ["rod"]
    assert node(found, "book")["dominant"] is True
    assert "dominant" not in node(found, "rod")


def test_conditions_on_units_and_places(tmp_path: Path) -> None:
    # A condition on one unit holds only there.
    chief = "abab-0000-0000-0006"
    relic = entry("Relic", ONCE, price(35),
                  change("set", "points", 100, when(chief, "instanceOf", 0, "ancestor")),
                  id_=SWORD)  # fmt: skip
    text = catalogue(
        unit("Chief", link(SWORD, "Relic"), id_=chief), unit("Bows", link(SWORD, "Relic")),
        shared=(relic,),
    )  # fmt: skip
    shared = imported(tmp_path, text).book["options"][0]
    assert shared["when"] == [{"if": {"unit": "chief"}, "set": {"points": 100}}]
    # The name of a place may carry a restriction.
    ring = entry("Ring", ONCE, id_=SWORD)
    place = link(SWORD, "Ring (only on Foot)")
    book = imported(tmp_path, catalogue(unit("A", place), unit("B", ring), shared=(ring,))).book
    assert book["options"] == [{"id": "ring", "name": "Ring"}]
    assert book["units"][0]["options"] == [{"use": "ring", "needs": {"is": "on-foot"}}]
    assert book["units"][1]["options"] == [{"use": "ring"}]


def test_what_has_no_words_in_the_format_is_told(tmp_path: Path) -> None:
    # A condition the format has no words for is told as not checked.
    asks = change("set", "hidden", "true", when(HORN, "equalTo", 1, CORE))
    horn = entry("Horn", ONCE, asks, id_=HORN)
    found = imported(tmp_path, catalogue(unit("Spears", horn)))
    (told,) = node(found.book["units"][0], "horn")["unchecked"]
    assert (told["why"], told["what"][:24]) == ("condition", "whether it may be taken:")
    assert [one["place"] for one in found.audit["unchecked"]] == ["Spears › Horn"]
    # A name under a condition is a gap and forbids nothing.
    renamed = change("append", "name", "of Fire", when(HORN))
    horn = entry("Horn", ONCE, renamed, id_=HORN)
    found = imported(tmp_path, catalogue(unit("Spears", horn)))
    told = [gap["what"] for gap in found.book["gaps"] if gap["where"] == "spears/horn"]
    assert told == ["Under a condition its name becomes “Horn of Fire”."]
    assert found.audit["idle"] == {"a change of a name": 2}
