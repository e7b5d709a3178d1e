"""Acts on the list as a whole: name, size, notes, settings, unknown names, history."""

from dataclasses import dataclass, replace
from typing import ClassVar, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.acts.base import Act, ActResult, Fields, ListAct, UnitAct
from armybuilder.editing import cleanup, unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.wording import inside
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.limits import MAX_LIMIT
from armybuilder.loading.naming import named_at


@dataclass(frozen=True, slots=True)
class Rename(ListAct):
    """Another name of the list."""

    name: ClassVar[str] = "rename"
    called: str

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(form.get("name", ""))

    def part(self, army_list: ArmyList) -> object:
        return army_list.name

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.rename(army_list, self.called)
        return ActResult(after, _("Renamed the list to {name}.").format(name=after.name))


@dataclass(frozen=True, slots=True)
class SetLimit(ListAct):
    """Another size of the game, in points. A name that nobody gave the list follows it."""

    name: ClassVar[str] = "limit"
    limit: int

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(unit_edits.whole_number(form.get("limit", ""), 1, MAX_LIMIT, _("The size")))

    def part(self, army_list: ArmyList) -> object:
        return army_list.limit

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        said = ngettext("Size: {number} point.", "Size: {number} points.", self.limit)
        after = unit_edits.set_limit(army_list, self.limit)
        after = replace(after, name=named_at(army_list, catalogue, self.limit))
        return ActResult(after, said.format(number=self.limit))


@dataclass(frozen=True, slots=True)
class SetNotes(ListAct):
    """Other notes of the list."""

    name: ClassVar[str] = "notes"
    notes: str

    def part(self, army_list: ArmyList) -> object:
        return army_list.notes

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        return ActResult(unit_edits.set_notes(army_list, self.notes), _("Changed the notes."))


@dataclass(frozen=True, slots=True)
class ChangeSetting(ListAct):
    """Another value of a setting; "" returns to its default."""

    name: ClassVar[str] = "setting"
    setting: str
    value: str

    def part(self, army_list: ArmyList) -> object:
        return army_list.settings.get(self.setting)

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.set_setting(army_list, catalogue, self.setting, self.value)
        name = inside(_(catalogue.system.settings[self.setting].name))
        return ActResult(after, _("Changed {name}.").format(name=name))


@dataclass(frozen=True, slots=True)
class _PieceAct(ListAct):
    """An act on a setting that takes several pieces."""

    adds: ClassVar[bool] = True
    setting: str
    piece: str


class AddPiece(_PieceAct):
    """A piece more."""

    name: ClassVar[str] = "add-piece"

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.add_piece(army_list, catalogue, self.setting, self.piece)
        name = unit_edits.pieces_of(catalogue, self.setting)[self.piece]
        return ActResult(after, _("Added {name}.").format(name=name))


class RemovePiece(_PieceAct):
    """A piece less."""

    name: ClassVar[str] = "remove-piece"

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.remove_piece(army_list, self.setting, self.piece)
        name = unit_edits.pieces_of(catalogue, self.setting).get(self.piece, self.piece)
        return ActResult(after, _("Removed {name}.").format(name=name))


@dataclass(frozen=True, slots=True)
class Forget(UnitAct):
    """Without an unknown thing of a unit, or a setting: its `kind`, and how it is `called`."""

    name: ClassVar[str] = "forget"
    kind: str
    called: str

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(form.get("unit", ""), form.get("kind", ""), form.get("name", ""))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = cleanup.forget(army_list, catalogue, self.kind, self.unit, self.called)
        said = _("Removed “{name}”.").format(name=self.called[:60])
        return ActResult(after, said, self.unit)


@dataclass(frozen=True, slots=True)
class HistoryAct(Act):
    """A step in the history: `step` versions forward."""

    step: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Undo(HistoryAct):
    """Back to the version before."""

    name: ClassVar[str] = "undo"
    step: ClassVar[int] = -1


@dataclass(frozen=True, slots=True)
class Redo(HistoryAct):
    """Forward to the version after."""

    name: ClassVar[str] = "redo"
    step: ClassVar[int] = 1
