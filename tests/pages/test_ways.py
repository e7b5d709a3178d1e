"""What the solver proposes on pages: ways to a legal list, fillings, answers; and taking one."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from armybuilder.acts import proposals
from armybuilder.acts.proposals import packed
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder import ways as filling
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.solving import cpsat
from armybuilder.solving.repair import repairs
from tests.conftest import Builder
from tests.markup import lacking, refused

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found does not depend on the machine."""
    monkeypatch.setattr(proposals, "repairs", partial(repairs, seconds=60.0))


def crowded(sbh: Builder) -> Builder:
    """Some 100 points more than 300."""
    names = ("human-archer", "elf-archer", "dwarf-warrior")
    units = [
        {"id": f"u{n}", "unit": f"profiles/{name}", "models": 4} for n, name in enumerate(names, 1)
    ]
    sbh.store(units=units)
    return sbh


def ways(builder: Builder, **query: object) -> str:
    return builder.client.get(f"{builder.url}ways/", query).text


def packed_in(page: str) -> list[str]:
    return re.findall(r'name="proposal" value="([\w=-]+)"', page)


def test_an_illegal_list_is_offered_ways_of_which_one_is_taken_and_undone(sbh: Builder) -> None:
    crowded(sbh)
    before = sbh.document
    assert "/ways/" in sbh.page
    found = packed_in(ways(sbh))
    assert len(found) == len(set(found)) == 3
    answer = sbh.act("take-repair", proposal=found[0], htmx=True)
    assert answer.status_code == 200
    assert "Made legal:" in answer.text
    assert "The list is legal." in ways(sbh)
    assert "/ways/" not in sbh.page
    sbh.act("undo")
    assert sbh.document == before
    # What is kept stays.
    kept = [unit["id"] for unit in sbh.document["units"]]
    page = ways(sbh, keep=kept)
    assert f'value="{kept[0]}" checked' in page
    assert "No fix keeps all of these." in page
    sbh.act("take-repair", proposal=packed_in(ways(sbh, keep=kept[:1]))[0])
    assert sbh.document["units"][0]["id"] == kept[0]


def missing() -> None:
    raise cpsat.NoSolver


@pytest.mark.slow
def test_an_army_far_from_legal_gets_an_answer(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=4500, books=["highborn-elves"])
    army.act("add", ref="highborn-elves/high-prince")
    assert packed_in(ways(army))
    answer = army.act("take-repair", proposal=packed_in(ways(army))[0], htmx=True)
    assert "Made legal" in answer.text


@pytest.mark.slow
def test_only_offered_legal_fixes_can_be_applied(sbh: Builder) -> None:
    before = crowded(sbh).document
    for way in ("", "x", "AAAA", "é", "eJwLdQEAAAD__w=="):
        assert sbh.act("take-repair", proposal=way, htmx=True).status_code == 422, way
    assert sbh.document == before
    # A list that is not legal is no repair.
    there = ArmyList.from_dict(sbh.document)
    for made in (there, replace(there, system="chainmail-2002")):
        assert sbh.act("take-repair", proposal=packed(made, there), htmx=True).status_code == 422
    # Nor is a way that has changed since taken.
    (way, *_) = packed_in(ways(sbh))
    sbh.act("add", ref="profiles/giant-frog")
    assert "has changed since" in refused(sbh.act("take-repair", proposal=way, htmx=True))


def shown(builder: Builder, query: str = "seed=1", **headers: str) -> str:
    return builder.client.get(f"{builder.url}fill/?{query}", headers=headers).text


def proposals_on(page: str) -> list[dict[str, str]]:
    forms = re.findall(r"<form.*?</form>", page, re.S)
    found = (dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms)
    return [one for one in found if "proposal" in one]


def all_proposals(builder: Builder, query: str = "seed=1") -> list[dict[str, str]]:
    """Those of the page, and those that follow by requests of their own."""
    page = shown(builder, query)
    found = proposals_on(page)
    while more := re.search(r'<li class="more-proposals" hx-get="[^"?]*\?([^"]*)"', page):
        page = shown(builder, more[1].replace("&amp;", "&"), **{"HX-Request": "true"})
        found += proposals_on(page)
    return found


def take(builder: Builder, proposal: dict[str, str]) -> int:
    answer = builder.act("take-fill", htmx=True, proposal=proposal["proposal"])
    return int(answer.status_code)


def is_legal_and_full(builder: Builder) -> bool:
    page = BuilderPage(builder.version, shipped_library())
    return page.report.legal and page.left == 0


