"""The numbers that a rule says it bounds are those that it judges by, whatever list it is."""

from collections import Counter

from hypothesis import given, settings

from armybuilder.engine import Finding, Report, validate
from armybuilder.engine.about import AboutSetting
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import BARRED, GROUPS, ROLES, Part, Term
from armybuilder.loading.documents import make_roster
from tests.building.documents import value_of
from tests.effort import tries
from tests.properties.lists import LAW
from tests.properties.trees import Data, every_game

MANY = settings(LAW, max_examples=tries(100))


def made_of(term: Term) -> int:
    """What the parts come to: those of one group count once."""
    grouped: dict[str, Part] = {part.group: part for part in term.parts if part.group}
    return sum(part.amount for part in (*grouped.values(), *(p for p in term.parts if not p.group)))


def said(term: Term) -> str:
    """A term in a few words."""
    parts = [(part.unit, part.amount, part.whole, part.group) for part in term.parts]
    numbers = f"{term.low} <= {term.measured} <= {term.high} {term.count}"
    return f"{term.head.id} {term.about!r}: {numbers} of {parts}"


def findings_by_term(report: Report, tally: Tally) -> dict[tuple[object, object], Finding]:
    """The findings of a line-up by the place of their rule and what they are about."""
    return {found.key: found for found in report.findings if found.lineup in ("", tally.lineup)}


@MANY
@given(every_game())
def test_a_rule_finds_fault_where_a_number_is_out_of_its_bounds(
    game: tuple[Catalogue, Data],
) -> None:
    catalogue, document = game
    report = validate(make_roster(value_of(document), catalogue), catalogue)
    for tally in report.tallies:
        findings = findings_by_term(report, tally)
        for term in report.terms(tally):
            if tally is not report.full and not term.head.each_lineup:
                continue
            # What is chosen for the whole list is no sum of its units.
            is_sum = term.count != ROLES and not isinstance(term.about, AboutSetting)
            assert made_of(term) == term.measured or not is_sum, said(term)
            found = findings.get((term.head.pointer, term.about))
            if found is None:
                # What a commander gives whose card is incomplete is not known.
                pointer = term.head.pointer
                commands = any(r.commands for r in report.rules if r.head.pointer == pointer)
                unknown = commands and any(line.unit.blanks for line in tally.lines)
                assert not (term.is_over or term.is_short) or unknown, said(term)
                continue
            assert term.is_over or term.is_short, said(term)
            if found.measured is not None and term.count not in (BARRED, GROUPS):
                assert (found.measured, found.allowed) in (
                    (term.measured, term.low),
                    (term.measured, term.high),
                ), (said(term), found.measured, found.allowed)
                short = found.measured < (found.allowed or 0)
                assert found.state is (State.MISSING if short else State.BROKEN), said(term)


@MANY
@given(every_game())
def test_each_finding_with_numbers_has_a_term(game: tuple[Catalogue, Data]) -> None:
    catalogue, document = game
    report = validate(make_roster(value_of(document), catalogue), catalogue)
    terms = Counter(
        (term.head, term.about) for tally in report.tallies for term in report.terms(tally)
    )
    cards = {fault.head for line in report.full.lines for fault in line.unit.faults}
    for found in report.findings:
        if found.measured is not None and found.rule.head not in cards and found.head.pointer:
            assert terms[found.rule.head, found.about], (found.head.id, found.about)
