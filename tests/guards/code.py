"""The project's own source files, found and parsed once, and the guards that look through them."""

import ast
import subprocess
from collections.abc import Callable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "armybuilder"
TEMPLATES = ROOT / "templates"

Node = TypeVar("Node", bound=ast.AST)
#: Yields a violation a time: where it is, and what is wrong.
Guard = Callable[[], Iterator[str]]
#: Every guard by its name, in the order of their files.
GUARDS: dict[str, Guard] = {}


def guard(function: Guard) -> Guard:
    """Register a function that yields violations; its docstring is the law it keeps."""
    GUARDS[function.__name__] = function
    return function


class Module:
    """A Python file: its path from the root, its dotted name, text and syntax tree."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @property
    def room(self) -> str:
        """The part of the package it belongs to: "engine", "lists", ...; "" at the top."""
        folders = self.path.split("/")[1:-1]
        return folders[0] if folders else ""

    @cached_property
    def by_type(self) -> dict[type[ast.AST], list[ast.AST]]:
        """All nodes of the tree, by their exact type."""
        nodes: dict[type[ast.AST], list[ast.AST]] = {}
        for node in ast.walk(self.tree):
            nodes.setdefault(type(node), []).append(node)
        return nodes

    def nodes(self, *types: type[Node]) -> Iterator[Node]:
        """Yield the nodes of these exact types, each type in the order of the tree."""
        for kind in types:
            yield from self.by_type.get(kind, ())  # type: ignore[misc]  # of that type

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def imports(self) -> tuple[str, ...]:
        """Dotted names of the modules it imports, wherever in the file and also relatively."""
        package = self.name.split(".")
        if not self.path.endswith("__init__.py"):
            package = package[:-1]
        names = [alias.name for node in self.nodes(ast.Import) for alias in node.names]
        for node in self.nodes(ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *(node.module.split(".") if node.module else [])])
            # "from armybuilder import lists" imports the part as well.
            names += [source, *(f"{source}.{alias.name}" for alias in node.names)]
        return tuple(names)


@cache
def modules(part: str = "") -> tuple[Module, ...]:
    """Return every module of the package, or of a folder in it, in the order of their paths."""
    if part:
        folder = f"{PACKAGE.name}/{part}/"
        return tuple(module for module in modules() if module.path.startswith(folder))
    files = sorted(PACKAGE.rglob("*.py"))
    return tuple(Module(path_of(file), file.read_text(encoding="utf-8")) for file in files)


def path_of(file: Path) -> str:
    """Return a file's path from the root."""
    return file.relative_to(ROOT).as_posix()


@cache
def templates() -> dict[str, str]:
    """Return the text of every template, by path from the root."""
    files = sorted(file for file in TEMPLATES.rglob("*.*") if file.is_file())
    return {path_of(file): file.read_text(encoding="utf-8") for file in files}


@cache
def text_files() -> tuple[tuple[str, str], ...]:
    """Return (path, text) of every text file that git holds or would hold."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    files = [(path, ROOT / path) for path in listed.stdout.split("\0") if path]
    raw = [(path, file.read_bytes()) for path, file in files if file.is_file()]
    return tuple((path, data.decode("utf-8")) for path, data in raw if b"\0" not in data)
