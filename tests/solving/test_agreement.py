"""Engine and solver agree: on random lists, shared spaces, golden cases and what is dead."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given

from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists
from armybuilder.engine.roster import Roster
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.engine.rules import Rule
from armybuilder.engine.space.candidates import everything
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of as catalogue_made_of
from armybuilder.loading.documents import make_roster
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.dead_ends import can_tell, dead_units, is_dead
from armybuilder.solving.keeping import grown_lists, growth
from armybuilder.solving.look_ahead import Fate, Outlook, look_ahead
from armybuilder.solving.port import Answer, Impossible, Problem, Relaxation
from armybuilder.solving.scopes import COPIES, MANY, WIDE, adding, usual
from armybuilder.solving.unfinished import unfinished
from tests.building.aimed_lists import varied_lists
from tests.building.documents import list_of, value_of
from tests.building.event_lists import event_lists
from tests.building.random_lists import (
    ARMY_BOOKS,
    LIBRARY,
    OTHER_BOOKS,
    SKIRMISHES,
    catalogue_of,
    random_lists,
    starts_of,
)
from tests.effort import scaled, tries
from tests.golden import adapter, check
from tests.golden.test_golden_cases import OWN
from tests.properties.lists import GAMES, LAW, lists, strange_lists
from tests.properties.trees import Data, games
from tests.solving.agreement import disagreements, verdicts_of, verdicts_of_roster
from tests.solving.shared_spaces import SharedSpace, spaces_of

pytestmark = pytest.mark.long


@pytest.mark.one_in(6)
@pytest.mark.parametrize("game", sorted(SKIRMISHES))
def test_the_constraints_break_where_the_rules_of_a_skirmish_do(game: str) -> None:
    seen, wrong = disagreements(game, seed=7, number=tries(100, 50))
    assert not wrong
    assert 0 < seen[""] < seen.total()


@pytest.mark.one_in(22)
@pytest.mark.parametrize("book", ARMY_BOOKS)
def test_the_constraints_break_where_the_rules_of_an_army_do(book: str) -> None:
    _, wrong = disagreements(book, seed=7, number=scaled(5, 5, 12), alike=12)
    assert not wrong


@pytest.mark.one_in(50)
@pytest.mark.parametrize("book", OTHER_BOOKS)
def test_the_constraints_break_where_the_rules_of_another_game_do(book: str) -> None:
    _, wrong = disagreements(book, seed=7, number=scaled(5, 5, 12), alike=12)
    assert not wrong


@LAW
@given(lists() | strange_lists())
def test_they_agree_on_cards_own_models_and_names_that_nobody_knows(document: Data) -> None:
    with contextlib.suppress(Refusal):  # a card that cannot be read makes no list
        agree(document, GAMES[document["system"]])


@LAW
@given(games())
def test_they_agree_on_made_up_books_with_options_in_groups_on_options(
    game: tuple[Catalogue, Data],
) -> None:
    catalogue, document = game
    agree(document, catalogue)


def agree(document: Data, catalogue: Catalogue) -> None:
    both = verdicts_of(document, catalogue)
    assert both.constrained == both.judged


#: All that demand something, by themselves or of units in which they find a fault.
KINDS = sorted(
    (
        kind
        for kind in rule_kinds().values()
        if kind.constrain is not Rule.constrain
        or kind.faults is not Rule.faults
        or (kind.make_bounds is not Rule.make_bounds and kind.stated)
    ),
    key=lambda kind: kind.kind,
)
CASES = [*check.cases_in(adapter.CASES_DIR), *OWN]


def golden() -> Iterator[tuple[Roster, Catalogue]]:
    catalogues: dict[tuple[Path, str], Catalogue] = {}
    for file, case in CASES:
        key = file, check.system_of(file, case)
        if key not in catalogues:
            catalogues[key] = adapter.catalogue_for(check.read(file), key[1])
        document = ArmyList.from_dict(adapter.document_of(case, catalogues[key].system))
        yield make_roster(document, catalogues[key]), catalogues[key]


def beside() -> Iterator[tuple[Roster, Catalogue]]:
    """Lists of what no golden case has: two army books, an unknown unit, enchantments at random."""
    both = ["dread-elves", "highborn-elves"]
    units = [{"unit": next(iter(LIBRARY.books["t9a-2023"][book].units))} for book in both]
    lists = [list_of("t9a-2023", both, [{**unit, "models": 1} for unit in units], limit=4500)]
    lists.append(list_of("t9a-2023", both[:1], [{"unit": "no/body", "models": 1}], limit=4500))
    lists += islice(random_lists("highborn-elves", 7), tries(80))
    for document in lists:
        value = value_of(document)
        catalogue = catalogue_made_of(value, LIBRARY)
        yield make_roster(value, catalogue), catalogue


@cache
def rosters_breaking() -> dict[type[Rule], list[tuple[Roster, Catalogue]]]:
    """Return lists by the kinds of rules that they break."""
    found: dict[type[Rule], list[tuple[Roster, Catalogue]]] = {}
    for roster, catalogue in chain(golden(), beside(), event_lists()):
        both = verdicts_of_roster(roster, catalogue)
        assert both.constrained == both.judged
        for rule in (*catalogue.system.rules, *catalogue.system.always):
            if rule.head.id in both.judged:
                found.setdefault(type(rule), []).append((roster, catalogue))
    return found


def test_they_agree_on_every_golden_case() -> None:
    assert rosters_breaking()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.kind)
def test_a_kind_of_rule_that_demands_nothing_is_noticed(
    kind: type[Rule], monkeypatch: pytest.MonkeyPatch
) -> None:
    rosters = rosters_breaking()[kind][: tries(8)]
    monkeypatch.setattr(kind, "constrain", lambda self, space: None)
    for roster, catalogue in rosters:
        both = verdicts_of_roster(roster, catalogue)
        assert both.constrained < both.judged


def test_every_kind_that_judges_demands_something_or_says_that_it_does_not() -> None:
    silent = {
        name
        for name, kind in rule_kinds().items()
        if (kind.judge is not Rule.judge or kind.terms is not Rule.terms)
        and kind.constrain is Rule.constrain
        and kind.make_bounds is Rule.make_bounds
        and kind.stated
    }
    assert silent == set()


BOOKS = ["dread-elves", "legions-of-sin", "vermin-swarm", "t9a-2024/makhar"]


def ask(problem: Problem) -> Answer:
    return CpSat().solve(problem, 60)


def ahead(army_list: ArmyList) -> Outlook:
    return look_ahead(army_list, catalogue_of("ddm-2008"), CpSat(), 60)


def wide(roster: Roster, game: str) -> PossibleLists:
    """All that may become of a roster by adding."""
    catalogue = catalogue_of(game)
    scope = replace(usual(roster, catalogue, COPIES), settings=())
    many = dict.fromkeys(scope.added, MANY)
    scope = replace(scope, added=many, wanted=everything, extent=WIDE)
    return grown_lists(roster, catalogue, scope)


def parts(game: str) -> Iterator[Roster]:
    """Full lists without their last unit: there is little room beside them."""
    for start in islice(starts_of(game), 2):
        document = {**start, "units": start["units"][:-1]}
        yield make_roster(value_of(document), catalogue_of(game))


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", BOOKS)
def test_a_unit_proved_to_block_a_legal_list_blocks_it(game: str) -> None:
    catalogue = catalogue_of(game)
    told = 0
    for roster in parts(game):
        scope = replace(usual(roster, catalogue, COPIES), settings=())
        dead = {ref for ref in scope.added if dead_units(roster, catalogue, scope, [ref], ask)}
        possible = wide(roster, game)
        both, more = possible.constraints, dict(growth(possible))
        some = both.any_of(more[ref] for ref in sorted(dead))
        asked = Problem(both, assumptions=(some,), relaxation=Relaxation.WEAK)
        assert not dead or isinstance(ask(asked), Impossible), dead
        told += len(dead)
    assert told


@pytest.mark.parametrize("leads", [True, False])
def test_who_must_lead_leads_nowhere_for_sure_beside_a_general(leads: bool) -> None:
    catalogue, dictator = catalogue_of("vermin-swarm"), "vermin-swarm/ruinous-dictator"
    legate = {"id": "u1", "unit": "vermin-swarm/bloodfur-legate", "models": 1}
    units = [{**legate, "roles": ["general"] * leads}]
    army_list = value_of(list_of("t9a-2023", ["vermin-swarm"], units, limit=4500))
    roster = make_roster(army_list, catalogue)
    scope = adding(army_list, roster, catalogue, COPIES)
    dead = dead_units(roster, catalogue, scope, [dictator], ask)
    assert dead == ({dictator} if leads else set())


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize("game", BOOKS)
def test_a_list_proved_unable_to_become_legal_cannot(game: str) -> None:
    catalogue = catalogue_of(game)
    told = 0
    for document in islice(random_lists(game, 7), 6):
        roster = make_roster(value_of(document), catalogue)
        scope = replace(usual(roster, catalogue, COPIES), settings=())
        if is_dead(roster, catalogue, scope, ask):
            told += 1
            problem = Problem(wide(roster, game).constraints, relaxation=Relaxation.WEAK)
            assert isinstance(ask(problem), Impossible)
    assert told


@pytest.mark.slow
def test_what_is_dead_beside_cards_to_be_filled_in_is_so_once_they_are() -> None:
    catalogue, rng = catalogue_of("ddm-2008"), Random(5)  # noqa: S311, lists for tests
    attributes = catalogue.system.attributes
    told = 0
    for begun in islice(map(value_of, random_lists("ddm-2008", 5)), tries(24, 10)):
        dead = [ref for ref, fate in ahead(begun).units.items() if fate is Fate.DEAD]
        cards = unfinished(catalogue, make_roster(begun, catalogue))
        for ref in rng.sample(dead, min(2, len(dead))):
            made, _entry = unit_edits.add_unit(begun, catalogue, ref)
            for card in rng.sample(cards, 2):
                made, entry = unit_edits.add_unit(made, catalogue, card.ref)
                fields = {}
                for blank in card.blanks:
                    kind, _, key = blank.field.partition(".")
                    known = list(attributes[key].values) if kind == "attributes" else ["0", "5"]
                    fields[blank.field] = rng.choice(known)
                made = unit_edits.fill_card(made, catalogue, entry, fields)
            assert ahead(made).whole is not Fate.OPEN, (ref, made.to_dict())
            told += 1
    assert told


def test_nothing_is_proved_while_units_decide_the_faction() -> None:
    assert can_tell(catalogue_of(BOOKS[0]))
    assert not any(can_tell(catalogue_of(game)) for game in SKIRMISHES)


SHARED = [*reversed(SKIRMISHES), *ARMY_BOOKS[::4]]


def spaces(game: str, number: int) -> Iterator[tuple[SharedSpace, list[Roster]]]:
    """Return spaces of random lists that begin alike."""
    drawn = islice(varied_lists(game, 11, number), number)
    rosters = [(make_roster(value_of(one), catalogue), catalogue) for one, catalogue in drawn]
    for places, space in spaces_of(rosters, number):
        yield space, [rosters[place][0] for place in places]


@pytest.mark.slow
@pytest.mark.one_in(7)
@pytest.mark.parametrize("game", SHARED)
def test_what_is_worked_out_anew_for_a_list_is_all_that_differs(game: str) -> None:
    for space, rosters in spaces(game, tries(20, 13)):
        constraints = space.possible.constraints
        for number in range(len(rosters)):
            point = space.point(number)
            assert point is not None
            every = constraints.broken(constraints.complete(space.decisions | point))
            assert sorted(map(repr, every)) == sorted(map(repr, space.asked.broken(point)))


@pytest.mark.slow
@pytest.mark.one_in(7)
@pytest.mark.parametrize("game", SHARED)
def test_a_space_of_many_lists_says_of_each_what_its_own_constraints_say(game: str) -> None:
    for space, rosters in spaces(game, tries(10, 8)):
        for number, roster in enumerate(rosters):
            own = verdicts_of_roster(roster, space.game.catalogue).constrained
            assert space.broken(number) == own


@pytest.mark.parametrize("game", ["sbh", pytest.param("highborn-elves", marks=pytest.mark.slow)])
def test_a_rule_that_demands_nothing_is_noticed_in_a_space_of_many_lists(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    space, _ = next(spaces(game, 1))
    (limit,) = {type(rule) for rule in space.game.catalogue.system.rules if rule.kind == "limit"}
    assert not disagreements(game, 7, 20).wrong
    monkeypatch.setattr(limit, "constrain", lambda self, space: None)
    assert disagreements(game, 7, 20).wrong
