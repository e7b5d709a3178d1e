"""What is missing and what is broken, as each rule says of what it finds."""

import re

import pytest

from armybuilder.engine.citations import Severity
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.engine.rules import Rule
from armybuilder.engine.states import State, state_of_numbers
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of

SYSTEMS = shipped_library().systems


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_a_list_just_begun_has_things_to_do_and_nothing_broken(system: str) -> None:
    book = next(iter(shipped_library().books[system]))
    document = {
        "format": "armylist/1",
        "system": system,
        "books": [{"id": book}],
        "name": "Begun",
        "limit": 1000,
        "units": [],
    }
    report = judge(value_of(document), shipped_library()).report
    errors = report.of(Severity.ERROR)
    assert errors
    assert {finding.state for finding in errors} == {State.MISSING}


@pytest.mark.parametrize(
    ("measured", "allowed", "state"),
    [(0, 1, "missing"), (2, 1, "broken"), (None, None, "broken"), (3, None, "broken")],
)
def test_a_number_below_its_bound_is_missing(
    measured: int | None, allowed: int | None, state: str
) -> None:
    assert state_of_numbers(measured, allowed) == state


def test_every_rule_kind_with_its_own_state_is_documented() -> None:
    told = set(re.findall(r"^\s+(\S+)\s{2,}(?:MISSING|BROKEN)", State.__doc__ or "", re.M))
    kinds = rule_kinds().items()
    own = {kind for kind, rule in kinds if rule.state or rule.state_of is not Rule.state_of}
    assert own == told
