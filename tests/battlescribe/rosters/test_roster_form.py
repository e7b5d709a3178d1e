"""Rosters have the form of BattleScribe's, and tell readers of files what units are."""

from collections.abc import Callable
from pathlib import Path

import pytest
from lxml import etree

from armybuilder.battlescribe.rosters import read_roster, write_ros
from armybuilder.engine.options import Keyword, slug
from armybuilder.loading.documents import Document
from armybuilder.loading.examples import shipped_examples
from tests.building.documents import value_of
from tests.effort import THOROUGH
from tests.exchange.t9a_lists import (
    BOOKS,
    EXAMPLES,
    LIBRARY,
    one_unit,
    random_list,
    without_revisions,
)

pytestmark = pytest.mark.long

NAMESPACE = "{http://www.battlescribe.net/schema/rosterSchema}"
FORM = etree.RelaxNG(etree.parse(Path(__file__).with_name("roster.rng")))
#: Lists of each book: 100 of each family of books at least, with all cases.
LISTS = 5 if THOROUGH else 1


def written(document: Document) -> etree._Element:
    return etree.fromstring(write_ros(value_of(document), LIBRARY))


def check(document: Document) -> None:
    assert FORM.validate(written(document)), FORM.error_log


def selection(document: Document, name: str) -> etree._Element:
    found = written(document).iter(f"{NAMESPACE}selection")
    return next(one for one in found if one.get("name") == name)


def parts(element: etree._Element, path: str) -> list[etree._Element]:
    return element.findall("/".join(f"{NAMESPACE}{tag}" for tag in path.split("/")))


