"""Army lists of forces as values: lists by a game's own files (`armylist/2`).

Entries have the ids of the files, and their names at that time: those stay if the files drop an
entry. It holds no totals. Empty values are left out, so that equal lists have equal bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from types import MappingProxyType
from typing import Any, Final

from armybuilder.engine.wording import marked, say, say_count
from armybuilder.loading.document_parts import DocumentPart
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.references import Complaint, Path, complaint
from armybuilder.loading.schemas import schema_problems

FORMAT: Final = "armylist/2"
#: Prefix of the key of a game from files, in place of a system's id.
FROM_FILES: Final = "files:"

#: Bytes of a document, and objects and arrays in it inside each other.
MAX_BYTES, MAX_NESTING = 1024 * 1024, 64
#: Maximum of forces and picks in a list, and depth of picks and forces.
MAX_FORCES, MAX_PICKS, MAX_DEEP = 50, 3000, 20
#: How many of one pick there may be, and how much a list may cost.
MAX_NUMBER, MAX_COST = 9999, 99_999_999
#: Letters of a name in the files, and of a path of ids.
MAX_CALLED, MAX_KEY = 200, 2000
#: A document's mistakes are looked for until this many are found.
MOST_PROBLEMS = 100

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class GameName(DocumentPart):
    """The game of a list: `key` is the hash of its files, `system` the id of the system among them.

    By its `name` a player knows it where the files are gone.
    """

    key: str
    name: str
    system: str

    @property
    def address(self) -> str:
        """Its id in URLs, where games of our own books have the id of their system."""
        return f"{FROM_FILES}{self.key}"


@dataclass(frozen=True, slots=True)
class ListPick(DocumentPart):
    """A number of one entry, with the picks below it."""

    KEYS = "id entry number name! custom_name notes picks"

    id: str
    entry: str
    number: int = 1
    name: str = ""
    custom_name: str = ""
    notes: str = ""
    picks: tuple[ListPick, ...] = ()

    def walk(self) -> Iterator[ListPick]:
        """Yield itself and all that is on it."""
        yield self
        for pick in self.picks:
            yield from pick.walk()


@dataclass(frozen=True, slots=True)
class ListForce(DocumentPart):
    """A force of a catalogue: its contents, and the forces within it."""

    id: str
    entry: str
    name: str
    catalogue: str
    catalogue_name: str
    revision: str = ""
    custom_name: str = ""
    notes: str = ""
    picks: tuple[ListPick, ...] = ()
    forces: tuple[ListForce, ...] = ()

    def walk(self) -> Iterator[ListForce]:
        """Yield itself and all forces within it."""
        yield self
        for force in self.forces:
            yield from force.walk()


@dataclass(frozen=True, slots=True)
class ForceList(DocumentPart):
    """A whole list; `limits` are its limits by cost (-1: no limit)."""

    HEAD = MappingProxyType({"format": FORMAT})
    KEYS = "name notes game limits! forces!"

    name: str
    game: GameName
    limits: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    notes: str = ""
    forces: tuple[ListForce, ...] = ()

    @property
    def system(self) -> str:
        """Its game, as events and packs name it."""
        return self.game.address

    def all_forces(self) -> Iterator[ListForce]:
        """Yield all forces, each before those within it."""
        for force in self.forces:
            yield from force.walk()

    def all_picks(self) -> Iterator[ListPick]:
        """Yield all picks, force by force, parents first."""
        for force in self.all_forces():
            for pick in force.picks:
                yield from pick.walk()


# Documents of anyone


def is_force_list(data: object) -> bool:
    """Return whether parsed JSON says that it is a list of forces."""
    return isinstance(data, dict) and data.get("format") == FORMAT


def read_force_list(raw: bytes, name: str = "document") -> ForceList:
    """Read a document of anyone. Raises Refusal, whose `problems` name every place."""
    return check_force_list(parse_json(raw, MAX_BYTES, MAX_NESTING), name)


def check_force_list(data: Any, name: str = "document") -> ForceList:
    """Check parsed JSON. Raises Refusal where it breaks a limit or the schema, by place."""
    return ForceList.from_dict(checked_list(data, "forcelist", name, _too_much))


def checked_list(
    data: Any, schema: str, name: str, faults: Callable[[Data], Iterable[Complaint]]
) -> Data:
    """Return parsed JSON of anyone. Raises Refusal if it breaks the schema, or else has `faults`.

    Its `problems` name every place; its sentence is the first, and how many more there are.
    """
    if not isinstance(data, dict):
        raise Refusal(say("The file is JSON, but not an army list: it must be an object."))
    problems = schema_problems(schema, data, name, MOST_PROBLEMS)
    problems = problems or [Problem(name, *fault) for fault in islice(faults(data), MOST_PROBLEMS)]
    if not problems:
        checked: Data = data
        return checked
    first, *rest = problems
    what = first.message
    if first.pointer:
        what = say("At {place}: {what}", place=first.pointer, what=what)
    words = [say("This is not an army list."), what]
    if rest:
        words.append(
            say_count("{number} more error found.", "{number} more errors found.", len(rest))
        )
    raise Refusal(" ".join(words), problems)


def _too_much(data: Data) -> Iterator[Complaint]:
    """Yield the places where ids are repeated, or limits are exceeded."""
    seen: set[str] = set()
    counted = {"forces": 0, "picks": 0}
    allowed = {"forces": MAX_FORCES, "picks": MAX_PICKS}
    for path, kind, thing in _things(data, ()):
        counted[kind] += 1
        if counted[kind] == allowed[kind] + 1:
            yield complaint(path, _TOO_MANY[kind], "", most=allowed[kind])
        if thing["id"] in seen:
            yield complaint(path, "The id “{id}” is taken.", "", id=thing["id"])
        seen.add(thing["id"])
        if len(path) == 2 * (MAX_DEEP + 1):
            message = marked("The list is nested too deeply; the maximum is {most} levels.")
            yield complaint(path, message, "", most=MAX_DEEP)


_TOO_MANY: Final = {
    "forces": marked("The list has more than {most} forces."),
    "picks": marked("The list has more than {most} entries."),
}


def _things(data: Data, path: Path) -> Iterator[tuple[Path, str, Data]]:
    for kind in ("picks", "forces"):
        for at, thing in enumerate(data.get(kind, ())):
            here = (*path, kind, at)
            yield here, kind, thing
            yield from _things(thing, here)
