"""Barge Wars, a game invented for tests, as BattleScribe files: a game system, two books, and a
library that both draw from.
"""

from pathlib import Path

from armybuilder.battlescribe.books import read_sources
from armybuilder.battlescribe.games import GameImport, make_game
from tests.building.battlescribe import (
    POINTS,
    SYSTEM_ID,
    categorised,
    change,
    entry,
    force,
    group,
    group_of,
    limit,
    link,
    models,
    price,
    profile,
    rule_link,
    when,
)

CREWS = "dddd-0000-0000-0011"
ENGINES = "dddd-0000-0000-0012"
PILOT = "9999-0000-0000-0011"
LAMP = "9999-0000-0000-0012"
LIBRARY = "bbbb-0000-0000-0012"
HULL = "hull-type"

CATEGORIES = {CREWS: "Crews", ENGINES: "Engines"}


def game(*more: str, cost: str = "coins", limited: str = "400.0") -> str:
    """Return the game system: coins, two categories, and one force with their bounds."""
    hulls = (
        f'<profileType id="{HULL}" name="Hull"><characteristicTypes>'
        '<characteristicType id="Planks" name="Planks"/>'
        '<characteristicType id="Top Speed" name="Top Speed"/>'
        "</characteristicTypes></profileType>"
    )
    entries = [f'<categoryEntry id="{id_}" name="{name}" hidden="false"/>'
               for id_, name in CATEGORIES.items()]  # fmt: skip
    fleet = force(
        "Fleet",
        categorised(
            CREWS, "false", limit("min", 30.0, "roster", "share"), limit("min", 1, "force")
        ),
        categorised(
            ENGINES, "false", limit("max", 25.0, "roster", "share"), limit("max", 2, "force")
        ),
    )
    costs = f'<costType id="{POINTS}" name="{cost}" defaultCostLimit="{limited}"/>'
    inner = [
        group_of("costTypes", [costs]),
        f"<profileTypes>{hulls}</profileTypes>",
        group_of("categoryEntries", entries),
        group_of("forceEntries", [fleet]),
        *more,
    ]
    return (
        f'<gameSystem id="{SYSTEM_ID}" name="Barge Wars" revision="4" battleScribeVersion="2.03"'
        f' type="gameSystem">{"".join(inner)}</gameSystem>'
    )


def book(
    name: str, *units: str, id_: str = "bbbb-0000-0000-0011", more: str = "", library: str = "false"
) -> str:
    """Return a catalogue of the game that says no force of its own."""
    return (
        f'<catalogue id="{id_}" name="{name}" revision="2" library="{library}"'
        f' battleScribeVersion="2.03" gameSystemId="{SYSTEM_ID}" gameSystemRevision="4">'
        f"{group_of('selectionEntries', list(units))}{more}</catalogue>"
    )


def crew(name: str, *parts: str, category: str = CREWS, id_: str = "") -> str:
    """Return a unit with a hull."""
    hull = profile(name, HULL, {"Planks": "4", "Top Speed": '12"'})
    return entry(name, categorised(category, "true"), hull, *parts, type_="unit", id_=id_)


def reeds() -> str:
    """Return a book whose units take oars, lamps and pennants."""
    oars = group(
        "Oars", limit("min", 1), limit("max", 1),
        entry("Short oars", limit("max", 1)), entry("Long oars", limit("max", 1), price(12)),
    )  # fmt: skip
    lamp = link(LAMP, "Lamp", limit("max", 1))
    dry = change("set", "hidden", "true", when(LAMP, "atLeast", 1))
    pennant = entry("Pennant", limit("max", 1), limit("max", 2, "roster"), price(5), dry)
    rowers = crew("Rowers", models(4, 12, 9, rule_link("Steady")), oars, lamp, pennant)
    ram = crew("Ram", price(60), limit("max", 1, "roster"), category=ENGINES)
    pole = crew("Pole-bearers", models(3, 8, 11), lamp)
    links = group_of(
        "entryLinks", [link(PILOT, "Pilot", categorised(CREWS, "true"), limit("max", 1, "force"))]
    )
    return book("Reed Folk", rowers, ram, pole, more=links + linked())


def stones() -> str:
    """Return a second book."""
    quarry = crew("Quarrymen", models(5, 10, 10), link(LAMP, "Lamp", limit("max", 1)))
    sling = crew("Sling", price(45), category=ENGINES)
    masons = crew("Masons", models(2, 6, 13), entry("Chisels", limit("max", 1), price(7)))
    return book("Stone Guild", quarry, masons, sling, id_="bbbb-0000-0000-0013", more=linked())


def library() -> str:
    """Return what both books draw from."""
    lamp = entry("Lamp", price(4), id_=LAMP)
    pilot = crew("Pilot", price(35), entry("Chart", limit("max", 1), price(6)), id_=PILOT)
    shared = group_of("sharedSelectionEntries", [lamp, pilot])
    return book("River Library", id_=LIBRARY, more=shared, library="true")


def linked() -> str:
    """Return the link to the library."""
    one = f'<catalogueLink id="l" name="River Library" targetId="{LIBRARY}" type="catalogue"/>'
    return group_of("catalogueLinks", [one])


def files(folder: Path, **others: str) -> Path:
    """Write the game into a folder; `others` are further files, or other texts of these."""
    texts = {"game": game(), "reeds": reeds(), "stones": stones(), "library": library(), **others}
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        ending = "gst" if "<gameSystem " in text else "cat"
        (folder / f"{name}.{ending}").write_text(text, encoding="utf-8")
    return folder


def made(folder: Path, **others: str) -> GameImport:
    """Return what is made of the game's files."""
    return make_game(read_sources(files(folder, **others)), 0, "barge-wars")
