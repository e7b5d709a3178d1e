"""The guide to catalogue files is true: its examples load, and it leaves no kind out."""

import json
import re
import shutil
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.catalogue import Book, System
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.loading.books import build_book
from armybuilder.loading.library import CATALOGUE_DIR, load_library, make_catalogue, shipped_library
from armybuilder.loading.packs import build_pack
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import ALL_FACT_KINDS, build_system
from tests.building.tiny import Data, judge, sentences_of, take

README = (CATALOGUE_DIR / "README.md").read_text(encoding="utf-8")
BLOCKS = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", README, re.S)]
BOOKS = [block for block in BLOCKS if block.get("format") == "book/1"]
#: Whole system files that extend a shipped one.
EDITIONS = [block for block in BLOCKS if block.get("format") == "system/1"]
PACKS = [block for block in BLOCKS if block.get("format") == "pack/1"]
RULES = [block for block in BLOCKS if block.get("code")]
FACTS = [
    block for block in BLOCKS if "kind" in block and "format" not in block and "code" not in block
]
TRAITS = [block for block in BLOCKS if "if" in block]
#: Parts of an army book, shown without the head of the file.
PARTS = [block for block in BLOCKS if "units" in block and "format" not in block]
SCHEMA, PACK_SCHEMA, BOOK_SCHEMA = (
    json.loads((CATALOGUE_DIR / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    for name in ("system", "pack", "book")
)

#: Systems that examples of rules and facts are taken from.
SYSTEMS = ("chainmail-2002", "sbh", "t9a-2023", "ddm-2008")

#: Every system has them of itself; no file names them.
UNWRITTEN = {"unknown", "owned", "suggested"}


def example(book_id: str) -> Data:
    return next(book for book in BOOKS if book["id"] == book_id)


def built(book: Data, system: System) -> Book:
    """The example book in a system, in which it has no mistake."""
    assert schema_problems("book", book, "README.md") == []
    made, problems = build_book(book, system, "README.md")
    assert made is not None
    assert problems == []
    return made


def test_every_json_block_is_an_example_of_something() -> None:
    told = [*BOOKS, *EDITIONS, *PACKS, *RULES, *FACTS, *TRAITS, *PARTS]
    assert len(told) == len(BLOCKS)
    assert {book["system"] for book in BOOKS} == set(SYSTEMS)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book["id"])
def test_the_worked_examples_load(book: Data) -> None:
    made = built(book, shipped_library().system(book["system"]))
    assert len(made.units) == len(book["units"])


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack["id"])
def test_the_example_of_a_pack_loads(pack: Data) -> None:
    made, problems = build_pack(pack, shipped_library().systems, "README.md")
    assert problems == []
    assert made is not None


def whole(part: Data) -> Data:
    """A part of an army book with the head of the example book, and its categories."""
    head = next(book for book in BOOKS if book["system"] == "t9a-2023")
    return {**{key: value for key, value in head.items() if key != "options"}, **part}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part["units"][0]["id"])
def test_the_examples_of_parts_of_an_army_book_load(part: Data) -> None:
    assert built(whole(part), shipped_library().system("t9a-2023")).units


def army_of(part: Data, *entries: Data, limit: int = 4500, **chosen: Any) -> Report:
    system = shipped_library().system("t9a-2023")
    catalogue = make_catalogue(system, [built(whole(part), system)])
    return judge(catalogue, *entries, limit=limit, **chosen)


def test_a_legal_army_can_be_made_of_the_example_army_book() -> None:
    fishers = take("marsh-folk/fishers", 40, options=[{"id": "bows"}, {"id": "champion"}])
    reeve = take("marsh-folk/reeve", 1, "general", options=[{"id": "heron"}, {"id": "eel-spear"}])
    riders = take("marsh-folk/heron-riders", 3)
    report = army_of(example("marsh-folk"), reeve, fishers, fishers, riders, limit=1390)
    assert report.findings == ()
    assert [line.points for line in report.lines.values()] == [310, 430, 430, 180]
    shares = {gauge.name: gauge.used for gauge in report.gauges}
    assert (shares["Characters"], shares["Wings"]) == (310, 300)


def test_the_prices_that_the_guide_tells_are_right() -> None:
    report = army_of(
        example("marsh-folk"),
        take("marsh-folk/fishers", 15),
        take("marsh-folk/fishers", 25),
        take("marsh-folk/reeve", 1, options=[{"id": "heron"}]),
    )
    assert [line.points for line in report.lines.values()] == [130, 210, 270]


