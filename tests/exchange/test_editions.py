"""Texts that name a book which several games have: the year, the units, the points tell which."""

import pytest

from armybuilder.exchange.pasting import game_in, read_text
from tests.exchange.pasted import LIBRARY

#: What these cost in the books of 2023; those of 2024 have other prices.
UNITS = "235 - High Prince, General\n150 - 10 Citizen Archers\n"


@pytest.mark.parametrize(
    ("text", "system"),
    [
        (f"Highborn Elves\n{UNITS}", "t9a-2023"),
        (f"Highborn Elves 2024\n{UNITS}", "t9a-2024"),
        (f"The Ninth Age 2024\nHighborn Elves\n{UNITS}", "t9a-2024"),
        (f"Highborn Elves 2023 Beta 2\n{UNITS.replace('235', '231')}", "t9a-2023"),
        ("Highborn Elves\nHigh Prince, General\n10 Citizen Archers\n", "t9a-2024"),
        ("High Prince, General\n10 Citizen Archers\n20 Citizen Spears\n", "t9a-2024"),
        ("Orcs and Goblins\n300 - Orc Shaman, Master\n250 - Orcs, 5×5\n", "essence-of-war"),
        ("Orcs and Goblins\n130 - Goblin Wolf Raiders\n", "essence-of-war"),
        ("Essence of War\nOrcs and Goblins\n300 - Orc Shaman, Master\n", "essence-of-war"),
    ],
)
def test_the_game_is_the_one_that_the_text_means(text: str, system: str) -> None:
    assert read_text(text, LIBRARY).system == system
    assert game_in(text, LIBRARY).system == system


def test_a_chosen_game_stays() -> None:
    read = read_text(f"Highborn Elves 2024\n{UNITS}", LIBRARY, "t9a-2023", ("highborn-elves",))
    assert (read.system, read.books) == ("t9a-2023", ("highborn-elves",))
