"""An organiser writes a pack in sentences, changes one, and a list that breaks it is mended."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Open
from tests.browser.steps import create, show
from tests.browser.survey import axe_findings
from tests.browser.test_journeys import add

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def begin(page: Page, kind: str) -> None:
    page.get_by_label("New rule").select_option(kind)
    page.get_by_role("button", name="Write it").click()
    expect(page.locator("#sentence legend").first).to_have_text(kind)


def keep(page: Page, sentence: str, button: str = "Add the rule") -> None:
    page.get_by_role("button", name=button).click()
    expect(page.locator("#rules").get_by_text(sentence, exact=True).first).to_be_visible()


def write(page: Page, kind: str, sentence: str, **fields: str) -> None:
    """Write one sentence, by the labels of its fields."""
    begin(page, kind)
    for label, value in fields.items():
        field = page.locator("#sentence").get_by_label(label.replace("_", " ")).first
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    keep(page, sentence)


@pytest.mark.slow
def test_a_pack_of_five_sentences_is_written_and_a_list_kept_to_it(open_page: Open) -> None:
    page = open_page(at="/packs/new/")
    page.get_by_label("Name").fill("Heron Cup")
    page.get_by_label("Game").select_option("sbh")
    page.get_by_role("button", name="Create pack").click()
    write(
        page,
        "Maximum or minimum per list",
        "Each list can have at most 6 models: all.",
        Number="6",
    )
    write(
        page,
        "Maximum of each",
        "Each at most 4 times in a list: all.",
        Number="4",
    )
    write(page, "Not allowed", "Not allowed: Undead.", Group="Undead")
    write(
        page,
        "Size or points of each unit",
        "Each unit can have at most 80 points: all.",
        Number="80",
        Counted="points",
    )
    begin(page, "Some of several restrictions")
    page.locator("#sentence").get_by_label("Number").first.fill("1")
    for part, (number, group) in enumerate((("1", "Animal"), ("2", "Shooter"))):
        row = page.locator("#sentence fieldset").nth(part)
        row.get_by_label("Number").first.fill(number)
        row.get_by_label("Group").first.select_option(label=group)
    assert list(axe_findings(page)) == []
    keep(page, "Each list must meet at least 1 of these 2 restrictions.")
    # One word of one sentence changes.
    page.get_by_role("button", name="Edit : Each at most 4 times").click()
    page.locator("#sentence").get_by_label("Number").first.fill("2")
    keep(page, "Each at most 2 times in a list: all.", "Change the rule")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved as version 2.")).to_be_visible()
    key = page.url.partition("/packs/own/")[2].partition("/")[0]
    create(page, "sbh", limit="300", books="profiles", pack=key)
    for _ in range(3):
        add(page, "Human Warrior")
    expect(page.locator("#chip")).to_contain_text("1 error")
    show(page, "errors")
    told = page.locator("#findings").get_by_text("Each at most 2 times in a list: all.")
    expect(told.first).to_be_visible()
    ways = page.locator(".way")
    expect(ways.first).to_be_visible()
    ways.first.get_by_role("button", name="Apply").click()
    expect(page.locator("#chip")).to_contain_text("Legal")
