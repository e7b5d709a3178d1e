"""Random lists of the shipped books of The Ninth Age, legal or not, and lists as sets of picks."""

from dataclasses import replace
from random import Random
from typing import Any

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.options import Offer
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList, ListBook
from armybuilder.loading.documents import Document, make_roster
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of

SYSTEM = "t9a-2023"
LIBRARY = shipped_library()
BOOKS = sorted(LIBRARY.books[SYSTEM])
EXAMPLES = {one.id: one.document.to_dict() for one in shipped_examples().by_system[SYSTEM]}


def catalogue_of(book: str) -> Catalogue:
    return LIBRARY.catalogue(SYSTEM, [book])


def random_list(seed: int, book: str, most: int = 6) -> Document:
    """A list of a book with some units, of each about one option in six."""
    random = Random(seed)  # noqa: S311 - the same list for the same seed, no secret
    catalogue = catalogue_of(book)
    units = [random.choice(list(catalogue.units.values())) for _ in range(random.randint(0, most))]
    return varied(catalogue, [_entry(random, unit) for unit in units], random)


def varied(catalogue: Catalogue, entries: list[Document], random: Random) -> Document:
    """A list of these entries, of any size and organisation."""
    name = random.choice(["Ärger & <Pläne>", "A list", "“Quoted”"])
    limit = random.choice([1500, 4500, 6000])
    document = list_of(SYSTEM, [], entries, limit=limit, name=name)
    document["books"] = [{"id": book.id, "revision": book.revision} for book in catalogue.books]
    organisation = catalogue.system.settings.get("organisation")
    if organisation is not None:
        chosen = random.choice(list(organisation.values))
        document["settings"] = {} if chosen == organisation.default else {"organisation": chosen}
    if random.random() < 0.3:
        document["notes"] = "Two lines\nof notes, with \t a tab."
    return document


def _entry(random: Random, unit: Unit) -> Document:
    least = unit.smallest
    single = unit.size is None or unit.size[1].base == 1
    entry: Document = {
        "unit": unit.ref,
        "models": 1 if single else random.randint(least, least + 9),
    }
    if random.random() < 0.2:
        entry["roles"] = ["general"]
    if options := _options(random, unit.offer, 1):
        entry["options"] = options
    if random.random() < 0.3:
        entry["name"] = "Hob ‘the Nail’"
        entry["notes"] = "painted"
    return entry


def _options(random: Random, offer: Offer, depth: int) -> list[Any]:
    found: list[Any] = []
    given = {option.id for option in offer.given}
    for option_id, slots in offer.slots.items():
        option = slots[0].option
        if len(found) == 60 or random.random() > 1 / 6:
            continue
        if depth == 3:
            found.append(option_id)
            continue
        entry: Document = {"id": option_id}
        if random.random() < 0.1:
            entry["number"] = random.randint(2, 9)
        if option.on and random.random() < 0.5:
            entry["on"] = random.choice(option.on)
        if inner := _options(random, option.offer, depth + 1):
            entry["options"] = inner
        if option_id not in given or "options" in entry:
            found.append(entry)
    return found


def taken(document: Document | ArmyList) -> Any:
    """What is taken in a list, whatever the order of the options on one thing."""
    listed = value_of(document)
    catalogue = LIBRARY.catalogue(SYSTEM, [book.id for book in listed.books])
    roster = make_roster(listed, catalogue)
    units = [
        (pick.ref, pick.models, pick.roles, pick.name, pick.notes, _picks(pick.picks))
        for pick in roster.picks
    ]
    return (listed.name, listed.notes, roster.limit, roster.settings, units)


def _picks(picks: tuple[OptionPick, ...]) -> Any:
    return frozenset((pick.id, pick.number, pick.on, _picks(pick.picks)) for pick in picks)


def one_unit(ref: str, **more: Any) -> Document:
    return list_of(SYSTEM, [ref.split("/")[0]], [{"unit": ref, "models": 1, **more}], limit=4500)


def without_revisions(listed: ArmyList) -> Document:
    """The document of a list with whatever revisions its books have."""
    return replace(listed, books=tuple(ListBook(book.id) for book in listed.books)).to_dict()
