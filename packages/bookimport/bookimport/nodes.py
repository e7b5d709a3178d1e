"""Options and groups of the book format, as drafts, out of entries and links."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from armybuilder.loading.problems import Refusal
from bookimport import drafts
from bookimport.amounts import Change, Reckoner
from bookimport.drafts import Around, BookDraft
from bookimport.groups import Groups, room
from bookimport.ledger import things_of
from bookimport.links import SourceLinks
from bookimport.logic import Cond, all_of, any_of
from bookimport.names import clean, split
from bookimport.options import Options
from bookimport.restrictions import Reader
from bookimport.source import Constraint, SourceEntry
from bookimport.traits import Traits


class Builder:
    """Builds the nodes of one book. `shared` and `lifted` fill while units are built."""

    def __init__(self, reckoner: Reckoner, traits: Traits, categories: dict[str, str]) -> None:
        self.reckoner = reckoner
        self.traits = traits
        self.survey = reckoner.survey
        self.notes = reckoner.notes
        self.categories = categories
        self.groups = Groups(reckoner, traits)
        self.options = Options(reckoner, traits, categories)
        self.links = SourceLinks(reckoner, traits, self.groups, self.options)
        self.restrictions = Reader(self.survey, categories)
        self.shared: dict[SourceEntry, BookDraft] = {}
        #: How many entries were left out so far, as they are not understood.
        self.left_out = 0
        #: What is used in several places and not understood.
        self.refused: dict[SourceEntry, Refusal] = {}
        #: Options that a link adds to what it links to, to be put beside it in the unit.
        self.lifted: dict[SourceEntry, list[BookDraft]] = defaultdict(list)
        self.extra_keywords: dict[SourceEntry, list[dict[str, Any]]] = defaultdict(list)
        #: When the unit may be General, once for each place that says so.
        self.leads: dict[SourceEntry, list[Cond]] = defaultdict(list)
        #: What being the General adds to the unit's price.
        self.generals: dict[SourceEntry, list[Change]] = defaultdict(list)
        #: When units must be the General, and the bearers of options.
        self.musts: dict[SourceEntry, Cond] = {}

    def children(self, entries: tuple[SourceEntry, ...], around: Around) -> list[BookDraft]:
        """Return the nodes for entries that stand in a unit, an option or a group."""
        found = [self._node_if_understood(entry, around) for entry in entries]
        return self.joined(draft for draft in found if draft is not None)

    def joined(self, drafts: Iterable[BookDraft]) -> list[BookDraft]:
        """Return the nodes that stand together. A must that is linked to more than once is there so
        much more often.
        """
        kept: list[BookDraft] = []
        for draft in drafts:
            twin = next((other for other in kept if _is_alike(other, draft)), draft)
            (least, most), before = (self._number(one) for one in (draft, twin))
            if twin is draft or draft.kind != "use" or not least:
                kept.append(draft)
                continue
            twin.facts["number"] = [before[0] + least, before[1] + most]
            what = "The file links to it more than once; it is there so often."
            self.notes.gap(draft.source, what)
        return kept

    def _number(self, draft: BookDraft) -> tuple[int, int]:
        """Return the least and most times that an option, or a use of one, may be taken."""
        shared = self.shared.get(draft.source, draft)
        least, most = draft.facts.get("number") or shared.facts.get("number") or (0, 1)
        return least, most

    def _node_if_understood(self, entry: SourceEntry, around: Around) -> BookDraft | None:
        """Return the node; None, with a gap, where something of it is not understood. Raises
        Refusal where nobody can do without it.
        """
        before = self.left_out
        try:
            draft = self._node(entry, around)
            if draft is not None and draft.kind != "option" and self.left_out > before:
                self._check_room(entry, draft)
        except Refusal as refusal:
            target = self.survey.resolved(entry)
            if any(map(_is_forced, filter(None, (entry, target)))):
                raise
            self.survey.leave_out(entry, refusal)
            self.left_out += 1
            return None
        return draft

    def _check_room(self, entry: SourceEntry, draft: BookDraft) -> None:
        """Raise Refusal where a group lost so much that nobody can choose the least of it."""
        node = self.shared[draft.source] if draft.kind == "use" else draft
        if node.kind != "group":
            return
        asked = draft.facts.get("choose") or node.facts.get("choose") or [0]
        if asked[0] > (room(node) if node.children else 0):
            raise self.survey.refusal(entry, "too much of what must be chosen there")

    def _node(self, entry: SourceEntry, around: Around) -> BookDraft | None:
        target = self.survey.resolved(entry)
        if target is None:
            self._without_target(entry)
            return None
        for part in (entry, target):
            if part.strange:
                raise self.survey.refusal(entry, part.strange)
        if target.kind in {"unit", "model"}:
            raise self.survey.refusal(entry, f"a {target.kind} among the options")
        if self.survey.is_general(target):
            self._general(entry, target, around)
            return None
        draft = self._placed(entry, target, around)
        if draft.kind != "group" and draft.available is not False:
            draft.available = self._named(draft, entry, target)
            if draft.available is False:
                self.notes.dropped[drafts.NAMED] += 1
                self.notes.ledger.dropped("an option that its name keeps from the unit", entry)
                return None
        if draft.available is False or self.reckoner.is_never(draft.available):
            self._left_out(entry, target)
            return None
        return draft

    def _without_target(self, link: SourceEntry) -> None:
        """Note that what a link leads to is in none of the files."""
        what = f"{clean(link.name)}: the files do not have what is linked to here; left out"
        self.notes.unchecked(link, what, "source", left_out=True)
        self.notes.ledger.dropped("what is in none of the files, left out", link)
        self.notes.ledger.unchecked(what, *things_of(link))

    def _left_out(self, entry: SourceEntry, target: SourceEntry) -> None:
        """Note that something can never be taken here, by the source."""
        self.notes.dropped[drafts.HIDDEN] += 1
        self.survey.doubt(entry, "can never be taken and is left out")
        self.notes.ledger.dropped("what can never be taken by the source, left out", entry)
        if not entry.hidden or entry.modifiers:
            name = self.traits.own_name(target)
            what = f"{name}: by the source it can never be taken here; left out"
            self.notes.unchecked(entry, what, "source", left_out=True)
            self.notes.ledger.unchecked(what, *entry.modifiers)

    def _named(self, draft: BookDraft, entry: SourceEntry, target: SourceEntry) -> Cond:
        """When an option may be taken, with what its name at this place and its text ask."""
        places = [entry] if entry is target or self.survey.is_shared(target) else [entry, target]
        asked = [draft.available]
        phrases = [(place, phrase) for place in places for phrase in split(place.name).phrases]
        if target in places:
            phrases += self._sentences(target)
        for place, phrase in phrases:
            if place is not target and not self.traits.is_called(place, target):
                self._stale(place, phrase, target)
                continue
            cond = self.restrictions.cond(phrase, place)
            left = True if cond is None else self.restrictions.open(phrase, target)
            if left is not False:
                what = f"{phrase[0].lower()}{phrase[1:]}"
                why = "sentence" if left is True else "stat-line"
                self.notes.unchecked(target, what, why, left)
                self.notes.ledger.unchecked(what, (place, phrase))
            else:
                self.notes.ledger.judged((place, phrase))
            if cond is not None:
                asked.append(self._but_for_named(cond, phrase, place))
        return all_of(asked)

    def _but_for_named(self, cond: Cond, phrase: str, at: SourceEntry) -> Cond:
        """Return what a phrase asks of all but the units that a group was made for by its name,
        where it would always rule them out.
        """
        units = self.restrictions.shut_out(cond, at)
        for unit in units:
            ruled = f"“{phrase}” would rule out {clean(unit.name)}"
            what = f"{ruled}, whom its group names; it may be had."
            self.notes.gap(at, what)
        return any_of([cond, *({"unit": unit} for unit in units)])

    def _sentences(self, target: SourceEntry) -> list[tuple[SourceEntry, str]]:
        """Return what an option's text asks, where no name of it says so already."""
        named = any(split(one.name).phrases for one in (target, *self.survey.links[target]))
        found = [(target, sentence) for sentence in target.sentences]
        if named:
            self.notes.ledger.judged(*found)
        return [] if named else found

    def _stale(self, link: SourceEntry, phrase: str, target: SourceEntry) -> None:
        """Tell what a link's name asks where its target has another: it may be out of date, and is
        where nobody who is offered the target can be what it asks.
        """
        if self.restrictions.cond(phrase, target) is False:
            self.notes.ledger.idle("what a link's stale name asks of nobody there", (link, phrase))
            return
        what = f"perhaps {phrase[0].lower()}{phrase[1:]}"
        self.notes.unchecked(target, what, "source")
        self.notes.ledger.unchecked(what, (link, phrase))

    def _placed(self, entry: SourceEntry, target: SourceEntry, around: Around) -> BookDraft:
        """Return the node at its place: itself, or a use if it is shared."""
        if not self.survey.is_shared(target):
            draft = self._draft(target, around)
            return draft if entry is target else self._linked(draft, entry, target, around)
        if target in self.refused:
            raise self.refused[target]
        if target not in self.shared:
            # Put in before it is built, so that shared nodes stand in the order they are met.
            self.shared[target] = BookDraft(target, "option", "")
            try:
                self.shared[target] = self._shared(target)
            except Refusal as refusal:
                self.refused[target] = refusal
                del self.shared[target]
                raise
        draft = BookDraft(target, "use", self.shared[target].name)
        draft.available = self.shared[target].available is not False
        return draft if entry is target else self._linked(draft, entry, target, around)

    def _shared(self, target: SourceEntry) -> BookDraft:
        draft = self._draft(target, Around())
        links = self.survey.links[target]
        names = {self.traits.link_name(link, target) for link in links}
        if len(names) == 1:
            draft.name = names.pop()
        if links and self.links.agree(target):
            self._add_extras(draft, links[0], Around())
            for child in (child for link in links[1:] for child in link.children):
                self.notes.ledger.judged(*things_of(child))
        if draft.kind == "option":
            draft.available = self._named(draft, target, target)
        return draft

    def _draft(self, entry: SourceEntry, around: Around) -> BookDraft:
        if entry.is_group or self.traits.is_wrapper(entry):
            return self._group(entry, around)
        return self._option(entry, around)

    def _group(self, entry: SourceEntry, around: Around) -> BookDraft:
        self.notes.read["groups"] += 1
        if not entry.is_group:
            self.notes.dropped[drafts.FLATTENED] += 1
        amounts = self.reckoner.limits(entry, "group")
        most = None if not entry.is_group else amounts.values.get("max")
        inner = around if amounts.moves("max") else around.within(most)
        if not entry.is_group:
            inner = replace(inner, wrapper=entry)
        children = self.children(entry.children, inner)
        draft = BookDraft(entry, "group", self.traits.own_name(entry), children=children)
        draft.available = amounts.available
        draft.facts |= self.groups.facts(entry, amounts, around, draft)
        draft.facts["categories"] = self.options.of_group(entry, entry)
        return draft

    def _option(self, entry: SourceEntry, around: Around) -> BookDraft:
        self.notes.read["options"] += 1
        draft = BookDraft(entry, "option", self.traits.own_name(entry))
        draft.children = self.children(entry.children, around.taken_on(entry))
        self.options.fill(draft, around)
        if entry in self.musts:
            draft.facts["must_lead"] = self.musts[entry]
        return draft

    def _general(self, entry: SourceEntry, target: SourceEntry, around: Around) -> None:
        """Note when the unit may lead, instead of an option."""
        self.notes.dropped[drafts.GENERAL] += 1
        places = (entry, target) if entry is not target else (entry,)
        seen = all_of(self.reckoner.limits(one, "option").available for one in places)
        seen = self.options.without(seen, self.survey.is_standard_bearer, drafts.NOT_A_LEADER)
        taken: list[Cond] = [{"taken": [option]} for option in around.on]
        for owner in self.survey.owners[entry]:
            self.leads[owner].append(all_of([seen, *taken]))
            self._generals_price(entry, target, owner, taken)
            must = self._must(entry)
            if must is not False:
                self.musts[around.on[-1] if around.on else owner] = must
        marks = [found for child in entry.children if (found := self.survey.target(child))]
        for part in (entry, target, *entry.children, *marks):
            self.notes.ledger.judged(*part.constraints)

    def _must(self, general: SourceEntry) -> Cond:
        """When a place where the General is marked says that its unit has to be the General."""
        if _is_forced(general) or any(map(_leaves_no_choice, self.survey.holders(general))):
            return True
        ids = {part.id for part in _least(general)}
        raised = [
            modifier
            for modifier in general.modifiers
            if modifier.field in ids and self.reckoner.number(modifier, general) > 0
        ]
        asked = (self.reckoner.said(one, general, "when it is the General") for one in raised)
        return any_of(cond for cond in asked if cond is not None)

    def _generals_price(
        self, entry: SourceEntry, target: SourceEntry, owner: SourceEntry, taken: list[Cond]
    ) -> None:
        """Note what being the General costs who may be it, and the rules that come with it."""
        general = all_of([*taken, {"role": "general"}])
        base = target.cost if entry.cost is None else entry.cost
        points, per_model, changes = self.reckoner.price(entry, base or 0)
        if per_model or changes:
            self.notes.unchecked(owner, "what being the General costs", "condition")
        if points:
            self.generals[owner].append({"if": general, "add": {"points": points}})
        words = self.traits.keywords([entry] if entry is not target else [], "")
        told = self.traits.own_name(entry).removeprefix("Army General").strip()
        for word in [*words, *([told.removeprefix("and ")] if told else [])]:
            name = word["name"] if isinstance(word, dict) else word
            self.extra_keywords[owner].append({"name": name, "if": general})

    def _linked(
        self, draft: BookDraft, link: SourceEntry, target: SourceEntry, around: Around
    ) -> BookDraft:
        """Return the node with what the link says at this place."""
        self.links.put(draft, link, target, around)
        if draft.kind != "use":
            self._add_extras(draft, link, around)
        elif not self.links.agree(target):
            self._lift_extras(link, target)
            places = self.options.of_group if target.is_group else self.options.of_option
            draft.facts["categories"] = places(target, link)
        return draft

    def _add_extras(self, draft: BookDraft, link: SourceEntry, around: Around) -> None:
        """Put what a link adds to its target into the target's own node."""
        facts = draft.facts
        inner = around.taken_on(draft.source) if draft.kind == "option" else around
        draft.children += self.children(self.links.others(link, draft.source), inner)
        places = self.options.of_group if draft.kind == "group" else self.options.of_option
        added = places(draft.source, link)
        facts["categories"] = [*facts.get("categories", []), *added]
        if draft.kind == "group":
            return
        if draft.source in self.musts:
            facts["must_lead"] = self.musts[draft.source]
        words = self.traits.keywords([link], draft.name)
        facts["keywords"] = [*facts.get("keywords", []), *words]

    def _lift_extras(self, link: SourceEntry, target: SourceEntry) -> None:
        """Put beside it in the unit what only this link adds."""
        owners = self.survey.owners[link]
        taken: Cond = {"taken": [target]}
        for draft in self.children(self.links.others(link, target), Around()):
            self._make_follow(draft, taken)
            for owner in sorted(owners, key=self.survey.order.index):
                self.lifted[owner].append(draft)
        for word in self.traits.keywords([link], ""):
            name = word["name"] if isinstance(word, dict) else word
            for owner in owners:
                self.extra_keywords[owner].append({"name": name, "if": taken})

    def _make_follow(self, draft: BookDraft, taken: Cond) -> None:
        """Let the option come and go with another one."""
        draft.available = all_of([draft.available, taken])
        least, most = self._number(draft)
        if least:
            draft.facts["number"] = [0, most]
            change: Change = {"if": taken, "set": {"min": least}}
            draft.facts["when"] = [*draft.facts.get("when", []), change]


def _is_alike(node: BookDraft, other: BookDraft) -> bool:
    """Return whether two nodes are the same thing, to be had alike but for its number."""
    facts = [
        {key: value for key, value in draft.facts.items() if key != "number" and value}
        for draft in (node, other)
    ]
    same = node.source is other.source and node.available == other.available
    return same and node.name == other.name and facts[0] == facts[1]


def _least(entry: SourceEntry) -> list[Constraint]:
    """Return what says how often an entry is taken at least where it stands."""
    return [part for part in entry.constraints if part.type == "min" and part.scope == "parent"]


def _is_forced(entry: SourceEntry) -> bool:
    """Whether an entry is there whenever what it stands in is."""
    return any(part.value > 0 for part in _least(entry))


def _leaves_no_choice(holder: SourceEntry) -> bool:
    """Whether a group asks for one of its choices and offers one only."""
    return (
        holder.is_group
        and _is_forced(holder)
        and len(holder.children) == 1
        and not holder.modifiers
    )
