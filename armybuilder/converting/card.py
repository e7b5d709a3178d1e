"""A card in the making: its numbers and abilities, and a step that explains each."""

from dataclasses import dataclass, field
from typing import Any

from armybuilder.converting.scores import ConversionChoices, Scores


@dataclass(frozen=True)
class WorkStep:
    """How a thing on the card came about. `cite`: 2001 rulebook; `choice`: the alternative."""

    what: str
    given: str
    how: str
    result: str
    cite: str
    choice: str = ""


@dataclass(frozen=True)
class Conversion:
    """A unit of a book without id and points, the steps to it, and feats that found no place."""

    unit: dict[str, Any]
    steps: tuple[WorkStep, ...]
    left_out: tuple[str, ...] = ()


@dataclass
class ConvertedCard:
    """Collects statistics by id, abilities in short form, and steps."""

    stats: dict[str, int | str] = field(default_factory=dict)
    abilities: list[str] = field(default_factory=list)
    steps: list[WorkStep] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def tell(
        self, what: str, given: str, how: str, result: object, cite: str, choice: str = ""
    ) -> None:
        """Add a step."""
        self.steps.append(WorkStep(what, given, how, str(result), cite, choice))

    def give(self, ability: str) -> None:
        """Add an ability; the same one said before gives way."""
        self.abilities = [one for one in self.abilities if not _same(one, ability)] + [ability]

    def done(self, scores: Scores, choices: ConversionChoices) -> Conversion:
        """Return the card as a unit of a book."""
        unit: dict[str, Any] = {"name": scores.name}
        if choices.group:
            unit["group"] = choices.group
        unit["attributes"] = {
            "faction": choices.faction,
            "alignment": scores.alignment,
            "type": scores.type,
        }
        if scores.subtype:
            unit["subtype"] = scores.subtype
        unit["stats"] = self.stats
        if self.abilities:
            unit["abilities"] = self.abilities
        return Conversion(unit, tuple(self.steps), tuple(self.left_out))


def ability_id(ability: str) -> str:
    """Return the id of an ability in short form."""
    return ability.split(":")[0].split(" ")[0]


def _same(one: str, other: str) -> bool:
    """The same ability of the same kind: "immune: fire" and "immune: cold" are two."""
    return ability_id(one) == ability_id(other) and one.partition(":")[2] == other.partition(":")[2]
