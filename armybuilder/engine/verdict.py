"""The verdict in a word and in words: legal, legal as far as judged, or not legal, and how much is
wrong. The one place that makes these words for pages, files and programs.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from armybuilder.engine.citations import Severity
from armybuilder.engine.states import State
from armybuilder.engine.wording import say, say_count


class Outcome(StrEnum):
    """Outcome of a verdict. A list is plainly LEGAL only if nothing was left unchecked."""

    LEGAL = "legal"
    UNCHECKED = "unchecked"
    ILLEGAL = "illegal"


class Counts(NamedTuple):
    """Numbers of errors by state, of warnings, and of unchecked restrictions."""

    broken: int
    missing: int
    warnings: int
    unchecked: int

    @property
    def errors(self) -> int:
        """Errors of either state."""
        return self.broken + self.missing


def counts_of(findings: Iterable[tuple[str, str]], unchecked: int) -> Counts:
    """Return the counts of findings, each given by its severity and state."""
    found = list(findings)
    return Counts(
        found.count((Severity.ERROR, State.BROKEN)),
        found.count((Severity.ERROR, State.MISSING)),
        sum(severity == Severity.WARNING for severity, _ in found),
        unchecked,
    )


def outcome_of(legal: bool, unchecked: int) -> Outcome:
    """Return the outcome of a list with this many unchecked restrictions."""
    if not legal:
        return Outcome.ILLEGAL
    return Outcome.UNCHECKED if unchecked else Outcome.LEGAL


def reservation_words(reservation: str, custom: int, *taken: str) -> str:
    """Return the reservation of a verdict: the game's own, the number of custom books, and the
    names of shipped games and books that custom ones share."""
    books = say_count("a custom book", "{number} custom books", custom) if custom else ""
    names = ", ".join(dict.fromkeys(filter(None, taken)))
    not_shipped = say("not the shipped {name}", name=names) if names else ""
    return ", ".join(filter(None, (reservation, books, not_shipped)))


def outcome_words(legal: bool, unchecked: int) -> str:
    """Return the outcome in a few words, as in the API: "Legal, 2 restrictions not checked",
    "Not legal"."""
    if not legal:
        return say("Not legal")
    if not unchecked:
        return say("Legal")
    return say_count(
        "Legal, {number} restriction not checked",
        "Legal, {number} restrictions not checked",
        unchecked,
    )


def verdict_words(counts: Counts) -> str:
    """Return the verdict as short as can be: "1 error · 4 to do", "Legal · 2 warnings"."""
    if counts.errors:
        return " · ".join(_wrong(counts))
    words = [outcome_words(True, counts.unchecked)]
    if counts.warnings:
        words.append(say_count("{number} warning", "{number} warnings", counts.warnings))
    return " · ".join(words)


def verdict_sentence(counts: Counts) -> str:
    """Return the verdict in full: "Not legal: 1 error, 4 to do", "Not legal yet: 4 to do", or the
    words of `verdict_words` for a legal list.
    """
    if not counts.errors:
        return verdict_words(counts)
    wrong = ", ".join(_wrong(counts))
    return say("Not legal: {wrong}" if counts.broken else "Not legal yet: {wrong}", wrong=wrong)


def _wrong(counts: Counts) -> list[str]:
    """Return the numbers of broken, then of missing things, in words."""
    words = []
    if counts.broken:
        words.append(say_count("{number} error", "{number} errors", counts.broken))
    if counts.missing:
        words.append(say_count("{number} to do", "{number} to do", counts.missing))
    return words
