"""Acts on a player's own models: a new one, and another name, statistic or special rule."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Self

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, Fields, ListAct, UnitAct
from armybuilder.editing import unit_edits
from armybuilder.editing.own_models import new_profile, typed_rule
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList, ListProfile


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
