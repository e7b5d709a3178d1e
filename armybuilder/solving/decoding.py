"""From values of the unknowns back to a list."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from armybuilder.engine import Report, validate
from armybuilder.engine.constraining import PossibleLists
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.space.candidates import Candidate, Level
from armybuilder.engine.space.constraints import is_true
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit, changed, with_settings
from armybuilder.loading.documents import make_roster
from armybuilder.solving.keeping import is_own

log = logging.getLogger(__name__)


def decode(possible: PossibleLists, values: Sequence[int], army_list: ArmyList) -> ArmyList:
    """Return the list of the values: entries that stay keep their ids, names, notes and cards;
    new ones come last."""
    return _Decoding(possible, values, army_list).all()


def judged(
    possible: PossibleLists, values: Sequence[int], army_list: ArmyList, what: str
) -> tuple[ArmyList, Report]:
    """Return the list of the values, and its report by `validate`, which decides.

    If the list isn't legal though the solver took it for legal, that is our error, logged under
    `what` it was to be.
    """
    made, catalogue = decode(possible, values, army_list), possible.catalogue
    report = validate(make_roster(made, catalogue), catalogue)
    if not report.legal:
        codes = [finding.code for finding in report.findings]
        log.error("%s is not legal: %s in %s", what, codes, made.to_dict())
    return made, report


def one_less(made: ArmyList, had: ArmyList, ref: str) -> ArmyList | None:
    """Return a list with a model of a unit less than was added, one without a role."""
    models = {unit.id: unit.models for unit in had.units}
    for entry in reversed(made.units):
        if entry.ref == ref and not entry.roles and entry.models > models.get(entry.id, 0):
            less = [changed(entry, models=entry.models - 1)] if entry.models > 1 else []
            others = (one for one in made.units if one is not entry)
            return changed(made, units=(*others, *less))
    return None


@dataclass
class _Decoding:
    possible: PossibleLists
    values: Sequence[int]
    army_list: ArmyList

    def __post_init__(self) -> None:
        self.entries = {unit.id: unit for unit in self.army_list.units}
        numbers = [int(one[1:]) for one in self.entries if one[1:].isdigit()]
        self.ids = (f"u{number}" for number in count(max(numbers, default=0) + 1))

    def all(self) -> ArmyList:
        kept: dict[str, ListUnit] = {}
        new: list[ListUnit] = []
        # An entry as it stands is told before others of its unit that may take its id.
        for candidate in sorted(self.possible.candidates, key=is_own, reverse=True):
            if not is_true(candidate.present, self.values):
                continue
            entry = self._entry(candidate, kept)
            (new.append(entry) if entry.id not in self.entries else kept.update({entry.id: entry}))
        units = [kept[unit.id] for unit in self.army_list.units if unit.id in kept]
        made = changed(self.army_list, units=(*units, *new))
        settings = self._settings()
        return made if settings == dict(made.settings) else with_settings(made, settings)

    def _entry(self, candidate: Candidate, kept: dict[str, ListUnit]) -> ListUnit:
        had = self.entries.get(candidate.key)
        models = candidate.size.at(self.values)
        roles = (
            *candidate.roles,
            *(role for role, one in candidate.free_roles.items() if is_true(one, self.values)),
        )
        options = self._options(candidate.root) if candidate.takables else ()
        if had is None:
            return ListUnit(
                next(self.ids), models, candidate.unit.ref, roles=roles, options=options
            )
        if had.id in kept:  # another part of its models, with another role
            return replace(had, id=next(self.ids), models=models, roles=roles, options=options)
        fields = {"models": models, "roles": roles, "options": options}
        if roles == had.roles or set(roles) == set(had.roles):
            fields["roles"] = had.roles
        if _same(options, had.options):
            fields["options"] = had.options
        differing = {key: one for key, one in fields.items() if getattr(had, key) != one}
        return changed(had, **differing) if differing else had

    def _options(self, level: Level) -> tuple[ListOption, ...]:
        found = []
        for takable in level.options.values():
            number = takable.number.at(self.values)
            if not number:
                continue
            inner = self._options(takable.level) if takable.level is not None else ()
            pieces = [piece for piece, one in takable.on.items() if is_true(one, self.values)]
            put_on = pieces[0] if pieces else ""
            if takable.given == number and not inner and not put_on:
                continue
            written = 1 if takable.given == number else number
            found.append(ListOption(takable.option.id, written, put_on, inner))
        return tuple(found)

    def _settings(self) -> dict[str, SettingValue]:
        free = self.possible.free
        settings = dict(self.army_list.settings)
        roster = self.possible.roster
        for setting, literals in free.values.items():
            chosen = [value for value, one in literals.items() if is_true(one, self.values)]
            if chosen and chosen[0] != roster.settings.get(setting):
                settings[setting] = chosen[0]
            elif not chosen and roster.settings.get(setting) is not None:
                settings.pop(setting, None)
        for setting, piece, variable, now in self.possible.free_numbers():
            if self.values[variable] == now:
                continue
            settings[setting] = self.values[variable]
            if piece:
                wanted = {one: self.values[other] for one, other in free.pieces[setting].items()}
                settings[setting] = _pieces(roster.chosen(setting), wanted)
        return settings


def _pieces(had: tuple[str, ...], wanted: dict[str, int]) -> tuple[str, ...]:
    """Return pieces in their order, new ones last."""
    left, found = dict(wanted), []
    for piece in had:
        if left.get(piece, 0):
            left[piece] -= 1
            found.append(piece)
    return (*found, *(piece for piece, number in left.items() for _ in range(number)))


def _same(some: tuple[ListOption, ...], others: tuple[ListOption, ...]) -> bool:
    """Return whether two are equal apart from order."""

    def key(options: tuple[ListOption, ...]) -> list[tuple[object, ...]]:
        return sorted((one.id, one.number, one.on, key(one.options)) for one in options)

    return key(some) == key(others)
