"""The rooms of the package and what each may import: nothing above it, and nothing in a circle.

Three strata: *domain* (no HTTP, no tables) <- *stored* (models, services, selectors) <- *faces*
(pages, API, commands). `docs/architecture.md` tells what lives where.
"""

import ast
import sys
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.guards.code import PACKAGE, Module, imports, modules

#: The strata, from below, and in each its rooms with the rooms they may import of their own
#: stratum. Every room may import whatever lies in a stratum below.
DOMAIN: dict[str, set[str]] = {
    "engine": set(),
    "loading": {"engine"},
    # Makes books out of another program's files, and reads and writes its lists.
    "battlescribe": {"engine", "loading"},
    # Works out cards from another game's scores: numbers in, a unit of a book document out.
    "converting": {"engine"},
    "editing": {"engine", "loading"},
    "comparing": {"engine", "loading", "editing"},
    # Questions about the lists that may be: repair, look ahead, fill, explain.
    "solving": {"engine", "loading", "editing"},
    "advice": {"engine", "loading", "editing"},
    "acts": {"engine", "loading", "editing", "comparing", "solving", "advice"},
    "sheets": {"engine", "loading"},
    # Lists as files and texts of other programs, and many at once: documents in and out.
    "exchange": {"engine", "loading", "battlescribe", "sheets"},
    "authoring": {"engine", "loading"},
    "library": {"engine", "loading", "sheets"},
    # What this server found about a list, signed with keys of its own.
    "certificates": {"engine", "loading"},
}
STORED: dict[str, set[str]] = {
    "accounts": set(),
    "books": {"accounts"},
    # Event packs that organisers have written.
    "packs": {"accounts"},
    "lists": {"accounts", "books", "packs"},
    "sharing": {"lists"},
    # Players submit lists to events, organisers check them.
    "events": {"books", "lists", "packs", "sharing"},
    "printing": {"lists"},
    # Books out of files that players upload.
    "uploads": {"books", "printing"},
    "takeout": {"books", "lists", "packs", "sharing", "printing"},
    "housekeeping": {"accounts", "books", "events", "lists", "packs", "printing", "uploads"},
    "backup": {"lists"},
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
    "battlescribe": ["xml", "books", "rosters", "games"],
    "sheets": ["content", "drawing", "cards", "kinds", "printing", "texts"],
    "pages": [
        "answers",
        "middleware",
        "theme",
        "builder",
        "templatetags",
        "history",
        "my_lists",
        "home",
        "printing",
        "sharing",
        "certificates",
        "packs",
        "events",
        "takeout",
        "books",
        "uploads",
        "library",
        "account",
        "gallery",
        "urls",
    ],
}
#: Rooms whose modules do import each other in a circle.
STILL_IN_CIRCLES: set[str] = set()
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


def parts_of(names: list[str]) -> set[str]:
    """The parts of the package among imported dotted names."""
    split = [name.split(".") for name in names]
    return {name[1] for name in split if name[0] == "armybuilder" and len(name) > 1}


def may_import(room: str) -> set[str]:
    """The rooms that one may import, itself among them."""
    level = next(number for number, stratum in enumerate(STRATA) if room in stratum)
    below = {lower for stratum in STRATA[:level] for lower in stratum}
    return {room} | STRATA[level][room] | below


def test_every_room_has_its_place_in_a_stratum() -> None:
    assert set(PARTS) == ROOMS


@pytest.mark.parametrize("room", PARTS)
def test_a_room_imports_only_what_lies_below_it(room: str) -> None:
    wrong = {
        (module.path, name)
        for module in modules(room)
        for name in parts_of(list(imports(module)))
        if name in ROOMS and name not in may_import(room)
    }
    assert wrong == set()


def test_no_rooms_import_each_other_in_a_circle() -> None:
    """A room may import its own stratum's earlier rooms alone."""
    for stratum in STRATA:
        known: set[str] = set()
        for room, allowed in stratum.items():
            assert allowed <= known, room
            known.add(room)


@pytest.mark.parametrize("room", sorted(set(PARTS) - STILL_IN_CIRCLES))
def test_no_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    """Imports for types count; a package's `__init__` only hands on what its modules have."""
    names = {module.name for module in modules(room)}
    needed = {
        module.name: names & set(imports(module)) - {module.name}
        for module in modules(room)
        if not module.path.endswith("__init__.py")
    }
    try:
        TopologicalSorter(needed).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_every_allowance_is_used() -> None:
    for stratum in STRATA:
        for room, allowed in stratum.items():
            used = {part for one in modules(room) for part in parts_of(list(imports(one)))}
            assert allowed <= used, room


