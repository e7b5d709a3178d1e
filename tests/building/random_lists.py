"""Random lists of real units, legal and not: what a filling makes, changed at random.

Plain `random` with a seed, so that a hundred thousand of them are cheap and each can be made again.
"""

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from armybuilder.editing import unit_edits
from armybuilder.editing.unit_edits import chosen_options
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.fresh import fresh_picks
from armybuilder.engine.options import Group, Offer, Slot
from armybuilder.engine.vocabulary import Setting
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import filling
from tests.effort import THOROUGH

Data = dict[str, Any]

LIBRARY = shipped_library()
SKIRMISHES = {
    "chainmail-2002": ["practice", "known-cards", "converted"],
    "chainmail-2001-basic": ["practice"],
    "chainmail-2001-advanced": ["practice"],
    "sbh": ["profiles"],
    "ddm-2008": ["practice", "known-creatures"],
}
ARMY_BOOKS = sorted(LIBRARY.books["t9a-2023"])
#: Army books of other games, with their systems.
OTHER_BOOKS = [
    f"{system}/{book}"
    for system in ("t9a-2024", "essence-of-war")
    for book in sorted(LIBRARY.books[system])
]
#: Game sizes in points, by the system's id or its family.
LIMITS = {
    "Chainmail": (100, 60, 80, 150),
    "sbh": (300, 200, 500),
    "ddm-2008": (200, 100, 50),
    "t9a-2023": (4500, 4500, 4500, 3000, 2500, 8000),
    "t9a-2024": (4500, 4500, 4500, 3000, 2500, 8000),
    "essence-of-war": (1500, 1500, 1000, 2000),
}


@cache
def catalogue_of(game: str) -> Catalogue:
    """Return the catalogue of a skirmish system, or of an army book by its id, with its system
    before it if that is another than The Ninth Age 2023.
    """
    if game in SKIRMISHES:
        return LIBRARY.catalogue(game, SKIRMISHES[game])
    system, _, book = game.rpartition("/")
    return LIBRARY.catalogue(system or "t9a-2023", [book])


class Drawing:
    """A random list, step by step."""

    def __init__(self, game: str, rng: Random, start: Data) -> None:
        self.game = game
        self.catalogue = catalogue_of(game)
        self.rng = rng
        self.document = deepcopy(start)
        self.number = len(self.entries)

    @property
    def entries(self) -> list[Data]:
        found: list[Data] = self.document["units"]
        return found

    def change(self) -> None:
        """Change something: more often what breaks more rules."""
        acts = [self.add, self.drop, self.resize, self.equip, self.role, self.setting, self.limit]
        weights = [4, 2, 4, 10 if self.catalogue.system.sized else 0, 3, 3, 1]
        (act,) = self.rng.choices(acts, weights)
        if self.entries or act in (self.add, self.limit):
            act()

    def add(self) -> None:
        self.put(self.rng.choice(refs_of(self.catalogue)))

    def put(self, ref: str, catalogue: Catalogue | None = None) -> None:
        unit = (catalogue or self.catalogue).units[ref]
        models = unit.smallest if self.catalogue.system.sized else self.rng.choice((1, 1, 2, 3))
        options = whole([one.to_dict() for one in chosen_options(unit.fresh)])
        self.put_entry({"unit": ref, "models": models, "options": options})

    def put_entry(self, entry: Data) -> None:
        self.number += 1
        self.entries.append({"id": f"u{self.number}", **entry})

    def drop(self) -> None:
        self.entries.pop(self.rng.randrange(len(self.entries)))

    def resize(self) -> None:
        entry = self.rng.choice(self.entries)
        unit = self.catalogue.units[entry["unit"]]
        if unit.size is not None and self.rng.random() < 0.8:
            low = unit.size[0].base or 1
            entry["models"] = self.rng.randint(low, max(low, unit.size[1].base or 40))
        else:
            entry["models"] = max(1, entry["models"] + self.rng.choice((-3, -1, 1, 2, 10)))

    def equip(self) -> None:
        """An option more, less, oftener, or put on something else."""
        entry = self.rng.choice(self.entries)
        offer = self.catalogue.units[entry["unit"]].offer
        reach = list(_reach(entry.setdefault("options", []), offer))
        if not reach:
            return
        holder, option_id, slots, had = self.rng.choice(reach)
        if had is None:
            if self.rng.random() < 0.7:
                groups = (group for slot in slots for group in slot.groups)
                rivals = {one for group in groups if group.most.base == 1 for one in _ids(group)}
                holder[:] = [one for one in holder if one["id"] not in rivals]
            options = chosen_options(fresh_picks(slots[0].option.offer))
            holder.append({"id": option_id, "options": [one.to_dict() for one in options]})
            if slots[0].option.on and self.rng.random() < 0.5:
                holder[-1]["on"] = self.rng.choice(slots[0].option.on)
            return
        luck = self.rng.random()
        if luck < 0.7:
            holder.remove(had)
        elif luck < 0.85:
            had["number"] = self.rng.randint(1, 3)
        elif slots[0].option.on:
            had["on"] = self.rng.choice(slots[0].option.on)

    def role(self) -> None:
        if self.catalogue.system.roles:
            entry = self.rng.choice(self.entries)
            role = self.rng.choice(list(self.catalogue.system.roles))
            had = entry.get("roles", [])
            entry["roles"] = [one for one in had if one != role] if role in had else [*had, role]

    def setting(self) -> None:
        known = self.catalogue.system.settings
        if known:
            setting = self.rng.choice(list(known.values()))
            self.document.setdefault("settings", {})[setting.id] = self.value_for(setting)

    def value_for(self, setting: Setting) -> Any:
        if setting.kind == "number":
            return self.rng.randint(setting.low, min(setting.high, setting.low + 8))
        if setting.kind == "attribute":
            return self.rng.choice(list(self.catalogue.system.attributes[setting.attribute].values))
        if setting.kind == "choice":
            return self.rng.choice(list(setting.values))
        if setting.kind == "pieces":
            return self.rng.choices(list(setting.values), k=self.rng.randint(0, 4))
        there = [entry["unit"] for entry in self.entries for _ in range(entry["models"])]
        return [self.rng.choice(refs_of(self.catalogue)), *there]

    def limit(self) -> None:
        self.document["limit"] = self.rng.choice(sizes_of(self.catalogue))


