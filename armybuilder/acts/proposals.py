"""Suggested lists: a page sends the one it showed, so that nothing is worked out again."""

import secrets
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeVar

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, ListAct
from armybuilder.comparing.difference import difference
from armybuilder.engine import Report, Severity
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.states import State
from armybuilder.engine.wording import marked
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import (
    Judged,
    canonical,
    hash_of,
    judge_by,
    make_roster,
    read_document,
)
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import Filled, Filling, filling
from armybuilder.solving.keeping import read_pins
from armybuilder.solving.owned import Models, only_owned
from armybuilder.solving.port import NoSolver
from armybuilder.solving.questions import Question, Reply, Sought, answer, questions
from armybuilder.solving.repair import Repairs, repairs
from armybuilder.solving.taste import Wishes

AnyList = TypeVar("AnyList", ArmyList, ForceList)


@dataclass(frozen=True)
class TakeProposal(ListAct):
    """A list that a page has proposed in place of the one there is, as `packed` packed it."""

    sentence: ClassVar[str] = ""
    proposal: str

    def part(self, army_list: ArmyList) -> object:
        return army_list

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        made = unpacked(self.proposal, army_list)
        before, after = judge_by(army_list, catalogue), judge_by(made, catalogue)
        if not self.suits(after.report):
            raise unsuitable()
        return ActResult(made, self.said(before, after))

    def suits(self, report: Report) -> bool:
        """Return whether such a list is proposed at all."""
        return report.legal

    def said(self, before: Judged, after: Judged) -> str:
        return _(self.sentence).format(changes="; ".join(difference(before, after).lines()))


def packed(made: AnyList, now: AnyList) -> str:
    """Return a suggested list as a short text: its difference from the current one."""
    packer = zlib.compressobj(9, zdict=canonical(now))
    return urlsafe_b64encode(packer.compress(canonical(made)) + packer.flush()).decode()


def unpacked(proposal: str, army_list: ArmyList) -> ArmyList:
    """Return the list that is proposed. Raises Refusal: the list has changed, or it is none."""
    made = unpack(proposal, army_list, read_document)
    if (made.system, made.books) != (army_list.system, army_list.books):
        raise unsuitable()
    return made


def unpack(proposal: str, now: AnyList, read: Callable[[bytes], AnyList]) -> AnyList:
    """Return the packed list, as `read` reads it. Raises Refusal if the current list changed."""
    unpacker = zlib.decompressobj(zdict=canonical(now))
    try:
        return read(unpacker.decompress(urlsafe_b64decode(proposal), MAX_BYTES))
    except (ValueError, zlib.error, Refusal) as other:
        raise unsuitable() from other


def unsuitable() -> Refusal:
    """Return why a proposal is not taken."""
    return Refusal(_("Your list has changed since. Refresh the suggestion."))


class TakeRepair(TakeProposal, name="take-repair", sentence=marked("Made legal: {changes}.")):
    """A way to make the list legal."""


class TakeFixes(TakeProposal, name="take-fixes", sentence=marked("Changed: {changes}.")):
    """Two fixes in one: nothing is broken after them, though something may be to do."""

    def suits(self, report: Report) -> bool:
        return all(one.state is State.MISSING for one in report.of(Severity.ERROR))


@contextmanager
def solver_needed() -> Iterator[None]:
    """Raise Refusal if no solver is installed."""
    try:
        yield
    except NoSolver as missing:
        raise Refusal(_("Suggestions are not available on this site.")) from missing


@solver_needed()
def ways(army_list: ArmyList, catalogue: Catalogue, kept: Iterable[str] = ()) -> Repairs:
    """Return the best repairs that keep the pins in `kept`. Raises Refusal: no solver."""
    return repairs(army_list, catalogue, CpSat(), pins=read_pins(kept))


class TakeAnswer(TakeProposal, name="take-answer", sentence=marked("Changed: {changes}.")):
    """The list that answers a question."""


def questions_by_id(catalogue: Catalogue) -> Mapping[str, Question]:
    """Return the questions that can be asked, by id."""
    return {question.id: question for question in questions(catalogue)}


def question_name(question: Question) -> str:
    if question.wish is not None:
        return _("Most points in {name}").format(name=_(question.wish.name))
    if question.sought is Sought.MODELS:
        return _("Most models")
    return _("Cheapest legal list")


@solver_needed()
def reply_to(question: Question, army_list: ArmyList, catalogue: Catalogue) -> Reply:
    """Return the answer to a question. Raises Refusal where no solver is installed."""
    return answer(question, army_list, catalogue, CpSat())


