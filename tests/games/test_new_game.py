"""A game that no Python knows plays end to end: verdicts and words, remedies, fillings, sheets.

Reed Regatta was invented for this: `reed-regatta/` is all there is of it. Its codes and rules are
named like no other game's.
"""

import datetime
import html
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.engine import validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import TEMPLATES, sentence
from armybuilder.engine.verdict import Outcome
from armybuilder.loading.documents import judge_by, make_roster, read_document
from armybuilder.loading.library import Library, load_library, shipped_library
from armybuilder.sheets.content.make import make_sheet
from tests.building.documents import list_of
from tests.building.random_lists import filled
from tests.building.tiny import shipped_sentences, take
from tests.conftest import Builder

HERE = Path(__file__).parent
GAME = "reed-regatta"
CASES = json.loads((HERE / f"{GAME}-lists.json").read_text(encoding="utf-8"))["cases"]
REGATTA: Library = load_library(HERE)


@pytest.fixture
def game() -> Catalogue:
    return REGATTA.catalogue(GAME, ["marshfolk"])


def document(case: dict[str, Any]) -> Any:
    units = [take(f"marshfolk/{name}", models, *roles) for name, models, *roles in case["units"]]
    about = {key: case[key] for key in ("name", "limit", "settings")}
    data = list_of(GAME, ["marshfolk"], units, **about)
    return read_document(json.dumps(data).encode())


def test_its_files_have_no_mistake_and_no_code_of_another_game(game: Catalogue) -> None:
    assert REGATTA.problems == ()
    codes = {rule.head.code for rule in game.system.rules}
    assert codes.isdisjoint(key.split()[0] for key in (*TEMPLATES, *shipped_sentences()))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_its_lists_are_judged_and_told_as_its_booklet_says(
    case: dict[str, Any], game: Catalogue
) -> None:
    report = validate(make_roster(document(case), game), game)
    told = [[found.code, sentence(found)] for found in report.findings]
    assert told == case["findings"]
    assert report.legal is not case["findings"] or not case["findings"]


def test_every_sentence_of_the_new_game_appears_for_some_list(game: Catalogue) -> None:
    told = {code for case in CASES for code, _ in case["findings"]}
    # A crowd needs a larger purse.
    assert set(game.system.rules[0].head.sentences) - told == {"crowd.large"}


def test_a_random_list_of_it_is_legal_and_nearly_full(game: Catalogue) -> None:
    for seed in range(6):
        made = filled(game, 60, seed)
        report = validate(make_roster(made, game), game)
        assert report.outcome is Outcome.LEGAL, [sentence(one) for one in report.findings]
        assert report.spent >= 50


@pytest.fixture
def builder(client: Client, db: None, monkeypatch: pytest.MonkeyPatch) -> Builder:
    """A list of the game in a browser without script."""
    shipped = shipped_library()
    monkeypatch.setitem(shipped.systems, GAME, REGATTA.systems[GAME])  # type: ignore[arg-type]
    monkeypatch.setitem(shipped.books, GAME, REGATTA.books[GAME])  # type: ignore[arg-type]
    return Builder(client, GAME, limit=30, books=["marshfolk"])


def fill(builder: Builder, case: dict[str, Any]) -> None:
    version = builder.version
    wanted = document(case)
    version.document = replace(wanted, books=version.document.books, name=version.document.name)
    version.save()


def findings(page: str) -> str:
    """What the page says of the findings; its shelf tells of some, too."""
    blocks = re.findall(r'<li class="finding.*?</p>', page, re.S)
    return html.unescape(re.sub(r"<[^>]*>", " ", " ".join(blocks)))


def buttons(page: str) -> dict[str, dict[str, str]]:
    """The answers on the page: their words, and the fields that they post."""
    found = {}
    for block in re.findall(r'<div class="answers".*?</div>', page, re.S):
        for form in re.findall(r"<form.*?</form>", block, re.S):
            words = re.search(r"<button[^>]*>(.*?)</button>", form, re.S)
            assert words
            fields = re.findall(r'name="([^"]*)" value="([^"]*)"', form)
            found[html.unescape(words[1]).strip()] = {k: html.unescape(v) for k, v in fields}
    return found


#: By the number of the case: an answer on its page, and the code that it settles.
ANSWERS = [
    (2, "Remove one Reed Cutter", "twins.many"),
    (2, "Reduce Reed Cutter to 3", "berths.short"),
    (3, "Remove Toll Clerk", "home.strangers"),
    (4, "Remove Marsh Ox (9 points)", "hirelings.dear"),
    (4, "Remove Barrel of eels", "cargo.adrift"),
    (5, "Reduce wagers to 1", "purse.spent"),
    (5, "Reed Cutter: relieve of command", "skipper.blind"),
    (5, "Remove Drowned bell", "cargo.lone"),
]


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("number", "answer", "code"), ANSWERS, ids=lambda value: str(value))
def test_an_answer_on_its_page_settles_what_is_wrong(
    number: int, answer: str, code: str, builder: Builder
) -> None:
    case = CASES[number]
    fill(builder, case)
    told = dict(case["findings"])[code]
    assert told in findings(builder.page)
    offered = buttons(builder.page)
    # What leaves something to do says so.
    label = next((one for one in offered if one.partition(" (then")[0] == answer), None)
    assert label, sorted(offered)
    response = builder.client.post(f"{builder.url}act/", offered[label])
    assert response.status_code == 302, response.content.decode()
    assert told not in findings(builder.page)


def test_its_builder_shows_gauges_settings_and_the_verdict(builder: Builder) -> None:
    fill(builder, CASES[0])
    page = builder.page
    for words in ("Coins", "Berths", "Home harbour", "Drowned bell", "Legal"):
        assert words in page
    assert builder.act("fill").status_code == 302
    assert builder.document["units"]


def test_its_sheet_tells_its_facts_tables_and_reminders(game: Catalogue) -> None:
    sheet = make_sheet(judge_by(document(CASES[4]), game), datetime.date(2026, 1, 1))
    facts = {fact.name: fact.text for fact in sheet.facts}
    assert facts["Channels known"] == "+1"
    assert facts["Gives up"] == "when 2 of 3 are overboard"
    assert [table.name for table in sheet.tables] == ["Wind"]
    assert "Hired hands cost 9 coins" in " ".join(finding.sentence for finding in sheet.findings)
