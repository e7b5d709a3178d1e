"""Models that are bought singly, in one line of a list or in many: no verdict and no number hangs
on that, whatever kinds of rules hold; nor a sentence on the order of the units.
"""

import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.engine.sentences import sentence
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import make_catalogue
from armybuilder.loading.packs import at_event, build_pack
from armybuilder.loading.systems import build_system
from tests.building.documents import value_of
from tests.building.random_lists import LIBRARY, SKIRMISHES, catalogue_of, random_lists
from tests.building.tiny import Data, rule
from tests.effort import scaled
from tests.solving.agreement import verdicts_of

pytestmark = pytest.mark.long

CATALOGS = Path(__file__).parents[2] / "catalogs"
#: Army books, with all that their units may take, as if their models were bought singly.
SINGLY = ("highborn-elves", "vermin-swarm", "dread-elves", "orcs-and-goblins")
GAMES = [*SKIRMISHES, *SINGLY]


@cache
def game_of(game: str) -> Catalogue:
    if game not in SINGLY:
        return catalogue_of(game)
    folder = CATALOGS / "t9a-2023"
    data, book_data = (
        json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
        for name in ("system", game)
    )
    system, _ = build_system({**data, "sized": False}, "system.json")
    assert system is not None
    units = [
        {key: value for key, value in unit.items() if key != "size"} for unit in book_data["units"]
    ]
    book, problems = build_book({**book_data, "units": units}, system, "book.json")
    assert book is not None, problems
    return make_catalogue(system, [book])


def lists_of(game: str, chance: Random) -> Iterator[Data]:
    for document in random_lists(game, 31):
        if game in SINGLY:
            for entry in document["units"]:
                entry["models"] = chance.choice((1, 1, 2, 3))
        yield document


def split(document: Data, chance: Random) -> Data:
    """The same list, its lines of several models in parts."""
    units, number = [], 0
    for entry in document["units"]:
        left = entry["models"]
        while left:
            number, part = number + 1, chance.randint(1, left)
            units.append({**entry, "id": f"u{number}", "models": part})
            left -= part
    return {**document, "units": units}


def selectors(catalogue: Catalogue) -> list[Data]:
    kinds = {*catalogue.system.attributes, "unit", "ability", "category", "keyword"}
    abilities = catalogue.system.abilities
    tags = sorted({tag for unit in catalogue.units.values() for tag in unit.tags})
    parts = (tag.partition(":") for tag in tags)
    return [
        {kind: value}
        for kind, _, value in parts
        if kind in kinds and value and (kind != "ability" or value in abilities)
    ]


def pack_rules(catalogue: Catalogue, chance: Random) -> Iterator[Data]:
    """A rule of each kind that an event may have and that counts, compares or weighs."""
    every = selectors(catalogue)

    def some() -> Data:
        return chance.choice(every)

    def number() -> int:
        return chance.randint(0, 6)

    def weights() -> list[Data]:
        counts = ("units", "models", "picks", "points")
        return [
            {"of": some(), "count": chance.choice(counts), "each": chance.choice([1, 2, "1/2"])}
            for _ in range(2)
        ]

    for count in ("points", "models", "units", "picks"):
        yield rule("limit", of=some(), count=count, max=number(), gauge=count)
        yield rule("limit", of=some(), count=count, min=number())
    yield rule("weighted", counts=weights(), max=number(), gauge="Weighed")
    yield rule("weighted", counts=weights(), min=number())
    for count in ("models", "units"):
        yield rule("copies", count=count, max=number())
        yield rule("copies", count=count, of=some(), min=number())
    yield rule("each-unit", count="models", of=some(), max=number())
    yield rule("each-unit", count="points", max=chance.randint(5, 200))
    among = [{"name": f"Part {one}", "counts": weights(), "max": number()} for one in range(3)]
    yield rule("some-of", among=among, least=2)
    yield rule("clash", between=[some(), some()])
    yield rule("price-cap", of=some(), max=chance.randint(5, 100))
    meant = {key: some() for key in ("of", "as_one", "disputed", "unclear")}
    yield rule("units", **meant, min=number(), gauge="Units")
    yield rule("per-unit", of=some(), max=1, what="things")
    yield rule("model-each", of=some())
    yield rule("books", deny=["nobody"])
    yield rule("game-size", sizes=[100, 4500])


