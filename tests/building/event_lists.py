"""Lists of the tiny game that break rules of events, each with the catalogue of its event."""

from collections.abc import Iterator
from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Roster
from tests.building.tiny import Data, document, game, roster, rule, take

#: By kind: what the rule asks, and what the list says of its settings. Each list breaks its rule.
BROKEN: dict[str, tuple[Data, Data]] = {
    "weighted": (
        {"counts": [{"of": {"ability": "bow"}, "count": "models", "each": "1/2"}], "max": 1},
        {},
    ),
    "each-unit": ({"count": "models", "max": 2}, {}),
    "some-of": (
        {
            "least": 2,
            "among": [
                {"name": "no bows", "counts": [{"of": {"ability": "bow"}}], "max": 0},
                {"name": "a giant", "counts": [{"of": {"ability": "big"}}], "min": 1},
            ],
        },
        {},
    ),
    "fixed": ({"setting": "ground", "values": ["cave"]}, {"ground": "open"}),
    "game-size": ({"sizes": [50]}, {}),
    "books": ({"deny": ["book"]}, {}),
}


def event_game(data: Data) -> Catalogue:
    """The tiny game with one rule of an event, which knows the books that lists draw on."""
    made = game(data)
    rules = tuple(one.drawing_on(made.books) for one in made.system.rules)
    return replace(made, system=replace(made.system, rules=rules))


def event_lists() -> Iterator[tuple[Roster, Catalogue]]:
    """A list for each kind of rule that events have, which breaks it."""
    for kind, (parameters, settings) in BROKEN.items():
        catalogue = event_game(rule(kind, **parameters))
        yield roster(document(take("archer", 3), settings=settings), catalogue), catalogue
