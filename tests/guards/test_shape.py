"""Files and functions stay small, say what they are for, and name no machine."""

import ast
import re
from collections.abc import Iterator

import pytest

from armybuilder.engine.rulebook import rule_kinds
from tests.guards.code import ROOT, modules, text_files

LINES_OF_A_FILE = 600
LINES_OF_A_FUNCTION = 60
#: Longer ones, by path or "path: function", and why they are.
LONG: dict[str, str] = {}

#: Methods that override a documented one of their base class: what goes in and out stands there.
OVERRIDES = {
    *("read", "judge", "faults", "gauge", "unchecked", "tell", "upper", "lower"),
    *("holds", "told", "lack", "excess", "parts", "army_tags"),
    *(
        "terms",
        "removals",
        "values_for",
        "state_of",
        "wanted",
        "settings_asked",
        "doubts",
        "inner",
        "values",
    ),
    *("commands", "needed", "card_fields", "blanks", "least_models", "items", "most_of", "slots"),
    *("top", "fitting", "pieces_for", "is_budget", "wants_some", "of_book", "must", "sides"),
    *("text", "own_unit", "term_of"),
    *("constrain", "in_space", "holds_in", "told_in", "settle_in", "of_game"),
}
#: Parts whose public names must all be explained.
EXPLAINED = ("engine", "loading")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def long_things() -> Iterator[str]:
    for module in modules():
        if len(module.text.splitlines()) > LINES_OF_A_FILE:
            yield module.path
        for node in ast.walk(module.tree):
            if isinstance(node, Function):
                lines = (node.end_lineno or node.lineno) - node.lineno + 1
                if lines > LINES_OF_A_FUNCTION:
                    yield f"{module.path}: {node.name}"


def test_what_is_long_says_why() -> None:
    found = set(long_things())
    assert found - set(LONG) == set(), "shorten it, or list it with its reason"
    assert set(LONG) - found == set(), "no longer long: take it off the list"
    assert all(LONG.values())


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        module.path
        for module in modules()
        if not ast.get_docstring(module.tree)
        and module.text.strip()  # an empty file only makes a folder a package
        and "/migrations/" not in module.path  # written by Django
    ]
    assert silent == []


def public_names(body: list[ast.stmt], where: str) -> Iterator[tuple[str, ast.ClassDef | Function]]:
    """Public functions and classes, and the public methods of public classes."""
    for node in body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            yield f"{where}: {node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from public_names(node.body, f"{where}: {node.name}")


@pytest.mark.parametrize("part", EXPLAINED)
def test_every_public_name_of_the_core_is_explained(part: str) -> None:
    kinds = {kind.__qualname__: kind.__module__ for kind in rule_kinds().values()}
    silent = [
        where
        for module in modules(part)
        for where, node in public_names(module.tree.body, module.path)
        if not ast.get_docstring(node)
        and node.name not in OVERRIDES
        and kinds.get(node.name) != module.name  # the module of a rule kind is about its class
    ]
    assert silent == []


def test_each_rule_kind_has_a_module_of_its_own_and_a_test() -> None:
    homes = [kind.__module__ for kind in rule_kinds().values()]
    assert len(set(homes)) == len(homes)
    assert all(home.startswith("armybuilder.engine.kinds.") for home in homes)
    tests = "".join(
        file.read_text("utf-8") for file in sorted((ROOT / "tests/engine").glob("*.py"))
    )
    shown = set(re.findall(r"""\brule\(\s*"([a-z-]+)\"""", tests))
    of_every_system = {"unknown", "owned", "suggested"}  # no file names them
    assert set(rule_kinds()) - shown == of_every_system


#: What a file of the project must not hold: places of one person's or one machine's.
PLACES = {
    "somebody's home folder": r"(?<![\w.])/(?:home|Users)/\w|(?<![\w/])/root/\w|\b[A-Z]:\\Users\\",
    "a private network": r"\b(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+\b",
    "an inner host": r"\b[\w-]+\.(?:internal|intranet|corp|lan)\b",
    "the folder of this checkout": re.escape(str(ROOT)) + r"(?![\w-])",
    "a neighbour of this checkout": re.escape(str(ROOT.parent)) + r"/\w",
}


@pytest.mark.parametrize("place", PLACES)
def test_no_file_names_a_place_of_one_machine(place: str) -> None:
    if "checkout" in place and len(ROOT.parts) < 3:
        pytest.skip("the checkout lies so high that its name may mean anything")
    pattern = re.compile(PLACES[place])
    found = [
        f"{path}:{number}: {line.strip()[:80]}"
        for path, text in text_files()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("somebody's home folder", "see /ho" + "me/ann/list.json"),
        ("somebody's home folder", "cd /ro" + "ot/x"),
        ("a private network", "http://192.16" + "8.0.7:8000"),
        ("an inner host", "http://git.inter" + "nal/x"),
        ("the folder of this checkout", f"cd {ROOT}"),
        ("a neighbour of this checkout", f"{ROOT.parent}/other"),
    ],
)
def test_the_patterns_find_what_they_are_for(place: str, line: str) -> None:
    assert re.search(PLACES[place], line)
