"""Acts on the units of a list: number, order, roles, equipment, custom models.

Steps are relative to the current size: sent late, they still do as the button said.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.acts.base import ActResult, Fields, ListAct, UnitAct, whole
from armybuilder.editing import list_edits, option_edits, unit_edits
from armybuilder.editing.names import category_of, neighbour
from armybuilder.editing.own_models import new_profile, typed_rule
from armybuilder.editing.stat_lines import write_stat_lines
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.lines import size_bounds
from armybuilder.engine.options import Offer, Option
from armybuilder.engine.wording import inside, listed, marked, spelled
from armybuilder.loading.armylist import ArmyList, ListOption, ListProfile, frozen
from armybuilder.loading.documents import make_roster, report_on
from armybuilder.loading.limits import MAX_MODELS, MAX_OPTIONS, MAX_TIMES
from armybuilder.loading.problems import Refusal

#: Prefix of a tick's field name; the unit's reference follows.
TICK = "tick-"
#: How many of one unit can be added at once.
MOST_OF_ONE = 20
#: So many kinds of units an act names.
MOST_NAMED = 4


@dataclass(frozen=True)
class AddUnit(ListAct, name="add", adds=True):
    """A unit of the books more, or one model more of it."""

    ref: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after, entry = unit_edits.add_unit(army_list, catalogue, self.ref)
        name = catalogue.units[self.ref].name
        return ActResult(after, _("Added {name}.").format(name=name), entry)


@dataclass(frozen=True)
class AddSeveral(ListAct, name="add-several", adds=True):
    """The units that are ticked, `number` of each; all of them or, where one cannot be, none."""

    refs: tuple[str, ...]
    number: int

    @classmethod
    def read(cls, form: Fields) -> Self:
        refs = tuple(field.removeprefix(TICK) for field in form if field.startswith(TICK))
        if not refs:
            raise Refusal(_("Select what to add first."))
        number = form.get("number") or "1"
        return cls(refs, unit_edits.whole_number(number, 1, MOST_OF_ONE, _("Number of each")))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after, entry, words = army_list, "", []
        for ref in self.refs:
            after, entry, added = add_number(after, catalogue, ref, self.number)
            name = catalogue.units[ref].name
            words.append(f"{added} × {name}" if added > 1 else name)
        if len(words) > MOST_NAMED:
            names, more = ", ".join(words[: MOST_NAMED - 1]), len(words) - MOST_NAMED + 1
            said = _("Added {names} and {number} more.").format(names=names, number=more)
        else:
            said = _("Added {names}.").format(names=", ".join(words))
        return ActResult(after, said, entry)


def add_number(
    document: ArmyList, catalogue: Catalogue, ref: str, number: int
) -> tuple[ArmyList, str, int]:
    """Add copies of a unit or models to it; return the last entry and the number added."""
    added = 0
    entry = ""
    while added < number:
        entries = len(document.units)
        document, entry = unit_edits.add_unit(document, catalogue, ref)
        unit = catalogue.units[ref]
        new = len(document.units) > entries
        added += unit.smallest if new and unit.size is None else 1
    return document, entry, added


class RemoveUnit(UnitAct, name="remove"):
    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.remove(army_list, self.unit)
        return self.done(army_list, catalogue, after, _("Removed {name}."), "")


@dataclass(frozen=True)
class RemoveUnits(ListAct, name="remove-units", replaces="units"):
    """Several units off the list at once, by their ids."""

    units: tuple[str, ...]

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(tuple(form.get("units", "").split()))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = list_edits.remove_several(army_list, self.units)
        number = len(army_list.units) - len(after.units)
        text = ngettext("Removed {number} unit.", "Removed {number} units.", number)
        return ActResult(after, text.format(number=number))


class Duplicate(UnitAct, name="duplicate", adds=True):
    """A copy of a unit behind it."""

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after, entry = unit_edits.duplicate(army_list, catalogue, self.unit)
        return self.done(army_list, catalogue, after, _("Copied {name}."), entry)


@dataclass(frozen=True)
class _StepAct(UnitAct, adds=True):
    """Move a unit past its neighbour; in lists with headings within its heading."""

    step: ClassVar[int]
    said: ClassVar[str]

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        unit_edits.find(army_list, self.unit)
        step = self.step
        if catalogue.system.sized:
            picks = make_roster(army_list, catalogue).picks
            step = neighbour(picks, self.unit, step, catalogue)
        after = unit_edits.move(army_list, self.unit, step)
        return self.done(army_list, catalogue, after, _(self.said))


class MoveUp(_StepAct, name="up", step=-1, said=marked("Moved {name} up.")):
    """Past the unit before."""


class MoveDown(_StepAct, name="down", step=1, said=marked("Moved {name} down.")):
    """Past the next unit."""


@dataclass(frozen=True)
class Move(UnitAct, name="move", adds=True):
    """To another place: `before` is the id of the unit that comes next there; "" is the end."""

    before: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        if self.before and catalogue.system.sized:
            entries = [unit_edits.find(army_list, entry) for entry in (self.unit, self.before)]
            units = (catalogue.units.get(entry.ref) for entry in entries)
            ours, theirs = (category_of(unit, catalogue) for unit in units)
            if ours != theirs:
                name = self.label(army_list, catalogue)
                raise Refusal(_("Moved {name} to {heading}.").format(name=name, heading=ours))
        after = unit_edits.move_before(army_list, self.unit, self.before)
        return self.done(army_list, catalogue, after, _("Moved {name}."))


@dataclass(frozen=True)
class Describe(UnitAct, name="describe", form_names={"called": "name"}):
    """Set the unit's custom name and notes."""

    called: str
    notes: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.rename_unit(army_list, self.unit, self.called)
        after = unit_edits.note_unit(after, self.unit, self.notes)
        return self.done(army_list, catalogue, after, _("Changed name and notes of {name}."))


