"""Pane of a player's own model: statistics and rules, and the price of each."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from armybuilder.editing.own_models import matching
from armybuilder.engine.abilities import Ability
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.vocabulary import Stat
from armybuilder.loading.armylist import ListAbility, ListProfile, frozen
from armybuilder.loading.documents import own_unit

#: Rules that a search shows at once.
MOST_FOUND = 8


class StatStep(NamedTuple):
    """A value of a statistic, as shown, and the model's price with it."""

    value: int
    shown: str
    points: int


class StatView(NamedTuple):
    """A statistic of an own model with its neighbouring values; None beyond its bounds."""

    stat: Stat
    now: StatStep
    fewer: StatStep | None
    more: StatStep | None


class RuleView(NamedTuple):
    """A special rule, and by how many points it changes the model's price."""

    ability: Ability
    target: str
    points: int

    @property
    def signed(self) -> str:
        return f"{self.points:+}"


class OwnModelView:
    """Contents of the pane of an own model: each price is that of the whole model."""

    def __init__(self, profile: ListProfile, catalogue: Catalogue) -> None:
        self.profile = profile
        self._catalogue = catalogue
        self.points = self._price(profile)

    def _price(self, profile: ListProfile) -> int:
        unit = own_unit(profile, self._catalogue, "", [])
        return 0 if unit is None else unit.price.start or 0

    @property
    def stats(self) -> Iterator[StatView]:
        for stat in self._catalogue.system.stats.values():
            now = self.profile.stats[stat.id]
            high = 99 if stat.high is None else stat.high
            yield StatView(
                stat,
                self._step(stat, now),
                self._step(stat, min(now - 1, high)) if now > (stat.low or 0) else None,
                self._step(stat, max(now + 1, stat.low or 0)) if now < high else None,
            )

    def _step(self, stat: Stat, value: int) -> StatStep:
        stats = frozen({**self.profile.stats, stat.id: value})
        points = self._price(replace(self.profile, stats=stats))
        return StatStep(value, f"{value}{stat.suffix}", points)

    @property
    def rules(self) -> Iterator[RuleView]:
        uses = self.profile.abilities
        for use in uses:
            ability = self._catalogue.abilities.get(use.ability)
            if ability is not None:
                without = tuple(other for other in uses if other is not use)
                points = self.points - self._price(replace(self.profile, abilities=without))
                yield RuleView(ability, use.target, points)

    def offered(self, words: str) -> list[RuleView]:
        """Return the rules that the model lacks whose name or summary has the words."""
        held = {use.ability for use in self.profile.abilities}
        lacking = [one for one in self._catalogue.abilities.values() if one.id not in held]
        return [self._offer(ability) for ability in matching(lacking, words)]

    def _offer(self, ability: Ability) -> RuleView:
        uses = (*self.profile.abilities, ListAbility(ability.id))
        points = self._price(replace(self.profile, abilities=uses)) - self.points
        return RuleView(ability, "", points)
