"""Style sheets hold together: what they name is there, and what is there is linked and used."""

import re
from pathlib import Path

from armybuilder.pages.gallery.views import TOKENS

ROOT = Path(__file__).parents[3]
STYLES = sorted(TOKENS.parent.glob("*.css"))
#: Classes that no file spells out: of htmx, and those put together from a name.
MADE = re.compile(r"htmx-request|\w+-field|field-\w+|size-text-\w+|space-space-\w+|scheme-\w+")


def written() -> str:
    """Everything that may write a class into a page."""
    files = [
        *(ROOT / "templates").rglob("*.html"),
        *(ROOT / "armybuilder").rglob("*.py"),
        *(ROOT / "armybuilder" / "static" / "armybuilder").rglob("*.js"),
    ]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def rules(css: str) -> str:
    """A style sheet without its comments."""
    return re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)


def test_styles_use_only_properties_that_are_defined() -> None:
    texts = {file.name: rules(file.read_text(encoding="utf-8")) for file in STYLES}
    defined = {name for text in texts.values() for name in re.findall(r"(--[\w-]+):", text)}
    for file, text in texts.items():
        used = set(re.findall(r"var\((--[\w-]+)\)", text))  # one with a fallback may be missing
        assert used <= defined, file


def test_colours_are_written_in_one_place() -> None:
    for file in STYLES:
        if file != TOKENS:
            text = rules(file.read_text(encoding="utf-8"))
            screen = re.split(r"@media (?:\(forced-colors|print)", text)[0]
            assert not re.findall(r"#[0-9a-f]{3,8}\b(?=[;, )])", screen), file.name


def test_every_class_that_has_a_style_stands_on_some_page() -> None:
    words = set(re.findall(r"[a-z][\w-]*", written()))
    unused = {}
    for file in STYLES:
        selectors = re.findall(r"[^{}]+(?=\{)", rules(file.read_text(encoding="utf-8")))
        classes = set(re.findall(r"\.([a-z][\w-]*)", " ".join(selectors)))
        unused[file.name] = sorted(name for name in classes - words if not MADE.fullmatch(name))
    assert {name: found for name, found in unused.items() if found} == {}


def test_every_style_sheet_of_ours_is_linked() -> None:
    linked = set(re.findall(r"armybuilder/css/([\w-]+\.css)", written()))
    for name in sorted(linked):
        text = (TOKENS.parent / name).read_text(encoding="utf-8")
        linked |= set(re.findall(r'@import "\./([\w-]+\.css)";', text))
    assert linked == {file.name for file in STYLES}
