"""What the page says of each finding beside its sentence: by how much, who takes part, where to
look, and the buttons that settle it.

Answers are worked out from the numbers that the report has, by the kind of the finding's rule
(`list_remedies`, `unit_remedies`); the list is not judged again. Each answer is an act, as any
other button asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.advice.answers import Answer, Culprit, Place, Telling, own_unit
from armybuilder.advice.remedies import list_remedies, unit_remedies
from armybuilder.advice.remedies.cases import SETTLE, Case
from armybuilder.advice.remedies.reductions import Lessening
from armybuilder.engine import Finding
from armybuilder.engine.kinds.agreed import Agreed
from armybuilder.engine.kinds.complete import Complete
from armybuilder.engine.kinds.limit import Limit
from armybuilder.engine.kinds.price_cap import PriceCap
from armybuilder.engine.kinds.units import Units
from armybuilder.engine.nouns import counted
from armybuilder.engine.rules import Rule
from armybuilder.engine.sentences import sentence, tells_how_much
from armybuilder.engine.wording import inside

if TYPE_CHECKING:
    from armybuilder.pages.builder.page import BuilderPage

#: How many answers a finding has at most.
MOST = 4
#: Modules that register what settles findings; imported for that alone.
REMEDIES = (list_remedies, unit_remedies)
BOOK = Place("#book-title", _lazy("Go to the book"))


class Settling:
    """Tells of the findings of one page."""

    def __init__(self, page: BuilderPage) -> None:
        self.page = page

    @cached_property
    def lessenings(self) -> list[Lessening]:
        """What works out ways to make numbers smaller, for each line-up."""
        standings = self.page.report.standings
        return [Lessening(standing, self.page.names) for standing in standings]

    def tellings(self) -> list[Telling]:
        """All findings, in their order."""
        return [self._telling(finding) for finding in self.page.report.findings]

    def _telling(self, finding: Finding) -> Telling:
        page = self.page
        rule = finding.rule
        # Where everything on the list takes part, naming all of it would tell nothing.
        everything = len(finding.units) == len(page.names) > 1
        units = () if everything else finding.units
        name = f"why-{finding.code}-{finding.head.id}-{finding.about.text}-{finding.lineup}"
        return Telling(
            id=re.sub(r"[^a-z0-9]+", "-", name.casefold())[:120],
            severity=finding.severity.value,
            sentence=sentence(finding),
            by=off_by(finding, rule),
            rule=finding.head,
            citation=finding.citation,
            own=own_unit(finding) != "",
            place=self._place(finding, rule),
            culprits=tuple(Culprit(unit, page.names[unit], page.opens(unit)) for unit in units),
            answers=self.answers(finding),
        )

    def answers(self, finding: Finding) -> tuple[Answer, ...]:
        """The buttons that settle a finding, at most four; none where only a choice of the
        player's does.
        """
        rule = finding.rule
        settle = SETTLE.get(type(rule))
        if settle is None:
            return ()
        case = Case(self.page, finding, rule, self._line_up(finding))
        found = {answer.label: answer for answer in islice(settle(case), 2 * MOST)}
        return tuple(found.values())[:MOST]

    def _line_up(self, finding: Finding) -> Lessening:
        """For the line-up in which the rule fails; where it does in all, for the smallest."""
        for less in self.lessenings:
            if finding.lineup and less.standing.lineup == finding.lineup:
                return less
        return self.lessenings[-1 if finding.head.each_lineup else 0]

    def _place(self, finding: Finding, rule: Rule | None) -> Place | None:
        """Where the player settles it: a setting, a card to fill in, an own model, the book."""
        setting = self._setting(rule)
        if setting:
            name = inside(self.page.system.settings[setting].name)
            return Place(f"#set-{setting}", _("Go to {place}").format(place=name))
        if own_unit(finding):
            return self._place_of(finding.units[0], rule)
        short = isinstance(rule, Limit | Units) and (finding.measured or 0) < (finding.allowed or 0)
        empty = finding.lineup and self.page.report.models
        return BOOK if short and not empty else None

    def _setting(self, rule: Rule | None) -> str:
        """The setting that a rule is about, where the page shows it, or ""."""
        keys: Iterable[str] = (getattr(rule, "setting", ""),)
        roster = self.page.roster
        if isinstance(rule, Agreed):
            keys = [key for key in rule.settings if roster.settings.get(key) is None]
        for key in keys:
            setting = self.page.system.settings.get(key)
            if setting is not None and setting.matters(roster.limit, roster.settings):
                return key
        return ""

    def _place_of(self, unit: str, rule: Rule | None) -> Place | None:
        line = self.lessenings[0].lines.get(unit)
        if line is None:
            return None
        if isinstance(rule, Complete):
            asked = (blank for blank in line.unit.blanks if blank.field in rule.fields)
            blank = next(asked, None)
            return Place(f"#{unit}-{blank.field}", _("Fill in the card")) if blank else None
        if line.unit.own and self.page.version.army_list_id and type(rule) not in SETTLE:
            url = reverse("change-own-model", args=[self.page.version.army_list_id, unit])
            return Place(url, _("Change {unit}").format(unit=self.page.names[unit]))
        return None


def off_by(finding: Finding, rule: Rule | None) -> str:
    """How far the number is off, in words; "" where the sentence says it, or there is no number to
    be off.
    """
    if type(rule) not in SETTLE and not isinstance(rule, Units):
        return ""
    if not finding.excess or not finding.allowed or tells_how_much(finding):
        return ""
    over = (finding.measured or 0) > finding.allowed
    if _in_points(finding, rule):
        said = _("{points} over") if over else _("{points} short")
        return said.format(points=counted(finding.excess, "point"))
    said = _("{number} too many") if over else _("{number} more needed")
    return said.format(number=finding.excess)


def _in_points(finding: Finding, rule: Rule | None) -> bool:
    if isinstance(rule, Limit):
        return rule.count == "points"
    points = finding.values.get("what") == "points" or getattr(rule, "aspect", "") == "allowance"
    return points or isinstance(rule, PriceCap)


def tell(page: BuilderPage) -> Iterator[Telling]:
    """The findings of a page as it tells them."""
    yield from Settling(page).tellings()
