"""Whatever is in a game's files, the list is judged: what is strange is told by name, the rest works."""  # noqa: E501

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
import yaml

from armybuilder.battlescribe.files.books import FileBook
from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.choices import choices_on
from armybuilder.battlescribe.files.documents import books_of
from armybuilder.battlescribe.files.edits import MAX_ADDED, RosterEditor
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import Member, read_element
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.branches import Why
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.spots import Spots
from armybuilder.engine.kernel.statement import Statement
from armybuilder.engine.kernel.unknowns import NotStated
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.picks.search import errors_of
from armybuilder.solving.picks.verbs import fill, repair
from tests.battlescribe.files.specs import game_of
from tests.kept_games.files import catalogue, otters, system, unit

#: A bound that is broken by two pikes, whatever else is in the files.
PIKE = """
{id: pike, name: Pike, type: unit, costs: [{typeId: pts, value: 7}],
 constraints: [{id: one-pike, type: max, value: 1, field: selections, scope: roster}]}
"""


def game(entries: str, shared: str = "[]", system: str = "{}") -> GameFiles:
    """Return a game of pikes and some other entries, in YAML."""

    def read(text: str) -> Any:
        return yaml.load(text, yaml.CBaseLoader)  # noqa: S506 texts only

    return game_of(
        {
            "id": "harbour",
            "setup": {
                "gameSystem": {
                    "costTypes": [{"id": "pts", "name": "pts"}],
                    "forceEntries": [{"id": "force", "name": "Army"}],
                    **read(system),
                },
                "catalogues": [
                    {
                        "id": "book",
                        "selectionEntries": [read(PIKE), *read(entries)],
                        "sharedSelectionEntries": read(shared),
                    }
                ],
            },
        }
    )


def list_of(files: GameFiles, *taken: str) -> RosterEditor:
    """Return a list with what has these names."""
    editor = RosterEditor(files)
    force = editor.book("book").force("force")
    assert force is not None
    army = editor.add_force(force)
    for name in taken:
        editor.select(army, next(one for one in force.offered if one.name == name))
    return editor


def said(editor: RosterEditor) -> list[str]:
    """Return all that is told of a list, of two pikes too, after it was looked at in every way."""
    evaluation = editor.evaluation
    assert choices_on(evaluation, evaluation.forces[0])
    repair(evaluation, CpSat())
    told = Teller(editor.game, evaluation).findings
    found = [f"{one.sentence} {one.citation}".strip() for one in told]
    assert any("Pike: 2 in the list; the maximum is 1" in sentence for sentence in found)
    return [sentence for sentence in found if "Pike: 2" not in sentence]


def findings_of(entries: str, *taken: str, shared: str = "[]", system: str = "{}") -> list[str]:
    """Return what is told of a list of such entries and two pikes, beside that there are two."""
    return said(list_of(game(entries, shared, system), "Pike", "Pike", *taken))


def test_links_in_a_circle_end() -> None:
    shared = """
    - {id: egg, name: Egg, type: upgrade, entryLinks: [{id: l1, type: selectionEntry, targetId: hen, name: Hen}]}
    - id: hen
      name: Hen
      type: upgrade
      entryLinks:
        - {id: l2, type: selectionEntry, targetId: egg, name: Egg, constraints: [{id: an-egg, type: min, value: 1, field: selections, scope: parent}]}
    """  # noqa: E501
    entries = "[{id: farm, name: Farm, type: unit, entryLinks: [{id: l3, type: selectionEntry, targetId: hen, name: Hen, constraints: [{id: a-hen, type: min, value: 1, field: selections, scope: parent}]}]}]"  # noqa: E501
    editor = list_of(game(entries, shared), "Pike", "Pike", "Farm")
    assert said(editor) == []
    names = [node.definition.name for node in editor.evaluation.nodes()]
    assert names == ["Pike", "Pike", "Farm", "Hen", "Egg"]


def test_a_group_nested_in_itself_is_reported_if_the_inner_one_has_more() -> None:
    bare = "sharedSelectionEntryGroups: [{id: g, name: G, entryLinks: [{id: l2, type: selectionEntryGroup, targetId: g, name: G}]}]"  # noqa: E501
    system = bare.replace("name: G}", "name: G, constraints: [{id: m, type: max, value: 1}]}")
    entries = "[{id: box, name: Box, type: unit, entryLinks: [{id: l1, type: selectionEntryGroup, targetId: g, name: G}]}]"  # noqa: E501
    (sentence,) = findings_of(entries, "Box", system=system)
    assert sentence.startswith("Box is only partly checked. Not understood: group G within itself.")
    assert findings_of(entries, "Box", system=bare) == [], "the link adds nothing to the group"


