"""The judge's sheet: numbers with their parts, points of units, rules with what came of them."""

import pytest
from django.utils.translation import override
from hypothesis import given

from armybuilder.engine import validate
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make_judge import Judging, judging
from tests.building.documents import value_of
from tests.building.towers import army_document, army_sheet_of, catalogue, option, unit
from tests.properties.lists import FEW, lists
from tests.sheets.papers import (
    EXAMPLES,
    example,
    illegal_list,
    legal_list,
    material,
    own_model,
    page_texts,
    printed_text,
    sbh_list,
)

pytestmark = pytest.mark.long


def judged(document: dict) -> Judging:
    one = material(document)
    return judging(one.catalogue, one.report)


def text_of(document: dict, **fields: str) -> str:
    return printed_text(document, kinds="judge", **fields)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_checked_on_one_page(name):
    # Every number rule and unit of an example is checked.
    document = example(name)
    one = material(document)
    text = text_of(document)
    for gauge in one.report.gauges:
        assert gauge.name in text
        assert str(gauge.head.citation) in text
    # Of rules that bind nobody it says how many passed.
    passed = [one for one in judging(one.catalogue, one.report).checks if one.applies]
    passed = [one for one in passed if not one.severity]
    assert f"{len(passed)} rules passed." in text
    for pick in one.roster.picks:
        assert pick.unit.name in text
    for book in one.catalogue.books:
        assert book.revision[:10] in text
    assert one.sheet.hash in text
    assert "Signature" in text
    # A legal list of up to fifteen units is judged on one page.
    listed = example(name)
    most = 15 if shipped_library().systems[listed["system"]].sized else len(listed["units"])
    assert len(page_texts(listed, kinds="judge")) <= (1 if len(listed["units"]) <= most else 2)


@given(lists())
@FEW
def test_the_parts_of_numbers_sum_to_them_and_findings_stand_at_their_rules(document):
    # The parts of all numbers sum to them.
    made = judged(document)
    for number in made.numbers:
        for _name, makeup in number.sums:
            assert sum(item.amount for item in makeup.items) == makeup.total
    for price in made.prices:
        if price.made:
            assert sum(item.amount for item in price.made.items) == price.made.total
    # Every finding stands at its rule.
    one = material(document)
    found = [said for check in judged(document).checks for said in check.findings]
    assert sorted(found) == sorted((line.severity, line.sentence) for line in one.sheet.findings)


def test_the_price_of_models_is_a_part_of_their_other_category():
    riders = unit("riders", 7, options=[option("hounds"), option("horns")])
    document = army_document(riders, unit("peasants", 20))
    book = catalogue()
    report = validate(make_roster(value_of(document), book), book)
    made = {number.gauge.name: number.sums[0][1] for number in judging(book, report).numbers}
    assert [(item.name, item.amount) for item in made["Core"].items] == [
        ("Riders", 100 + 2 * 10 + 15),
        ("Peasants", 150),
    ]
    assert made["Core"].total == 285
    shares = army_sheet_of(document, "full").army.shares
    assert [(share.name, share.points) for share in shares] == [
        ("Characters", 0),
        ("Core", 285),
        ("Beasts", 175),
    ]


def test_the_judges_sheet_has_boxes_for_what_to_check():
    # What is broken is told with its sentence and the rest is kept.
    checks = {check.summary: check for check in judged(illegal_list()).checks}
    clash = next(check for name, check in checks.items() if name.startswith("Good and evil models"))
    assert clash.severity == "error"
    assert clash.findings[0][1].startswith("Good and evil models can’t be")
    assert "broken" in text_of(illegal_list())
    legal = judged(legal_list()).checks
    assert {check.severity for check in legal} == {""}
    assert "broken" not in text_of(legal_list())
    # A rule that the settings do without is not called kept.
    made = judged(example("ddm-2008/bramble-and-horn"))
    assert any(not check.applies for check in made.checks)
    assert "Does not apply with these settings:" in text_of(example("ddm-2008/bramble-and-horn"))
    # Command is told as needed and given.
    made = judged(legal_list())
    command = next(number for number in made.numbers if len(number.sums) == 2)
    (needed, _makeup), (given, supplied) = command.sums
    assert [item.name for item in supplied.items] == ["Oresta the Unbowed", "Sunhill Chaplain"]
    assert (needed, given) == ("Needed", "Given")
    # A unit that no book has is told and costs nothing.
    gone = judged(illegal_list()).prices[-1]
    assert gone.made is None
    assert "do not have this unit" in gone.told
    # Options for nothing are named beside those that cost.
    great = next(
        price
        for price in judged(example("t9a-2023/the-long-table")).prices
        if "Shaman" in price.title
    )
    assert "Pyromancy" in great.also
    assert "Wizard Master" in {item.name for item in great.made.items}


def test_the_judges_sheet_shows_numbers_and_rules() -> None:
    # A formula is worked out in letters that the fonts have.
    text = text_of(sbh_list(own_model("Own", "leader")))
    assert "× (7 – Quality 3) ÷ 2" in text
    assert "\ufffd" not in text
    # It tells prices even where the set up has none.
    assert text_of(legal_list(), prices="0") == text_of(legal_list())
    # Long names are broken not cut.
    name = "W" * 200
    assert name in text_of(sbh_list(own_model(name))).replace(" ", "")
    # Categories keep the names of their book in every language: The Ninth Age's "Special" is a
    # name, whatever that word is in a creature converted.
    with override("de"):
        page = text_of(example("t9a-2023/throne-under-the-mountain"))
    assert "Geltende Grenzen" in page
    assert "Special" in page
    assert "Besonderes" not in page


def test_the_judges_sheet_shows_bounds_and_caps():
    # Size allowances and cap of each unit are told.
    prices = judged(example("t9a-2023/throne-under-the-mountain")).prices
    found = {price.title: price.bounds for price in prices}
    assert found["King"] == ("Runic special items 120 of 250 points",)
    assert found["20 × King's Guard"] == ("20 models of 15–30", "1 of at most 5 in the army")
    assert found["Field Artillery"] == ()
    # What an army may hold few of is told once.
    caps = judged(example("t9a-2023/throne-under-the-mountain")).caps
    assert "Cannon (4+) 1/2" in caps
    assert "Rune of Denial 1/1" in caps
    assert len(set(caps)) == len(caps)