@pytest.mark.parametrize("document", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_has_the_form_of_battlescribes_rosters(document: Document) -> None:
    check(document)


@pytest.mark.one_in(11)
@pytest.mark.parametrize("book", BOOKS)
def test_random_rosters_fit_the_schema_and_keep_their_order(book: str) -> None:
    for seed in range(LISTS):
        document = random_list(seed, book)
        check(document)
        raw = write_ros(value_of(document), LIBRARY)
        if b"Not in this file" not in raw:
            back = read_roster(raw, LIBRARY).document
            assert without_revisions(back) == without_revisions(value_of(document))


def to_the_front(unit: etree._Element, part: str) -> None:
    unit.insert(0, parts(unit, part)[0])


SPOILT: dict[str, Callable[[etree._Element], object]] = {
    "no number": lambda unit: unit.attrib.pop("number"),
    "costs first": lambda unit: to_the_front(unit, "costs"),
    "profiles before rules": lambda unit: to_the_front(unit, "profiles"),
    "something strange": lambda unit: etree.SubElement(unit, f"{NAMESPACE}strange"),
    "a word for points": lambda unit: next(unit.iter(f"{NAMESPACE}cost")).set("value", "many"),
}


@pytest.mark.parametrize("how", SPOILT)
def test_the_schema_refuses_a_spoilt_roster(how: str) -> None:
    root = written(EXAMPLES["the-princes-dragon"])
    SPOILT[how](next(root.iter(f"{NAMESPACE}selection")))
    assert not FORM.validate(root)


def test_a_stat_line_is_written_as_profiles_of_the_source() -> None:
    """Names, kinds and values are facts of the Highborn Elves' file; so is the order of columns."""
    prince = selection(EXAMPLES["the-princes-dragon"], "High Prince")
    told = {
        one.get("typeName"): [
            (cell.get("name"), cell.text) for cell in parts(one, "characteristics/characteristic")
        ]
        for one in parts(prince, "profiles/profile")
        if one.get("name") == "High Prince"
    }
    assert list(told) == ["0 Size", "1 Global", "2 Defensive", "3 Offensive"]
    assert told["1 Global"][:3] == [("Adv", '5"'), ("Mar", '10"'), ("Dis", "10")]
    assert [column for column, _text in told["3 Offensive"]] == [
        "Att", "Off", "Str", "AP", "Agi", "Rules",
    ]  # fmt: skip
    (kind,) = {
        one.get("typeId")
        for one in parts(prince, "profiles/profile")
        if one.get("typeName") == "1 Global"
    }
    assert kind == "8292-1fb8-8251-29a9"


def test_profiles_show_the_values_that_options_change() -> None:
    # Of kinds that differ in a column the one that has it is told: Undying Dynasties have a column
    # of their own, Resurrect.
    document = one_unit("undying-dynasties/skeletons", models=20)
    kinds = {one.get("typeName") for one in written(document).iter(f"{NAMESPACE}profile")}
    assert "1 Global (UD)" in kinds
    assert "1 Global" not in kinds

    # A value that an option changes is told as it is then.
    def health(*options: str) -> str | None:
        document = one_unit("cultists/possessed-giant", options=[*options])
        cells = written(document).iter(f"{NAMESPACE}characteristic")
        return next(cell.text for cell in cells if cell.get("name") == "HP")

    assert (health(), health("big-brother")) == ("7", "8")
    # What an option brings stands on the option.
    dragon = selection(EXAMPLES["the-princes-dragon"], "Dragon")
    assert {one.get("name") for one in parts(dragon, "profiles/profile")} == {"Dragon"}
    assert {"Fly", "Harnessed"} <= {one.get("name") for one in parts(dragon, "rules/rule")}
    # Rules are told by name and place and no text of theirs is.
    rules = list(written(EXAMPLES["the-princes-dragon"]).iter(f"{NAMESPACE}rule"))
    assert rules
    for rule in rules:
        (description,) = rule
        assert description.text is None
    pages = {rule.get("name"): rule.get("page") for rule in rules}
    assert pages["Fly"] is not None
    assert "21." in pages["Fly"]


@pytest.mark.parametrize("document", EXAMPLES.values(), ids=EXAMPLES)
def test_every_rule_of_the_book_is_written(document: Document) -> None:
    catalogue = LIBRARY.catalogue(document["system"], [one["id"] for one in document["books"]])
    told = {slug(rule.get("name")) for rule in written(document).iter(f"{NAMESPACE}rule")}
    for entry in document["units"]:
        words: tuple[Keyword, ...] = catalogue.units[entry["unit"]].keywords
        assert {slug(word.name) for word in words if word.condition is None} <= told


def test_categories_that_options_add_are_written() -> None:
    # A category that an option brings is told beside the others.
    def categories(*options: str) -> dict[str | None, str | None]:
        document = one_unit("beast-herds/wildhorn-herd", models=15, options=[*options])
        unit = selection(document, "Wildhorn Herd")
        return {one.get("name"): one.get("primary") for one in parts(unit, "categories/category")}

    assert categories() == {"Core": "true"}
    assert categories("ambush") == {"Core": "true", "Ambush Predators": "false"}
    # Where the primary category goes another takes its place.
    giant = [{"id": "giant-repeater-4"}]
    unit = selection(
        one_unit("empire-of-sonnstahl/imperial-giant", options=giant), "Imperial Giant"
    )
    told = [(one.get("name"), one.get("primary")) for one in parts(unit, "categories/category")]
    assert told == [("Imperial Armoury", "true")]


def test_equal_profiles_and_rules_have_equal_ids_and_different_ones_others() -> None:
    """Programs put what is alike together by its id."""
    root = written(EXAMPLES["the-princes-dragon"])
    for tag in ("profile", "rule"):
        known: dict[str, object] = {}
        for one in root.iter(f"{NAMESPACE}{tag}"):
            told = [(dict(part.attrib), (part.text or "").strip()) for part in one.iter()]
            assert known.setdefault(one.attrib["id"], told) == told


def test_the_order_of_options_and_units_is_kept() -> None:
    # Options keep the order of the list and what is added elsewhere comes last: Of an edited file:
    # an id of another program tells no order.
    options = [{"id": one} for one in ("wizard-adept", "binding-scroll", "cosmology")]
    document = one_unit("highborn-elves/mage", options=options)
    raw = write_ros(value_of(document), LIBRARY)
    back = read_roster(raw, LIBRARY).document.units[0].options
    assert [one.id for one in back] == [one["id"] for one in options]
    unit = selection(document, "Wizard Adept")
    foreign = raw.replace(unit.attrib["id"].encode(), b"0123-4567-89ab-cdef")
    back = read_roster(foreign, LIBRARY).document.units[0].options
    assert [one.id for one in back] == ["binding-scroll", "cosmology", "wizard-adept"]
    # Units of two books keep the order of the list.
    refs = ["highborn-elves/mage", "makhar/makhar-gyula", "highborn-elves/high-prince"]
    document = one_unit(refs[0])
    document["books"] = [{"id": "highborn-elves"}, {"id": "makhar"}]
    document["units"] = [
        {"id": f"u{number}", "unit": ref, "models": 1} for number, ref in enumerate(refs, 1)
    ]
    back = read_roster(write_ros(value_of(document), LIBRARY), LIBRARY).document
    assert [one.ref for one in back.units] == refs


def test_every_example_of_the_ninth_age_2023_is_tested() -> None:
    assert {one.id for one in shipped_examples().by_system["t9a-2023"]} == EXAMPLES.keys()
