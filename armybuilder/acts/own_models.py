"""The act that puts a model of the player's own on the list, or changes one there."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, Fields, UnitAct
from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList, ListProfile


@dataclass(frozen=True, slots=True)
class OwnModel(UnitAct):
    """A new own model, or a change of `unit`: `stats` and `targets` are texts by id."""

    name: ClassVar[str] = "own"
    called: str
    stats: Mapping[str, str]
    abilities: tuple[str, ...]
    targets: Mapping[str, str]

    @classmethod
    def read(cls, form: Fields) -> Self:
        return cls(
            form.get("unit", ""),
            form.get("name", ""),
            _after("stat-", form),
            tuple(_after("ability-", form)),
            _after("target-", form),
        )

    def profile(self, catalogue: Catalogue) -> ListProfile:
        """Return the profile that the form describes. Raises Refusal where a field is wrong."""
        return unit_edits.own_profile(
            catalogue, self.called, self.stats, list(self.abilities), self.targets
        )

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        profile = self.profile(catalogue)
        if self.unit:
            after = unit_edits.set_profile(army_list, self.unit, profile)
            return ActResult(after, _("Changed {name}.").format(name=profile.name), self.unit)
        after, entry = unit_edits.add_own(army_list, catalogue, profile)
        return ActResult(after, _("Added {name}.").format(name=profile.name), entry)


def _after(start: str, form: Fields) -> dict[str, str]:
    """Return the fields whose names begin so, by what follows."""
    return {key.removeprefix(start): value for key, value in form.items() if key.startswith(start)}
