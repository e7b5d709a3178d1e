"""Ticking units on the shelf: adding several at once, and comparing them."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from armybuilder.lists.models import Version
from armybuilder.loading.library import shipped_library
from tests.conftest import Builder

LADY = "practice/bannerlady-oresta"
SPEAR = "practice/millbrook-spearhand"
EVIL = "practice/pack-mother-of-the-red-dunes"


def ticks(*refs: str) -> dict[str, str]:
    return {f"tick-{ref}": "on" for ref in refs}


def add_several(builder: Builder, *refs: str, number: str = "1") -> Any:
    return builder.act("add-several", number=number, **ticks(*refs))


def test_ticked_units_are_added_as_one_version(chainmail: Builder) -> None:
    add_several(chainmail, LADY, SPEAR, number="3")
    units = [(unit["unit"], unit["models"]) for unit in chainmail.document["units"]]
    assert units == [(LADY, 3), (SPEAR, 3)]
    assert Version.objects.count() == 2
    assert chainmail.version.act == "Added 3 × Bannerlady Oresta, 3 × Millbrook Spearhand."
    chainmail.act("undo")
    assert chainmail.document["units"] == []


def test_models_join_those_that_are_there(chainmail: Builder) -> None:
    chainmail.act("add", ref=SPEAR)
    add_several(chainmail, SPEAR, number="5")
    assert [unit["models"] for unit in chainmail.document["units"]] == [6]
    assert chainmail.version.act == "Added 5 × Millbrook Spearhand."


def test_an_army_gets_units_of_their_own(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=2000, books="highborn-elves")
    add_several(army, "highborn-elves/citizen-spears", number="2")
    assert [unit["models"] for unit in army.document["units"]] == [20, 20]
    assert army.version.act == "Added 2 × Citizen Spears."


def test_many_kinds_are_told_in_few_words(sbh: Builder) -> None:
    refs = [f"profiles/{name}" for name in _names()[:6]]
    add_several(sbh, *refs)
    assert len(sbh.document["units"]) == 6
    assert sbh.version.act.endswith("and 3 more.")


def _names() -> list[str]:
    book = shipped_library().books["sbh"]["profiles"]
    return [ref.partition("/")[2] for ref in book.units]


@pytest.mark.parametrize("number", ["0", "21", "x", "-1"])
def test_a_senseless_number_is_refused(chainmail: Builder, number: str) -> None:
    response = add_several(chainmail, LADY, number=number)
    assert response.status_code == 422
    assert chainmail.document["units"] == []


def test_where_one_cannot_be_added_none_is(chainmail: Builder) -> None:
    response = add_several(chainmail, LADY, "practice/nobody")
    assert response.status_code == 422
    assert "have no unit" in response.content.decode()
    assert chainmail.document["units"] == []


def test_nothing_ticked_is_told(chainmail: Builder) -> None:
    response = add_several(chainmail)
    assert response.status_code == 422
    assert "Select what to add first." in response.content.decode()


def test_the_shelf_leads_to_the_comparison_of_what_is_ticked(chainmail: Builder) -> None:
    response = chainmail.client.post(f"{chainmail.url}units/", ticks(LADY, SPEAR))
    page = chainmail.client.get(response["Location"])
    assert [column.unit.ref for column, _entry in page.context["columns"]] == [LADY, SPEAR]
    assert "csrf" not in response["Location"]


def test_nothing_ticked_leads_back_and_says_so(chainmail: Builder) -> None:
    response = chainmail.client.post(f"{chainmail.url}units/", {}, follow=True)
    assert response.redirect_chain[-1][0] == chainmail.url
    assert "Select two to four units" in response.content.decode()


def test_the_comparison_tells_what_each_would_do_to_the_list(chainmail: Builder) -> None:
    chainmail.act("add", ref=LADY)
    page = chainmail.client.get(f"{chainmail.url}units/", {"unit": [LADY, EVIL]})
    marks = [entry.mark for _column, entry in page.context["columns"]]
    assert marks == ["fits", "breaks"]
    html = page.content.decode()
    assert "Good and evil models may not be in one warband (1 good, 1 evil)." in html
    fields = {"add": EVIL, "version": chainmail.version.pk}
    assert f'name="add" value="{EVIL}"' in html
    assert chainmail.client.post(f"{chainmail.url}act/", fields).status_code == 302
    assert chainmail.document["units"][-1]["unit"] == EVIL


def test_no_more_than_four_units_stand_beside_each_other(sbh: Builder) -> None:
    refs = [f"profiles/{name}" for name in _names()[:6]]
    page = sbh.client.get(f"{sbh.url}units/", {"unit": refs})
    assert len(page.context["columns"]) == 4
    assert "Only 4 units fit side by side" in page.content.decode()


def test_the_comparison_of_nothing_offers_units(chainmail: Builder) -> None:
    page = chainmail.client.get(f"{chainmail.url}units/", {"unit": "no/body"})
    assert page.status_code == 200
    assert page.context["columns"] == []
    assert 'name="unit"' in page.content.decode()


def test_another_browser_compares_nothing_of_the_list(chainmail: Builder) -> None:
    assert Client().get(f"{chainmail.url}units/").status_code == 404
    assert Client().post(f"{chainmail.url}units/", ticks(LADY)).status_code == 404
