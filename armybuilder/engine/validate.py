"""`validate`: check a roster against the rules of its game system.

The roster is priced and tallied once per line-up (`tally.py`); then every rule reads those
numbers. Cost grows with picks plus rules, not with their product.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from armybuilder.engine.about import AboutCap, AboutUnit
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import Severity
from armybuilder.engine.lines import make_lines
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.tally import Tally, line_ups
from armybuilder.engine.units import Unit

_NONE_KNOWN: Mapping[Rule, list[Finding]] = MappingProxyType({})
_GRAVITY = {severity: number for number, severity in enumerate(Severity)}


def validate(roster: Roster, catalogue: Catalogue, before: Report | None = None) -> Report:
    """All findings about the roster, gravest first, then in the order of the system's rules.

    A report on a roster `before`, of the same catalogue and in the same language, saves time where
    many picks are one object in both.
    """
    findings, tallies = _evaluated(roster, catalogue.system, before)
    if findings:
        place = {pick.id: number for number, pick in enumerate(roster.picks)}
        findings.sort(
            key=lambda finding: (
                _GRAVITY[finding.severity],
                finding.head.order,
                place.get(finding.units[0], -1) if finding.units else -1,
                finding.about.text,
            )
        )
    return Report(tuple(findings), tallies, catalogue)


def again(roster: Roster, before: Report) -> tuple[list[Finding], Tally]:
    """Return what `validate` finds after a report on another roster, in no order, and the line-up
    with every model: for who asks for no more of many rosters.
    """
    findings, tallies = _evaluated(roster, before.system, before)
    return findings, tallies[0]


def _evaluated(
    roster: Roster, system: System, before: Report | None
) -> tuple[list[Finding], tuple[Tally, ...]]:
    """Return all findings, those that cannot have changed as they were in the report, and the
    line-ups.
    """
    if before is None:
        tallies = line_ups(roster, system, make_lines(roster, system), system.faction)
        return list(_judge(system, tallies)), tallies
    lines = make_lines(roster, system, before.full.by_pick)
    tallies = line_ups(roster, system, lines, system.faction, before.full)
    if len(tallies) + len(before.tallies) > 2:
        return list(_judge(system, tallies)), tallies
    full = tallies[0]
    had, new, gone = before.full, full.new, full.gone
    same_place = full.place == had.place
    caps = {key for line in (*new, *gone) for key in line.caps} if same_place else set()
    units = full.of_lines(new, caps)
    gone_ids = {line.pick.id for line in gone}
    kept = [
        one
        for one in before.findings
        if (one.rule.by_unit and one.units[0] not in gone_ids)
        or (same_place and isinstance(one.about, AboutCap) and one.about.key not in caps)
    ]
    if not same_place:
        return [*kept, *_judge(system, tallies, units)], tallies
    known = _untouched(before, full) if full.lifts == had.lifts else {}
    return [*kept, *_judge(system, tallies, units, units, known)], tallies


def _untouched(before: Report, full: Tally) -> dict[Rule, list[Finding]]:
    """Return the findings of the rules that read no count of new or gone lines."""
    read = {number for line in full.new for number in full.numbers_of(line)}
    read.update(number for line in full.gone for number in before.full.numbers_of(line))
    known: dict[Rule, list[Finding]] = {
        rule: []
        for rule in before.system.rules
        if rule.reads is not None and rule.reads.isdisjoint(read)
    }
    for finding in before.findings:
        if finding.rule in known:
            known[finding.rule].append(finding)
    return known


def _judge(
    system: System,
    tallies: tuple[Tally, ...],
    changed: Tally | None = None,
    held: Tally | None = None,
    known: Mapping[Rule, list[Finding]] = _NONE_KNOWN,
) -> Iterator[Finding]:
    """Yield the findings of all rules over the line-ups, in no order. With one line-up, findings
    about single units are limited to `changed` lines if those of the others are known, those
    about caps to the `held` ones; `known` are those of rules that nothing concerns that changed.
    """
    full = tallies[0]
    settings, units = full.roster.settings, changed or full
    breaches = False
    for rule in system.always:
        yield from rule.judge(full)
    for line in units.lines:
        breaches = breaches or bool(line.loadout.breaches)
        if line.unit.faults:
            yield from unit_findings(line.unit, system, settings, line.pick.id, line.name)
    for rule in system.rules:
        if not rule.head.applies(settings):
            continue
        if rule.head.each_lineup and len(tallies) > 1:
            yield from _over_line_ups(rule, tallies)
        elif rule.by_unit:
            if (rule.trigger is None or units.picks_by[rule.trigger]) and (
                breaches or not rule.aspects
            ):
                yield from rule.judge(units)
        elif rule.by_held:
            yield from rule.judge(held or full)
        elif rule in known:
            yield from known[rule]
        else:
            yield from rule.judge(full)


def unit_findings(
    unit: Unit, system: System, settings: Mapping[str, object], key: str = "", name: str = ""
) -> Iterator[Finding]:
    """Return findings about a unit itself by the rules that hold with these settings, for any
    list; `key` is the id of its entry, `name` its name."""
    for fault in unit.faults:
        if fault.head.applies(settings):
            values = {"unit": name or unit.name, **fault.values}
            rule, about = system.rule(fault.head.id), AboutUnit(key)
            yield rule.finding((key,), fault.measured, fault.allowed, values, about)


def _over_line_ups(rule: Rule, tallies: tuple[Tally, ...]) -> Iterator[Finding]:
    """Return the rule's findings in several line-ups, each with its line-up; one with the same
    numbers in all of them occurs once, without a line-up."""
    by_line_up = [
        {finding.key: replace(finding, lineup=tally.lineup) for finding in rule.judge(tally)}
        for tally in tallies
    ]
    keys = dict.fromkeys(key for findings in by_line_up for key in findings)
    for key in keys:
        present = [findings[key] for findings in by_line_up if key in findings]
        told = {
            (finding.measured, finding.allowed, str(finding.values.get("factions")))
            for finding in present
        }
        if len(present) == len(by_line_up) and len(told) == 1:
            yield replace(present[0], lineup="")
        else:
            yield from present
