"""What is written can be read: the contrasts of the design's colours, in light and in dark."""

import re

import pytest

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


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1


def test_every_colour_has_a_light_and_a_dark_one_and_text_its_grounds() -> None:
    names = {name for name, _light, _dark in COLOURS}
    assert names == set(re.findall(r"--([\w-]+): light-dark", CSS)), "one is not read"
    grounds = {ground for of in USES.values() for ground in of}
    assert names - set(USES) - grounds == {"line", "shade", "veil"}, "no text"
