"""Dead ends beside cards that aren't filled in: their effects are unknown, so that a dead end is
certain only if no further unit settles it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import Scope
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.constraints import FALSE
from armybuilder.engine.units import Unit
from armybuilder.solving.dead_ends import Ask, impossible_of
from armybuilder.solving.keeping import grown_lists, growth
from armybuilder.solving.port import Impossible, Problem, Relaxation
from armybuilder.solving.reach import is_beyond
from armybuilder.solving.scopes import is_unfinished


def unfinished(catalogue: Catalogue, roster: Roster) -> list[Unit]:
    """Return the units of the books whose cards are to be filled in before a list can be legal."""
    return [unit for unit in catalogue.units.values() if is_unfinished(unit, roster)]


def lasting_rules(catalogue: Catalogue) -> set[str]:
    """Return the pointers of the rules that stay broken with any additions."""
    # Of units with options, or that others change, that would not be all.
    if any(one.size or one.offer.slots or one.army_tags for one in catalogue.units.values()):
        return set()
    return {head.pointer for rule in catalogue.system.rules for head in rule.lasting}


class Beside:
    """A list beside which cards to fill in may be added."""

    def __init__(
        self, roster: Roster, catalogue: Catalogue, scope: Scope, cards: Iterable[Unit]
    ) -> None:
        # A card that lifts a rule may come, at no points where these are not known.
        added = {**scope.added, **{card.ref: 1 for card in cards if card.lifts}}
        # Not of legal lists alone: what rules forbid is spelt out, so that they can be left out.
        self.possible = grown_lists(roster, catalogue, replace(scope, added=added, legal=False))
        pointers = {head.pointer for head in self.possible.constraints.heads()}
        self.off = dict.fromkeys(sorted(pointers - lasting_rules(catalogue)), FALSE)

    def is_dead(self, ask: Ask) -> bool:
        """Return whether the list can't become legal with any values of these cards."""
        answer = ask(self._problem())
        return isinstance(answer, Impossible) and not is_beyond(self.possible)

    def dead(self, seeming: set[str], ask: Ask) -> set[str]:
        """Return the units that fit no legal list with any values of these cards."""
        more = dict(growth(self.possible))
        left = {ref: more[ref] for ref in sorted(seeming) if ref in more}
        certain = impossible_of(left, self._problem(), ask, rounds=len(left))
        return seeming - left.keys() | certain

    def _problem(self) -> Problem:
        both = self.possible.constraints
        return Problem(both, simplified=False, relaxation=Relaxation.WEAK, switches=self.off)
