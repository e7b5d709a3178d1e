"""What numbers are made of: whatever the list, the parts sum to the number that is shown."""

import html
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils.html import strip_tags
from hypothesis import given
from hypothesis import strategies as st

from armybuilder.engine import Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.lists.models import Version
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.sheets.content.make_judge import (
    NumberMakeup,
    gauge_makeup,
    line_makeup,
    supply_makeup,
)
from tests.building.documents import list_of, value_of
from tests.building.tiny import take
from tests.conftest import Builder
from tests.markup import lacking
from tests.properties.lists import FEW, GAMES, LAW, LIBRARY, lists
from tests.properties.trees import games

Data = dict[str, Any]

ADVANCED = LIBRARY.catalogue("chainmail-2001-advanced", ["practice"])
T9A = LIBRARY.systems["t9a-2023"]
ARMIES = sorted((Path(__file__).parents[2] / "golden" / "armies").glob("*.json"))


def sums(makeup: NumberMakeup) -> bool:
    return sum(item.amount for item in makeup.items) == makeup.total


def judge(document: Data, catalogue: Catalogue) -> Report:
    return validate(make_roster(value_of(document), catalogue), catalogue)


def hold_everywhere(report: Report) -> None:
    """Every number of the report is the sum of its parts, and every part names its entry."""
    ids = {pick.id for pick in report.full.roster.picks}
    for line in report.full.lines:
        made = line_makeup(line, report.full.system)
        assert made.total == report.lines[line.pick.id].points
        assert sums(made), (line.name, made)
    for gauge in report.gauges:
        made = gauge_makeup(gauge, report)
        assert made.total == gauge.used
        assert sums(made), (gauge.name, made)
        assert {item.unit for item in made.items} <= ids | {""}
        given_ = supply_makeup(gauge, report)
        if given_ is not None:
            assert given_.total == gauge.maximum
            assert sums(given_), (gauge.name, given_)


@LAW
@given(lists())
def test_the_parts_of_every_number_of_a_warband_sum_to_it(document: Data) -> None:
    hold_everywhere(judge(document, GAMES[document["system"]]))
    if document["system"] == "chainmail-2001-basic":
        hold_everywhere(judge({**document, "system": ADVANCED.system.id}, ADVANCED))


@LAW
@given(games())
def test_the_parts_of_every_number_of_a_made_up_army_sum_to_it(
    game: tuple[Catalogue, Data],
) -> None:
    catalogue, document = game
    hold_everywhere(judge(document, catalogue))


@st.composite
def real_armies(draw: st.DrawFn) -> tuple[Catalogue, Data]:
    """Units of a real army book with some of their options, legal or not."""
    book = draw(st.sampled_from(sorted(shipped_library().books["t9a-2023"])))
    catalogue = LIBRARY.catalogue("t9a-2023", [book])
    units = []
    for ref in draw(st.lists(st.sampled_from(sorted(catalogue.units)), max_size=5)):
        slots = sorted(catalogue.units[ref].offer.slots)
        taken = draw(st.lists(st.sampled_from(slots), max_size=4, unique=True)) if slots else []
        entry = {"unit": ref, "models": draw(st.integers(1, 40))}
        units.append({**entry, "options": [{"id": option} for option in taken]})
    limit = draw(st.sampled_from([2000, 4500, 8000]))
    return catalogue, list_of("t9a-2023", [book], units, limit=limit)


@FEW
@given(real_armies())
def test_the_parts_of_every_number_of_a_real_army_sum_to_it(game: tuple[Catalogue, Data]) -> None:
    catalogue, document = game
    hold_everywhere(judge(document, catalogue))


@pytest.mark.parametrize("file", ARMIES, ids=[file.stem for file in ARMIES])
def test_the_parts_of_every_number_of_a_whole_army_sum_to_it(file: Path) -> None:
    document = json.loads(file.read_text(encoding="utf-8"))["document"]
    hold_everywhere(judge(document, catalogue_of(value_of(document), LIBRARY)))


