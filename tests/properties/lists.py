"""Random army lists: of real units, and of words that nobody knows."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st

from armybuilder.engine.vocabulary import Setting
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of
from tests.effort import tries

LIBRARY = shipped_library()
#: How often a law is tried.
LAW = settings(max_examples=tries(60))
FEW = settings(LAW, max_examples=tries(25))

CHAINMAIL = LIBRARY.catalogue("chainmail-2002", ["practice", "known-cards"])
SBH = LIBRARY.catalogue("sbh", ["profiles"])
GAMES = {
    "chainmail-2002": CHAINMAIL,
    "chainmail-2001-basic": LIBRARY.catalogue("chainmail-2001-basic", ["practice"]),
    "ddm-2008": LIBRARY.catalogue("ddm-2008", ["practice", "known-creatures"]),
    "sbh": SBH,
}

ids = st.from_regex(r"\A[a-z0-9]{1,6}(-[a-z0-9]{1,4})?\Z")
words = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=20)
models = st.integers(1, 12)


def card() -> st.SearchStrategy[Any]:
    attributes = st.dictionaries(
        st.sampled_from(["alignment", "faction", "size", "colour"]),
        st.sampled_from(["good", "evil", "neutral", "thalos", "wild", "huge", "purple"]),
        max_size=2,
    )
    ratings = st.dictionaries(
        st.sampled_from(["commander", "difficult-troop", "champion", "flight"]),
        st.integers(0, 9),
        max_size=2,
    )
    return st.fixed_dictionaries(
        {}, optional={"points": st.integers(0, 60), "attributes": attributes, "ratings": ratings}
    )


def known_entry(system: str) -> st.SearchStrategy[Any]:
    """A unit of the shipped books, perhaps in the game's role, or with a card filled in."""
    units = st.sampled_from(sorted(GAMES[system].units))
    optional: dict[str, Any] = {"name": words}
    if system != "sbh":
        optional |= {"card": card()}
    if GAMES[system].system.roles:
        optional |= {"roles": st.just([*GAMES[system].system.roles][:1])}
    return st.fixed_dictionaries({"unit": units, "models": models}, optional=optional)


#: Names that differ in more than their case: own models of one name are one unit.
NAMES = ["Ann", "Bob", "Rats", "Bats", "Troll"]


def own_entry() -> st.SearchStrategy[Any]:
    """An own model of Song of Blades and Heroes, sensible or not."""
    abilities = st.lists(
        st.fixed_dictionaries(
            {"ability": st.sampled_from(sorted(SBH.system.abilities))},
            optional={"target": st.sampled_from(["Orcs", "Elves"])},
        ),
        max_size=5,
    )
    stats = st.fixed_dictionaries({"quality": st.integers(0, 8), "combat": st.integers(0, 8)})
    profile = st.fixed_dictionaries(
        {"name": st.sampled_from(NAMES), "stats": stats, "abilities": abilities}
    )
    return st.fixed_dictionaries({"profile": profile, "models": models})


def setting_of(system: str, setting: Setting) -> st.SearchStrategy[Any]:
    """What players may have chosen in a setting, of what its kind allows."""
    made = GAMES[system]
    if setting.kind == "number":
        return st.integers(setting.low, min(setting.high, 30))
    if setting.kind == "attribute":
        return st.sampled_from(sorted(made.system.attributes[setting.attribute].values))
    values = st.sampled_from(sorted(made.units if setting.kind == "pool" else setting.values))
    return values if setting.kind == "choice" else st.lists(values, max_size=5)


def settings_of(system: str) -> st.SearchStrategy[Any]:
    known = GAMES[system].system.settings
    return st.fixed_dictionaries(
        {}, optional={key: setting_of(system, setting) for key, setting in known.items()}
    )


@st.composite
def lists(draw: st.DrawFn, most: int = 8) -> dict[str, Any]:
    """A document of known units, legal or not."""
    system = draw(st.sampled_from(sorted(GAMES)))
    entry = known_entry(system)
    if system == "sbh":
        entry = entry | own_entry()
    entries = draw(st.lists(entry, max_size=most))
    return list_of(
        system,
        [book.id for book in GAMES[system].books],
        entries,
        name=draw(words),
        limit=draw(st.sampled_from([1, 50, 100, 101, 200, 300, 999])),
        settings=draw(settings_of(system)),
    )


def _options() -> st.SearchStrategy[Any]:
    leaf = st.fixed_dictionaries({"id": ids})
    branch = st.fixed_dictionaries({"id": ids, "options": st.lists(leaf, max_size=2)})
    return st.lists(leaf | branch, max_size=3)


def _strange_entry() -> st.SearchStrategy[Any]:
    refs = st.sampled_from([ref for made in GAMES.values() for ref in made.units]) | st.builds(
        "{}/{}".format, ids, ids
    )
    common: dict[str, Any] = {
        "name": words,
        "notes": words,
        "options": _options(),
        "card": card(),
        "roles": st.lists(ids | st.just("reserve"), max_size=3, unique=True),
    }
    profile = st.fixed_dictionaries(
        {
            "name": words,
            "stats": st.dictionaries(
                ids | st.sampled_from(["quality", "combat"]), st.integers(0, 99), max_size=4
            ),
            "abilities": st.lists(
                st.fixed_dictionaries(
                    {"ability": ids | st.sampled_from(["leader", "lethal"])},
                    optional={"target": words},
                ),
                max_size=3,
            ),
        }
    )
    return st.fixed_dictionaries({"unit": refs, "models": st.integers(1, 999)}, optional=common) | (
        st.fixed_dictionaries({"profile": profile, "models": st.integers(1, 999)}, optional=common)
    )


@st.composite
def strange_lists(draw: st.DrawFn) -> dict[str, Any]:
    """A document that the schema allows and that may name anything."""
    setting = (
        st.integers(0, 9999)
        | ids
        | st.none()
        | st.lists(ids | st.sampled_from(["hill", "web", "practice/wolf"]), max_size=4)
    )
    known = ["players", "environment", "terrain", "faction", "tactical_advantage"]
    known += ["game", "map", "max_cost", "pool", "scenario"]
    entries = draw(st.lists(_strange_entry(), max_size=5))
    names = st.sampled_from(["practice", "known-cards", "known-creatures", "profiles"])
    books = st.lists(names | ids, max_size=3)
    return list_of(
        draw(st.sampled_from(sorted(GAMES))),
        draw(books),
        entries,
        name=draw(words),
        limit=draw(st.integers(1, 99999)),
        settings=draw(st.dictionaries(ids | st.sampled_from(known), setting, max_size=5)),
    )