#: Seeds are below this; how many are tried for a proposal that was not there yet.
SEEDS, TRIES = 10**9, 3


class Proposal(NamedTuple):
    """A filled list with its seed, and the hash that identifies it."""

    filled: Filled
    seed: int
    hash: str


class Proposals(NamedTuple):
    """A suggested filling, if any; `impossible`: no card that is surely complete makes one."""

    found: Proposal | None
    impossible: bool = False


class TakeFilling(TakeProposal, name="take-fill"):
    """A proposal: a legal list, or one of which only something is still to do."""

    def suits(self, report: Report) -> bool:
        errors = report.of(Severity.ERROR)
        return all(one.rule.card_fields or one.state is State.MISSING for one in errors)

    def said(self, before: Judged, after: Judged) -> str:
        cards = any(one.rule.card_fields for one in after.report.of(Severity.ERROR))
        return _said(after.report.spent, after.document.limit, unfinished=cards)


def random_filling(army_list: ArmyList, catalogue: Catalogue, owned: Models) -> TakeFilling:
    """Return the act that fills a list at random from the player's models. Raises Refusal."""
    within = only_owned(catalogue, make_roster(army_list, catalogue), owned)
    filled = filled_by(army_list, within, secrets.randbelow(SEEDS), Wishes()).filled
    if filled is None:
        raise Refusal(_("We found no legal list of the models you own."))
    return TakeFilling(packed(filled.army_list, army_list))


class FillAtOnce(ListAct, name="fill"):
    """The list filled by chance."""

    def part(self, army_list: ArmyList) -> object:
        return army_list

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        filled = filled_by(army_list, catalogue, secrets.randbelow(SEEDS), Wishes()).filled
        if filled is None:
            raise Refusal(_("We found no legal list that keeps all of this."))
        made, limit = filled.army_list, filled.army_list.limit
        return ActResult(made, _said(limit - filled.left, limit, unfinished=filled.unfinished))


def _said(points: int, limit: int, *, unfinished: bool) -> str:
    if unfinished:
        return _("Added units; fill in their cards next.")
    return _("Spent {points} of {limit} points.").format(points=points, limit=limit)


def seed_of(text: str) -> int:
    """Return the seed in a form or address; another one by chance where there is none."""
    known = text.isascii() and text.isdigit() and len(text) <= len(str(SEEDS))
    return int(text) % SEEDS if known else secrets.randbelow(SEEDS)


@solver_needed()
def filled_by(
    army_list: ArmyList, catalogue: Catalogue, seed: int, wishes: Wishes, few: bool = False
) -> Filling:
    """Return the list filled by a seed, or a `few` of its units changed.

    Raises Refusal where no solver is installed.
    """
    return filling(army_list, catalogue, CpSat(), seed, wishes, few=few)


def propose(
    army_list: ArmyList, catalogue: Catalogue, seed: int, wishes: Wishes, seen: Collection[str]
) -> Proposals:
    """Return the proposal of a seed, or of one behind it where that was `seen`, by the hashes.

    A whole list where there is none yet, else a few units more.
    """
    for more in range(TRIES):
        found = filled_by(army_list, catalogue, seed + more, wishes, few=bool(army_list.units))
        if found.filled is None:
            return Proposals(None, found.impossible)
        made = hash_of(found.filled.army_list)
        if made not in seen and found.filled.army_list != army_list:
            return Proposals(Proposal(found.filled, seed + more, made))
    return Proposals(None)


def known_wishes(catalogue: Catalogue, owned: Models) -> Mapping[str, str]:
    """Return the names of the wishes that make sense with some books, by their ids.

    `owned`: the models that the player has. The wish for these alone is met by the catalogue, see
    `only_owned`.
    """
    units = catalogue.units.values()
    known = {
        "bodies": _("More models"),
        "few": _("Few, expensive units") if catalogue.system.sized else _("Few, expensive models"),
    }
    for wish in catalogue.system.wishes.values():
        if not wish.always and any(wish.offered(unit) for unit in units):
            known[wish.id] = _("More {name}").format(name=_(wish.name))
    known["no-copies"] = _("No duplicates")
    if owned:
        known["owned"] = _("Only models I own")
    return known


def read_wishes(ids: Iterable[str], catalogue: Catalogue) -> Wishes:
    """Return the wishes of these ids; those that are not known are left out."""
    asked = set(ids) & known_wishes(catalogue, {}).keys()
    return Wishes(
        bodies=("bodies" in asked) - ("few" in asked),
        no_copies="no-copies" in asked,
        more_of=frozenset(asked & catalogue.system.wishes.keys()),
    )
