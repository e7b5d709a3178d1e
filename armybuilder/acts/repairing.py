"""The act that makes a list legal by a repair that a page has offered."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, ListAct
from armybuilder.comparing.difference import difference
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import canonical, judge_by, read_document
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.keeping import read_pins
from armybuilder.solving.port import NoSolver
from armybuilder.solving.repair import Repairs, repairs


@dataclass(frozen=True, slots=True)
class TakeRepair(ListAct):
    """A repair, as `packed` packed it: nothing is solved again, so that what is done is what was
    shown.
    """

    name: ClassVar[str] = "take-repair"
    way: str

    def part(self, army_list: ArmyList) -> object:
        return army_list

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        made = unpacked(self.way, army_list)
        before, after = judge_by(army_list, catalogue), judge_by(made, catalogue)
        if not after.report.legal:
            raise _unsuitable()
        lines = difference(before, after).lines()
        said = _("Made legal: {changes}.").format(changes="; ".join(lines))
        return ActResult(made, said)


def packed(made: ArmyList, army_list: ArmyList) -> str:
    """Return the list that a way makes, as a short text that is of use for this list alone: it says
    what is other than there.
    """
    packer = zlib.compressobj(9, zdict=canonical(army_list))
    return urlsafe_b64encode(packer.compress(canonical(made)) + packer.flush()).decode()


def unpacked(way: str, army_list: ArmyList) -> ArmyList:
    """Return the list that a way makes. Raises Refusal where the list is not what it was when the
    way was shown, or nobody has shown it.
    """
    unpacker = zlib.decompressobj(zdict=canonical(army_list))
    try:
        made = read_document(unpacker.decompress(urlsafe_b64decode(way), MAX_BYTES))
    except (ValueError, zlib.error, Refusal) as other:
        raise _unsuitable() from other
    if (made.system, made.books) != (army_list.system, army_list.books):
        raise _unsuitable()
    return made


def _unsuitable() -> Refusal:
    return Refusal(_("This way no longer suits the list. Show the ways once more."))


def ways(army_list: ArmyList, catalogue: Catalogue, kept: Iterable[str] = ()) -> Repairs:
    """Return the best ways to make a list legal that keep what `read_pins` reads.

    Raises Refusal where no solver is installed.
    """
    try:
        return repairs(army_list, catalogue, CpSat(), pins=read_pins(kept))
    except NoSolver as missing:
        said = _("Repairs of whole lists are not available on this site.")
        raise Refusal(said) from missing
