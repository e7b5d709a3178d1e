"""A new error is announced on the page, with what helps, until it is gone."""

from collections.abc import Callable

import pytest

from armybuilder.advice.finding_details import FindingPresenter
from tests.conftest import Builder
from tests.markup import flat


@pytest.fixture
def elves(build: Callable[..., Builder]) -> Builder:
    return build("t9a-2023", limit=4500, books=["highborn-elves"])


def add(builder: Builder, unit: str, **fields: str) -> str:
    answer = builder.act("add", htmx=True, ref=f"highborn-elves/{unit}", **fields)
    return flat(answer.content.decode())


def news(page: str) -> str:
    begun = page.index('id="news"')
    return page[begun : page.index("</section>", begun)]


def said(page: str) -> str:
    return page.split('hx-swap-oob="innerHTML:#said">')[1].split("</div>")[0]


def test_a_new_error_is_announced_with_what_helps_and_read_out_once(elves: Builder) -> None:
    for unit in ("high-prince", "sky-sloop", "sky-sloop"):
        page = add(elves, unit)
        assert "news-line" not in page  # what is only to do is not announced
    page = add(elves, "sky-sloop")
    told = news(page)
    sentence = "Sky Sloop: 3 taken, maximum 2."
    assert sentence in told
    assert "Remove" in told
    assert "view=errors" in told
    assert sentence in said(page)
    shown = told.split('name="now-news" value="')[1].split('"')[0]
    page = add(elves, "mage", **{"now-news": shown})
    assert sentence in news(page)
    assert sentence not in said(page)
    closed = add(elves, "citizen-spears")
    assert "news-line" not in closed
    answer = elves.act("remove", htmx=True, unit="u4", **{"now-news": shown})
    assert "news-line" not in answer.content.decode()  # it goes with the error


def test_what_is_announced_is_the_first_of_the_errors_for_as_long(elves: Builder) -> None:
    for unit in ["giant-eagles"] * 3:
        add(elves, unit)
    for _ in range(3):
        page = add(elves, "sky-sloop")
    shown = news(page).split('name="now-news" value="')[1].split('"')[0]

    def errors(page: str) -> str:
        return page[page.index('id="findings"') :]

    assert errors(page).index("Sky Sloop:") < errors(page).index("Giant Eagles:")
    page = add(elves, "citizen-spears", **{"now-news": shown})
    assert "Sky Sloop: 3 taken" in news(page)
    assert errors(page).index("Sky Sloop:") < errors(page).index("Giant Eagles:")
    fields = {"view": "errors", "now-news": shown}
    stale = {"HX-Request": "true", "HX-Target": "shelf", "X-Stale": "verdict"}
    later = flat(elves.client.get(elves.url, fields, headers=stale).content.decode())
    assert errors(later).index("Sky Sloop:") < errors(later).index("Giant Eagles:")
    assert errors(elves.page).index("Sky Sloop:") > errors(elves.page).index("Giant Eagles:")


def test_without_script_it_is_on_the_page_after_the_act(elves: Builder) -> None:
    for _ in range(3):
        answer = elves.act("add", ref="highborn-elves/sky-sloop")
    page = elves.client.get(answer["Location"].partition("#")[0]).content.decode()
    assert "3 taken, maximum 2" in news(flat(page))
    assert "news-line" not in elves.page


def test_remedies_of_errors_that_nobody_sees_are_not_tried(
    elves: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        add(elves, "sky-sloop")
    monkeypatch.delattr(FindingPresenter, "tellings")
    fields = {"act": "add", "ref": "highborn-elves/sky-sloop", "version": str(elves.version.pk)}
    seen = {"HX-Request": "true", "X-Shown": "list,book,unit"}
    answer = elves.client.post(f"{elves.url}act/", fields, headers=seen)
    told = news(flat(answer.content.decode()))
    assert "3 taken, maximum 2." in told
    assert told.count('id="news-answer"') == 1
