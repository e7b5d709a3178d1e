"""The page that says how much of something a list could have, and the act that takes it."""

import re
from collections.abc import Callable

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.solving import cpsat
from armybuilder.solving.port import NoSolver
from tests.conftest import Builder

pytestmark = pytest.mark.django_db


def asked(builder: Builder, question: str = "") -> str:
    return builder.client.get(f"{builder.url}questions/?ask={question}").content.decode()


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
    chainmail.act("undo")
    assert chainmail.document == before


def test_a_list_that_has_it_already_says_so(sbh: Builder) -> None:
    sbh.act("take-answer", proposal=proposal(asked(sbh, "cheapest")))
    assert "has that already" in asked(sbh, "cheapest")


def test_only_questions_that_the_game_can_tell_are_asked(
    sbh: Builder, build: Callable[..., Builder]
) -> None:
    assert "?ask=shooting" in asked(sbh)
    creatures = build("ddm-2008", limit=200, books=["practice"])
    assert "?ask=shooting" not in asked(creatures)
    assert "<strong>10 models.</strong>" in asked(creatures, "models")
    assert "<strong>" not in asked(creatures, "nonsense")


def test_an_answer_that_no_longer_suits_the_list_is_refused(sbh: Builder) -> None:
    found = proposal(asked(sbh, "cheapest"))
    sbh.act("add", ref="profiles/giant-frog")
    assert sbh.act("take-answer", proposal=found, htmx=True).status_code == 422


def test_a_list_that_adding_cannot_make_legal_is_told_so(sbh: Builder) -> None:
    for _ in range(4):
        sbh.act("add", ref="profiles/wood-elf-leader")
    assert "to make the list legal by adding alone" in asked(sbh, "models")


def test_without_a_solver_that_is_said(sbh: Builder, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise NoSolver

    monkeypatch.setattr(cpsat, "_helper", missing)
    assert "not available on this site" in asked(sbh, "models")
