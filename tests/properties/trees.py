"""Random army books and lists of them: trees of options in groups, legal or not."""

from typing import Any

from hypothesis import strategies as st

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from armybuilder.loading.books import build_book
from armybuilder.loading.library import make_catalogue
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system
from tests.building.documents import list_of
from tests.building.regiments import CAPS, ENTRY, named
from tests.building.tiny import book_data, rule, system_data
from tests.golden.adapter import oz_catalogue
from tests.properties.lists import GAMES, lists

Data = dict[str, Any]

OZ = oz_catalogue()
_RULES = (
    rule("limit", "points.over", id="points", count="points", max="limit", gauge="Points"),
    rule("per-unit", "tiny.items", id="items", of={"item": "artefact"}, max=1, what="artefacts"),
    rule("enchants", "tiny.fits", id="fits"),
    rule("enchants", "tiny.named", id="named", ask=True),
    *ENTRY,
    *CAPS,
)
_BUILT, _ = build_system(system_data(*_RULES, sized=True, settings=[]), "system.json")
assert _BUILT is not None
SYSTEM = _BUILT


class _Ids:
    """Ids of one unit's options and groups, each new; and those there are so far."""

    def __init__(self, unit_id: str) -> None:
        self.unit_id = unit_id
        self.there: list[str] = []
        self.number = 0

    def new(self, letter: str) -> str:
        self.number += 1
        return f"{self.unit_id}-{letter}{self.number}"


@st.composite
def nodes(draw: st.DrawFn, ids: _Ids, depth: int) -> list[Data]:
    """Options and groups of one level, with what stands below them."""
    made = []
    for _ in range(draw(st.integers(0 if depth < 2 else 1, 3))):
        grouped = depth > 0 and draw(st.booleans())
        node = draw(_group(ids, depth) if grouped else _option(ids, depth))
        if ids.there and draw(st.integers(0, 3)) == 0:
            other = draw(st.sampled_from(ids.there))
            node |= draw(st.sampled_from([{"needs": {"taken": other}}, {"not_with": [other]}]))
        ids.there.append(node.get("id") or node["group"])
        made.append(node)
    return made


@st.composite
def _option(draw: st.DrawFn, ids: _Ids, depth: int) -> Data:
    node_id = ids.new("o")
    numbers = st.fixed_dictionaries(
        {"points": st.integers(0, 20)},
        optional={
            "points_per_model": st.integers(0, 3),
            "number": st.sampled_from([[0, 2], [0, 3], [1, 1], [1, 2]]),
            "cap": st.integers(0, 3),
            "cap_models": st.integers(0, 12),
            "cap_points": st.integers(0, 40),
            "one_of_a_kind": st.booleans(),
            "item": st.just("artefact"),
        },
    )
    node = {"id": node_id, "name": named(node_id), **draw(numbers)}
    if ids.there and draw(st.integers(0, 4)) == 0:
        node["on"] = draw(st.lists(st.sampled_from(ids.there), min_size=1, max_size=3, unique=True))
    inner = draw(nodes(ids, depth - 1)) if depth > 0 and draw(st.booleans()) else []
    return {**node, "options": inner} if inner else node


@st.composite
def _group(draw: st.DrawFn, ids: _Ids, depth: int) -> Data:
    group_id = ids.new("g")
    inner = draw(nodes(ids, depth - 1)) or [draw(_option(ids, 0))]
    bounds = st.fixed_dictionaries(
        {},
        optional={
            "choose": st.sampled_from([[0, 1], [1, 1], [1, 2], [0, 2], [1, None]]),
            "allowance": st.integers(0, 30),
        },
    )
    return {"group": group_id, "name": named(group_id), **draw(bounds), "options": inner}


@st.composite
def _unit(draw: st.DrawFn, number: int) -> Data:
    unit_id = f"unit{number}"
    low = draw(st.integers(1, 5))
    more = st.fixed_dictionaries(
        {"points": st.integers(0, 40), "points_per_model": st.integers(0, 5)},
        optional={"cap": st.integers(0, 3), "cap_models": st.integers(0, 20)},
    )
    size = [low, low + draw(st.integers(0, 6))]
    data = {"id": unit_id, "name": named(unit_id), "size": size, **draw(more)}
    return {**data, "options": draw(nodes(_Ids(unit_id), 2))}


@st.composite
def books(draw: st.DrawFn) -> Catalogue:
    """A catalogue of one small book whose prices are not below zero and do not move."""
    data = book_data(*[draw(_unit(number)) for number in range(draw(st.integers(1, 2)))])
    assert schema_problems("book", data, "book.json") == []
    book, problems = build_book(data, SYSTEM, "book.json")
    assert book is not None, problems
    return make_catalogue(SYSTEM, [book])


@st.composite
def picks(draw: st.DrawFn, offer: Offer, level: int = 1) -> list[Any]:
    """Something of what is offered, any of it as often as one likes; three deep, as documents
    have it, each once.
    """
    made = []
    for option_id in sorted(offer.slots):
        if draw(st.booleans()):
            option = offer.slots[option_id][0].option
            if level == 3:
                made.append(option_id)
                continue
            entry: Data = {"id": option_id}
            if draw(st.integers(0, 3)) == 0:
                entry["number"] = draw(st.integers(2, 4))
            if option.on and draw(st.booleans()):
                entry["on"] = draw(st.sampled_from(option.on))
            inner = draw(picks(option.offer, level + 1)) if option.offer else []
            made.append({**entry, "options": inner} if inner else entry)
    return made


@st.composite
def entries(draw: st.DrawFn, unit: Unit) -> Data:
    """An entry of a list, of about the unit's size."""
    models = draw(st.integers(max(1, unit.smallest - 1), unit.smallest + 6))
    options = draw(picks(unit.offer))
    entry: Data = {"unit": unit.ref, "models": models}
    return {**entry, "options": options} if options else entry


@st.composite
def armies(
    draw: st.DrawFn, catalogue: Catalogue, most: int = 4, least: int = 0, limit: int = 100
) -> Data:
    """A list of a catalogue, legal or not."""
    units = [catalogue.units[ref] for ref in sorted(catalogue.units)]
    chosen = draw(st.lists(st.sampled_from(units), min_size=least, max_size=most))
    books = [book.id for book in catalogue.books]
    return list_of(catalogue.system.id, books, map(draw, map(entries, chosen)), limit=limit)


#: The hand-written example book, or one made up on the spot.
catalogues = st.just(OZ) | books()


@st.composite
def games(draw: st.DrawFn, most: int = 4, least: int = 0) -> tuple[Catalogue, Data]:
    catalogue = draw(catalogues)
    limit = draw(st.sampled_from([40, 100, 300, 3000, 4500, 8000]))
    return catalogue, draw(armies(catalogue, most, least, limit))


def every_game(most: int = 8) -> st.SearchStrategy[tuple[Catalogue, Data]]:
    """A catalogue and a list of it: of a shipped game of single models, or of an army book."""
    skirmishes = lists(most).map(lambda document: (GAMES[document["system"]], document))
    return skirmishes | games(most)
