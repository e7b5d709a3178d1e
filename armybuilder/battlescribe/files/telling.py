"""Errors and remarks of a list by the files of its game, in sentences."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from armybuilder.battlescribe.files.books import cost_types
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.documents import Missing, books_of
from armybuilder.battlescribe.files.event_rules import EventRule
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.files.reports import MARKS, Told
from armybuilder.battlescribe.files.rosters import RosterReader
from armybuilder.battlescribe.files.rules import strange_in
from armybuilder.battlescribe.files.showing import Shown, number_text
from armybuilder.engine.kernel.branches import Breach, Node, Why
from armybuilder.engine.kernel.conditions import FORCES, NUMBER, Kind, Number, whole
from armybuilder.engine.kernel.definitions import Bound, Definition
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.states import TO_DO
from armybuilder.engine.verdict import outcome_words
from armybuilder.engine.wording import say
from armybuilder.loading.file_packs import FilePack


@dataclass(frozen=True)
class FileVerdict:
    """Verdict of a game's files on a roster: errors, authors' advice, and what isn't checked."""

    sentences: tuple[str, ...]
    advice: tuple[str, ...]
    unchecked: tuple[str, ...]

    @property
    def is_legal(self) -> bool:
        """Return whether nothing is wrong, as far as it was checked."""
        return not self.sentences

    @property
    def words(self) -> str:
        """The outcome in a few words."""
        return outcome_words(self.is_legal, len(self.unchecked))


def verdict_on(root: FileElement, game: GameFiles) -> FileVerdict:
    """Return the verdict of a game's files on a roster. Raises Refusal if it is unreadable."""
    reader = RosterReader(game, books_of(game))
    evaluation = Evaluation(reader.read(root))
    found: dict[str, list[str]] = {mark: [] for mark in MARKS.values()}
    found["unchecked"] += reader.unread
    for finding in Teller(game, evaluation).findings:
        found[finding.mark].append(f"{finding.sentence} {finding.citation}".strip())
    errors, missing, warnings, notes, unchecked = (tuple(one) for one in found.values())
    return FileVerdict((*errors, *missing), (*warnings, *notes), unchecked)


def mark_of(breach: Breach) -> str:
    """Return the mark with which a breach is drawn."""
    if isinstance(breach.node.definition, Missing):
        return MARKS["error"]
    if breach.severity == "error" and breach.bound is not None and not breach.is_over:
        return TO_DO
    return MARKS[breach.severity]


