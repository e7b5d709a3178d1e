"""Whatever rules hold, with or without one that bounds the points: what the verbs call proved or
impossible is so among all lists, of which every one is tried.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from armybuilder.engine import Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList, ListUnit
from armybuilder.loading.documents import make_roster
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import filling
from armybuilder.solving.look_ahead import Fate, look_ahead
from armybuilder.solving.questions import Question, Sought, answer
from armybuilder.solving.repair import repairs
from tests.building.documents import value_of
from tests.building.tiny import Data, document, game, rule, take, unit
from tests.effort import tries

pytestmark = pytest.mark.long

NAMES = ("soldier", "knight", "giant", "archer")
PRICES = dict(zip(NAMES, (5, 8, 20, 7), strict=True))
MODELS, LIMIT, LONG = 6, 30, 20.0
#: No rule asks for a list that is larger than all that are tried.
MOST = rule("limit", id="most", count="models", max=MODELS)


def units() -> list[Data]:
    soldier, knight, giant, archer = NAMES
    return [
        unit(soldier, PRICES[soldier], faction="red"),
        unit(knight, PRICES[knight], faction="blue"),
        unit(giant, PRICES[giant], "big", faction="none"),
        unit(archer, PRICES[archer], "bow", faction="red"),
    ]


def rules(chance: Random) -> list[Data]:
    """Some rules with bounds by chance; the points are bounded by the size, by more, by less, or by
    nothing.
    """
    points = chance.choice(["limit", 22, 60, None])
    pool = [
        rule("limit", id="some", count="models", min=chance.randint(1, 5)),
        rule("limit", id="reds", count="units", of={"faction": "red"}, min=chance.randint(1, 4)),
        rule("limit", id="bows", count="models", of={"ability": "bow"}, max=chance.randint(0, 2)),
        rule("limit", id="few", count="units", of={"faction": "blue"}, max=chance.randint(0, 3)),
        rule("limit", id="spend", count="points", min=chance.choice([15, 29, 40])),
        rule("copies", id="pairs", of={"unit": "book/knight"}, min=2),
        rule("copies", id="copies", max=chance.randint(1, 4)),
        rule("clash", id="apart", between=[{"ability": "big"}, {"ability": "bow"}]),
        rule("each-unit", id="cheap", count="points", max=chance.choice([7, 8, 19])),
        rule(
            "weighted",
            id="weighed",
            counts=[
                {"of": {"ability": "big"}, "each": "3/2"},
                {"of": {"faction": "red"}, "count": "units"},
            ],
            min=chance.randint(1, 3),
            max=chance.randint(3, 5),
        ),
    ]
    held = chance.sample(pool, chance.randint(2, 5))
    bound = (
        []
        if points is None
        else [rule("limit", "points.over", id="points", count="points", max=points)]
    )
    return [MOST, *bound, *held]


Numbers = dict[str, int]


def every_list(catalogue: Catalogue, made: ArmyList) -> Iterator[tuple[Numbers, set[str], int]]:
    """All lists of some models: their models by unit, the rules that they break, their points."""
    for numbers in product(range(MODELS + 1), repeat=len(NAMES)):
        if sum(numbers) <= MODELS:
            models = {name: one for name, one in zip(NAMES, numbers, strict=True) if one}
            entries = (
                ListUnit(f"x{name}", number, f"book/{name}") for name, number in models.items()
            )
            other = replace(made, units=tuple(entries))
            report = validate(make_roster(other, catalogue), catalogue)
            broken = {found.rule.head.id for found in report.of(Severity.ERROR)}
            yield models, broken, report.spent


def has(models: Numbers, wanted: Numbers) -> bool:
    return all(models.get(name, 0) >= number for name, number in wanted.items())


@pytest.mark.parametrize("seed", range(tries(400, 40)))
def test_what_is_said_of_all_lists_holds_for_each(seed: int) -> None:
    chance = Random(seed)  # noqa: S311, tries, not secrets
    catalogue = game(*rules(chance), units=units(), roles=[])
    had = {name: chance.randint(1, 3) for name in chance.sample(NAMES, chance.randint(0, 2))}
    made = value_of(document(*(take(name, number) for name, number in had.items()), limit=LIMIT))
    lists = list(every_list(catalogue, made))
    legal = [(models, points) for models, broken, points in lists if not broken]
    reached = [(models, points) for models, points in legal if has(models, had)]

    found = repairs(made, catalogue, CpSat(), seconds=LONG)
    assert not (found.impossible and legal)
    assert bool(found.found) == bool(legal)
    outlook = look_ahead(made, catalogue, CpSat(), seconds=LONG)
    assert outlook.whole is not (Fate.DEAD if reached else Fate.OPEN)
    for name in NAMES:
        more = any(models.get(name, 0) > had.get(name, 0) for models, _ in reached)
        assert outlook.units[f"book/{name}"] is not (Fate.DEAD if more else Fate.OPEN), name

    made_full = filling(made, catalogue, CpSat(), seed, seconds=LONG)
    assert not (made_full.impossible and reached)
    assert (made_full.filled is not None) == bool(reached)
    if made_full.filled is not None and made_full.filled.proved:
        assert abs(made_full.filled.left) == min(abs(LIMIT - points) for _, points in reached)
    for sought, best in ((Sought.MODELS, max), (Sought.CHEAPEST, min)):
        reply = answer(Question(sought), made, catalogue, CpSat(), LONG)
        assert not (reply.impossible and reached)
        assert (reply.army_list is not None) == bool(reached)
        if reply.proved:
            number = 0 if sought is Sought.MODELS else 1
            right = best((sum(models.values()), points)[number] for models, points in reached)
            assert reply.value == right

    core = explain(made, catalogue, CpSat(), seconds=LONG)
    assert core is None or not reached
    if core is not None:
        names = [entry.ref.split("/")[1] for entry in made.units if entry.id in core.units]
        wanted, held = {name: had[name] for name in names}, {head.id for head in core.rules}
        assert not any(has(models, wanted) and not broken & held for models, broken, _ in lists)
        # Without any one rule of it they could, if it is minimal.
        for one in held if core.minimal else ():
            assert (
                any(
                    has(models, wanted) and not broken & (held - {one})
                    for models, broken, _ in lists
                )
                or one == "most"
            )
