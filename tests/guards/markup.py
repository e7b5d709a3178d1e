"""HTML is made in templates, or by `armybuilder.html`, which escapes: by no other way."""

import ast
import re
from collections.abc import Iterator

from tests.guards.code import Module, guard, modules, templates

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
    "templates/sheets/_unit.html": "the flag of units that score stands on sheets only",
}
#: The longest line of a template that a space could break.
LONGEST = 120
#: What cannot be broken: Django's tags, and values of attributes.
WHOLE = re.compile(r"{%.*?%}|{{.*?}}|{#.*?#}")
VALUE = re.compile(r"""="[^"]*"|='[^']*'""")


def name_of(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", ""))


def made_elsewhere(module: Module) -> Iterator[str]:
    """Yield where a module makes HTML of text by another way than the door's."""
    names = [alias.name for node in module.nodes(ast.ImportFrom) for alias in node.names]
    names += [node.attr for node in module.nodes(ast.Attribute)]
    yield from (f"{module.path}: {name}" for name in sorted(MARKS & set(names)))
    texts = {
        target.id
        for node in module.tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in module.nodes(ast.Call):
        if name_of(call.func) == "Html":
            yield f"{module.path}:{call.lineno}: makes Html itself"
        # `fill` takes its shape as it stands: nothing may have come into that before.
        if name_of(call.func) == "fill" and "armybuilder.html" in module.imports:
            shape = call.args[0]
            if not isinstance(shape, ast.Constant) and getattr(shape, "id", "") not in texts:
                yield f"{module.path}:{call.lineno}: fills a shape that is no text of the source"


@guard
def only_the_door_makes_html() -> Iterator[str]:
    """Only armybuilder/html.py makes HTML of text, and only of shapes that the source holds."""
    for module in modules():
        if module.path != DOOR:
            yield from made_elsewhere(module)


@guard
def templates_escape() -> Iterator[str]:
    """Templates escape, but for plain text and the exceptions."""
    switch = re.compile(r"\|\s*safe\b|\|\s*safeseq\b|{%\s*autoescape\s+off")
    found = {path for path, text in templates().items() if switch.search(text)}
    mails = {path for path in found if path.startswith(MAILS)}
    yield from sorted((found - mails) ^ UNESCAPED.keys())
    yield from (path for path in mails if not path.endswith(".txt"))


@guard
def icons() -> Iterator[str]:
    """Icons are drawn by their tag, and every icon that is named is there."""
    drawn = re.compile(r'<svg[^>]*class="icon|<use\b')
    found = {path for path, text in templates().items() if drawn.search(text)}
    found |= {module.path for module in modules() if drawn.search(module.text)}
    yield from sorted(found ^ {DOOR, *OWN_ICONS})
    sprite = set(re.findall(r'" "i-([\w-]+)"', templates()["templates/icons.html"]))
    named = {
        one for text in templates().values() for one in re.findall(r'{% icon "([\w-]+)"', text)
    }
    for module in modules():
        named |= set(re.findall(r'\bicon\("([\w-]+)"', module.text))
    yield from (f"icon {name} is not there" for name in sorted(named - sprite))


def can_be_broken(line: str) -> bool:
    """Whether a line has a space, within the length it may have, that may as well be a new line."""
    for pattern in (WHOLE, VALUE):
        line = pattern.sub(lambda match: "x" * len(match[0]), line)
    return " " in line[:LONGEST].strip()


@guard
def template_lines_are_short() -> Iterator[str]:
    """Lines of templates are broken where a space allows it; djhtml indents them."""
    for path, text in templates().items():
        if path.endswith(".html"):
            for number, line in enumerate(text.splitlines(), 1):
                if len(line) > LONGEST and can_be_broken(line):
                    yield f"{path}:{number}"
