"""Acts on a list of a community's files: forces, units, stacks of models, options, words.

They have the names of the acts on other lists where they do the same, so that buttons and script
need not know of which kind a list is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar, NamedTuple

from django.utils.translation import gettext as _

from armybuilder.acts.base import Act, Fields, act_kinds
from armybuilder.acts.proposals import unpack, unsuitable
from armybuilder.battlescribe.files.books import cost_types
from armybuilder.battlescribe.files.building import ListBuilder, most_of
from armybuilder.battlescribe.files.documents import pick_list
from armybuilder.editing.unit_edits import read_name, read_notes
from armybuilder.engine.kernel.conditions import Kind
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.loading.forcelist import (
    MAX_COST,
    MAX_NUMBER,
    ForceList,
    read_force_list,
)
from armybuilder.loading.problems import Refusal
from armybuilder.solving.picks.edits import edits_between


class ForceResult(NamedTuple):
    """Result of an act: a sentence, the pick to show (or ""), and the list's messages."""

    said: str
    entry: str
    document: ForceList


@dataclass(frozen=True)
class ForceAct(Act, of_forces=True):
    """An act on a list of a community's files; one that `adds` replaces nothing of others'.

    After one that is `as_given`, nothing is brought or removed automatically.
    """

    adds: ClassVar[bool] = False
    as_given: ClassVar[bool] = False

    def part(self, document: ForceList) -> object:
        """Return the part of the list that the act replaces."""
        return document

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        """Do the act. Raises Refusal where it cannot be done."""
        raise NotImplementedError(type(self))


def decode_force_act(fields: Fields) -> ForceAct:
    """Return the act that `act` names, of the other fields. Raises Refusal: there is none such."""
    kind = act_kinds(of_forces=True).get(fields.get("act", ""))
    if kind is None or not issubclass(kind, ForceAct):
        raise Refusal(_("This page sent a request that isn’t possible. Reload it and try again."))
    return kind.read(fields)


# The list


@dataclass(frozen=True)
class RenameForces(ForceAct, name="rename", form_names={"called": "name"}):
    called: str

    def part(self, document: ForceList) -> object:
        return document.name

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        name = read_name(self.called, required=True)
        said = _("Renamed the list to {name}.").format(name=name)
        return ForceResult(said, "", replace(document, name=name))


@dataclass(frozen=True)
class NoteForces(ForceAct, name="notes"):
    notes: str

    def part(self, document: ForceList) -> object:
        return document.notes

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        after = replace(document, notes=read_notes(self.notes))
        return ForceResult(_("Changed the notes."), "", after)


def read_limit(text: str) -> int:
    """Return a limit as a player types it; -1 for none. Raises Refusal."""
    text = text.strip()
    if not text:
        return -1
    if not (text.isascii() and text.isdigit() and int(text[:12]) <= MAX_COST):
        raise Refusal(_("Enter a whole number, or leave it empty for no limit."))
    return int(text)


@dataclass(frozen=True)
class LimitCost(ForceAct, name="cost-limit"):
    """Another limit of a cost; "": none."""

    cost: str
    limit: str

    def part(self, document: ForceList) -> object:
        return document.limits.get(self.cost, -1)

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        cost = cost_types(builder.game, builder.evaluation).get(self.cost)
        if cost is None:
            raise Refusal(_("This game doesn’t have that cost."))
        limit = read_limit(self.limit)
        builder.set_limit(self.cost, limit)
        number = _("none") if limit < 0 else str(limit)
        said = _("Limit of {cost}: {number}.").format(cost=cost.get("name").strip(), number=number)
        return ForceResult(said, "", document)


@dataclass(frozen=True)
class TakeProposedList(ForceAct, name="take-proposal", as_given=True):
    """A list that a page has proposed in place of the one there is, as `packed` packed it."""

    proposal: str

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        made = unpack(self.proposal, document, read_force_list)
        if made.game != document.game:
            raise unsuitable()
        before, (after, _strays) = builder.roster, pick_list(made, builder.game, builder.book)
        builder.replace_by(after)
        changes = " ".join(edit.words for edit in edits_between(before, after))
        return ForceResult(changes, "", document)


@dataclass(frozen=True)
class AddForce(ForceAct, name="add-force", adds=True):
    """Add a force: one of a catalogue's kinds, at the top or within another."""

    catalogue: str
    force: str
    within: str

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        id = builder.start_force(self.catalogue, self.force, self.within)
        return ForceResult(_added(builder, id), id, document)


@dataclass(frozen=True)
class AddEntry(ForceAct, name="add", adds=True):
    """A unit more: `ref` names the force and the entry."""

    ref: str

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        force, __, key = self.ref.partition(":")
        id = builder.add(force, key)
        return ForceResult(_added(builder, id), id, document)


def _added(builder: ListBuilder, id: str) -> str:
    return _("Added {name}.").format(name=called(builder, id))


def called(builder: ListBuilder, id: str) -> str:
    """Return a pick's name on the page."""
    pick = builder.pick(id)
    return pick.said.get("customName") or pick.definition.name.strip()


# A pick


@dataclass(frozen=True)
class _OnePick(ForceAct):
    """An act on a pick, named by its id."""

    unit: str

    def part(self, document: ForceList) -> object:
        forces = (one for one in document.all_forces() if one.id == self.unit)
        picks = (one for one in document.all_picks() if one.id == self.unit)
        return next(forces, None) or next(picks, None)


