"""Facts of an army on game day: name of its size, bearers of rules, wizards with their paths."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import ClassVar, NamedTuple

from armybuilder.engine.facts import Fact, FactRule
from armybuilder.engine.lines import Line
from armybuilder.engine.options import Option, keyword_tag, slug
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import TRUE
from armybuilder.engine.tally import Tally
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import either, say, say_count, say_given


@dataclass(frozen=True, slots=True, eq=False)
class SizeName(FactRule):
    """Name and meaning of a game size: the first step it doesn't exceed."""

    kind: ClassVar[str] = "size-name"
    sizes: tuple[tuple[int, str], ...]
    beyond: str

    def tell(self, tally: Tally) -> Fact:
        limit = tally.roster.limit
        return self.fact(say(next((text for top, text in self.sizes if limit <= top), self.beyond)))


class Few(NamedTuple):
    """The `note` on having fewer than `below`."""

    below: int
    note: str


@dataclass(frozen=True, slots=True, eq=False)
class Who(FactRule):
    """The names of the units that a selector matches, or whose options it matches; `counted`
    adds their number, as far as the book has their rules. `few` is noted if surely so few."""

    kind: ClassVar[str] = "who"
    of: Selector
    counted: bool = False
    few: Few | None = None

    def tell(self, tally: Tally) -> Fact | None:
        meant = {line.pick.id for line in tally.matching(self.of)}
        lines = [
            line
            for line in tally.lines
            if line.pick.id in meant
            or any(self.of.matches(one.option.tags) for one in line.loadout.taken)
        ]
        if not lines and not (self.counted and tally.lines):
            return None
        names = ", ".join(_with_numbers([line.name for line in lines]))
        silent = _silent(tally) if self.counted else []
        text = f"{len(lines)}: {names}" if self.counted and lines else names or _nothing(silent)
        most = len(lines) + len(silent)
        few = say(self.few.note) if self.few and most < self.few.below else ""
        note = sentences(_not_known(silent), few, say_given(self.head.note))
        number = None if silent else len(lines)
        return self.fact(text, number, tuple(line.pick.id for line in lines), note)


class Rule(NamedTuple):
    """A special rule: its name, other names it goes by, and a note."""

    name: str
    also: tuple[str, ...] = ()
    note: str = ""

    @property
    def tags(self) -> tuple[str, ...]:
        """The tags of all its names."""
        return tuple(map(keyword_tag, (self.name, *self.also)))


@dataclass(frozen=True, slots=True, eq=False)
class Bearers(FactRule):
    """The units with one of some special rules, their own or by an option, rule by rule; with
    the notes of the rules present."""

    kind: ClassVar[str] = "bearers"
    rules: tuple[Rule, ...]

    def tell(self, tally: Tally) -> Fact | None:
        having = {line.pick.id: dict(reversed([*rules_of(line)])) for line in tally.lines}
        texts, notes = [], []
        units: dict[str, None] = {}
        for rule in self.rules:
            names = []
            for line in tally.lines:
                tag = next((tag for tag in rule.tags if tag in having[line.pick.id]), "")
                if tag:
                    names.append(line.name + _behind(having[line.pick.id][tag], rule.name))
                    units[line.pick.id] = None
            if names:
                texts.append(f"{rule.name}: {', '.join(_with_numbers(names))}")
                notes.append(say_given(rule.note))
        silent = _silent(tally)
        if not texts and not silent:
            return None
        note = sentences(_not_known(silent), *notes, say_given(self.head.note))
        return self.fact("; ".join(texts) or _nothing(silent), None, tuple(units), note)


def _behind(said: str, name: str) -> str:
    """Return the note after a unit with a rule: its brackets, after the rule's name if that
    differs."""
    called, _, more = said.removesuffix(")").partition("(")
    told = [more] if keyword_tag(called) == keyword_tag(name) else [called.strip(), more]
    words = ", ".join(filter(None, told))
    return f" ({words})" if words else ""


def rules_of(line: Line) -> Iterator[tuple[str, str]]:
    """Yield (tag, name) of a unit's special rules, and of its options."""
    options = [taken.option for taken in line.loadout.taken]
    sources: list[Unit | Option] = [line.unit, *options]
    for source in sources:
        for keyword in source.keywords:
            if keyword.condition is None or keyword.condition.holds(line.place):
                yield keyword.tag, keyword.name
        for profile in source.profiles:
            for name in profile.rules:
                yield from _names_in(name)
    for option in options:
        yield from _names_in(option.name)


@lru_cache(maxsize=4096)
def _names_in(name: str) -> tuple[tuple[str, str], ...]:
    """Return the rules that a name holds, such as that of the option "Ambush and Scout". A comma in
    brackets belongs to the rule before it.
    """
    parts = re.split(r"(?:, | and )(?![^(]*\))", name)
    return tuple((keyword_tag(part), part) for part in parts)


def _silent(tally: Tally) -> list[str]:
    """Return the names of the units whose special rules the book doesn't give."""
    return [line.name for line in tally.lines if "gap:rules" in line.tags]


def _nothing(silent: list[str]) -> str:
    """The sentence if nothing is found, apart from units without known rules."""
    return say("none known") if silent else say("none")


def _not_known(silent: list[str]) -> str:
    names = ", ".join(_with_numbers(silent))
    return say("Unknown for {names}.", names=names) if names else ""


def sentences(*told: str) -> str:
    """The sentences of a note that apply."""
    return " ".join(filter(None, told))


def _with_numbers(names: list[str]) -> list[str]:
    return [
        f"{names.count(name)} × {name}" if names.count(name) > 1 else name
        for name in dict.fromkeys(names)
    ]


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


@dataclass(frozen=True, slots=True, eq=False)
class Casters(FactRule):
    """Every wizard with its path and number of spells.

    `spells` maps the id of a wizard's type, a keyword or an option, to that number; of several
    types the one with most counts. `paths` are the groups of paths, `pathless` the special rules of
    wizards without one. `notes` belong to the types and rules present.
    """

    kind: ClassVar[str] = "casters"
    spells: Mapping[str, int]
    paths: frozenset[str]
    pathless: tuple[str, ...] = ()
    champions: Champions = Champions()
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
            ((number, kind) for kind, number in self.spells.items() if line.carries(kind) == TRUE),
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


ARMY_FACTS: tuple[type[FactRule], ...] = (SizeName, Who, Bearers, Casters)
