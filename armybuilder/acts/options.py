"""The acts that change what is taken on a unit. Each says what is on it now."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Self

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, Fields, UnitAct
from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.options import Offer, Option
from armybuilder.engine.wording import listed, spelled
from armybuilder.loading.armylist import ArmyList, ListOption
from armybuilder.loading.limits import MAX_OPTIONS, MAX_TIMES
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True)
class OptionAct(UnitAct):
    """An act on an option, named by its path."""

    option: str

    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
        """Return the list after the act."""
        raise NotImplementedError(type(self))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = self.edited(army_list, catalogue)
        steps = self.option.split("/")
        entry = unit_edits.find(after, self.unit)
        option = _option_at(catalogue.units[entry.ref].offer, steps)
        options: Iterable[ListOption] = entry.options
        taken = None
        for step in steps:
            taken = next((one for one in options if one.id == step), None)
            options = taken.options if taken else ()
        gone = _gone(self.unit, army_list, after, catalogue) if taken else ""
        if taken is None:
            said = _("{unit}: removed {option}.")
        elif gone:
            said = _("{unit}: {option} instead of {others}.")
        elif taken.on:
            said = _("{unit}: {option} on {piece}.")
        elif taken.number > 1:
            said = _("{unit}: {number} × {option}.")
        else:
            said = _("{unit}: added {option}.")
        said = said.format(
            unit=self.label(army_list, catalogue),
            option=option.name,
            number=taken.number if taken else 0,
            piece=spelled(taken.on) if taken else "",
            others=gone,
        )
        return ActResult(after, said, self.unit)


class SwitchOption(OptionAct, name="option"):
    """An option taken, or left."""

    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
        return option_edits.switch_option(army_list, catalogue, self.unit, self.option)


@dataclass(frozen=True)
class SetNumber(OptionAct, name="option-number"):
    """So many of an option."""

    number: int

    @classmethod
    def read(cls, form: Fields) -> Self:
        number = unit_edits.whole_number(form.get("number", ""), 0, MAX_TIMES, _("The number"))
        return cls(form.get("unit", ""), form.get("option", ""), number)

    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
        return option_edits.set_number(army_list, catalogue, self.unit, self.option, self.number)


@dataclass(frozen=True)
class PutOn(OptionAct, name="put-on"):
    """An enchantment put on a piece of equipment."""

    piece: str

    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
        return option_edits.put_on(army_list, catalogue, self.unit, self.option, self.piece)


@dataclass(frozen=True)
class TakeOptions(UnitAct, name="take-options"):
    """Several options taken at once, named by their paths: each may need those before it."""

    options: tuple[str, ...]

    @classmethod
    def read(cls, form: Fields) -> Self:
        paths = tuple(form.get("options", "").split())
        if not 0 < len(paths) <= MAX_OPTIONS:
            raise Refusal(_("The page asked for something the app cannot do."))
        return cls(form.get("unit", ""), paths)

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = army_list
        for path in self.options:
            after = option_edits.set_number(after, catalogue, self.unit, path, 1)
        offer = catalogue.units[unit_edits.find(after, self.unit).ref].offer
        names = listed(_option_at(offer, path.split("/")).name for path in self.options)
        gone = _gone(self.unit, army_list, after, catalogue)
        said = _("{unit}: {option} instead of {others}.") if gone else _("{unit}: added {option}.")
        label = self.label(army_list, catalogue)
        return ActResult(after, said.format(unit=label, option=names, others=gone), self.unit)


@dataclass(frozen=True)
class EmptyGroup(UnitAct, name="no-option", form_names={"group": "no-option"}):
    """Nothing of a group of options, named by its path."""

    group: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = option_edits.empty_group(army_list, catalogue, self.unit, self.group)
        gone = _gone(self.unit, army_list, after, catalogue)
        said = _("{unit}: removed {option}.") if gone else _("Nothing changed.")
        label = self.label(army_list, catalogue)
        return ActResult(after, said.format(unit=label, option=gone), self.unit)


def _gone(unit: str, before: ArmyList, after: ArmyList, catalogue: Catalogue) -> str:
    """Return the names of the options that the unit has no more, but for those on them."""
    old, new = (unit_edits.find(document, unit) for document in (before, after))

    def missing(
        old: Iterable[ListOption], new: Iterable[ListOption], offer: Offer
    ) -> Iterator[str]:
        kept = {entry.id: entry for entry in new}
        for entry in old:
            if entry.id not in offer.slots:
                continue
            option = offer.slots[entry.id][0].option
            if entry.id not in kept:
                yield option.name
            else:
                yield from missing(entry.options, kept[entry.id].options, option.offer)

    return listed(missing(old.options, new.options, catalogue.units[old.ref].offer))


def _option_at(offer: Offer, steps: list[str]) -> Option:
    for step in steps[:-1]:
        offer = offer.slots[step][0].option.offer
    return offer.slots[steps[-1]][0].option
