"""The entries of the shelf: each unit with what adding it would cost, break and settle."""

from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from armybuilder.engine import Choice, Report, Severity
from armybuilder.engine.about import AboutOption
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import size_range, unit_abilities, unit_facts
from armybuilder.engine.lines import size_bounds
from armybuilder.engine.rulebook import cap_top
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.engine.units import Unit

#: The word beside the sign of each mark.
MARKS: dict[str, Promise] = {
    "fits": gettext_lazy("fits"),
    "breaks": gettext_lazy("breaks"),
    "over": pgettext_lazy("mark of a unit", "over"),
}


class ShelfEntry(NamedTuple):
    """A unit on the shelf. `mark` is "fits", "breaks" or "over"; `says` is what it breaks and
    `lacks` how the points left do not suffice, in sentences; `unknown` what the book leaves open.
    `start` is "from" where it can cost more; `found` by what a search found it, beside its name.
    """

    unit: Unit
    points: str
    start: str
    facts: str
    abilities: str
    mark: str
    says: tuple[str, ...]
    lacks: str
    unknown: str
    settles: tuple[str, ...]
    found: str = ""
    ticked: bool = False

    @property
    def word(self) -> Promise:
        """The mark as a word."""
        return MARKS[self.mark]


def make_entry(choice: Choice, catalogue: Catalogue, report: Report | None = None) -> ShelfEntry:
    """The entry of a unit; with the list's `report`, also how many of it the army holds."""
    if catalogue.system.sized:
        return _army_entry(choice, report)
    return _told(choice)._replace(
        facts=unit_facts(choice.unit, catalogue.system),
        abilities=unit_abilities(choice.unit),
    )


def _army_entry(choice: Choice, report: Report | None) -> ShelfEntry:
    """A unit of so many models: its size and how many the army may hold, in place of facts."""
    unit = choice.unit
    low, high = size_bounds(unit)
    facts = [size_range(low, high)] if high != 1 and unit.counts else []
    facts += [cap] if report is not None and (cap := _cap_words(unit, report)) else []
    grows = high is None or high > low or any(not one.given for one in unit.offer.options())
    return _told(choice)._replace(
        start=_("from") if grows else "",
        facts=" · ".join(facts),
        abilities=", ".join(keyword.name for keyword in unit.keywords),
        settles=(),
    )


def _cap_words(unit: Unit, report: Report) -> str:
    """How many of it the army may hold at this game size, and holds: "0–4", "2 of 4 taken"."""
    if unit.cap is None:
        return ""
    top = cap_top(unit.cap, report)
    if top is None:
        return ""
    taken = sum(line.unit.cap is unit.cap for line in report.full.lines)
    return _("{number} of {most} taken").format(number=taken, most=top) if taken else f"0–{top}"


def _told(choice: Choice) -> ShelfEntry:
    """What adding a unit would cost, break and settle; what it is stays open."""
    trouble = [*choice.breaks, *choice.worsens]
    over = next((finding for finding in trouble if finding.rule.is_budget), None)
    says = [sentence(finding) for finding in choice.breaks if not _is_told(finding)]
    says += [_further(finding) for finding in choice.worsens if not _is_told(finding)]
    blanks = ", ".join(blank.name for blank in choice.unit.blanks)
    return ShelfEntry(
        unit=choice.unit,
        points=str(choice.points),
        start="",
        facts="",
        abilities="",
        mark="breaks" if says else "over" if over else "fits",
        says=tuple(says),
        lacks=_lacking(choice, over) if over else "",
        unknown=_("Not known: {names}.").format(names=blanks) if blanks else "",
        settles=tuple(str(f.head.summary) for f in choice.settles if not f.rule.wants_some),
    )


def _is_told(finding: Finding) -> bool:
    """Whether the entry tells it in its own way, shorter than its sentence would, or the player
    meets it only later: a new unit's path of magic is still to be chosen.
    """
    incomplete = bool(finding.rule.card_fields) and finding.severity is Severity.ERROR
    chosen_later = isinstance(finding.about, AboutOption) and finding.measured is not None
    short = chosen_later and (finding.measured or 0) < (finding.allowed or 0)
    return finding.rule.is_budget or incomplete or short


def _lacking(choice: Choice, over: Finding) -> str:
    """That the points left do not suffice: "Needs 40 points, 25 left."."""
    left = (over.allowed or 0) - (over.measured or 0) + choice.points
    if left > 0:
        return _("Needs {points} points, {left} left.").format(points=choice.points, left=left)
    return _("Needs {points} points, none left.").format(points=choice.points)


def _further(finding: Finding) -> str:
    """What makes a finding worse that the list has already: of a part of the army in few words."""
    name = finding.values.get("what")
    if not name:
        return sentence(finding)
    if (finding.measured or 0) < (finding.allowed or 0):
        return _("{name}: {number} short.").format(name=name, number=finding.excess)
    return _("{name}: {number} over.").format(name=name, number=finding.excess)
