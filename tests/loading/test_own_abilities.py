"""Abilities that a book brings itself, and the other keys of its cards that are new to rules."""

from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.selectors import Selector
from armybuilder.engine.units import Lift
from armybuilder.loading.abilities import own_abilities, read_ability
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import book_problems, make_catalogue
from armybuilder.loading.schemas import schema_problems
from tests.building.documents import value_of
from tests.building.tiny import (
    Data,
    book_data,
    catalogue,
    document,
    game,
    judge,
    rule,
    system_data,
    take,
    unit,
)

RAGE: Data = {"id": "rage", "name": "Rage", "rating": "plus", "summary": "Hits harder."}
BITE: Data = {"id": "bite", "name": "Bite"}


def raging(*units: Data, system: Data | None = None, **more: Any) -> Catalogue:
    more.setdefault("abilities", [RAGE, BITE])
    return catalogue(system or system_data(), book_data(*units, **more))


def test_a_book_may_bring_abilities_for_its_own_units_that_ask_for_what_they_need() -> None:
    made = raging(unit("orc", 5, "rage 2", "bite", "big"))
    uses = made.units["book/orc"].abilities
    assert [use.label for use in uses] == ["Rage +2", "Bite", "Big"]
    rage = uses[0].ability
    assert (rage.summary, rage.group, str(rage.citation)) == ("Hits harder.", "Own", "Tiny book")
    assert made.units["book/orc"].ratings == {"rage": 2}
    assert "ability:bite" in made.units["book/orc"].tags
    assert "bite" not in made.system.abilities, "the system stays as it is"
    abilities = [
        {**BITE, "rating": "dc", "rating_optional": True},
        {"id": "foe", "name": "Foe", "target": "enemy", "target_optional": True},
    ]
    made = raging(unit("orc", 5, "bite", "bite 12", "foe", "foe: Elves"), abilities=abilities)
    labels = [use.label for use in made.units["book/orc"].abilities]
    assert labels == ["Bite", "Bite 12", "Foe", "Foe (Elves)"]
    use = raging(unit("orc", 5, "rage ?")).units["book/orc"].abilities[0]
    assert (use.label, use.known) == ("Rage +?", False)
    made = catalogue(
        system_data(),
        book_data(unit("orc", 5, "rage 2"), abilities=[RAGE]),
        book_data(unit("elf", 5, "rage"), id="elves", abilities=[{"id": "rage", "name": "Wrath"}]),
    )
    labels = {ref: unit.abilities[0].label for ref, unit in made.units.items()}
    assert labels == {"book/orc": "Rage +2", "elves/elf": "Wrath"}


def test_own_abilities_are_offered_to_own_models_beside_the_systems() -> None:
    system = system_data(own_models=True)
    made = raging(unit("orc"), system=system)
    stats = {"nerve": 3, "speed": 6}
    profile = {"name": "Me", "stats": stats, "abilities": [{"ability": "bite"}, {"ability": "big"}]}
    roster = make_roster(value_of(document({"profile": profile, "models": 1})), made)
    assert roster.strays == ()
    assert roster.picks[0].unit is not None
    labels = [use.label for use in roster.picks[0].unit.abilities]
    assert labels == ["Bite", "Big"]
    assert read_ability("rage ?") == {"ability": "rage", "rating": None}
    assert read_ability("rage -2: Elves") == {"ability": "rage", "rating": -2, "target": "Elves"}
    assert read_ability({"ability": "rage", "uses": 3}) == {"ability": "rage", "uses": 3}
    with pytest.raises(ValueError, match="Rage"):
        read_ability("Rage")
    assert own_abilities(book_data()) == {}


# Points

FORMULA = {"weights": {"nerve": 5}, "from": 7, "minus": "nerve", "divide": 2, "minimum": 1}


def formula_system() -> Data:
    """Points are (5 × Nerve + abilities) × (7 - Nerve) / 2: for Nerve 3 twice the sum."""
    data = system_data()
    data["points"] = {**data["points"], "formula": FORMULA}
    big = next(entry for entry in data["abilities"] if entry["id"] == "big")
    big["points"] = 3
    return data


def orc(*abilities: str, **more: Any) -> Data:
    data = unit("orc", None, *abilities, stats={"nerve": 3}, **more)
    del data["points"]
    return data


