"""In what order findings are told, and what their units and answers are called."""

from collections.abc import Callable

from armybuilder.acts.base import performed
from armybuilder.advice.answers import FindingView, Subject
from armybuilder.advice.finding_details import FindingPresenter
from armybuilder.editing.names import entry_name
from armybuilder.engine import validate
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from tests.advice.test_settling import BRUISER, CHAINMAIL, RECRUIT, SPEAR, fill
from tests.building.documents import list_of, value_of
from tests.conftest import Builder

Build = Callable[..., Builder]


def page_after(builder: Builder, name: str, **fields: object) -> BuilderPage:
    """The page that answers a click."""
    answer = builder.act(name, htmx=True, **fields)
    page: BuilderPage = answer.context["page"]
    return page


def states_of(page: BuilderPage) -> list[tuple[str, str, bool]]:
    return [(one.rule.code, one.state, one.new) for one in page.tellings]


def test_what_is_broken_comes_before_what_is_to_do_and_the_newest_first(build: Build) -> None:
    builder = build(CHAINMAIL[0], limit=20, books=["practice"])
    fill(builder, "practice", [(SPEAR, 5), (RECRUIT, 1)])
    page = page_after(builder, "add", ref=f"practice/{BRUISER}")
    broken = [(code, new) for code, state, new in states_of(page) if state == "broken"]
    assert ("alignment.clash", True) in broken
    assert broken[-1] == ("points.over", False)
    states = [state for _, state, _ in states_of(page)]
    ranks = ["broken", "missing", "warning", "note"]
    assert states == sorted(states, key=ranks.index)


def test_an_error_that_redo_brings_back_is_marked_new(build: Build) -> None:
    builder = build(CHAINMAIL[0], limit=100, books=["practice"])
    fill(builder, "practice", [(SPEAR, 1), (RECRUIT, 1)])
    page_after(builder, "add", ref=f"practice/{BRUISER}")
    page = page_after(builder, "undo")
    assert not any(new for _, _, new in states_of(page))
    page = page_after(builder, "redo")
    assert ("alignment.clash", "broken", True) in states_of(page)
    # A page that is only looked at has nothing new.
    page = builder.client.get(builder.url).context["page"]
    assert not any(new for _, _, new in states_of(page))


CATALOGUE = shipped_library().catalogue("t9a-2023", ["highborn-elves"])
PRINCE = {"unit": "highborn-elves/high-prince", "models": 1, "options": ["dragon"]}
PHOENIX = {"unit": "highborn-elves/phoenix", "models": 1}
INITIATE = {"unit": "highborn-elves/initiate-of-the-fiery-heart", "models": 1}
SPEARS = "highborn-elves/citizen-spears"


def finding_view(code: str, *units: dict[str, object]) -> FindingView:
    army_list = value_of(list_of("t9a-2023", ["highborn-elves"], units, limit=4500))
    roster = make_roster(army_list, CATALOGUE)
    report = validate(roster, CATALOGUE)
    names = {unit.id: entry_name(unit, CATALOGUE.units) for unit in army_list.units}
    presenter = FindingPresenter(Subject(army_list, CATALOGUE, roster, report, names), performed)
    (telling,) = presenter.tellings([one for one in report.findings if one.code == code])
    return telling


def test_units_over_a_shared_cap_are_named_once_with_removal_and_reduction() -> None:
    allies = finding_view("cap.over", PRINCE, PHOENIX, INITIATE)
    assert allies.sentence == "Ancient Allies: 4 taken, maximum 3."
    named = [culprit.name for culprit in allies.culprits]
    assert named == ["High Prince (Dragon ×2)", "Phoenix", "Initiate of the Fiery Heart"]
    assert [answer.label for answer in allies.answers] == [
        "Remove Phoenix (340 points)",
        "Remove Initiate of the Fiery Heart (330 points)",
        "Remove Dragon from High Prince (450 points)",
    ]
    allies = finding_view("cap.over", PRINCE, PHOENIX, PHOENIX)
    assert [one.name for one in allies.culprits] == ["High Prince (Dragon ×2)", "Phoenix (2)"]
    (first, *_) = finding_view("points.over", {"unit": SPEARS, "models": 999}).answers
    assert first.fields == {"act": "models", "unit": "u1", "models": "50"}
    assert first.label.startswith("Reduce Citizen Spears to 50 (")
