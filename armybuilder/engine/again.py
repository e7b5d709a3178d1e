"""A roster judged that differs a little from one that was: lines of picks that are the same stay as
they are, unless a condition on them asks for what has changed in the army.
"""

from armybuilder.engine.conditions import Army
from armybuilder.engine.lines import Line, census, make_line
from armybuilder.engine.loadout import count_taken
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding
from armybuilder.engine.tally import line_ups
from armybuilder.engine.validate import judge


def again(roster: Roster, before: Report) -> tuple[list[Finding], int]:
    """Return what `validate` finds on a roster, in no order, and its points; `before` is the report
    on another of the same catalogue, with which it shares those picks that are one object.
    """
    system = before.system
    had = {id(line.pick): line for line in before.full.lines}
    counted = [
        (pick, dict(had[id(pick)].place.taken) if id(pick) in had else count_taken(pick.picks))
        for pick in roster.picks
    ]
    army = census(roster, system, counted)
    lines = []
    for pick, taken in counted:
        known = had.get(id(pick))
        if known is not None and _holds(known, army):
            lines.append(known)
        elif line := make_line(pick, system, army, taken):
            lines.append(line)
    tallies = line_ups(roster, system, tuple(lines), system.faction, army)
    return list(judge(system, tallies)), tallies[0].points


def _holds(line: Line, army: Army) -> bool:
    """Return whether a line is the same in another army."""
    was = line.place.army
    if was is army:
        return True
    if was.limit != army.limit or was.settings != army.settings:
        return False
    return all(was.counts.get(tag) == army.counts.get(tag) for tag in line.unit.army_tags)
