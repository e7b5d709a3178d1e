"""The verdict in a word and in words: legal, legal as far as judged, or not legal."""

from enum import StrEnum

from armybuilder.engine.wording import say, say_count


class Outcome(StrEnum):
    """What a verdict comes to. A list is plainly LEGAL only where nothing was left unchecked."""

    LEGAL = "legal"
    UNCHECKED = "unchecked"
    ILLEGAL = "illegal"


def outcome_of(legal: bool, unchecked: int) -> Outcome:
    """Return the outcome of a list with so many restrictions that were not checked."""
    if not legal:
        return Outcome.ILLEGAL
    return Outcome.UNCHECKED if unchecked else Outcome.LEGAL


def verdict_words(legal: bool, unchecked: int) -> str:
    """Return the verdict in a few words: "Legal, 2 restrictions not checked"."""
    if not legal:
        return say("Not legal")
    if not unchecked:
        return say("Legal")
    return say_count(
        "Legal, {number} restriction not checked",
        "Legal, {number} restrictions not checked",
        unchecked,
    )