def test_the_first_example_shows_what_is_not_known() -> None:
    units = built(example("border-watch"), shipped_library().system("chainmail-2002")).units
    bear = units["border-watch/chained-bear"]
    assert [blank.name for blank in bear.blanks] == [
        "points", "alignment", "Wild and Difficult Troop rating",
    ]  # fmt: skip
    assert all(not unit.blanks for unit in units.values() if unit is not bear)


def test_the_first_example_of_creatures_is_judged_as_the_guide_says() -> None:
    system = shipped_library().system("ddm-2008").apart()
    book = built(example("barrow-host"), system)
    catalogue = make_catalogue(system, [book])

    def errors_of(*names: str) -> set[str]:
        entries = [take(f"barrow-host/{name}") for name in names]
        chosen = {"faction": "civilization", "map": "jungle-temple"}
        report = judge(catalogue, *entries, limit=100, **chosen)
        return {finding.code for finding in report.findings if finding.severity == "error"}

    assert (
        errors_of("morcar-young")
        == errors_of("morcar-risen")
        == errors_of("morcar-risen", "barrow-wight")
    )
    assert errors_of("morcar-young") == set()
    assert errors_of("morcar-young", "barrow-wight") == {"faction.mixed"}
    assert errors_of("morcar-young", "morcar-risen") == {"unique.duplicate"}
    chill = book.units["barrow-host/barrow-wight"].abilities[0]
    assert chill.label == "Grave Chill 5"


@pytest.mark.parametrize("edition", EDITIONS, ids=lambda edition: edition["id"])
def test_the_example_of_an_edition_loads_beside_what_it_extends(
    edition: Data, tmp_path: Path
) -> None:
    first = shipped_library().system("chainmail-2002")
    for system_id, text in (
        (first.id, (CATALOGUE_DIR / first.id / "system.json").read_text("utf-8")),
        (edition["id"], json.dumps(edition)),
    ):
        (tmp_path / system_id).mkdir()
        (tmp_path / system_id / "system.json").write_text(text, encoding="utf-8")
    shutil.copy(CATALOGUE_DIR / first.id / "practice.json", tmp_path / first.id)
    library = load_library(tmp_path)
    assert library.problems == ()
    made = library.system(edition["id"])
    assert (made.sizes, len(made.rules)) == ((30, 40), len(first.rules))
    assert [system.id for system in library.editions(made)] == [first.id]
    assert str(made.abilities["lucky"].citation) == "Club page 1"
    assert set(made.abilities) == {*first.abilities, "lucky"}
    others = [made.abilities[key].citation for key in first.abilities]
    assert others == [ability.citation for ability in first.abilities.values()]
    assert list(library.books[made.id]) == ["practice"]


def loads(key: str, entry: Data, system_id: str) -> bool:
    """Whether the shipped system still builds with the example in place of its `key`."""
    file = CATALOGUE_DIR / system_id / "system.json"
    data: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    data[key] = [entry]
    data.pop("play", None)  # it names facts and reminders that are not there now
    if key == "rules":
        data["sentences"] = sentences_of([entry])
    if schema_problems("system", data, "README.md"):
        return False
    return build_system(data, "README.md")[1] == []


@pytest.mark.parametrize("entry", RULES, ids=lambda entry: entry["kind"])
def test_every_example_of_a_rule_fits_a_shipped_system(entry: Data) -> None:
    assert any(loads("rules", entry, system) for system in SYSTEMS)


@pytest.mark.parametrize("entry", FACTS, ids=lambda entry: entry["kind"])
def test_every_example_of_a_fact_fits_a_shipped_system(entry: Data) -> None:
    assert any(loads("facts", entry, system) for system in SYSTEMS)


def test_every_kind_of_rule_has_its_section_and_its_example() -> None:
    written = set(rule_kinds()) - UNWRITTEN
    assert set(re.findall(r"^#### `([a-z-]+)`$", README, re.M)) == written
    assert {entry["kind"] for entry in RULES} == written


def test_every_kind_of_fact_has_its_row_and_its_example() -> None:
    section = README.split("### Facts")[1].split("### Settings")[0]
    assert set(re.findall(r"^\| `([a-z-]+)` \|", section, re.M)) == set(ALL_FACT_KINDS)
    assert {entry["kind"] for entry in FACTS} == set(ALL_FACT_KINDS)


def test_the_schema_knows_the_kinds_that_the_engine_has() -> None:
    rule, fact = SCHEMA["$defs"]["rule"], SCHEMA["$defs"]["fact"]
    assert set(rule["properties"]["kind"]["enum"]) == set(rule_kinds()) - UNWRITTEN
    assert set(fact["properties"]["kind"]["enum"]) == set(ALL_FACT_KINDS)