def sizes_of(catalogue: Catalogue) -> tuple[int, ...]:
    system = catalogue.system
    return LIMITS.get(system.id) or LIMITS[system.family]


def refs_of(catalogue: Catalogue) -> tuple[str, ...]:
    return tuple(catalogue.units)


def _reach(
    options: list[Data], offer: Offer
) -> Iterator[tuple[list[Data], str, tuple[Slot, ...], Data | None]]:
    """Return what may be changed: what holds it, its id and slots, and it if it is taken."""
    taken = {one["id"]: one for one in options}
    for option_id, slots in offer.slots.items():
        had = taken.get(option_id)
        yield options, option_id, slots, had
        if had is not None and slots[0].option.offer.nodes:
            yield from _reach(had.setdefault("options", []), slots[0].option.offer)


def _ids(group: Group) -> Iterator[str]:
    for node in group.nodes:
        if isinstance(node, Group):
            yield from _ids(node)
        else:
            yield node.id


def whole(options: list[Any]) -> list[Data]:
    """Return options of a document, each as an object."""
    return [
        {"id": one} if isinstance(one, str) else {**one, "options": whole(one.get("options", []))}
        for one in options
    ]


def filled(catalogue: Catalogue, limit: int, seed: int) -> ArmyList:
    """Return a list of the catalogue's books, legal and full; an empty one where there is none."""
    empty = unit_edits.new_document(catalogue, "Filled", limit)
    found = filling(empty, catalogue, CpSat(), seed).filled
    return empty if found is None else found.army_list


@cache
def starts_of(game: str, number: int = 12 if THOROUGH else 4, seed: int = 1) -> tuple[Data, ...]:
    """Return lists to begin with, legal ones mostly."""
    catalogue, rng = catalogue_of(game), Random(seed)  # noqa: S311, lists for tests, not secrets
    limits = sizes_of(catalogue)
    made = []
    for _ in range(number):
        document = filled(catalogue, rng.choice(limits), rng.randrange(10**9)).to_dict()
        for entry in document["units"]:
            entry["options"] = whole(entry.get("options", []))
        made.append(document)
    return tuple(made)


def random_lists(game: str, seed: int) -> Iterator[Data]:
    """Return random lists of a game, without end; the same for the same seed."""
    rng = Random(seed)  # noqa: S311, lists for tests, not secrets
    starts = starts_of(game)
    while True:
        drawing = Drawing(game, rng, rng.choice(starts))
        for _ in range(rng.choice((0, 1, 1, 1, 2, 2, 3, 4, 6))):
            drawing.change()
        for entry in drawing.entries:
            if not entry.get("options"):
                entry.pop("options", None)
        yield drawing.document
