"""The act that fills a list with something to begin with."""

import secrets
from dataclasses import dataclass, replace
from typing import ClassVar

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, ListAct
from armybuilder.advice.starter.starter import starter
from armybuilder.editing.stored_words import FILLED
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList, with_settings
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class Starter(ListAct):
    """A random list in place of what is there, of the list's own books and size."""

    name: ClassVar[str] = "starter"

    def part(self, army_list: ArmyList) -> object:
        return army_list.units

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        seed = secrets.randbelow(2**32)
        found = starter(catalogue, army_list.limit, seed, army_list.settings)
        if not found.units:
            raise Refusal(
                _("Nothing in these books goes together by itself. Add a book, or a unit.")
            )
        filled = replace(with_settings(army_list, found.settings), units=found.units)
        return ActResult(filled, _(FILLED))