def event(catalogue: Catalogue, chance: Random) -> Catalogue:
    """The catalogue at an event with a few such rules, or with all."""
    rules = list(pack_rules(catalogue, chance))
    for place, one in enumerate(rules):
        one |= {"id": f"event-{place}", "code": "event.rule"}
    data = {
        "format": "pack/1",
        "id": "event",
        "name": "Event",
        "about": "An event.",
        "system": catalogue.system.id,
        "sources": {"pack": {"title": "Event", "short": "Event"}},
        "rules": rules,
    }
    pack, problems = build_pack(data, LIBRARY.systems, "pack.json")
    assert pack is not None, problems
    return at_event(catalogue, pack)


def judged(document: Data, catalogue: Catalogue) -> Report:
    return validate(make_roster(value_of(document), catalogue), catalogue)


def summary_of(report: Report) -> dict[str, Any]:
    """All that a report says of a list as a whole, and what it finds wrong anywhere."""
    return {
        "findings": {
            (one.head.id, one.code, one.severity, one.lineup, one.measured, one.allowed)
            for one in report.findings
        },
        "sentences": {sentence(one) for one in report.findings},
        "numbers": (report.legal, report.spent, report.models, report.faction),
        "gauges": [
            (one.name, one.lineup, one.used, one.minimum, one.maximum) for one in report.gauges
        ],
        "terms": {
            (one.head.id, one.about.text, one.measured, one.low, one.high)
            for one in report.terms()
            if not one.about.own_unit
        },
        "parts": [sum(part.amount for part in one.parts) for one in report.gauges],
        # What armies tell on game day, they tell of units of many.
        "facts": [
            (lineup, one.text, one.value, one.note)
            for lineup, one in report.facts
            if report.system.id in SKIRMISHES
        ],
        "unchecked": {(one.name, one.restriction) for one in report.unchecked},
    }


def kinds_in(catalogues: Sequence[Catalogue]) -> set[str]:
    return {rule.kind for one in catalogues for rule in (*one.system.rules, *one.system.always)}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("game", GAMES)
def test_no_verdict_hangs_on_how_models_are_split_into_lines(game: str) -> None:
    chance = Random(game)  # noqa: S311, tries, not secrets
    catalogue = game_of(game)
    for document in islice(lists_of(game, chance), scaled(4, 20, 120)):
        at = event(catalogue, chance)
        whole, parts = (summary_of(judged(one, at)) for one in (document, split(document, chance)))
        for what, said in whole.items():
            assert parts[what] == said, (what, document)


def test_all_kinds_of_rules_are_tried_with_lines_split() -> None:
    chance = Random(1)  # noqa: S311, tries, not secrets
    at = [event(game_of(game), chance) for game in GAMES]
    # A category is a limit that a book makes; what "fixed" asks, no line has.
    assert set(rule_kinds()) - kinds_in(at) <= {"category", "fixed"}


@pytest.mark.one_in(4)
@pytest.mark.parametrize("game", SINGLY)
def test_the_constraints_say_the_same_of_single_models_with_options(game: str) -> None:
    chance = Random(game)  # noqa: S311, tries, not secrets
    for document in islice(lists_of(game, chance), scaled(2, 12, 60)):
        both = verdicts_of(document, event(game_of(game), chance))
        assert both.constrained == both.judged


@pytest.mark.one_in(5)
@pytest.mark.parametrize("game", [*SKIRMISHES, "t9a-2024/orcs-and-goblins", *SINGLY])
def test_no_sentence_hangs_on_the_order_of_the_units(game: str) -> None:
    chance = Random(game)  # noqa: S311, tries, not secrets
    catalogue = game_of(game)
    for document in islice(lists_of(game, chance), scaled(4, 20, 120)):
        at, units = event(catalogue, chance), list(document["units"])
        chance.shuffle(units)
        one, other = (judged(made, at) for made in (document, {**document, "units": units}))
        assert sorted(map(sentence, one.findings)) == sorted(map(sentence, other.findings))
