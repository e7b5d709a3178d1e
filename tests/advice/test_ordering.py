"""What a page tells first: what is broken, the newest of it before what was broken already."""

from collections.abc import Callable

from armybuilder.pages.builder.page import BuilderPage
from tests.advice.test_settling import BRUISER, CHAINMAIL, RECRUIT, SPEAR, fill
from tests.conftest import Builder

Build = Callable[..., Builder]


def page_after(builder: Builder, name: str, **fields: object) -> BuilderPage:
    """The page that answers a click."""
    answer = builder.act(name, htmx=True, **fields)
    page: BuilderPage = answer.context["page"]
    return page


def told(page: BuilderPage) -> list[tuple[str, str, bool]]:
    return [(one.rule.code, one.state, one.new) for one in page.tellings]


def test_what_is_broken_comes_before_what_is_to_do_and_the_newest_first(build: Build) -> None:
    builder = build(CHAINMAIL[0], limit=20, books=["practice"])
    fill(builder, "practice", [(SPEAR, 5), (RECRUIT, 1)])
    page = page_after(builder, "add", ref=f"practice/{BRUISER}")
    broken = [(code, new) for code, state, new in told(page) if state == "broken"]
    assert ("alignment.clash", True) in broken
    assert broken[-1] == ("points.over", False)
    states = [state for _, state, _ in told(page)]
    ranks = ["broken", "missing", "warning", "note"]
    assert states == sorted(states, key=ranks.index)


def test_what_undo_brings_back_is_new(build: Build) -> None:
    builder = build(CHAINMAIL[0], limit=100, books=["practice"])
    fill(builder, "practice", [(SPEAR, 1), (RECRUIT, 1)])
    page_after(builder, "add", ref=f"practice/{BRUISER}")
    page = page_after(builder, "undo")
    assert not any(new for _, _, new in told(page))
    page = page_after(builder, "redo")
    assert ("alignment.clash", "broken", True) in told(page)


def test_a_page_that_is_only_looked_at_has_nothing_new(build: Build) -> None:
    builder = build(CHAINMAIL[0], limit=100, books=["practice"])
    fill(builder, "practice", [(SPEAR, 1), (BRUISER, 1)])
    page = builder.client.get(builder.url).context["page"]
    assert not any(new for _, _, new in told(page))