@dataclass(frozen=True)
class SwitchRole(UnitAct, name="role"):
    role: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.switch_role(army_list, catalogue, self.unit, self.role)
        given = self.role in unit_edits.find(after, self.unit).roles
        role = inside(catalogue.system.roles[self.role].name)
        said = _("{name}: {role}.") if given else _("{name}: no longer {role}.")
        return self.done(army_list, catalogue, after, said, role=role)


@dataclass(frozen=True)
class SplitRole(UnitAct, name="role-one"):
    """Give a role to one of several models, which becomes an entry of its own."""

    role: str

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(form.get("unit", ""), form.get("role-one") or form.get("role", ""))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after, entry = unit_edits.split_role(army_list, catalogue, self.unit, self.role)
        role = inside(catalogue.system.roles[self.role].name)
        return self.done(army_list, catalogue, after, _("One {name}: {role}."), entry, role=role)


@dataclass(frozen=True)
class FillCard(UnitAct, name="card"):
    """Fill in an open value of a card, by its field ("points", "ratings.commander")."""

    values: Fields

    @classmethod
    def read(cls, form: Fields) -> Self:
        known = ("points", "attributes.", "ratings.")
        values = {key: value for key, value in form.items() if key.startswith(known)}
        return cls(form.get("unit", ""), frozen(values))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.fill_card(army_list, catalogue, self.unit, self.values)
        return self.done(army_list, catalogue, after, _("Filled in the card of {name}."))


@dataclass(frozen=True)
class WriteStatLines(ListAct, name="stat-lines", replaces="stat_lines"):
    """The player's own stat lines of units whose book has none, by the fields of their form."""

    fields: Fields

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(frozen({key: text for key, text in form.items() if key.startswith("stat:")}))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after, names = write_stat_lines(army_list, catalogue, self.fields)
        return ActResult(after, _("Saved the stats of {names}.").format(names=listed(names)))


class MoreModels(UnitAct, name="more", adds=True):
    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        _keep_size(self, army_list, catalogue, 1)
        after = unit_edits.step_models(army_list, self.unit, 1)
        return self.done(army_list, catalogue, after, _("One more {name}."))


class FewerModels(UnitAct, name="fewer", adds=True):
    """One model less; the last one takes the unit along."""

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        _keep_size(self, army_list, catalogue, -1)
        after = unit_edits.step_models(army_list, self.unit, -1)
        gone = len(after.units) < len(army_list.units)
        said = _("Removed {name}.") if gone else _("One fewer {name}.")
        return self.done(army_list, catalogue, after, said, "" if gone else self.unit)


@dataclass(frozen=True)
class StepModels(UnitAct, name="step", adds=True, form_names={"by": "step"}):
    """Several models more, or less (below 0), as far as the book allows."""

    by: int = whole(-MAX_MODELS, MAX_MODELS, marked("The number of models"))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        low, high = _keep_size(self, army_list, catalogue, self.by)
        models = max(unit_edits.find(army_list, self.unit).models + self.by, low)
        return _set(self, army_list, catalogue, models if high is None else min(models, high))


class MostModels(UnitAct, name="most", adds=True):
    """Raise the models to the book's maximum."""

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        __, high = _keep_size(self, army_list, catalogue, 1)
        models = unit_edits.find(army_list, self.unit).models
        return _set(self, army_list, catalogue, models if high is None else high)


@dataclass(frozen=True)
class SetModels(UnitAct, name="models"):
    """So many models; none takes the unit off the list."""

    models: int = whole(0, MAX_MODELS, marked("The number of models"))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        return _set(self, army_list, catalogue, self.models)


def _set(act: UnitAct, army_list: ArmyList, catalogue: Catalogue, models: int) -> ActResult:
    after = unit_edits.set_models(army_list, act.unit, models)
    said = _("{number} × {name}.") if models else _("Removed {name}.")
    entry = act.unit if models else ""
    return act.done(army_list, catalogue, after, said, entry, number=models)


def _keep_size(
    act: UnitAct, army_list: ArmyList, catalogue: Catalogue, step: int
) -> tuple[int, int | None]:
    """Return the least and most models of the act's unit. Raises Refusal: a step leaves them."""
    entry = unit_edits.find(army_list, act.unit)
    unit = catalogue.units.get(entry.ref)
    if unit is None or not catalogue.system.sized:
        return 0, None
    line = None
    # The unit's current options are read only if its sizes depend on them.
    if unit.size is not None and any(amount.changes for amount in unit.size):
        line = report_on(make_roster(army_list, catalogue), catalogue).line(act.unit)
    low, high = size_bounds(unit, line)
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


