"""What the documents say is there is there: links lead somewhere, named files exist."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.core.management import get_commands

from tests.guards.code import PACKAGE, ROOT, guard, modules, path_of, text_files

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "catalogs/README.md"])
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#([^)\s]+))?\)")
FILE = re.compile(r"`([\w./-]+\.(?:py|html|css|js))`")
#: Lines that a document has at most: what, run, test, and where to read on; what is new.
SHORT = {"README.md": 60}


def anchors(file: Path) -> set[str]:
    """Return the anchors of a document's headings."""
    heads = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@guard
def links_lead_somewhere() -> Iterator[str]:
    """Every link of a document leads somewhere, and some documents are short."""
    for document in DOCUMENTS:
        for target, anchor in LINK.findall(document.read_text("utf-8")):
            file = (document.parent / target).resolve()
            if not file.exists() or (anchor and anchor not in anchors(file)):
                yield f"{path_of(document)}: {target}#{anchor}"
    for name, lines in SHORT.items():
        if len((ROOT / name).read_text("utf-8").splitlines()) > lines:
            yield f"{name}: more than {lines} lines"


@guard
def named_files_exist() -> Iterator[str]:
    """Every file that a document or a docstring names exists."""
    parts = [path.split("/") for path, _ in text_files()]
    ends = {"/".join(one[place:]) for one in parts for place in range(len(one))}
    for document in DOCUMENTS:
        if document.name != "CHANGELOG.md":  # it tells of what was
            for name in FILE.findall(document.read_text("utf-8")):
                if name not in ends:
                    yield f"{path_of(document)}: {name}"
    for module in modules():
        for name in re.findall(r"`(?:[\w./]*/)?(\w+\.py)`", module.text):
            if name not in ends:
                yield f"{module.path}: {name}"


@guard
def commands_are_documented() -> Iterator[str]:
    """docs/operating.md names every command with its options."""
    operating = (ROOT / "docs/operating.md").read_text("utf-8").partition("\n## Commands\n")[2]
    for file in sorted(PACKAGE.glob("management/commands/[a-z]*.py")):
        match = re.search(rf"^\| `{file.stem}\b.*", operating, re.M)
        named = set(re.findall(r"(?<![\w-])--[a-z-]+", match[0] if match else ""))
        options = set(re.findall(r'"(--[a-z-]+)"', file.read_text("utf-8"))) - {"--output"}
        if not match or options - named:
            yield f"{file.stem}: {' '.join(sorted(options - named)) or 'not there'}"


@guard
def named_commands_exist() -> Iterator[str]:
    """Every target of make, command and module that a document calls is there."""
    others = ROOT.glob("packages/*/*/management/commands/[a-z]*.py")
    targets = re.search(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.M)
    known = {
        r"^[` $]*make ([a-z]+)": set(targets[1].split() if targets else ()),
        r"manage\.py ([a-z_]+)": {*get_commands(), *(file.stem for file in others)},
        r"python -m (tests[\w.]*)": {
            path.removesuffix(".py").removesuffix("/__main__").replace("/", ".")
            for path, _ in text_files()
        },
    }
    for document in DOCUMENTS:
        code = re.findall(r"`[^`]+`|^(?: {4}|\$ ).*$", document.read_text("utf-8"), re.M)
        for pattern, names in known.items():
            for name in re.findall(pattern, "\n".join(code), re.M):
                if name not in names:
                    yield f"{path_of(document)}: {name}"
