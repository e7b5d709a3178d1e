"""Names as rules and readers compare them."""

import pytest

from armybuilder.engine.names import name_key, simple

ALIKE = (
    ("Keth O'Ruun", "KETH O’RUUN", "Keth OʼRuun", "keth o＇ruun", "Keth\u00a0O´Ruun"),
    ("Sálvia Al-Mir", "Salvia Al–Mir", "SALVIA AL‑MIR", "Salvia  al—mir", "Sa\u0301lvia Al Mir"),
    ("Vex Two", "Ｖｅｘ　Ｔｗｏ", "Vex\u200b Two", "vex\ttwo"),
    ("Straße", "STRASSE"),
    ("★", "★\ufe0f"),
)
APART = (
    ("Keth O'Ruun", "Keth O'Ruuna"),
    ("Vex ★", "Vex ☾"),
    ("...", "!!!"),
    ("कि", "का"),
    ("か", "が"),
    ("Vex 1", "Vex 2"),
)


@pytest.mark.parametrize("names", ALIKE)
def test_names_that_look_alike_are_one(names: tuple[str, ...]) -> None:
    assert len({name_key(name) for name in names}) == 1
    assert len({simple(name) for name in names}) == 1


@pytest.mark.parametrize("names", APART)
def test_other_names_stay_apart(names: tuple[str, str]) -> None:
    assert name_key(names[0]) != name_key(names[1])


def test_readers_take_letters_and_numbers_alone() -> None:
    assert simple("Bow (4+)") == simple("bow 4") == "bow 4"
    assert simple("–") == ""
    assert name_key("–") != ""