def test_prices_that_depend_on_each_other_are_left_unchanged() -> None:
    entries = """
    - {id: a, name: Ah, type: unit, costs: [{typeId: pts, value: 10}], modifiers: [{type: increment, field: pts, value: 1, repeats: [{value: 1, repeats: 1, field: pts, scope: force, childId: b, shared: true}]}]}
    - {id: b, name: Be, type: unit, costs: [{typeId: pts, value: 20}], modifiers: [{type: increment, field: pts, value: 1, repeats: [{value: 1, repeats: 1, field: pts, scope: force, childId: a, shared: true}]}]}
    """  # noqa: E501
    editor = list_of(game(entries), "Pike", "Pike", "Ah", "Be")
    assert any("Some prices depend on each other" in sentence for sentence in said(editor))
    assert editor.evaluation.spent("pts") == 44


def waiting(number: int) -> str:
    """Entries `0`, `1` … of 10 points, each a point dearer for every 10 points of the next."""
    one = "{{id: e{0}, name: '{0}', type: unit, costs: [{{typeId: pts, value: 10}}]{1}}}"
    more = ", modifiers: [{{type: increment, field: pts, value: 1, repeats: [{{value: 10, repeats: 1, field: pts, scope: force, childId: e{0}, shared: true}}]}}]"  # noqa: E501
    made = [one.format(place, more.format(place + 1)) for place in range(number - 1)]
    return f"[{', '.join(made)}, {one.format(number - 1, '')}]"


@pytest.mark.parametrize(("length", "stated"), [(20, True), (100, False)])
def test_prices_that_wait_for_each_other_in_a_long_chain_count_as_a_circle(
    length: int, stated: bool
) -> None:
    editor = list_of(game(waiting(length)), "Pike", "Pike", *map(str, range(length)))
    assert any("Some prices depend" in sentence for sentence in said(editor)) is not stated
    statement = Statement(Spots(editor.roster, lambda *_: (0, 0)))
    spots = {spot.definition.name: spot for spot in statement.spots}
    if stated:
        prices = [statement.price(spots[str(place)], "pts") for place in range(length)]
        values = statement.constraints.complete(statement.space.as_it_stands())
        assert [price.at(values) for price in prices] == [11] * (length - 1) + [10]
        return
    with pytest.raises(NotStated):
        statement.price(spots["0"], "pts")
    assert statement.price(spots[str(length - 2)], "pts"), "it hangs on one that is known"


def test_a_bound_that_depends_on_itself_is_checked() -> None:
    entries = """
    - id: cat
      name: Cat
      type: unit
      constraints: [{id: cats, type: max, value: 1, field: selections, scope: roster, shared: true}]
      modifiers: [{type: increment, field: cats, value: 1, repeats: [{value: 2, repeats: 1, field: selections, scope: roster, childId: cat, shared: true}]}]
    """  # noqa: E501
    assert findings_of(entries, "Cat") == []
    assert findings_of(entries, "Cat", "Cat") == []
    (sentence,) = findings_of(entries, "Cat", "Cat", "Cat")
    assert sentence.startswith("Cat: 3 in the list; the maximum is 2.")


def test_negative_costs_and_bounds_are_counted() -> None:
    entries = """
    - {id: debt, name: Debt, type: unit, costs: [{typeId: pts, value: -30}], constraints: [{id: d, type: max, value: -5, field: selections, scope: roster}]}
    """  # noqa: E501
    editor = list_of(game(entries), "Pike", "Pike", "Debt")
    assert said(editor) == []
    assert editor.evaluation.spent("pts") == -16


def test_a_modifier_of_an_unknown_id_changes_nothing() -> None:
    entries = """
    - {id: odd, name: Oddity, type: unit, modifiers: [{type: set, field: 8c00-ced7-ce79-e9d6, value: 3}]}
    """  # noqa: E501
    assert findings_of(entries, "Oddity") == []
    system = "{catalogueLinks: [{name: Gone, targetId: gone}]}"
    missing = findings_of(entries, "Oddity", system=system)
    assert any("modifier of 8c00" in sentence for sentence in missing)


def test_an_association_says_who_is_missing() -> None:
    entries = """
    - {id: flag, name: Flag, type: unit, associations: [{id: a, name: Bearer, min: 3, scope: force, childId: pike}]}
    - {id: drum, name: Drum, type: unit, associations: [{id: b, name: Drummer, min: 2, scope: force, childId: pike}]}
    """  # noqa: E501
    (sentence,) = findings_of(entries, "Flag", "Drum")
    assert sentence.startswith("Flag must be given to Pike in Army: 2; the minimum is 3.")


