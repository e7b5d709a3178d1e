"""Lists that a page proposes: what is taken is what was shown, as nothing is worked out again."""

import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, ListAct
from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, canonical, judge_by, read_document
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class TakeProposal(ListAct):
    """A list that a page has proposed in place of the one there is, as `packed` packed it."""

    proposal: str

    def part(self, army_list: ArmyList) -> object:
        return army_list

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        made = unpacked(self.proposal, army_list)
        before, after = judge_by(army_list, catalogue), judge_by(made, catalogue)
        if not self.suits(after.report):
            raise _unsuitable()
        return ActResult(made, self.said(before, after))

    def suits(self, report: Report) -> bool:
        """Return whether such a list is proposed at all."""
        return report.legal

    def said(self, before: Judged, after: Judged) -> str:
        """Return what was done as a sentence."""
        raise NotImplementedError(type(self))


def packed(made: ArmyList, army_list: ArmyList) -> str:
    """Return a list that is proposed, as a short text that is of use for this list alone: it says
    what is other than there.
    """
    packer = zlib.compressobj(9, zdict=canonical(army_list))
    return urlsafe_b64encode(packer.compress(canonical(made)) + packer.flush()).decode()


def unpacked(proposal: str, army_list: ArmyList) -> ArmyList:
    """Return the list that is proposed. Raises Refusal where the list is not what it was when that
    was shown, or nobody has shown it.
    """
    unpacker = zlib.decompressobj(zdict=canonical(army_list))
    try:
        made = read_document(unpacker.decompress(urlsafe_b64decode(proposal), MAX_BYTES))
    except (ValueError, zlib.error, Refusal) as other:
        raise _unsuitable() from other
    if (made.system, made.books) != (army_list.system, army_list.books):
        raise _unsuitable()
    return made


def _unsuitable() -> Refusal:
    return Refusal(_("This no longer suits the list. Show it once more."))
