"""What a list of a community's files shows: forces, units, profiles, rules, and its verdict."""

from pathlib import Path
from random import Random

import pytest

from armybuilder.battlescribe.files.telling import Teller
from armybuilder.battlescribe.files.view import ListView, PickLine, is_keyword, view_of
from tests.battlescribe.files.random_lists import game_in, random_list
from tests.battlescribe.files.small_game import CATALOGUE, SYSTEM, small_game, small_list
from tests.battlescribe.files.test_statement import TRIED, not_here
from tests.effort import scaled


@pytest.fixture(scope="module")
def view() -> ListView:
    game = small_game()
    return view_of(game, small_list(game).evaluation)


def test_a_list_tells_its_game_its_books_and_what_it_costs(view: ListView) -> None:
    assert (view.game, view.revision) == ("Harbour Wars", "3")
    assert view.books == ("Gull Company, revision 7",)
    assert [cost.of_limit for cost in view.costs] == ["138 of 200 pts", "1 Crates"]
    assert view.models == 11
    assert view.findings == ()


def test_units_stand_in_their_categories_with_models_and_options_in_words(view: ListView) -> None:
    (force,) = view.forces
    assert (force.name, force.book) == ("Fleet", "Gull Company")
    assert [group.name for group in force.groups] == ["Captains", "Crews", ""]
    captain, crew, tide = force.units
    assert captain.pick.own == "Old Maud"
    assert captain.pick.notes == "Blue coat."
    assert captain.keywords == ("Human",)
    assert [one.words for one in captain.pick.options] == ['Ranged: Pistol (12")']
    assert [cost.words for cost in captain.costs] == ["48 pts", "1 Crates"]
    assert [one.words for one in crew.pick.options] == ["CG: Banner"]
    (hands,) = crew.pick.lines
    assert (hands.number, [one.words for one in hands.options]) == (10, ["Boat Hook"])
    assert tide.is_plain
    assert tide.pick.words == "Tide (Ebb)"


def test_categories_for_the_author_alone_are_no_keywords() -> None:
    shown = ["Infantry", "40k", "@Hero", "%[H] Artefacts", "$$Swa/Lrg Inf", "", "Long " * 9]
    assert list(filter(is_keyword, shown)) == ["Infantry", "40k"]


def test_profiles_are_tables_with_the_columns_of_their_type(view: ListView) -> None:
    captain, crew, _tide = view.units
    (fighter,) = captain.tables
    assert (fighter.type, fighter.columns) == ("Fighter", ("Move", "Fight"))
    assert fighter.rows == (("Captain", '6"', "5+"),)
    assert [table.rows for table in crew.tables] == [(("Deck Hand", '5"', "4+"),)]
    # Sentences are no table: they are named, and told once.
    assert [(one.type, one.names) for one in captain.named] == [("Ability", ("Bellow",))]
    assert [(one.type, one.names) for one in crew.named] == [("", ("Stubborn",))]


def test_rules_are_explained_once_and_others_see_only_their_names(
    view: ListView,
) -> None:
    bellow, stubborn = view.rules
    assert bellow.texts[0][1].startswith("Every crew in six inches")
    assert stubborn.texts == (("", "This crew holds the quay.\nIt never runs."),)
    assert stubborn.source == "The Harbour Book, page 12"
    shown = view.without_texts()
    assert [(rule.name, rule.texts) for rule in shown.rules] == [("Bellow", ()), ("Stubborn", ())]
    assert [unit.rules for unit in view.units] == [(bellow,), (stubborn,), ()]
    assert not any(rule.texts for unit in shown.units for rule in unit.rules)


def test_different_rules_of_one_name_are_shown_by_unit() -> None:
    other = '<profile id="p3" name="Bellow"'
    crew = CATALOGUE[CATALOGUE.index(other) : CATALOGUE.index("</profiles>")]
    again = crew.replace("p3", "p9").replace("six", "nine")
    head = '<profiles><profile id="p2"'
    game = small_game(SYSTEM, CATALOGUE.replace(head, f"<profiles>{again}{head[10:]}"))
    view = view_of(game, small_list(game).evaluation)
    told = {rule.of: rule.texts[0][1] for rule in view.rules if rule.name == "Bellow"}
    assert set(told) == {("Captain",), ("Dock Crew",)}
    assert "six inches" in told["Captain",]
    captain, boats, _tide = view.units
    assert ["six" in rule.texts[0][1] for rule in captain.rules] == [True]
    assert ["nine" in rule.texts[0][1] for rule in boats.rules if rule.type] == [True]


def test_what_is_missing_is_told_apart_from_what_is_wrong() -> None:
    game = small_game()
    editor = small_list(game)
    captain, crew, _tide = editor.roster.forces[0].below
    editor.remove(captain.id)
    editor.set_number(crew.below[0].id, 12)
    marks = {finding.mark: finding for finding in Teller(game, editor.evaluation).findings}
    assert marks["to-do"].sentence == "Captains: 0 in Fleet; the minimum is 1."
    assert marks["error"].sentence == "Deck Hand: 12 in Dock Crew; the maximum is 10."
    assert marks["error"].cited == "source: Gull Company, revision 7"


@not_here
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_nothing_that_is_picked_is_missing_from_what_is_shown(path: Path) -> None:
    game = game_in(path)
    for number in range(scaled(2, 4, 8)):
        editor = random_list(game, Random(number))  # noqa: S311
        if editor is None:
            continue
        evaluation = editor.evaluation
        view = view_of(game, evaluation)
        cost = view.costs[0].name if view.costs else ""
        units = view.units
        assert len(units) == sum(len(evaluation.branches[force]) for force in evaluation.forces)
        by_unit = sum(c.number for unit in units for c in unit.costs if c.name == cost)
        assert not cost or by_unit == view.costs[0].number
        number_of_picks = sum(node.number for node in evaluation.nodes())
        assert number_of_picks == sum(_numbers(unit.pick) for unit in units)
        for table in (table for unit in units for table in unit.tables):
            assert {len(row) for row in table.rows} == {len(table.columns) + 1}


def _numbers(pick: PickLine) -> int:
    return pick.number + sum(map(_numbers, pick.below))
