"""What a group says: how many may be chosen in it, for how many points, what stands first."""

from functools import cached_property
from typing import Any, Final

from bookimport import drafts
from bookimport.amounts import Amounts, Change, Reckoner
from bookimport.drafts import Around, BookDraft
from bookimport.source import SourceEntry
from bookimport.traits import Traits

#: What chapter 22 lets one model have of each kind of special item; a bearer may have two banners.
SLOTS: Final = {
    "weapon-enchantment": 1,
    "armour-enchantment": 1,
    "shield-enchantment": 1,
    "artefact": 2,
    "banner-enchantment": 1,
}
BEARERS_BANNERS: Final = 2


class Groups:
    """Reads groups."""

    def __init__(self, reckoner: Reckoner, traits: Traits) -> None:
        self.traits = traits
        self.survey = reckoner.survey
        self.notes = reckoner.notes

    def facts(
        self, entry: SourceEntry, amounts: Amounts, around: Around, draft: BookDraft
    ) -> dict[str, Any]:
        """Return what the draft of a group says besides its children."""
        facts: dict[str, Any] = {"choose": self._choose(entry, amounts, around, draft)}
        if entry.default:
            facts["default"] = self._default(entry)
        if (allowance := amounts.values.get("allowance")) is not None:
            facts["allowance"] = allowance
        facts["when"] = _unlimited(amounts.changes, draft)
        targets = filter(None, map(self.survey.resolved, entry.children))
        if facts["choose"] and any(map(self.survey.is_general, targets)):
            # The mark of the General is a role here; it takes one place of the group.
            less = {
                key: -1
                for key, number in zip(("min", "max"), facts["choose"], strict=True)
                if number
            }
            facts["when"].append({"if": {"role": "general"}, "add": less})
        if around.wrapper is not None and facts["choose"] and facts["choose"][0]:
            least, most = facts["choose"]
            facts["choose"] = [0, most]
            self.notes.gap(
                entry, f"The file asks for {least} of them; none is asked for here, {most} may be."
            )
        return facts

    def _choose(
        self, entry: SourceEntry, amounts: Amounts, around: Around, draft: BookDraft
    ) -> list[int] | None:
        least, most = amounts.values.get("min") or 0, amounts.values.get("max")
        if not entry.is_group:
            return None
        if most is not None and not least and not amounts.moves("max"):
            if self.is_slot_rule(entry, most):
                self.notes.dropped[drafts.SLOTS] += 1
                return None
            if around.most is not None and around.most <= most:
                self.notes.dropped[drafts.IMPLIED] += 1
                return None
        if most is None and not least and not amounts.moves("min"):
            return None
        return [least, most if most is not None else max(room(draft), least)]

    def is_slot_rule(self, entry: SourceEntry, most: int) -> bool:
        """Return whether the limit of a group only says what the rule says of special items."""
        kind = self.traits.item_kind(entry)
        if kind is None or not self._only_items(entry, kind):
            return False
        bearer = kind == "banner-enchantment" and self._are_bearers(entry)
        # A file that nowhere lets a bearer have two means one; the rule would allow two.
        usual = (BEARERS_BANNERS,) if bearer and not self._bears_two else (SLOTS[kind],)
        if most in usual or (bearer and most == BEARERS_BANNERS):
            return True
        self.survey.doubt(entry, f"at most {most} of {kind}, unlike the rule for special items")
        return False

    def _only_items(self, entry: SourceEntry, kind: str) -> bool:
        """Return whether nothing is in a group but special items of a kind, as the rule counts."""
        kinds = map(self.traits.kind_of_item, self._options_in(entry))
        return all(found is not None and _is_alike(found, kind) for found in kinds)

    def _are_bearers(self, entry: SourceEntry) -> bool:
        """Return whether every unit that has it may have the Battle Standard Bearer."""
        bearers: set[SourceEntry] = set()
        for one in self.survey.order:
            if self.survey.is_standard_bearer(one):
                bearers |= self.survey.owners[one]
        return self.survey.owners[entry] <= bearers

    @cached_property
    def _bears_two(self) -> bool:
        """Whether the file lets some Battle Standard Bearer have two banner enchantments."""
        groups = (one for one in self.survey.order if one.is_group and self._are_bearers(one))
        banners = (one for one in groups if self.traits.item_kind(one) == "banner-enchantment")
        most = (part for one in banners for part in one.constraints if part.type == "max")
        return any(part.scope == "parent" and part.value == BEARERS_BANNERS for part in most)

    def _default(self, entry: SourceEntry) -> SourceEntry | None:
        found = self.survey.entry(entry.default)
        if found is None or found not in self._options_in(entry):
            self.survey.doubt(entry, "its default is not among its options")
            return None
        return found

    def _options_in(self, group: SourceEntry) -> set[SourceEntry]:
        """Return the options in a group, in groups inside it too."""
        found: set[SourceEntry] = set()
        for child in group.children:
            target = self.survey.resolved(child)
            if target is not None:
                found |= self._options_in(target) if target.is_group else {target}
        return found


def _is_alike(one: str, other: str) -> bool:
    """Return whether two kinds of special items are one to the rule: a shield is armour."""
    return one.replace("shield", "armour") == other.replace("shield", "armour")


def room(draft: BookDraft) -> int:
    """Return how many there are to choose in a group, groups inside it included."""
    total = 0
    for child in draft.children:
        if child.kind == "group":
            total += room(child)
        else:
            total += (child.facts.get("number") or [0, 1])[1]
    return max(total, 1)


def _unlimited(changes: list[Change], draft: BookDraft) -> list[Change]:
    """Return the changes, with "no most" said as all there are."""
    for change in changes:
        if change.get("set", {}).get("max") == -1:
            change["set"]["max"] = room(draft)
    return changes
