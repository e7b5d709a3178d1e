"""Fillings from nothing: legal, exact, to taste, and nothing that a book leaves open."""

from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armybuilder.editing import unit_edits
from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import SettingValue
from armybuilder.loading.armylist import ArmyList, with_settings
from armybuilder.loading.documents import canonical, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.loading.schemas import schema_problems
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import Filled, filling
from armybuilder.solving.questions import answer, questions
from armybuilder.solving.taste import NO_WISHES, Wishes, themes
from tests.building.random_lists import ARMY_BOOKS, catalogue_of, filled
from tests.effort import THOROUGH, tries
from tests.properties.trees import books as army_books
from tests.properties.warbands import Drawn, battles, skirmishes
from tests.properties.warbands import catalogue_of as cards_of

pytestmark = pytest.mark.long

LIBRARY = shipped_library()
SOLVER = CpSat()
#: What warbands are drawn from; all hold enough whole cards for their sizes.
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
#: Where there is less time, books from all parts of the alphabet.
SOME = ARMY_BOOKS if THOROUGH else ARMY_BOOKS[::4]

every_warband = pytest.mark.parametrize(("system", "books"), WARBANDS, ids=str)


def judged(document: ArmyList, catalogue: Catalogue) -> Report:
    return validate(make_roster(document, catalogue), catalogue)


def fill(
    catalogue: Catalogue,
    seed: int,
    wishes: Wishes = NO_WISHES,
    limit: int = 0,
    agreed: dict[str, SettingValue] | None = None,
) -> Filled:
    limit = limit or catalogue.system.default_size
    empty = with_settings(unit_edits.new_document(catalogue, "Test", limit), agreed or {})
    found = filling(empty, catalogue, SOLVER, seed, wishes).filled
    assert found is not None
    return found


def models(made: Iterable[Filled]) -> float:
    numbers = [sum(unit.models for unit in one.army_list.units) for one in made]
    return sum(numbers) / len(numbers)


@pytest.mark.one_in(12)
@every_warband
def test_a_warband_of_any_usual_size_is_legal_and_exactly_full(
    system: str, books: list[str]
) -> None:
    catalogue = LIBRARY.catalogue(system, books)
    for limit in catalogue.system.sizes:
        for seed in range(tries(3, least=1)):
            found = fill(catalogue, seed, limit=limit)
            report = judged(found.army_list, catalogue)
            assert report.legal
            assert found.left == limit - report.spent == 0


@pytest.mark.one_in(14)
@pytest.mark.parametrize("book", SOME)
@pytest.mark.parametrize("limit", [1500, 4500])
def test_an_army_is_legal_and_exactly_full_whatever_its_book(book: str, limit: int) -> None:
    catalogue = catalogue_of(book)
    found = fill(catalogue, 1, limit=limit)
    report = judged(found.army_list, catalogue)
    assert report.legal
    assert report.spent == limit


@pytest.mark.one_in(9)
@pytest.mark.parametrize("book", ["makhar", "kingdom-of-equitaine", "dread-fleet"])
def test_an_army_takes_nothing_by_itself_that_its_book_leaves_open(book: str) -> None:
    catalogue = catalogue_of(book)
    for seed in range(tries(4)):
        report = judged(fill(catalogue, seed).army_list, catalogue)
        assert report.complete, [one.sentence for one in report.unchecked]


def test_an_army_has_a_general_a_battle_standard_and_real_options() -> None:
    catalogue = catalogue_of("highborn-elves")
    for seed in range(tries(4)):
        units = fill(catalogue, seed).army_list.units
        assert sum("general" in unit.roles for unit in units) == 1
        taken = [option.id for unit in units for option in unit.options]
        assert "battle-standard-bearer" in taken
        assert len(taken) >= 10
        assert max(Counter(unit.ref for unit in units).values()) <= 2


@pytest.mark.one_in(6)
@every_warband
def test_a_seed_gives_the_same_list_and_another_seed_another(system: str, books: list[str]) -> None:
    catalogue = LIBRARY.catalogue(system, books)
    first = canonical(fill(catalogue, 7).army_list)
    assert canonical(fill(catalogue, 7).army_list) == first
    others = range(tries(6, 4))
    assert len({canonical(fill(catalogue, seed).army_list) for seed in others}) > len(others) / 2


@pytest.mark.slow
@pytest.mark.parametrize("game", ["sbh", "chainmail-2002"])
def test_a_warband_is_of_few_peoples(game: str) -> None:
    catalogue = catalogue_of(game)
    for seed in range(tries(4)):
        units = fill(catalogue, seed).army_list.units
        of = {themes(catalogue.units[unit.ref], catalogue.system) for unit in units}
        assert len(of) <= 2


def test_settings_that_the_list_chooses_are_chosen() -> None:
    chainmail = fill(catalogue_of("chainmail-2002"), 3).army_list
    assert len(chainmail.to_dict()["settings"]["terrain"]) == 3
    creatures = fill(catalogue_of("ddm-2008"), 3).army_list
    assert creatures.settings.keys() >= {"faction", "map"}