def test_bounds_of_contents_are_named_after_what_they_count() -> None:
    entries = """
    - {id: crew, name: Crew, type: unit, constraints: [{id: c, type: min, value: 1, field: selections, scope: self, childId: model}, {id: d, type: min, value: 2, field: selections, scope: self, childId: pike}]}
    """  # noqa: E501
    models, pikes = sorted(findings_of(entries, "Crew"))
    assert models.startswith("Models: 0 in Crew; the minimum is 1.")
    assert pikes.startswith("Pike: 0 in Crew; the minimum is 2.")


def test_numbers_between_the_steps_of_an_entry_are_not_checked() -> None:
    editor = list_of(game("- {id: herd, name: Herd, type: unit, step: 5}"), "Pike", "Pike", "Herd")
    herd = editor.roster.forces[0].below[-1].id
    for number, wrong in ((5, False), (7, True), (10, False)):
        editor.set_number(herd, number)
        assert (
            any(
                "Herd is only partly checked. Not understood: step 5" in one for one in said(editor)
            )
            is wrong
        )


@pytest.mark.parametrize("kind", ["atLeast", "lessThan"])
def test_a_percentage_of_zero_is_zero(kind: str) -> None:
    entries = f"""
    - id: share
      name: Share
      type: unit
      modifiers: [{{type: set, field: hidden, value: "true", conditions: [{{type: {kind}, value: 10, percentValue: "true", field: pts, scope: force, childId: share, shared: "true"}}]}}]
    """  # noqa: E501
    files = game(entries)
    editor = list_of(files, "Share")
    hidden = [b for b in editor.evaluation.breaches if b.why is Why.HIDDEN]
    assert bool(hidden) is (kind == "lessThan")


PIKES = "{type: atLeast, value: 1, field: selections, scope: force, childId: pike}"
STRANGE: Mapping[str, str] = {
    "scope nowhere": "constraints: [{id: c, type: max, value: 1, field: selections, scope: nowhere}]",  # noqa: E501
    "field glory": "constraints: [{id: c, type: max, value: 1, field: glory, scope: parent}]",
    "constraint most 1": "constraints: [{id: c, type: most, value: 1, field: selections, scope: parent}]",  # noqa: E501
    "constraint max many": "constraints: [{id: c, type: max, value: many, field: selections, scope: parent}]",  # noqa: E501
    "constraints until": "constraints: [{id: c, type: max, value: 1, field: selections, scope: parent, until: noon}]",  # noqa: E501
    "condition smells 1": "modifiers: [{type: set, field: hidden, value: true, conditions: [{type: smells, value: 1, field: selections, scope: force, childId: pike}]}]",  # noqa: E501
    "conditions mood": "modifiers: [{type: set, field: hidden, value: true, conditions: [{type: atLeast, value: 1, field: selections, scope: force, childId: pike, mood: low}]}]",  # noqa: E501
    "conditionGroup xor": "modifiers: [{type: set, field: hidden, value: true, conditionGroups: [{type: xor, conditions: [{type: atLeast, value: 1, field: selections, scope: force, childId: pike}]}]}]",  # noqa: E501
    "twist 3": "modifiers: [{type: twist, field: pts, value: 3}]",
    "modifier of smell": "modifiers: [{type: set, field: smell, value: sweet}]",
    "set dear": "costs: [{typeId: pts, value: dear}]",
    "association Rider": "associations: [{id: a, name: Rider, min: 1, max: 1, scope: force, childId: nobody}]",  # noqa: E501
    "modifier of hidden that affects": "modifiers: [{type: set, field: hidden, value: true, scope: ancestor, affects: self.entries}]",  # noqa: E501
    "entryLink Ghost to nothing": "entryLinks: [{id: l, type: selectionEntry, name: Ghost, targetId: nothing}]",  # noqa: E501
    "modifier add of category": "modifiers: [{type: add, field: category, value: ''}]",
    "smell": "smell: sweet",
    "step 2": "step: 2, constraints: [{id: c, type: min, value: 1, field: selections, scope: parent}]",  # noqa: E501
    "curses": "curses: [{id: x, name: Curse}]",
    "constraints conditions": f"constraints: [{{id: c, type: max, value: 1, field: selections, scope: parent, conditions: [{PIKES}]}}]",  # noqa: E501
    "conditionGroups repeats": f"modifiers: [{{type: set, field: hidden, value: true, conditionGroups: [{{type: and, conditions: [{PIKES}], repeats: [{{value: 1}}]}}]}}]",  # noqa: E501
    "modifierGroups tide": "modifierGroups: [{type: and, tide: low, modifiers: [{type: set, field: hidden, value: true}]}]",  # noqa: E501
    "association Guest": f"associations: [{{id: a, name: Guest, min: 1, scope: force, childId: pike, conditions: [{PIKES}]}}]",  # noqa: E501
    "affects self.associations": "modifiers: [{type: add, field: category, value: core, affects: self.associations}]",  # noqa: E501
    "condition instanceOf as a number": f"modifiers: [{{type: set, field: hidden, value: true, conditionGroups: [{{type: greater, conditions: [{PIKES}, {{type: instanceOf, value: 1, field: selections, scope: self, childId: odd}}]}}]}}]",  # noqa: E501
    "conditions beside groups": f"modifiers: [{{type: set, field: hidden, value: true, conditionGroups: [{{type: greater, conditions: [{PIKES}], conditionGroups: [{{type: add, conditions: [{PIKES}]}}]}}]}}]",  # noqa: E501
    "conditionGroup power as a number": f"modifiers: [{{type: set, field: hidden, value: true, conditionGroups: [{{type: greater, conditionGroups: [{{type: power, conditions: [{PIKES}]}}, {{type: add, conditions: [{PIKES}]}}]}}]}}]",  # noqa: E501
}


