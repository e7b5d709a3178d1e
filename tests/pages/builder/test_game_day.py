"""Game-day facts where players look for them: beside the list, on its sheet, in its text."""

import html
from collections.abc import Callable, Iterator

import pytest

from tests.conftest import Builder


def views(builder: Builder) -> Iterator[str]:
    """The builder's page, the sheet as a page, and the full text."""
    for address in ("", "sheet/", "sheet.txt?form=full"):
        answer = builder.client.get(f"{builder.url}{address}")
        yield " ".join(html.unescape(answer.content.decode()).split())


@pytest.mark.django_db
def test_casualties_that_count_double_are_told_once_three_play(
    build: Callable[..., Builder],
) -> None:
    builder = build("chainmail-2001-basic", limit=50, books=["practice"])
    for _ in range(5):
        builder.act("add", ref="practice/dune-jackal")
    assert not any("Casualties that count double" in page for page in views(builder))
    builder.act("setting", setting="players", value="3")
    for page in views(builder):
        assert "Casualties that count double" in page
        assert "the first 2 of 5 models" in page


def test_under_ground_a_warband_tells_who_sees_little(chainmail: Builder) -> None:
    chainmail.act("add", ref="practice/bannerlady-oresta")
    chainmail.act("add", ref="practice/mosspath-tracker")
    assert not any('See only 6" in gloom' in page for page in views(chainmail))
    chainmail.act("setting", setting="environment", value="underground")
    for page in views(chainmail):
        assert 'See only 6" in gloom' in page
        assert "11–20 gloom" in page


def test_orders_modifiers_and_reminders_of_2002_stand_on_the_sheet_and_in_the_text(
    chainmail: Builder,
) -> None:
    chainmail.act("add", ref="practice/sunhill-chaplain")
    _, *sheets = views(chainmail)
    assert len(sheets) == 2
    for page in sheets:
        for said in ("Another friend touching the commander", "Each model between", "507"):
            assert said in page
        assert "turns undead of level 1" in page
    chainmail.act("remove", unit="u1")
    chainmail.act("add", ref="practice/dune-jackal")
    assert not any("turns undead of level 1" in page for page in views(chainmail))


def test_a_tough_model_has_boxes_on_the_page_too(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/troll")
    _, page, text = views(sbh)
    for said in ("Wounds", "Fallen, Transfixed, Out", "Tough"):
        assert said in page
        assert said in text
