"""Where the parts of a book stand in the BattleScribe file that it was made of.

The files are read when a roster is first written or read, not at the start.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import CATALOGUE_DIR

FOLDER: Final = "battlescribe"
#: Books whose origin is kept in memory, each some 100 KB.
MOST_KEPT: Final = 32

Node = Mapping[str, Any]


@dataclass(frozen=True)
class OriginName:
    """A game system, catalogue or kind of cost: its id and name, and which revision of it."""

    id: str
    name: str
    revision: int = 0


@dataclass(frozen=True)
class OriginForce:
    """A way to organise the army: `organisation` is our id of it, "" where there is only one;
    `categories` are ids.
    """

    id: str
    name: str
    categories: tuple[str, ...]
    organisation: str = ""


@dataclass(frozen=True, eq=False)
class Origin:
    """What a book's file says of its source. `units` are nodes by our id of the unit, `shared`
    what links lead to, by its own id; `categories` are names by id.
    """

    system: str
    book: str
    game: OriginName
    catalogue: OriginName
    points: OriginName
    forces: tuple[OriginForce, ...]
    categories: Mapping[str, str]
    units: Mapping[str, Node]
    shared: Mapping[str, Node]

    def force(self, organisation: str) -> OriginForce:
        """The force of an organisation; the usual one where there is no such."""
        fits = (force for force in self.forces if force.organisation == organisation)
        return next(fits, self.forces[0])


def has_origin(system: str, book: str) -> bool:
    """Whether the book was made of a BattleScribe file, so that rosters can name its parts."""
    return _file(system, book) is not None


@lru_cache(maxsize=MOST_KEPT)
def origin_of(system: str, book: str) -> Origin | None:
    """The origin of a book; None where it has none."""
    file = _file(system, book)
    if file is None:
        return None
    data = parse_json(file.read_bytes())
    return Origin(
        system,
        book,
        OriginName(**data["game"]),
        OriginName(**data["catalogue"]),
        OriginName(**data["points"]),
        tuple(
            OriginForce(**{**one, "categories": tuple(one["categories"])}) for one in data["forces"]
        ),
        data["categories"],
        {node["as"]: node for node in data["units"] if "as" in node},
        {node["id"]: node for node in data["shared"]},
    )


@lru_cache(maxsize=1)
def books_by_catalogue() -> Mapping[str, tuple[str, str]]:
    """(system, book) by the id of the catalogue that the book was made of."""
    return {
        parse_json(file.read_bytes())["catalogue"]["id"]: place for place, file in _files().items()
    }


def find_origin(catalogue: str) -> Origin | None:
    """The origin of the book that was made of the catalogue with this id; None where there is
    none.
    """
    place = books_by_catalogue().get(catalogue)
    return origin_of(*place) if place else None


def _file(system: str, book: str) -> Path | None:
    """The file of a book's origin. Only names that are there are looked up, so that no id of a
    document leads elsewhere.
    """
    return _files().get((system, book))


@lru_cache(maxsize=1)
def _files() -> Mapping[tuple[str, str], Path]:
    files = sorted(CATALOGUE_DIR.glob(f"*/{FOLDER}/*.json"))
    return {(file.parents[1].name, file.stem): file for file in files}
