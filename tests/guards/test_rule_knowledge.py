"""What a kind of rule knows is asked of the rule: nobody looks which kind it is."""

import ast
from collections.abc import Iterator

from armybuilder.engine.rulebook import rule_kinds
from tests.guards.code import Module, imports, modules

KINDS = "armybuilder.engine.kinds"
#: Files of the engine that may know kinds by name, and why.
KNOWS = {
    "armybuilder/engine/rulebook.py": "finds all kinds in their package",
}


def knowing(module: Module) -> set[str]:
    return {name for name in imports(module) if name.startswith(KINDS)}


def test_nobody_outside_of_the_engine_imports_a_kind_of_rule() -> None:
    wrong = {module.path: names for module in modules() if (names := knowing(module))}
    outside = {path for path in wrong if not path.startswith("armybuilder/engine/")}
    assert outside == set()


def test_the_engine_itself_knows_kinds_in_their_package_only() -> None:
    core = {module.path for module in modules("engine") if not module.name.startswith(KINDS)}
    knows = {module.path for module in modules("engine") if module.path in core and knowing(module)}
    assert knows == set(KNOWS)
    named = {
        name for module in modules("engine") if module.path in knows for name in knowing(module)
    }
    assert named == {KINDS}


def asked_kinds(module: Module) -> Iterator[str]:
    """Calls of `isinstance` with the class of a kind of rule, and comparisons of a rule's kind."""
    classes = {kind.__name__ for kind in rule_kinds().values()}
    for node in ast.walk(module.tree):
        place = f"{module.path}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "isinstance":
            named = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
            if named & classes and imported(module, named & classes):
                yield place
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "rule.kind":
            yield place


def imported(module: Module, names: set[str]) -> bool:
    """Whether the module has one of the names from the engine: other things may bear it too."""
    return any(
        isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("armybuilder.engine")
        and names & {alias.name for alias in node.names}
        and node.module != "armybuilder.engine.conditions"
        for node in ast.walk(module.tree)
    )


def test_nobody_asks_of_which_kind_a_rule_is() -> None:
    found = [place for module in modules() for place in asked_kinds(module)]
    assert found == []


def test_the_guard_sees_what_it_forbids() -> None:
    text = (
        "from armybuilder.engine.kinds.limit import Limit\n"
        "def f(rule):\n    return isinstance(rule, Limit) or rule.kind == 'limit'\n"
    )
    module = Module("armybuilder/lists/x.py", "armybuilder.lists.x", text, ast.parse(text))
    assert knowing(module)
    assert len(list(asked_kinds(module))) == 2
