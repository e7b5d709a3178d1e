"""Units and army-wide choices of a book, as drafts, out of the root entries of a catalogue."""

import re
from collections.abc import Iterator
from typing import Any, Final

from armybuilder.engine.wording import marked
from bookimport.amounts import Amounts, Change, Reckoner
from bookimport.drafts import Around, BookDraft, UnitDraft
from bookimport.logic import any_of, negate
from bookimport.nodes import Builder
from bookimport.options import doubt_cap_of_one
from bookimport.source import SourceEntry
from bookimport.traits import Traits

NOT_A_LEADER = "Not a Leader"
NO_STAT_LINE: Final = marked("No stat line in the source.")
#: What makes a model a wizard (rulebook, 8.D.b).
WIZARDS: Final = ("wizard-apprentice", "wizard-adept", "wizard-master")
_NO_WIZARDS: Final = re.compile(r"\(non-? ?wizards\)", re.I)


class UnitMaker:
    """Makes the units of one book."""

    def __init__(self, reckoner: Reckoner, traits: Traits, builder: Builder) -> None:
        self.reckoner = reckoner
        self.traits = traits
        self.builder = builder
        self.survey = reckoner.survey
        self.notes = reckoner.notes

    def unit(self, root: SourceEntry) -> UnitDraft:
        """Return the unit, with its models' price and stat lines and everything to be taken. Raises
        Refusal where it is not understood.
        """
        model = self.survey.models.get(root)
        if root in self.survey.mixed:
            raise self.survey.refusal(root, "more than one kind of model in a unit")
        if root.strange:
            raise self.survey.refusal(root, root.strange)
        limits = self.reckoner.limits(root, "unit")
        if limits.available is False:
            raise self.survey.refusal(root, "a unit that is always hidden")
        self.notes.read["units"] += 1
        draft = UnitDraft(root, self.traits.own_name(root), available=limits.available)
        draft.children = self._children(root, model)
        facts = draft.facts
        facts["categories"] = self._categories(root)
        facts["models_in"] = self._models_in(model, facts["categories"])
        if self._is_army_choice(root, limits):
            facts |= {"army_choice": True, "one_of_a_kind": True, "army_min": 1}
            limits = Amounts(available=limits.available, changes=limits.changes)
        elif root.kind == "upgrade":
            self.survey.doubt(root, "is called an upgrade; taken for a unit")
        facts["when"] = self._size_and_price(facts, root, model)
        self._army(facts, root, limits, model)
        facts["keywords"] = self._keywords(root, model, draft.name)
        self._leads(facts, root)
        facts["profiles"] = self._rows(root, model, facts)
        generals = self.builder.generals.get(root, ())
        moves = self.builder.options.moves.get(root, ())
        facts["when"] += [*limits.changes, *generals, *self._category_changes(root), *moves]
        if root in self.builder.musts:
            facts["must_lead"] = self.builder.musts[root]
        if "sparse" in facts:
            facts["without"] = list(self._certainly_without(draft, facts))
        return draft

    def _certainly_without(self, draft: UnitDraft, facts: dict[str, Any]) -> Iterator[str]:
        """Yield rules that a unit without listed ones lacks: it may lead, mount, is no wizard."""
        if facts.get("can_lead") is True and self.survey.has_generals:
            yield "not-a-leader"
        around = [self.survey.name(one.id) for one in self._always_reached(draft.source)]
        if any(_NO_WIZARDS.search(name) for name in around):
            yield from WIZARDS
        reached = (one for one in self.survey.order if draft.source in self.survey.owners[one])
        if any(map(self.survey.is_mount, reached)):
            yield "harnessed"

    def _always_reached(self, root: SourceEntry) -> Iterator[SourceEntry]:
        """Yield the groups of a unit that no condition hides."""
        level = list(root.children)
        while level:
            entry = level.pop()
            found = self.survey.resolved(entry)
            hidden = any(self.reckoner.visibility(one) is not True for one in (entry, found) if one)
            if found is not None and not hidden and found.kind != "model":
                yield found
                level += found.children if found.is_group or self.traits.is_wrapper(found) else ()

    def _children(self, root: SourceEntry, model: SourceEntry | None) -> list[BookDraft]:
        """Return what is taken on the unit; what is taken on a model, once for each of them."""
        found: list[BookDraft] = []
        for child in root.children:
            if child is not model:
                found += self.builder.children((child,), Around())
                continue
            most = self.reckoner.limits(child, "model").values.get("max") or 1
            for draft in self.builder.children(child.children, Around()):
                found.append(self._on_each_model(draft, most))
        return self.builder.joined([*found, *self.builder.lifted.get(root, ())])

    def _on_each_model(self, draft: BookDraft, most: int) -> BookDraft:
        """Return the node for what each model takes by itself: as often as there are models; what
        all of them take or none, once for all.
        """
        shared = self.builder.shared.get(draft.source, draft)
        if shared.kind == "group":
            least, each = draft.facts.get("choose") or shared.facts.get("choose") or (0, 1)
            moved = {"max": 1 if least else each, **({"min": least} if least else {})}
            per_model = {"for_each": {"models": 1}, "add": moved}
            draft.facts["choose"] = [0, 0]
            draft.facts["when"] = [per_model, *draft.facts.get("when", ())]
        # What a shared group bounds elsewhere, its options need not.
        for node in shared.walk() if shared.kind == "group" else draft.walk():
            if node.kind != "group" and node.facts.get("number") is None:
                node.facts["number"] = [0, most]
        self.survey.doubt(draft.source, "is taken on the models, each by itself")
        return draft

    def _categories(self, root: SourceEntry) -> list[str]:
        known = self.builder.categories
        for id_, _ in root.categories:
            if id_ not in known:
                name = self.survey.name(id_)
                self.survey.doubt(root, f"counts as {name}, which has no share")
        links = sorted(root.categories, key=lambda link: not link[1])
        return list(dict.fromkeys(known[id_] for id_, _ in links if id_ in known))

    def _models_in(self, model: SourceEntry | None, categories: list[str]) -> list[str]:
        """Categories where the price of the models counts, and what is taken on them does not."""
        links = model.categories if model else ()
        known = [self.builder.categories.get(id_) for id_, _ in links]
        return [category for category in known if category and category not in categories]

    def _leads(self, facts: dict[str, Any], root: SourceEntry) -> None:
        """Note whether the unit may be the General: where the file offers it, or, in a book that
        offers it to nobody, a Character. A conditional offer outweighs Not a Leader.
        """
        words = facts["keywords"]
        lead = any_of(self.builder.leads.get(root, ()))
        character = "characters" in facts["categories"] and "army_choice" not in facts
        if lead is not False:
            facts["can_lead"] = lead
            if NOT_A_LEADER in words:
                words[words.index(NOT_A_LEADER)] = {"name": NOT_A_LEADER, "if": negate(lead)}
        elif character and NOT_A_LEADER not in words:
            if self.survey.has_generals:
                self.notes.gap(root, marked("The file doesn’t mark it as a possible General."))
            else:
                facts["can_lead"] = True
                self.notes.gap(root, "The file offers nobody to be the General; we let it lead.")
                words = "may lead only where it has not Not a Leader"
                self.notes.unchecked(root, words, "stat-line", {"role": "general"})

    def _is_army_choice(self, root: SourceEntry, limits: Amounts) -> bool:
        once = limits.values.get("cap") == 1 and limits.values.get("army_min") == 1
        return root.kind == "upgrade" and once

    def _size_and_price(
        self, facts: dict[str, Any], root: SourceEntry, model: SourceEntry | None
    ) -> list[Change]:
        base, per_model, changes = self.reckoner.price(root, root.cost or 0)
        if model is None:
            facts["points"] = base + per_model
            return changes
        limits = self.reckoner.limits(model, "model")
        least = limits.values.get("min") or 1
        most = limits.values.get("max")
        if most is None:
            self.survey.doubt(root, "has no greatest size")
            most = least
        each, _, model_changes = self.reckoner.price(model, model.cost or 0)
        each += per_model
        if each or most > 1:
            facts["points_per_model"] = each or None
        facts["size"] = None if (least, most) == (1, 1) else [least, most]
        facts["points"] = base + least * each
        if limits.values.get("cap_models") is not None:
            facts["cap_models"] = limits.values["cap_models"]
        dearer = [self._for_whole_unit(change, least) for change in model_changes]
        return [*changes, *dearer, *limits.changes]

    def _for_whole_unit(self, change: Change, least: int) -> Change:
        """Return a change of the models' price: for those of the smallest unit, and each beyond."""
        key = "set" if "set" in change else "add"
        each = change[key].get("points", 0)
        if key == "set":
            self.notes.doubt("models", "the price of a model is set by a condition")
        return {**change, key: {"points": each * least, "points_per_model": each}}

    def _army(
        self, facts: dict[str, Any], root: SourceEntry, limits: Amounts, model: SourceEntry | None
    ) -> None:
        facts |= limits.said("cap", "army_min", "cap_points")
        if facts.get("cap") == 1:
            doubt_cap_of_one(self.survey, root)

    def _keywords(self, root: SourceEntry, model: SourceEntry | None, name: str) -> list[Any]:
        entries = [root, *([model] if model else [])]
        words = self.traits.keywords(entries, "")
        return [*words, *self.builder.extra_keywords.get(root, ())]

    def _rows(
        self, root: SourceEntry, model: SourceEntry | None, facts: dict[str, Any]
    ) -> list[Any]:
        rows = self.traits.rows([root, *([model] if model else [])])
        if not rows and "army_choice" not in facts:
            self.notes.gap(root, NO_STAT_LINE)
            facts["sparse"] = True
        return rows

    def _category_changes(self, root: SourceEntry) -> list[Change]:
        changes: list[Change] = []
        for modifier in root.modifiers:
            if modifier.field != "category":
                continue
            category = self.builder.categories.get(modifier.value)
            name = self.survey.name(modifier.value)
            what = f"whether it counts in {name}"
            cond = self.reckoner.said(modifier, root, what)
            if category is None:
                self.notes.open_change(root, what, modifier)
            if category is None or cond is None or cond is False:
                continue
            start = {} if cond is True else {"if": cond}
            changes.append({**start, f"{modifier.type}_category": category})
        return changes


def _for_each_model(facts: dict[str, Any]) -> None:
    """Let the price of an option, and what changes it, be paid for each model, in place."""
    if facts.get("points"):
        facts["points_per_model"] = (facts.get("points_per_model") or 0) + facts.pop("points")
    for change in facts.get("when", ()):
        for key in ("set", "add"):
            if "points" in change.get(key, ()):
                change[key]["points_per_model"] = change[key].pop("points")
