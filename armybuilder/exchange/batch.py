"""Judging many lists: documents in, a line for each out; nothing is stored."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from armybuilder.engine import Report
from armybuilder.engine.sentences import sentence
from armybuilder.engine.verdict import Outcome, outcome_of, verdict_words
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import check_document, judge, read_document
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Problem, Refusal

#: A document as it is read from a file, or as JSON that is parsed but not checked.
Item = bytes | Mapping[str, Any]


class Said(NamedTuple):
    """A finding in words. `severity` is "error", "warning" or "note"."""

    severity: str
    code: str
    sentence: str
    citation: str


@dataclass(frozen=True, slots=True)
class BatchLine:
    """The outcome of one list; `legal` None where it cannot be judged, with the `problem` in a
    sentence and `problems` by place. `spent` and `limit` in points, `game` a system's id, `codes`
    those of the findings, each once; `unchecked` in sentences; `seconds` by the clock.
    """

    name: str = ""
    game: str = ""
    legal: bool | None = None
    spent: int | None = None
    limit: int | None = None
    codes: tuple[str, ...] = ()
    findings: tuple[Said, ...] = ()
    unchecked: tuple[str, ...] = ()
    problem: str = ""
    problems: tuple[Problem, ...] = ()
    seconds: float = 0.0

    @property
    def outcome(self) -> Outcome | None:
        """Legal, legal as far as judged, or not legal; None where it cannot be judged."""
        return None if self.legal is None else outcome_of(self.legal, len(self.unchecked))

    @property
    def verdict(self) -> str:
        """The verdict in a few words; "" where it cannot be judged."""
        return "" if self.legal is None else verdict_words(self.legal, len(self.unchecked))


def judge_documents(items: Iterable[Item | Refusal], library: Library) -> list[BatchLine]:
    """Return a line for each document, in order. A Refusal stands for one that was not read."""
    return [line_of(partial(_read, item), library)[0] for item in items]


def line_of(read: Callable[[], ArmyList], library: Library) -> tuple[BatchLine, Report | None]:
    """Return the line of the document that `read` gives, and its report, None where not judged."""
    begun = time.perf_counter()
    report = None
    try:
        document = read()
        report = judge(document, library).report
        line = _line(document, report)
    except Refusal as refusal:
        line = BatchLine(problem=refusal.sentence, problems=refusal.problems)
    return replace(line, seconds=time.perf_counter() - begun), report


def line_data(line: BatchLine) -> dict[str, Any]:
    """Return a line as JSON-ready data without findings; points in points, seconds by the clock."""
    return {
        "name": line.name,
        "game": line.game,
        "legal": line.legal,
        "complete": None if line.legal is None else not line.unchecked,
        "spent": line.spent,
        "limit": line.limit,
        "codes": list(line.codes),
        "unchecked": list(line.unchecked),
        "problem": line.problem,
        "seconds": round(line.seconds, 6),
    }


def _read(item: Item | Refusal) -> ArmyList:
    if isinstance(item, Refusal):
        raise item
    return read_document(item) if isinstance(item, bytes) else check_document(item)


def _line(document: ArmyList, report: Report) -> BatchLine:
    return BatchLine(
        name=document.name,
        game=document.system,
        legal=report.legal,
        spent=report.spent,
        limit=report.limit,
        codes=tuple(dict.fromkeys(finding.code for finding in report.findings)),
        findings=tuple(
            Said(one.severity.value, one.code, sentence(one), one.citation)
            for one in report.findings
        ),
        unchecked=tuple(one.sentence for one in report.unchecked),
    )
