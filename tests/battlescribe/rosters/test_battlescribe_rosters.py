"""Lists as rosters of BattleScribe and back: what is written, and that nothing is lost."""

import io
import json
import re
import zipfile
from xml.etree.ElementTree import Element, fromstring

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.battlescribe.rosters import data_of, read_roster, write_ros, write_rosz
from armybuilder.engine import validate
from armybuilder.loading.documents import Document, catalogue_of, make_roster, read_document
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.problems import Refusal
from tests.building.documents import army, skirmish, value_of
from tests.effort import tries
from tests.exchange.t9a_lists import (
    BOOKS,
    EXAMPLES,
    LIBRARY,
    one_unit,
    random_list,
    taken,
    without_revisions,
)

pytestmark = pytest.mark.long

NAMESPACE = "{http://www.battlescribe.net/schema/rosterSchema}"
ID = re.compile(r"[0-9a-f]{4}(-[0-9a-f]{4}){3}")


def elements(document: Document) -> Element:
    return fromstring(write_ros(value_of(document), LIBRARY))  # noqa: S314


def all_of(root: Element, tag: str) -> list[Element]:
    return list(root.iter(f"{NAMESPACE}{tag}"))


def named(root: Element, name: str) -> Element:
    """The first selection of that name."""
    return next(one for one in all_of(root, "selection") if one.get("name") == name)


OTHERS = {
    one.id: one.document.to_dict()
    for system in ("t9a-2024", "t9a-3rd", "essence-of-war")
    for one in shipped_examples().by_system[system]
}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("document", [*EXAMPLES.values(), *OTHERS.values()], ids=EXAMPLES | OTHERS)
def test_an_example_is_the_same_list_after_going_out_and_in(document: Document) -> None:
    for raw in (write_ros(value_of(document), LIBRARY), write_rosz(value_of(document), LIBRARY)):
        reading = read_roster(raw, LIBRARY)
        assert without_revisions(reading.document) == document
        assert reading.remarks == ()


@pytest.mark.parametrize("document", [*EXAMPLES.values(), army()], ids=[*EXAMPLES, "long"])
def test_the_points_of_the_selections_add_up_to_what_the_list_costs(document: Document) -> None:
    catalogue = catalogue_of(value_of(document), LIBRARY)
    spent = validate(make_roster(value_of(document), catalogue), catalogue).spent
    root = elements(document)
    costs = root.findall(f".//{NAMESPACE}selection/{NAMESPACE}costs/{NAMESPACE}cost")
    assert sum(float(cost.get("value", "")) for cost in costs) == spent
    assert read_roster(write_ros(value_of(document), LIBRARY), LIBRARY).spent == spent


@settings(max_examples=tries(60))
@given(st.integers(0, 1 << 32), st.sampled_from(BOOKS))
def test_a_random_list_of_any_book_is_the_same_list_after_going_out_and_in(
    seed: int, book: str
) -> None:
    document = random_list(seed, book)
    raw = write_ros(value_of(document), LIBRARY)
    reading = read_roster(raw, LIBRARY)
    read_document(json.dumps(reading.document.to_dict()).encode())
    if b"Not in this file" in raw:
        # BattleScribe has no such choice, so nothing can bring it back; but it is told.
        assert reading.remarks
    else:
        assert taken(reading.document) == taken(document)
        assert reading.remarks == ()


