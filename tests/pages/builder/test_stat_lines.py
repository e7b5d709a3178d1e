"""A player's own stat lines: written once, shown wherever the list is drawn, read by no rule."""

from collections.abc import Callable
from typing import Any

import pytest

from armybuilder.exchange.csvs import read_csv, write_csv
from armybuilder.lists.models import Version
from armybuilder.loading.documents import canonical, judge
from armybuilder.loading.library import shipped_library
from tests.conftest import Builder
from tests.markup import flat, lacking, refused
from tests.sharing.links import make_link, path_of

pytestmark = pytest.mark.django_db

HERD, GIANT = "beast-herds/wildhorn-herd", "beast-herds/beast-giant"
BEASTS = {"limit": 2000, "books": ["beast-herds"]}
MARK = "written in by the player"


def fields(ref: str, *lines: dict[str, str]) -> dict[str, str]:
    """The form's fields; "" is the name of a line."""
    return {
        f"stat:{ref}:{row}:{stat}": text
        for row, line in enumerate(lines)
        for stat, text in line.items()
    }


@pytest.fixture
def beasts(build: Callable[..., Builder]) -> Builder:
    """A list of a book without any stat line, with a unit."""
    builder = build("t9a-3rd", **BEASTS)
    builder.act("add", ref=HERD)
    return builder


def pane(builder: Builder) -> str:
    panel = builder.client.get(f"{builder.url}?open=u1&part=list", headers={"HX-Request": "true"})
    return flat(panel.text)


def test_what_is_written_down_once_is_on_pane_sheet_link_and_later_lists(
    beasts: Builder, build: Callable[..., Builder]
) -> None:
    assert "no stat line" in pane(beasts)
    before = judge(beasts.version.document, shipped_library()).report
    herd = {"": "Herd", "dis": "7", "hp": "1", "str": " 3 ", "agi": ""}
    beasts.act("stat-lines", **fields(HERD, herd, {"": "nobody", "str": ""}))
    assert beasts.document["stat_lines"] == {
        HERD: [{"name": "Herd", "stats": {"dis": "7", "hp": "1", "str": "3"}}]
    }
    shown = pane(beasts)
    assert lacking(shown, MARK, "Another part: ", f'name="stat:{HERD}:1:str"') == []
    assert "no stat line" not in shown
    # It is told how many Health Points the unit has, and that changes no verdict.
    assert "Health Points" in shown
    after = judge(beasts.version.document, shipped_library()).report
    assert (after.findings, after.unchecked, after.spent) == (
        before.findings,
        before.unchecked,
        before.spent,
    )
    link = make_link(beasts, what="current", view="open")
    pages = (f"{beasts.url}sheet/", path_of(link))
    for page in pages:
        assert MARK in flat(beasts.client.get(page).text), page
    # A later list of the book has it, one that is there already offers it.
    later = build("t9a-3rd", **BEASTS)
    assert later.document["stat_lines"] == beasts.document["stat_lines"]
    beasts.act("stat-lines", **fields(HERD, {"str": "4"}))
    beasts.act("stat-lines", **fields(GIANT, {"str": "5"}))
    later.act("add", ref=GIANT)
    assert "stat_lines" in later.document
    assert f'name="stat:{GIANT}:0:str" value="5"' in pane(later)
    assert GIANT not in later.document["stat_lines"]


@pytest.mark.slow
def test_the_page_before_printing_takes_them_for_all_units(beasts: Builder) -> None:
    beasts.act("add", ref=GIANT)
    assert lacking(beasts.client.get(f"{beasts.url}print/").text, "Write them in here") == []
    address = f"{beasts.url}stats/"
    page = beasts.client.get(address).text
    assert lacking(page, "Wildhorn Herd", "Beast Giant", f"stat:{GIANT}:0:str") == []
    texts = {**fields(HERD, {"str": "3"}), **fields(GIANT, {"str": "5"})}
    sent = {"act": "stat-lines", "version": beasts.version.pk, **texts}
    said = beasts.client.post(address, sent, follow=True).text
    assert lacking(flat(said), "Saved the stats of Wildhorn Herd and Beast Giant.") == []
    assert "Write them in here" not in said
    # Empty again, they are gone.
    beasts.act("stat-lines", **fields(HERD, {"str": ""}), **fields(GIANT, {"str": ""}))
    assert "stat_lines" not in beasts.document


@pytest.mark.parametrize(
    ("texts", "why"),
    [
        (fields(HERD, {"str": "a great many"}), "Strength: 12 characters; the maximum"),
        (fields(HERD, {"": "n" * 61, "str": "3"}), "The name: 61 characters; the maximum"),
        (fields("beast-herds/nobody", {"str": "3"}), "The book already has a stat line"),
    ],
)
def test_what_cannot_be_written_down_is_refused(
    beasts: Builder, texts: dict[str, str], why: str
) -> None:
    assert why in refused(beasts.act("stat-lines", **texts))
    assert "stat_lines" not in beasts.document


@pytest.mark.slow
def test_a_unit_with_a_stat_line_keeps_that(elves: Builder) -> None:
    elves.act("add", ref="highborn-elves/high-prince")
    texts = fields("highborn-elves/high-prince", {"str": "10"})
    assert "The book already has a stat line" in refused(elves.act("stat-lines", **texts))
    assert "Custom stats" not in pane(elves)
    # Nor is it another where a document says so, of an older book perhaps.
    lines: Any = {"highborn-elves/high-prince": [{"stats": {"str": "10"}}]}
    elves.store(stat_lines=lines)
    assert MARK not in pane(elves)


def test_they_come_back_from_a_table_as_they_were(beasts: Builder) -> None:
    beasts.act("stat-lines", **fields(HERD, {"": "Herd", "str": "3"}, {"": "Totem", "hp": "2"}))
    document = Version.objects.latest("pk").document
    table = write_csv(document, shipped_library())
    assert canonical(read_csv(table.encode())) == canonical(document)
