"""The rooms of the package and what each may import: nothing above it, and nothing in a circle.

Three strata: *domain* (no HTTP, no tables) <- *stored* (models, services, selectors) <- *faces*
(pages, API, commands). `docs/architecture.md` tells what lives where.
"""

import ast
import sys
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from tests.guards.code import PACKAGE, guard, modules

#: The strata, from below, and in each its rooms with the rooms they may import of their own
#: stratum. Every room may import whatever lies in a stratum below.
DOMAIN: dict[str, set[str]] = {
    "engine": set(),
    "loading": {"engine"},
    # Reads another program's games as their files say, and reads and writes its lists.
    "battlescribe": {"engine", "loading"},
    # Works out cards from another game's scores: numbers in, a unit of a book document out.
    "converting": {"engine"},
    "editing": {"engine", "loading"},
    # Draws lists of our own books, and those of a community's files.
    "sheets": {"engine", "loading", "battlescribe"},
    "comparing": {"engine", "loading", "battlescribe", "sheets"},
    # Questions about the lists that may be: repair, look ahead, fill, explain.
    "solving": {"engine", "loading", "editing"},
    "advice": {"engine", "loading", "editing"},
    "acts": {"engine", "loading", "battlescribe", "editing", "comparing", "solving", "advice"},
    # Lists as files and texts of other programs, and many at once: documents in and out.
    "exchange": {"engine", "loading", "battlescribe", "sheets"},
    "authoring": {"engine", "loading"},
    "library": {"engine", "loading", "sheets"},
    # Chances of one unit against another.
    "odds": {"engine", "sheets"},
    # Who plays whom at an event, and how they stand.
    "tournament": set(),
}
STORED: dict[str, set[str]] = {
    "accounts": set(),
    "books": {"accounts"},
    # Event packs that organisers have written.
    "packs": {"accounts"},
    # Games that players bring as a community's files.
    "games": {"accounts"},
    "lists": {"accounts", "books", "games", "packs"},
    # What this site found about a list, signed with keys of its own.
    "certificates": {"lists"},
    # Work of holders outside of any request, and the workers that do it.
    "jobs": set(),
    "sharing": {"jobs", "lists"},
    # Players submit lists to events, organisers check them.
    "events": {"books", "games", "lists", "packs"},
    "printing": {"jobs", "lists"},
    # Games at the table, and the record of matches.
    "playing": {"lists"},
    # Models that players own.
    "collection": {"accounts"},
    # Games out of files that players upload.
    "uploads": {"games", "jobs"},
    "takeout": {"books", "collection", "lists", "packs", "playing", "sharing", "printing"},
    "housekeeping": {
        *(
            "accounts",
            "books",
            "collection",
            "games",
            "events",
            "lists",
            "packs",
            "playing",
            "printing",
            "sharing",
        ),
        "uploads",
    },
    "backup": {"housekeeping", "lists"},
}
FACES: dict[str, set[str]] = {
    # Which requests are answered, by whom, and how much work they may cause.
    "admission": set(),
    "pages": {"admission"},
    "api": {"admission"},
    "management": set(),
    "watching": {"admission"},
}
STRATA = (DOMAIN, STORED, FACES)
ROOMS = {room for stratum in STRATA for room in stratum}
#: Rooms within rooms, from below: each may import those before it.
FLOORS = {
    "battlescribe": ["xml", "files", "rosters"],
    "sheets": ["content", "drawing", "cards", "kinds", "printing", "texts"],
    "pages": [
        "answers",
        "middleware",
        "theme",
        "offline",
        "builder",
        "templatetags",
        "forces",
        "history",
        "my_lists",
        "home",
        "collection",
        "printing",
        "playing",
        "odds",
        "sharing",
        "certificates",
        "packs",
        "events",
        "takeout",
        "books",
        "games",
        "library",
        "account",
        "gallery",
        "urls",
    ],
}
#: The largest part of the code that one room may hold.
MOST = 0.20
#: What the domain does without: requests, answers, addresses and tables.
WEB_AND_TABLES = (
    "django.http", "django.shortcuts", "django.urls", "django.db", "django.contrib",
    "django.views", "rest_framework",
)  # fmt: skip
#: Packages outside the standard library, for the parts that must do with few.
MAY_NEED: dict[str, set[str]] = {"engine": set(), "loading": {"jsonschema", "jsonschema_rs"}}
#: Standard modules that reach files, clocks, chance or the net: the engine has none of them.
OUTSIDE_WORLD = {
    "asyncio", "datetime", "io", "logging", "multiprocessing", "os", "pathlib", "random",
    "secrets", "shutil", "socket", "sqlite3", "subprocess", "tempfile", "threading", "time",
    "urllib", "uuid", "zoneinfo",
}  # fmt: skip

