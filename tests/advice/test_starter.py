"""Something to begin with: random lists, legal where the books allow it, the same for a seed."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.advice.starter import draft as trying
from armybuilder.advice.starter.starter import STEPS, starter
from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading import documents
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.loading.schemas import schema_problems
from tests.building.documents import value_of
from tests.building.tiny import document as empty_document
from tests.effort import THOROUGH, tries
from tests.properties.trees import books as army_books
from tests.properties.warbands import Drawn, battles, skirmishes
from tests.properties.warbands import catalogue_of as cards_of

pytestmark = pytest.mark.long

LIBRARY = shipped_library()
ARMIES = sorted(LIBRARY.books["t9a-2023"])
#: What lists of the games of single models are drawn from; all hold enough whole cards.
WARBANDS = [
    ("sbh", ["profiles"]),
    ("sbh", ["profiles", "gargantuan-nine"]),
    ("chainmail-2002", ["practice"]),
    ("chainmail-2002", ["converted"]),
    ("chainmail-2002", ["practice", "converted", "known-cards"]),
    ("chainmail-2001-basic", ["practice"]),
    ("chainmail-2001-basic", ["practice", "converted"]),
    ("chainmail-2001-advanced", ["practice"]),
    ("chainmail-2001-advanced", ["converted"]),
    ("ddm-2008", ["practice"]),
    ("ddm-2008", ["practice", "starter"]),
]


def judged(document: ArmyList, catalogue: Catalogue) -> Report:
    return validate(make_roster(document, catalogue), catalogue)


def legal_share(
    system: str, books: Sequence[str], seeds: range, limits: Sequence[int] = ()
) -> float:
    """The share of lists that are legal and spend from 85 to 100 per cent of their points."""
    catalogue = LIBRARY.catalogue(system, books)
    reports = [
        judged(starter(catalogue, limit, seed), catalogue)
        for limit in limits or [catalogue.system.default_size]
        for seed in seeds
    ]
    good = [one for one in reports if one.legal and 0.85 * one.limit <= one.spent <= one.limit]
    return len(good) / len(reports)


#: Where there is less time, books from all parts of the alphabet.
SOME = ARMIES if THOROUGH else ARMIES[::3]


@pytest.mark.parametrize(("system", "books"), WARBANDS, ids=lambda value: str(value))
def test_a_random_warband_of_any_usual_size_is_legal_and_nearly_full(
    system: str, books: list[str]
) -> None:
    sizes = LIBRARY.systems[system].sizes
    assert legal_share(system, books, range(tries(15)), sizes) >= 0.9


def test_a_random_army_is_legal_whatever_its_book() -> None:
    shares = {book: legal_share("t9a-2023", [book], range(3)) for book in SOME}
    assert sum(shares.values()) / len(shares) >= 0.9, shares
    assert min(shares.values()) > 0, shares


@pytest.mark.parametrize("book", ["makhar", "kingdom-of-equitaine", "dread-fleet"])
def test_a_random_army_takes_nothing_by_itself_that_its_book_leaves_open(book: str) -> None:
    catalogue = LIBRARY.catalogue("t9a-2023", [book])
    for seed in range(tries(6)):
        report = judged(starter(catalogue, 4500, seed), catalogue)
        assert report.complete, [one.sentence for one in report.unchecked]


@pytest.mark.parametrize("limit", [1500, 3000])
def test_a_small_army_is_mostly_legal_too(limit: int) -> None:
    shares = [legal_share("t9a-2023", [book], range(1), [limit]) for book in SOME]
    assert sum(shares) / len(shares) >= 0.9


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("system", "books"),
    [*WARBANDS, ("t9a-2023", ["orcs-and-goblins"])],
    ids=lambda value: str(value),
)
def test_a_seed_gives_the_same_list_and_another_seed_another(system: str, books: list[str]) -> None:
    catalogue = LIBRARY.catalogue(system, books)
    limit = catalogue.system.default_size
    first = canonical(starter(catalogue, limit, 7))
    assert canonical(starter(catalogue, limit, 7)) == first
    assert len({canonical(starter(catalogue, limit, seed)) for seed in range(6)}) > 3


def test_an_army_has_a_general_and_real_options() -> None:
    catalogue = LIBRARY.catalogue("t9a-2023", ["highborn-elves"])
    units = starter(catalogue, 4500, 1).to_dict()["units"]
    assert [unit.get("roles") for unit in units].count(["general"]) == 1
    assert sum(len(unit.get("options", ())) for unit in units) >= 5


def test_a_chainmail_warband_brings_its_terrain_and_a_miniatures_one_map_and_faction() -> None:
    chainmail = LIBRARY.catalogue("chainmail-2002", ["practice"])
    assert len(starter(chainmail, 100, 3).to_dict()["settings"]["terrain"]) == 3
    miniatures = LIBRARY.catalogue("ddm-2008", ["practice"])
    assert starter(miniatures, 200, 3).to_dict()["settings"].keys() >= {"faction", "map"}


def test_what_the_players_agreed_on_stands() -> None:
    catalogue = LIBRARY.catalogue("chainmail-2002", ["practice"])
    agreed = {"environment": "underground", "terrain": ["woods"]}
    found = starter(catalogue, 100, 3, agreed)
    assert found.settings["environment"] == "underground"
    assert "woods" not in found.settings["terrain"]
    assert judged(found, catalogue).legal


def test_cards_to_fill_in_are_a_few_where_nothing_is_known_of_any() -> None:
    catalogue = LIBRARY.catalogue("chainmail-2001-basic", ["known-cards"])
    found = starter(catalogue, 50, 1)
    codes = {finding.code for finding in judged(found, catalogue).findings}
    assert 1 <= len(found.units) <= 6
    assert codes == {"unit.incomplete"}


def test_books_in_which_nothing_goes_together_give_an_empty_list() -> None:
    nothing = LIBRARY.catalogue("sbh", ["gargantuan-nine"])
    assert starter(nothing, 300, 1).to_dict()["units"] == []
    leaderless = LIBRARY.catalogue("chainmail-2001-basic", ["converted"])
    assert starter(leaderless, 50, 1).to_dict()["units"] == []


@pytest.mark.parametrize(
    ("system", "book"),
    [("t9a-2023", "cultists"), ("sbh", "profiles"), ("chainmail-2002", "converted")],
)
def test_only_so_many_steps_are_taken(system: str, book: str) -> None:
    catalogue = LIBRARY.catalogue(system, [book])
    with (
        patch.object(documents, "validate", wraps=documents.validate) as validates,
        patch.object(trying, "choices", wraps=trying.choices) as chooses,
    ):
        starter(catalogue, 9000, 1)
    assert validates.called
    # What a unit must have is chosen to the end where the last step began it.
    most = sum(STEPS) + len(STEPS) * (trying.MOST_MENDS + 8)
    assert validates.call_count + chooses.call_count <= most


def test_a_change_that_makes_something_worse_is_not_kept() -> None:
    catalogue = LIBRARY.catalogue("sbh", ["profiles"])
    empty = value_of(empty_document(system="sbh", books=["profiles"], limit=50))
    rng = Random(1)  # noqa: S311
    draft = trying.StarterDraft(catalogue, empty, rng, 10, lenient=False)
    had = draft.with_unit(catalogue.units["profiles/human-leader"], 1)
    assert had is not None
    assert not draft.keep(had[0])
    assert draft.document == empty


CHOICES = st.sampled_from(
    [(system, book) for system, books in LIBRARY.books.items() for book in books]
)


@settings(max_examples=tries(40), deadline=None)
@given(choice=CHOICES, seed=st.integers(0, 2**32), limit=st.integers(1, 10_000))
def test_whatever_the_book_and_size_a_list_comes_out_that_is_never_over(
    choice: tuple[str, str], seed: int, limit: int
) -> None:
    system, book = choice
    catalogue = LIBRARY.catalogue(system, [book])
    found = starter(catalogue, limit, seed)
    assert schema_problems("armylist", found.to_dict(), "starter") == []
    report = judged(found, catalogue)
    codes = {finding.code for finding in report.findings}
    assert "points.over" not in codes
    assert not any(code.endswith(".unknown") for code in codes)


@settings(max_examples=tries(30), deadline=None)
@given(catalogue=army_books(), seed=st.integers(0, 2**32), limit=st.integers(1, 10_000))
def test_an_army_book_of_somebodys_own_gives_a_list_that_is_never_over(
    catalogue: Catalogue, seed: int, limit: int
) -> None:
    found = starter(catalogue, limit, seed)
    assert schema_problems("armylist", found.to_dict(), "starter") == []
    assert "points.over" not in {one.code for one in judged(found, catalogue).findings}


@settings(max_examples=tries(30), deadline=None)
@given(drawn=st.one_of(skirmishes(), battles()), seed=st.integers(0, 2**32))
def test_cards_of_somebodys_own_give_nothing_worse_than_an_empty_list(
    drawn: Drawn, seed: int
) -> None:
    catalogue = cards_of(drawn, drawn.system)
    found = starter(catalogue, drawn.limit, seed)
    empty = replace(found, units=())
    worse = [one.code for one in judged(found, catalogue).findings if one.severity == "error"]
    before = {one.code for one in judged(empty, catalogue).findings}
    assert set(worse) <= {*before, "unit.incomplete"}
