"""Base of acts: frozen values made of a form's fields that apply themselves to a list.

An act names the part of the list that it replaces. If that part is unchanged since the page was
drawn, the act applies to the newer list; otherwise the player is asked.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar, Self

from django.utils.translation import gettext as _

from armybuilder import acts
from armybuilder.advice.answers import Subject
from armybuilder.editing import unit_edits
from armybuilder.editing.names import entry_name
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

Fields = Mapping[str, str]


def whole(low: int, high: int, what: str) -> Any:
    """Return a field of an act for a whole number; `what` is its name, marked."""
    return field(metadata={"read": lambda text: unit_edits.whole_number(text, low, high, _(what))})


#: Acts whose buttons name the unit, where its form is that of the whole list.
OF_A_UNIT = ("more", "fewer", "remove", "duplicate")
#: Acts whose buttons name an option and one thing more, and the field that takes this.
MORE_SAID = {"option-number": "number", "put-on": "piece"}


@dataclass(frozen=True)
class ActResult:
    """The list after an act, a sentence about it, and the entry to show (or "")."""

    army_list: ArmyList
    said: str
    entry: str = ""


@dataclass(frozen=True)
class TakenBook:
    """A book as a list takes it now."""

    id: str
    revision: str
    name: str


#: Takes books as they are now, and keeps them. Raises Refusal: one is gone or unsuitable.
Take = Callable[[Iterable[str]], Mapping[str, TakenBook]]


@dataclass(frozen=True)
class Act:
    """The act of a button. `name` is its name in forms."""

    name: ClassVar[str] = ""
    #: Whether it is one on a list of a community's files.
    of_forces: ClassVar[bool] = False
    #: The form's field of a field of the act, where it has another name.
    form_names: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **facts: object) -> None:
        """Set class variables, given as `class Rename(ListAct, name="rename")`."""
        for fact, value in facts.items():
            setattr(cls, fact, value)

    @classmethod
    def read(cls, form: Fields) -> Self:
        """Make the act of a form's fields. Raises Refusal where one of them is wrong."""
        values: dict[str, Any] = {}
        for one in fields(cls):
            if one.default_factory is MISSING:
                text = form.get(cls.form_names.get(one.name, one.name), "")
                values[one.name] = one.metadata.get("read", str)(text)
        return cls(**values)


@dataclass(frozen=True)
class ListAct(Act):
    """An act that changes the list: `replaces` is a field of it, `adds` nothing of others'."""

    adds: ClassVar[bool] = False
    replaces: ClassVar[str] = ""

    def part(self, army_list: ArmyList) -> object:
        """Return the part of the list that the act replaces."""
        return getattr(army_list, self.replaces) if self.replaces else None

    def prepared(
        self, army_list: ArmyList, catalogue: Catalogue, library: Library, take: Take
    ) -> Self:
        """Return the act with the data it needs from outside. Raises Refusal if that is missing."""
        return self

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        """Do the act. Raises Refusal where it cannot be done."""
        raise NotImplementedError(type(self))


@dataclass(frozen=True)
class UnitAct(ListAct):
    """An act on one unit of the list, named by its id."""

    unit: str

    def part(self, army_list: ArmyList) -> object:
        return next((entry for entry in army_list.units if entry.id == self.unit), None)

    def label(self, army_list: ArmyList, catalogue: Catalogue) -> str:
        """Return the unit's name on the page."""
        return entry_name(unit_edits.find(army_list, self.unit), catalogue.units)

    def done(
        self,
        army_list: ArmyList,
        catalogue: Catalogue,
        after: ArmyList,
        sentence: str,
        entry: str | None = None,
        **values: object,
    ) -> ActResult:
        """Return the list after the act, with a sentence that names the unit, shown or another."""
        name = self.label(army_list, catalogue)
        entry = self.unit if entry is None else entry
        return ActResult(after, sentence.format(name=name, **values), entry)


def fields_of(form: Mapping[str, object]) -> dict[str, str]:
    """Return the form's fields by name.

    Some buttons say more: "role:reserve", "option:horse/barding", "more:u3", "put-on:rune:lance".
    """
    fields = {key: value for key, value in form.items() if isinstance(value, str)}
    fields["act"], __, what = fields.get("act", "").partition(":")
    if what and fields["act"] in MORE_SAID:
        fields["option"], __, fields[MORE_SAID[fields["act"]]] = what.partition(":")
    elif what and fields["act"] in OF_A_UNIT:
        fields["unit"] = what
    elif what:
        fields[fields["act"]] = what
    if ref := fields.pop("add", ""):
        fields |= {"act": "add", "ref": ref}
    return fields


def decode(fields: Fields) -> Act:
    """Return the act that `act` names, of the other fields. Raises Refusal: there is none such."""
    kind = act_kinds().get(fields.get("act", ""))
    if kind is None:
        raise Refusal(_("This page sent a request that isn’t possible. Reload it and try again."))
    return kind.read(fields)


@cache
def act_kinds(of_forces: bool = False) -> dict[str, type[Act]]:
    """Return every act by its name in forms, found in the modules of this package.

    Those on lists of our books, or those on lists of a community's files.
    """
    for module in pkgutil.iter_modules(acts.__path__):
        importlib.import_module(f"{acts.__name__}.{module.name}")
    kinds = (kind for kind in _below(Act) if kind.of_forces is of_forces)
    return {kind.name: kind for kind in kinds if kind.name}


def _below(kind: type[Act]) -> Iterator[type[Act]]:
    for inner in kind.__subclasses__():
        yield inner
        yield from _below(inner)


def performed(subject: Subject, fields: Fields) -> ArmyList | None:
    """Return the list after the act of these fields, unstored; None: it needs more than that."""
    act = decode(fields)
    if not isinstance(act, ListAct) or type(act).prepared is not ListAct.prepared:
        return None
    return act.perform(subject.document, subject.catalogue).army_list