@LAW
@given(lists())
def test_the_formula_of_a_model_can_be_followed_by_hand(document: Data) -> None:
    report = judge(document, GAMES[document["system"]])
    for line in report.full.lines:
        working = line_makeup(line, report.full.system).working
        if working is None:
            assert report.full.system.formula is None or line.unit.price.start is None
            continue
        product = sum(item.amount for item in working.items) * working.factor
        assert working.each == max(working.minimum, -(-product // working.divisor)) == line.each
        numbers = re.findall(r"\d+", working.words)
        assert numbers[-1] == str(working.each)


OWN: Data = {
    "name": "Grim", "stats": {"quality": 4, "combat": 4},
    "abilities": [{"ability": "leader"}],
}  # fmt: skip


def test_an_own_model_names_combat_special_rules_and_quality() -> None:
    own = list_of("sbh", [], [{"models": 2, "profile": OWN}], limit=300)
    report = judge(own, GAMES["sbh"])
    (line,) = report.full.lines
    made = line_makeup(line, report.full.system)
    assert made.working is not None
    assert [(item.name, item.amount) for item in made.working.items] == [
        ("5 × Combat 4", 20), ("Leader", 15),
    ]  # fmt: skip
    assert made.working.words == "35 × (7 − Quality 4) ÷ 2 = 52.5, rounded up to 53"
    assert [(item.name, item.amount) for item in made.items] == [("2 models, 53 each", 106)]
    # A model in reserve shows what it saves.
    lady = take("practice/bannerlady-oresta", 1, "reserve")
    document = list_of("chainmail-2002", ["practice"], [lady], limit=100)
    report = judge(document, GAMES["chainmail-2002"])
    (line,) = report.full.lines
    base, saved = line_makeup(line, report.full.system).items
    assert base.amount == line.each
    assert saved.amount == -(line.each // 2)
    assert saved.name == "Reserve: half the points, rounded up"


def test_a_share_of_the_game_says_of_how_much() -> None:
    catalogue = LIBRARY.catalogue("t9a-2023", ["highborn-elves"])
    document = list_of("t9a-2023", ["highborn-elves"], [], limit=4500)
    report = judge(document, catalogue)
    shares = {gauge.name: gauge_makeup(gauge, report).notes for gauge in report.gauges}
    assert shares["Characters"] == ("Nothing yet", "At most 1800: 40% of 4500 points.")
    assert shares["Core"] == ("Nothing yet", "At least 1125: 25% of 4500 points.")


def test_a_gauge_links_to_the_units_it_counts(chainmail: Builder) -> None:
    chainmail.act("add", ref="practice/bannerlady-oresta")
    chainmail.act("describe", unit="u1", name="<i>Oresta</i>", notes="")
    page = chainmail.page
    gauge = page[page.index('id="gauge-1"') : page.index('id="gauge-2"')]
    assert '<a href="#u1" dir="auto">&lt;i&gt;Oresta&lt;/i&gt;</a>' in gauge
    assert 'id="u1"' in page


def test_the_points_of_the_open_unit_open_what_they_are_made_of(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    page = sbh.client.get(f"{sbh.url}?open=u1").text
    opened = page[page.index('<details class="menu made" id="made-unit">') :]
    opened = opened[: opened.index("</details>")]
    assert lacking(opened, "Combat", "÷ 2") == []
    # A tough model has boxes on the page too.
    sbh.act("add", ref="profiles/troll")
    _, page, text = views(sbh)
    for said in ("Wounds", "Fallen, Transfixed, Out", "Tough"):
        assert said in page
        assert said in text


def test_the_open_unit_of_an_army_shows_its_parts(build: Callable[..., Builder]) -> None:
    builder = build("t9a-2023", limit=4500, books=["highborn-elves"])
    catalogue = LIBRARY.catalogue("t9a-2023", ["highborn-elves"])
    ref = next(ref for ref, unit in catalogue.units.items() if unit.price.extra)
    for _ in range(2):
        builder.act("add", ref=ref)
    assert "made-unit" not in builder.page
    page = builder.client.get(f"{builder.url}?open=u1").text
    assert page.count('id="made-unit"') == 1


def views(builder: Builder) -> Iterator[str]:
    """The builder's page, the sheet as a page, and the full text."""
    for address in ("", "sheet/", "sheet.txt?form=full"):
        answer = builder.client.get(f"{builder.url}{address}")
        yield " ".join(html.unescape(answer.text).split())


@pytest.mark.slow
@pytest.mark.django_db
def test_casualties_that_count_double_are_shown_once_three_play(
    build: Callable[..., Builder],
) -> None:
    builder = build("chainmail-2001-basic", limit=50, books=["practice"])
    for _ in range(5):
        builder.act("add", ref="practice/dune-jackal")
    assert not any("Casualties that count double" in page for page in views(builder))
    builder.act("setting", setting="players", value="3")
    for page in views(builder):
        assert lacking(page, "Casualties that count double", "the first 2 of 5 models") == []


@pytest.mark.slow
def test_under_ground_a_warband_tells_who_sees_little_and_of_orders(chainmail: Builder) -> None:
    chainmail.act("add", ref="practice/bannerlady-oresta")
    chainmail.act("add", ref="practice/mosspath-tracker")
    assert not any('See only 6" in gloom' in page for page in views(chainmail))
    chainmail.act("setting", setting="environment", value="underground")
    for page in views(chainmail):
        assert lacking(page, 'See only 6" in gloom', "11–20 gloom") == []
    # Orders, modifiers and reminders stand on the sheet and in the text.
    for unit in ("u1", "u2"):
        chainmail.act("remove", unit=unit)
    chainmail.act("add", ref="practice/sunhill-chaplain")
    _, *sheets = views(chainmail)
    assert len(sheets) == 2
    for page in sheets:
        for said in ("Another friend touching the commander", "Each model between", "507"):
            assert said in page
        assert "turns undead of level 1" in page
    chainmail.act("remove", unit=chainmail.document["units"][0]["id"])
    chainmail.act("add", ref="practice/dune-jackal")
    assert not any("turns undead of level 1" in page for page in views(chainmail))


#: Words of the importer.
OF_IMPORTS = ("told in a sentence", "by the source", "at once in the file", "As this book has it")


@pytest.mark.slow
def test_remarks_of_an_import_stand_on_the_page_of_the_data_alone(elves: Builder) -> None:
    elves.act("add", ref="highborn-elves/lion-guard")
    library = "/library/t9a-2023/highborn-elves/"
    shown = [f"{elves.url}?open=u1", f"{elves.url}sheet/", f"{elves.url}text/", library]
    for address in shown:
        page = strip_tags(elves.client.get(address).text)
        assert "Lion Guard" in page
        assert [words for words in OF_IMPORTS if words in page] == []
    assert OF_IMPORTS[0] in elves.client.get(f"{library}data/").text


def unit(name: str, models: int, *options: str) -> dict[str, object]:
    taken = [{"id": option} for option in options]
    return {"unit": f"highborn-elves/{name}", "models": models, "options": taken}


def test_an_army_far_over_its_points_is_not_told_to_remove_its_general() -> None:
    prince = unit("high-prince", 1, "dragon", "dragonforged-armour", "potion-of-swiftness")
    units = [
        {**prince, "roles": ["general"]},
        unit("citizen-spears", 30),
        unit("citizen-archers", 20),
        unit("sea-guard", 20),
        unit("lion-guard", 20),
        unit("sword-masters", 20),
    ]
    document = list_of("t9a-2023", ["highborn-elves"], units, limit=2046)
    page = BuilderPage(Version(document=value_of(document)), shipped_library())
    over = next(one for one in page.tellings if "729 over" in one.sentence)
    labels = [answer.label for answer in over.answers]
    assert len(labels) > 1
    assert all("still" in label for label in labels)
    assert not any("High Prince" in label for label in labels)
