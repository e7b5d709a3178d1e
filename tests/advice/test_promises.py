"""Every remedy on broken lists of all games keeps its promise: the finding is gone, or smaller as
the button says, and nothing else broke.
"""

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from armybuilder.acts.base import ListAct, decode, performed
from armybuilder.advice.answers import Remedy, Subject
from armybuilder.advice.finding_details import FindingPresenter
from armybuilder.editing.names import entry_name
from armybuilder.engine import Finding, Report, Severity, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.states import State
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, judge_by, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from tests.building.random_lists import filled
from tests.effort import tries

LIBRARY = shipped_library()
GAMES = {
    "sbh": ("profiles", 300),
    "chainmail-2002": ("practice", 100),
    "chainmail-2001-basic": ("practice", 100),
    "chainmail-2001-advanced": ("practice", 100),
    "ddm-2008": ("practice", 200),
    "t9a-2023": ("highborn-elves", 4500),
}
#: Lists of each game that are always tried, and all of them.
SOME, ALL = 2, tries(36)
#: Each game with the seeds of its lists.
CASES = [
    pytest.param(game, seeds, marks=marks, id=f"{game}-{len(seeds)}")
    for game in GAMES
    for seeds, marks in ((range(SOME), ()), (range(SOME, ALL), pytest.mark.long))
]
Fault = tuple[str, object, object]


@cache
def catalogue_of(game: str, seed: int) -> Catalogue:
    book, _limit = GAMES[game]
    books = sorted(LIBRARY.books[game]) if game == "t9a-2023" else [book]
    return LIBRARY.catalogue(game, [books[seed % len(books)]])


@cache
def broken(game: str, seed: int) -> ArmyList:
    """A legal list with some acts done to it at random, until something is wrong with it."""
    catalogue, rng = catalogue_of(game, seed), Random(seed)  # noqa: S311, chance for tests alone
    army_list = filled(catalogue, GAMES[game][1], seed)
    for _ in range(40):
        for _ in range(rng.randint(1, 4)):
            army_list = changed(army_list, catalogue, rng)
        if not report_on(army_list, catalogue).legal:
            return army_list
    raise AssertionError("nothing broke")


@cache
def judged(game: str, seed: int) -> Judged:
    """The broken list with its report, worked out once for all tests of it."""
    return judge_by(broken(game, seed), catalogue_of(game, seed))


def changed(army_list: ArmyList, catalogue: Catalogue, rng: Random) -> ArmyList:
    entry = rng.choice(army_list.units or (None,))
    unit = entry.id if entry else ""
    offer = catalogue.units[entry.ref].offer if entry and entry.ref in catalogue.units else None
    roles = sorted(catalogue.system.roles)
    settings = [one for one in catalogue.system.settings.values() if one.kind == "pieces"]
    fields = [
        {"act": "add", "ref": rng.choice(sorted(catalogue.units))},
        {"act": "add", "ref": rng.choice(sorted(catalogue.units))},
        {"act": "duplicate", "unit": unit},
        {"act": "remove", "unit": unit},
        {"act": "models", "unit": unit, "models": str(rng.randint(1, 40))},
        {"act": "limit", "limit": str(army_list.limit * rng.choice([4, 7, 13]) // 10 or 1)},
        {"act": "option-number", "unit": unit, "number": rng.choice(["0", "1", "1", "2"]),
         "option": rng.choice(sorted(offer.slots) if offer else ["none"])},
    ]  # fmt: skip
    if roles:
        fields.append({"act": "role", "unit": unit, "role": rng.choice(roles)})
    for setting in settings:
        piece = rng.choice(sorted(setting.values))
        fields.append({"act": "add-piece", "setting": setting.id, "piece": piece})
    act = decode(rng.choice(fields))
    assert isinstance(act, ListAct)
    try:
        return act.perform(army_list, catalogue).army_list
    except Refusal:
        return army_list


def report_on(army_list: ArmyList, catalogue: Catalogue) -> Report:
    return validate(make_roster(army_list, catalogue), catalogue)


def faults(report: Report) -> dict[Fault, Finding]:
    """The worst finding of each fault that is an error or a warning."""
    found: dict[Fault, Finding] = {}
    for one in sorted(report.findings, key=lambda one: one.excess):
        found[one.code, *one.key] = one
    return found


def offered(judged: Judged) -> Iterator[tuple[Finding, Remedy]]:
    """What the page offers, with as many tries as it has."""
    army_list, catalogue, report = judged.document, judged.catalogue, judged.report
    names = {one.id: entry_name(one, catalogue.units) for one in army_list.units}
    roster = report.full.roster
    presenter = FindingPresenter(Subject(army_list, catalogue, roster, report, names), performed)
    for finding, view in zip(report.findings, presenter.tellings(report.findings), strict=True):
        for answer in view.answers:
            yield finding, answer


@pytest.mark.parametrize(("game", "seeds"), CASES)
def test_every_remedy_keeps_its_promise(game: str, seeds: range) -> None:
    for seed in seeds:
        first = judged(game, seed)
        before = faults(first.report)
        for finding, answer in offered(first):
            act = decode(answer.fields)
            assert isinstance(act, ListAct)
            made = act.perform(first.document, first.catalogue).army_list
            after = faults(report_on(made, first.catalogue))
            check(finding, f"{seed}: {answer.label}", before, after)


def check(
    finding: Finding, label: str, before: dict[Fault, Finding], after: dict[Fault, Finding]
) -> None:
    key = (finding.code, *finding.key)
    new = [one for fault, one in after.items() if fault not in before and is_error(one)]
    told = re.search(r"still (\d+)", label), re.search(r"\(then (\d+) more to do\)", label)
    if told[0]:
        assert after[key].excess == int(told[0][1]) < before[key].excess, label
    else:
        assert key not in after, label
    if told[1]:
        assert len(new) == int(told[1][1]), label
        assert {one.state for one in new} == {State.MISSING}, label
    else:
        assert not new, (label, new)
    if not any(told) and is_error(finding):
        assert sum(map(is_error, after.values())) < sum(map(is_error, before.values())), label


def is_error(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR
