"""A list that is judged after another, which it was made of, is judged as if it came alone."""

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from armybuilder.editing import unit_edits
from armybuilder.engine import Finding, Report, choices, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.offers import offers
from armybuilder.engine.options import Offer
from armybuilder.engine.roster import Pick
from armybuilder.engine.sentences import sentence
from armybuilder.engine.validate import again
from armybuilder.loading.armylist import ArmyList, ListOption
from armybuilder.loading.documents import Judged, changed_roster, judge_by, judge_changed
from armybuilder.loading.library import shipped_library
from tests.advice.test_promises import CASES, changed
from tests.advice.test_promises import judged as promised
from tests.effort import THOROUGH

pytestmark = pytest.mark.long

LIBRARY = shipped_library()
#: Of a game's units with a condition on the army, so many are another line beside what it counts.
COUNTED = {"essence-of-war": 2, "t9a-2023": 150, "t9a-2024": 150}


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("game", "seeds"), CASES)
def test_a_reused_verdict_equals_a_fresh_one_after_each_act(game: str, seeds: range) -> None:
    for seed in seeds if THOROUGH else seeds[::2]:
        hold_after_acts(promised(game, seed), seed)


def hold_after_acts(judged: Judged, seed: int) -> None:
    catalogue, rng = judged.catalogue, Random(seed)  # noqa: S311, chance for tests alone
    for number in range(12):
        after = changed(judged.document, catalogue, rng)
        if number % 2:  # as it comes from the database: equal, but no object of the one before
            after = ArmyList.from_dict(json.loads(json.dumps(after.to_dict())))
        roster = changed_roster(after, catalogue, judged.document, judged.roster)
        found, full = again(roster, judged.report)
        judged, fresh = judge_changed(after, judged), judge_by(after, catalogue)
        assert list(map(values_of, judged.report.findings)) == list(
            map(values_of, fresh.report.findings)
        )
        assert sorted(map(values_of, found)) == sorted(map(values_of, fresh.report.findings))
        assert full.points == judged.report.spent == fresh.report.spent
        assert list(all_of(judged)) == list(all_of(fresh))


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("game", "seeds"), CASES)
def test_a_unit_that_is_tried_brings_what_it_brings_when_it_is_added(
    game: str, seeds: range
) -> None:
    """Of all else on the list only what it can move is judged again."""
    for seed in seeds[:: 2 if THOROUGH else 8]:
        judged = promised(game, seed)
        catalogue, before = judged.catalogue, faults(judged.report)
        for choice in choices(judged.roster, catalogue):
            pick = Pick("+", choice.unit.ref, choice.unit, choice.unit.smallest)
            pick = replace(pick, picks=choice.unit.fresh)
            roster = replace(judged.roster, picks=(*judged.roster.picks, pick))
            after = faults(validate(roster, catalogue))
            found = [key(one) for one in choice.breaks]
            assert found == sorted(found, key=after.__getitem__)
            assert set(found) == after.keys() - before.keys()
            worse = {one for one in after.keys() & before.keys() if after[one] > before[one]}
            assert {key(one) for one in choice.worsens} == worse
            assert {key(one) for one in choice.settles} == before.keys() - after.keys()


def key(finding: Finding) -> tuple[object, ...]:
    return (*finding.key, finding.code)


def faults(report: Report) -> dict[tuple[object, ...], int]:
    by_excess = sorted(report.findings, key=lambda one: one.excess)
    return {key(one): one.excess for one in by_excess}


@pytest.mark.one_in(8)
@pytest.mark.parametrize("game", COUNTED)
def test_units_with_army_conditions_are_checked_again(game: str) -> None:
    """A unit alone, then with another that has what a condition on the first one counts."""
    others = 0
    for book in sorted(LIBRARY.books[game]):
        catalogue = LIBRARY.catalogue(game, [book])
        for ref, tag in counting(catalogue):
            empty = unit_edits.new_document(catalogue, "Army", 4500)
            alone, __ = unit_edits.add_unit(empty, catalogue, ref)
            both = with_counted(alone, tag, catalogue)
            before, fresh = judge_by(alone, catalogue), judge_by(both, catalogue)
            assert list(all_of(judge_changed(both, before))) == list(all_of(fresh)), (ref, tag)
            others += offers_of(before) != offers_of(fresh)
    assert others >= COUNTED[game]


def counting(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    for unit in catalogue.units.values():
        for tag in sorted(unit.army_tags):
            yield unit.ref, tag


def with_counted(document: ArmyList, tag: str, catalogue: Catalogue) -> ArmyList:
    """The list with one more unit, which is counted by the tag."""
    if tag.removeprefix("unit:") in catalogue.units:
        return unit_edits.add_unit(document, catalogue, tag.removeprefix("unit:"))[0]
    for unit in catalogue.units.values():
        taken = path_to(tag, unit.offer)
        if taken is not None:
            more, __ = unit_edits.add_unit(document, catalogue, unit.ref)
            last = replace(more.units[-1], options=(taken,))
            return replace(more, units=(*more.units[:-1], last))
    return document


def path_to(tag: str, offer: Offer) -> ListOption | None:
    for key, slots in offer.slots.items():
        if any(tag in slot.counted for slot in slots):
            return ListOption(key)
        inner = path_to(tag, slots[0].option.offer)
        if inner is not None:
            return ListOption(key, options=(inner,))
    return None


def values_of(one: Finding) -> tuple[str, ...]:
    return one.code, str(one.key), str(one.measured), str(one.allowed), one.lineup, sentence(one)


def all_of(judged: Judged) -> Iterator[object]:
    report = judged.report
    yield from (report.full.place, report.unchecked, report.facts)
    yield judged.roster.settings, judged.roster.strays
    for gauge in report.gauges:
        yield gauge.name, gauge.lineup, gauge.used, gauge.minimum, gauge.maximum
        yield [(part.unit, part.label, part.amount) for part in gauge.parts]
    for line in report.full.lines:
        loadout = line.loadout
        yield line._replace(pick=None, loadout=None), loadout.breaches, loadout.doubts
        yield [(one.pick.id, one.pick.on, *one[2:]) for one in loadout.taken]
        yield offers(line, report)


def offers_of(judged: Judged) -> object:
    """What the first unit may take."""
    return offers(judged.report.full.lines[0], judged.report)
