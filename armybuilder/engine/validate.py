"""`validate`: check a roster against the rules of its game system.

The roster is priced and tallied once per line-up (`tally.py`); then every rule reads those
numbers. Cost grows with picks plus rules, not with their product.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from armybuilder.engine.about import AboutCap, AboutUnit
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import Severity
from armybuilder.engine.lines import make_lines
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule, Trigger
from armybuilder.engine.tally import Tally, line_ups
from armybuilder.engine.units import Unit

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
    known = None if before is None else before.full
    lines = make_lines(roster, system, {} if known is None else known.by_pick)
    tallies = line_ups(roster, system, lines, system.faction, known)
    full = tallies[0]
    if len(tallies) > 1:
        findings = _of_cards(full, system)
        for rule in system.rules:
            if rule.head.applies(roster.settings):
                several = rule.head.each_lineup
                findings += _over_line_ups(rule, tallies) if several else rule.judge(full)
    elif before is not None and len(before.tallies) == 1:
        findings = _changed(full, system, before)
    else:
        counted = {number for number, picks in enumerate(full.picks_by) if picks}
        findings = _of_units(full, system, counted) + _judge(system.of_army, full)
    return findings + _judge(system.always, full), tallies


def _changed(full: Tally, system: System, before: Report) -> list[Finding]:
    """Return the findings after a report on another roster, with one line-up each: only what new
    and gone lines can have changed is judged.
    """
    known, new, gone = before.full, full.new, full.gone
    ids = {line.pick.id for line in gone}
    counted = {number for line in new for number in full.numbers_of(line)}
    touched = counted.union(*(known.numbers_of(line) for line in gone))
    same_place = full.place == known.place
    caps = {key for line in (*new, *gone) for key in line.caps} if same_place else None
    units = full.of_lines(new, caps)
    findings: list[Finding] = []
    of_army: dict[Rule, list[Finding]] = {}
    for finding in before.findings:
        rule, about = finding.rule, finding.about
        if rule.by_unit:
            stays = finding.units[0] not in ids
        else:
            stays = caps is not None and isinstance(about, AboutCap) and about.key not in caps
            of_army.setdefault(rule, []).append(finding)
        if stays:
            findings.append(finding)
    findings += _of_units(units, system, counted)
    same_lifts = full.lifts == known.lifts
    for rule in system.of_army:
        if same_place and same_lifts and rule.reads is not None and rule.reads.isdisjoint(touched):
            findings += of_army.get(rule, ())
        elif rule.head.applies(full.roster.settings):
            findings += rule.judge(units if rule.by_held else full)
    return findings


def _judge(rules: Iterable[Rule], tally: Tally) -> list[Finding]:
    """Return the findings of rules in one line-up, in no order."""
    findings: list[Finding] = []
    for rule in rules:
        if rule.head.applies(tally.roster.settings):
            findings += rule.judge(tally)
    return findings


def _of_units(tally: Tally, system: System, counted: Iterable[int]) -> list[Finding]:
    """Return the findings about single units of a tally, whose lines and options are counted by
    the selectors of these numbers.
    """
    triggers: set[Trigger] = {None, *counted}
    for line in tally.lines:
        if line.loadout.breaches:
            triggers.update(breach.aspect for breach in line.loadout.breaches)
        if line.pick.roles:
            triggers.update(f"role:{role}" for role in line.pick.roles)
    rules = (one for trigger, some in system.by_unit.items() if trigger in triggers for one in some)
    return _of_cards(tally, system) + _judge(rules, tally)


def _of_cards(tally: Tally, system: System) -> list[Finding]:
    """Return the findings about units by themselves."""
    settings = tally.roster.settings
    findings: list[Finding] = []
    for line in tally.lines:
        if line.unit.faults:
            findings += unit_findings(line.unit, system, settings, line.pick.id, line.name)
    return findings


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
