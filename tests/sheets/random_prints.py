"""Random lists of all games, and random set-ups to print them with.

Units and models are named so that a reader of the page knows them again: "Unit3x" and so on.
"""

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as some

from armybuilder.sheets.content.setup import CARDS, KINDS, PAPERS, SCALES
from tests.building.documents import list_of
from tests.properties.lists import LIBRARY, own_entry, words
from tests.sheets.printed import EXAMPLES, example, long_army

Data = dict[str, Any]

#: Lists of whole armies: their units have options, which are not drawn one by one.
ARMIES = [example(name) for name in EXAMPLES if name.startswith("t9a")] + [long_army()]
WARBANDS = {
    "chainmail-2001-advanced": ["practice", "converted"],
    "chainmail-2001-basic": ["practice"],
    "chainmail-2002": ["practice", "known-cards"],
    "ddm-2008": ["practice", "known-creatures"],
    "sbh": ["profiles"],
}
CATALOGUES = {system: LIBRARY.catalogue(system, books) for system, books in WARBANDS.items()}


def mark(number: int) -> str:
    """What the name of so manieth unit of a list begins with."""
    return f"Unit{number:02}x"


def noted(number: int) -> str:
    """What the notes of so manieth unit of a list end with."""
    return f"noted{number:02}x"


@some.composite
def listed(draw: some.DrawFn, most: int = 7) -> Data:
    """A list of any game, legal or not."""
    system = draw(some.sampled_from([*WARBANDS, "t9a-2023"]))
    if system == "t9a-2023":
        document = draw(some.sampled_from(ARMIES))
        units = draw(some.lists(some.sampled_from(document["units"]), min_size=1, max_size=most))
    else:
        document = _warband(system)
        units = draw(some.lists(_entry(system), min_size=1, max_size=most))
    return document | {
        "name": draw(words),
        "notes": draw(some.just("") | some.text(max_size=80)),
        "limit": draw(some.sampled_from([100, 300, document["limit"]])),
        "units": [draw(_told(number, unit)) for number, unit in enumerate(units)],
    }


def _warband(system: str) -> Data:
    return list_of(system, WARBANDS[system], [], limit=200)


def _entry(system: str) -> some.SearchStrategy[Any]:
    catalogue = CATALOGUES[system]
    shared: Data = {
        "unit": some.sampled_from(sorted(catalogue.units)) | some.just("practice/gone"),
        "models": some.integers(1, 9),
    }
    roles = some.just([*catalogue.system.roles][:1])
    known = some.fixed_dictionaries(shared, optional={"roles": roles})
    return known | own_entry() if system == "sbh" else known


@some.composite
def _told(draw: some.DrawFn, number: int, unit: Data) -> Data:
    """The unit under a name and with notes that tell which one it is."""
    name = f"{mark(number)} {draw(some.just('') | words)}"
    notes = f"{draw(some.text(max_size=30))} {noted(number)}"
    if "profile" in unit:
        unit = unit | {"profile": unit["profile"] | {"name": name}}
    return unit | {"id": f"u{number}", "name": name, "notes": notes}


def setups(kinds: tuple[str, ...] = KINDS) -> some.SearchStrategy[Mapping[str, str]]:
    """The fields of a set-up with one of these kinds of sheet."""
    switches = ("landscape", "colour", "prices", "notes", "portraits", "backs")
    return some.fixed_dictionaries(
        {
            "kinds": some.sampled_from(kinds),
            "paper": some.sampled_from([*PAPERS]),
            "size": some.sampled_from([*SCALES]),
            "cards": some.sampled_from(CARDS),
            **dict.fromkeys(switches, some.sampled_from("01")),
        }
    )
