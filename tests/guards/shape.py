"""Files and functions have a size one can read, say what they are for, and name no machine."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from statistics import quantiles

from armybuilder.engine.rulebook import rule_kinds
from tests.guards.code import ROOT, guard, modules, text_files

LINES_OF_A_FILE = 600
LINES_OF_A_FUNCTION = 60
#: Nine in ten functions have at most this many lines: fewer, and readers jump instead of read.
NINETIETH = (15, 30)
#: A module this small belongs to the only one that imports it...
SMALL_MODULE = 60
#: ...but for those that Django looks for by name.
NAMED_BY_DJANGO = {"__init__", "__main__", "apps", "models", "tasks", "urls"}
#: Small modules with one importer, at most: lower it when there are fewer.
SMALL_MODULES = 0
#: Private functions of at most six lines with one caller, at most: lower it when there are fewer.
ONE_CALLER = 157
#: Names of classes that Django asks for.
NAMES_OF_DJANGO = {"Command", "Meta"}
#: Names that several classes have, at most: lower it when there are fewer. Those of the kernel have
#: the names of the classes whose place they take.
SAME_NAMES = 56
#: Names that say nothing of what they hold; beyond so many lines readers have forgotten it.
VAGUE = {"told", "said", "asked", "had", "both", "one", "found"}
VAGUE_FOR_LINES = 5
#: How many of them live longer, at most: lower it when there are fewer.
VAGUE_NAMES = 195
#: Lines that each room may have. Lower a number when its room shrinks; raise none without a word
#: in the commit.
CEILINGS = {
    "": 1960,
    "accounts": 700,
    "acts": 1540,
    "admission": 920,
    "advice": 1320,
    "api": 4000,
    "authoring": 4220,
    "backup": 500,
    "battlescribe": 7300,
    "books": 700,
    "certificates": 420,
    "collection": 460,
    "comparing": 820,
    "converting": 1300,
    "editing": 1140,
    "engine": 16940,
    "events": 4560,
    "exchange": 8420,
    "games": 400,
    "housekeeping": 600,
    "jobs": 420,
    "library": 580,
    "lists": 2360,
    "loading": 5880,
    "management": 1180,
    "odds": 440,
    "packs": 400,
    "pages": 17500,
    "playing": 340,
    "printing": 540,
    "sharing": 640,
    "sheets": 10380,
    "solving": 4000,
    "takeout": 980,
    "tournament": 340,
    "uploads": 320,
    "watching": 360,
}
#: Lines by which a room may lie under its ceiling.
SLACK = 60

#: Methods that override a documented one of their base class: what goes in and out stands there.
OVERRIDES = {
    *("read", "judge", "faults", "gauge", "unchecked", "tell", "upper", "lower", "holds", "told"),
    *("lack", "excess", "parts", "army_tags", "terms", "removals", "values_for", "state_of"),
    *("wanted", "settings_asked", "doubts", "inner", "values", "card_fields"),
    *("blanks", "least_models", "slots", "top", "fitting"),
    *("of_book", "must", "sides", "text", "own_unit", "term_of"),
    *("make_bounds", "subjects", "about", "edge", "field", "selector", "culprits", "lasting"),
    *("against", "own", "members", "present", "number", "at_least", "any_of", "has_option"),
    *("is_meant", "having", "constant", "sum", "place_of", "amount", "counted", "pieces", "lacks"),
    *("matched", "worth", "crosses", "groups", "all_models", "of_collection", "measure"),
    *("constrain", "settle_in", "of_game", "literal", "has", "has_taken", "tagged", "count"),
    *(
        "among",
        "limit",
        "all_of",
        "between",
        "where",
        "choose",
        "quotient",
        "within",
        "make_trigger",
    ),
}
#: Parts whose public names must all be explained.
EXPLAINED = ("engine", "loading")
#: What a file of the project must not hold: places of one person's or one machine's.
PLACES = {
    "somebody's home folder": r"(?<![\w.])/(?:home|Users)/\w|(?<![\w/])/root/\w|\b[A-Z]:\\Users\\",
    "a private network": r"\b(?:10\.\d+|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.\d+\.\d+\b",
    "an inner host": r"\b[\w-]+\.(?:internal|intranet|corp|lan)\b",
}
#: One of these is in each of them: most files have none, and are not searched any further.
IN_PLACES = {
    "somebody's home folder": ("/home/", "/Users/", "/root/", "Users\\"),
    "a private network": ("10.", "192.168.", "172."),
    "an inner host": (".internal", ".intranet", ".corp", ".lan"),
}

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def lines_of(function: ast.AST) -> int:
    return (function.end_lineno or 0) - function.lineno + 1  # type: ignore[attr-defined]


@guard
def sizes() -> Iterator[str]:
    """No file and no function is too long to read, and few functions too short to say much."""
    lengths = []
    for module in modules():
        if len(module.lines) > LINES_OF_A_FILE:
            yield f"{module.path}: {len(module.lines)} lines, {LINES_OF_A_FILE} at most"
        for function in module.nodes(*FUNCTIONS):
            lengths.append(lines_of(function))
            if lengths[-1] > LINES_OF_A_FUNCTION:
                yield f"{module.path}: {function.name}: {lengths[-1]} lines"
    ninetieth = quantiles(lengths, n=10)[-1]
    if not NINETIETH[0] <= ninetieth <= NINETIETH[1]:
        yield f"nine in ten functions have up to {ninetieth:.0f} lines, not {NINETIETH}"


@guard
def room_ceilings() -> Iterator[str]:
    """Rooms only shrink: no room has more lines than its ceiling, which follows it down."""
    lines: Counter[str] = Counter()
    for module in modules():
        if "/migrations/" not in module.path:
            lines[module.room] += len(module.lines)
    yield from (f"{room or 'top'}: no ceiling" for room in sorted(lines.keys() - CEILINGS.keys()))
    for room, ceiling in CEILINGS.items():
        if lines[room] > ceiling:
            yield f"{room or 'top'}: {lines[room]} lines, {ceiling} at most"
        elif lines[room] < ceiling - SLACK:
            yield f"{room or 'top'}: {lines[room]} lines: lower its ceiling of {ceiling}"


def small_modules() -> list[str]:
    """Return the modules that only one other imports and that are small enough to be part of it."""
    importers: dict[str, set[str]] = {module.name: set() for module in modules()}
    for module in modules():
        for name in set(module.imports) & importers.keys() - {module.name}:
            importers[name].add(module.name)
    return [
        f"{module.path}: {len(module.lines)} lines, only for {next(iter(importers[module.name]))}"
        for module in modules()
        if len(module.lines) < SMALL_MODULE
        and len(importers[module.name]) == 1
        and PurePosixPath(module.path).stem not in NAMED_BY_DJANGO
        and not re.search("/(migrations|commands|templatetags|kinds)/", module.path)
    ]


@guard
def no_small_module_for_one() -> Iterator[str]:
    """A small module that one other imports is part of that one."""
    yield from at_most(small_modules(), SMALL_MODULES)


def one_caller() -> list[str]:
    """Return the private functions of modules that are short and named once beside themselves."""
    found = []
    for module in modules():
        names = Counter(node.id for node in module.nodes(ast.Name))
        names.update(node.attr for node in module.nodes(ast.Attribute))
        for node in module.tree.body:
            if not isinstance(node, Function) or node.decorator_list or lines_of(node) > 6:
                continue
            if node.name.startswith("_") and names[node.name] == 1:
                found.append(f"{module.path}: {node.name}")
    return found


@guard
def no_short_function_for_one() -> Iterator[str]:
    """What one caller uses in six lines is not a function."""
    yield from at_most(one_caller(), ONE_CALLER)


def vague_names() -> list[str]:
    """Return the vague names of functions that live longer than a few lines."""
    long_lived = []
    for module in modules():
        functions = list(module.nodes(*FUNCTIONS))
        lines: dict[tuple[str, int, str], list[int]] = {}
        for node in module.nodes(ast.Name, ast.arg):
            name = node.arg if isinstance(node, ast.arg) else node.id
            if name in VAGUE:
                around = [f for f in functions if f.lineno <= node.lineno <= (f.end_lineno or 0)]
                if around:
                    inner = max(around, key=lambda function: function.lineno)
                    lines.setdefault((inner.name, inner.lineno, name), []).append(node.lineno)
        long_lived += [
            f"{module.path}:{min(where)}: {function}: {name}"
            for (function, _line, name), where in lines.items()
            if max(where) - min(where) > VAGUE_FOR_LINES
        ]
    return long_lived


@guard
def names_say_what_they_hold() -> Iterator[str]:
    """A name that is in use for more than a few lines says what it holds."""
    yield from at_most(vague_names(), VAGUE_NAMES)


def at_most(found: list[str], number: int) -> Iterator[str]:
    """Yield what is found beyond a number, or that the number can be lowered."""
    if len(found) > number:
        yield from (*found, f"{len(found)}, {number} at most")
    elif len(found) < number:
        yield f"only {len(found)}: lower the {number} of tests/guards/shape.py"


def same_names() -> list[str]:
    """Return the names that several classes have."""
    homes: dict[str, list[str]] = {}
    for module in modules():
        for node in module.nodes(ast.ClassDef):
            if not node.name.startswith("_") and "/migrations/" not in module.path:
                homes.setdefault(node.name, []).append(module.path)
    return [
        f"{name}: {', '.join(paths)}"
        for name, paths in sorted(homes.items())
        if len(paths) > 1 and name not in NAMES_OF_DJANGO
    ]


@guard
def class_names_are_unique() -> Iterator[str]:
    """A class has a name of its own in the whole project."""
    yield from at_most(same_names(), SAME_NAMES)


def public_names(body: list[ast.stmt], where: str) -> Iterator[tuple[str, ast.ClassDef | Function]]:
    """Yield public functions and classes, and the public methods of public classes."""
    for node in body:
        if isinstance(node, ast.ClassDef | Function) and not node.name.startswith("_"):
            yield f"{where}: {node.name}", node
            if isinstance(node, ast.ClassDef):
                yield from public_names(node.body, f"{where}: {node.name}")


@guard
def what_it_is_for() -> Iterator[str]:
    """Every module says what it is for, and so does every public name of the core."""
    for module in modules():
        # An empty file only makes a folder a package; migrations are written by Django.
        silent = module.text.strip() and not ast.get_docstring(module.tree)
        if silent and "/migrations/" not in module.path:
            yield module.path
    kinds = {kind.__qualname__: kind.__module__ for kind in rule_kinds().values()}
    for module in (one for part in EXPLAINED for one in modules(part)):
        for where, node in public_names(module.tree.body, module.path):
            # The module of a rule kind is about its class.
            of_kind = kinds.get(node.name) == module.name
            if not (of_kind or node.name in OVERRIDES or ast.get_docstring(node)):
                yield where


@guard
def rule_kinds_have_a_module_and_a_test() -> Iterator[str]:
    """Each kind of rule has a module of its own and a test that uses it."""
    homes = Counter(kind.__module__ for kind in rule_kinds().values())
    yield from (f"{home}: {number} kinds" for home, number in homes.items() if number > 1)
    yield from (home for home in homes if not home.startswith("armybuilder.engine.kinds."))
    tests = "".join(
        file.read_text("utf-8") for file in sorted((ROOT / "tests/engine").glob("*.py"))
    )
    shown = set(re.findall(r"""\brule\(\s*"([a-z-]+)\"""", tests))
    of_every_system = {"unknown", "owned", "suggested"}  # no file names them
    yield from sorted(set(rule_kinds()) - shown ^ of_every_system)


