"""What an act is: a frozen value, made of a form's fields, that performs itself on a list.

Every act of a list says which part of it it replaces, so that an act from a page that is out of
date can be told apart: where that part is still as the page showed it, the act is done on the
newer list; where it is not, the player is asked.
"""

from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import ClassVar, Protocol, Self

from armybuilder.editing import unit_edits
from armybuilder.editing.names import entry_name
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library

Fields = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ActResult:
    """The list after an act, what was done as a sentence, and the entry to show (or "")."""

    army_list: ArmyList
    said: str
    entry: str = ""


@dataclass(frozen=True, slots=True)
class TakenBook:
    """A book as a list takes it now."""

    id: str
    revision: str
    name: str


class Outside(Protocol):
    """What acts need besides the list and its catalogue."""

    @property
    def library(self) -> Library:
        """Every game and its shipped books."""

    def take(self, book_ids: Iterable[str]) -> Mapping[str, TakenBook]:
        """Take books as they are now, and keep them. Raises Refusal: one is gone or unsuitable."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something a button asks for. `name` is what forms call it."""

    name: ClassVar[str] = ""

    @classmethod
    def read(cls, form: Fields) -> Self:
        """Make the act of a form's fields. Raises Refusal where one of them is wrong."""
        named = (one.name for one in fields(cls) if one.default_factory is MISSING)
        return cls(**{key: form.get(key, "") for key in named})


@dataclass(frozen=True, slots=True)
class ListAct(Act):
    """An act that changes the list. `adds`: it replaces nothing that others may have changed."""

    adds: ClassVar[bool] = False

    def part(self, army_list: ArmyList) -> object:
        """Return the part of the list that the act replaces."""
        return None

    def prepared(self, army_list: ArmyList, catalogue: Catalogue, outside: Outside) -> Self:
        """Return the act with what it needs from outside. Raises Refusal where that is missing."""
        return self

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        """Do the act. Raises Refusal where it cannot be done."""
        raise NotImplementedError(type(self))


@dataclass(frozen=True, slots=True)
class UnitAct(ListAct):
    """An act on one unit of the list, named by its id."""

    unit: str

    def part(self, army_list: ArmyList) -> object:
        return next((entry for entry in army_list.units if entry.id == self.unit), None)

    def label(self, army_list: ArmyList, catalogue: Catalogue) -> str:
        """Return what the player knows the unit by."""
        return entry_name(unit_edits.find(army_list, self.unit), catalogue.units)
