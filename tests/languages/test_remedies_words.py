"""The buttons that settle findings, and what is said beside them, are never left in English."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.advice import test_settling as settling
from tests.conftest import Builder
from tests.languages.hiding import hide_messages, names_in, strings, unhidden
from tests.pages.builder import test_army_builder as armies

pytestmark = [pytest.mark.django_db, pytest.mark.long]

foxes = armies.foxes


def assert_nothing_in_english(builder: Builder, patch: pytest.MonkeyPatch) -> None:
    page = settling.page_of(builder)
    known = names_in(f"{page.system.id}/system") | set(strings(builder.document))
    if page.system.family == "Chainmail":
        known |= names_in("chainmail-2001-basic/system", "chainmail-2002/system")
    for unit in page.catalogue.units.values():
        known |= {unit.name, *(option.name for option in unit.offer.options())}
    hide_messages(patch)
    for telling in settling.page_of(builder).tellings:
        said = [telling.by, *(answer.label for answer in telling.answers)]
        said += [str(telling.place.words)] if telling.place else []
        assert unhidden(" ".join(said), known) == set(), telling.id


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", settling.LISTS.values(), ids=settling.LISTS)
def test_what_settles_a_list_says_nothing_in_english(
    build: Callable[..., Builder], case: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    (system, book), limit, units, settings, *_ = case
    builder = build(system, limit=limit, books=[book])
    settling.fill(builder, book, units, **settings)
    assert_nothing_in_english(builder, monkeypatch)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("case", settling.ARMIES.values(), ids=settling.ARMIES)
def test_what_settles_an_army_says_nothing_in_english(
    foxes: Builder, case: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    limit, units, *_ = case
    foxes.act("limit", limit=limit)
    settling.fill(foxes, "foxes", units)
    assert_nothing_in_english(foxes, monkeypatch)