def test_a_roster_names_all_as_the_source_files_do() -> None:
    # A roster names game book force and limit as the source files do.
    root = elements(EXAMPLES["the-princes-dragon"])
    assert root.tag == f"{NAMESPACE}roster"
    assert root.get("gameSystemId") == "aa64-1e8e-66fc-9abf"
    assert root.get("gameSystemRevision") == "55"
    (force,) = all_of(root, "force")
    assert force.get("name") == "Highborn Elves"
    assert force.get("entryId") == "e28c-c4d0-2f7b-2de3"
    assert force.get("catalogueId") == "66f6-8610-3962-63fa"
    assert force.get("catalogueName") == "Highborn Elves 2023 Beta 2"
    (limit,) = all_of(root, "costLimit")
    assert limit.attrib == {"name": "pts", "typeId": "24fd-8af8-0c78-001c", "value": "4500.0"}
    ids = [one.get("id", "") for tag in ("force", "selection") for one in all_of(root, tag)]
    assert len(set(ids)) == len(ids)
    assert all(ID.fullmatch(one) for one in ids)
    # Selections stand where the source files have them.
    prince, dragon = named(root, "High Prince"), named(root, "Dragon")
    assert prince.get("entryId") == "3979-e311-2b38-8142"
    assert prince.get("type") == "unit"
    assert dragon.get("entryId") == "b15c-02cf-6360-74e3::17f6-887c-55b0-d586"
    assert dragon.get("entryGroupId") == "1513-fcb4-21d5-aa7e"
    assert dragon.get("number") == "1"
    primary = prince.find(f"{NAMESPACE}categories/{NAMESPACE}category[@primary='true']")
    assert primary is not None
    assert primary.get("entryId") == "953d-22cd-7ee1-36dc"
    # Models the general and what holds items are selections of their own.
    spears = named(root, "Citizen Spears")
    (models,) = (one for one in spears.iter() if one.get("type") == "model")
    assert models.get("number") == "30"
    prince = named(root, "High Prince")
    assert named(prince, "Army General").get("number") == "1"
    assert named(named(prince, "Special Equipment"), "Diadem of Protection") is not None
    # Models that differ are selections of their own.
    beasts = [{"id": "spearback", "number": 2}, {"id": "salamander"}]
    document = one_unit("saurian-ancients/weapon-beasts", models=3, options=beasts)
    root = elements(document)
    models = [one for one in all_of(root, "selection") if one.get("type") == "model"]
    assert [one.get("number") for one in models] == ["2", "1"]
    assert taken(read_roster(write_ros(value_of(document), LIBRARY), LIBRARY).document) == taken(
        document
    )


def test_the_same_list_has_the_same_bytes_zipped_too() -> None:
    # The same list has the same bytes and another list other ids.
    document = EXAMPLES["the-long-table"]
    assert write_rosz(value_of(document), LIBRARY) == write_rosz(value_of(document), LIBRARY)
    other = elements({**document, "name": "Another"})
    assert elements(document).get("id") != other.get("id")
    # A zipped roster holds one file named like the list.
    with zipfile.ZipFile(io.BytesIO(write_rosz(value_of(document), LIBRARY))) as archive:
        assert archive.namelist() == ["The-Long-Table.ros"]
        assert archive.read("The-Long-Table.ros") == write_ros(value_of(document), LIBRARY)


def test_names_and_notes_come_back_as_far_as_xml_can_hold_them() -> None:
    # Names and notes of players come back letter by letter.
    unit = {"name": "Hob & “<Nail>”", "notes": "[a]\n]]> & <b>\r\nend"}
    document = one_unit("highborn-elves/mage", **unit) | {"name": "<&>", "notes": "x\n\ty"}
    back = read_roster(write_ros(value_of(document), LIBRARY), LIBRARY).document.to_dict()
    assert (back["name"], back["notes"]) == ("<&>", "x\n\ty")
    assert back["units"][0]["name"] == unit["name"]
    assert back["units"][0]["notes"] == unit["notes"]
    # What xml cannot hold is left out of a name.
    document = one_unit("highborn-elves/mage", name="a\x0bb\ufffe") | {"name": "\x01"}
    back = read_roster(write_ros(value_of(document), LIBRARY), LIBRARY).document
    assert back.units[0].name == "ab"


def test_what_has_no_place_in_a_file_is_reported() -> None:
    # What the source offers only on something else is told in the file: An artillery weapon brings
    # its rule along; our book offers the rule beside the weapon.
    options = [{"id": "rocket-battery"}, {"id": "fires-of-industry"}]
    document = one_unit("infernal-dwarves/infernal-artillery", options=options)
    raw = write_ros(value_of(document), LIBRARY)
    assert b"- Infernal Artillery: Fires of Industry<" in raw
    (remark, *_others) = read_roster(raw, LIBRARY).remarks
    assert "Infernal Artillery: Fires of Industry" in remark.text
    # Unknown units and options are told in the notes of the force.
    document = one_unit("highborn-elves/mage", options=[{"id": "no-such-thing"}])
    document["units"].append({"id": "u2", "unit": "highborn-elves/nobody", "models": 1})
    notes = elements(document).findtext(f".//{NAMESPACE}force/{NAMESPACE}customNotes")
    assert notes is not None
    assert "no-such-thing" in notes
    assert "highborn-elves/nobody" in notes
    # Lists of games without battlescribe files cannot be written.
    document = skirmish("sbh")
    assert data_of(value_of(document), LIBRARY) == ()
    with pytest.raises(Refusal, match="BattleScribe has no data"):
        write_ros(value_of(document), LIBRARY)
