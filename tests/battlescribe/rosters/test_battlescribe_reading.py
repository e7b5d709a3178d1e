"""Rosters of BattleScribe from anyone: what is read of them, what is told, what is refused."""

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.battlescribe.rosters import parsing, read_roster, write_ros
from armybuilder.battlescribe.rosters.parsing import BsSelection
from armybuilder.battlescribe.rosters.reading import RosterReading
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import read_document
from armybuilder.loading.problems import Refusal
from tests.building.documents import value_of
from tests.building.zips import packed
from tests.effort import tries
from tests.exchange.t9a_lists import EXAMPLES, LIBRARY, one_unit, taken

DRAGON = write_ros(value_of(EXAMPLES["the-princes-dragon"]), LIBRARY).decode()
ELVES = "66f6-8610-3962-63fa"
FORCE = "e28c-c4d0-2f7b-2de3"

#: A mage of the Highborn Elves as BattleScribe itself writes one: with a rule, a stat line and the
#: categories copied in.
MAGE = """
<selection id="0001-0001-0001-0001" name="Mage" entryId="{mage}" number="1" type="unit">
  <rules><rule id="a" name="Fearless" hidden="false"><description>&lt;b&gt; text</description></rule></rules>
  <profiles><profile id="b" name="Mage" typeName="1 Global"><characteristics>
    <characteristic name="Adv" typeId="c">5"</characteristic></characteristics></profile></profiles>
  {inner}
  <costs><cost name="pts" typeId="24fd-8af8-0c78-001c" value="{points}"/></costs>
  <categories><category id="d" name="Characters" entryId="953d-22cd-7ee1-36dc" primary="true"/></categories>
</selection>"""  # noqa: E501
ROSTER = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<roster id="9d6f-0000-0000-0001" name="From the club" battleScribeVersion="2.03"
  gameSystemId="aa64-1e8e-66fc-9abf" gameSystemName="T9A" gameSystemRevision="55"
  xmlns="http://www.battlescribe.net/schema/rosterSchema">
  <costs><cost name="pts" typeId="24fd-8af8-0c78-001c" value="180.0"/></costs>
  {limits}
  <forces>{forces}</forces>
