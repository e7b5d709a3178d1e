"""The independent reading of BattleScribe files, on a tiny catalogue of its own."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.catalogs.source_prices import as_json, read_folder

SYSTEM = """<gameSystem xmlns="system">
  <categoryEntries><categoryEntry id="core" name="Core"/></categoryEntries>
  <sharedSelectionEntries>
    <selectionEntry id="drum" name="Drum" type="upgrade">
      <costs><cost name="pts" value="10.0"/></costs>
    </selectionEntry>
  </sharedSelectionEntries>
</gameSystem>"""

CATALOGUE = """<catalogue name="Öre Folk 2023 Beta 2" revision="7" xmlns="catalogue">
  <categoryEntries><categoryEntry id="bows" name="Bows"/></categoryEntries>
  <selectionEntries>
    <selectionEntry id="u1" name="Spears" type="unit">
      <costs><cost name="pts" value="-20.0"/></costs>
      <constraints>
        <constraint type="max" scope="roster" field="selections" value="4.0"/>
        <constraint type="max" scope="roster" field="limit::points" value="25.0"/>
      </constraints>
      <modifiers><modifier type="set" field="points" value="999"/></modifiers>
      <categoryLinks>
        <categoryLink name="Bows (local)" targetId="bows" primary="false"/>
        <categoryLink name="Core" targetId="core" primary="true"/>
      </categoryLinks>
      <selectionEntries>
        <selectionEntry id="m1" name="Spear" type="model">
          <costs><cost name="pts" value="12.0"/></costs>
          <constraints>
            <constraint type="min" scope="parent" field="selections" value="20.0"/>
            <constraint type="max" scope="parent" field="selections" value="50.0"/>
            <constraint type="max" scope="roster" field="selections" value="90.0"/>
          </constraints>
        </selectionEntry>
      </selectionEntries>
      <entryLinks>
        <entryLink id="l1" name="Drum" targetId="drum">
          <costs><cost name="pts" value="5.0"/></costs>
          <constraints>
            <constraint type="min" scope="parent" field="selections" value="1.0"/>
            <constraint type="max" scope="parent" field="selections" value="1.0"/>
          </constraints>
        </entryLink>
        <entryLink id="l2" name="Second drum" targetId="drum"/>
        <entryLink id="l3" name="Hidden drum" targetId="drum" hidden="true">
          <constraints>
            <constraint type="min" scope="parent" field="selections" value="1.0"/>
          </constraints>
        </entryLink>
      </entryLinks>
    </selectionEntry>
    <selectionEntry id="u2" name="Giant" type="upgrade">
      <costs><cost name="pts" value="200.0"/></costs>
      <constraints><constraint type="max" scope="roster" field="selections" value="-1.0"/>
      </constraints>
      <selectionEntryGroups>
        <selectionEntryGroup id="g" name="Weapon" defaultSelectionEntryId="club">
          <constraints>
            <constraint type="min" scope="parent" field="selections" value="1.0"/>
            <constraint type="max" scope="parent" field="selections" value="1.0"/>
          </constraints>
          <selectionEntries>
            <selectionEntry id="club" name="Club" type="upgrade">
              <costs><cost name="pts" value="30.0"/></costs>
            </selectionEntry>
            <selectionEntry id="tree" name="Tree" type="upgrade">
              <costs><cost name="pts" value="40.0"/></costs>
            </selectionEntry>
          </selectionEntries>
        </selectionEntryGroup>
      </selectionEntryGroups>
    </selectionEntry>
    <selectionEntry id="u3" name="Hounds" type="unit">
      <costs><cost name="pts" value="5.0"/></costs>
      <selectionEntries>
        <selectionEntry id="m3" name="Hound" type="upgrade">
          <costs><cost name="pts" value="8.0"/></costs>
          <constraints>
            <constraint type="min" scope="parent" field="selections" value="5.0"/>
            <constraint type="max" scope="parent" field="selections" value="15.0"/>
          </constraints>
        </selectionEntry>
      </selectionEntries>
    </selectionEntry>
  </selectionEntries>
</catalogue>"""


@pytest.fixture
def books(tmp_path: Path) -> dict[str, dict[str, Any]]:
    (tmp_path / "system.gst").write_text(SYSTEM, "utf-8")
    (tmp_path / "ore.cat").write_text(CATALOGUE, "utf-8")
    return read_folder(tmp_path)


def unit(books: dict[str, dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = (unit for unit in books["Öre Folk"]["units"] if unit["name"] == name)
    return found


def test_a_unit_costs_its_smallest_size_and_what_must_be_bought_with_it(
    books: dict[str, dict[str, Any]],
) -> None:
    assert unit(books, "Spears") == {
        "name": "Spears",
        "size": [20, 50],
        "base": 220,
        "points": 225,
        "per_model": 12,
        "categories": ["Core", "Bows"],
        "cap": 4,
    }


def test_a_unit_without_models_is_one_and_a_choice_within_a_group_costs_nothing_yet(
    books: dict[str, dict[str, Any]],
) -> None:
    giant = unit(books, "Giant")
    assert (giant["size"], giant["base"], giant["points"]) == ([1, 1], 200, 200)
    assert (giant["per_model"], giant["cap"], giant["categories"]) == (0, None, [])


def test_models_that_the_file_calls_an_upgrade_are_counted_too(
    books: dict[str, dict[str, Any]],
) -> None:
    hounds = unit(books, "Hounds")
    assert (hounds["size"], hounds["points"], hounds["per_model"]) == ([5, 15], 45, 8)


def test_two_kinds_of_models_in_one_unit_are_refused(tmp_path: Path) -> None:
    (tmp_path / "system.gst").write_text(SYSTEM, "utf-8")
    second = '<selectionEntry id="m2" name="Archer" type="model"/>'
    twice = CATALOGUE.replace('<selectionEntry id="m1"', f'{second}<selectionEntry id="m1"')
    (tmp_path / "ore.cat").write_text(twice, "utf-8")
    with pytest.raises(ValueError, match="Spears: which of"):
        read_folder(tmp_path)


def test_the_file_is_json_with_a_line_for_each_unit(books: dict[str, dict[str, Any]]) -> None:
    written = as_json(books)
    assert json.loads(written) == books
    assert books["Öre Folk"]["file"] == "ore.cat"
    assert books["Öre Folk"]["revision"] == 7
    assert '"Öre Folk"' in written
    assert sum('"name"' in line for line in written.splitlines()) == 3
