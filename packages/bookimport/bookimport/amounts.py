"""Limits and prices of one entry, and the changes of them, in the words of the book format."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from armybuilder.loading.problems import Refusal
from bookimport.conditions import Translator
from bookimport.drafts import (
    NOTHING,
    ONE_OF_A_KIND,
    OTHER_SCALING,
    SCALING,
    Unsayable,
)
from bookimport.ledger import parts_of
from bookimport.logic import (
    Cond,
    all_of,
    any_of,
    conjuncts,
    is_of_army,
    negate,
    taken_here,
)
from bookimport.names import clean, has_part
from bookimport.source import Constraint, Modifier, SourceEntry

Role = Literal["unit", "model", "option", "group"]
#: A special item; something that follows their rules, as runes do; or neither.
Item = Literal["item", "like", ""]
Change = dict[str, Any]

#: The key of the format for (field, scope, type) of a limit, for each role.
_KEYS: Final[dict[tuple[str, str, str], str]] = {
    ("selections", "parent", "min"): "min",
    ("selections", "parent", "max"): "max",
    ("selections", "roster", "min"): "army_min",
    ("selections", "roster", "max"): "cap",
    ("points", "parent", "max"): "allowance",
    ("points", "roster", "max"): "cap_points",
}
#: Where a unit or its models differ: a limit on a unit's number is one of the army.
_OTHERWISE: Final[dict[tuple[Role, str], str]] = {
    ("unit", "max"): "cap",
    ("unit", "min"): "army_min",
    ("model", "cap"): "cap_models",
}


#: What depends on a condition that cannot be said, in words that follow the name.
UNKNOWN_OFFER: Final = "whether it may be taken"
#: A cap that caps nothing, where a change lifts one.
NO_CAP: Final = 999
#: What the army has, so that no condition on a unit can change it.
_OF_THE_ARMY: Final = {"cap", "cap_models", "cap_points", "army_min"}
_CHANGED: Final = {
    "points": "its price",
    "points_per_model": "its price per model",
    "min": "how many must be taken",
    "max": "how many may be taken",
    "cap": "how many an army may have",
    "cap_models": "how many models an army may have",
    "cap_points": "for how many points an army may have it",
    "army_min": "how many an army must have",
    "allowance": "for how many points it may be taken",
}


@dataclass
class Amounts:
    """What limits and their changes come to: values by key, whether it is there, changes."""

    values: dict[str, int | None] = field(default_factory=dict)
    available: Cond = True
    changes: list[Change] = field(default_factory=list)
    one_of_a_kind: bool = False

    def tighten(self, key: str, value: int) -> None:
        """Let the value hold beside what is there: the higher least, the lower most."""
        if value < 0:
            return
        before = self.values.get(key)
        narrower = max if key in {"min", "army_min"} else min
        self.values[key] = value if before is None else narrower(before, value)

    def said(self, *keys: str) -> dict[str, int]:
        """Return the values of these keys that a book writes: not a 0 that never moves."""
        found = {key: value for key in keys if (value := self.values.get(key)) is not None}
        return {key: value for key, value in found.items() if value or self.moves(key)}

    def moves(self, key: str) -> bool:
        """Return whether a change moves the value under this key."""
        moved = [change.get("set") or change.get("add") or {} for change in self.changes]
        return any(key in fields for fields in moved)


class Reckoner:
    """Reads limits, prices and their changes of single entries."""

    def __init__(self, translator: Translator) -> None:
        self.translator = translator
        self.survey = translator.survey
        self.notes = translator.survey.notes
        self._known: dict[tuple[SourceEntry, Role, Item], Amounts] = {}

    def limits(self, entry: SourceEntry, role: Role, item: Item = "") -> Amounts:
        """Return the limits of an entry, or those that a link adds. A special item without another
        cap is One of a Kind; so is one that is like it and capped at one.
        """
        key = (entry, role, item)
        if key not in self._known:
            self._known[key] = self._limits(entry, role, item)
        return self._known[key]

    def _limits(self, entry: SourceEntry, role: Role, item: Item) -> Amounts:
        amounts = Amounts()
        self.notes.read["limits"] += len(entry.constraints)
        self.notes.read["changes"] += len(entry.modifiers)
        for constraint in entry.constraints:
            key = self._key(constraint, role)
            if key is None:
                self._strange(entry, constraint)
                continue
            amounts.tighten(key, constraint.value)
            self._account(constraint)
        amounts.available = self.visibility(entry)
        for id_, modifiers in self._by_constraint(entry).items():
            limit = self.survey.constraint(id_)
            if limit is None:
                self._nowhere(entry, modifiers, id_)
                continue
            key = self._key(limit, role)
            if key is None:
                self._strange(entry, limit, modifiers)
                continue
            _Moves(self, entry, amounts, limit, key).apply(modifiers, item)
        unsaid = 1 if item == "item" else None
        if item and amounts.values.get("cap", unsaid) == 1 and not amounts.moves("cap"):
            amounts.values.pop("cap", None)
            amounts.one_of_a_kind = True
        return amounts

    def visibility(self, entry: SourceEntry) -> Cond:
        """When the entry is there at all; True where nothing hides it."""
        if entry in self.survey.book.linked:
            return all_of(map(self.visibility, self.survey.book.linked[entry]))
        seen: Cond = not entry.hidden
        for modifier in entry.modifiers:
            if modifier.field == "hidden":
                cond = self.said(modifier, entry, UNKNOWN_OFFER)
                if cond is None:
                    continue
                hides = modifier.value == "true"
                seen = all_of([seen, negate(cond)]) if hides else any_of([seen, cond])
        return seen

    def is_never(self, cond: Cond) -> bool:
        """Return whether a condition asks for two options of which only one may be taken."""
        asked = [taken_here(part) for part in conjuncts(cond)]
        single = [things[0] for things in asked if things is not None and len(things) == 1]
        return any(
            self._exclude(one, other)
            for number, one in enumerate(single)
            for other in single[number + 1 :]
        )

    def _exclude(self, one: SourceEntry, other: SourceEntry) -> bool:
        """Return whether two options stand in a group of which at most one may be taken."""
        shared = set(self.survey.holders(one)) & set(self.survey.holders(other))
        return any(
            part.type == "max" and part.scope == "parent" and part.value == 1
            for holder in shared
            if holder.is_group
            for part in holder.constraints
        )

    def price(self, entry: SourceEntry, base: int) -> tuple[int, int, list[Change]]:
        """Return (points, points per model, changes) of an entry or link that costs `base`."""
        per_model, changes = 0, []
        for modifier in entry.modifiers:
            if modifier.field != "points":
                continue
            number = self.number(modifier, entry)
            is_set = modifier.type == "set"
            self.notes.ledger.judged(*parts_of(modifier))
            if number == 0 and not is_set:
                self.notes.dropped[NOTHING] += 1
            elif modifier.is_plain:
                base = number if is_set else base + number
            elif self._is_per_model(modifier, entry) and not modifier.when.parts:
                per_model += number
            elif self._is_per_model(modifier, entry):
                changes += self.change(modifier, entry, "points_per_model", number, whole=True)
            else:
                changes += self.change(modifier, entry, "points", number)
        return base, per_model, changes

    def _is_of_root(self, cond: Cond, at: SourceEntry) -> bool:
        """Return whether what a condition asks for is of one unit alone, at which it stands: where
        one of them has it, that holds for all in the army.
        """
        things = taken_here(cond) or ()
        return all(self.survey.owners[thing] == {at} for thing in things)

    def change(
        self, modifier: Modifier, at: SourceEntry, key: str, number: int, whole: bool = False
    ) -> list[Change]:
        """Return the changes a modifier makes; `whole`: its repeats are already in `key`."""
        try:
            cond = self.translator.cond(modifier.when, at)
            counts = [] if whole else self.translator.counts(modifier, at)
        except Unsayable as error:
            self.notes.open_change(at, f"{_CHANGED[key]}: the file {error}", modifier)
            return []
        if key in _OF_THE_ARMY and taken_here(cond) and self._is_of_root(cond, at):
            cond = {**cond, "in": "army"} if isinstance(cond, dict) else cond
        unit_asked = key in _OF_THE_ARMY and not all(map(is_of_army, (cond, *counts)))
        if unit_asked and not self.survey.is_general(self.survey.resolved(at) or at):
            self.notes.open_change(at, f"{_CHANGED[key]}: it asks about a unit", modifier)
            return []
        self.notes.ledger.judged(*parts_of(modifier))
        if cond is False or (modifier.repeats and not counts and not whole):
            return []
        base: Change = {} if cond is True else {"if": cond}
        moved = {"set" if modifier.type == "set" else "add": {key: number}}
        return [{**base, "for_each": count, **moved} for count in counts] or [{**base, **moved}]

    def said(self, modifier: Modifier, at: SourceEntry, what: str) -> Cond | None:
        """Return the modifier's condition; None, with a note, where it cannot be said."""
        try:
            cond = self.translator.cond(modifier.when, at)
        except Unsayable as error:
            self.notes.open_change(at, f"{what}: the file {error}", modifier)
            return None
        self.notes.ledger.judged(*parts_of(modifier))
        return cond

    def _account(self, constraint: Constraint) -> None:
        """Note that a limit is judged, or that it is none."""
        if constraint.value < 0 or (constraint.type == "min" and constraint.value == 0):
            self.notes.ledger.idle("a limit that limits nothing", constraint)
        else:
            self.notes.ledger.judged(constraint)

    def number(self, modifier: Modifier, at: SourceEntry) -> int:
        """Return the modifier's number, negative if it lowers. Raises Refusal if it is none."""
        try:
            number = float(modifier.value)
        except ValueError:
            number = 0.5
        if not number.is_integer() or modifier.type not in {"set", "increment", "decrement"}:
            raise Refusal(
                f"{self.survey.book.file}: {self.survey.place(at)}: the change “{modifier.type}"
                f" {modifier.value[:40]}” of a number is not understood."
            )
        return -int(number) if modifier.type == "decrement" else int(number)

    def _is_per_model(self, modifier: Modifier, at: SourceEntry) -> bool:
        repeats = modifier.repeats
        return len(repeats) == 1 and self.translator.is_per_model(repeats[0], at)

    def _key(self, constraint: Constraint, role: Role) -> str | None:
        """Return the key of the format for a limit; None where it has none."""
        found = _KEYS.get((constraint.field, constraint.scope, constraint.type))
        # An army is not asked how much of a group it has.
        if role == "group" and found in _OF_THE_ARMY:
            return None
        return None if found is None else _OTHERWISE.get((role, found), found)

    def _strange(
        self, entry: SourceEntry, limit: Constraint, modifiers: Iterable[Modifier] = ()
    ) -> None:
        """Note that a limit, and what changes it, cannot be judged."""
        said = limit.strange or f"“{limit.type} {limit.field} in {limit.scope}”"
        what = f"{_CHANGED[limit.type]}: the file has {said}"
        self.notes.unchecked(entry, what, "condition")
        changes = (part for modifier in modifiers for part in parts_of(modifier))
        self.notes.ledger.unchecked(what, limit, *changes)

    def _by_constraint(self, entry: SourceEntry) -> dict[str, list[Modifier]]:
        found: dict[str, list[Modifier]] = {}
        for modifier in entry.modifiers:
            if modifier.field not in {"points", "hidden", "name", "category"}:
                found.setdefault(modifier.field, []).append(modifier)
        return found

    def _nowhere(self, entry: SourceEntry, modifiers: list[Modifier], id_: str) -> None:
        if id_ == "error":
            for modifier in modifiers:
                self.notes.open_change(entry, "what the file calls an error there", modifier)
            return
        self.survey.doubt(entry, f"changes {id_}, which is nowhere")
        for modifier in modifiers:
            self.notes.ledger.idle("a change of what is nowhere", *parts_of(modifier))