def parameters(branches: list[Data], kind: str) -> set[str]:
    return {
        key
        for branch in branches
        if branch["if"]["properties"]["kind"]["const"] == kind
        for key in branch["then"].get("properties", ())
    }


def test_the_traits_are_those_of_the_shipped_games() -> None:
    shipped = json.loads((CATALOGUE_DIR / "t9a-2023" / "system.json").read_text(encoding="utf-8"))
    assert all(trait in shipped["traits"] for trait in TRAITS)
    assert all(f"`{trait['id']}`" in README for trait in shipped["traits"])


@pytest.mark.parametrize("kind", sorted(set(rule_kinds()) - UNWRITTEN))
def test_every_parameter_of_a_rule_is_explained(kind: str) -> None:
    section = re.split(r"^###", README.split(f"#### `{kind}`\n")[1], maxsplit=1, flags=re.M)[0]
    for key in parameters(SCHEMA["$defs"]["rule"]["allOf"], kind):
        assert f"`{key}`" in section, key


@pytest.mark.parametrize("kind", sorted(ALL_FACT_KINDS))
def test_every_parameter_of_a_fact_is_explained(kind: str) -> None:
    row = re.search(rf"^\| `{kind}` \|.*$", README, re.M)
    assert row is not None
    for key in parameters(SCHEMA["$defs"]["fact"]["allOf"], kind):
        assert f"`{key}`" in row[0], key


def test_every_key_of_the_schemas_is_explained() -> None:
    keys = {*BOOK_SCHEMA["properties"], *SCHEMA["properties"]}
    for part in ("unit", "node", "category", "condition", "count", "change", "profile"):
        keys |= set(BOOK_SCHEMA["$defs"][part]["properties"])
    keys |= set(BOOK_SCHEMA["$defs"]["numbers"]["propertyNames"]["enum"])
    for part in ("stats", "attributes", "abilities", "spells", "roles", "tables", "reminders"):
        keys |= set(SCHEMA["properties"][part]["items"]["properties"])
    for part in ("abilities", "units"):
        items = BOOK_SCHEMA["properties"][part]["items"]
        keys |= set(items.get("properties", ()))
    for part in ("texts", "attributes", "stats", "settings"):
        keys |= set(SCHEMA["properties"][part]["items"]["properties"])
    keys |= {"rule", "of", "sizes", "setting"}  # of lifts, and of bounds by size
    keys |= set(SCHEMA["$defs"]["rule"]["properties"]) | set(
        SCHEMA["$defs"]["selector"]["properties"]
    )
    keys |= set(PACK_SCHEMA["properties"])
    told = set(re.findall(r"`\"?([a-z_]+)\"?[`:]", README)) | set(
        re.findall(r"`\{\"([a-z_]+)\"", README)
    )
    assert keys - told == set()


def test_values_of_the_schemas_are_named() -> None:
    for kind in BOOK_SCHEMA["properties"]["kind"]["enum"]:
        assert f"`{kind}`" in README
    for kind in BOOK_SCHEMA["$defs"]["node"]["properties"]["item"]["enum"]:
        assert f"`{kind}`" in README
    for branch in SCHEMA["$defs"]["rule"]["allOf"]:
        for aspect in branch["then"].get("properties", {}).get("aspect", {}).get("enum", ()):
            assert f"`{aspect}`" in README
    for style in SCHEMA["properties"]["abilities"]["items"]["properties"]["rating"]["enum"]:
        assert f"`{style}`" in README
    for kind in SCHEMA["properties"]["settings"]["items"]["properties"]["kind"]["enum"]:
        assert f"`{kind}`" in README


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(#([a-z-]+)\)", README))))
def test_links_inside_the_guide_lead_somewhere(target: str) -> None:
    headings = re.findall(r"^#+ (.+)$", README, re.M)
    anchors = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings
    }
    assert target in anchors


def test_the_messages_it_shows_are_those_of_the_loader(tmp_path: Path) -> None:
    folder = tmp_path / "chainmail-2002"
    folder.mkdir()
    shutil.copy(CATALOGUE_DIR / "chainmail-2002/system.json", folder)
    book = deepcopy(example("border-watch"))
    book["units"][0]["abilities"][0] = "comander 3"
    del book["units"][1]["points"]
    file = folder / "border-watch.json"
    file.write_text(json.dumps(book))
    shown = [str(problem) for problem in load_library(tmp_path).problems]
    assert len(shown) == 2
    assert all(line in README for line in shown), shown
