"""Packs of lists as organisers write them: made of our own lists, for tests only."""

from collections.abc import Callable, Sequence
from functools import partial

from armybuilder.sheets.content.make import sheet_of
from tests.building.documents import value_of
from tests.exchange import neighbours
from tests.exchange.pasted import DAY, LIBRARY, text_of
from tests.sheets.papers import example

ARMIES = ("t9a-2023/the-long-table", "t9a-2023/the-princes-dragon")
ARMIES += ("t9a-2023/throne-under-the-mountain",)
PLAYERS = ("Anna “Crow” Bold", "Béla Kis", "יוסי כהן", "C. Dorn (c)", "Ewa Fox-Hill", "Finn")
SHORT = {"Highborn Elves": "HE", "Dwarven Holds": "DH", "Ogre Khans": "OK"}


def book_and_units(army: str) -> tuple[str, list[str], str]:
    """The book's name, the units' lines and the total of an example, as tournaments take it."""
    book, *units, total = text_of(example(army), "t9a", parts=frozenset()).splitlines()
    return book, units, total


#: Lists as their players type them.
BY_HAND = {
    "comma": "{player}, {book}\n{units}\n{total}",
    "short": "{player} - {short}\n{units}\nTotal: {total}",
    "two lines": "{player}\n\n{book}\n{units}\n{total} Points",
    "book first": "{book}\n{player}\n\n{units}\n\nSum: {total}",
    "no total": "{player} – {book}\n{units}",
}


def by_hand(way: str, player: str, army: str) -> str:
    book, units, total = book_and_units(army)
    named = {"player": player, "book": book, "short": SHORT[book], "total": total}
    return BY_HAND[way].format(units="\n".join(units), **named)


comma = partial(by_hand, "comma")


def new_recruit(player: str, army: str) -> str:
    sheet = sheet_of(value_of(example(army)), LIBRARY, DAY)
    return f"{player}\n\n{neighbours.new_recruit(sheet)}"


def old_world_builder(player: str, army: str) -> str:
    listed = example(army) | {"name": player}
    return neighbours.old_world_builder(sheet_of(value_of(listed), LIBRARY, DAY))


def ours(player: str, army: str) -> str:
    return text_of(example(army) | {"name": player}, "lines", parts=frozenset()).rstrip()


WAYS: dict[str, Callable[[str, str], str]] = {
    **{way: partial(by_hand, way) for way in BY_HAND},
    "new recruit": new_recruit,
    "old world builder": old_world_builder,
    "ours": ours,
}


def pack(ways: Sequence[str], number: int, between: str = "\n") -> str:
    """So many lists, each in one of the ways in turn."""
    return between.join(
        WAYS[ways[place % len(ways)]](PLAYERS[place % len(PLAYERS)], ARMIES[place % len(ARMIES)])
        for place in range(number)
    )
