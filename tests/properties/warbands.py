"""Random cards and warbands of the rulebooks, and the same as our books and documents."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from hypothesis import strategies as st

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.books import build_book
from armybuilder.loading.library import make_catalogue, shipped_library
from tests.building.documents import list_of
from tests.properties import rulebooks
from tests.properties.rulebooks import Battle, Creature, Fielded, Model, Skirmish

Data = dict[str, Any]

#: One line of a list: the number of its card, how many, and whether in reserve.
Entry = tuple[int, int, bool]


class Drawn(NamedTuple):
    """Cards, the lines of a list, what was chosen; as the rulebook's reader sees it (`told`) and
    as our document and book.
    """

    system: str
    cards: tuple[Any, ...]
    entries: tuple[Entry, ...]
    chosen: Mapping[str, Any]
    limit: int

    @property
    def told(self) -> Any:
        return (battle if self.system == "ddm-2008" else skirmish)(self)

    @property
    def catalogue(self) -> Catalogue:
        return catalogue_of(self, self.system)

    @property
    def document(self) -> Data:
        settings = {key: value for key, value in self.chosen.items() if value is not None}
        if "pool" in settings:
            settings["pool"] = [f"cards/u{number}" for number in settings["pool"]]
        units: list[Data] = [
            {
                "id": f"e{place}",
                "unit": f"cards/u{number}",
                "models": models,
                **({"roles": ["reserve"]} if reserve else {}),
            }
            for place, (number, models, reserve) in enumerate(self.entries)
        ]
        return list_of(self.system, ["cards"], units, limit=self.limit, settings=settings)


def catalogue_of(drawn: Drawn, system_id: str) -> Catalogue:
    """The cards as a book of ours, in one edition of their game."""
    system = shipped_library().system(system_id)
    card = creature_card if drawn.system == "ddm-2008" else model_card
    data = {
        "format": "book/1",
        "id": "cards",
        "system": system_id,
        "name": "Cards",
        "about": "Cards drawn at random.",
        "kind": "invented",
        "source": {"title": "Nowhere"},
        "units": [
            {"id": f"u{number}", "name": f"Card {number}", **card(drawn_card)}
            for number, drawn_card in enumerate(drawn.cards)
        ],
    }
    book, problems = build_book(data, system, "cards")
    assert book is not None, problems
    return make_catalogue(system, [book])


def said(**values: Any) -> Data:
    """What a card says: without what it leaves open."""
    return {key: value for key, value in values.items() if value and value != rulebooks.UNKNOWN}


def points(cost: int | str) -> int | None:
    return cost if isinstance(cost, int) else None


def model_card(model: Model) -> Data:
    abilities = []
    if model.commander is not None:
        abilities.append(f"commander {model.commander}")
    if model.difficult:
        rating = model.difficult_rating
        abilities.append("difficult-troop" + ("" if rating is None else f" {rating}"))
    for ability, has in (
        ("wild-troop", model.wild),
        ("wild-and-difficult-troop 2", model.wild_and_difficult),
        ("independent-troop 0", model.independent),
        (f"scout {model.scout}", model.scout is not None),
    ):
        if has:
            abilities.append(ability)
    attributes = said(faction=model.faction, alignment=model.alignment)
    return {"points": points(model.cost), "attributes": attributes, "abilities": abilities}


def creature_card(creature: Creature) -> Data:
    card: Data = {
        "points": points(creature.cost),
        "attributes": said(
            faction=sorted(creature.factions),
            alignment=creature.alignment,
            size=creature.size,
            card="epic" if creature.epic else "standard",
        ),
        "keywords": ["Undead"] if creature.undead else [],
        "lifts": [{"rule": rule, "of": dict(whom)} for rule, whom in creature.powers],
    }
    if creature.unique:
        card["unique"] = creature.unique
    if creature.champion is not None:
        card["abilities"] = [f"champion {creature.champion}"]
    return card


def skirmish(drawn: Drawn) -> Skirmish:
    chosen = drawn.chosen
    return Skirmish(
        drawn.limit,
        tuple(
            Fielded(drawn.cards[number], reserve)
            for number, models, reserve in drawn.entries
            for _ in range(models)
        ),
        chosen["tactical_advantage"],
        chosen["players"],
        chosen["game"] == "free-form",
        len(chosen["terrain"]),
        chosen.get("faction"),
    )


def battle(drawn: Drawn) -> Battle:
    chosen = drawn.chosen
    return Battle(
        drawn.limit,
        tuple(
            (number, drawn.cards[number])
            for number, models, _ in drawn.entries
            for _ in range(models)
        ),
        chosen["game"] == "sealed",
        chosen["scenario"],
        chosen["faction"],
        chosen["map"],
        chosen["epic"] == "yes",
        chosen["creature_limit"],
        chosen["max_cost"],
        tuple(chosen["pool"]),
    )


def mostly(usual: Any, *others: Any) -> st.SearchStrategy[Any]:
    """One of all, the first as often as all others together."""
    return st.just(usual) | st.sampled_from([usual, *others])


def hardly_unknown(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """One of them, or now and then what the card does not say."""
    return st.integers(0, 24).flatmap(lambda n: st.just("?") if n == 24 else values)


CHAINMAIL_MODELS = st.builds(
    Model,
    cost=hardly_unknown(st.integers(0, 24) | st.sampled_from([3, 5, 8])),
    faction=mostly("thalos", "ravilla", "naresh", "none"),
    alignment=hardly_unknown(mostly("neutral", "neutral", "good", "evil")),
    commander=mostly(None, 0, 1, 2, 4, 5, 5, 6) | hardly_unknown(st.just(2)),
    wild=mostly(False, True),
    difficult=mostly(False, True),
    difficult_rating=st.sampled_from([None, 2, 3, "?"]),
    wild_and_difficult=mostly(False, False, False, True),
    independent=mostly(False, True),
    scout=mostly(None, 4),
)


def lines(cards: int, reserves: bool) -> st.SearchStrategy[tuple[Entry, ...]]:
    in_reserve = mostly(False, False, False, True) if reserves else st.just(False)
    entry = st.tuples(st.integers(0, cards - 1), mostly(1, 1, 1, 2, 3), in_reserve)
    some = st.lists(entry, min_size=1, max_size=6).map(tuple)
    return st.integers(0, 24).flatmap(lambda n: st.just(()) if n == 24 else some)


@st.composite
def skirmishes(draw: st.DrawFn, systems: tuple[str, ...] = ("basic", "advanced")) -> Drawn:
    """A warband of Chainmail 2001."""
    system = draw(st.sampled_from(systems))
    cards = tuple(draw(st.lists(CHAINMAIL_MODELS, min_size=1, max_size=6)))
    players = draw(mostly(2, 3, 4, 12))
    right = ["hill", "woods"][: 2 if players == 2 else 1]
    chosen: Data = {
        "players": players,
        "game": draw(mostly("standard", "free-form")),
        "tactical_advantage": draw(mostly(0, 1, 7)),
        "terrain": draw(mostly(right, right, [], ["hut"], ["hut", "hut"], ["hut"] * 3)),
    }
    if system == "advanced":
        chosen["faction"] = draw(mostly(None, "thalos", "ravilla", "naresh"))
    limit = draw(st.sampled_from([30, 49, 50, 80, 100, 100, 250]))
    entries = draw(lines(len(cards), reserves=True))
    return Drawn(f"chainmail-2001-{system}", cards, entries, chosen, limit)


WHOM = st.dictionaries(
    st.sampled_from(["alignment", "keyword", "faction"]), st.none(), min_size=1, max_size=2
).flatmap(
    lambda keys: st.fixed_dictionaries(
        {
            key: st.just("undead")
            if key == "keyword"
            else st.sampled_from(
                ["good", "evil"] if key == "alignment" else ["wild", "underdark", "civilization"]
            )
            for key in keys
        }
    )
)
POWERS = st.tuples(
    mostly("faction", "good-and-evil", "unique", "epic", "size", "creature-limit", "maximum-cost"),
    WHOM.map(lambda whom: tuple(sorted(whom.items()))),
)
CREATURES = st.builds(
    Creature,
    cost=hardly_unknown(st.integers(0, 30) | st.sampled_from([5, 35, 36, 75, 76, 150, 151])),
    factions=st.sampled_from([
        frozenset(["wild"]), frozenset(["wild", "underdark"]), frozenset(["wild", "borderlands"]),
        frozenset(["underdark"]), frozenset(["civilization", "borderlands"]),
    ]) | mostly(frozenset(["wild"]), frozenset(["wild"]), frozenset(["wild"]), frozenset()),
    alignment=hardly_unknown(mostly("unaligned", "unaligned", "good", "evil")),
    size=hardly_unknown(mostly("medium", "medium", "tiny", "large", "huge", "colossal")),
    epic=mostly(False, True),
    unique=mostly("", "Pat", "pat", "Sam"),
    undead=st.booleans(),
    champion=mostly(None, 0, 3, "?"),
    powers=mostly((), ()) | st.lists(POWERS, max_size=2).map(tuple),
)  # fmt: skip


@st.composite
def battles(draw: st.DrawFn) -> Drawn:
    """A warband of D&D Miniatures 2008."""
    cards = tuple(draw(st.lists(CREATURES, min_size=1, max_size=6)))
    entries = draw(lines(len(cards), reserves=False))
    pool = draw(st.lists(st.integers(0, len(cards) - 1), max_size=4))
    everything = [number for number, models, _ in entries for _ in range(models)]
    chosen: Data = {
        "game": draw(mostly("constructed", "sealed")),
        "scenario": draw(mostly("assault", "bounty", "uncontested", "uncontested-bounty", "other")),
        "faction": draw(mostly("wild", "underdark", "civilization", "borderlands", None)),
        "map": draw(mostly("jungle-temple", "crossroads", "monster-lair", "other-map", None)),
        "epic": draw(mostly("no", "yes")),
        "creature_limit": draw(mostly(None, 1, 3, 9)),
        "max_cost": draw(mostly(None, 1, 35, 100)),
        "pool": draw(st.sampled_from([pool, [*everything, *pool], everything])),
    }
    limit = draw(st.sampled_from([50, 75, 100, 101, 200, 250]))
    return Drawn("ddm-2008", cards, entries, chosen, limit)
