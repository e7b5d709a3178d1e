"""What an army of units tells on game day: its size's name, who leads it, its wizards."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.facts import Fact, FactHead, FactRule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Line, Standing
from armybuilder.engine.wording import either, say, say_count


@dataclass(frozen=True, slots=True, eq=False)
class SizeName(FactRule):
    """What a game of this size is called and what that means: the first step it does not exceed."""

    kind: ClassVar[str] = "size-name"
    steps: tuple[tuple[int, str], ...]
    beyond: str

    @classmethod
    def read(cls, head: FactHead, data: Mapping[str, Any]) -> Self:
        steps = tuple((points, text) for points, text in data["sizes"])
        return cls(head, steps, data["beyond"])

    def tell(self, standing: Standing) -> Fact:
        limit = standing.roster.limit
        return self.fact(next((text for top, text in self.steps if limit <= top), self.beyond))


@dataclass(frozen=True, slots=True, eq=False)
class Who(FactRule):
    """The names of the units that a selector matches; `counted` adds how many they are."""

    kind: ClassVar[str] = "who"
    selector: Selector
    counted: bool

    @classmethod
    def read(cls, head: FactHead, data: Mapping[str, Any]) -> Self:
        return cls(head, Selector.read(data["of"]), data.get("counted", False))

    def tell(self, standing: Standing) -> Fact | None:
        lines = list(standing.matching(self.selector))
        if not lines and not (self.counted and standing.lines):
            return None
        names = ", ".join(_with_numbers([line.name for line in lines]))
        text = f"{len(lines)}: {names}" if self.counted and lines else names or say("none")
        silent = [line.name for line in standing.lines if "gap:rules" in line.tags]
        note = ""
        if self.counted and silent:
            note = say("Not told of {names}.", names=", ".join(_with_numbers(silent)))
        return self.fact(text, len(lines), tuple(line.pick.id for line in lines), note)


@dataclass(frozen=True, slots=True, eq=False)
class Casters(FactRule):
    """Every wizard with its path and the number of spells it knows.

    `spells` maps the id of a wizard's type, a keyword or an option, to that number; of several
    types the one with most counts. `paths` are the groups a path is chosen in.
    """

    kind: ClassVar[str] = "casters"
    spells: Mapping[str, int]
    paths: frozenset[str]

    @classmethod
    def read(cls, head: FactHead, data: Mapping[str, Any]) -> Self:
        return cls(head, data["spells"], frozenset(data["paths"]))

    def tell(self, standing: Standing) -> Fact | None:
        wizards = [(line, self.known(line)) for line in standing.lines if self.known(line)]
        if not wizards:
            return None
        texts = [f"{line.name} ({self._about(line, known)})" for line, known in wizards]
        return self.fact(", ".join(texts), None, tuple(line.pick.id for line, _ in wizards))

    def known(self, line: Line) -> int:
        """How many spells the unit knows; 0 where it is no wizard."""
        return max(
            (
                number
                for type_id, number in self.spells.items()
                if f"keyword:{type_id}" in line.tags or f"option:{type_id}" in line.place.taken
            ),
            default=0,
        )

    def path(self, line: Line) -> str:
        """The path chosen, "" where none is."""
        return either(
            taken.slot.option.name
            for taken in line.loadout.taken
            if any(group.id in self.paths for group in taken.slot.groups)
        )

    def _about(self, line: Line, known: int) -> str:
        spells = say_count("{number} spell", "{number} spells", known)
        return ", ".join(filter(None, (self.path(line), spells)))


def _with_numbers(names: list[str]) -> list[str]:
    return [
        f"{names.count(name)} × {name}" if names.count(name) > 1 else name
        for name in dict.fromkeys(names)
    ]


ARMY_FACTS: tuple[type[FactRule], ...] = (SizeName, Who, Casters)