def test_points_of_own_abilities_and_changed_ones_count_in_the_price_formula() -> None:
    own = [{**BITE, "points": 4}]
    for abilities, points in (([], 30), (["bite"], 38), (["bite", "big"], 44), (["big"], 36)):
        made = raging(orc(*abilities), system=formula_system(), abilities=own)
        assert made.units["book/orc"].price.of(1) == points
    own = {**BITE, "points": 4}
    made = raging(
        orc("bite", "big"), system=formula_system(), abilities=[own], ability_points={"big": 10}
    )
    assert made.units["book/orc"].price.of(1) == 2 * (15 + 4 + 10)
    assert made.abilities["big"].points == 10
    assert made.abilities["bite"].points == 4
    made = catalogue(
        formula_system(),
        book_data(orc("bite", "big"), abilities=[{**BITE, "points": 4}]),
        {**book_data(id="house"), "units": [], "ability_points": {"big": 0}},
    )
    assert made.units["book/orc"].price.of(1) == 2 * (15 + 4)
    assert [use.label for use in made.units["book/orc"].abilities] == ["Bite", "Big"]
    system = game().system
    data = book_data({**orc("bite"), "points": 38}, abilities=[{**BITE, "points": 4}])
    made = catalogue(formula_system()).system
    assert book_problems(data, made, "book") == []
    data["units"][0]["points"] = 30
    assert [problem.pointer for problem in book_problems(data, made, "book")] == ["/units/0/points"]
    assert system.formula is None


# What is refused


def test_a_mistake_with_own_abilities_is_told() -> None:
    changes: list[tuple[Data, str, str]] = [
        ({"abilities": [{"id": "big", "name": "Big"}]}, "/abilities/0/id", "already"),
        ({"abilities": [BITE, BITE]}, "/abilities/1/id", "taken"),
        ({"ability_points": {"bite": 4}}, "/ability_points/bite", "bite"),
        ({"units": [unit("orc", 5, "rage")]}, "/units/0/abilities/0", "needs a rating"),
        ({"units": [unit("orc", 5, "bite 3")]}, "/units/0/abilities/0", "no rating"),
        ({"units": [unit("orc", 5, "bite", "bite")]}, "/units/0/abilities/1", "twice"),
        ({"units": [unit("orc", 5, "wrath")]}, "/units/0/abilities/0", "wrath"),
        ({"abilities": [{**BITE, "cite": "1"}]}, "/abilities/0", "cite"),
        ({"abilities": [{"id": "bite"}]}, "/abilities/0", "name"),
        ({"abilities": [{**BITE, "rating": "stars"}]}, "/abilities/0/rating", "stars"),
        ({"abilities": [{**BITE, "points": 1000}]}, "/abilities/0/points", "999"),
    ]
    for change, where, word in changes:
        data = {**book_data(unit("orc", 5), abilities=[RAGE, BITE]), **change}
        (wrong,) = book_problems(data, game().system, "book")
        assert wrong.pointer == where, change
        assert word in wrong.message, change
        assert wrong.advice
    abilities, system = [RAGE, {**BITE, "rating": "number"}], game().system
    good = book_data(unit("orc", 5, "rage -1"), abilities=abilities)
    assert book_problems(good, system, "book") == []
    (wrong,) = book_problems(
        book_data(unit("orc", 5, "bite -1"), abilities=abilities), system, "book"
    )
    assert wrong.pointer == "/units/0/abilities/0"


# The other keys of a card


CARD: Data = {
    "unique": "Xul",
    "texts": {"attacks": ["Claw: +9 vs AC", "Bite: +7 vs Ref"]},
    "owned": 3,
    "number": "12/60",
    "suggested": True,
    "lifts": [{"rule": "rule", "of": {"side": "evil", "keyword": ["undead", "ghost"]}}],
}
TEXTS = [{"id": "attacks", "name": "Attacks", "help": "One to a line."}]


def test_a_card_is_read_with_all_that_it_says_and_its_notes_break_no_rule() -> None:
    made = game(rule("limit", count="models", max=9), units=[unit("lich", 5, **CARD)], texts=TEXTS)
    lich = made.units["book/lich"]
    assert (lich.unique, lich.owned, lich.number, lich.suggested) == ("Xul", 3, "12/60", True)
    assert dict(lich.texts) == {"attacks": ("Claw: +9 vs AC", "Bite: +7 vs Ref")}
    wanted = Selector.read({"side": "evil", "keyword": ["undead", "ghost"]})
    assert lich.lifts == (Lift("rule", wanted),)
    part = made.system.texts["attacks"]
    assert (part.id, part.name, part.help) == ("attacks", "Attacks", "One to a line.")
    plain = game().units["book/soldier"]
    assert (plain.unique, plain.number, plain.suggested) == ("", "", False)
    assert (plain.owned, dict(plain.texts), plain.lifts) == (None, {}, ())
    made = game(units=[unit("lich", 5, keywords=["Undead", "Cold Aura"])])
    assert {"keyword:undead", "keyword:cold-aura"} <= made.units["book/lich"].tags
    for kind in ("own", "converted"):
        data = book_data(kind=kind)
        assert schema_problems("book", data, "book") == []
        assert catalogue(system_data(), data).books[0].kind == kind
    made = game(units=[unit("lich", 5, owned=0, suggested=True)])
    report = judge(make_catalogue(made.system, made.books), take("lich"))
    assert report.legal
    assert len(report.findings) == 2
