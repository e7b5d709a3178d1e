"""The acts that fill a list: by a proposal that the page has shown, or at once by chance."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, ListAct
from armybuilder.acts.proposals import TakeProposal
from armybuilder.engine import Report, Severity
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, hash_of
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import Filled, Filling, filling
from armybuilder.solving.port import NoSolver
from armybuilder.solving.taste import Wishes

#: Seeds are below this; how many are tried for a proposal that was not there yet.
SEEDS, TRIES = 10**9, 3


class Proposal(NamedTuple):
    """A filled list, by which seed, and the hash that tells it from others."""

    filled: Filled
    seed: int
    hash: str


class Proposals(NamedTuple):
    """A proposal, if there is one; `impossible`: cards as they are surely make none."""

    found: Proposal | None
    impossible: bool = False


@dataclass(frozen=True, slots=True)
class TakeFilling(TakeProposal):
    """A proposal: a legal list, or one that is not before its cards are filled in."""

    name: ClassVar[str] = "take-fill"

    def suits(self, report: Report) -> bool:
        return all(found.rule.card_fields for found in report.of(Severity.ERROR))

    def said(self, before: Judged, after: Judged) -> str:
        return _said(after.report.spent, after.document.limit, unfinished=not after.report.legal)


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
        made, limit = filled.army_list, filled.army_list.limit
        return ActResult(made, _said(limit - filled.left, limit, unfinished=filled.unfinished))


def _said(points: int, limit: int, *, unfinished: bool) -> str:
    if unfinished:
        return _("Added cards to fill in.")
    return _("Filled the list: {points} of {limit} points.").format(points=points, limit=limit)


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
    """Return the proposal of a seed, or of one behind it where that was `seen`, by the hashes.

    Raises Refusal where no solver is installed.
    """
    for more in range(TRIES):
        found = filled_by(army_list, catalogue, seed + more, wishes)
        if found.filled is None:
            return Proposals(None, found.impossible)
        made = hash_of(found.filled.army_list)
        if made not in seen and found.filled.army_list != army_list:
            return Proposals(Proposal(found.filled, seed + more, made))
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
