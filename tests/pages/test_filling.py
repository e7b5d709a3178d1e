"""The page of proposals to fill a list, and the acts that take one."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from armybuilder.loading.documents import judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder import ways as filling
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.solving import cpsat
from armybuilder.solving.port import NoSolver
from tests.conftest import Builder

pytestmark = pytest.mark.django_db


def shown(builder: Builder, query: str = "seed=1", **headers: str) -> str:
    return builder.client.get(f"{builder.url}fill/?{query}", headers=headers).content.decode()


def proposals(page: str) -> list[dict[str, str]]:
    """The fields of each proposal's form."""
    forms = re.findall(r"<form.*?</form>", page, re.S)
    found = (dict(re.findall(r'name="(\w+)" value="([^"]*)"', form)) for form in forms)
    return [one for one in found if "proposal" in one]


def all_proposals(builder: Builder, query: str = "seed=1") -> list[dict[str, str]]:
    """Those of the page, and those that follow by requests of their own."""
    page = shown(builder, query)
    found = proposals(page)
    while more := re.search(r'<li class="more-proposals" hx-get="[^"?]*\?([^"]*)"', page):
        page = shown(builder, more[1].replace("&amp;", "&"), **{"HX-Request": "true"})
        found += proposals(page)
    return found


def take(builder: Builder, proposal: dict[str, str]) -> int:
    answer = builder.act("take-fill", htmx=True, proposal=proposal["proposal"])
    return int(answer.status_code)


def missing() -> None:
    raise NoSolver


def is_legal_and_full(builder: Builder) -> bool:
    page = BuilderPage(builder.version, shipped_library())
    return page.report.legal and page.left == 0


def test_three_different_proposals_are_shown_and_one_is_taken_and_undone(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-leader")
    before = sbh.document
    found = all_proposals(sbh)
    assert len({one["proposal"] for one in found}) == len(found) == 3
    assert take(sbh, found[2]) == 200
    assert is_legal_and_full(sbh)
    assert sbh.document["units"][0] == before["units"][0]
    assert (
        "Filled the list: 300 of 300 points."
        in sbh.client.get(f"{sbh.url}history/").content.decode()
    )
    sbh.act("undo")
    assert sbh.document == before


def test_the_points_and_the_units_of_a_proposal_are_told(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=4500, books=["highborn-elves"])
    page = shown(army)
    assert "4500 of\n" in page or "4500 of 4500 points" in re.sub(r"\s+", " ", page)
    assert take(army, proposals(page)[0]) == 200
    assert is_legal_and_full(army)
    units = judge_by(army.version.document, BuilderPage(army.version, shipped_library()).catalogue)
    for pick in units.roster.picks:
        assert pick.unit is not None
        assert pick.unit.name.split("’")[0].split("'")[0] in page


def test_wishes_are_kept_by_the_proposals_and_unknown_ones_are_not(sbh: Builder) -> None:
    page = shown(sbh, "seed=1&wish=shooting&wish=no-copies&wish=nonsense&seed=x")
    assert re.findall(r'name="wish" value="([^"]*)" checked', page) == ["shooting", "no-copies"]
    (first, *_) = proposals(page)
    assert take(sbh, first) == 200
    refs = [unit["unit"] for unit in sbh.document["units"]]
    assert len(set(refs)) == len(refs)
    assert all(unit.get("models", 1) == 1 for unit in sbh.document["units"])


@pytest.mark.slow
def test_wishes_are_those_that_the_game_and_its_books_can_tell(
    sbh: Builder, build: Callable[..., Builder]
) -> None:
    assert 'value="magic"' in shown(sbh)
    assert 'value="owned"' not in shown(sbh)
    creatures = build("ddm-2008", limit=200, books=["practice"])
    assert 'value="shooting"' not in shown(creatures)
    assert 'value="bodies"' in shown(creatures)
    dwarves = build("t9a-2023", limit=4500, books=["dwarven-holds"])
    assert 'value="shooting"' in shown(dwarves)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("seed", ["", "-1", "x", "9" * 30, "٣", "1e3"])
def test_a_seed_that_is_none_shows_proposals_by_chance(sbh: Builder, seed: str) -> None:
    assert proposals(shown(sbh, f"seed={seed}&seen=%3Cb%3E"))


def test_a_proposal_that_no_longer_suits_the_list_is_refused(sbh: Builder) -> None:
    (first, *_) = proposals(shown(sbh))
    sbh.act("add", ref="profiles/giant-frog")
    had = sbh.document
    assert take(sbh, first) == 422
    assert sbh.document == had


def test_what_is_taken_was_worked_out_before(sbh: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine the solver may find another list than the one that was shown."""
    (first, *_) = proposals(shown(sbh))
    monkeypatch.setattr(cpsat, "_helper", missing)
    assert take(sbh, first) == 200
    assert is_legal_and_full(sbh)


def test_a_full_list_says_that_it_is(sbh: Builder) -> None:
    take(sbh, proposals(shown(sbh))[0])
    assert "All points are spent." in shown(sbh)
    assert "to-fill" not in sbh.page


def test_the_army_offers_it_where_points_are_left(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/giant-frog")
    assert 'id="to-fill"' in sbh.page
    for _ in range(6):
        sbh.act("add", ref="profiles/wood-elf-leader")
    assert 'id="to-fill"' not in sbh.page


def test_a_list_that_adding_cannot_make_legal_is_told_so(sbh: Builder) -> None:
    for _ in range(3):
        sbh.act("add", ref="profiles/wood-elf-leader")
    page = shown(sbh)
    assert "to make the list legal by adding alone" in page
    assert f"{sbh.url}ways/" in page
    assert sbh.act("fill", htmx=True).status_code == 422


def test_where_there_is_one_way_alone_no_other_is_made_up(build: Callable[..., Builder]) -> None:
    small = build("sbh", limit=20, books=["profiles"])
    found = all_proposals(small)
    assert len({one["proposal"] for one in found}) == len(found) < 3


def test_cards_to_fill_in_are_added_where_books_say_no_points(
    build: Callable[..., Builder],
) -> None:
    cards = build("chainmail-2001-basic", limit=50, books=["known-cards"])
    page = shown(cards)
    assert "their points are not known" in page
    assert take(cards, proposals(page)[0]) == 200
    assert 1 <= len(cards.document["units"]) <= 5


def test_a_list_of_very_many_units_gets_a_sentence(
    sbh: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    sbh.act("add", ref="profiles/giant-frog")
    monkeypatch.setattr("armybuilder.solving.fill.ENTRIES", 0)
    assert "No way to spend the rest was found" in shown(sbh)


def test_without_a_solver_nothing_is_offered_and_that_is_said(
    sbh: Builder, monkeypatch: pytest.MonkeyPatch, client: Client
) -> None:
    monkeypatch.setattr(cpsat, "_helper", missing)
    monkeypatch.setattr("armybuilder.pages.builder.page.is_installed", lambda: False)
    monkeypatch.setattr("armybuilder.pages.home.views.is_installed", lambda: False)
    assert "fill/" not in sbh.page
    assert "/random/" not in client.get("/new/sbh/").content.decode()
    assert "not available on this site" in sbh.client.get(f"{sbh.url}fill/").content.decode()
    assert sbh.act("fill", htmx=True).status_code == 422


def test_the_page_asks_the_database_little(
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
    assert len(proposals(page)) == 1
    assert len(all_proposals(sbh)) == 3