def test_three_different_proposals_are_shown_and_one_is_taken_and_undone(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-leader")
    before = sbh.document
    found = all_proposals(sbh)
    assert len({one["proposal"] for one in found}) == len(found) == 3
    assert take(sbh, found[2]) == 200
    page = BuilderPage(sbh.version, shipped_library())
    assert page.report.legal
    assert 0 <= page.left <= 5
    assert sbh.document["units"][0] == before["units"][0]
    assert len(sbh.document["units"]) <= len(before["units"]) + 3
    assert f"Spent {300 - page.left} of 300 points." in sbh.client.get(f"{sbh.url}history/").text
    sbh.act("undo")
    assert sbh.document == before


def test_fixes_keep_the_chosen_units_and_show_points_and_units(
    build: Callable[..., Builder],
) -> None:
    # A role or an option alone can be kept.
    army = build("t9a-2023", limit=2000, books=["highborn-elves"])
    army.act("add", ref="highborn-elves/high-prince")
    army.act("option-number", unit="u1", option="death-cheater", number="1")
    army.act("role", unit="u1", role="general")
    page = ways(army, keep=["u1:general", "u1/death-cheater", "u1/none", "u9"])
    assert re.findall(r'value="([^"]+)"\s+checked', page) == ["u1:general", "u1/death-cheater"]
    army.act("take-repair", proposal=packed_in(page)[0])
    (prince,) = [unit for unit in army.document["units"] if unit["id"] == "u1"]
    assert "general" in prince["roles"]
    assert "death-cheater" in [option["id"] for option in prince["options"]]
    # The points and the units of a proposal are told.
    army = build("t9a-2023", limit=4500, books=["highborn-elves"])
    page = shown(army)
    assert "All points spent" in page
    assert take(army, proposals_on(page)[0]) == 200
    assert is_legal_and_full(army)
    units = judge_by(army.version.document, BuilderPage(army.version, shipped_library()).catalogue)
    for pick in units.roster.picks:
        assert pick.unit is not None
        assert pick.unit.name.split("’")[0].split("'")[0] in page


def test_wishes_are_kept_by_the_proposals_and_unknown_ones_are_not(sbh: Builder) -> None:
    page = shown(sbh, "seed=1&wish=shooting&wish=no-copies&wish=nonsense&seed=x")
    assert re.findall(r'name="wish" value="([^"]*)" checked', page) == ["shooting", "no-copies"]
    (first, *_) = proposals_on(page)
    assert take(sbh, first) == 200
    refs = [unit["unit"] for unit in sbh.document["units"]]
    assert len(set(refs)) == len(refs)
    assert all(unit.get("models", 1) == 1 for unit in sbh.document["units"])


@pytest.mark.slow
def test_only_wishes_that_the_game_and_its_books_support_are_offered(
    sbh: Builder, build: Callable[..., Builder]
) -> None:
    assert 'value="magic"' in shown(sbh)
    assert 'value="owned"' not in shown(sbh)
    creatures = build("ddm-2008", limit=200, books=["practice"])
    assert 'value="shooting"' not in shown(creatures)
    assert 'value="bodies"' in shown(creatures)
    dwarves = build("t9a-2023", limit=4500, books=["dwarven-holds"])
    assert 'value="shooting"' in shown(dwarves)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", ["", "-1", "x", "9" * 30, "٣", "1e3"])
def test_an_invalid_seed_shows_random_suggestions(sbh: Builder, seed: str) -> None:
    assert proposals_on(shown(sbh, f"seed={seed}&seen=%3Cb%3E"))


def test_a_proposal_that_no_longer_suits_the_list_is_refused(sbh: Builder) -> None:
    (first, *_) = proposals_on(shown(sbh))
    sbh.act("add", ref="profiles/giant-frog")
    had = sbh.document
    assert take(sbh, first) == 422
    assert sbh.document == had
    # Nor an answer.
    sbh.act("undo")
    found = proposal(asked(sbh, "cheapest"))
    sbh.act("add", ref="profiles/giant-frog")
    assert sbh.act("take-answer", proposal=found, htmx=True).status_code == 422


def test_applying_a_suggestion_computes_nothing_again(
    sbh: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the solver may find another list than the one that was shown."""
    (first, *_) = proposals_on(shown(sbh))
    monkeypatch.setattr(cpsat, "_helper", missing)
    assert take(sbh, first) == 200
    assert is_legal_and_full(sbh)


def test_the_army_offers_suggestions_if_points_are_left(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/giant-frog")
    assert 'id="to-fill"' in sbh.page
    for _ in range(6):
        sbh.act("add", ref="profiles/wood-elf-leader")
    assert 'id="to-fill"' not in sbh.page


def test_suggestions_and_questions_say_if_additions_cannot_make_a_list_legal(sbh: Builder) -> None:
    for _ in range(4):
        sbh.act("add", ref="profiles/wood-elf-leader")
    page = shown(sbh)
    assert lacking(page, "to make the list legal by adding units", f"{sbh.url}ways/") == []
    assert "to make the list legal by adding units" in asked(sbh, "models")
    assert sbh.act("fill", htmx=True).status_code == 422


@pytest.mark.slow
def test_a_single_fix_and_blank_cards_are_handled(build: Callable[..., Builder]) -> None:
    # Where there is one way alone no other is made up.
    small = build("sbh", limit=20, books=["profiles"])
    found = all_proposals(small)
    assert len({one["proposal"] for one in found}) == len(found) < 3
    # Cards to fill in are added where books say no points.
    cards = build("chainmail-2001-basic", limit=50, books=["known-cards"])
    page = shown(cards)
    assert "their points are unknown" in page
    assert take(cards, proposals_on(page)[0]) == 200
    assert 1 <= len(cards.document["units"]) <= 5


def test_a_list_of_very_many_units_gets_a_sentence(
    sbh: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    sbh.act("add", ref="profiles/giant-frog")
    monkeypatch.setattr("armybuilder.solving.fill.ENTRIES", 0)
    assert "We found nothing in time that fits the remaining points" in shown(sbh)


def test_without_a_solver_nothing_is_offered_and_the_page_says_so(
    sbh: Builder, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    monkeypatch.setattr(cpsat, "_helper", missing)
    monkeypatch.setattr("armybuilder.pages.builder.page.is_installed", lambda: False)
    monkeypatch.setattr("armybuilder.pages.home.views.is_installed", lambda: False)
    assert "fill/" not in sbh.page
    assert "/random/" not in client.get("/new/sbh/").text
    assert sbh.act("fill", htmx=True).status_code == 422
    for said in (shown(sbh), asked(sbh, "models"), ways(crowded(sbh))):
        assert "not available on this site" in said


def test_fillings_ask_the_database_little(
    sbh: Builder, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(4):
        shown(sbh)


@pytest.mark.slow
def test_one_request_makes_no_more_than_its_time_allows(
    sbh: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filling, "TIME", 0)
    page = shown(sbh)
    assert len(proposals_on(page)) == 1
    assert len(all_proposals(sbh)) == 3


def asked(builder: Builder, question: str = "") -> str:
    return builder.client.get(f"{builder.url}questions/?ask={question}").text


def proposal(page: str) -> str:
    (found,) = re.findall(r'name="proposal" value="([^"]+)"', page)
    return str(found)


def test_the_cheapest_legal_list_is_found_taken_and_undone(chainmail: Builder) -> None:
    chainmail.act("add", ref="practice/gatehouse-recruit")
    before = chainmail.document
    page = asked(chainmail, "cheapest")
    (points,) = re.findall(r"<strong>(\d+) points\.</strong>", page)
    answer = chainmail.act("take-answer", proposal=proposal(page), htmx=True)
    assert answer.status_code == 200
    report = BuilderPage(chainmail.version, shipped_library()).report
    assert (report.legal, report.spent) == (True, int(points))
    assert "already does this" in asked(chainmail, "cheapest")
    chainmail.act("undo")
    assert chainmail.document == before


def test_only_questions_that_the_game_can_answer_are_offered(
    sbh: Builder, build: Callable[..., Builder]
) -> None:
    assert "?ask=shooting" in asked(sbh)
    creatures = build("ddm-2008", limit=200, books=["practice"])
    assert "?ask=shooting" not in asked(creatures)
    assert "<strong>10 models.</strong>" in asked(creatures, "models")
    assert "models.</strong>" not in asked(creatures, "nonsense")


@pytest.mark.slow
def test_in_its_pane_only_answers_are_shown_that_change_something(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-leader")
    answers = sbh.client.get(f"{sbh.url}questions/", headers={"HX-Request": "true"}).text
    assert lacking(answers, "Most models", 'value="take-answer"') == []
    assert "Cheapest legal list" not in answers  # it is legal as it is
    assert "/questions/" in sbh.page
    for _ in range(4):
        sbh.act("add", ref="profiles/human-leader")
    assert "/questions/" not in sbh.page
