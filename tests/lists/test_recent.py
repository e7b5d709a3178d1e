"""What a process remembers of lists that it judged: never another answer, and never too much."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID, uuid4

import pytest
from django.utils import translation

from armybuilder.editing import unit_edits
from armybuilder.engine.sentences import sentence
from armybuilder.lists import outlooks
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged
from armybuilder.loading.library import shipped_library

CATALOGUE = shipped_library().catalogue("chainmail-2002", ["practice"])
LIST = UUID(int=1)


@pytest.fixture(autouse=True)
def forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    outlooks._judged.clear()
    yield
    outlooks._judged.clear()


def army(units: int, limit: int = 100) -> ArmyList:
    document = unit_edits.new_document(CATALOGUE, "Army", limit)
    for ref in sorted(CATALOGUE.units)[:units]:
        document, __ = unit_edits.add_unit(document, CATALOGUE, ref)
    return document


def judge(document: ArmyList, key: UUID | None = LIST) -> Judged:
    return outlooks.judge_list(key, document, CATALOGUE)


def test_acts_and_undo_reuse_earlier_verdicts() -> None:
    one, two = army(2), army(3)
    before, after = judge(one), judge(two)
    assert after.report.full.lines[0].pick is before.report.full.lines[0].pick
    assert judge(ArmyList.from_dict(one.to_dict())) is before
    assert judge(two) is after
    # A list is told in the language of its reader.
    spoiled = army(4, limit=1)
    english = [sentence(one) for one in judge(spoiled).report.findings]
    with translation.override("de"):
        german = [sentence(one) for one in judge(spoiled).report.findings]
    assert english
    assert not set(english) & set(german)


def test_after_an_undo_each_act_finds_the_verdict_before_it() -> None:
    one, two, three, four = map(army, (1, 2, 3, 4))
    for document in (one, two, one):
        judge(document)
    before = judge(three)
    judge(one)  # what the findings of the third are compared with
    judge(four)
    assert judge(three) is before


def test_verdicts_are_kept_per_catalogue_and_not_for_trials() -> None:
    judge(army(2), None)
    assert not len(outlooks._judged)
    twice = shipped_library().catalogue("chainmail-2002", ["practice", "practice"])
    first = judge(army(2))
    assert outlooks.judge_list(LIST, army(2), twice).catalogue is twice
    assert first.catalogue is CATALOGUE


def test_old_lists_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlooks, "MOST", 20)
    for _ in range(30):
        judge(army(4), uuid4())
    for units in (1, 2, 3, 4):
        judge(army(units))
    assert outlooks._fit(
        [known for key in outlooks._judged if (known := outlooks._judged.get(key))]
    )
    kept = outlooks._judged.get((LIST, "en")) or ()
    assert [len(one.document.units) for one in kept] == [2, 3, 4]


def test_catalogues_are_not_kept_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of custom books each list may have another."""
    monkeypatch.setattr(outlooks, "MOST_IN_BOOKS", 5 * len(CATALOGUE.units))
    for _ in range(30):
        own = replace(CATALOGUE)
        assert outlooks.judge_list(uuid4(), army(1), own).catalogue is own
    assert len(outlooks._judged) == 5
