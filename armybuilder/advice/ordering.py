"""In what order a page tells of findings: what is broken first, what is new before what is old."""

from collections.abc import Callable, Iterable

from armybuilder.advice.subjects import Subject
from armybuilder.engine import Finding, Severity
from armybuilder.engine.report import Report
from armybuilder.engine.states import State
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged
from armybuilder.loading.problems import Refusal

#: Of lists of more units and options than this the former one is not judged: it would take longer
#: than a click may wait.
LARGEST = 400


def size_of(report: Report) -> int:
    """Return how many units and options a list has."""
    return sum(1 + len(line.loadout.taken) for line in report.full.lines)


def standing_of(finding: Finding) -> str:
    """Return what a page draws a finding as: an error by its state, else by its severity."""
    error = finding.severity is Severity.ERROR
    return finding.state.value if error else finding.severity.value


def new_findings(
    subject: Subject,
    former: ArmyList | None,
    touched: str,
    judge: Callable[[ArmyList], Judged],
) -> list[Finding]:
    """Return the findings that the list before the last act did not have. `former` is that list,
    None where it is not at hand, and `judge` judges it by the same catalogue; of a long list, those
    that speak of the unit `touched`.
    """
    if former is None or (former.system, former.books) != (
        subject.document.system,
        subject.document.books,
    ):
        return []
    findings = subject.report.findings
    if size_of(subject.report) > LARGEST:
        return [one for one in findings if touched in one.units]
    try:
        found = judge(former).report.findings
    except Refusal:
        return []
    had = {(one.code, *one.key) for one in found}
    return [one for one in findings if (one.code, *one.key) not in had]


def in_order(findings: Iterable[Finding], new: Iterable[Finding]) -> list[Finding]:
    """Return what is broken, the new first, then what is missing, then warnings and notes."""
    newest = set(map(id, new))
    order = (State.BROKEN, State.MISSING, Severity.WARNING, Severity.NOTE)
    place = {standing.value: number for number, standing in enumerate(order)}
    return sorted(findings, key=lambda one: (place[standing_of(one)], id(one) not in newest))
