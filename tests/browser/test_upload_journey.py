"""A journey with uploaded books in a real Chromium: files, report, keep, list, verdict, print."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from armybuilder.uploads.models import Upload
from tests.building.zips import packed
from tests.uploads.files import OWN_NAME, own_files

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


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
