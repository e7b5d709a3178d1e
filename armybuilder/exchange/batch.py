"""Judging many lists: documents in, a line for each out; nothing is stored. Reports as data."""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from armybuilder.battlescribe.files.reports import FileReport, Told
from armybuilder.engine import Finding, Report
from armybuilder.engine.sentences import sentence
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.verdict import (
    Counts,
    Outcome,
    counts_of,
    outcome_of,
    verdict_sentence,
    verdict_words,
)
from armybuilder.exchange.files import clear_part
from armybuilder.exchange.pasting import in_one_edition, split_text
from armybuilder.loading import documents
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import checked
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Problem, Refusal

#: A report or finding on a list by our books, or by a community's files.
AnyReport = Report | FileReport
AnyFinding = Finding | Told
#: A document as it is read from a file, or as JSON that is parsed but not checked.
Item = bytes | Mapping[str, Any]


class Said(NamedTuple):
    """A finding in words.

    `severity` is "error", "warning" or "note", `state` "missing" or "broken", `origin` "game" or
    "event".
    """

    severity: str
    state: str
    code: str
    sentence: str
    citation: str
    origin: str


@dataclass(frozen=True, slots=True)
class BatchLine:
    """The outcome of one list. `name` is what its player calls it, `game` the id of its system.

    `legal` is None where it cannot be judged; `problem` then is a sentence that says why, and
    `problems` are the single mistakes with their places. `unchecked` are restrictions that were not
    checked, in sentences. `spent` and `limit` are in points, of
    all units and of the game; `codes` are those of the findings, each once, in their order;
    `reservation`: the source of the verdict in place of the game's rulebook; `seconds` is what
    reading and judging took, by the clock. Of a list that is judged at an event
    all is the event's verdict; `game_verdict` then says that of the game.
    """

    seconds: float
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
    game_verdict: str = ""
    reservation: str = ""

    @property
    def outcome(self) -> Outcome | None:
        """Legal, legal as far as judged, or not legal; None where it cannot be judged."""
        return None if self.legal is None else outcome_of(self.legal, len(self.unchecked))

    @property
    def verdict(self) -> str:
        """The verdict in a few words; "" where it cannot be judged."""
        return "" if self.legal is None else verdict_words(self.counts)

    @property
    def verdict_sentence(self) -> str:
        """The verdict in full; "" where it cannot be judged."""
        return "" if self.legal is None else verdict_sentence(self.counts)

    @property
    def counts(self) -> Counts:
        """Numbers of errors, warnings and unchecked restrictions."""
        told = ((said.severity, said.state) for said in self.findings)
        return counts_of(told, len(self.unchecked))


def judge_documents(items: Iterable[Item | Refusal], library: Library) -> list[BatchLine]:
    """Return a line for each of the documents, in their order.

    A Refusal among them replaces one that wasn't read. A document that can't be checked doesn't
    stop the others.
    """
    return [line_of(partial(_read, item), library)[0] for item in checked(items)]


def judge_text(
    text: str, library: Library, system: str | None = None
) -> Iterator[tuple[int, BatchLine]]:
    """Yield the first line's number and the outcome of each of the lists in a text.

    One says why where nothing can be read. Only a list of which every line is clear is judged.
    """
    begun = time.perf_counter()
    try:
        parts = split_text(text.replace("\0", ""), library, system)
        if system is None and len(parts) > 1:
            parts = in_one_edition(parts, library)
    except Refusal as refusal:
        yield 1, unread(refusal, begun)
        return
    for part in checked(parts):
        line, _report = line_of(partial(clear_part, part, library, system), library)
        yield part.first, replace(line, name=line.name or part.name)


def line_of(
    read: Callable[[], ArmyList], library: Library, pack: Pack | None = None
) -> tuple[BatchLine, Report | None]:
    """Return the line and the report of the document that `read` returns, or raises Refusal for.

    With a pack both are those at the event. There is no report if it can't be checked.
    """
    begun = time.perf_counter()
    report = None
    try:
        document = read()
        if pack is None:
            report = documents.judge(document, library).report
            line = judged_line(document, report, begun)
        else:
            catalogue = documents.catalogue_of(document, library)
            verdicts = documents.judge_at(document, catalogue, pack).report
            report = verdicts.event
            line = replace(judged_line(document, report, begun), game_verdict=verdicts.game.verdict)
    except Refusal as refusal:
        line = unread(refusal, begun)
    return line, report


