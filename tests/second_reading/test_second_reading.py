"""The program and a second, independent reading of the source files say the same of random armies.

The files are not part of the project. `BATTLESCRIBE_FILES` names the folder that holds them, in one
for each game (`t9a-2023/`); without it the comparison is left out. `python -m tests.second_reading`
does the same by hand, with any number of armies, and prints what it finds.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from functools import cache
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

import pytest

from armybuilder.battlescribe.rosters import write_ros
from armybuilder.engine.report import Report
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of
from tests.effort import scaled
from tests.second_reading.comparing import SYSTEM, all_names, differences
from tests.second_reading.reader.books import Folder, read_army, read_book
from tests.second_reading.reader.judging import Counting
from tests.second_reading.reader.parts import inside
from tests.second_reading.reader.wordings import words_of
from tests.second_reading.reasons import KNOWN_FAULTS, SLIPS, SLIPS_3RD, SLIPS_2024, reason
from tests.second_reading.running import (
    SEED,
    VARIABLE,
    Bench,
    Result,
    make_bench,
    run,
    source_folder,
    tell,
)
from tests.second_reading.truth import DATA, PAGE, TABLES, sweep, units_alone

# The smallest army for each slip of the files and each known fault of the program, by the names
# that `reasons` gives them. An army that no longer shows its difference is to be taken off, and the
# reason with it: what a fault was, the program has mended.

#: A unit, how many models, whether it is the General, and what is taken: ids, or (id, number).
Unit = tuple[str, int, bool, tuple[Any, ...]]


def army(book: str, limit: int, *units: Unit, system: str = SYSTEM) -> dict[str, Any]:
    entries = [
        {
            "unit": f"{book}/{id_}",
            "models": models,
            "roles": ["general"] if general else [],
            "options": [
                {"id": one}
                if isinstance(one, str)
                else dict(zip(("id", "number"), one, strict=True))
                for one in options
            ],
        }
        for id_, models, general, options in units
    ]
    return list_of(system, [book], entries, limit=limit, name="Example")


EXAMPLES: dict[str, dict[str, Any]] = {
    # Slips of the files
    "Huskarls' and Berserkers' weapons": army(
        "asklanders", 4500, ("huskarls", 15, False, ("spear",))
    ),
    "Mounted ’Eadbashers' race": army(
        "orcs-and-goblins", 4500, ("mounted-eadbashers", 5, False, ("common-orc",))
    ),
    "the Giant Repeater's category": army(
        "empire-of-sonnstahl", 4500, ("imperial-giant", 1, False, ("giant-repeater-4",))
    ),
    "the Bannerman": army(
        "kingdom-of-equitaine", 4500, ("folk-hero", 1, True, ("light-armour", "bannerman"))
    ),
    "Wildheart": army(
        "ogre-khans", 4500, ("shaman", 1, True, ()), ("mammoth-hunter", 1, False, ("wildheart",))
    ),
    "the High Prince's Tower": army(
        "highborn-elves", 4500,
        ("high-prince", 1, True, ("magical-heirloom", "master-of-canreig-tower-high-prince")),
    ),
    "the Harbinger of Greed's path": army(
        "legions-of-sin", 4500, ("legion-of-sin", 1, False, ("greed",)),
        ("harbinger-of-greed", 1, True, ("wizard-apprentice", "witchcraft")),
    ),
    "the Harbinger of Wrath's path": army(
        "legions-of-sin", 4500, ("legion-of-sin", 1, False, ("wrath",)),
        ("harbinger-of-wrath", 1, True, ("wizard-adept", "thaumaturgy")),
        ("harbinger-of-wrath", 1, False, ()),
    ),
    "Makhar Lancers' Vanguard": army(
        "makhar", 4500, ("makhar-lancers", 8, False, ("vanguard",))
    ),
    "Mercenary Veterans' upgrades": army(
        "ogre-khans", 4500, ("mercenary-veterans", 3, False, ("accurate", "vanguard"))
    ),
    "Thyroscutus Herd's Great Protector": army(
        "saurian-ancients", 4500, ("thyroscutus-herd", 2, False, ("great-protector",))
    ),
    "Tritons": army("dread-fleet", 3000, ("tritons", 3, False, ())),
    "Overlord's two enchantments": army(
        "infernal-dwarves", 4500, ("overlord", 1, True, ("crown-of-the-wizard-king",))
    ),
    "a dragon is two Ancient Allies": army(
        "highborn-elves", 4500, ("high-prince", 1, True, ("light-armour", "dragon"))
    ),
    "Fell Wraith's allowance": army(
        "vampire-covenant", 4500,
        ("fell-wraith", 1, False, ("hand-weapon", "reapers-harvest", "touch-of-greatness")),
    ),
    "a larger allowance": army(
        "hobgoblins", 4500,
        ("hobgoblin-conjurer", 1, True, ("unarmoured", "wizard-master", "pyromancy",
                                         "talisman-of-shielding", "binding-scroll")),
    ),
    "Gallantry of two": army("kingdom-of-equitaine", 4500, ("pegasus-knights", 3, False, ())),
    "Clan Warriors' second shield": army(
        "dwarven-holds", 4500, ("clan-warriors", 20, False, ("spear-and-shield",))
    ),
    "two runic standards": army(
        "dwarven-holds", 4500,
        ("thane", 1, False, ("hand-weapon", "battle-standard-bearer",
                             "runic-standard-of-steadiness", "runic-standard-of-the-anvil")),
    ),
    "one species to a beast": army(
        "saurian-ancients", 8000, ("weapon-beasts", 2, False, (("salamander", 3),))
    ),
    "units that a Wildheart shuts out": army(
        "ogre-khans", 8000, ("mammoth-hunter", 1, True, ("wildheart",)),
        ("great-khan", 1, False, ()),
    ),
    "a larger allowance of 2024": army(
        "cult-of-errahman", 4500,
        ("plague-patriarch", 1, True, ("talisman-of-the-void", "destinys-call", "king-slayer")),
        system="t9a-2024",
    ),
    "armour inside the special equipment": army(
        "orcs-and-goblins", 4500,
        ("orc-shaman", 1, True, ("wizard-apprentice", "unarmoured", "shamanism",
                                 "alchemists-alloy")), system="t9a-2024",
    ),
    "what a leader brings": army(
        "orcs-and-goblins", 1500, ("orc-warlord", 1, True, ("tribe-leader",)),
        ("goblin-rabble", 50, False, ()), ("goblin-rabble", 50, False, ()), system="t9a-2024",
    ),
    "two banners of an Orc unit": army(
        "orcs-and-goblins", 4500,
        ("veteran-orc-marauders", 5, False,
         ("standard-bearer", "battle-standard-bearer", ("flaming-standard", 2))),
        system="t9a-2024",
    ),
    "what counts as two": army(
        "sylvan-elves", 4500, ("avatar-of-nature", 1, True, (("sylvan-beasts", 2),)),
        system="t9a-3rd",
    ),
    "what special equipment asks": army(
        "undying-dynasties", 4500, ("pharaoh", 1, True, ("hand-weapon", "shield", "suns-embrace")),
        system="t9a-3rd",
    ),
    "Heath Hunters' Ambush": army(
        "sylvan-elves", 4500, ("heath-hunters", 5, False, ("ambush-board-edge",)),
        system="t9a-3rd",
    ),
    "a Mammoth Hunter's ranged weapons": army(
        "ogre-khans", 4500, ("mammoth-hunter", 1, False, ("hand-weapon",)), system="t9a-3rd",
    ),
    "Ambush of another unit": army(
        "beast-herds", 4500, ("centaur-chieftain", 1, False, ("ambush-8-table-edge",)),
        system="t9a-3rd",
    ),
    "a larger allowance of the third edition": army(
        "vampire-covenant", 4500,
        ("necromancer", 1, True, ("wizard-master", "alchemy", "magical-heirloom",
                                  "binding-scroll")), system="t9a-3rd",
    ),
    "a shooting weapon of every Prefect": army(
        "vermin-swarm", 4500, ("house-prefect", 1, True, ("fetthis-fleshmaster",)),
        system="t9a-2024",
    ),
}  # fmt: skip


pytestmark = pytest.mark.long

#: How many armies of a game: one of each book, or as many as still take less than a minute.
ARMIES = {
    "t9a-2023": scaled(22, 66, 500),
    "t9a-2024": scaled(4, 46, 115),
    "t9a-3rd": scaled(4, 32, 112),
    "essence-of-war": scaled(6, 44, 110),
}
#: Of all that can be tried with restrictions in words, every so-manieth.
EVERY = scaled(80, 8, 1)
#: Of all units with each of their options, in both sizes, every so-manieth.
EVERY_UNIT = scaled(40, 3, 1)
READER = Path(__file__).parent / "reader"


def folder_of(game: str) -> Folder:
    found = source_folder(game)
    if found is None:
        pytest.skip(f"{VARIABLE} names no folder with {game} in it")
    return found


@cache
def bench_of(game: str) -> Bench:
    return make_bench(game, folder_of(game))


@cache
def result_of(game: str) -> Result:
    return run(bench_of(game), ARMIES[game], SEED)


@pytest.fixture(scope="module")
def folder() -> Path:
    found = folder_of(SYSTEM)
    assert isinstance(found, Path)
    return found


@pytest.fixture(scope="module")
def bench() -> Bench:
    return bench_of(SYSTEM)


@pytest.mark.parametrize("game", ARMIES)
def test_random_armies_get_the_same_verdict_from_the_program_and_from_the_source(game: str) -> None:
    result = result_of(game)
    assert not result.unexplained, "\n".join(tell(result))


def test_the_files_are_those_of_all_books_that_were_imported() -> None:
    for game in ARMIES:
        assert bench_of(game).names.keys() == all_names(game).keys()
        assert len(bench_of(game).sources) == len(all_names(game))


def test_the_armies_are_of_all_books_and_some_are_legal_and_some_are_not() -> None:
    result = result_of(SYSTEM)
    assert all(tally.armies for tally in result.tallies.values())
    assert result.total.armies / 5 < result.total.legal < result.total.armies * 4 / 5


def test_the_same_seed_gives_the_same_armies(bench: Bench) -> None:
    book = bench.books[0]
    assert bench.army(book, "one", 3) == bench.army(book, "one", 3)
    assert bench.army(book, "one", 3) != bench.army(book, "two", 3)


@pytest.mark.parametrize("game", ["t9a-2023", "t9a-2024", "t9a-3rd"])
def test_every_restriction_in_words_is_judged_alike_wherever_it_reaches(game: str) -> None:
    found = sweep(bench_of(game), EVERY)
    assert found.total.armies
    assert not found.unexplained, "\n".join(tell(found))


@pytest.mark.parametrize("game", ARMIES)
def test_every_unit_is_judged_alike_with_every_option(game: str) -> None:
    """Its price and limits, and what it may not have."""
    found = units_alone(bench_of(game), EVERY_UNIT)
    assert found.total.units >= 20
    assert not found.unexplained, "\n".join(tell(found))


@pytest.mark.parametrize("game", ARMIES)
def test_every_restriction_in_words_is_understood(game: str) -> None:
    bench = bench_of(game)
    strange = [
        f"{book}: {place.name}: {one.wording}"
        for book in bench.books
        for place in bench.source(book).places
        for one in words_of(bench.source(book)).of(place)
        if not one.asks
    ]
    assert strange == []


def test_every_slip_and_every_known_fault_has_an_army_that_shows_it() -> None:
    assert {one.name for one in (*SLIPS, *SLIPS_2024, *SLIPS_3RD, *KNOWN_FAULTS)} == EXAMPLES.keys()


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_differs_for_a_reason_still_does(name: str) -> None:
    """A fault that is mended goes off the list, so that it cannot come back unnoticed."""
    bench = bench_of(EXAMPLES[name]["system"])
    found = [reason(one) for one in differences(bench.judge(EXAMPLES[name]))]
    assert name in [one.name for one in found if one is not None], "mended? take it off"


#: An item for who has no Towering Presence, on a mount whose rules no edition tells: the program
#: says so.
TOLD = army(
    "kingdom-of-equitaine", 4500,
    ("equitan-lord", 1, True, ("mount-revered-unicorn", "potion-of-strength")),
)  # fmt: skip


@pytest.mark.parametrize(("name", "told"), [("Potion of Strength", 1), ("Rod of Battle", 0)])
def test_what_the_program_says_that_it_does_not_judge_of_an_option_is_no_fault(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, name: str, told: int
) -> None:
    """Of that very option: what is said of another hides nothing."""
    said = (SimpleNamespace(units=("u1",), name=name),)
    monkeypatch.setattr(Report, "unchecked", property(lambda report: said))
    found = Result()
    found.add("example", bench.judge(TOLD))
    strange = [one for one in found.unexplained if one.difference.kind == "named"]
    assert (found.total.unchecked, len(strange)) == (told, 1 - told)


def test_what_nobody_can_tell_of_a_plainly_legal_army_counts_as_wrongly_legal(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Report, "unchecked", ())
    monkeypatch.setattr(Report, "legal", True)
    found = Result()
    found.add("example", bench.judge(TOLD))
    assert (found.total.false_legal, found.total.false_illegal) == (1, 0)


def test_the_page_and_the_data_that_the_program_shows_have_the_same_numbers() -> None:
    text, tables = PAGE.read_text("utf-8"), TABLES.read_text("utf-8")
    for data in json.loads(DATA.read_text("utf-8"))["games"]:
        books = shipped_library().books[data["system"]]
        name = shipped_library().system(data["system"]).name
        told = tables.partition(f"## {name}\n")[2].partition("\n## ")[0]
        rows = [[one.strip() for one in line.strip("|").split("|")] for line in told.splitlines()]
        table = {row[0]: [one.replace(",", "") for one in row] for row in rows if len(row) == 12}
        shown = {books[id_].name: numbers for id_, numbers in data["books"].items()}
        assert shown.keys() == {book.name for book in books.values()}
        shown["All"] = {field: data[field] for field in next(iter(shown.values()))}
        assert len(shown) == len(table.keys() - {"Book", "---"})
        for book, numbers in shown.items():
            cells = [table[book][place] for place in (1, 2, 10, 11)]
            assert cells == [str(number) for number in numbers.values()], (name, book)
        assert f"| {name} | " in text
        assert f"`{data['system']}/` ({data['armies']:,} armies)" in text
    assert f"armies is `{SEED}`" in text


def dearer(root: Element) -> None:
    """Every price of a unit is a point more."""
    for cost in root.iterfind("{*}selectionEntries/{*}selectionEntry/{*}costs/{*}cost"):
        cost.set("value", str(float(cost.attrib["value"]) + 1))


def smaller(root: Element) -> None:
    """No unit may have more models than it must."""
    for models in root.iterfind(".//{*}selectionEntry[@type='model']/{*}constraints"):
        by_side = {one.get("type"): one for one in models if one.get("scope") == "parent"}
        if "min" in by_side and "max" in by_side:
            by_side["max"].set("value", by_side["min"].attrib["value"])


def without_options(root: Element) -> None:
    """Nobody may have any of the options that stand directly on a unit."""
    for link in root.iterfind("{*}selectionEntries/{*}selectionEntry/{*}entryLinks/{*}entryLink"):
        link.set("hidden", "true")


def all_core(root: Element) -> None:
    """Core is at most a tenth."""
    for limit in root.iterfind(".//{*}forceEntry/{*}categoryLinks/{*}categoryLink//{*}constraint"):
        if limit.get("type") == "min":
            limit.set("type", "max")
            limit.set("value", "10.0")


@pytest.mark.parametrize("spoil", [dearer, smaller, without_options, all_core])
def test_a_source_that_says_something_else_is_noticed(
    folder: Path, spoil: Callable[[Element], None]
) -> None:
    """What the comparison is worth: were one of the two wrong, it would say so."""
    (system,) = (ET.parse(file).getroot() for file in folder.glob("*.gst"))  # noqa: S314
    catalogue = ET.parse(folder / "sylvanElves.cat").getroot()  # noqa: S314
    spoil(catalogue)
    source = read_book(catalogue, system)
    assert run(Bench({source.key: source}), 6, SEED).unexplained


def test_one_option_that_costs_a_point_more_is_noticed(folder: Path) -> None:
    (system,) = (ET.parse(file).getroot() for file in folder.glob("*.gst"))  # noqa: S314
    catalogue = ET.parse(folder / "sylvanElves.cat").getroot()  # noqa: S314
    unit = catalogue.find("{*}selectionEntries/{*}selectionEntry[@name='Forest Prince']")
    assert unit is not None
    prices = (one for one in unit.iterfind("{*}selectionEntryGroups//{*}cost"))
    cost = next(one for one in prices if float(one.attrib["value"]) > 0)
    cost.set("value", str(float(cost.attrib["value"]) + 1))
    source = read_book(catalogue, system)
    assert units_alone(Bench({source.key: source})).unexplained


def test_the_reader_shares_no_code_with_the_program() -> None:
    for file in READER.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            ours = [name for name in names if name.startswith(("armybuilder", "tests"))]
            assert all(name.startswith("tests.second_reading.reader.") for name in ours), file


#: Of all units with each single option, every so-manieth.
EVERY_OPTION = scaled(40, 8, 1)
#: The file changes the category of the option, as if that had one; we take it for the unit's, which
#: is what its limits ask for.
OF_THE_OPTION = {("empire-of-sonnstahl/imperial-giant", "giant-repeater-4")}


def test_a_unit_is_in_the_categories_that_the_source_gives_it(bench: Bench) -> None:
    wrong, changed = [], 0
    units_with_one_option = (
        (unit.ref, unit.smallest, option)
        for book in bench.books
        for unit in bench.catalogue(book).units.values()
        for option in ("", *unit.offer.slots)
    )
    for ref, models, option in islice(units_with_one_option, 0, None, EVERY_OPTION):
        options = [{"id": option}] if option else []
        entry = {"unit": ref, "models": models, "options": options}
        document = list_of(SYSTEM, [ref.split("/")[0]], [entry], limit=4500)
        raw = write_ros(value_of(document), bench.library)
        army = read_army(raw, bench.sources)
        (unit,) = army.units
        (written,) = inside(ET.fromstring(raw), "forces/force/selections/selection")  # noqa: S314
        told = {one.get("entryId") for one in inside(written, "categories/category")}
        expected = Counting(army).categories[unit]
        changed += expected != {id_ for id_, _ in unit.place.categories}
        if told != expected and (ref, option) not in OF_THE_OPTION:
            wrong.append((ref, option))
    assert wrong == []
    assert changed
