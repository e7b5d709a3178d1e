"""Objects of files as values of classes: keys, types, and citations."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from armybuilder.engine.citations import Citation, Given
from armybuilder.engine.fields import given
from armybuilder.engine.prices import Share
from armybuilder.engine.wording import Later, Words
from armybuilder.loading.values import Values

VALUES = Values({"rules": {"short": "Rulebook"}, "faq": {"short": "FAQ"}})


class Step(NamedTuple):
    id: str
    citation: Citation
    given: Given = ()


@dataclass(frozen=True)
class Game:
    name: str
    steps: Mapping[str, Step]
    share: Share | None = None
    table: Mapping[int, tuple[int, str]] | None = None
    tags: frozenset[str] = frozenset()
    why: Words = ""
    upward: bool = given("round", lambda way: way == "up", default=False)


def test_fields_say_by_name_and_type_how_an_object_is_read() -> None:
    steps = [
        {"id": "move", "cite": "p. 3", "for": {"players": ["two"]}},
        {"id": "shoot", "cite": {"source": "faq", "place": "7"}},
    ]
    data = {"name": "Tag", "steps": steps, "share": "1/3", "table": {"2": [4, "few"]}}
    more = {"tags": ["old", "new"], "why": "No book.", "round": "up", "nobody": "reads this"}
    made = VALUES.make(Game, {**data, **more})
    move = Step("move", Citation("Rulebook", "p. 3"), (("players", frozenset({"two"})),))
    shoot = Step("shoot", Citation("FAQ", "7"))
    assert made.steps == {"move": move, "shoot": shoot}
    assert (made.name, made.share, made.table) == ("Tag", Share(1, 3), {2: (4, "few")})
    assert (made.tags, made.why, made.upward) == ({"old", "new"}, Later("No book."), True)


def test_what_is_left_out_has_its_default_and_what_is_made_already_stays() -> None:
    assert VALUES.make(Game, {"name": "Tag", "steps": [], "round": "down"}) == Game("Tag", {})
    assert VALUES.make(Game, {"name": "Tag", "steps": []}, name="Chess").name == "Chess"


def test_types_can_mean_something_else_in_a_file() -> None:
    thirds = Values({}, {Share: lambda number: Share(number, 3)})
    assert thirds.make(Game, {"name": "Tag", "steps": [], "share": 2}).share == Share(2, 3)
