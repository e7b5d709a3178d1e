"""What an option says: how often it may be taken, what it counts as, what kind of thing it is."""

from collections.abc import Callable
from typing import Final

from armybuilder.importing import drafts
from armybuilder.importing.amounts import Amounts, Reckoner
from armybuilder.importing.drafts import Around, Draft
from armybuilder.importing.logic import Cond, all_of, conjuncts, taken_here
from armybuilder.importing.source import Entry
from armybuilder.importing.traits import Traits

#: A cap above this is more than an army has units.
_MOST_LIKELY_CAP: Final = 12
#: Options that work like special items, by a word in the name of their group.
_LIKE_ITEMS: Final = {"manifestation": "manifestation", "runic": "rune"}


class Options:
    """Reads options; `categories` are our ids by those of the file."""

    def __init__(self, reckoner: Reckoner, traits: Traits, ids: dict[str, str]) -> None:
        self.reckoner = reckoner
        self.traits = traits
        self.survey = reckoner.survey
        self.notes = reckoner.notes
        self.ids = ids

    def fill(self, draft: Draft, around: Around) -> None:
        """Put into the draft of an option what its entry says."""
        entry, facts = draft.source, draft.facts
        kind = self.item_kind(entry)
        amounts = self.reckoner.limits(entry, "option", kind is not None)
        draft.available = amounts.available
        points, per_model, changes = self.reckoner.price(entry, entry.cost or 0)
        facts |= {"points": points or None, "points_per_model": per_model or None}
        facts["number"] = self.number(entry, amounts, around, kind)
        self._army_facts(draft, amounts)
        if amounts.values.get("allowance") is not None:
            facts["allowance"] = amounts.values["allowance"]
        facts["categories"] = self.categories(entry, entry.categories)
        self._nature(draft, kind)
        facts["when"] = [*amounts.changes, *changes]
        self._change_categories(draft)

    def item_kind(self, entry: Entry) -> str | None:
        """The kind of special item it is by the group in which it directly stands."""
        for holder in self.survey.containers[entry]:
            above = self.survey.containers[holder] if holder.kind == "link" else [holder]
            for group in above:
                is_group = group.is_group or self.traits.is_wrapper(group)
                if is_group and (found := self.traits.item_kind(group)):
                    return found
        return None

    def _hidden_kind(self, entry: Entry) -> str | None:
        """What works like a special item, so that a hidden list hides it (8.E.a): by the names of
        the groups around it.
        """
        names = {group.name.lower() for group in self.survey.around(entry)}
        for word, kind in _LIKE_ITEMS.items():
            if any(word in name for name in names):
                return kind
        return None

    def number(
        self, entry: Entry, amounts: Amounts, around: Around, kind: str | None
    ) -> list[int] | None:
        """[least, most] times it may be taken; None is at most once."""
        least, most = amounts.values.get("min") or 0, amounts.values.get("max")
        if most is None:
            most = around.most or 1
            if kind is not None:
                most = 1
            elif around.most is None and not self.survey.is_shared(entry):
                self.notes.doubt(
                    self.survey.place(entry), "has no most in the file; taken to be at most one"
                )
        return self._pair(entry, least, most)

    def _pair(self, entry: Entry, least: int, most: int) -> list[int] | None:
        if least > most:
            self.notes.doubt(
                self.survey.place(entry), f"at least {least} but at most {most}; the least is kept"
            )
            most = least
        return None if (least, most) == (0, 1) else [least, most]

    def _army_facts(self, draft: Draft, amounts: Amounts) -> None:
        for key in ("cap", "cap_models", "cap_points", "army_min"):
            if value := amounts.values.get(key):
                draft.facts[key] = value
            elif value == 0 and amounts.moves(key):
                draft.facts[key] = 0
        if amounts.one_of_a_kind:
            draft.facts["one_of_a_kind"] = True
        elif draft.facts.get("cap") == 1 and not self.survey.is_standard_bearer(draft.source):
            self.notes.doubt(
                self.survey.place(draft.source), "a cap of one: is it 0-1 or One of a Kind?"
            )
        if draft.facts.get("cap", 0) > _MOST_LIKELY_CAP and draft.facts["number"] is None:
            most = draft.facts.pop("cap")
            draft.facts["cap_models"] = most
            self.notes.doubt(
                self.survey.place(draft.source),
                f"a cap of {most} on what a unit takes once: read as models that have it",
            )
        if any("limit" in change.get("for_each", ()) for change in amounts.changes):
            self.notes.doubt(
                self.survey.place(draft.source),
                "its cap follows the game size; the rule for 0-X would scale it once more",
            )

    def _nature(self, draft: Draft, kind: str | None) -> None:
        """Keywords, stat lines and what special item it is; rules carry some exclusions."""
        entry, facts = draft.source, draft.facts
        facts["keywords"] = self.traits.keywords([entry], draft.name)
        facts["profiles"] = self.traits.rows([entry])
        if kind is not None:
            facts |= self.traits.item_facts(entry, kind)
        elif hidden := self._hidden_kind(entry):
            facts["item"] = hidden
        if self.survey.is_dominant(entry):
            facts["dominant"] = True
            draft.available = self.without(
                draft.available, self.survey.is_dominant, drafts.DOMINANT
            )
        if self.survey.is_standard_bearer(entry):
            self._standard_bearer(draft)

    def _standard_bearer(self, draft: Draft) -> None:
        facts = draft.facts
        facts.pop("cap", None)
        facts["one_of_a_kind"] = True
        if "Not a Leader" not in facts["keywords"]:
            facts["keywords"].append("Not a Leader")

    def without(self, cond: Cond, is_carried: Callable[[Entry], bool], reason: str) -> Cond:
        """The condition without refusals of things for which a rule already stands."""
        kept: list[Cond] = []
        for part in conjuncts(cond):
            refused = taken_here(part["not"]) if isinstance(part, dict) and "not" in part else None
            if refused is None:
                kept.append(part)
                continue
            rest = [one for one in refused if not is_carried(one)]
            self.notes.dropped[reason] += len(refused) - len(rest)
            if rest:
                kept.append({"not": {"taken": rest}})
        return all_of(kept)

    def categories(self, entry: Entry, links: tuple[tuple[str, bool], ...]) -> list[str]:
        """Categories where its price counts beside that of its unit."""
        primary = {
            self.ids.get(next((id_ for id_, first in unit.categories if first), ""))
            for unit in self.survey.owners[entry]
        }
        found = []
        for id_, _ in links:
            if id_ not in self.ids:
                if "dominant" not in self.survey.name(id_).lower():
                    name = self.survey.name(id_)
                    self.notes.gap(entry, f"It counts as {name}, which the army has no share for.")
            elif primary != {self.ids[id_]}:
                found.append(self.ids[id_])
        return found

    def of_group(self, entry: Entry) -> None:
        """Note categories of a group: they move no price, as nobody takes a group."""
        for name in self.categories(entry, entry.categories):
            self.notes.doubt(self.survey.place(entry), f"a group in {name}, which moves no price")

    def _change_categories(self, draft: Draft) -> None:
        """Categories that the file adds to an option; others are gaps."""
        for modifier in draft.source.modifiers:
            if modifier.field != "category":
                continue
            name = self.survey.name(modifier.value)
            if modifier.is_plain and modifier.type == "add" and modifier.value in self.ids:
                draft.facts["categories"].append(self.ids[modifier.value])
            else:
                self.notes.gap(draft.source, f"Its price: {modifier.type} category {name}.")