def test_what_the_players_agreed_on_stands() -> None:
    catalogue = catalogue_of("ddm-2008")
    found = fill(catalogue, 3, agreed={"faction": "underdark", "map": "crossroads"})
    assert found.army_list.settings["faction"] == "underdark"
    assert found.army_list.settings["map"] == "crossroads"
    pieces: dict[str, SettingValue] = {"environment": "underground", "terrain": ("stairs",)}
    chainmail = catalogue_of("chainmail-2002")
    known = chainmail.system.settings["terrain"].values.values()
    fits = next(one.id for one in known if one.fits({"environment": "underground"}))
    pieces["terrain"] = (fits,)
    made = fill(chainmail, 3, agreed=pieces).army_list
    assert made.settings["environment"] == "underground"
    assert fits in made.to_dict()["settings"]["terrain"]


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", ["highborn-elves", "sbh", "ddm-2008"])
def test_wishes_for_more_or_fewer_models_are_met(game: str) -> None:
    catalogue = catalogue_of(game)
    many, few = (
        models(fill(catalogue, seed, Wishes(bodies=bodies)) for seed in range(3))
        for bodies in (1, -1)
    )
    assert many > few


@pytest.mark.slow
@pytest.mark.one_in(7)
@pytest.mark.parametrize("game", ["sbh", "chainmail-2002", "highborn-elves"])
@pytest.mark.parametrize("wish", ["shooting", "magic"])
def test_wished_units_are_added(game: str, wish: str) -> None:
    catalogue = catalogue_of(game)
    known = catalogue.system.wishes[wish]

    def meeting(wishes: Wishes) -> int:
        made = [fill(catalogue, seed, wishes).army_list for seed in range(tries(4, 2))]
        return sum(
            known.meets(catalogue.units[unit.ref])
            or any(known.of is not None and known.of.matches(frozenset([f"option:{option.id}"]))
                   for option in unit.options)
            for one in made
            for unit in one.units
        )  # fmt: skip

    assert meeting(Wishes(more_of=frozenset([wish]))) > meeting(NO_WISHES)


def test_cards_to_fill_in_are_a_few_where_nothing_is_known_of_any() -> None:
    catalogue = LIBRARY.catalogue("chainmail-2001-basic", ["known-cards"])
    found = fill(catalogue, 1, limit=50)
    assert found.unfinished
    assert 1 <= len(found.army_list.units) <= 5
    codes = {finding.code for finding in judged(found.army_list, catalogue).findings}
    assert codes == {"unit.incomplete"}


@pytest.mark.parametrize(
    ("system", "book", "limit"),
    [("sbh", "gargantuan-nine", 300), ("chainmail-2001-basic", "converted", 50)],
)
def test_that_no_list_is_legal_is_proved(system: str, book: str, limit: int) -> None:
    catalogue = LIBRARY.catalogue(system, [book])
    empty = unit_edits.new_document(catalogue, "Test", limit)
    assert filling(empty, catalogue, SOLVER, 1) == (None, True)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("game", ["ddm-2008", "sbh", "chainmail-2002", "highborn-elves"])
def test_answers_hold_and_no_filling_has_more(game: str) -> None:
    catalogue = catalogue_of(game)
    empty = unit_edits.new_document(catalogue, "Test", catalogue.system.default_size)
    made = judged(filled(catalogue, catalogue.system.default_size, 1), catalogue)
    for question in questions(catalogue):
        reply = answer(question, empty, catalogue, SOLVER, 2.0)
        if reply.army_list is None:
            continue
        report = judged(reply.army_list, catalogue)
        assert report.legal
        if question.id == "models":
            assert reply.value == report.models >= made.models
        elif question.id == "cheapest":
            assert reply.value == report.spent <= made.spent
        else:
            assert 0 < reply.value <= report.spent


CHOICES = st.sampled_from(
    [(system, book) for system, books in LIBRARY.books.items() for book in books]
)


def check(catalogue: Catalogue, limit: int, seed: int) -> None:
    """Whatever comes of it is a list that is legal, or of cards to fill in."""
    empty = unit_edits.new_document(catalogue, "Test", limit)
    found = filling(empty, catalogue, SOLVER, seed).filled
    if found is None:
        return
    assert schema_problems("armylist", found.army_list.to_dict(), "filling") == []
    report = judged(found.army_list, catalogue)
    assert report.legal is not found.unfinished
    assert found.left == limit - report.spent


@pytest.mark.slow
@settings(max_examples=tries(20, 6))
@given(choice=CHOICES, seed=st.integers(0, 2**32), limit=st.integers(1, 10_000))
def test_every_shipped_book_is_filled_at_any_size(
    choice: tuple[str, str], seed: int, limit: int
) -> None:
    check(LIBRARY.catalogue(choice[0], [choice[1]]), limit, seed)


@pytest.mark.slow
@settings(max_examples=tries(15, 5))
@given(catalogue=army_books(), seed=st.integers(0, 2**32), limit=st.integers(1, 10_000))
def test_any_custom_army_book_is_filled(catalogue: Catalogue, seed: int, limit: int) -> None:
    check(catalogue, limit, seed)


@settings(max_examples=tries(15, 5))
@given(drawn=st.one_of(skirmishes(), battles()), seed=st.integers(0, 2**32))
def test_any_custom_cards_are_filled(drawn: Drawn, seed: int) -> None:
    check(cards_of(drawn, drawn.system), drawn.limit, seed)
