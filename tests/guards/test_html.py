"""HTML is made in templates, or by `armybuilder.html`, which escapes: by no other way."""

import ast
import re
from collections.abc import Iterator

from tests.guards.code import ROOT, Module, imports, modules

#: Where Python makes HTML.
DOOR = "armybuilder/html.py"
#: What would make HTML of a text as it stands, or of a shape that nobody looks at.
MARKS = {"SafeString", "SafeText", "mark_safe", "format_html", "format_html_join", "html_safe"}
#: Templates that switch escaping off, and why.
UNESCAPED: dict[str, str] = {}
#: Mails are plain text, in which nothing is escaped.
MAILS = "templates/account/email/"
#: Templates with an icon of their own, and why it is none of those that every page has.
OWN_ICONS = {
    "templates/sheets/_army.html": "the flag of units that score stands on sheets only",
}


def marked(module: Module) -> Iterator[str]:
    """Names by which a module would make HTML of text."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.ImportFrom):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute):
            yield node.attr


def test_only_the_door_makes_html_of_text() -> None:
    found = {module.path for module in modules() if MARKS & set(marked(module))}
    assert found <= {DOOR}
    made = {
        f"{module.path}:{node.lineno}"
        for module in modules()
        if module.path != DOOR
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and name_of(node.func) == "Html"
    }
    assert made == set()


def name_of(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def test_shapes_are_texts_of_the_source() -> None:
    """`fill` takes its shape as it stands: nothing may have come into that before."""
    wrong = [
        f"{module.path}:{node.lineno}"
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call)
        and name_of(node.func) == "fill"
        and "armybuilder.html" in imports(module)
        and not is_text(node.args[0], module)
    ]
    assert wrong == []


def is_text(shape: ast.expr, module: Module) -> bool:
    """Whether it is a plain text, or a name of the module for one."""
    if isinstance(shape, ast.Constant):
        return True
    named = {
        target.id: node.value
        for node in module.tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return isinstance(shape, ast.Name) and isinstance(named.get(shape.id), ast.Constant)


def templates() -> dict[str, str]:
    files = sorted((ROOT / "templates").rglob("*.*"))
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def test_templates_escape() -> None:
    switch = re.compile(r"\|\s*safe\b|\|\s*safeseq\b|{%\s*autoescape\s+off")
    found = {path for path, text in templates().items() if switch.search(text)}
    assert {path for path in found if not path.startswith(MAILS)} == set(UNESCAPED)
    assert all(path.endswith(".txt") for path in found if path.startswith(MAILS))


def test_icons_are_drawn_by_their_tag() -> None:
    drawn = re.compile(r'<svg[^>]*class="icon|<use\b')
    found = {path for path, text in templates().items() if drawn.search(text)}
    assert found == set(OWN_ICONS)
    written = [module.path for module in modules() if drawn.search(module.text)]
    assert written == [DOOR]


def test_every_icon_that_is_named_is_there() -> None:
    sprite = set(re.findall(r'" "i-([\w-]+)"', templates()["templates/icons.html"]))
    named = {
        name for text in templates().values() for name in re.findall(r'{% icon "([\w-]+)"', text)
    }
    for module in modules():
        named |= set(re.findall(r'\bicon\("([\w-]+)"', module.text))
    assert named <= sprite
