"""What always comes with a unit or an option counts too: who brings it is named, and may go."""

from armybuilder.acts.base import performed
from armybuilder.advice.answers import FindingView, Subject
from armybuilder.advice.finding_details import FindingPresenter
from armybuilder.editing.names import entry_name
from armybuilder.engine import validate
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of

CATALOGUE = shipped_library().catalogue("t9a-2023", ["highborn-elves"])
PRINCE = {"unit": "highborn-elves/high-prince", "models": 1, "options": ["dragon"]}
PHOENIX = {"unit": "highborn-elves/phoenix", "models": 1}
INITIATE = {"unit": "highborn-elves/initiate-of-the-fiery-heart", "models": 1}
SPEARS = "highborn-elves/citizen-spears"


def told(code: str, *units: dict[str, object]) -> FindingView:
    army_list = value_of(list_of("t9a-2023", ["highborn-elves"], units, limit=4500))
    roster = make_roster(army_list, CATALOGUE)
    report = validate(roster, CATALOGUE)
    names = {unit.id: entry_name(unit, CATALOGUE.units) for unit in army_list.units}
    presenter = FindingPresenter(Subject(army_list, CATALOGUE, roster, report, names), performed)
    (telling,) = presenter.tellings([one for one in report.findings if one.code == code])
    return telling


def test_who_brings_what_an_army_has_too_often_is_named_and_may_go() -> None:
    allies = told("cap.over", PRINCE, PHOENIX, INITIATE)
    assert allies.sentence == "Ancient Allies: 4 taken, maximum 3."
    named = [culprit.name for culprit in allies.culprits]
    assert named == ["High Prince (Dragon ×2)", "Phoenix", "Initiate of the Fiery Heart"]
    assert [answer.label for answer in allies.answers] == [
        "Remove Phoenix (340 points)",
        "Remove Initiate of the Fiery Heart (330 points)",
        "Remove Dragon from High Prince (450 points)",
    ]


def test_units_of_one_name_are_named_once_with_how_many_they_are() -> None:
    allies = told("cap.over", PRINCE, PHOENIX, PHOENIX)
    assert [one.name for one in allies.culprits] == ["High Prince (Dragon ×2)", "Phoenix (2)"]


def test_a_unit_is_reduced_to_no_more_models_than_it_may_have() -> None:
    (first, *_) = told("points.over", {"unit": SPEARS, "models": 999}).answers
    assert first.fields == {"act": "models", "unit": "u1", "models": "50"}
    assert first.label.startswith("Reduce Citizen Spears to 50 (")
