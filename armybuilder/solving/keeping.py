"""Constraints on parts that must stay on a list: all if units are only added, or pinned ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, Scope, possible_lists
from armybuilder.engine.roster import Roster
from armybuilder.engine.space.candidates import Candidate, Takable
from armybuilder.engine.space.constraints import TRUE, Expression, Literal
from armybuilder.loading.armylist import ArmyList, ListOption


@dataclass(frozen=True, slots=True)
class Pins:
    """Pins of parts that a repair must keep: entries by id, whole (with models, roles and
    options); roles by the entry's id and their own; options by the entry's id and the path to them.
    """

    units: frozenset[str] = frozenset()
    roles: frozenset[tuple[str, str]] = frozenset()
    options: frozenset[tuple[str, tuple[str, ...]]] = frozenset()

    @property
    def texts(self) -> set[str]:
        """The pins as `read_pins` reads them."""
        roles = {f"{entry}:{role}" for entry, role in self.roles}
        return {*self.units, *roles, *("/".join((entry, *path)) for entry, path in self.options)}


NO_PINS = Pins()


def strays(texts: Iterable[str], army_list: ArmyList) -> list[str]:
    """Return those of the texts that name nothing that is on a list."""
    there = _there(army_list)
    return [text for text in texts if text not in there]


def loses(pins: Pins, army_list: ArmyList, after: ArmyList) -> bool:
    """Return whether a list has something that is pinned, and not as a later one has it."""
    later = {unit.id: unit for unit in after.units}
    whole = (unit for unit in army_list.units if unit.id in pins.units)
    lost = any(later.get(unit.id) != unit for unit in whole)
    return lost or not pins.texts.isdisjoint(_there(army_list) - _there(after))


def _there(army_list: ArmyList) -> set[str]:
    there: set[str] = set()
    for unit in army_list.units:
        there |= {unit.id, *(f"{unit.id}:{role}" for role in unit.roles)}
        there.update(_paths(unit.options, unit.id))
    return there


def _paths(options: Iterable[ListOption], above: str) -> Iterator[str]:
    for option in options:
        path = f"{above}/{option.id}"
        yield path
        yield from _paths(option.options, path)


def read_pins(texts: Iterable[str]) -> Pins:
    """Return pins from texts, as in requests and commands: "u3" is an entry, "u3:general" a role
    of it, "u3/shield" an option of it, "u3/horse/barding" one on that. Unknown entries pin
    nothing."""
    units, roles, options = set(), set(), set()
    for text in texts:
        unit, *path = text.split("/")
        entry, colon, role = unit.partition(":")
        if path:
            options.add((unit, tuple(path)))
        elif colon:
            roles.add((entry, role))
        else:
            units.add(unit)
    return Pins(frozenset(units), frozenset(roles), frozenset(options))


def entries(possible: PossibleLists) -> dict[str, list[Candidate]]:
    """Return the candidates of each entry of the list, by its id: models with and without a role
    are separate candidates."""
    found: dict[str, list[Candidate]] = {}
    for candidate in possible.candidates:
        if candidate.pick is not None:
            found.setdefault(candidate.key, []).append(candidate)
    return found


def grown_lists(roster: Roster, catalogue: Catalogue, scope: Scope) -> PossibleLists:
    """Return the lists that a roster can become if units and options are only added: no unit
    loses a role or gets one that changes its price, and everything stays on its piece. Settings
    of the scope may change, see `scopes.adding`.
    """
    possible = possible_lists(roster, catalogue, scope)
    for candidates in entries(possible).values():
        keep_whole(possible, candidates)
    keep_pieces(possible)
    return possible


def keep_whole(possible: PossibleLists, candidates: list[Candidate], when: Literal = TRUE) -> None:
    """Require, if a literal holds, that an entry keeps its models, options and roles, and that
    everything stays on its piece. It may grow.
    """
    require = possible.constraints.require
    for candidate in filter(is_own, candidates):
        require(candidate.size, _models([candidate]), None, (when,))
        possible.constraints.require_any((~when, candidate.present))
        keep_roles(possible, candidate, when)
        for takable in candidate.takables:
            if takable.was > takable.given:
                require(takable.number, takable.was, None, (when,))
            if takable.was:
                _keep_target(possible, takable, when)


def keep_roles(possible: PossibleLists, candidate: Candidate, when: Literal = TRUE) -> None:
    """Require that an entry keeps its roles, if a literal holds."""
    for role in candidate.pick.roles if candidate.pick is not None else ():
        possible.constraints.require_any((~when, candidate.has_role(role)))


def _keep_target(possible: PossibleLists, takable: Takable, when: Literal = TRUE) -> None:
    if takable.was_on in takable.on:
        possible.constraints.require_any((~when, takable.on[takable.was_on]))


def keep_pinned(possible: PossibleLists, pins: Pins) -> None:
    """Require that everything pinned stays."""
    both = possible.constraints
    for key, candidates in entries(possible).items():
        if key in pins.units:
            keep_whole(possible, candidates)
        for candidate in filter(is_own, candidates):
            for role in candidate.pick.roles if candidate.pick is not None else ():
                if (key, role) in pins.roles:
                    both.require_any((candidate.present,))
                    both.require_any((candidate.has_role(role),))
            for takable in candidate.takables:
                if takable.was and (key, takable.path) in pins.options:
                    both.require(takable.number, takable.was, None)
                    _keep_target(possible, takable)


def growth(possible: PossibleLists) -> Iterator[tuple[str, Literal]]:
    """Return, by the ref of each unit that may be added, whether more of it is on the list."""
    had: dict[str, int] = {}
    number: dict[str, Expression] = {}
    for candidates in entries(possible).values():
        unit = candidates[0].unit
        if unit.size is None:
            had[unit.ref] = had.get(unit.ref, 0) + _models(candidates)
            for candidate in candidates:
                number.setdefault(unit.ref, Expression()).add(candidate.size)
    both = possible.constraints
    for candidate in possible.candidates:
        if candidate.pick is None:
            single = candidate.unit.size is None
            more = candidate.size if single else both.number(candidate.present)
            number.setdefault(candidate.unit.ref, Expression()).add(more)
    for ref, total in number.items():
        yield ref, both.at_least(total, had.get(ref, 0) + 1)


def is_own(candidate: Candidate) -> bool:
    """Return whether it is an entry in its own role, not in another."""
    return candidate.pick is not None and candidate.pick.models > 0


def _models(candidates: list[Candidate]) -> int:
    return max(one.pick.models for one in candidates if one.pick is not None)


def keep_pieces(possible: PossibleLists) -> None:
    """Require that every piece chosen in a setting stays."""
    for _, piece, variable, now in possible.free_numbers():
        if piece:
            possible.constraints.require(Expression.of(variable), now, None)
