"""One story for every game: from an empty list over a broken rule to the sheet on the table. It is
told with many hands, in a real browser and without script.
"""

from typing import NamedTuple

from armybuilder.loading.library import shipped_library


class Story(NamedTuple):
    """What is played: `units` that go together, and one that `breaks` a rule, told in a `finding`.
    `answers` are buttons that settle it and what is left, with what is said then; `choices` what
    the game asks for beside units: the setting, what is chosen, and what is said. `ends` is how the
    verdict begins in the end.
    """

    system: str
    size: int
    units: tuple[str, ...]
    breaks: str
    finding: str
    answers: tuple[tuple[str, str], ...]
    choices: tuple[tuple[str, str, str], ...] = ()
    book: str = ""
    ends: str = "Legal"

    @property
    def name(self) -> str:
        """What the list is called in the end."""
        return f"Of {self.units[0]} & friends"

    @property
    def game(self) -> str:
        """The name of the game on screen."""
        return shipped_library().system(self.system).name


HILL = ("terrain", "Hill", "Added Hill.")

STORIES = (
    Story(
        "sbh",
        200,
        ("Human Leader", "Human Warrior"),
        "Human Infantry Leader",
        "Personalities cost 130 points",
        (("Remove Human Infantry Leader (70 points)", "Removed Human Infantry Leader."),),
    ),
    Story(
        "chainmail-2002",
        100,
        ("Captain of the Silver Reed",),
        "Foundry Reeve Haldra",
        "Mordengard and Ravilla tie for command points",
        (("Choose Ravilla", "Changed faction on a tie."),),
        (HILL, HILL, HILL),
    ),
    Story(
        "chainmail-2001-basic",
        100,
        ("Bannerlady Oresta",),
        "Pack-Mother of the Red Dunes",
        "Good and evil models can’t be in the same warband",
        (("Remove Pack-Mother of the Red Dunes", "Removed Pack-Mother of the Red Dunes."),),
        (HILL, HILL),
    ),
    Story(
        "chainmail-2001-advanced",
        50,
        ("Captain of the Silver Reed",),
        "Captain of the Silver Reed",
        "12 over the limit of 50",
        (
            (
                "Remove one Captain of the Silver Reed (31 points less)",
                "1 × Captain of the Silver Reed.",
            ),
        ),
        ends="1 to do",
    ),
    Story(
        "ddm-2008",
        100,
        ("Toll-Gate Halberdier", "Odile, Ford Marshal"),
        "Odile, Ford Marshal",
        "Odile is Unique, but the list has 2",
        (
            ("Remove one Odile, Ford Marshal", "1 × Odile, Ford Marshal."),
            ("Choose Civilization", "Changed faction."),
        ),
        (("map", "Crossroads", "Changed battle map."),),
    ),
    Story(
        "t9a-2023",
        840,
        ("High Prince", "Citizen Spears", "Sword Masters", "Lion Chariot"),
        "Sea Guard Reaper",
        "Naval Ordnance: 190 points, 64 over the limit of 126",
        (
            ("Remove Sea Guard Reaper (190 points)", "Removed Sea Guard Reaper."),
            ("Make High Prince the General", "High Prince: general."),
        ),
        book="Highborn Elves",
    ),
)
