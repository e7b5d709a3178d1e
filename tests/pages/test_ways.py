"""The page of ways to make a list legal, and the act that takes one."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest

from armybuilder.acts import proposals
from armybuilder.acts.proposals import packed
from armybuilder.loading.armylist import ArmyList
from armybuilder.solving import cpsat
from armybuilder.solving.repair import repairs
from tests.conftest import Builder

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found does not depend on the machine."""
    monkeypatch.setattr(proposals, "repairs", partial(repairs, seconds=60.0))


def crowded(sbh: Builder) -> Builder:
    """Some 100 points more than 300."""
    names = ("human-archer", "elf-archer", "dwarf-warrior")
    units = [
        {"id": f"u{n}", "unit": f"profiles/{name}", "models": 4} for n, name in enumerate(names, 1)
    ]
    sbh.store(units=units)
    return sbh


def ways(builder: Builder, **query: object) -> str:
    return builder.client.get(f"{builder.url}ways/", query).content.decode()


def packed_in(page: str) -> list[str]:
    return re.findall(r'name="proposal" value="([\w=-]+)"', page)


def test_an_illegal_list_is_offered_ways_of_which_one_is_taken_and_undone(sbh: Builder) -> None:
    crowded(sbh)
    before = sbh.document
    page = ways(sbh)
    found = packed_in(page)
    assert len(found) == len(set(found)) == 3
    answer = sbh.act("take-repair", proposal=found[0], htmx=True)
    assert answer.status_code == 200
    assert "Made legal:" in answer.content.decode()
    assert "The list is legal." in ways(sbh)
    sbh.act("undo")
    assert sbh.document == before


def test_what_is_kept_stays(sbh: Builder) -> None:
    crowded(sbh)
    kept = [unit["id"] for unit in sbh.document["units"]]
    page = ways(sbh, keep=kept)
    assert f'value="{kept[0]}" checked' in page
    assert "There is no way that keeps all of these." in page
    sbh.act("take-repair", proposal=packed_in(ways(sbh, keep=kept[:1]))[0])
    assert sbh.document["units"][0]["id"] == kept[0]


def test_a_way_that_no_longer_suits_the_list_is_refused(sbh: Builder) -> None:
    crowded(sbh)
    (way, *_) = packed_in(ways(sbh))
    sbh.act("add", ref="profiles/giant-frog")
    answer = sbh.act("take-repair", proposal=way, htmx=True)
    assert answer.status_code == 422
    assert "no longer suits the list" in answer.content.decode()


def test_the_errors_load_the_ways_where_they_are_seen(sbh: Builder) -> None:
    assert "/ways/" in crowded(sbh).page
    sbh.act("take-repair", proposal=packed_in(ways(sbh))[0])
    assert "/ways/" not in sbh.page


def test_without_a_solver_that_is_said(sbh: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    crowded(sbh)
    monkeypatch.setattr(cpsat, "_helper", missing)
    answer = sbh.client.get(f"{sbh.url}ways/")
    assert "not available on this site" in answer.content.decode()


def missing() -> None:
    raise cpsat.NoSolver


@pytest.mark.slow
def test_an_army_far_from_legal_gets_an_answer(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=4500, books=["highborn-elves"])
    army.act("add", ref="highborn-elves/high-prince")
    assert packed_in(ways(army))
    answer = army.act("take-repair", proposal=packed_in(ways(army))[0], htmx=True)
    assert "Made legal" in answer.content.decode()


def test_a_role_or_an_option_alone_can_be_kept(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=2000, books=["highborn-elves"])
    army.act("add", ref="highborn-elves/high-prince")
    army.act("option-number", unit="u1", option="death-cheater", number="1")
    army.act("role", unit="u1", role="general")
    page = ways(army, keep=["u1:general", "u1/death-cheater", "u1/none", "u9"])
    assert re.findall(r'value="([^"]+)"\s+checked', page) == ["u1:general", "u1/death-cheater"]
    army.act("take-repair", proposal=packed_in(page)[0])
    (prince,) = [unit for unit in army.document["units"] if unit["id"] == "u1"]
    assert "general" in prince["roles"]
    assert "death-cheater" in [option["id"] for option in prince["options"]]


def test_what_no_page_has_offered_or_is_not_legal_is_refused(sbh: Builder) -> None:
    before = crowded(sbh).document
    for way in ("", "x", "AAAA", "é", "eJwLdQEAAAD__w=="):
        assert sbh.act("take-repair", proposal=way, htmx=True).status_code == 422, way
    assert sbh.document == before
    # A list that is not legal is no repair.
    there = ArmyList.from_dict(sbh.document)
    for made in (there, replace(there, system="chainmail-2002")):
        assert sbh.act("take-repair", proposal=packed(made, there), htmx=True).status_code == 422