@pytest.mark.parametrize("construct", STRANGE)
def test_what_is_not_understood_is_reported_by_name_and_the_rest_is_judged(construct: str) -> None:
    found = findings_of(f"[{{id: odd, name: Oddity, type: unit, {STRANGE[construct]}}}]", "Oddity")
    assert [sentence for sentence in found if construct in sentence], found
    assert all("Oddity" in sentence for sentence in found)


def test_prices_of_categories_are_told_and_those_of_groups_count_nothing() -> None:
    costs = "costs: [{typeId: pts, value: 5}]"
    system = f"""
    categoryEntries: [{{id: core, name: Core, {costs}}}]
    forceEntries: [{{id: force, name: Army, categoryLinks: [{{id: l, targetId: core}}]}}]
    """
    entries = f"""
    - id: odd
      name: Oddity
      type: unit
      selectionEntryGroups: [{{id: g, name: G, {costs}, selectionEntries: [{{id: i, name: In, type: upgrade}}]}}]
    """  # noqa: E501
    (sentence,) = findings_of(entries, "Oddity", system=system)
    assert sentence.startswith("Army is only partly checked. Not understood: costs of a category.")


def test_of_two_entries_of_one_id_each_is_taken_and_both_are_counted() -> None:
    entries = """
    - {id: twin, name: Castor, type: unit, costs: [{typeId: pts, value: 1}], constraints: [{id: t, type: max, value: 1, field: selections, scope: roster}]}
    - {id: twin, name: Pollux, type: unit, costs: [{typeId: pts, value: 2}]}
    """  # noqa: E501
    editor = list_of(game(entries), "Pike", "Pike", "Castor", "Pollux")
    assert [sentence for sentence in said(editor) if sentence.startswith("Castor: 2 in the list")]
    assert editor.evaluation.spent("pts") == 17


def test_constraints_of_one_id_are_both_judged() -> None:
    both = "[{id: c, type: min, value: 2, field: selections, scope: roster}, {id: c, type: max, value: 3, field: selections, scope: roster}]"  # noqa: E501
    entries = f"[{{id: ant, name: Ant, type: unit, constraints: {both}}}]"
    assert findings_of(entries, "Ant") == []  # two came along
    assert "Ant: 4 in the list; the maximum is 3" in findings_of(entries, "Ant", "Ant")[0]
    alone = list_of(game(entries), "Pike", "Pike")
    alone.remove(alone.roster.forces[0].below[0].id)
    assert "Ant: 1 in the list; the minimum is 2" in said(alone)[0]


def test_an_entry_without_an_id_is_taken() -> None:
    assert (
        findings_of("[{name: Nobody, type: unit, costs: [{typeId: pts, value: 1}]}]", "Nobody")
        == []
    )


def test_a_price_in_parts_stays_whole() -> None:
    entries = "[{id: third, name: Third, type: unit, costs: [{typeId: pts, value: 0.1}]}]"
    editor = list_of(game(entries), "Pike", "Pike", *["Third"] * 3)
    assert said(editor) == []
    assert editor.evaluation.spent("pts") == 14 + Fraction(3, 10)


@pytest.mark.slow
def test_a_book_of_three_hundred_thousand_options_is_judged_by_what_is_taken() -> None:
    units = [f"{{id: u{n}, name: Unit {n}, type: unit}}" for n in range(300)]
    files = game(f"[{', '.join(units)}]")
    entries = files.heads["book"].lists["selectionEntries"]
    for entry in entries[1:]:
        entry.lists["selectionEntries"] = entries[:1] * 1000
    editor = list_of(files, "Unit 7", "Unit 8")
    assert len(editor.evaluation.forces[0].definition.offered) == 301
    assert not editor.evaluation.breaches