</roster>"""
LIMITS = '<costLimits><costLimit name="pts" typeId="x" value="4500.0"/></costLimits>'


def mage_id() -> str:
    found = re.search(r'name="Mage" entryId="([^"]+)"', DRAGON)
    assert found
    return found[1]


def mage(inner: str = "", points: object = "180.0", **words: str) -> str:
    inner = f"<selections>{inner}</selections>" if inner else ""
    told = MAGE.format(mage=words.get("id_", mage_id()), inner=inner, points=points)
    return (
        told.replace('name="Mage" e', f'name="{words["name"]}" e', 1) if "name" in words else told
    )


def option(name: str, id_: str = "none", more: str = "", number: int = 1) -> str:
    return (
        f'<selection id="0" name="{name}" entryId="{id_}" number="{number}" type="upgrade">{more}'
        "</selection>"
    )


def force(*selections: str, catalogue: str = ELVES, revision: int = 70, entry: str = FORCE) -> str:
    return (
        f'<force id="1" name="Army" entryId="{entry}" catalogueId="{catalogue}"'
        f' catalogueRevision="{revision}" catalogueName="Elves of old">'
        f"<selections>{''.join(selections)}</selections></force>"
    )


def roster(*forces: str, limits: str = LIMITS) -> bytes:
    return ROSTER.format(forces="".join(forces), limits=limits).encode()


def read(*selections: str) -> RosterReading:
    return read_roster(roster(force(*selections)), LIBRARY)


def remarks_of(reading: RosterReading) -> list[str]:
    return [f"{one.kind}: {one.where}: {one.text}" for one in reading.remarks]


def options(document: ArmyList) -> list[str]:
    return [one.id for one in document.units[0].options]


def test_a_roster_is_read_by_its_ids_or_names() -> None:
    # A roster with all that battlescribe copies into it is read.
    reading = read(mage())
    assert remarks_of(reading) == ["points: Mage: 180 points in the file, 230 here."]
    assert reading.spent == 180
    document = reading.document.to_dict()
    assert (document["name"], document["limit"]) == ("From the club", 4500)
    assert document["books"][0]["id"] == "highborn-elves"
    assert document["units"] == [{"id": "u1", "unit": "highborn-elves/mage", "models": 1}]
    # Without any ids an example is read by its names and that is told.
    document = EXAMPLES["throne-under-the-mountain"]
    raw = write_ros(value_of(document), LIBRARY).decode()
    nameless = re.sub(r'entry(Group)?Id="[^"]*"', r'entry\1Id="0"', raw)
    reading = read_roster(nameless.encode(), LIBRARY)
    assert taken(reading.document) == taken(document)
    assert {one.kind for one in reading.remarks} == {"guessed"}


def test_options_are_found_by_name_or_the_end_of_an_id() -> None:
    # Of several things of one name the first is taken and that is told.
    reading = read(mage(option("Pyromancy"), points="0.0"))
    assert len(options(reading.document)) == 1
    assert "but several things have that name: Pyromancy." in remarks_of(reading)[0]
    # Options are found where the holder of items between was left out.
    reading = read(mage(option("Binding Scroll") + option("Wizard Master", id_="x::y")))
    assert sorted(options(reading.document)) == ["binding-scroll", "wizard-master"]
    # The end of an id suffices where the way to it differs.
    found = re.search(r'name="Binding Scroll" entryId="[^"]*::([^":]+)"', DRAGON)
    assert found
    reading = read(mage(option("Called otherwise", id_=f"0:0::{found[1]}"), points="0.0"))
    assert options(reading.document) == ["binding-scroll"]
    assert remarks_of(reading) == []


def test_options_on_several_models_are_added_up_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[BsSelection] = []
    total = BsSelection.total.fget
    monkeypatch.setattr(BsSelection, "total", property(lambda one: asked.append(one) or total(one)))
    assert len(read(mage().replace('number="1"', 'number="400"', 1)).document.units) == 400
    assert len(asked) == 1


def test_units_keep_their_names_and_several_are_several() -> None:
    # A unit named otherwise but with its id is the unit and its own name stays.
    named = mage(name="Magus").replace("number=", 'customName="Hob" number=', 1)
    reading = read(named.replace("<rules>", "<customNotes>[General]\nold</customNotes><rules>"))
    assert reading.document.to_dict()["units"][0] == {
        "id": "u1", "unit": "highborn-elves/mage", "models": 1, "roles": ["general"],
        "name": "Hob", "notes": "old",
    }  # fmt: skip
    # Several of one unit are units of their own.
    twice = mage(points="460.0").replace('number="1"', 'number="2"', 1)
    reading = read(twice)
    assert [one["id"] for one in reading.document.to_dict()["units"]] == ["u1", "u2"]
    assert remarks_of(reading) == []
    # Letters and line ends of elsewhere are read.
    named = mage().replace("number=", 'customName="שומרת \u202eהחומה" number=', 1)
    raw = b"\xef\xbb\xbf" + roster(force(named)).lstrip().replace(b"\n", b"\r\n")
    (unit,) = read_roster(raw, LIBRARY).document.units
    assert (unit.name, unit.ref) == ("שומרת \u202eהחומה", "highborn-elves/mage")


@pytest.mark.parametrize("version", ["2.00", "2.01", "1.15", "", "x"])
def test_rosters_of_older_versions_are_read_or_refused_in_a_sentence(version: str) -> None:
    old = roster(force(mage())).replace(b'Version="2.03"', f'Version="{version}"'.encode())
    check(old)


def test_entries_our_books_lack_are_reported() -> None:
    # What the book does not have is left out and told with all that is on it.
    strange = option("Laser", more=f"<selections>{option('Lens', number=2)}</selections>")
    reading = read(mage(strange, points="0.0"), option("Space Marine", more=""))
    assert options(reading.document) == []
    assert len(reading.document.to_dict()["units"]) == 1
    assert remarks_of(reading)[:2] == [
        "left-out: Mage: Left out: Laser.",
        "left-out: Mage: Left out: 2 × Lens.",
    ]
    assert "left-out: : Left out: Space Marine (0)." in remarks_of(reading)
    # Another revision of the book and a missing limit are told.
    one = force(mage(points="175.0"), revision=60, entry="nowhere")
    reading = read_roster(roster(one, limits=""), LIBRARY)
    assert reading.document.to_dict()["limit"] == 4500
    text = " ".join(remarks_of(reading))
    assert "made with revision 60, our book with 70" in text
    assert "we used the book for The Ninth Age 2023; The Ninth Age 2024 has one" in text
    assert "The file sets no points limit; 4500 was used." in text
    assert "The organisation “Army” is unknown." in text
    # The force says how the army is organised.
    raw = roster(force(mage(), entry="903c-ad61-5d7b-1be7"))
    settings_ = read_roster(raw, LIBRARY).document.to_dict()["settings"]
    assert settings_ == {"organisation": "queens-cavalier-on-large-gigantic-mount"}
    # Units of a force whose book is not here are told.
    reading = read_roster(roster(force(mage()), force(mage(), catalogue="0")), LIBRARY)
    assert len(reading.document.to_dict()["units"]) == 1
    assert "note: : “Elves of old” is not available here; its units are left out." in remarks_of(
        reading
    )
    assert "left-out: : Left out: Mage (180)." in remarks_of(reading)


def test_too_long_texts_and_too_many_models_are_cut_and_told() -> None:
    document = one_unit("highborn-elves/citizen-spears", name="x" * 120, notes="y" * 2000)
    raw = write_ros(value_of({**document, "name": "z"}), LIBRARY).decode()
    raw = raw.replace('number="1" type="model"', 'number="99999" type="model"')
    raw = raw.replace("x" * 120, "x" * 200).replace("y" * 2000, "y" * 3000)
    reading = read_roster(raw.encode(), LIBRARY)
    (unit,) = reading.document.to_dict()["units"]
    assert (len(unit["name"]), len(unit["notes"]), unit["models"]) == (120, 2000, 999)
    assert len([one for one in reading.remarks if one.kind == "note"]) == 3
    read_document(json.dumps(reading.document.to_dict()).encode())


ENTITIES = (
    '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;">]><roster>&b;</roster>'
)
OUTSIDE = '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster>&x;</roster>'


def test_a_roster_of_too_many_parts_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert parsing.MAX_ELEMENTS <= 200_000
    monkeypatch.setattr(parsing, "MAX_ELEMENTS", 200)
    with pytest.raises(Refusal, match="more than 200 elements"):
        read_roster(b"<roster><costs>" + b"<cost/>" * 201 + b"</costs></roster>", LIBRARY)


def test_what_is_no_safe_roster_or_zip_is_refused_in_a_sentence() -> None:
    # What is no safe roster is refused in a sentence.
    for raw, why in [
        (b"", "not a complete XML"),
        (b"hello", "not a complete XML"),
        (DRAGON.encode()[:-200], "not a complete XML"),
        (b"<catalogue/>", "not a BattleScribe list"),
        (b"<a><roster/></a>", "not a BattleScribe list"),
        (b"<roster/>", "no army"),
        (roster(force(catalogue="0")), "“Elves of old” of “T9A”"),
        (ENTITIES.encode(), "defines entities"),
        (OUTSIDE.encode(), "defines entities"),
        (b"<!DOCTYPE roster><roster/>", "document type"),
        (b'<?xml version="1.0" encoding="no-such"?><roster/>', "encoding"),
        (b"<roster>" * 300, "too deeply"),
        (b"<roster><x>" + b"<x>" * 300, "too deeply"),
        (b" " * (parsing.MAX_BYTES + 1), "4 MB"),
        (b"PK\x03\x04 no zip", "complete zip"),
    ]:
        with pytest.raises(Refusal, match=why):
            read_roster(raw, LIBRARY)
    # A zip of anything else or of far too much is refused.
    for files, why in [
        ({}, "holds one list"),
        ({"a.ros": b"x", "b.ros": b"y"}, "holds one list"),
        ({"a.txt": b"x"}, "does not end in"),
        ({"a.ros": b" " * (parsing.MAX_BYTES + 1)}, "4 MB"),
        ({f"{number}.ros": b" " * (1 << 22) for number in range(20)}, "holds one list"),
    ]:
        with pytest.raises(Refusal, match=why):
            read_roster(packed(files), LIBRARY)


def check(raw: bytes) -> None:
    """It is read as a list that can be stored, or refused in a sentence."""
    try:
        reading = read_roster(raw, LIBRARY)
    except Refusal:
        return
    read_document(json.dumps(reading.document.to_dict()).encode())


@settings(max_examples=tries(60))
@given(st.integers(0, len(DRAGON) - 1), st.integers(0, 40), st.binary(max_size=6))
def test_a_roster_with_some_bytes_changed_is_read_or_refused(
    place: int, length: int, put: bytes
) -> None:
    raw = DRAGON.encode()
    check(raw[:place] + put + raw[place + length :])


values = st.one_of(
    st.text(max_size=12),
    st.integers(-5, 10**15).map(str),
    st.sampled_from(["1e9", "NaN", "1.5", "-0.0", "٣", " 7 ", "x::y", "::"]),
)
edits: list[Callable[[str, str], str]] = [
    lambda raw, value: raw.replace('number="1"', f'number="{value}"', 9),
    lambda raw, value: raw.replace('value="4500.0"', f'value="{value}"'),
    lambda raw, value: raw.replace('name="The Prince’s Dragon"', f'name="{value}"'),
    lambda raw, value: re.sub(
        'entryId="[^"]*"', lambda _found: f'entryId="{value}"', raw, count=30
    ),
    lambda raw, value: re.sub(' name="[^"]*"', lambda _found: f' name="{value}"', raw),
    lambda raw, value: raw.replace(
        "</selection>", f"<customNotes>on: {value}</customNotes></selection>"
    ),
]


@settings(max_examples=tries(60))
@given(values, st.sampled_from(edits))
def test_a_roster_with_wild_values_is_read_or_refused(
    value: str, edit: Callable[[str, str], str]
) -> None:
    safe = re.sub(r'[<>&"\x00-\x1f\ud800-\udfff]', "", value)
    check(edit(DRAGON, safe).encode("utf-8", "ignore"))