@pytest.mark.parametrize("house", sorted(FLOORS))
def test_a_room_within_a_room_imports_only_those_before_it(house: str) -> None:
    floors = FLOORS[house]
    wrong, seen = set(), set()
    for module in modules(house):
        names = module.name.split(".")
        if len(names) < 3:
            continue
        seen.add(names[2])
        allowed = floors[: floors.index(names[2]) + 1] if names[2] != "urls" else floors
        for name in imports(module):
            above = name.split(".")[2:3] if name.startswith(f"armybuilder.{house}.") else []
            wrong |= {(module.path, name) for floor in above if floor not in allowed}
    assert wrong == set()
    assert seen == set(floors)


@pytest.mark.parametrize("room", DOMAIN)
def test_the_domain_knows_no_request_and_no_table(room: str) -> None:
    wrong = {
        (module.path, name)
        for module in modules(room)
        for name in imports(module)
        if name.startswith(WEB_AND_TABLES)
    }
    assert wrong == set()


def test_no_room_holds_more_than_its_share_of_the_code() -> None:
    lines = {room: sum(one.text.count("\n") for one in modules(room)) for room in PARTS}
    whole = sum(lines.values())
    assert {room: size for room, size in lines.items() if size > MOST * whole} == {}


def test_reading_books_asks_the_loader_for_its_problems_and_its_reader_only() -> None:
    allowed = (
        "armybuilder.battlescribe.books",
        "armybuilder.loading.problems",
        "armybuilder.loading.jsontext",
        "armybuilder.loading.archives",
        "armybuilder.loading.deadline",
        "armybuilder.engine.wording",
        "armybuilder.battlescribe.xml",
    )
    wrong = {
        (module.path, name)
        for module in modules("battlescribe/books")
        for name in imports(module)
        if name.startswith("armybuilder") and not name.startswith(allowed)
    }
    assert wrong == set()


def test_converting_asks_the_engine_for_its_words_only() -> None:
    allowed = ("armybuilder.converting", "armybuilder.engine.nouns", "armybuilder.engine.wording")
    wrong = {
        (module.path, name)
        for module in modules("converting")
        for name in imports(module)
        if name.startswith("armybuilder.") and not name.startswith(allowed)
    }
    assert wrong == set()


def test_only_commands_and_uploads_import_books_or_compare_them_with_their_sources() -> None:
    commands = "armybuilder/management/commands"
    uploads = {f"armybuilder/uploads/{name}.py" for name in ("making", "reports", "work")}
    using = {
        module.path
        for module in modules()
        if not module.name.startswith("armybuilder.battlescribe.")
        and any(name.startswith("armybuilder.battlescribe.books") for name in imports(module))
    }
    assert using == uploads | {
        f"{commands}/{name}.py"
        for name in ("import_battlescribe", "import_game", "audit_catalogues")
    }


@pytest.mark.parametrize("part", sorted(MAY_NEED))
def test_the_core_needs_nothing_but_the_standard_library(part: str) -> None:
    allowed = MAY_NEED[part] | set(sys.stdlib_module_names) | {"armybuilder"}
    wrong = {
        (module.path, name)
        for module in modules(part)
        for name in imports(module)
        if name.split(".")[0] not in allowed
    }
    assert wrong == set()


def test_the_engine_reaches_no_file_no_clock_and_no_chance() -> None:
    wrong = {
        (module.path, name)
        for module in modules("engine")
        for name in imports(module)
        if name.split(".")[0] in OUTSIDE_WORLD
    }
    assert wrong == set()
    opened = {module.path for module in modules("engine") if calls(module, "open")}
    assert opened == set()


def calls(module: Module, name: str) -> bool:
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
        for node in ast.walk(module.tree)
    )


def test_relative_imports_are_seen_as_what_they_mean() -> None:
    text = "from . import a\nfrom ..lists import b\nfrom .c import d\nimport os.path\n"
    module = Module("armybuilder/engine/x.py", "armybuilder.engine.x", text, ast.parse(text))
    assert {"armybuilder.engine.a", "armybuilder.lists", "armybuilder.engine.c", "os.path"} <= set(
        imports(module)
    )
    assert parts_of(list(imports(module))) == {"engine", "lists"}
