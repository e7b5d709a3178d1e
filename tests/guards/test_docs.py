"""What the documents say is there is there: links lead somewhere, named files exist."""

import re
from pathlib import Path

import pytest

from tests.guards.code import PACKAGE, ROOT, text_files

DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), ROOT / "catalogs/README.md"])
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#([^)\s]+))?\)")
FILE = re.compile(r"`([\w./-]+\.(?:py|html|css|js))`")
#: Lines that the README has at most: what, run, test, and where to read on.
SHORT = 90


def anchors(file: Path) -> set[str]:
    """The anchors of a document's headings."""
    heads = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(document: Path) -> None:
    for target, anchor in LINK.findall(document.read_text("utf-8")):
        file = (document.parent / target).resolve()
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), f"{target}#{anchor}"


#: A changelog tells of what was.
OF_NOW = [document for document in DOCUMENTS if document.name != "CHANGELOG.md"]


@pytest.mark.parametrize("document", OF_NOW, ids=lambda path: path.name)
def test_every_file_that_is_named_exists(document: Path) -> None:
    known = {path for path, _ in text_files()}
    for name in FILE.findall(document.read_text("utf-8")):
        assert any(path == name or path.endswith(f"/{name}") for path in known), name


COMMANDS = sorted(PACKAGE.glob("management/commands/[a-z]*.py"))


@pytest.mark.parametrize("command", COMMANDS, ids=lambda path: path.stem)
def test_every_command_is_told_with_its_options(command: Path) -> None:
    told = (ROOT / "docs/operating.md").read_text("utf-8").partition("\n## Commands\n")[2]
    own = re.search(rf"manage\.py {command.stem}\b.*?(?=\n    manage\.py|\n\n|\Z)", told, re.S)
    assert own, "not told"
    named = set(re.findall(r"(?<![\w-])--[a-z-]+", own[0]))
    options = set(re.findall(r'"(--[a-z-]+)"', command.read_text("utf-8")))
    assert options - {"--output"} <= named


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= SHORT


def test_every_file_that_a_docstring_names_exists() -> None:
    known = {path.name for path in [*ROOT.glob("tests/**/*.py"), *PACKAGE.rglob("*.py")]}
    wrong = [
        (file.relative_to(ROOT).as_posix(), name)
        for file in sorted(PACKAGE.rglob("*.py"))
        for name in re.findall(r"`(?:[\w./]*/)?(\w+\.py)`", file.read_text("utf-8"))
        if name not in known
    ]
    assert wrong == []