PARTS = sorted(path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists())
#: Parts of the package that a folder or a room may import of it, whatever else its stratum may.
NARROW: dict[str, tuple[str, ...]] = {
    "converting": (
        *("armybuilder.converting", "armybuilder.engine.nouns", "armybuilder.engine.wording"),
    ),
}


def parts_of(names: tuple[str, ...]) -> set[str]:
    """Return the parts of the package among imported dotted names."""
    split = [name.split(".") for name in names]
    return {name[1] for name in split if name[0] == "armybuilder" and len(name) > 1}


def may_import(room: str) -> set[str]:
    level = next(number for number, stratum in enumerate(STRATA) if room in stratum)
    below = {lower for stratum in STRATA[:level] for lower in stratum}
    return {room} | STRATA[level][room] | below


@guard
def arrows_point_down() -> Iterator[str]:
    """Every room has a place, and imports only rooms below it; every allowance is used."""
    yield from (f"{room}: has no place in STRATA" for room in sorted(set(PARTS) ^ ROOMS))
    for room in sorted(ROOMS & set(PARTS)):
        used = set()
        for module in modules(room):
            used |= parts_of(module.imports)
            for part in sorted(parts_of(module.imports) & ROOMS - may_import(room)):
                yield f"{module.path}: imports {part}"
        for stratum in STRATA:
            yield from (f"{room}: never imports {one}" for one in stratum.get(room, set()) - used)
    for stratum in STRATA:
        known: set[str] = set()
        for room, allowed in stratum.items():
            yield from (f"{room}: imports {one}, which stands after it" for one in allowed - known)
            known.add(room)


@guard
def no_circles() -> Iterator[str]:
    """No modules of a room import each other in a circle; imports for types count."""
    for room in PARTS:
        # A package's `__init__` only hands on what its modules have.
        own = {one.name: one for one in modules(room) if not one.path.endswith("__init__.py")}
        names = {module.name for module in modules(room)}
        needed = {name: names & set(one.imports) - {name} for name, one in own.items()}
        try:
            TopologicalSorter(needed).prepare()
        except CycleError as error:
            yield " -> ".join(error.args[1])


@guard
def floors() -> Iterator[str]:
    """A room within a room imports only those before it in FLOORS."""
    for house, order in FLOORS.items():
        seen = set()
        for module in modules(house):
            names = module.name.split(".")
            if len(names) < 3:
                continue
            seen.add(names[2])
            last = len(order) if names[2] == "urls" else order.index(names[2]) + 1
            for name in module.imports:
                above = name.split(".")[2:3] if name.startswith(f"armybuilder.{house}.") else []
                yield from (f"{module.path}: {name}" for one in above if one not in order[:last])
        yield from (f"{house}: {one} is not there" for one in set(order) - seen)


@guard
def domain_knows_no_web() -> Iterator[str]:
    """The domain knows no request, answer, address or table."""
    for module in (one for room in DOMAIN for one in modules(room)):
        yield from (f"{module.path}: {n}" for n in module.imports if n.startswith(WEB_AND_TABLES))


@guard
def shares_of_the_code() -> Iterator[str]:
    """No room holds more than its share of the code."""
    lines = {room: sum(len(one.lines) for one in modules(room)) for room in PARTS}
    whole = sum(lines.values())
    yield from (f"{room}: {size} of {whole}" for room, size in lines.items() if size > MOST * whole)


@guard
def narrow_rooms() -> Iterator[str]:
    """Converting asks the engine for its words alone."""
    for part, allowed in NARROW.items():
        for module in modules(part):
            for name in module.imports:
                if name.startswith("armybuilder") and not name.startswith(allowed):
                    yield f"{module.path}: {name}"


@guard
def core_needs_little() -> Iterator[str]:
    """Engine and loading need little beyond the standard library; the engine reaches no file, no
    clock and no chance.
    """
    for part, packages in MAY_NEED.items():
        allowed = packages | set(sys.stdlib_module_names) | {"armybuilder"}
        for module in modules(part):
            yield from (
                f"{module.path}: {n}" for n in module.imports if n.split(".")[0] not in allowed
            )
    for module in modules("engine"):
        yield from (
            f"{module.path}: {n}" for n in module.imports if n.split(".")[0] in OUTSIDE_WORLD
        )
        if any(getattr(call.func, "id", "") == "open" for call in module.nodes(ast.Call)):
            yield f"{module.path}: opens a file"
