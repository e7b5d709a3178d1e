"""The shipped catalogues: all load, and they hold what their sources say."""

import json
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.options import Offer
from armybuilder.engine.sentences import sentence
from armybuilder.engine.units import Unit
from armybuilder.engine.verdict import Outcome
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.examples import Example, load_examples, shipped_examples
from armybuilder.loading.library import CATALOGUE_DIR, load_library, shipped_library
from tests.building.documents import list_of, value_of
from tests.building.tiny import Data, document, take

LIBRARY = shipped_library()
BOOKS = [(system, book) for system, books in LIBRARY.books.items() for book in books]
FILES = sorted(
    file for file in CATALOGUE_DIR.glob("*/*.json") if file.parent.name not in ("schema", "packs")
)


def units(system: str, book: str) -> list[Unit]:
    return list(LIBRARY.books[system][book].units.values())


def raw(system: str, file: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((CATALOGUE_DIR / system / f"{file}.json").read_text("utf-8"))
    return data


def test_all_shipped_files_load_without_a_problem() -> None:
    library = load_library(CATALOGUE_DIR)
    assert [str(problem) for problem in library.problems] == []
    loaded = {CATALOGUE_DIR / system / "system.json" for system in library.systems}
    loaded |= {file.path for file in library.files.values()}
    assert sorted(loaded) == FILES
    books = [(system, book) for system, books in library.books.items() for book in books]
    assert sorted(books) == sorted(library.files)


@pytest.mark.parametrize(("system", "book"), BOOKS)
def test_every_unit_says_where_it_comes_from_or_its_book_does(system: str, book: str) -> None:
    assert LIBRARY.books[system][book].source
    if LIBRARY.books[system][book].kind == "collected":
        for unit in units(system, book):
            assert all((unit.sources, unit.origin or unit.certainty)), unit.ref


@pytest.mark.one_in(12)
@pytest.mark.parametrize(("system", "book"), BOOKS)
def test_every_unit_alone_is_on_a_list_without_an_unknown_thing(system: str, book: str) -> None:
    catalogue = LIBRARY.catalogue(system, [book])
    for unit in units(system, book):
        data = document(take(unit.ref, unit.smallest), system=system, books=[book], limit=9999)
        report = validate(make_roster(value_of(data), catalogue), catalogue)
        assert not [found for found in report.findings if found.code.endswith(".unknown")], unit.ref


@pytest.mark.parametrize("system", LIBRARY.systems)
def test_default_sizes_and_settings_are_among_those_offered(system: str) -> None:
    made = LIBRARY.systems[system]
    assert made.default_size in made.sizes
    assert list(made.sizes) == sorted(made.sizes)


@pytest.mark.parametrize("system", LIBRARY.systems)
def test_every_rule_and_fact_cites_a_place_and_names_are_said_once(system: str) -> None:
    made = LIBRARY.systems[system]
    for rule in made.rules:
        assert all((rule.head.citation.place, rule.head.summary)), rule.head.id
    for names in (
        [ability.name for ability in made.abilities.values()],
        list(made.spells.values()),
        [fact.head.name for fact in made.facts],
    ):
        assert len(set(names)) == len(names)


# Song of Blades and Heroes

#: The list of special rules, as its source has it: name -> points.
SPECIALS = {
    "Amphibious": 3, "Animal": -3, "Artificial": 3, "Assassin": 15, "Big": 3, "Cleric": 15,
    "Clinging": 3, "Combat Master": 10, "Danger Sense": 3, "Dashing": 3, "Desert Walk": 3,
    "Entangle": 15, "Fearless": 3, "Flying": 10, "Forester": 3, "Free Disengage": 3,
    "Gargantuan": 3, "Good Shot": 3, "Greedy": -2, "Gregarious": 3, "Heavy Armor": 3, "Hero": 15,
    "Huge": 5, "Leader": 15, "Legendary Shot": 15, "Lethal": 3, "Long Move": 10, "Magic-User": 15,
    "Mounted": 6, "Poison": 3, "Rabble": -5, "Savage": 3, "Shooter (Long)": 7,
    "Shooter (Medium)": 4, "Shooter (Short)": 2, "Short Move": -3, "Slow": -5, "Steadfast": 3,
    "Stealth": 3, "Swarm": 3, "Tailslap": 3, "Terror": 15, "Tough": 15, "Undead": 3,
    "Unerring Aim": 3,
}  # fmt: skip
PERSONALITIES = {
    "Assassin", "Cleric", "Combat Master", "Hero", "Leader", "Legendary Shot", "Magic-User",
    "Terror", "Tough",
}  # fmt: skip


def test_the_forty_five_special_rules_have_the_points_of_their_list() -> None:
    abilities = LIBRARY.systems["sbh"].abilities.values()
    assert len(SPECIALS) == 45
    listed = {ability.name: ability.points for ability in abilities if not ability.declared}
    assert listed == SPECIALS


def test_what_a_player_only_declares_costs_nothing() -> None:
    abilities = LIBRARY.systems["sbh"].abilities.values()
    assert [(ability.name, ability.points) for ability in abilities if ability.declared] == [
        ("Ranged weapon (supplement)", 0)
    ]


def test_the_special_rules_that_other_rules_speak_of_are_marked() -> None:
    for tag, names in [
        ("personality", PERSONALITIES),
        ("animal", {"Animal", "Swarm"}),
        ("shooter", {"Shooter (Long)", "Shooter (Medium)", "Shooter (Short)"}),
        ("shooter-like", {"Ranged weapon (supplement)"}),
    ]:
        abilities = LIBRARY.systems["sbh"].abilities.values()
        assert {ability.name for ability in abilities if f"tag:{tag}" in ability.tags} == names, tag


def test_the_disputed_price_of_gargantuan_is_explained() -> None:
    assert "9" in LIBRARY.systems["sbh"].abilities["gargantuan"].note
    assert LIBRARY.books["sbh"]["gargantuan-nine"].ability_points == {"gargantuan": 9}


def test_the_printed_points_of_all_profiles_are_what_the_formula_gives() -> None:
    printed = {f"profiles/{unit['id']}": unit["points"] for unit in raw("sbh", "profiles")["units"]}
    assert len(printed) == 53
    for unit in units("sbh", "profiles"):
        quality, combat = (int(unit.stats[stat]) for stat in ("quality", "combat"))
        specials = sum(SPECIALS[use.ability.name] for use in unit.abilities)
        x = (5 * combat + specials) * (7 - quality)
        assert unit.price.of(1) == max(1, (x + 1) // 2) == printed[unit.ref], unit.ref


def test_every_profile_says_how_sure_its_place_in_the_rulebook_is() -> None:
    for entry in raw("sbh", "profiles")["units"]:
        assert entry["certainty"] in ("rulebook", "rulebook-probable"), entry["id"]
        assert entry["confidence"] in ("high", "medium", "low"), entry["id"]


def test_no_shipped_profile_breaks_a_rule_of_its_own() -> None:
    assert {unit.ref: unit.faults for unit in units("sbh", "profiles") if unit.faults} == {}


# Chainmail 2002

FACTIONS = ["ahmuts-legion", "drazens-horde", "kilsek", "mordengard", "naresh", "ravilla", "thalos"]
#: Terrain by environment, as rules 501.11 and 501.21 list it.
ABOVE = {
    "briars", "dragon-claw", "dragon-skull", "hall-of-evil", "hall-of-good", "hedgerow", "hill",
    "hut", "mausoleum", "quagmire", "row-of-headstones", "row-of-trees", "stake-barrier",
    "high-wall", "low-wall", "woods",
}  # fmt: skip
UNDER = {
    "dragon-claw", "dragon-skull", "hall-of-evil", "hall-of-good", "hissing-pool", "hut",
    "mausoleum", "murder-slab", "quagmire", "row-of-headstones", "sacred-circle", "stake-barrier",
    "high-wall", "low-wall", "web",
}  # fmt: skip


def test_chainmail_has_its_factions_alignments_and_types() -> None:
    attributes = LIBRARY.systems["chainmail-2002"].attributes
    assert sorted(attributes["faction"].values) == sorted([*FACTIONS, "none"])
    assert set(attributes["alignment"].values) == {"good", "neutral", "evil"}
    assert len(attributes["type"].values) == 17


def test_terrain_lies_where_the_rules_put_it() -> None:
    cases: list[tuple[str, set[str]]] = [("aboveground", ABOVE), ("underground", UNDER)]
    for environment, pieces in cases:
        values = LIBRARY.systems["chainmail-2002"].settings["terrain"].values
        found = {
            piece.id for piece in values.values() if environment in dict(piece.needs)["environment"]
        }
        assert found == pieces, environment


def test_only_the_two_halls_are_marked_one_only() -> None:
    values = LIBRARY.systems["chainmail-2002"].settings["terrain"].values
    assert {piece.id for piece in values.values() if piece.tags} == {"hall-of-good", "hall-of-evil"}


def test_the_scenarios_are_those_of_rule_502() -> None:
    tables = LIBRARY.systems["chainmail-2002"].tables
    (scenarios,) = (table for table in tables if "Scenario" in table.choices)
    assert {row[0] for row in scenarios.rows} == {
        "Blood Harvest", "Breakthrough", "Capture and Hold", "Double Pincer Move",
        "Hold the Skull", "Kill the Leader", "Pincer Move", "Rapid Strike", "Standard Skirmish",
        "Take the Hall", "Cave of Pain",
    }  # fmt: skip


PRACTICE = units("chainmail-2002", "practice")


def has(unit: Unit, attribute: str) -> str:
    return unit.attributes[attribute][0]


def ratings(ability: str) -> set[int]:
    return {unit.ratings[ability] for unit in PRACTICE if ability in unit.ratings}


def test_the_practice_book_has_every_kind_of_model_that_the_rules_speak_of() -> None:
    assert ratings("commander") == {1, 2, 3, 4, 5, 6}
    assert ratings("difficult-troop") >= {2, 3}
    assert ratings("wild-and-difficult-troop") >= {2, 3}
    assert ratings("scout")
    assert ratings("independent-troop")
    tags = {tag for unit in PRACTICE for tag in unit.tags}
    assert {"ability:wild-troop", "ability:untrained-troop"} <= tags


def test_the_practice_book_has_all_factions_all_alignments_and_models_of_no_faction() -> None:
    assert {has(unit, "faction") for unit in PRACTICE} == {*FACTIONS, "none"}
    assert {has(unit, "alignment") for unit in PRACTICE} == {"good", "neutral", "evil"}
    commanding = {has(unit, "faction") for unit in PRACTICE if unit.ratings.get("commander")}
    assert commanding == {*FACTIONS, "none"}


def test_the_practice_book_runs_from_two_points_to_forty_five_and_leaves_no_blank() -> None:
    points = [unit.price.of(1) for unit in PRACTICE]
    assert (min(points), max(points)) == (2, 45)
    assert [unit.ref for unit in PRACTICE if unit.blanks] == []


def practice(*entries: tuple[str, int], limit: int = 100) -> Report:
    catalogue = LIBRARY.catalogue("chainmail-2002", ["practice"])
    data = document(
        *(take(f"practice/{name}", models) for name, models in entries),
        limit=limit, system="chainmail-2002", books=["practice"],
        settings={"terrain": ["hill", "hut", "woods"]},
    )  # fmt: skip
    return validate(make_roster(value_of(data), catalogue), catalogue)


@pytest.mark.parametrize("faction", FACTIONS)
def test_a_legal_warband_of_a_hundred_points_can_be_made_of_each_faction(faction: str) -> None:
    own = [unit for unit in PRACTICE if has(unit, "faction") == faction]
    chief = max(own, key=lambda unit: unit.ratings.get("commander", 0))
    cheap = min(own, key=lambda unit: unit.price.of(1))
    models = (100 - chief.price.of(1)) // cheap.price.of(1)
    models = min(models, chief.ratings["commander"])
    report = practice((chief.ref.split("/")[1], 1), (cheap.ref.split("/")[1], models))
    assert report.findings == ()
    assert report.faction == faction


def test_unknown_numbers_of_known_cards_are_blanks_a_player_can_fill() -> None:
    blanks = {
        blank.field for unit in units("chainmail-2002", "known-cards") for blank in unit.blanks
    }
    assert blanks == {
        "points", "attributes.alignment", "ratings.commander", "ratings.difficult-troop",
        "ratings.wild-and-difficult-troop",
    }  # fmt: skip


#: What the Starter Set rulebook of 2001 says of cards in passing: faction, points, statistics and
#: abilities by the page.
STARTER_FACTS = [
    ("dwarf-legionnaire", "mordengard", 5, {}, []),  # p. 13
    ("human-paladin", "thalos", None, {}, ["Commander 5", "Aura of Courage +4"]),  # p. 26-31
    ("wood-elf-scout", "ravilla", None, {}, ["Scout +4"]),  # p. 26, 39
    ("centaur-trooper", "ravilla", None, {"melee_damage": "2"}, ["Difficult Troop ×2"]),  # p. 26
    ("gnome-infiltrator", "thalos", None, {"save": 2, "ranged_range": 24}, []),  # p. 17-19
    ("battered-skeletal-troll", "ahmuts-legion", None, {}, ["Scary 2", "Reach 1″"]),  # p. 39
    (
        "human-death-cleric", "ahmuts-legion", None, {},
        ["Commander ?", "Death Touch 1", "Spontaneous Inflict"],
    ),  # p. 33, 41
    ("dwarf-scorcher", "mordengard", None, {}, ["Energy Bomb 2 (fire)"]),  # p. 38-39
    ("dwarf-cleric", "mordengard", None, {"level": 2}, ["Commander ?"]),  # p. 39
    ("dwarf-fighter", "mordengard", None, {"melee_damage": "2"}, ["Commander ?"]),  # p. 67
    (
        "demonic-gnoll-adept", "naresh", None, {},
        ["Commander ?", "Resist Energy 4 (acid, cold, electricity, fire)"],
    ),  # p. 38-39
]  # fmt: skip


@pytest.mark.parametrize(
    ("card", "faction", "points", "stats", "abilities"),
    STARTER_FACTS,
    ids=[fact[0] for fact in STARTER_FACTS],
)
def test_known_cards_say_what_the_rulebook_says_of_them(
    card: str, faction: str, points: int | None, stats: dict[str, Any], abilities: list[str]
) -> None:
    found = next(
        unit for unit in units("chainmail-2002", "known-cards") if unit.ref == f"known-cards/{card}"
    )
    assert found.attributes["faction"] == (faction,)
    assert found.price.start == points
    assert dict(found.stats) == stats
    assert [use.label for use in found.abilities] == abilities
    assert any("Starter Set rulebook (2001)" in source for source in found.sources)


# Lists of former editions of the books open as they are: what they name is there, or is told.
#
# `t9a_former_ids.json` holds every unit and option that lists could name before the restrictions of
# the source files became conditions: per book rows of units and what all of them could have.

FORMER = json.loads(Path(__file__).with_name("t9a_former_ids.json").read_text("utf-8"))

#: What no list may name any more: (book, unit), options. Nobody could ever have them legally, since
#: the source file asks for two things at once that exclude each other.
GONE = {("highborn-elves", "mage"): {"heavy-armour", "dragonforged-armour"}}


def is_there(offer: Offer, path: str) -> bool:
    first, _, rest = path.partition("/")
    slots = offer.slots.get(first, ())
    return bool(slots) and (not rest or any(is_there(slot.option.offer, rest) for slot in slots))


@pytest.mark.parametrize("book", FORMER)
def test_what_a_list_of_a_former_edition_names_is_still_there(book: str) -> None:
    units = LIBRARY.books["t9a-2023"][book].units
    for names, options in FORMER[book]:
        for unit in names.split():
            offer = units[f"{book}/{unit}"].offer
            lost = {path for path in options.split() if not is_there(offer, path)}
            gone = GONE.get((book, unit), set())
            assert {path.split("/")[0] for path in lost} <= gone, unit


def old_list(*options: Data) -> Data:
    picks = [{"id": "wizard-adept"}, {"id": "pyromancy"}, *options]
    mage = {"unit": "highborn-elves/mage", "models": 1, "options": picks}
    return list_of("t9a-2023", ["highborn-elves"], [mage], limit=4500)


def test_a_list_with_an_option_that_is_gone_opens_and_says_so() -> None:
    cases: list[tuple[Data, str]] = [
        ({"id": "heavy-armour"}, "heavy-armour"),
        ({"id": "dragonforged-armour", "options": [{"id": "heavy-armour"}]}, "dragonforged-armour"),
    ]
    for option, name in cases:
        catalogue = LIBRARY.catalogue("t9a-2023", ["highborn-elves"])
        document = old_list(option)
        report = validate(make_roster(value_of(document), catalogue), catalogue)
        (told,) = [one for one in report.findings if one.code == "option.unknown"]
        assert (told.severity, told.units) == (Severity.ERROR, ("u1",)), option
        assert sentence(told) == f"This unit has no option “{name}”.", option
        sound = validate(make_roster(value_of(old_list()), catalogue), catalogue)
        assert report.spent == sound.spent, option
        assert "option.unknown" not in {one.code for one in sound.findings}, option


# The example lists: three for each game, all legal; broken ones are left out and told.

EXAMPLES = [
    pytest.param(example, id=f"{system}/{example.id}")
    for system, examples in shipped_examples().by_system.items()
    for example in examples
]


def judged(example: Example) -> Report:
    catalogue = catalogue_of(example.document, LIBRARY)
    return validate(make_roster(example.document, catalogue), catalogue)


@pytest.mark.parametrize("system", LIBRARY.systems)
def test_each_system_has_three_examples_of_different_names(system: str) -> None:
    examples = shipped_examples().by_system.get(system, ())
    assert len({example.name for example in examples}) == 3


def test_no_shipped_example_is_left_out() -> None:
    assert [str(problem) for problem in shipped_examples().problems] == []
    assert len(list(CATALOGUE_DIR.glob("*/examples/*"))) == len(EXAMPLES)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_plainly_legal_and_without_a_warning(example: Example) -> None:
    report = judged(example)
    assert report.outcome is Outcome.LEGAL, [one.sentence for one in report.unchecked]
    assert not report.of(Severity.WARNING)
    assert report.spent == example.points


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_spends_most_of_its_points_and_says_what_it_is(example: Example) -> None:
    assert 0.85 * example.document.limit <= example.points <= example.document.limit
    assert 20 <= len(example.about) <= 120
    assert example.about.endswith(".")


def test_examples_of_the_ninth_age_come_from_three_army_books_with_options() -> None:
    examples = shipped_examples().by_system["t9a-2023"]
    assert len({example.books for example in examples}) == 3
    for example in examples:
        assert sum(len(unit.options) for unit in example.document.units) >= 20


def broken(tmp_path: Path, **changes: Any) -> list[str]:
    """What is told of an example that was changed in this way; None leaves a key out."""
    sound = shipped_examples().by_system["sbh"][0].document.to_dict()
    data = {key: value for key, value in {**sound, **changes}.items() if value is not None}
    folder = tmp_path / "sbh" / "examples"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "some.json").write_text(json.dumps(data), "utf-8")
    examples = load_examples(tmp_path, LIBRARY)
    assert bool(examples.by_system) != bool(examples.left_out)
    return [str(problem) for problem in examples.problems]


def test_a_sound_example_has_no_problems(tmp_path: Path) -> None:
    assert broken(tmp_path) == []


def test_a_broken_example_is_reported_with_file_and_pointer(tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"limit": 10}, "", "over the limit of 10"),
        ({"limit": "many"}, "#/limit", "not a whole number"),
        ({"notes": None}, "#/notes", "has no description"),
        ({"system": "ddm-2008"}, "#/system", "must match its folder, “sbh”"),
        ({"books": [{"id": "none-such"}]}, "#/books/0/id", "no book “none-such”"),
        ({"books": [{"id": "profiles", "revision": "0" * 16}]}, "#/books/0/revision", "Remove it"),
        (
            {"units": [{"id": "u1", "unit": "profiles/no-such", "models": 1}]},
            "#/units/0",
            "no unit",
        ),
    ]
    for changes, where, said in cases:
        told = broken(tmp_path, **changes)
        assert any(line.startswith(f"sbh/examples/some.json{where}: ") for line in told), told
        assert said in " ".join(told), changes


def test_an_example_that_is_no_json_is_reported(tmp_path: Path) -> None:
    folder = tmp_path / "sbh" / "examples"
    folder.mkdir(parents=True)
    (folder / "some.json").write_text("{,", "utf-8")
    examples = load_examples(tmp_path, LIBRARY)
    assert not examples.by_system
    assert "not JSON" in str(examples.problems[0])
