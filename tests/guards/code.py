"""The project's own source files, found and parsed, for guards to look through."""

import ast
import subprocess
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "armybuilder"


class Module(NamedTuple):
    """A Python file: its path from the root, its dotted name, text and syntax tree."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def part(self) -> str:
        """The part of the package it belongs to: "engine", "lists", ...; "" at the top."""
        names = self.name.split(".")
        is_file_at_the_top = len(names) == 2 and not (PACKAGE / names[1]).is_dir()
        return "" if len(names) == 1 or is_file_at_the_top else names[1]


@cache
def modules(part: str = "") -> tuple[Module, ...]:
    """Every module of the package, or of one part of it, in the order of their paths. Each file is
    parsed once in a test run.
    """
    if part:
        folder = f"{PACKAGE.name}/{part}/"
        return tuple(module for module in modules() if module.path.startswith(folder))
    return tuple(_parsed(file) for file in sorted(PACKAGE.rglob("*.py")))


def _parsed(file: Path) -> Module:
    path = file.relative_to(ROOT)
    names = [*path.parent.parts, *([] if path.stem == "__init__" else [path.stem])]
    text = file.read_text(encoding="utf-8")
    return Module(path.as_posix(), ".".join(names), text, ast.parse(text))


@cache
def imports(module: Module) -> tuple[str, ...]:
    """Dotted names of the modules it imports, wherever in the file and also relatively."""
    found = []
    package = module.name.split(".")
    if not module.path.endswith("__init__.py"):
        package = package[:-1]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *(node.module.split(".") if node.module else [])])
            # "from armybuilder import lists" imports the part as well.
            found += [source, *(f"{source}.{alias.name}" for alias in node.names)]
    return tuple(found)


@cache
def text_files() -> tuple[tuple[str, str], ...]:
    """(path, text) of every text file that git holds or would hold; skips where git is not."""
    asked = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(asked, cwd=ROOT, capture_output=True, check=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    files = [(path, ROOT / path) for path in listed.stdout.split("\0") if path]
    raw = [(path, file.read_bytes()) for path, file in files if file.is_file()]
    return tuple((path, data.decode("utf-8")) for path, data in raw if b"\0" not in data)
