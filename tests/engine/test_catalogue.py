"""Units and their abilities as the card prints them, and reports as a page reads them."""

import pytest

from armybuilder.engine import Severity
from armybuilder.engine.terms import Gauge, Term
from armybuilder.loading.library import shipped_library
from tests.building.tiny import ability, game, judge, rule, system_data, take, unit
from tests.engine.test_counting_rules import SIDES


def test_a_unit_has_the_tags_and_ratings_of_its_card() -> None:
    # A units tags say its attributes and abilities.
    units = [unit("a", 5, "big", faction="red", side=["good", "neutral"])]
    tags = game(units=units).units["book/a"].tags
    assert tags == {
        "unit:book/a",
        "faction:red",
        "side:good",
        "side:neutral",
        "ability:big",
        "tag:size",
        "gap:set",
    }
    # A rating taken twice adds up.
    units = [unit("a", 5, "scout 2", "scout 3", "chief ?")]
    assert game(units=units).units["book/a"].ratings == {"scout": 5, "chief": 0}


def test_abilities_and_spells_print_as_on_the_card() -> None:
    # A rating prints in its style.
    for style, label in [
        ("number", "Gift 4"), ("level", "Gift 4"), ("dc", "Gift 4"), ("plus", "Gift +4"),
        ("times", "Gift ×4"), ("inches", "Gift 4″"), ("roll", "Gift 4+"),
    ]:  # fmt: skip
        gifts = [ability("gift", rating=style)]
        catalogue = game(units=[unit("a", 5, "gift 4"), unit("b", 5, "gift ?")], abilities=gifts)
        assert [unit.abilities[0].label for unit in catalogue.units.values()] == [
            label,
            label.replace("4", "?"),
        ], style
    # An ability prints its target and leaves out what it has not.
    units = [unit("a", 5, "slayer: Orcs", "big", "reach", "reach ?", "reach 2")]
    labels = [use.label for use in game(units=units).units["book/a"].abilities]
    assert labels == ["Slayer (Orcs)", "Big", "Reach", "Reach ?″", "Reach 2″"]
    # Spells have their boxes.
    units = [unit("a", 5, spells=["spark x3", "spark"])]
    assert [(spell.name, spell.uses) for spell in game(units=units).units["book/a"].spells] == [
        ("spark", 3),
        ("spark", 1),
    ]


@pytest.mark.parametrize(
    ("used", "minimum", "maximum", "ok"),
    [(3, 3, 3, True), (2, 3, None, False), (4, None, 3, False), (0, None, None, True)],
)
def test_a_gauge_is_fine_between_its_bounds(
    used: int, minimum: int | None, maximum: int | None, ok: bool
) -> None:
    head = shipped_library().system("sbh").rules[0].head
    assert Gauge(Term(head, "models", used, minimum, maximum)).ok is ok


def test_a_report_sorts_findings_and_has_totals() -> None:
    # A report parts findings by their severity.
    catalogue = game(
        rule("limit", id="a", count="models", max=0, severity="note"),
        rule("clash", id="b", between=[{"side": "good"}, {"side": "evil"}]),
        units=SIDES,
    )
    report = judge(catalogue, take("saint"), take("fiend"))
    assert not report.legal
    assert [len(report.of(severity)) for severity in Severity] == [1, 0, 1]
    assert (report.limit, report.models, report.spent) == (100, 2, 10)
    # A report has no numbers for a unit that is unknown.
    report = judge(game(), take("gone"), take("soldier", 2))
    assert list(report.lines) == ["u2"]
    assert (report.lines["u2"].points, report.lines["u2"].each) == (10, 5)
    # A system without factions has none in its reports.
    report = judge(game(), take("soldier"))
    assert (report.faction, report.lines["u1"].cross_faction) == (None, False)
    # Citations without a source mean the first.
    catalogue = game(rule("limit", count="models", max=1, cite="7"))
    assert str(catalogue.system.rules[0].head.citation) == "Tiny 7"
    assert system_data()["sources"]["book"]["short"] == "Tiny"
