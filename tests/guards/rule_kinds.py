"""What a kind of rule knows is asked of the rule: nobody looks which kind it is."""

import ast
from collections.abc import Iterator

from armybuilder.engine.rulebook import rule_kinds
from tests.guards.code import Module, guard, modules

KINDS = "armybuilder.engine.kinds"
#: Files of the engine that may know the package of kinds, and why.
KNOWS = {"armybuilder/engine/rulebook.py": "finds all kinds in their package"}


def known_kinds(module: Module) -> set[str]:
    """Return what a module imports of the kinds of rules."""
    return {name for name in module.imports if name.startswith(KINDS)}


def kind_questions(module: Module) -> Iterator[str]:
    """Yield `isinstance` with the class of a kind of rule, and comparisons of a rule's kind."""
    classes = {kind.__name__ for kind in rule_kinds().values()}
    # Other things than kinds of rules may bear such a name.
    classes &= {
        alias.name
        for node in module.nodes(ast.ImportFrom)
        if (node.module or "").startswith("armybuilder.engine")
        and node.module != "armybuilder.engine.conditions"
        for alias in node.names
    }
    for call in module.nodes(ast.Call):
        if classes and getattr(call.func, "id", "") == "isinstance":
            asked = {name.id for name in ast.walk(call.args[1]) if isinstance(name, ast.Name)}
            yield from (f"{module.path}:{call.lineno}: {name}" for name in classes & asked)
    for node in module.nodes(ast.Attribute):
        if node.attr == "kind" and ast.unparse(node) == "rule.kind":
            yield f"{module.path}:{node.lineno}: rule.kind"


@guard
def nobody_asks_for_the_kind_of_a_rule() -> Iterator[str]:
    """Nobody imports a kind of rule but its package, and nobody asks which kind a rule is."""
    for module in modules():
        if not module.name.startswith(KINDS):
            names = known_kinds(module)
            if names and (module.path not in KNOWS or names != {KINDS}):
                yield f"{module.path}: imports {', '.join(sorted(names))}"
        yield from kind_questions(module)
