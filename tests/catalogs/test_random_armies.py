"""Random armies of every book: none is called plainly legal while its book leaves something open.

What is open is read from the book files by other means, see `raw_reading`.
"""

from copy import deepcopy
from functools import cache
from itertools import islice
from random import Random

import pytest

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.options import Offer
from armybuilder.engine.verdict import Outcome
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of
from tests.building.random_lists import filled
from tests.catalogs.raw_reading import Book, Data, doubts
from tests.effort import scaled

pytestmark = pytest.mark.long

LIBRARY = shipped_library()
SYSTEMS = ("t9a-2023", "t9a-2024", "essence-of-war")
BOOKS = sorted(LIBRARY.books["t9a-2023"])
ALL = [(system, name) for system in SYSTEMS for name in sorted(LIBRARY.books[system])]
SEEDS = range(scaled(1, 3, 10))
#: So many options are piled on a random army to make one that holds what a careful player avoids.
PILED = 40

every_book = pytest.mark.parametrize(("system", "name"), ALL, ids=["/".join(one) for one in ALL])


@cache
def catalogue_of(system: str, name: str) -> Catalogue:
    return LIBRARY.catalogue(system, [name])


@cache
def army(system: str, name: str, seed: int) -> Data:
    catalogue = catalogue_of(system, name)
    return filled(catalogue, catalogue.system.default_size, seed).to_dict()


def judged(document: Data) -> Report:
    catalogue = catalogue_of(document["system"], document["books"][0]["id"])
    return validate(make_roster(value_of(document), catalogue), catalogue)


def piled(document: Data, seed: int) -> Data:
    """The army with more options on its units, whether they may have them or not."""
    rng = Random(seed)  # noqa: S311, chance for play, not for secrets
    catalogue = catalogue_of(document["system"], document["books"][0]["id"])
    more = {**deepcopy(document), "limit": max(catalogue.system.sizes)}
    for _ in range(PILED):
        entry = rng.choice(more["units"])
        offer: Offer = catalogue.units[entry["unit"]].offer
        had = {pick["id"] for pick in entry.get("options", ())}
        new = sorted(offer.slots.keys() - had)
        if new:
            entry.setdefault("options", []).append({"id": rng.choice(new)})
    return more


def known(*options: str, unit: str = "dread-fleet/warlock-freebooter", limit: int = 4500) -> Data:
    """Two equal units of a list, with these options."""
    picks = [{"id": option} for option in options]
    return {"limit": limit, "units": [{"unit": unit, "models": 1, "options": picks}] * 2}


def test_the_second_reader_finds_open_questions() -> None:
    kraken = known("colossal-kraken", limit=8000)
    assert len(doubts(kraken, Book("dread-fleet"))) == 2
    assert doubts({**kraken, "limit": 4500}, Book("dread-fleet")) == []
    prince = "highborn-elves/high-prince"
    for options in (
        ["rangers-boots"],
        ["glittering-lacquer", "elven-horse"],
        ["potion-of-strength"],
    ):
        assert doubts(known(*options, unit=prince), Book("highborn-elves")) == []
    # No edition of these rules says how high the mount is.
    orcs = Book("orcs-and-goblins", "t9a-2024")
    for unit in ("goblin-witch", "goblin-demagogue"):
        rider = known("destinys-call", "mount-pet-monster", unit=f"orcs-and-goblins/{unit}")
        assert set(doubts(rider, orcs)) == {"Destiny's Call: who it is for"}


@pytest.mark.one_in(18)
@every_book
def test_a_random_army_that_is_called_legal_leaves_nothing_open(system: str, name: str) -> None:
    book = Book(name, system)
    for seed in SEEDS:
        document = army(system, name, seed)
        report = judged(document)
        if report.outcome is Outcome.LEGAL:
            assert doubts(document, book) == [], seed


@pytest.mark.one_in(9)
@every_book
def test_whatever_an_army_holds_what_its_book_leaves_open_is_reported(
    system: str, name: str
) -> None:
    book = Book(name, system)
    for seed in SEEDS:
        document = piled(army(system, name, seed), seed)
        found = doubts(document, book)
        assert not found or not judged(document).complete, (seed, found)


@pytest.mark.slow
def test_the_other_reading_finds_open_questions_in_many_books() -> None:
    """Without this, the tests above could pass by finding nothing."""
    open_in = (
        name
        for name in BOOKS
        if any(doubts(piled(army("t9a-2023", name, 0), seed), Book(name)) for seed in range(10))
    )
    assert len(list(islice(open_in, 8))) == 8
