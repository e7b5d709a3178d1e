"""What a model is by the source: its Height and Type, whether it is on foot, a wizard, which rules
it has. Three answers: yes, no, and None where the source does not say.

Of the rulebook this takes what the file cannot say: a mounted character has the Height and Type of
its mount (19.B.1), characters are on foot unless they take a mount (8.D.b.e), models are mounted by
a part with Harnessed (19.A.c), and what is Gigantic has Towering Presence (19, table 10).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from tests.second_reading.reader.armies import Selection
from tests.second_reading.reader.books import GENERAL
from tests.second_reading.reader.counting import At, Counting
from tests.second_reading.reader.parts import Profile
from tests.second_reading.reader.places import Place

SIZE = "0 Size"
#: Tables of statistics; those of weapons, armour and items have other numbers.
STATS = re.compile(r"[0-3] ")
MOUNT = re.compile(r"^Mounts?\b")
WIZARDS = ("Wizard Apprentice", "Wizard Adept", "Wizard Master")
#: Rules that only wizards have.
MAGIC = ("Protean Magic", *WIZARDS)
PATH = re.compile(r"\b(Magic Path|Path of Magic)\b")
STANDARD_BEARER = "Battle Standard Bearer"
#: What the model becomes by an option, where a rule of the option says so.
BECOMES_WIZARD = re.compile(r"\b(gains|is a|becomes a)\b[^.]*\bWizard (Apprentice|Adept|Master)\b")
BECOMES_BEARER = re.compile(r"\bbecomes the Battle Standard Bearer\b")


@dataclass(frozen=True, eq=False)
class Body:
    """A unit of an army, asked what it is."""

    unit: Selection
    counting: Counting

    @cached_property
    def mount(self) -> Selection | None:
        """What it rides: taken from a group of mounts, or an option with a size of its own."""
        for one in self.unit.walk():
            if one is not self.unit and not is_model(one.place) and is_mount(one.place):
                return one
        return None

    @cached_property
    def size(self) -> Profile | None:
        """Its row of Height and Type: the mount's, if it has one; None: the source has none."""
        if self.mount is not None:
            return size_of(self.mount.place)
        models = (one.place for one in self.unit.inner if is_model(one.place))
        found = (size_of(place) for place in (self.unit.place, *models))
        return next((size for size in found if size is not None), None)

    def has_height(self, *heights: str) -> bool | None:
        return None if self.size is None else self.size.cells.get("Height") in heights

    def has_type(self, type_: str) -> bool | None:
        return None if self.size is None else self.size.cells.get("Type") == type_

    @property
    def on_foot(self) -> bool:
        """Whether it is on foot: no mount, and no part of it is Harnessed."""
        riding = self.size is not None and self.size.cells.get("Type") == "Cavalry"
        return self.mount is None and not riding and not self.has_rule("Harnessed")

    @property
    def towering(self) -> bool | None:
        return True if self.has_rule("Towering Presence") else self.has_height("Gigantic")

    @property
    def wizard(self) -> bool:
        """Whether it is a wizard: of a type, or with a path of magic to choose from, or made one by
        what an option's own rule says.
        """
        if any(map(self.has_rule, MAGIC)) or any(map(BECOMES_WIZARD.search, self.texts)):
            return True
        return any(
            one.place.what.name in WIZARDS or any(PATH.search(g.name) for g in one.place.groups)
            for one in self.unit.walk()
        )

    @property
    def master(self) -> bool:
        return self.has_rule("Wizard Master") or self.has_taken("Wizard Master")

    def has_taken(self, name: str) -> bool:
        return any(one.place.what.name == name for one in self.unit.walk())

    @property
    def leads(self) -> bool:
        """Whether it is the General or the Battle Standard Bearer."""
        return self.has_taken(GENERAL) or self.has_taken(STANDARD_BEARER)

    @property
    def may_lead(self) -> bool | None:
        """Whether it is without Not a Leader. Where the source has no rules of it, what it offers
        tells: whoever can be marked as the General has not that rule.
        """
        if self.has_taken(STANDARD_BEARER) or any(map(BECOMES_BEARER.search, self.texts)):
            return False
        if any("loses Not a Leader" in text for text in self.texts):
            return True
        if self.has_rule("Not a Leader"):
            return False
        marks = (place for place in self.unit.place.walk() if place.what.name == GENERAL)
        return True if self.known or any(marks) else None

    @cached_property
    def known(self) -> bool:
        """Whether the source has a stat line of it, mount and all."""
        mounted = self.mount is None or any(map(is_stat_line, profiles(self.mount.place)))
        return mounted and has_stat_line(self.unit.place)

    @cached_property
    def rules(self) -> frozenset[str]:
        """The names of its special rules, those of all that is taken on it among them."""
        return frozenset(self._rules())

    def _rules(self) -> Iterator[str]:
        for one in self.unit.walk():
            at = At(one, one.parent)
            for part in one.place.parts:
                for told in part.rules:
                    if not self.counting.flag(told.hidden, told.modifiers, at):
                        yield told.name
            for row in filter(is_stat_line, profiles(one.place)):
                yield from filter(None, row.cells.get("Rules", "").split(", "))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What the rules say that its options have of their own."""
        parts = (part for one in self.unit.walk() for part in one.place.parts)
        return tuple(told.text for part in parts for told in part.rules if told.text)

    def has_rule(self, name: str) -> bool:
        return name in self.rules


def is_mount(place: Place) -> bool:
    named = any(MOUNT.match(name) for name in place.names)
    grouped = any(MOUNT.match(group.name) for group in place.groups)
    return named or grouped or (size_of(place) is not None and place.owner is not None)


def has_stat_line(unit: Place) -> bool:
    models = (place for place in unit.inner if is_model(place))
    return any(is_stat_line(row) for place in (unit, *models) for row in profiles(place))


def names_of(unit: Place) -> tuple[str, ...]:
    """What a unit is called, and what its parts are called in its stat lines: "Shrine Priest" of
    the row "Shrine Priest Offensive" in the table "3 Offensive".
    """
    models = (place for place in unit.inner if is_model(place))
    rows = (row for place in (unit, *models) for row in profiles(place) if is_stat_line(row))
    parts = (row.name.removesuffix(row.table.partition(" ")[2]).strip() for row in rows)
    return tuple(dict.fromkeys((unit.name, *parts)))


def is_model(place: Place) -> bool:
    """Whether an entry is a unit's models: of that kind, or something it must have."""
    return place.what.type == "model" or bool(place.needs and not place.groups)


def is_stat_line(row: Profile) -> bool:
    """Whether a table row is one of statistics: items and weapons have rows, too."""
    return STATS.match(row.table) is not None


def profiles(place: Place) -> Iterator[Profile]:
    for part in place.parts:
        yield from part.profiles


def size_of(place: Place) -> Profile | None:
    """The row of Height and Type of an entry; None where it has none."""
    return next((row for row in profiles(place) if row.table == SIZE), None)
