"""BattleScribe's conditions and repeats in the words of the book format."""

import re
from dataclasses import replace
from typing import Any, Final

from bookimport.drafts import Unsayable
from bookimport.logic import Cond, all_of, any_of, negate
from bookimport.names import clean, is_id
from bookimport.source import (
    STRANGE,
    Conditions,
    Modifier,
    Repeat,
    SourceCondition,
    SourceEntry,
)
from bookimport.survey import Survey

#: (least, most) that a comparison with n asks for; None is no bound.
_BOUNDS: Final[dict[str, tuple[int | None, int | None]]] = {
    "equalTo": (0, 0),
    "atLeast": (0, None),
    "greaterThan": (1, None),
    "atMost": (None, 0),
    "lessThan": (None, -1),
}
#: Words for a scope; all others are ids.
_SCOPES: Final = {"parent", "roster", "force", "ancestor", "primary-category"}


class Translator:
    """Says conditions of one catalogue. `at` is always the entry at which they stand."""

    def __init__(self, survey: Survey, categories: dict[str, str], forces: dict[str, str]) -> None:
        self.survey = survey
        self.categories = categories
        self.forces = forces

    def cond(self, conditions: Conditions, at: SourceEntry) -> Cond:
        """Return the condition, True for none. Raises Unsayable."""
        parts = [
            self._one(part, at) if isinstance(part, SourceCondition) else self.cond(part, at)
            for part in conditions.parts
        ]
        self.survey.notes.read["conditions"] += sum(
            isinstance(part, SourceCondition) for part in conditions.parts
        )
        return any_of(parts) if conditions.op == "or" else all_of(parts)

    def counts(self, modifier: Modifier, at: SourceEntry) -> list[dict[str, Any]]:
        """Return what each repeat counts, as COUNT of the format. Raises Unsayable."""
        counted = [self._count(repeat, at) for repeat in modifier.repeats]
        return [count for count in counted if count]

    def is_per_model(self, repeat: Repeat, at: SourceEntry) -> bool:
        """Return whether it counts the models of the unit, one by one."""
        return self._counts_models(repeat.child) and repeat.scope != "roster" and repeat.value == 1

    def _one(self, condition: SourceCondition, at: SourceEntry) -> Cond:
        if condition.type == STRANGE:
            raise Unsayable(f"has {condition.child}")
        self._check_scope(condition, at)
        if condition.field == "limit":
            return {"limit": self._bounds(condition, at)}
        if condition.type == "notEqualTo":
            return negate(self._one(replace(condition, type="equalTo"), at))
        if condition.type in {"instanceOf", "notInstanceOf"}:
            cond = self._instance(condition, at)
            return negate(cond) if condition.type == "notInstanceOf" else cond
        if self._counts_models(condition.child):
            if condition.scope == "roster":
                raise Unsayable("asks for the models of the whole army")
            return {"models": self._bounds(condition, at)}
        return self._taken(condition, at)

    def _instance(self, condition: SourceCondition, at: SourceEntry) -> Cond:
        child, survey = condition.child, self.survey
        if condition.scope == "force" and child in self.forces:
            return {"organisation": self.forces[child]}
        if condition.scope == "force" and any(force.id == child for force in survey.book.forces):
            return all(force.hidden or force.id == child for force in survey.book.forces)
        if condition.scope in {"force", "primary-catalogue"} and child == survey.book.id:
            return True
        if condition.scope == "primary-category" and child in self.categories:
            return {"category": self.categories[child]}
        units = survey.entries(child)
        if condition.scope == "ancestor" and units:
            if here := [unit for unit in units if unit in survey.owners[at]]:
                return any_of({"unit": unit} for unit in here)
            name = clean(units[0].name)
            self._constant(at, f"asks for {name}, in which it cannot stand", condition)
            return False
        raise self._unsayable(condition)

    def _taken(self, condition: SourceCondition, at: SourceEntry) -> Cond:
        if several := self._several(condition, at):
            return _asked_of(several, True, *self._pair(condition, at))
        thing = self._thing(condition.child, condition, at)
        scope = condition.scope
        within = self._unit_scope(scope, at)
        if scope in {"force", "ancestor"}:
            raise self._unsayable(condition)
        if scope not in {"parent", "roster"} and within is None:
            raise Unsayable(f"asks what a category takes ({clean(self.survey.name(scope))})")
        least, most = self._pair(condition, at)
        if thing is not None and not self._is_reachable(thing, scope, at):
            thing = self._namesake(thing, at) or thing
        if thing is None or within is False or not self._is_reachable(thing, scope, at):
            wanted = self.survey.name(condition.child)
            self._constant(at, f"asks for {wanted}, which can never be taken there", condition)
            return (least or 0) <= 0
        found = self._asked(thing, scope == "roster", least, most)
        return found if within is True or within is None else all_of([within, found])

    def _asked(self, thing: SourceEntry, army: bool, least: int | None, most: int | None) -> Cond:
        if self.survey.is_mark_of_general(thing):
            leaders = sorted(self.survey.owners[thing], key=self.survey.order.index)
            leads: Cond = {"taken": leaders, "in": "army", "as": "general"}
            return negate(leads) if most == 0 else leads
        if self.survey.is_general(thing):
            if army:
                raise Unsayable("asks for the General of the army")
            role: Cond = {"role": "general"}
            return negate(role) if most == 0 else role
        return _asked_of([thing], army, least, most)

    def _several(self, asking: SourceCondition | Repeat, at: SourceEntry) -> list[SourceEntry]:
        """Return the units that are counted together: those of a category, or what several root
        links lead to. Raises Unsayable where the army is not asked for them.
        """
        child, survey = asking.child, self.survey
        if child in survey.book.categories or child in survey.system.categories:
            found = self._units_of(child)
        elif len(found := survey.entries(child)) < 2:
            return []
        if asking.scope != "roster" or not found:
            raise self._unsayable(asking)
        return found

    def _units_of(self, category: str) -> list[SourceEntry]:
        """Return the units of a category. Raises Unsayable where other things are in it, too."""
        roots = self.survey.book.roots
        inside = [
            one for one in self.survey.order if category in {id_ for id_, _ in one.categories}
        ]
        moved = any(
            one.field == "category" and one.value == category
            for entry in self.survey.order
            for one in entry.modifiers
        )
        if moved or any(one not in roots for one in inside):
            raise Unsayable(f"counts what is in {clean(self.survey.name(category))}")
        return inside

    def _namesake(self, thing: SourceEntry, at: SourceEntry) -> SourceEntry | None:
        """Return the unit's one option of the same name but for brackets, which say whose it is."""
        name = _without_brackets(thing.name)
        if name == clean(thing.name):
            return None
        owners = self.survey.owners[at]
        found = [
            one
            for one in self.survey.order
            if one.kind == "upgrade"
            and self.survey.owners[one] & owners
            and _without_brackets(one.name) == name
        ]
        if len(found) != 1:
            return None
        self.survey.doubt(at, f"asks for {thing.name}; {found[0].name} is meant")
        return found[0]

    def _is_reachable(self, thing: SourceEntry, scope: str, at: SourceEntry) -> bool:
        owners = self.survey.owners
        if scope == "roster":
            return bool(owners[thing])
        return bool(owners[thing] & owners[at]) and thing not in owners[at]

    def _unit_scope(self, scope: str, at: SourceEntry) -> Cond | None:
        """True: this unit; a condition: only in that unit; False: never; None: no unit."""
        if scope in {"parent", "roster"}:
            return True
        copies = self.survey.entries(scope)
        if not copies:
            return None
        found, owners = copies[0], self.survey.owners[at]
        if len(copies) > 1:
            here = [one for one in copies if one in owners]
            return owners <= set(copies) or any_of({"unit": one} for one in here)
        if found.kind != "unit" and found not in self.survey.book.roots:
            return True
        return owners == {found} or ({"unit": found} if found in owners else False)

    def _thing(
        self, child: str, asking: SourceCondition | Repeat, at: SourceEntry
    ) -> SourceEntry | None:
        if not is_id(child):
            raise self._unsayable(asking)
        found = self.survey.entry(child)
        if found is None:
            self._constant(at, f"asks for {child}, which is nowhere", asking)
        return found

    def _counts_models(self, child: str) -> bool:
        models = self.survey.models.values()
        return child == "model" or any(model.id == child for model in models)

    def _check_scope(self, asking: SourceCondition | Repeat, at: SourceEntry) -> None:
        if asking.scope not in _SCOPES and not is_id(asking.scope):
            raise self._unsayable(asking)

    def _count(self, repeat: Repeat, at: SourceEntry) -> dict[str, Any]:
        self._check_scope(repeat, at)
        per = {"per": repeat.value} if repeat.value != 1 else {}
        rounding = {"round": "up"} if repeat.round_up else {}
        if repeat.field == "limit":
            return {"limit": repeat.value, **rounding}
        if self._counts_models(repeat.child) and repeat.scope != "roster":
            return {"models": repeat.value, **rounding}
        if several := self._several(repeat, at):
            return {"taken": several, "in": "army", **per, **rounding}
        thing = self._thing(repeat.child, repeat, at)
        army = self._is_army(repeat, thing, at)
        scope = "roster" if army else repeat.scope
        if thing is None or not self._is_reachable(thing, scope, at):
            wanted = self.survey.name(repeat.child)
            self._constant(at, f"counts {wanted}, which is never there", repeat)
            return {}
        return {"taken": [thing], **({"in": "army"} if army else {}), **per, **rounding}

    def _is_army(self, repeat: Repeat, thing: SourceEntry | None, at: SourceEntry) -> bool:
        """Whether it counts in the army; a category counts as the army if all of it is there."""
        if repeat.scope == "roster":
            return True
        if repeat.scope == "primary-category":
            wanted = {self._primary(unit) for unit in self.survey.owners[at]}
        elif repeat.scope in self.categories:
            wanted = {repeat.scope}
        else:
            return False
        have = {self._primary(unit) for unit in self.survey.owners[thing]} if thing else wanted
        if have != wanted or len(wanted) != 1:
            raise Unsayable("counts in one category only")
        return True

    def _primary(self, unit: SourceEntry) -> str:
        return next((id_ for id_, primary in unit.categories if primary), "")

    def _bounds(self, condition: SourceCondition, at: SourceEntry) -> dict[str, int]:
        least, most = self._pair(condition, at)
        bounds = {"at_least": least, "at_most": most}
        return {key: value for key, value in bounds.items() if value is not None}

    def _pair(self, condition: SourceCondition, at: SourceEntry) -> tuple[int | None, int | None]:
        if condition.type not in _BOUNDS or condition.field == "points":
            raise self._unsayable(condition)
        least, most = _BOUNDS[condition.type]
        number = condition.value
        return (
            None if least is None else least + number,
            None if most is None else most + number,
        )

    def _constant(self, at: SourceEntry, what: str, asking: SourceCondition | Repeat) -> None:
        self.survey.doubt(at, what)
        self.survey.notes.ledger.constant("asks for what is never there", asking)

    def _unsayable(self, asking: SourceCondition | Repeat) -> Unsayable:
        kind = f"{getattr(asking, 'type', 'repeat')} of {asking.field}"
        child, scope = self.survey.name(asking.child)[:60], self.survey.name(asking.scope)[:60]
        return Unsayable(f"asks “{kind}” of {child} in {scope}, which is not understood")


def _asked_of(
    things: list[SourceEntry], army: bool, least: int | None, most: int | None
) -> dict[str, Any]:
    """Return that so many of these are taken, all of them together."""
    asked: dict[str, Any] = {"taken": things, **({"in": "army"} if army else {})}
    if most is not None and most <= 0:
        return {"not": asked}
    if least == 1 and most in {None, 1}:
        return asked
    bounds = {"at_least": least if least and least > 0 else None, "at_most": most}
    return {**asked, **{key: value for key, value in bounds.items() if value is not None}}


def _without_brackets(name: str) -> str:
    return clean(re.sub(r"\([^()]*\)", "", name))