def line_data(line: BatchLine) -> dict[str, Any]:
    """Return a line as JSON-ready data, without its findings and single mistakes."""
    return {
        "name": line.name,
        "game": line.game,
        "legal": line.legal,
        "complete": None if line.legal is None else not line.unchecked,
        "reservation": line.reservation,
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
    if isinstance(item, bytes):
        return documents.read_document(item)
    return documents.check_document(item)


def said_of(finding: AnyFinding) -> Said:
    """Return a finding in words."""
    if isinstance(finding, Told):
        facts = finding.severity, finding.state, finding.code, finding.sentence, finding.cited
        return Said(*facts, "event" if finding.of_event else "game")
    return Said(
        severity=finding.severity.value,
        state=finding.state.value,
        code=finding.code,
        sentence=sentence(finding),
        citation=finding.citation,
        origin=finding.origin.value,
    )


def judged_line(document: ArmyList | ForceList, report: AnyReport, begun: float) -> BatchLine:
    """Return the line of a document that was judged since `begun`."""
    spent, limit, _models = report.numbers
    return BatchLine(
        name=document.name,
        game=document.system,
        legal=report.legal,
        spent=spent,
        limit=limit,
        codes=tuple(dict.fromkeys(finding.code for finding in report.findings)),
        findings=tuple(map(said_of, report.findings)),
        unchecked=tuple(one.sentence for one in report.unchecked),
        seconds=time.perf_counter() - begun,
        reservation=report.reservation,
    )


def unread(refusal: Refusal, begun: float) -> BatchLine:
    seconds = time.perf_counter() - begun
    return BatchLine(seconds, problem=refusal.sentence, problems=refusal.problems)


def report_then(report: AnyReport) -> dict[str, Any]:
    """Return the report as a frozen copy keeps it; points in points, findings as sentences."""
    kept = ("code", "severity", "state", "sentence", "citation")
    found = map(said_of, report.findings)
    return {
        "legal": report.legal,
        **dict(zip(("spent", "limit", "models"), report.numbers, strict=True)),
        "errors": report.counts.errors,
        "warnings": report.counts.warnings,
        "findings": [{key: getattr(said, key) for key in kept} for said in found],
        "unchecked": [restriction.sentence for restriction in report.unchecked],
    }


def report_data(report: AnyReport) -> dict[str, Any]:
    """Return the report as JSON-ready data; points in points, ids as in the document.

    The gauges of a list of files are its costs.
    """
    return {
        "legal": report.legal,
        "complete": report.complete,
        "verdict": report.outcome_words,
        "reservation": report.reservation,
        **dict(zip(("spent", "limit", "models"), report.numbers, strict=True)),
        "faction": report.faction,
        "findings": [finding_data(finding) for finding in report.findings],
        "unchecked": [unchecked_data(one) for one in report.unchecked],
        "gauges": [
            {
                "name": gauge.name,
                "used": gauge.used,
                "minimum": gauge.minimum,
                "maximum": gauge.maximum,
                "lineup": gauge.lineup,
                "parts": [
                    {"unit": part.unit, "name": part.label, "amount": part.amount}
                    for part in gauge.parts
                ],
            }
            for gauge in report.gauges
        ],
        "facts": [
            {"name": fact.name, "text": fact.text, "lineup": lineup, "citation": str(fact.citation)}
            for lineup, fact in report.facts
        ],
    }


def unchecked_data(restriction: Unchecked | Told) -> dict[str, Any]:
    """Return a restriction that was not checked: of which units, in words, and why."""
    name, words, cited = "", restriction.sentence, restriction.citation.strip("()")
    if isinstance(restriction, Unchecked):
        name, words, cited = restriction.name, restriction.restriction, restriction.citation
    return {
        "units": list(restriction.units),
        "name": name,
        "restriction": words,
        "why": restriction.why,
        "sentence": restriction.sentence,
        "reason": restriction.reason,
        "citation": cited,
    }


def finding_data(finding: AnyFinding) -> dict[str, Any]:
    """One finding with its answers: code, severity, state, where, which rule, numbers.

    A rule of files is named by the id of its constraint.
    """
    said, rule, reading = said_of(finding), finding.code, ""
    if isinstance(finding, Finding):
        rule, reading = finding.head.pointer, str(finding.head.reading)
    return {
        "code": said.code,
        "severity": said.severity,
        "state": said.state,
        "origin": said.origin,
        "sentence": said.sentence,
        "units": list(finding.units),
        "rule": rule,
        "citation": said.citation,
        "reading": reading,
        "measured": finding.measured,
        "allowed": finding.allowed,
        "lineup": finding.lineup,
    }
