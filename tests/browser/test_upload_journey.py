"""A journey with uploaded books in a real Chromium: files, report, keep, list, verdict, print."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from armybuilder.uploads.models import Upload
from tests.browser.conftest import PHONE
from tests.building.zips import packed
from tests.uploads.files import OWN_NAME, own_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.slow
def test_from_files_of_a_game_that_is_not_here_to_a_printed_list(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    file = tmp_path / "otters.zip"
    file.write_bytes(packed(own_files()))
    page = open_page(size=PHONE, at="")
    page.goto("/lists/import/")
    page.get_by_role("link", name="Upload BattleScribe books").click()
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", name=OWN_NAME)).to_be_visible()
    expect(page.get_by_label("River Folk")).to_be_checked()
    page.get_by_role("button", name="Keep the selected books").click()
    expect(page.get_by_text("Kept 1 book.")).to_be_visible()
    page.locator("main .row").get_by_role("link", name="New list").click()
    page.get_by_label("Name").first.fill("Otters at war")
    page.locator("main button.primary").first.click()
    page.wait_for_url("**/lists/*/**")
    page.goto(f"{page.url.partition('?')[0]}?view=units")
    page.locator(".add").first.click()
    expect(page.locator("main")).to_contain_text("Spears")
    address = page.url.partition("?")[0].partition("#")[0].removesuffix("act/")
    page.goto(address)
    expect(page.locator("main")).to_contain_text("50")
    printed = page.request.get(f"{address}print.pdf")
    assert printed.body().startswith(b"%PDF")


@pytest.mark.slow
def test_the_page_follows_the_worker_until_the_report_is_there(
    open_page: Callable[..., Page], tmp_path: Path
) -> None:
    file = tmp_path / "otters.zip"
    file.write_bytes(packed(own_files()))
    page = open_page(at="")
    page.goto("/books/upload/")
    page.get_by_label("Files").set_input_files(file)
    page.get_by_role("button", name="Upload").click()
    expect(page.get_by_role("heading", name=OWN_NAME)).to_be_visible()
    Upload.objects.update(state="working", done=0, total=2, worker="x")
    page.reload()
    expect(page).to_have_title("Reading…")
    Upload.objects.update(done=1)
    expect(page.get_by_role("progressbar", name="1 of 2 books read")).to_be_visible()
    Upload.objects.update(state="done")
    expect(page).to_have_title("What was found")
