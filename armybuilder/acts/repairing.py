"""The act that makes a list legal by a repair that a page has offered."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from django.utils.translation import gettext as _

from armybuilder.acts.proposals import TakeProposal
from armybuilder.comparing.difference import difference
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged
from armybuilder.loading.problems import Refusal
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.keeping import read_pins
from armybuilder.solving.port import NoSolver
from armybuilder.solving.repair import Repairs, repairs


@dataclass(frozen=True, slots=True)
class TakeRepair(TakeProposal):
    """A way to make the list legal."""

    name: ClassVar[str] = "take-repair"

    def said(self, before: Judged, after: Judged) -> str:
        lines = difference(before, after).lines()
        return _("Made legal: {changes}.").format(changes="; ".join(lines))


def ways(army_list: ArmyList, catalogue: Catalogue, kept: Iterable[str] = ()) -> Repairs:
    """Return the best ways to make a list legal that keep what `read_pins` reads.

    Raises Refusal where no solver is installed.
    """
    try:
        return repairs(army_list, catalogue, CpSat(), pins=read_pins(kept))
    except NoSolver as missing:
        said = _("Repairs of whole lists are not available on this site.")
        raise Refusal(said) from missing
