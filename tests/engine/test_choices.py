"""Choices: what a unit would cost, break, worsen and settle before it is taken."""

import pytest

from armybuilder.engine import Choice, choices, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.choices import harmless
from tests.building.tiny import Data, document, game, roster, rule, take, unit

LIMITS = (
    rule("limit", "points.over", id="a", count="points", max="limit"),
    rule("limit", "list.empty", id="b", count="models", min=1),
    rule("limit", "tiny.big", id="c", count="models", of={"ability": "big"}, max=1),
)


def offered(catalogue: Catalogue, *entries: Data, limit: int = 100) -> dict[str, Choice]:
    made = roster(document(*entries, limit=limit), catalogue)
    return {choice.unit.ref.split("/")[1]: choice for choice in choices(made, catalogue)}


def test_choices_tell_what_each_unit_would_cost_and_settle() -> None:
    # There is one choice for every unit in the books order.
    catalogue = game(*LIMITS)
    assert list(offered(catalogue)) == [ref.split("/")[1] for ref in catalogue.units]
    # Units can be asked for by name.
    wanted = [catalogue.units["book/knight"]]
    found = choices(roster(document(), catalogue), catalogue, wanted)
    assert [(choice.unit.name, choice.points) for choice in found] == [("Knight", 8)]
    # A choice tells its points and what it settles.
    choice = offered(game(*LIMITS))["soldier"]
    assert choice.points == 5
    assert (choice.breaks, choice.worsens) == ((), ())
    assert [finding.code for finding in choice.settles] == ["list.empty"]


@pytest.mark.parametrize(("limit", "broken"), [(13, []), (12, ["points.over"])])
def test_a_choice_breaks_the_limit_only_beyond_it(limit: int, broken: list[str]) -> None:
    choice = offered(game(*LIMITS), take("soldier"), limit=limit)["knight"]
    assert [finding.code for finding in choice.breaks] == broken


def test_choices_tell_what_would_break_and_change_nothing() -> None:
    # What is broken already is worsened.
    found = offered(game(*LIMITS), take("giant", 2), limit=60)
    assert [finding.code for finding in found["giant"].worsens] == ["tiny.big"]
    assert found["giant"].breaks == ()
    assert (found["soldier"].breaks, found["soldier"].worsens) == ((), ())
    assert [finding.code for finding in found["titan"].breaks] == ["points.over"]
    # Faults of the unit itself are breaks.
    catalogue = game(
        rule("ability-limit", "tiny.size", abilities=["big", "huge"], max=1),
        units=[unit("titan", 5, "big", "huge"), unit("giant", 5, "big")],
    )
    found = offered(catalogue)
    assert [finding.code for finding in found["titan"].breaks] == ["tiny.size"]
    assert found["giant"].breaks == ()
    # Trying changes nothing in the roster.
    catalogue = game(*LIMITS)
    made = roster(document(take("soldier")), catalogue)
    before = made.picks
    first, second = choices(made, catalogue), choices(made, catalogue)
    assert [choice.breaks for choice in first] == [choice.breaks for choice in second]
    assert made.picks == before
    assert len(validate(made, catalogue).full.lines) == 1


@pytest.mark.parametrize("limit", [12, 13, 60])
def test_harmless_is_what_breaks_nothing_whatever_it_worsens(limit: int) -> None:
    catalogue = game(*LIMITS)
    made = roster(document(take("soldier"), take("giant", 2), limit=limit), catalogue)
    fine = [choice.unit for choice in choices(made, catalogue) if not choice.breaks]
    assert list(harmless(made, catalogue)) == fine


def test_what_only_warns_is_harmless() -> None:
    warns = rule("limit", "tiny.big", count="models", of={"ability": "big"}, max=0)
    catalogue = game({**warns, "severity": "warning"})
    (choice,) = choices(roster(document(), catalogue), catalogue, [catalogue.units["book/giant"]])
    assert choice.breaks
    assert catalogue.units["book/giant"] in list(harmless(roster(document(), catalogue), catalogue))
