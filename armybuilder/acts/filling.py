"""The acts that fill a list: by a proposal that the page has shown, or at once by chance."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, Fields, ListAct
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import hash_of
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import Filled, Filling, filling
from armybuilder.solving.port import NoSolver
from armybuilder.solving.taste import Wishes

#: Seeds are below this; how many are tried for a proposal that was not there yet.
SEEDS, TRIES = 10**9, 3


class Proposal(NamedTuple):
    """A filled list, by which seed, and its seal."""

    filled: Filled
    seed: int
    seal: str


class Proposals(NamedTuple):
    """A proposal, if there is one; `impossible`: proved: there is none of cards as they are."""

    found: Proposal | None
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class TakeFilling(ListAct):
    """A proposal, known by the seal of the list that it makes; `wish` are the ids of the wishes
    that it heard, with commas between.
    """

    name: ClassVar[str] = "take-fill"
    seed: int
    wish: str
    seal: str

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(seed_of(form.get("seed", "")), form.get("wish", ""), form.get("seal", ""))

    def part(self, army_list: ArmyList) -> object:
        return army_list

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        wishes = read_wishes(self.wish.split(","), catalogue)
        filled = filled_by(army_list, catalogue, self.seed, wishes).filled
        if filled is None or hash_of(filled.army_list) != self.seal:
            raise Refusal(_("This proposal no longer suits the list. Show proposals once more."))
        return ActResult(filled.army_list, _said(filled))


@dataclass(frozen=True, slots=True)
class FillAtOnce(ListAct):
    """The list filled by chance."""

    name: ClassVar[str] = "fill"

    def part(self, army_list: ArmyList) -> object:
        return army_list

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        filled = filled_by(army_list, catalogue, secrets.randbelow(SEEDS), Wishes()).filled
        if filled is None:
            raise Refusal(_("No legal list was found that keeps all of this."))
        return ActResult(filled.army_list, _said(filled))


def _said(filled: Filled) -> str:
    if filled.unfinished:
        return _("Added cards to fill in.")
    return _("Filled the list: {points} of {limit} points.").format(
        points=filled.army_list.limit - filled.left, limit=filled.army_list.limit
    )


def seed_of(text: str) -> int:
    """Return the seed in a form or address; another one by chance where there is none."""
    known = text.isascii() and text.isdigit() and len(text) <= len(str(SEEDS))
    return int(text) % SEEDS if known else secrets.randbelow(SEEDS)


def filled_by(army_list: ArmyList, catalogue: Catalogue, seed: int, wishes: Wishes) -> Filling:
    """Return the list filled by a seed. Raises Refusal where no solver is installed."""
    try:
        return filling(army_list, catalogue, CpSat(), seed, wishes)
    except NoSolver as missing:
        raise Refusal(_("Filling lists is not available on this site.")) from missing


def propose(
    army_list: ArmyList, catalogue: Catalogue, seed: int, wishes: Wishes, seen: Collection[str]
) -> Proposals:
    """Return the proposal of a seed, or of one behind it where that was `seen`, by the seals.

    Raises Refusal where no solver is installed.
    """
    for more in range(TRIES):
        found = filled_by(army_list, catalogue, seed + more, wishes)
        if found.filled is None:
            return Proposals(None, found.impossible)
        seal = hash_of(found.filled.army_list)
        if seal not in seen and found.filled.army_list != army_list:
            return Proposals(Proposal(found.filled, seed + more, seal))
    return Proposals(None)


def known_wishes(catalogue: Catalogue) -> Mapping[str, str]:
    """Return the wishes that make sense with some books, by their ids, and what they are called."""
    units = catalogue.units.values()
    known = {
        "bodies": _("More models"),
        "few": _("Few, expensive units") if catalogue.system.sized else _("Few, expensive models"),
    }
    for wish in catalogue.system.wishes.values():
        if not wish.always and any(wish.offered(unit) for unit in units):
            known[wish.id] = _("More of: {name}").format(name=_(wish.name))
    known["no-copies"] = _("Nothing twice")
    if any(unit.owned is not None for unit in units):
        known["owned"] = _("Only models that I own")
    return known


def read_wishes(ids: Iterable[str], catalogue: Catalogue) -> Wishes:
    """Return the wishes of these ids; those that are not known are left out."""
    asked = set(ids) & known_wishes(catalogue).keys()
    return Wishes(
        bodies=("bodies" in asked) - ("few" in asked),
        no_copies="no-copies" in asked,
        owned="owned" in asked,
        more_of=frozenset(asked & catalogue.system.wishes.keys()),
    )