LIMITED = "costTypes: [{id: pts, name: pts, defaultCostLimit: 30}]"


@pytest.mark.parametrize(
    ("price", "spent", "unstated"),
    [
        ("costs: [{typeId: pts, value: dear}]", 14, True),
        ("costs: [{typeId: pts, value: 1e99}]", 14, True),
        ("modifiers: [{type: increment, field: pts, value: 1, repeats: [{value: 1, field: pts, scope: force, childId: odd}]}]", 14, True),  # noqa: E501
        ("costs: [{typeId: pts, value: 40}], modifiers: [{type: divide, field: pts, value: 3}]", Fraction(82, 3), False),  # noqa: E501
        ("costs: [{typeId: pts, value: 40}], modifiers: [{type: divide, field: pts, value: 0}]", 54, False),  # noqa: E501
        ("costs: [{typeId: pts, value: 8}], modifiers: [{type: multiply, field: pts, value: 2.5}]", 34, False),  # noqa: E501
    ],
)  # fmt: skip
def test_a_limited_list_is_fixed_and_filled_whatever_prices_are(
    price: str, spent: Number, unstated: bool
) -> None:
    files = game(f"[{{id: odd, name: Oddity, type: unit, {price}}}]", system=LIMITED)
    editor = list_of(files, "Pike", "Pike", "Oddity")
    assert editor.evaluation.spent("pts") == spent
    said(editor)
    statement = Statement(Spots(editor.roster, lambda above, definition: (0, 0)))
    assert [one.why for one in statement.unstated] == [Why.LIMIT] * unstated
    found = repair(editor.evaluation, CpSat())
    assert found.roster is not None
    after = Evaluation(found.roster)
    assert not errors_of(after)
    fill(after, "pts", CpSat())


def test_invalid_characters_are_replaced_visibly() -> None:
    root = read_element(
        rb'{"catalogue": {"id": "b", "name": "Half \ud800, nought \u0000, \u00e9\n"}}'
    )
    assert root.get("name") == "Half \ufffd, nought \ufffd, \xe9\n"


def test_entries_without_ids_are_told_apart() -> None:
    first, second = (
        read_element(raw)
        for raw in (
            b'<catalogue id="b"><selectionEntries><selectionEntry name="A"/><selectionEntry'
            b' name="B"/></selectionEntries></catalogue>',
            b'{"catalogue": {"id": "b", "selectionEntries": [{"name": "A"}, {"name": "B"}]}}',
        )
    )
    for root in (first, second):
        ids = [entry.id for entry in root.all("selectionEntries")]
        assert all(ids)
        assert len(set(ids)) == 2


def test_a_minimum_of_a_million_adds_only_as_many_as_one_act_may() -> None:
    least = "constraints: [{id: many, type: min, value: 1000000, field: selections, scope: parent}]"
    files = game(f"[{{id: swarm, name: Swarm, type: unit, {least}}}]")
    editor = list_of(files)
    assert len(editor.evaluation.forces[0].definition.offered) == 2
    assert len(editor.roster.forces[0].below) == MAX_ADDED
    (breach,) = editor.evaluation.breaches
    assert (breach.why, breach.measured) == (Why.BOUND, MAX_ADDED)


def test_a_list_of_files_without_forces_is_refused_with_the_reason() -> None:
    files = {**otters(), "Otters.gst": system().replace(b"forceEntr", b"farceEntr")}
    game = GameFiles(Member(name, partial(bytes, raw)) for name, raw in files.items())
    builder = ListBuilder(game, books_of(game))
    with pytest.raises(Refusal, match="The files define no force for River"):
        builder.start_force("river", "")
    with pytest.raises(Refusal, match="doesn’t have that force"):
        builder.start_force("river", "raft")


def test_catalogues_that_draw_on_each_other_in_a_long_chain_open() -> None:
    files, number = {"a.gst": system()}, 1500
    for at in range(number):
        text = catalogue(f"N{at}", unit(f"u{at}", f"U{at}"), links=(f"n{at + 1}",))
        files[f"{at}.cat"] = text
    files[f"{number}.cat"] = catalogue(f"N{number}", links=("n0",))
    game = GameFiles(Member(name, partial(bytes, raw)) for name, raw in files.items())
    book = FileBook(game, "n0")
    assert len(book.sources) == number + 2
    assert len(book.roots) == number