class Teller:
    """Puts the findings on a list, for the event of a `pack`, into sentences."""

    def __init__(
        self, game: GameFiles, evaluation: Evaluation, pack: FilePack | None = None
    ) -> None:
        self.game = game
        self.evaluation = evaluation
        self.pack = pack
        self.shown = Shown(evaluation)
        costs = cost_types(game, evaluation)
        self.costs = {id: cost.get("name") for id, cost in costs.items()}

    @cached_property
    def findings(self) -> tuple[Told, ...]:
        """The findings on the list, each once, the gravest first."""
        found: dict[str, dict[str, Told]] = {mark: {} for mark in MARKS.values()}
        findings = [self._told(breach) for breach in self.evaluation.breaches]
        by_hand = self.pack.by_hand if self.pack else ()
        findings += (self._by_event(MARKS["unknown"], rule["summary"], rule) for rule in by_hand)
        for finding in findings:
            found[finding.mark].setdefault(finding.sentence, finding)
        return tuple(one for of in found.values() for one in of.values())

    def _by_event(self, mark: str, sentence: str, rule: Mapping[str, Any]) -> Told:
        """Return a finding by a rule of the event."""
        cited = self.pack.cite(rule["cite"]) if self.pack else ""
        return Told(mark, sentence, f"({cited})", of_event=True, code=rule["id"])

    def _told(self, breach: Breach) -> Told:
        mark, said = mark_of(breach), self.said(breach)
        code = breach.bound.id if breach.bound is not None else str(breach.why)
        if breach.why is Why.LIMIT and self.pack and breach.cost in self.pack.limits:
            limits = (one for one in self.pack.rules if one["kind"] == "limit")
            rule = next(one for one in limits if one["cost"]["id"] == breach.cost)
            return self._by_event(mark, said, rule)
        finding = Told(mark, said, self.cited(breach), code=code)
        if isinstance(breach.node.definition, EventRule):
            return replace(finding, of_event=True, code=breach.node.definition.key)
        near = next((node for node in breach.node.chain() if node.pick is not None), None)
        if near is None:
            return finding
        force = self.evaluation.picks.get(near.force)
        unit = near.branch.root.pick if near.branch is not None else None
        pick = near.pick if unit is not None else None
        at, on, within = (one.id if one is not None else "" for one in (unit, pick, force))
        return replace(finding, unit=at, pick=on, force=within)

    def said(self, breach: Breach) -> str:
        """Return a finding as a sentence."""
        name = self._name(breach.node)
        if breach.severity == "unknown":
            return self._unchecked(breach)
        if breach.why is Why.LOOP:
            return say("Some prices depend on each other; they are shown without changes.")
        if breach.why is Why.LIMIT:
            return say(
                "The list costs {spent} {cost}; the maximum is {limit}.",
                spent=number_text(breach.measured),
                cost=self.costs.get(breach.cost, breach.cost),
                limit=number_text(breach.allowed),
            )
        if breach.notice is not None:
            return f"{name}: {breach.notice.change.value.replace('{this}', name)}"
        if breach.bound is not None:
            rule = breach.bound.definition
            if isinstance(rule, EventRule):
                return self._of_event(breach, rule)
            return self._of_bound(breach, breach.bound)
        if isinstance(breach.node.definition, Missing):
            return say("{name} is not in the files.", name=name)
        return say("{name} can’t be taken here.", name=name)

    def _of_event(self, breach: Breach, rule: EventRule) -> str:
        """Return which rule of an event is broken, with its numbers."""
        over = breach.is_over
        measured, allowed = breach.measured, breach.allowed
        if breach.bound is not None and breach.bound.id == rule.key:
            measured, allowed = rule.measured(measured, allowed, over)
        text = (
            say("{rule} {measured} {what}; the maximum is {allowed}.")
            if over
            else say("{rule} {measured} {what}; the minimum is {allowed}.")
        )
        numbers = {"measured": number_text(measured), "allowed": number_text(allowed)}
        what = self.costs.get(rule.cost, "")
        return text.format(rule=rule.name, what=what, **numbers).replace(" ;", ";")

    def _of_bound(self, breach: Breach, bound: Bound) -> str:
        if isinstance(bound.definition, FileDefinition) and bound.definition.associates(bound):
            return say(
                "{name} must be given to {wanted} {where}: {measured}; the minimum is {allowed}.",
                name=bound.definition.name,
                wanted=self._named(bound.query.tag, bound) or bound.query.tag,
                where=say("in {name}", name=self._name(breach.at)),
                measured=number_text(breach.measured),
                allowed=number_text(breach.allowed),
            )
        text = (
            say("{name}: {measured} {what} {where}; the maximum is {allowed}.")
            if breach.is_over
            else say("{name}: {measured} {what} {where}; the minimum is {allowed}.")
        )
        if bound.is_of_limit:
            text = (
                say("{name}: the list’s limit is {measured} {what}; the maximum is {allowed}.")
                if breach.is_over
                else say("{name}: the list’s limit is {measured} {what}; the minimum is {allowed}.")
            )
        field = bound.of_limit or bound.query.field
        what = self.costs.get(field, "") if field not in (NUMBER, FORCES) else ""
        filled = text.format(
            name=self._counted(breach, bound),
            measured=number_text(breach.measured),
            what=what,
            where=say("in {name}", name=self._name(breach.at)),
            allowed=number_text(breach.allowed),
        )
        own = self._message(breach, bound, what)
        return f"{own} ({filled})" if own else filled.replace("  ", " ")

    def _counted(self, breach: Breach, bound: Bound) -> str:
        """Return the name under which a bound counts."""
        rule, tag = bound.definition, bound.query.tag
        if rule is not breach.at.definition or not isinstance(rule, FileDefinition):
            return rule.name
        if bound.query.field == FORCES and not tag:
            return rule.get("childForcesLabel") or say("Forces")
        if bound not in rule.standing:
            return rule.name
        kinds = {"model": say("Models"), "unit": say("Units")}
        return kinds.get(tag) or self._named(tag, bound) or rule.name

    def _message(self, breach: Breach, bound: Bound, what: str) -> str:
        """Return the message that the author of a bound wrote for its breach, filled in."""
        side = bound.high if breach.is_over else bound.low
        base: Number = breach.allowed if side is None else side.base
        known = {
            "current": number_text(breach.measured),
            "value": number_text(base),
            "total": number_text(breach.allowed),
            "difference": number_text(whole(abs(Fraction(breach.measured - breach.allowed)))),
            "of": bound.definition.name,
            "scope": self._name(breach.at),
            "field": what,
            "%": "%" if bound.share else "",
        }
        text = re.sub(
            r"\{([^{}]*)\}",
            lambda found: known.get(found[1], self._named(found[1], bound) or found[0]),
            bound.message,
        )
        return text.replace("**", "")

    def _named(self, id: str, bound: Bound) -> str:
        """Return the name of the element with an id in the files of a bound; "" without one."""
        definition = bound.definition
        if not isinstance(definition, FileDefinition):
            return ""
        return self.game.name_of(id, definition.main)

    def _unchecked(self, breach: Breach) -> str:
        """Return a restriction that isn't checked, with its unknown constructs."""
        node, name = breach.node, self._name(breach.node)
        parts: list[object] = []
        if breach.notice is not None:
            change = breach.notice.change
            text = say("{name} is only partly checked.", name=name)
            parts = [change if breach.notice.severity == "unknown" else change.when]
        elif breach.bound is not None:
            name = breach.bound.definition.name
            text = say("We can’t work out the limit for {name}.", name=name)
            parts = [breach.bound.low, breach.bound.high]
        elif breach.move is not None:
            text = say("We can’t work out the categories of {name}.", name=name)
            parts = [breach.move.when]
        elif breach.cost:
            text = say("We can’t work out the cost of {name}.", name=name)
            parts = [node.definition.prices[breach.cost]]
        else:
            text = say("We can’t work out whether {name} can be taken.", name=name)
            around = (*node.definition.groups, *node.force.definition.sections.values())
            parts = [one.hidden for one in (node.definition, *around)]
        strange = ", ".join(dict.fromkeys(name for part in parts for name in strange_in(part)))
        if strange:
            text += " " + say("Not understood: {constructs}.", constructs=strange)
        return text

    def _name(self, node: Node) -> str:
        if node.definition.kind is Kind.LIST:
            return say("the list")
        return self.shown.name(node)

    def cited(self, breach: Breach) -> str:
        """Return which file says so, in its revision."""
        if breach.why in (Why.LOOP, Why.LIMIT):
            return ""
        return self.cited_of(breach.node.definition)

    def cited_of(self, definition: Definition) -> str:
        """Return which file defines something, in its revision."""
        if isinstance(definition, EventRule):
            return f"({definition.citation})"
        if not isinstance(definition, FileDefinition):
            return ""
        root = definition.main.root
        name, revision = root.get("name"), root.get("revision", "?")
        return say("(source: {name}, revision {revision})", name=name, revision=revision)
