"""Citations of rules: source, severity, required settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from armybuilder.engine.wording import Words


class Severity(StrEnum):
    """Severity of a finding. Members are in order, the gravest first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Origin(StrEnum):
    """The origin of a rule: the game (or a book of it), or an event's pack."""

    GAME = "game"
    EVENT = "event"


@dataclass(frozen=True, slots=True)
class Citation:
    """Source of a rule: the book's short title and the section or page in it."""

    source: Words
    place: Words

    def __str__(self) -> str:
        return f"{self.source} {self.place}".strip()


#: Values that settings must have, by setting; of a number a range of them.
Given = tuple[tuple[str, frozenset[str] | range], ...]


def settings_fit(settings: Mapping[str, object], given: Given) -> bool:
    """Return whether every setting named has one of its values."""
    return all(settings.get(setting) in values for setting, values in given)


@dataclass(frozen=True, slots=True)
class RuleHead:
    """Common fields of all rules of a system.

    `pointer` is the JSON pointer of the rule in its system file; `reading` our reading of an
    unclear rulebook; `each_lineup` is true if the rule must hold with and without models that are
    only sometimes there (the Chainmail reserve); `given` the settings that it requires; `sentences`
    those of its game, by code, see `sentences.template`; `parent` the id of the rule that a book's
    numbers made it of.
    """

    id: str
    pointer: str
    order: int
    code: str
    severity: Severity
    citation: Citation
    summary: Words
    reading: Words = ""
    each_lineup: bool = False
    given: Given = ()
    sentences: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    origin: Origin = Origin.GAME
    parent: str = ""

    def citing(self, place: str, beside: bool = True) -> RuleHead:
        """Return the same with another place in its source, added or in place of its own."""
        cited = f"{self.citation.place}, {place}" if beside else place
        return replace(self, citation=Citation(self.citation.source, cited)) if place else self

    def of_choice(self, data: Mapping[str, Any]) -> RuleHead:
        """Return the head of the finding that a choice is missing, with its own code."""
        return replace(self, id=f"{self.id}-choice", code=data["code"], summary=data["summary"])

    def applies(self, settings: Mapping[str, object]) -> bool:
        """Return whether the settings are as the rule wants them, where it holds for some only."""
        return not self.given or settings_fit(settings, self.given)
