"""Whatever list it is, an answer offered for a finding settles it, or makes it smaller."""

from collections.abc import Iterator

import pytest
from hypothesis import assume, event, given, settings

from armybuilder.acts.base import ListAct, decode, performed
from armybuilder.advice.answers import Remedy
from armybuilder.advice.finding_details import MOST, FindingPresenter
from armybuilder.editing.names import entry_name
from armybuilder.engine import Finding
from armybuilder.engine.catalogue import Catalogue
from armybuilder.lists.models import Version
from armybuilder.loading.documents import canonical, canonical_json, catalogue_of, read_document
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.page import BuilderPage
from tests.building.documents import value_of
from tests.effort import tries
from tests.properties.lists import LAW, LIBRARY, strange_lists
from tests.properties.trees import Data, every_game

pytestmark = pytest.mark.long

MANY = settings(LAW, max_examples=tries(120))


class Trial(BuilderPage):
    """The page of a document that is not stored, drawing from a catalogue made for it."""

    drawn: Catalogue

    @property
    def catalogue(self) -> Catalogue:
        return self.drawn


def page_of(document: Data, catalogue: Catalogue) -> Trial:
    page = Trial(Version(document=value_of(document)), LIBRARY)
    page.drawn = catalogue
    # A holder's own books would be asked of the database, a made-up book is in no library.
    page.__dict__["books_now"] = []
    units = catalogue.units
    page.__dict__["names"] = {one.id: entry_name(one, units) for one in page.document.units}
    return page


def pressed(page: Trial, answer: Remedy) -> Trial:
    """The page after an answer, as the act of its fields makes it."""
    act = decode(answer.fields)
    assert isinstance(act, ListAct)
    document = act.perform(page.document, page.catalogue).army_list
    assert read_document(canonical(document)) == document
    return page_of(document, page.catalogue)


def worst(page: Trial, finding: Finding) -> int:
    """How far the same finding is off on a page, in the line-ups it was told of; -1: it is gone."""
    same = [
        found.excess
        for found in page.report.findings
        if (found.code, found.key) == (finding.code, finding.key)
        and (finding.lineup in ("", found.lineup) or not found.lineup)
    ]
    return max(same, default=-1)


def answered(page: Trial) -> Iterator[tuple[Finding, Remedy]]:
    settling = FindingPresenter(page.subject, performed, tries=200)
    for finding in page.report.findings:
        answers = settling.answers(finding)
        assert len(answers) <= MOST
        assert len({answer.label for answer in answers}) == len(answers)
        for answer in answers:
            yield finding, answer


def check(page: Trial) -> None:
    before = canonical(page.document)
    for finding, answer in answered(page):
        event(finding.code)
        left = worst(pressed(page, answer), finding)
        assert left == -1 or left < finding.excess, (finding, answer, left)
    assert canonical(page.document) == before


@MANY
@given(every_game())
def test_an_answer_settles_its_finding_or_makes_it_smaller(game: tuple[Catalogue, Data]) -> None:
    catalogue, document = game
    check(page_of(document, catalogue))


@MANY
@given(strange_lists())
def test_what_nobody_knows_can_be_left_out(document: Data) -> None:
    try:
        read = read_document(canonical_json(document))
        page = page_of(read, catalogue_of(read, LIBRARY))
        findings = page.report.findings
    except Refusal:
        assume(False)
    check(page)
    kinds = {found.code for found in findings if found.code.endswith(".unknown")}
    offered = {finding.code for finding, _ in answered(page)}
    assert kinds - offered <= {"book.unknown"}
