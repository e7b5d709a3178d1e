"""Imports point one way: engine <- loading <- sheets <- exchange, books <- lists <- api."""

import ast
import sys

import pytest

from tests.guards.code import PACKAGE, Module, imports, modules

#: What each part of the package may import of the others, beside itself.
MAY_IMPORT = {
    "engine": set(),
    "loading": {"engine"},
    # Makes books out of other programs' files; what it makes is loaded like any other book.
    "importing": {"loading"},
    "accounts": set(),
    # Its table is described with that of print jobs, until both have a room of their own.
    "sheets": {"engine", "loading", "lists"},
    # Lists as files and texts of other programs, and many at once: documents in and out.
    "exchange": {"engine", "loading", "sheets"},
    # Works out cards from another game's scores: numbers in, a unit of a book document out, and
    # sentences that explain it, in the engine's words.
    "converting": {"engine"},
    # A book's own pages convert creatures, and hand the cards out as a file.
    "books": {"engine", "loading", "accounts", "converting", "sheets"},
    # Its commands write the books that `importing` and `converting` make, its pages hand out cards
    # as files; at the start it tells the catalogues where the books that lists pin are kept.
    "library": {"engine", "loading", "importing", "converting", "sheets", "books"},
    # Links to lists, and the copies that some of them lead to; the pages are those of lists.
    "sharing": {"engine", "loading", "accounts"},
    # A list's own pages show its sheet and hand it out as a file.
    "lists": {"engine", "loading", "accounts", "exchange", "sheets", "books", "sharing"},
    # Shows real lists in the templates of the builder, to those who work on the look.
    "gallery": {"engine", "loading", "lists"},
    "api": {
        "engine",
        "loading",
        "accounts",
        "exchange",
        "sheets",
        "books",
        "sharing",
        "library",
        "lists",
    },
}
#: Packages outside the standard library, for the parts that must do with few.
MAY_NEED: dict[str, set[str]] = {"engine": set(), "loading": {"jsonschema"}}
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


@pytest.mark.parametrize("part", PARTS)
def test_a_part_imports_only_what_lies_below_it(part: str) -> None:
    allowed = MAY_IMPORT[part] | {part}
    wrong = {
        (module.path, name)
        for module in modules(part)
        for name in parts_of(list(imports(module)))
        if name in PARTS and name not in allowed
    }
    assert wrong == set()


def test_importing_asks_the_loader_for_its_problems_and_its_reader_only() -> None:
    allowed = (
        "armybuilder.importing",
        "armybuilder.loading.problems",
        "armybuilder.loading.jsontext",
    )
    wrong = {
        (module.path, name)
        for module in modules("importing")
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


def test_only_management_commands_import_books_or_compare_them_with_their_sources() -> None:
    commands = "armybuilder/library/management/commands"
    using = {
        module.path
        for module in modules()
        if module.part != "importing" and "importing" in parts_of(list(imports(module)))
    }
    assert using == {
        f"{commands}/{name}.py" for name in ("import_battlescribe", "audit_catalogues")
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


def test_every_allowance_is_of_a_part_that_could_use_it() -> None:
    """A part that is gone or was renamed must not leave a hole here."""
    later = {"api"}
    assert set(PARTS) <= set(MAY_IMPORT)
    assert set(MAY_IMPORT) - set(PARTS) <= later


def test_relative_imports_are_seen_as_what_they_mean() -> None:
    text = "from . import a\nfrom ..lists import b\nfrom .c import d\nimport os.path\n"
    module = Module("armybuilder/engine/x.py", "armybuilder.engine.x", text, ast.parse(text))
    assert {"armybuilder.engine.a", "armybuilder.lists", "armybuilder.engine.c", "os.path"} <= set(
        imports(module)
    )
    assert parts_of(list(imports(module))) == {"engine", "lists"}
