"""What a link says at its place: another price, limit or name than what it links to."""

from bookimport import drafts
from bookimport.amounts import Amounts, Item, Reckoner
from bookimport.drafts import Around, BookDraft
from bookimport.groups import Groups
from bookimport.logic import Cond, all_of, any_of, conjuncts
from bookimport.options import Options
from bookimport.source import SourceEntry
from bookimport.traits import Traits


class SourceLinks:
    """Reads links."""

    def __init__(
        self, reckoner: Reckoner, traits: Traits, groups: Groups, options: Options
    ) -> None:
        self.reckoner = reckoner
        self.traits = traits
        self.groups = groups
        self.options = options
        self.survey = reckoner.survey
        self.notes = reckoner.notes

    def put(self, draft: BookDraft, link: SourceEntry, target: SourceEntry, around: Around) -> None:
        """Put what the link says into the draft of what it links to, or of the use of it."""
        self.notes.read["links"] += 1
        is_group = target.is_group or self.traits.is_wrapper(target)
        item: Item = "" if is_group else self.options.item(target)
        amounts = self.reckoner.limits(link, "group" if is_group else "option", item)
        draft.available = self._available(draft, target, amounts)
        name = self.traits.link_name(link, target)
        if draft.kind != "use" or name != draft.name:
            draft.name, draft.facts["renamed"] = name, draft.kind == "use"
        if is_group:
            self._group(draft, link, target, amounts, around)
        else:
            self._option(draft, link, target, amounts, around)

    def _available(self, draft: BookDraft, target: SourceEntry, amounts: Amounts) -> Cond:
        available = all_of([draft.available, amounts.available])
        if self.survey.is_standard_bearer(target):
            available = self._without_role(available)
        if self.survey.is_dominant(target):
            is_dominant = self.survey.is_dominant
            available = self.options.without(available, is_dominant, drafts.DOMINANT)
        return available

    def _without_role(self, cond: Cond) -> Cond:
        kept = [part for part in conjuncts(cond) if part != {"not": {"role": "general"}}]
        self.notes.dropped[drafts.NOT_A_LEADER] += len(conjuncts(cond)) - len(kept)
        return all_of(kept)

    def _group(
        self,
        draft: BookDraft,
        link: SourceEntry,
        target: SourceEntry,
        amounts: Amounts,
        around: Around,
    ) -> None:
        own = self.reckoner.limits(target, "group")
        known = self._own_values(own, link, amounts)
        if {"min", "max"} & set(amounts.values):
            least, most = known.get("min") or 0, known.get("max")
            if most is not None and not least and self.groups.is_slot_rule(target, most):
                most = None
                self.notes.dropped[drafts.SLOTS] += 1
            elif most is not None and around.most is not None and around.most <= most:
                most = None if not least else most
            if most is not None or least:
                draft.facts["choose"] = [least, most if most is not None else max(least, 1)]
        if (value := amounts.values.get("allowance")) is not None:
            draft.facts["allowance"] = value
        draft.facts.setdefault("when", [])
        draft.facts["when"] = [*draft.facts["when"], *amounts.changes]

    def _own_values(
        self, own: Amounts, link: SourceEntry, amounts: Amounts
    ) -> dict[str, int | None]:
        """Values of target and link together; what the link sets outright replaces."""
        replaced = {
            modifier.field for modifier in link.modifiers if modifier.is_plain
        } - {part.id for part in link.constraints}  # fmt: skip
        if any(self.survey.constraint(id_) is not None for id_ in replaced):
            return {**own.values, **amounts.values}
        both = Amounts(dict(own.values))
        for key, value in amounts.values.items():
            if value is not None:
                both.tighten(key, value)
        return both.values

    def _option(
        self,
        draft: BookDraft,
        link: SourceEntry,
        target: SourceEntry,
        amounts: Amounts,
        around: Around,
    ) -> None:
        facts = draft.facts
        own = self.reckoner.limits(target, "option", self.options.item(target))
        both = Amounts(self._own_values(own, link, amounts))
        shared_number = self.options.number(target, own, Around(), self.options.item_kind(target))
        number = self.options.number(link, both, around, self.options.item_kind(target))
        if draft.kind != "use":
            facts["number"] = number
        elif number != shared_number:
            facts["number"] = number or [0, 1]
        for key in ("cap", "cap_points", "army_min"):
            if (value := amounts.values.get(key)) is not None:
                facts[key] = value
        self._link_price(draft, link, target)
        facts["when"] = [*facts.get("when", []), *amounts.changes]

    def _link_price(self, draft: BookDraft, link: SourceEntry, target: SourceEntry) -> None:
        own = target.cost or 0
        base = own if link.cost is None else link.cost
        points, per_model, changes = self.reckoner.price(link, base)
        own_per_model = self.reckoner.price(target, own)[1]
        # Of two prices, that one holds at which so many points are so many models.
        models, most = (draft.facts.get(key, 0) for key in ("cap_models", "cap_points"))
        if per_model and own_per_model and not 0 < most == models * per_model:
            what = f"its price: {per_model} points a model, or {per_model + own_per_model}"
            self.notes.unchecked(target, what, "source", self._at(link))
        if draft.kind != "use":
            draft.facts["points"] = points or None
        elif points != own:
            draft.facts["points"] = points
        if per_model:
            draft.facts["points_per_model"] = per_model
        draft.facts["when"] = [*draft.facts.get("when", []), *changes]

    def agree(self, target: SourceEntry) -> bool:
        """Return whether all links to it add the same to it."""
        said = {
            (
                frozenset(id_ for id_, _ in link.categories),
                tuple((child.target, _limits_of(child)) for child in link.children),
                tuple(info.name for info in link.infos),
            )
            for link in self.survey.links[target]
        }
        return len(said) == 1

    def _at(self, link: SourceEntry) -> Cond:
        """That it is one of the units that reach the option by this link."""
        return any_of({"unit": owner} for owner in self.survey.owners[link])

    def others(self, link: SourceEntry, target: SourceEntry) -> tuple[SourceEntry, ...]:
        """Return what a link adds to its target, but not that target once more."""
        others = tuple(child for child in link.children if child.target != target.id)
        if len(others) < len(link.children):
            self.survey.doubt(link, "holds itself once more; the inner one is left out")
            what = "its price: the file has two"
            self.notes.unchecked(target, what, "source", self._at(link))
            for child in link.children:
                if child.target == target.id:
                    self.notes.ledger.dropped("what holds itself once more, left out", child)
        return others


def _limits_of(entry: SourceEntry) -> tuple[tuple[str, str, int], ...]:
    return tuple((part.type, part.scope, part.value) for part in entry.constraints)