class RemovePick(_OnePick, name="remove"):
    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        builder.at(self.unit)
        said = _("Removed {name}.").format(name=called(builder, self.unit))
        builder.remove(self.unit)
        return ForceResult(said, "", document)


class CopyPick(_OnePick, name="duplicate"):
    """A pick once more, with all that is on it."""

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        builder.at(self.unit)
        id = builder.duplicate(self.unit)
        return ForceResult(_("Copied {name}.").format(name=called(builder, id)), id, document)


class _Move(_OnePick):
    step: ClassVar[int] = 0

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        builder.move(self.unit, self.step)
        said = _("Moved {name}.").format(name=called(builder, self.unit))
        return ForceResult(said, self.unit, document)


class MovePickUp(_Move, name="up", step=-1):
    """A unit, or a force, before the one before it."""


class MovePickDown(_Move, name="down", step=1):
    """A unit, or a force, behind the one behind it."""


@dataclass(frozen=True)
class PutPick(_OnePick, name="move"):
    """A unit before another of its category; "": behind all of them."""

    before: str

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        builder.put_before(self.unit, self.before)
        said = _("Moved {name}.").format(name=called(builder, self.unit))
        return ForceResult(said, self.unit, document)


@dataclass(frozen=True)
class DescribePick(_OnePick, name="describe", form_names={"called": "name"}):
    """Name a pick and write notes on it."""

    called: str
    notes: str

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        builder.describe(self.unit, read_name(self.called), read_notes(self.notes))
        said = _("Saved name and notes of {name}.").format(name=called(builder, self.unit))
        return ForceResult(said, self.unit, document)


class MorePicks(_OnePick, name="more"):
    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        id = builder.more(self.unit)
        return ForceResult(_("One more {name}.").format(name=called(builder, id)), "", document)


class FewerPicks(_OnePick, name="fewer"):
    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        builder.at(self.unit)
        said = _("One fewer {name}.").format(name=called(builder, self.unit))
        builder.fewer(self.unit)
        return ForceResult(said, "", document)


# Options


def _some(text: str) -> int:
    """Return how many of a stack are meant; 0: all."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else 0


@dataclass(frozen=True)
class _Option(_OnePick, form_names={"number": "of"}):
    """Base of acts on an option of a pick; in a stack on this many copies (0: all)."""

    number: int = field(default=0, metadata={"read": _some})

    def perform(self, builder: ListBuilder, document: ForceList) -> ForceResult:
        said = self.sentence(builder)
        builder.change_some(self.unit, self.number, lambda id: self.change(builder, id))
        return ForceResult(said, "", document)

    def sentence(self, builder: ListBuilder) -> str:
        raise NotImplementedError(type(self))

    def change(self, builder: ListBuilder, id: str) -> None:
        raise NotImplementedError(type(self))


@dataclass(frozen=True)
class TakeOption(_Option, name="take", form_names={"number": "of", "key": "take"}):
    """One more of an option; of a group of which there is one at most, in the place of that."""

    key: str = ""

    def sentence(self, builder: ListBuilder) -> str:
        name = builder.offered(builder.at(self.unit), self.key).name.strip()
        return _("Took {name}.").format(name=name)

    def change(self, builder: ListBuilder, id: str) -> None:
        node = builder.at(id)
        group = group_of_one(builder, id, builder.offered(node, self.key))
        if group is not None:
            builder.choose(id, group.key, self.key)
        else:
            builder.add(id, self.key)


def group_of_one(builder: ListBuilder, id: str, definition: Definition) -> Definition | None:
    """Return the group of an option of which a pick may have one at most; None: there is none."""
    node = builder.at(id)
    groups = (one for one in reversed(definition.groups) if one.kind is Kind.GROUP)
    return next((one for one in groups if most_of(one, builder.evaluation, node) == 1), None)


@dataclass(frozen=True)
class LeaveOption(_Option, name="leave", form_names={"number": "of", "key": "leave"}):
    key: str = ""

    def sentence(self, builder: ListBuilder) -> str:
        name = builder.offered(builder.at(self.unit), self.key).name.strip()
        return _("Removed {name}.").format(name=name)

    def change(self, builder: ListBuilder, id: str) -> None:
        builder.leave(id, self.key)


@dataclass(frozen=True)
class CountOption(_Option, name="count", form_names={"number": "of", "key": "count"}):
    """So many of an option: of the field that is named like it, or of the button."""

    key: str = ""
    many: int = 0

    @classmethod
    def read(cls, form: Fields) -> CountOption:
        key, __, number = form.get("count", "").rpartition("=")
        known = key or form.get("count", "")
        text = number if key else form.get(f"n-{known}", "")
        if not (text.isascii() and text.isdigit() and int(text[:6]) <= MAX_NUMBER):
            raise Refusal(_("Enter a whole number up to {most}.").format(most=MAX_NUMBER))
        return cls(form.get("unit", ""), _some(form.get("of", "")), known, int(text))

    def sentence(self, builder: ListBuilder) -> str:
        name = builder.offered(builder.at(self.unit), self.key).name.strip()
        return _("{name}: {number}.").format(name=name, number=self.many)

    def change(self, builder: ListBuilder, id: str) -> None:
        builder.take(id, self.key, self.many)


@dataclass(frozen=True)
class LeaveGroup(_Option, name="none", form_names={"number": "of", "key": "none"}):
    key: str = ""

    def sentence(self, builder: ListBuilder) -> str:
        return _("Removed the choice.")

    def change(self, builder: ListBuilder, id: str) -> None:
        builder.choose(id, self.key, "")
