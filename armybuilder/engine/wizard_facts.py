"""The wizards of an army: their spells, and the path that each has chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from armybuilder.engine.army_facts import rules_of, sentences
from armybuilder.engine.facts import Fact, FactRule
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.options import slug
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import either, say, say_count


@dataclass(frozen=True, slots=True)
class Caster:
    """A wizard: the id of its type, its number of spells, and its path, or those to choose from.

    `rule` is the special rule of wizards without a path, `leader` the unit's model that is the
    wizard, by name, if not all are; it has additional Health Points.
    """

    type: str
    spells: int
    paths: tuple[str, ...] = ()
    rule: str = ""
    leader: str = ""
    health: int = 0

    @property
    def path(self) -> str:
        """The path in words, "" where none is chosen."""
        return either(self.paths)


@dataclass(frozen=True, slots=True)
class Champions:
    """Units whose champion is a wizard: the id of the option that brings it, its spells by the
    unit's special rule, and how many Health Points more it has.
    """

    option: str = ""
    spells: Mapping[str, int] = field(default_factory=dict)
    health: int = 0


NO_CHAMPIONS = Champions()


@dataclass(frozen=True, slots=True, eq=False)
class Casters(FactRule):
    """Every wizard with its path and number of spells.

    `spells` maps the id of a wizard's type, a keyword or an option, to that number; of several
    types the one with most counts. `paths` are the groups of paths, `pathless` the special rules of
    wizards without one. `notes` belong to the types and rules present.
    """

    kind: ClassVar[str] = "casters"
    spells: Mapping[str, int] = given()
    paths: frozenset[str] = given(read=frozenset)
    pathless: tuple[str, ...] = given(read=tuple, default=())
    champions: Champions = given(read=lambda data: Champions(**data), default=NO_CHAMPIONS)
    notes: Mapping[str, str] = field(default_factory=dict)

    def tell(self, tally: Tally) -> Fact | None:
        found = ((line, self.of(line)) for line in tally.lines)
        wizards = [(line, caster) for line, caster in found if caster is not None]
        if not wizards:
            return None
        texts = [f"{line.name} ({_about(caster)})" for line, caster in wizards]
        there = {slug(caster.rule) or caster.type for _, caster in wizards}
        notes = (say(note) for key, note in self.notes.items() if key in there)
        units = tuple(line.pick.id for line, _ in wizards)
        return self.fact(", ".join(texts), None, units, sentences(*notes, self.head.note))

    def of(self, line: Line) -> Caster | None:
        """Return the unit, or its champion, as a wizard; None if it isn't one."""
        known, kind = max(
            (
                (number, kind)
                for kind, number in self.spells.items()
                if f"keyword:{kind}" in line.tags or f"option:{kind}" in line.place.taken
            ),
            default=(0, ""),
        )
        if known:
            rule = next((rule for rule in self.pathless if f"keyword:{rule}" in line.tags), "")
            return Caster(kind, known, () if rule else self._paths(line), _name_of(rule, line))
        return self._champion(line)

    def _champion(self, line: Line) -> Caster | None:
        champions = self.champions
        names = (one.option.name for one in line.loadout.taken if one.option.id == champions.option)
        leader = next(names, "")
        for kind, number in champions.spells.items():
            if leader and f"keyword:{kind}" in line.tags:
                rule = _name_of(kind, line)
                return Caster(kind, number, rule=rule, leader=leader, health=champions.health)
        return None

    def _paths(self, line: Line) -> tuple[str, ...]:
        names = (
            taken.slot.option.name
            for taken in line.loadout.taken
            if any(group.id in self.paths for group in taken.slot.groups)
        )
        return tuple(sorted(names))  # in whichever order they were taken


def _about(caster: Caster) -> str:
    spells = say_count("{number} spell", "{number} spells", caster.spells)
    return ", ".join(filter(None, (caster.leader, caster.path, caster.rule, spells)))


def _name_of(rule: str, line: Line) -> str:
    """Return the unit's name for the special rule of this id; "" if there is none."""
    tag = f"keyword:{rule}"
    found = (name for key, name in rules_of(line) if key == tag) if rule else ()
    return next((name.split("(")[0].strip() for name in found), "")


WIZARD_FACTS: tuple[type[FactRule], ...] = (Casters,)