@dataclass(frozen=True)
class OptionAct(UnitAct):
    """An act on an option, named by its path."""

    option: str

    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
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
            sentence = _("{unit}: removed {option}.")
        elif gone:
            sentence = _("{unit}: {option} instead of {others}.")
        elif taken.on:
            sentence = _("{unit}: {option} on {piece}.")
        elif taken.number > 1:
            sentence = _("{unit}: {number} × {option}.")
        else:
            sentence = _("{unit}: added {option}.")
        sentence = sentence.format(
            unit=self.label(army_list, catalogue),
            option=option.name,
            number=taken.number if taken else 0,
            piece=spelled(taken.on) if taken else "",
            others=gone,
        )
        return ActResult(after, sentence, self.unit)


class SwitchOption(OptionAct, name="option"):
    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
        return option_edits.switch_option(army_list, catalogue, self.unit, self.option)


@dataclass(frozen=True)
class SetNumber(OptionAct, name="option-number"):
    """So many of an option."""

    number: int = whole(0, MAX_TIMES, marked("The number"))

    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
        return option_edits.set_number(army_list, catalogue, self.unit, self.option, self.number)


@dataclass(frozen=True)
class PutOn(OptionAct, name="put-on"):
    piece: str

    def edited(self, army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
        return option_edits.put_on(army_list, catalogue, self.unit, self.option, self.piece)


@dataclass(frozen=True)
class TakeOptions(UnitAct, name="take-options"):
    """Several options taken at once, named by their paths: each may need those before it."""

    options: tuple[str, ...]

    @classmethod
    def read(cls, form: Fields) -> Self:
        paths = tuple((form.get("options") or form.get(cls.name, "")).split())
        if not 0 < len(paths) <= MAX_OPTIONS:
            raise Refusal(
                _("This page sent a request that isn’t possible. Reload it and try again.")
            )
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


class SwitchOptions(TakeOptions, name="switch-options"):
    """Several options taken at once or, where the unit has all of them, left."""

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        held = {option.id for option in unit_edits.find(army_list, self.unit).options}
        if not held.issuperset(self.options):
            return super().perform(army_list, catalogue)
        after = army_list
        for path in self.options:
            after = option_edits.set_number(after, catalogue, self.unit, path, 0)
        gone = _gone(self.unit, army_list, after, catalogue)
        said = _("{unit}: removed {option}.")
        label = self.label(army_list, catalogue)
        return ActResult(after, said.format(unit=label, option=gone), self.unit)


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


@dataclass(frozen=True)
class NewOwnModel(ListAct, name="own-new", adds=True, form_names={"ref": "own-new"}):
    """A new own model; like a unit of the books, where `ref` names one."""

    ref: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        profile = new_profile(army_list, catalogue, self.ref)
        after, entry = unit_edits.add_own(army_list, catalogue, profile)
        return ActResult(after, _("Added {name}.").format(name=profile.name), entry)


@dataclass(frozen=True)
class OwnModel(UnitAct, name="own"):
    """An own model as a form says: `unit`, or a new one; `stats` and `targets` are texts by id.

    A button of the form may change one thing more ("own:quality=2", "own:add=fly",
    "own:drop=fly"), and `rule` is a special rule that was typed.
    """

    called: str
    stats: Mapping[str, str]
    abilities: tuple[str, ...]
    targets: Mapping[str, str]
    rule: str = ""

    @classmethod
    def read(cls, form: Fields) -> Self:
        def after(start: str) -> dict[str, str]:
            named = (key for key in form if key.startswith(start))
            return {key.removeprefix(start): form[key] for key in named}

        stats, abilities = after("stat-"), after("ability-")
        what, _equals, value = form.get("own", "").partition("=")
        if what == "add":
            abilities[value] = "on"
        elif what == "drop":
            abilities.pop(value, None)
        elif what:
            stats[what] = value
        unit, called, rule = (form.get(key, "") for key in ("unit", "name", "rule"))
        typed = "" if what else rule.strip()
        return cls(unit, called, stats, tuple(abilities), after("target-"), typed)

    def profile(self, catalogue: Catalogue) -> ListProfile:
        """Return the profile that the form describes. Raises Refusal where a field is wrong."""
        profile = unit_edits.own_profile(
            catalogue, self.called, self.stats, list(self.abilities), self.targets
        )
        if not self.rule:
            return profile
        typed = typed_rule(catalogue, self.rule, self.abilities)
        return replace(profile, abilities=(*profile.abilities, typed))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        profile = self.profile(catalogue)
        if self.unit:
            after = unit_edits.set_profile(army_list, self.unit, profile)
            return ActResult(after, _("Changed {name}.").format(name=profile.name), self.unit)
        after, entry = unit_edits.add_own(army_list, catalogue, profile)
        return ActResult(after, _("Added {name}.").format(name=profile.name), entry)
