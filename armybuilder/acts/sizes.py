"""Acts on how many models a unit has. Steps are steps from whatever the size is by then, so that
those sent late still mean what their button said.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.acts.base import ActResult, Fields, UnitAct
from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster, report_on
from armybuilder.loading.limits import MAX_MODELS
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class MoreModels(UnitAct):
    """One model more."""

    name: ClassVar[str] = "more"
    adds: ClassVar[bool] = True

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        _keep_size(self, army_list, catalogue, 1)
        after = unit_edits.step_models(army_list, self.unit, 1)
        name = self.label(army_list, catalogue)
        return ActResult(after, _("One more {name}.").format(name=name), self.unit)


@dataclass(frozen=True, slots=True)
class FewerModels(UnitAct):
    """One model less; the last one takes the unit along."""

    name: ClassVar[str] = "fewer"
    adds: ClassVar[bool] = True

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        _keep_size(self, army_list, catalogue, -1)
        after = unit_edits.step_models(army_list, self.unit, -1)
        gone = len(after.units) < len(army_list.units)
        said = _("Removed {name}.") if gone else _("One {name} fewer.")
        name = self.label(army_list, catalogue)
        return ActResult(after, said.format(name=name), "" if gone else self.unit)


@dataclass(frozen=True, slots=True)
class StepModels(UnitAct):
    """Several models more, or less (below 0), as far as the book allows."""

    name: ClassVar[str] = "step"
    adds: ClassVar[bool] = True
    by: int

    @classmethod
    def read(cls, form: Fields) -> Self:
        step = unit_edits.whole_number(
            form.get("step", ""), -MAX_MODELS, MAX_MODELS, _("The number of models")
        )
        return cls(form.get("unit", ""), step)

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        low, high = _keep_size(self, army_list, catalogue, self.by)
        models = max(unit_edits.find(army_list, self.unit).models + self.by, low)
        return _set(self, army_list, catalogue, models if high is None else min(models, high))


@dataclass(frozen=True, slots=True)
class MostModels(UnitAct):
    """As many models as the book allows."""

    name: ClassVar[str] = "most"
    adds: ClassVar[bool] = True

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        __, high = _keep_size(self, army_list, catalogue, 1)
        models = unit_edits.find(army_list, self.unit).models
        return _set(self, army_list, catalogue, models if high is None else high)


@dataclass(frozen=True, slots=True)
class SetModels(UnitAct):
    """So many models; none takes the unit off the list."""

    name: ClassVar[str] = "models"
    models: int

    @classmethod
    def read(cls, form: Fields) -> Self:
        number = unit_edits.whole_number(
            form.get("models", ""), 0, MAX_MODELS, _("The number of models")
        )
        return cls(form.get("unit", ""), number)

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        return _set(self, army_list, catalogue, self.models)


def _set(act: UnitAct, army_list: ArmyList, catalogue: Catalogue, models: int) -> ActResult:
    """Return the list with so many models of the act's unit; none of them takes it off."""
    after = unit_edits.set_models(army_list, act.unit, models)
    said = _("{number} × {name}.") if models else _("Removed {name}.")
    said = said.format(number=models, name=act.label(army_list, catalogue))
    return ActResult(after, said, act.unit if models else "")


def _keep_size(
    act: UnitAct, army_list: ArmyList, catalogue: Catalogue, step: int
) -> tuple[int, int | None]:
    """Return the least and most models of the act's unit. Raise Refusal where a step leaves them:
    a key pressed too often harms nothing.
    """
    entry = unit_edits.find(army_list, act.unit)
    unit = catalogue.units.get(entry.ref)
    if unit is None or not catalogue.system.sized:
        return 0, None
    low, high = size_bounds(unit, _line(act, army_list, catalogue))
    name = act.label(army_list, catalogue)
    if step < 0 and entry.models <= max(low, 1):
        least = ngettext(
            "{name} has at least {number} model.", "{name} has at least {number} models.", low
        )
        raise Refusal(least.format(name=name, number=low))
    if step > 0 and high is not None and entry.models >= high:
        most = ngettext(
            "{name} has at most {number} model.", "{name} has at most {number} models.", high
        )
        raise Refusal(most.format(name=name, number=high))
    return low, high


def _line(act: UnitAct, army_list: ArmyList, catalogue: Catalogue) -> Line | None:
    """Return the act's unit as it stands, where its sizes hang on that."""
    unit = catalogue.units[unit_edits.find(army_list, act.unit).ref]
    if unit.size is None or not any(amount.changes for amount in unit.size):
        return None
    return report_on(make_roster(army_list, catalogue), catalogue).line(act.unit)
