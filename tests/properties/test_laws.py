"""Laws that hold for every army list."""

from fractions import Fraction
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.engine import Finding, Report, Severity, choices, validate
from armybuilder.loading.documents import canonical_json, make_roster
from tests.building.documents import list_of, value_of
from tests.effort import tries
from tests.properties.lists import FEW, GAMES, LAW, SBH, known_entry, lists, models

pytestmark = pytest.mark.long

Data = dict[str, Any]


def judge(document: Data) -> Report:
    catalogue = GAMES[document["system"]]
    return validate(make_roster(value_of(document), catalogue), catalogue)


@LAW
@given(lists(), st.data())
def test_adding_never_lowers_what_is_spent(document: Data, data: st.DataObject) -> None:
    entry = data.draw(known_entry(document["system"]))
    more = {**document, "units": [*document["units"], {"id": "new", **entry}]}
    before, after = judge(document), judge(more)
    assert after.spent >= before.spent
    assert after.models == before.models + entry["models"]
    for unit in document["units"]:
        larger = [{**one, "models": one["models"] + (one is unit)} for one in document["units"]]
        assert judge({**document, "units": larger}).spent >= before.spent


@LAW
@given(lists())
def test_what_is_spent_is_the_sum_of_its_parts(document: Data) -> None:
    report = judge(document)
    gauge = next(gauge for gauge in report.gauges if gauge.head.code == "points.over")
    assert report.spent == gauge.used == sum(part.amount for part in gauge.parts)
    extra = document["settings"].get("tactical_advantage", 0)
    assert report.spent == sum(line.points for line in report.lines.values()) + extra
    over = [found for found in report.findings if found.code == "points.over"]
    assert bool(over) is (report.spent > document["limit"])


def errors(findings: tuple[Finding, ...], pick: str = "") -> set[tuple[str, str, str]]:
    """Errors by what they are; `pick` is the id that the newest unit has."""
    return {
        (
            found.code,
            found.head.pointer,
            "new" if pick and found.about.text == pick else found.about.text,
        )
        for found in findings
        if found.severity is Severity.ERROR
    }


@FEW
@given(lists(most=5))
def test_choices_keep_their_promise_when_the_unit_is_really_taken(document: Data) -> None:
    catalogue = GAMES[document["system"]]
    before = judge(document)
    for choice in choices(make_roster(value_of(document), catalogue), catalogue):
        entry = {"id": "new", "unit": choice.unit.ref, "models": choice.unit.smallest}
        after = judge({**document, "units": [*document["units"], entry]})
        assert errors(choice.breaks, "+") == errors(after.findings) - errors(before.findings)
        assert errors(choice.settles) == errors(before.findings) - errors(after.findings)
        assert choice.points == after.spent - before.spent


@LAW
@given(lists())
def test_capacity_is_never_below_zero_and_adds_up(document: Data) -> None:
    report = judge(document)
    for line in report.lines.values():
        assert line.need >= 0
        assert line.supply >= 0
    drawn = [gauge for gauge in report.gauges if gauge.head.code.startswith("command.")]
    if report.faction is not None:
        assert drawn[0].used == sum(line.need for line in report.lines.values())
        assert drawn[0].maximum == sum(line.supply for line in report.lines.values())


@LAW
@given(lists())
def test_a_list_is_legal_exactly_when_nothing_is_an_error(document: Data) -> None:
    report = judge(document)
    assert report.legal is not any(found.severity is Severity.ERROR for found in report.findings)
    gravity = [list(Severity).index(found.severity) for found in report.findings]
    assert gravity == sorted(gravity)
    assert len({(*found.key, found.code, found.lineup) for found in report.findings}) == len(
        report.findings
    )


@LAW
@given(lists())
def test_judging_twice_says_the_same_and_changes_no_document(document: Data) -> None:
    raw = canonical_json(document)
    assert judge(document).findings == judge(document).findings
    assert canonical_json(document) == raw


@settings(LAW, max_examples=tries(300))
@given(st.integers(-1, 8), st.integers(-1, 8), st.integers(-30, 60))
def test_the_formula_is_the_one_that_is_written_down(
    quality: int, combat: int, specials: int
) -> None:
    formula = SBH.system.formula
    assert formula is not None
    exact = Fraction(5 * combat + specials) * (7 - quality) / 2
    assert formula.points({"quality": quality, "combat": combat}, specials) == max(1, ceil(exact))


@LAW
@given(
    st.integers(2, 6),
    st.integers(0, 6),
    st.lists(st.sampled_from(sorted(SBH.abilities)), max_size=6),
    models,
)
def test_an_own_model_costs_what_the_formula_says(
    quality: int, combat: int, abilities: list[str], number: int
) -> None:
    stats = {"quality": quality, "combat": combat}
    profile = {"name": "Me", "stats": stats, "abilities": [{"ability": one} for one in abilities]}
    document = list_of("sbh", [], [{"profile": profile, "models": number}], limit=300)
    specials = sum(SBH.abilities[one].points for one in abilities)
    exact = Fraction(5 * combat + specials) * (7 - quality) / 2
    assert judge(document).spent == number * max(1, ceil(exact))


@pytest.mark.parametrize("system", GAMES)
def test_every_unit_that_is_offered_can_be_taken(system: str) -> None:
    catalogue = GAMES[system]
    document = list_of(system, [], [], limit=9999)
    offered = choices(make_roster(value_of(document), catalogue), catalogue)
    assert {choice.unit.ref for choice in offered} == set(catalogue.units)
    assert all(choice.points >= 0 for choice in offered)
