"""What is written can be read: the contrasts of the design's colours, in light and in dark."""

import re

import pytest

from armybuilder.pages.gallery.views import SCHEMES, TEXT, TOKENS, USES, colours, contrast, pairs

CSS = TOKENS.read_text(encoding="utf-8")


def test_a_colour_can_be_told_from_each_ground_it_stands_on() -> None:
    found = list(pairs(colours(CSS)))
    assert len(found) > 50
    poor = {"-".join(pair[:3]): (pair.contrast, pair.needs) for pair in found if not pair.enough}
    assert poor == {}


def test_contrast_is_measured_as_wcag_does() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1


def test_every_colour_has_a_light_and_a_dark_one_and_text_its_grounds() -> None:
    found = colours(CSS)
    light, dark = (found[scheme] for scheme in SCHEMES)
    assert light.keys() == dark.keys()
    written = set(re.findall(r"--([\w-]+): light-dark", CSS))
    assert light.keys() == written, "written in a way that is not read"
    grounds = {ground for of, _ in USES.values() for ground in of}
    assert set(light) - set(USES) - grounds == {"line", "shade", "veil"}, "no text"
    assert all(needs == TEXT for name, (_, needs) in USES.items() if name != "edge")
