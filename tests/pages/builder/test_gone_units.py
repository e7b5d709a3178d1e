"""A second window presses a button of a unit that the first has taken away: a sentence says so."""

from collections.abc import Callable

import pytest

from armybuilder.acts.base import UnitAct, act_kinds
from tests.conftest import Builder

GAMES = {
    "t9a-2023": {"limit": 1500, "books": ["vampire-covenant"], "unit": "vampire-courtier"},
    "chainmail-2002": {"limit": 100, "books": ["practice"], "unit": "walking-kiln"},
}
#: What forms say besides, such that only the unit is wrong.
FIELDS = {
    "name": "x", "called": "x", "notes": "x", "role": "general", "option": "x", "models": "2",
    "number": "2", "piece": "x", "points": "3", "before": "u1", "to": "x",
}  # fmt: skip


@pytest.mark.parametrize("system", GAMES)
def test_every_act_on_a_unit_that_is_gone_is_answered(
    system: str, build: Callable[..., Builder]
) -> None:
    game = {**GAMES[system]}
    unit = game.pop("unit")
    builder = build(system, **game)
    for _number in range(2):
        builder.act("add", ref=f"{game['books'][0]}/{unit}")  # type: ignore[index]
    before, said = builder.document, []
    names = [name for name, kind in act_kinds().items() if issubclass(kind, UnitAct)]
    assert {"up", "down", "move", "remove"} <= set(names)
    for name in names:
        answer = builder.act(name, htmx=True, **FIELDS | {"unit": "u999"})
        said.append((name, answer.status_code))
    assert [one for one in said if one[1] not in (409, 422)] == []
    for name in ("up", "down"):
        told = builder.act(name, unit="u999").content.decode()
        assert "That unit is no longer on the list." in told
    assert builder.document == before
