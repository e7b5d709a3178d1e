"""What an option says: how often it may be taken, what it counts as, what kind of thing it is."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from bookimport import drafts
from bookimport.amounts import Amounts, Change, Item, Reckoner
from bookimport.drafts import Around, BookDraft
from bookimport.ledger import parts_of
from bookimport.logic import Cond, all_of, conjuncts, taken_here
from bookimport.restrictions import what_it_loses
from bookimport.source import Modifier, SourceEntry
from bookimport.survey import Survey
from bookimport.traits import Traits

#: What every mount brings: its rider is not on foot (rulebook, 19.A.c).
HARNESSED: Final = "Harnessed"
#: A cap above this is more than an army has units.
_MOST_LIKELY_CAP: Final = 12
#: Game size from which an army is a Grand Army (rulebook, 8.C).
_GRAND_ARMY: Final = 8000
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
        #: Categories that a unit leaves or joins because of an option.
        self.moves: dict[SourceEntry, list[Change]] = defaultdict(list)

    def fill(self, draft: BookDraft, around: Around) -> None:
        """Put into the draft of an option what its entry says."""
        entry, facts = draft.source, draft.facts
        kind = self.item_kind(entry)
        amounts = self.reckoner.limits(entry, "option", self.item(entry))
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

    def item(self, entry: SourceEntry) -> Item:
        """Whether it is a special item, or follows their rules as runes and manifestations do."""
        if self.item_kind(entry) is not None:
            return "item"
        return "like" if self._hidden_kind(entry) is not None else ""

    def item_kind(self, entry: SourceEntry) -> str | None:
        """Return the kind of special item it is by the group in which it directly stands."""
        return self.traits.kind_of_item(entry)

    def _hidden_kind(self, entry: SourceEntry) -> str | None:
        """Return what works like a special item in hidden lists (8.E.a), by its groups."""
        if not self.survey.rules.slots:
            return None
        names = {group.name.lower() for group in self.survey.around(entry)}
        for word, kind in _LIKE_ITEMS.items():
            if any(word in name for name in names):
                return kind
        return None

    def number(
        self, entry: SourceEntry, amounts: Amounts, around: Around, kind: str | None
    ) -> list[int] | None:
        """[least, most] times it may be taken; None is at most once."""
        least, most = amounts.values.get("min") or 0, amounts.values.get("max")
        if most is None:
            most = around.most or 1
            if kind is not None:
                most = 1
            elif around.most is None and not self.survey.is_shared(entry):
                self.survey.doubt(entry, "has no most in the file; taken to be at most one")
        if least > most:
            self.survey.doubt(entry, f"at least {least} but at most {most}; the least is kept")
            most = least
        return None if (least, most) == (0, 1) else [least, most]

    def _army_facts(self, draft: BookDraft, amounts: Amounts) -> None:
        draft.facts |= amounts.said("cap", "cap_models", "cap_points", "army_min")
        if amounts.one_of_a_kind:
            draft.facts["one_of_a_kind"] = True
        elif draft.facts.get("cap") == 1 and not self.survey.is_standard_bearer(draft.source):
            doubt_cap_of_one(self.survey, draft.source)
        if draft.facts.get("cap") and draft.facts["number"] is None and self._is_of_models(draft):
            most = draft.facts.pop("cap")
            draft.facts["cap_models"] = most
            self.survey.doubt(
                draft.source,
                f"a cap of {most} on what a unit takes once: read as models that have it",
            )
        scales = self.survey.rules.scales
        if scales and any("limit" in change.get("for_each", ()) for change in amounts.changes):
            self.survey.doubt(
                draft.source,
                "its cap follows the game size; the rule for 0-X would scale it once more",
            )

    def _is_of_models(self, draft: BookDraft) -> bool:
        """Return whether the cap counts models (rulebook, 8.D.a.3): it, or one beside it, is higher
        than an army has units, or than those units may be that can have it.
        """
        if not self.survey.rules.scales:
            return False
        entry, cap = draft.source, int(draft.facts["cap"])
        beside = {entry, *self._neighbours(entry)}
        if any(self._cap_of(one) > _MOST_LIKELY_CAP for one in beside):
            return cap > 1
        owners = self.survey.owners[entry]
        caps = [self.reckoner.limits(unit, "unit").values.get("cap") for unit in owners]
        sizes = [self._least_models(unit) for unit in owners]
        most = sum(one for one in caps if one is not None)
        return None not in caps and most < cap and min(sizes, default=1) > 1

    def _neighbours(self, entry: SourceEntry) -> Iterator[SourceEntry]:
        """Yield the options in the groups that an option directly stands in."""
        for group in self.survey.holders(entry):
            for child in group.children if group.is_group else ():
                found = self.survey.resolved(child)
                if found is not None and found.kind == "upgrade":
                    yield found

    def _cap_of(self, entry: SourceEntry) -> int:
        return self.reckoner.limits(entry, "option", self.item(entry)).values.get("cap") or 0

    def _least_models(self, unit: SourceEntry) -> int:
        model = self.survey.models.get(unit)
        return 1 if model is None else self.reckoner.limits(model, "model").values.get("min") or 1

    def _nature(self, draft: BookDraft, kind: str | None) -> None:
        """Keywords, stat lines and what special item it is; rules carry some exclusions."""
        entry, facts = draft.source, draft.facts
        facts["keywords"] = self.traits.keywords([entry], draft.name)
        facts["profiles"] = self.traits.rows([entry])
        if kind is not None:
            facts |= self.traits.item_facts(entry, kind)
        elif hidden := self._hidden_kind(entry):
            facts["item"] = hidden
        if self.survey.is_mount(entry):
            facts["mount"] = True
            if HARNESSED not in facts["keywords"]:
                facts["keywords"].append(HARNESSED)
        if loses := what_it_loses(entry.name):
            facts["note"] = f"Loses {loses}."
        if self.survey.is_dominant(entry):
            facts["dominant"] = True
            draft.available = self.without(
                draft.available, self.survey.is_dominant, drafts.DOMINANT
            )
        if self.survey.is_standard_bearer(entry):
            self._standard_bearer(draft)

    def _standard_bearer(self, draft: BookDraft) -> None:
        facts = draft.facts
        facts.pop("cap", None)
        facts["one_of_a_kind"] = True
        if "Not a Leader" not in facts["keywords"]:
            facts["keywords"].append("Not a Leader")

    def without(self, cond: Cond, is_carried: Callable[[SourceEntry], bool], reason: str) -> Cond:
        """Return the condition without refusals of things for which a rule already stands."""
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

    def categories(self, entry: SourceEntry, links: tuple[tuple[str, bool], ...]) -> list[str]:
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
                    self.survey.doubt(entry, f"counts as {name}, which has no share")
            elif primary != {self.ids[id_]}:
                found.append(self.ids[id_])
        return found

    def of_option(self, option: SourceEntry, link: SourceEntry) -> list[str]:
        """Categories where the price of an option counts at the place of a link."""
        return self.categories(option, link.categories)

    def of_group(self, group: SourceEntry, link: SourceEntry) -> list[str]:
        """Return categories where a group's price counts at a link: those of the models that have
        it. A category where neither they nor their unit are is a slip.
        """
        owners = self.survey.owners[link]
        units = [{self.ids.get(id_) for id_, _ in owner.categories} for owner in owners]
        homes = [{self.ids.get(id_) for id_ in self.survey.categories(one)} for one in owners]
        found = []
        for id_, primary in link.categories:
            if all(self.ids.get(id_) in home for home in homes):
                if not all(self.ids.get(id_) in unit for unit in units):
                    found += self.categories(group, ((id_, primary),))
            elif id_ in self.ids:
                what = f"The file counts it in {self.survey.name(id_)}, too; its unit is not there."
                self.notes.gap(link, what)
        return found

    def _change_categories(self, draft: BookDraft) -> None:
        """Categories that the file adds to an option; others are gaps."""
        entry = draft.source
        changes = [one for one in entry.modifiers if one.field == "category"]
        known = all(one.is_plain and one.value in self.ids for one in changes)
        if changes and known and any(self._is_of_unit(one, entry) for one in changes):
            self._move_unit(entry, changes)
            return
        for modifier in changes:
            name = self.survey.name(modifier.value)
            if modifier.is_plain and modifier.type == "add" and modifier.value in self.ids:
                self.notes.ledger.judged(*parts_of(modifier))
                draft.facts["categories"].append(self.ids[modifier.value])
            else:
                what = f"whether its price counts in {name}"
                self.notes.open_change(entry, what, modifier)

    def _is_of_unit(self, modifier: Modifier, entry: SourceEntry) -> bool:
        """Return whether a removed category is the unit's, not the option's (rulebook, 8.B.b.6)."""
        own = {id_ for id_, _ in entry.categories}
        units = [{id_ for id_, _ in unit.categories} for unit in self.survey.owners[entry]]
        lost = modifier.type == "remove" and modifier.value not in own
        return lost and all(modifier.value in categories for categories in units)

    def _move_unit(self, entry: SourceEntry, changes: list[Modifier]) -> None:
        """Let the unit that takes the option leave and join categories."""
        for modifier in changes:
            self.notes.ledger.judged(*parts_of(modifier))
            change = {f"{modifier.type}_category": self.ids[modifier.value]}
            for owner in self.survey.owners[entry]:
                self.moves[owner].append({"if": {"taken": [entry]}, **change})


def doubt_cap_of_one(survey: Survey, entry: SourceEntry) -> None:
    """Note that a file does not tell 0-1, which a Grand Army doubles, from One of a Kind."""
    if not survey.rules.scales:
        return
    survey.doubt(entry, "a cap of one: is it 0-1 or One of a Kind?")
    twice: Cond = {"taken": [entry], "in": "army", "at_least": 2}
    large: Cond = {"limit": {"at_least": _GRAND_ARMY}}
    what = "0–1, which a Grand Army doubles, or One of a Kind, which it does not"
    survey.notes.unchecked(entry, what, "source", all_of([large, twice]))
