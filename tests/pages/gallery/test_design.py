"""The design: its colours can be read, its style sheets hold together, its gallery shows both."""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.pages.gallery.views import TOKENS, colours

CSS = TOKENS.read_text(encoding="utf-8")
COLOURS = colours(CSS)

#: What text needs at least (WCAG 2.2, 1.4.3), and what the edge of a field needs (1.4.11).
TEXT, EDGE = 4.5, 3.0
#: Grounds that any text may stand on.
GROUNDS = ("ground", "paper", "sunk")
#: Each colour of text or edges, and the grounds it stands on.
USES = {
    "ink": (*GROUNDS, "accent-ground", "ok-ground", "warn-ground", "bad-ground", "note-ground"),
    "muted": (*GROUNDS, "ok-ground", "warn-ground", "bad-ground", "note-ground"),
    "accent": (*GROUNDS, "accent-ground", "ok-ground", "warn-ground", "bad-ground"),
    "on-accent": ("accent",),
    "ok": (*GROUNDS, "ok-ground"),
    "warn": (*GROUNDS, "warn-ground"),
    "bad": (*GROUNDS, "bad-ground"),
    "note": (*GROUNDS, "note-ground"),
    "edge": ("ground", "paper"),
}


def contrast(one: str, other: str) -> float:
    """How far two colours stand apart, from 1 to 21, as WCAG measures it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [1, 2], ids=["light", "dark"])
def test_a_colour_can_be_told_from_each_ground_it_stands_on(scheme: int) -> None:
    value = {row[0]: row[scheme] for row in COLOURS}
    poor = [
        (colour, ground, measured)
        for colour, grounds in USES.items()
        for ground in grounds
        for measured in (contrast(value[colour], value[ground]),)
        if measured < (EDGE if colour == "edge" else TEXT)
    ]
    assert poor == []


def test_colours_have_enough_contrast() -> None:
    # Contrast is measured as wcag does.
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1
    # Every colour has a light and a dark one and text its grounds.
    names = {name for name, _light, _dark in COLOURS}
    assert names == set(re.findall(r"--([\w-]+): light-dark", CSS)), "one is not read"
    grounds = {ground for of in USES.values() for ground in of}
    edges = {f"hue-{game}" for game in range(6)}
    assert names - set(USES) - grounds == {"line", "shade", "veil"} | edges, "no text"


ROOT = Path(__file__).parents[3]
STYLES = sorted(TOKENS.parent.glob("*.css"))
#: Classes that no file spells out: of htmx, and those put together from a name.
MADE = re.compile(
    r"htmx-request|\w+-field|field-\w+|size-text-\w+|wide-\d+|by-\d+|space-space-\w+|scheme-\w+"
)


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


def test_every_class_that_has_a_style_stands_on_some_page() -> None:
    words = set(re.findall(r"[a-z][\w-]*", written()))
    unused = {}
    for file in STYLES:
        selectors = re.findall(r"[^{}]+(?=\{)", rules(file.read_text(encoding="utf-8")))
        classes = set(re.findall(r"\.([a-z][\w-]*)", " ".join(selectors)))
        unused[file.name] = sorted(name for name in classes - words if not MADE.fullmatch(name))
    assert {name: found for name, found in unused.items() if found} == {}


def test_styles_are_defined_linked_and_in_one_place() -> None:
    # Styles use only properties that are defined.
    texts = {file.name: rules(file.read_text(encoding="utf-8")) for file in STYLES}
    defined = {name for text in texts.values() for name in re.findall(r"(--[\w-]+):", text)}
    for file, text in texts.items():
        used = set(re.findall(r"var\((--[\w-]+)\)", text))  # one with a fallback may be missing
        assert used <= defined, file
    # Colours are written in one place.
    for file in STYLES:
        if file != TOKENS:
            text = rules(file.read_text(encoding="utf-8"))
            screen = re.split(r"@media (?:\(forced-colors|print)", text)[0]
            assert not re.findall(r"#[0-9a-f]{3,8}\b(?=[;, )])", screen), file.name
    # Every style sheet of ours is linked.
    linked = set(re.findall(r"armybuilder/css/([\w-]+\.css)", written()))
    for name in sorted(linked):
        text = (TOKENS.parent / name).read_text(encoding="utf-8")
        linked |= set(re.findall(r'@import "\./([\w-]+\.css)";', text))
    assert linked == {file.name for file in STYLES}


def test_components_show_in_light_and_in_dark_while_debugging(
    client: Client, db: None, settings
) -> None:
    assert client.get(reverse("gallery")).status_code == 404
    settings.DEBUG = True
    response = client.get(reverse("gallery"))
    assert response.status_code == 200
    assert response.context["schemes"] == ("light", "dark")
    severities = [finding.severity for finding in response.context["tellings"]]
    assert severities == ["error", "warning", "note"]
