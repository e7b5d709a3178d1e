"""Every game without script: from an empty list over a broken rule to the sheet on the table."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.plain.visitor import Visitor
from tests.stories import STORIES, Story

pytestmark = pytest.mark.long

FINDINGS = "#findings > .finding"


def start(visitor: Visitor, story: Story) -> None:
    """From the start page to the builder."""
    visitor.follow(story.game, ".games .button")
    visitor.write("Name", "A first try")
    visitor.write("(points)", story.size)
    if story.book:
        visitor.choose("Army book", story.book)
    visitor.press("Create list")
    assert visitor.text("#verdict-title").endswith("to do")


def version(visitor: Visitor) -> str:
    return str(visitor.page.xpath("string(//form[@id='hand-form']/input[@name='version']/@value)"))


def do(visitor: Visitor, words: str, act: Callable[..., None], *what: Any) -> None:
    """Do something to the list: it is another version then, and the words are said."""
    before = version(visitor)
    act(*what)
    assert version(visitor) not in ("", before)
    assert visitor.text("#said").startswith(words)


def break_and_settle(visitor: Visitor, story: Story) -> None:
    """Break a rule, take it back, do it again, and settle what is found."""
    added = f"Added {story.breaks}."
    assert not visitor.saying(story.finding, FINDINGS)
    do(visitor, added, visitor.press, f"Add {story.breaks}")
    assert visitor.saying(story.finding, FINDINGS)
    do(visitor, f"Undone: {added}", visitor.press, "Undo", ".bar-top")
    assert not visitor.saying(story.finding, FINDINGS)
    do(visitor, f"Redone: {added}", visitor.press, "Redo", ".bar-top")
    for place, (answer, said) in enumerate(story.answers):
        (broken,) = visitor.all("#findings") if place else visitor.saying(story.finding, FINDINGS)
        do(visitor, said, visitor.press, answer, broken)
        assert not visitor.saying(story.finding, FINDINGS)


def choose(visitor: Visitor, setting: str, option: str) -> None:
    """A choice of the game, or one piece more where it has pieces."""
    field = visitor.one(f"#set-{setting}")
    form = next(field.iterancestors("form"))
    visitor.pick(field, option)
    visitor.send(form.cssselect("button")[0])


def rename(visitor: Visitor, name: str) -> None:
    visitor.write("Name", name, "#lists")
    visitor.enter("Name", "#lists")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.system)
def test_a_list_of_every_game_goes_from_nothing_to_its_sheet(
    visitor: Visitor, story: Story
) -> None:
    start(visitor, story)
    for unit in story.units:
        do(visitor, f"Added {unit}.", visitor.press, f"Add {unit}")
    break_and_settle(visitor, story)
    for setting, option, said in story.choices:
        do(visitor, said, choose, visitor, setting, option)
    do(visitor, f"Renamed the list to {story.name}.", rename, visitor, story.name)
    assert visitor.text("#chip").startswith(story.ends)
    visitor.follow("Print", ".bar-top .toolbar")
    visitor.follow("Roster sheet", ".print-preview")
    assert visitor.text(".sheet h1") == story.name
    assert ("Legal" if story.ends == "Legal" else "Not legal") in visitor.text(
        ".sheet .sheet-verdict"
    )
    sheet = visitor.text(".sheet")
    assert all(unit in sheet for unit in story.units)
