"""A list under way: changes are tried on it, and only those are kept that make nothing worse."""

from collections.abc import Iterable, Iterator
from random import Random

from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine import Choice, Finding, Report, Severity, choices
from armybuilder.engine.about import About
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.choices import TRIAL
from armybuilder.engine.offers import GroupOffer, OptionOffer, flat, offers
from armybuilder.engine.terms import Term
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, judge_by
from armybuilder.loading.limits import MAX_MODELS
from armybuilder.loading.problems import Refusal

#: Groups that must not stay empty are filled so often on one unit; what fills one may open another.
MOST_MENDS = 3


class StarterDraft:
    """A list and how many `steps` (calls of `validate` and `choices`) may still be spent on it.
    `lenient`: what is wrong with a unit by itself, an incomplete card, does not count.
    """

    def __init__(
        self, catalogue: Catalogue, document: ArmyList, rng: Random, steps: int, lenient: bool
    ) -> None:
        self.catalogue = catalogue
        self.rng = rng
        self.steps = steps
        self.lenient = lenient
        self.now = self.judge(document)
        self.troubles = self._troubles(self.now.report)

    @property
    def document(self) -> ArmyList:
        return self.now.document

    @property
    def report(self) -> Report:
        return self.now.report

    @property
    def left(self) -> int:
        """Points still free."""
        return self.report.limit - self.report.spent

    @property
    def rank(self) -> tuple[int, int, int]:
        """Of two drafts the better has the higher rank: fewer errors, fewer restrictions that were
        not checked, more points spent.
        """
        errors = self.report.of(Severity.ERROR)
        spent = min(self.report.spent, self.report.limit)
        return -len(errors), -len(self.report.unchecked), spent

    def judge(self, document: ArmyList) -> Judged:
        self.steps -= 1
        return judge_by(document, self.catalogue)

    def keep(self, trial: Judged) -> bool:
        """Go on with a trial, unless it is worse than what is there. Whether it was kept."""
        troubles = self._troubles(trial.report)
        before = self.troubles
        if any(key not in before or excess > before[key] for key, excess in troubles.items()):
            return False
        self.now, self.troubles = trial, troubles
        return True

    def attempt(self, document: ArmyList) -> bool:
        """Keep a changed document, unless it is worse. Whether it was kept."""
        return self.steps > 0 and self.keep(self.judge(document))

    def shortages(self) -> Iterator[tuple[Finding, Term]]:
        """Errors about too little of something in the list, each with the number it tells of."""
        for finding in self.report.of(Severity.ERROR):
            if is_short(finding):
                term = finding.rule.term_of(finding, self.report.full)
                if term is not None:
                    yield finding, term

    def choose(self, units: Iterable[Unit]) -> list[Choice]:
        """Those units that may be added as they are without anything getting worse."""
        if self.steps <= 0:
            return []
        self.steps -= 1
        found = choices(self.now.roster, self.catalogue, list(units))
        return [choice for choice in found if choice.points <= self.left and self._clean(choice)]

    def _clean(self, choice: Choice) -> bool:
        bad = (one for one in (*choice.breaks, *choice.worsens) if self._counts(one))
        return all(one.units == (TRIAL,) and is_short(one) for one in bad)

    def _counts(self, finding: Finding) -> bool:
        if finding.severity is Severity.NOTE:
            return False
        return not (self.lenient and finding.rule.card_fields)

    def _troubles(self, report: Report) -> dict[tuple[str, About, str, str], int]:
        """Return how far off each error and warning is."""
        return {
            (*finding.key, finding.code, finding.lineup): finding.excess
            for finding in report.findings
            if self._counts(finding)
        }

    def with_unit(self, unit: Unit, models: int) -> tuple[Judged, str] | None:
        """Return the list with one more unit of so many models, its required options chosen, and
        the entry's id. None where it cannot be had.
        """
        try:
            document, entry = unit_edits.add_unit(self.document, self.catalogue, unit.ref)
            had = unit_edits.find(document, entry).models
            more = had + models - unit.smallest
            if more > had:
                document = unit_edits.set_models(document, entry, min(more, MAX_MODELS))
            return self._mended(document, entry), entry
        except Refusal:
            return None

    def _mended(self, document: ArmyList, entry: str) -> Judged:
        trial = self.judge(document)
        for _ in range(MOST_MENDS):
            line = trial.report.line(entry)
            lacking = any(
                found.units == (entry,) and is_short(found) for found in trial.report.findings
            )
            if line is None or not lacking or not line.unit.offer:
                break
            for path in self.missing(offers(line, trial.report)):
                document = option_edits.switch_option(document, self.catalogue, entry, path)
            trial = self.judge(document)
        return trial

    def missing(self, offered: Iterable[OptionOffer | GroupOffer]) -> Iterator[str]:
        """Paths of options that fill the groups which must not stay as empty as they are."""
        for offer in offered:
            yield from self.missing(offer.inner)
            if isinstance(offer, GroupOffer) and offer.number < offer.least and not offer.why:
                free = [one for one in flat(offer.inner) if one.number == 0 and can_take(one)]
                some = self.rng.sample(free, min(len(free), offer.least - offer.number))
                yield from (one.path for one in some)


def is_short(finding: Finding) -> bool:
    """Return whether it tells of less than there must be."""
    measured, allowed = finding.measured, finding.allowed
    return measured is not None and allowed is not None and measured < allowed


def can_take(offer: OptionOffer) -> bool:
    """Return whether it may be taken (once more)."""
    return not (offer.why or offer.given) and (offer.most is None or offer.number < offer.most)


def may_wish(offer: OptionOffer) -> bool:
    """Return whether it may be taken where nothing asks for it: only what is judged in full."""
    return can_take(offer) and not offer.unchecked