@guard
def no_place_of_one_machine() -> Iterator[str]:
    """No file names a place of one person or one machine."""
    patterns = [(IN_PLACES[name], re.compile(place)) for name, place in PLACES.items()]
    if len(ROOT.parts) >= 3:  # else the checkout lies so high that its name may mean anything
        here = re.escape(str(ROOT)) + r"(?![\w-])|" + re.escape(str(ROOT.parent)) + r"/\w"
        patterns.append(((str(ROOT.parent),), re.compile(here)))
    for path, text in text_files():
        found = [pattern for marks, pattern in patterns if any(mark in text for mark in marks)]
        if any(pattern.search(text) for pattern in found):
            for number, line in enumerate(text.splitlines(), 1):
                if any(pattern.search(line) for pattern in found):
                    yield f"{path}:{number}: {line.strip()[:80]}"


@guard
def ignored_type_errors_have_a_reason() -> Iterator[str]:
    """What mypy is told to overlook, it is told why."""
    ignored = re.compile(r"# type: ignore(?P<code>\[[a-z-]+\])?(?P<reason>  # \w.+)?")
    for module in modules():
        for number, line in enumerate(module.lines, 1):
            match = ignored.search(line)
            if match and not (match["code"] and match["reason"]):
                yield f"{module.path}:{number}"