class _Moves:
    """The changes of one limit."""

    def __init__(
        self, reckoner: Reckoner, at: SourceEntry, amounts: Amounts, limit: Constraint, key: str
    ) -> None:
        self.reckoner = reckoner
        self.at = at
        self.amounts = amounts
        self.key = key
        self.base = limit.value

    def apply(self, modifiers: list[Modifier], item: Item) -> None:
        """Put the changes into the amounts, each in the plainest way that says it."""
        rest = [one for one in modifiers if not self._is_plain(one)]
        rest = [one for one in rest if not self._is_scaling(one, item)]
        if self.base == 0 and self.key in {"max", "cap"} and self._is_opened(rest):
            return
        for modifier in rest:
            number = self.reckoner.number(modifier, self.at)
            if self.key == "min" and self._is_brought(modifier):
                continue
            if self._closes(modifier, number, rest):
                cond = self.reckoner.said(modifier, self.at, UNKNOWN_OFFER)
                if cond is not None:
                    self.amounts.available = all_of([self.amounts.available, negate(cond)])
            elif number == 0 and modifier.type != "set":
                self.reckoner.notes.dropped[NOTHING] += 1
                self.reckoner.notes.ledger.idle("a change by nothing", *parts_of(modifier))
            else:
                if modifier.type == "set" and number < 0 and self.key.startswith("cap"):
                    number = NO_CAP
                found = self.reckoner.change(modifier, self.at, self.key, number)
                self.amounts.changes += found

    def _is_plain(self, modifier: Modifier) -> bool:
        """Return whether it simply gives another value; then that value is taken."""
        if not modifier.is_plain:
            return False
        number = self.reckoner.number(modifier, self.at)
        self.reckoner.notes.ledger.judged(modifier)
        self.base = number if modifier.type == "set" else self.base + number
        self.amounts.values[self.key] = self.base if self.base >= 0 else None
        return True

    def _closes(self, modifier: Modifier, number: int, rest: list[Modifier]) -> bool:
        """Return whether it means: not to be had under that condition."""
        if self.key not in {"max", "cap"} or modifier.repeats:
            return False
        to_nothing = number == 0 if modifier.type == "set" else self.base + number == 0
        return to_nothing and (modifier.type == "set" or len(rest) == 1)

    def _is_brought(self, modifier: Modifier) -> bool:
        """Return whether it asks for this, which costs something, with an option that has it by its
        own name, as "Spear and Shield" has the Shield; then nothing more is asked for.
        """
        points, per_model, changes = self.reckoner.price(self.at, self.at.cost or 0)
        is_given = any(one.get("set", {}).get("points") == 0 for one in changes)
        if is_given or not (points or per_model or changes):
            return False
        try:
            cond = self.reckoner.translator.cond(modifier.when, self.at)
        except Unsayable:
            return False
        own, things = clean(self.at.name), taken_here(cond) or ()
        if not things or not all(has_part(thing.name, own) for thing in things):
            return False
        names = " / ".join(dict.fromkeys(clean(thing.name) for thing in things))
        what = f"The file asks for {own} with {names}, which has it; none is asked for."
        self.reckoner.notes.gap(self.at, what)
        self.reckoner.notes.ledger.idle("what an option brings by its name", *parts_of(modifier))
        return True

    def _is_opened(self, rest: list[Modifier]) -> bool:
        """Return whether it is to be had only under conditions, always in the same number."""
        numbers = {self.reckoner.number(one, self.at) for one in rest}
        if len(numbers) != 1 or min(numbers) < 1 or any(one.repeats for one in rest):
            return False
        conds = [self.reckoner.said(one, self.at, UNKNOWN_OFFER) for one in rest]
        opened = any_of(cond for cond in conds if cond is not None)
        self.amounts.available = all_of([self.amounts.available, opened])
        self.amounts.values[self.key] = numbers.pop()
        return True

    def _is_scaling(self, modifier: Modifier, item: Item) -> bool:
        """Whether it only says what a cap is in Warbands or Grand Armies, which the rule does."""
        scales = self.reckoner.survey.rules.scales and self.key.startswith("cap")
        if not scales or modifier.repeats or modifier.type != "set":
            return False
        try:
            cond = self.reckoner.translator.cond(modifier.when, self.at)
        except Unsayable:
            return False
        by_size = {
            (("at_most", 3000),): -(-self.base // 2),
            (("at_least", 8000),): 2 * self.base,
        }
        size = cond.get("limit") if isinstance(cond, dict) else None
        if size is None:
            return False
        is_rule = by_size.get(tuple(size.items())) == self.reckoner.number(modifier, self.at)
        self.reckoner.notes.ledger.judged(*parts_of(modifier))
        if item and self.base == 1:
            self.reckoner.notes.against_rules[ONE_OF_A_KIND] += "at_least" in size
            return True
        if is_rule:
            self.reckoner.notes.dropped[SCALING] += 1
        else:
            self.reckoner.notes.against_rules[OTHER_SCALING] += 1
            self._doubt_scaling(modifier, cond, by_size.get(tuple(size.items())))
        return True

    def _doubt_scaling(self, modifier: Modifier, size: Cond, by_rule: int | None) -> None:
        """Note that the file has another number for a game size than the rule."""
        notes, number = self.reckoner.notes, self.reckoner.number(modifier, self.at)
        place = self.reckoner.survey.place(self.at)
        notes.doubt(place, "the file scales its cap otherwise than the rule")
        if by_rule is None or by_rule <= number:
            return
        what = f"0–{number} at this game size in the file, 0–{by_rule} by the rulebook (8.C)"
        above: Cond = {"taken": [self.at], "in": "army", "at_least": number + 1}
        notes.unchecked(self.at, what, "source", all_of([size, above]))
