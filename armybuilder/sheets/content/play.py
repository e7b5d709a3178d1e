"""A list for playing on a screen: rows to tap, states, phases, score, as plain data.

It holds everything that the page needs, in the reader's language, so that play needs no server. The
things a game tracks are data of its system (`PlayRules`); figures are those of `UnitView`.
"""

import re
from collections.abc import Iterator
from math import inf
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.engine.describe import bears_battle_standard
from armybuilder.engine.meanings import Meanings
from armybuilder.engine.options import slug
from armybuilder.engine.play_rules import PlayRules, PlayScore
from armybuilder.engine.prices import Share
from armybuilder.engine.vocabulary import BUILD
from armybuilder.engine.wording import say, say_given
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.make_units import BATTLE_STANDARD
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.content.unit_view import MOST_ROWS, UnitView
from armybuilder.sheets.content.unit_words import boxed

#: Data that pages and scripts exchange.
Data = dict[str, Any]


def play_side(material: Material, sheet: Sheet) -> Data:
    """Return a list for playing; of an open `sheet` no more than that shows."""
    return _Side(material, sheet).data()


class _Side:
    """Makes the data of one list."""

    def __init__(self, material: Material, sheet: Sheet) -> None:
        self.material, self.sheet = material, sheet
        self.system = material.system
        self.rules = self.system.play
        described = self.rules.states if self.rules else ()
        names = {state.name for state in described}
        self.ticked_only = [name for name in self.system.states if name not in names]
        self.states = described
        self.picks = {pick.id: pick for pick in material.roster.picks}
        self.lines = {line.pick.id: line for line in material.report.full.lines}
        self.once = {slug(name) for name in self.rules.once} if self.rules else set()

    def data(self) -> Data:
        sheet = self.sheet
        points = sheet.price if self.material.report.counts.errors else ""  # a legal verdict has it
        return {
            "name": sheet.title,
            "system": self.system.id,
            "about": " · ".join(filter(None, (self.system.name, *sheet.books, points))),
            "books": list(sheet.books),
            "hash": sheet.hash,
            "limit": sheet.limit,
            "verdict": sheet.verdicts,
            "rows": [row for unit in sheet.units if unit.counts for row in self._rows(unit)],
            "game": self._game(),
        }

    # The game

    def _game(self) -> Data:
        rules = self.rules
        named = [{"name": say(name), "cite": ""} for name in self.ticked_only]
        if rules is None:
            return game_without_rules(named)
        steps = rules.activated
        return {
            "round": {
                **_named(rules.round),
                "last": rules.round.last,
                "each": rules.round.each,
            },
            "phases": self._phases(rules),
            "states": [
                *named,
                *(
                    {**_named(state), "out": state.out, "casualty": state.casualty,
                     "away": state.away}
                    for state in rules.states
                ),
            ],
            "breaks": [
                {
                    **_named(one.head),
                    "text": say(one.phrase),
                    "share": _pair(one.share),
                    "down": one.down,
                    "note": say_given(one.head.note),
                }
                for one in rules.breaks
            ],
            "activates": rules.activates,
            "activated": {
                **_named(steps.head),
                "steps": steps.steps,
                "beyond": _pair(steps.beyond) if isinstance(steps.beyond, Share) else steps.beyond,
            }
            if steps
            else None,
            "score": self._score(rules.score) if rules.score else None,
        }  # fmt: skip

    def _phases(self, rules: PlayRules) -> list[Data]:
        """Return the phases, each with the parts of the list that matter in it."""
        by_group: dict[str, dict[int, Data]] = {}
        meanings = Meanings(self.material.catalogue)
        for unit in self.sheet.units:
            for name in self._names(unit):
                for meaning in meanings.explained(name):
                    entry = by_group.setdefault(meaning.group, {}).setdefault(
                        id(meaning),
                        {"name": meaning.name, "text": meaning.summary,
                         "cite": str(meaning.citation), "who": []},
                    )  # fmt: skip
                    if unit.title not in entry["who"]:
                        entry["who"].append(unit.title)
        remembered = {line.name: line for line in self.sheet.reminders}
        phases = []
        for phase in rules.phases:
            told = [
                {"name": line.name, "text": line.text, "cite": str(line.citation), "who": []}
                for name, line in remembered.items()
                if name in phase.reminders
            ]
            for group in by_group:
                told += by_group[group].values() if group in phase.groups else ()
            phases.append({**_named(phase), "once": phase.once, "told": told})
        return phases

    def _names(self, unit: UnitView) -> Iterator[str]:
        yield from (*unit.rules, *unit.given)
        yield from (taken.plain for taken in unit.options)
        pick = self.picks.get(unit.id)
        if pick and pick.unit:
            yield from (use.ability.name for use in pick.unit.abilities)
        if unit.wizard:
            yield unit.wizard.kind

    def _score(self, score: PlayScore) -> Data:
        settings = self.material.roster.settings
        result = score.result
        order = [*self.ticked_only, *(state.name for state in self.states)]
        return {
            **_named(score),
            "parts": [[order.index(part.state), *_pair(part.share)] for part in score.parts],
            "steps": [
                {**_named(step), "points": step.points}
                for step in score.steps
                if step.fits(settings)
            ],
            "result": {
                **_named(result),
                "rows": result.rows,
                "objective": result.objective,
                "goal": say_given(result.goal),
            }
            if result
            else None,
        }

    # Rows

    def _rows(self, unit: UnitView) -> Iterator[Data]:
        """Yield a row for a unit of an army, and for each model that is bought singly."""
        single = not unit.sized and unit.models <= MOST_ROWS
        numbers = range(1, unit.models + 1) if single else (0,)
        for number in numbers:
            several = single and unit.models > 1
            yield {
                "id": f"{unit.id}-{number}",
                "name": f"{unit.name} {number}" if several else unit.title,
                "about": " · ".join(filter(None, (unit.unit_name, *unit.marks, unit.armour))),
                "stats": _stats(unit) if not unit.sized else "",
                "more": list(_more(unit)),
                "models": 1 if single else unit.models,
                "price": unit.each if single else unit.points,
                **self._endurance(unit, single),
                **self._worth(unit, single),
                "uses": self._uses(unit),
            }

    def _endurance(self, unit: UnitView, single: bool) -> Data:
        """Return the losses that a row can take, in which steps, and the states they cause."""
        word, per, box = _health_word(unit), unit.health or 0, unit.health_box
        total = unit.health if single else unit.total_health
        has_health = any(stat.health for stat in self.system.stats.values())
        unknown = total is None and (has_health or (unit.sized and not unit.formed))
        counted = not unit.formed and total is None and unit.models > 1
        if not single and (counted or not unit.sized):
            total, per, word, unknown = unit.models, 1, _("Models"), unknown or bool(per)
        tags = self._tags(unit)
        worked, ticks = [], list(range(len(self.ticked_only)))
        for place, state in enumerate(self.states, len(self.ticked_only)):
            if state.with_any and not state.with_any & tags:
                continue
            left = state.left(total) if total and not (unknown and state.at) else None
            gone = unknown and state.at is not None and state.out and bool(total)
            if gone:  # without any model nothing is left, whatever each could take
                left = 0
            if left is not None:
                worked.append((place, left, state.out))
            if left is None or (state.out and not state.past):
                ticks.append(place)
        # Where it is gone, it is nothing else.
        end = max((left for _place, left, out in worked if out), default=-inf)
        return {
            "health": total or 0,
            "over": any(left < 0 for _place, left, _out in worked),
            "per": per,
            "word": word,
            "hits": hits_of(total or 0, per, box),
            "at": [[place, left] for place, left, out in worked if out or left > end],
            "ticks": ticks,
            "unknown": unknown,
        }

    def _tags(self, unit: UnitView) -> set[str]:
        """Return the names that a unit is known by, in the words of its game."""
        pick = self.picks.get(unit.id)
        names = {re.sub(r"\s*\(.*", "", name) for name in (*unit.rules, *unit.given)}
        names |= {taken.plain for taken in unit.options}
        names |= {self.system.roles[role].name for role in pick.roles} if pick else set()
        line = self.lines.get(unit.id)
        return names | ({BATTLE_STANDARD} if line and bears_battle_standard(line) else set())

    def _worth(self, unit: UnitView, single: bool) -> Data:
        """Return the enemy's score for a row: its value (None: not known), and more."""
        score, line = self.rules.score if self.rules else None, self.lines.get(unit.id)
        worth = unit.each if single else unit.points
        if score and score.worth and line:
            worth = score.worth.of(line, self.material.roster)
        tags = self._tags(unit)
        extras = score.extras if score else ()
        extra = sum(one.points for one in extras if one.mark in tags)
        return {"worth": worth if unit.priced else None, "extra": extra}

    def _uses(self, unit: UnitView) -> list[Data]:
        """Return the boxes to tick on use: for the game, each round or each turn anew."""
        pick = self.picks.get(unit.id)
        uses = [_use(use.label, use.boxes, says=use.summary) for use in unit.abilities if use.boxes]
        uses += [_use(use.label, use.boxes, says=use.summary) for use in unit.spells if use.boxes]
        for part in unit.texts:
            for line in part.lines:
                text, number = boxed(line)
                if number:
                    name, colon, _rest = text.partition(":")
                    uses.append(_use(name if colon else part.name, number, says=line))
        for pool in self.rules.pools if self.rules else ():
            if pick and pick.unit and (number := pool.of(pick.unit)):
                uses.append(_use(say(pool.name), number, "round" if pool.each_round else ""))
        names = (*unit.rules, *(one.plain for one in (*unit.options, *unit.items)))
        uses += [_use(name, 1) for name in dict.fromkeys(names) if self._is_once(name)]
        return [*uses, *map(_cast, self._spells(unit))]

    def _is_once(self, name: str) -> bool:
        return slug(name.partition("(")[0]) in self.once

    def _spells(self, unit: UnitView) -> Iterator[str]:
        """Yield the spells of a wizard's path."""
        path = unit.wizard.path if unit.wizard else ""
        for table in self.system.tables if path else ():
            column = table.columns.index("Spell") if table.paths and "Spell" in table.columns else 0
            for row in table.rows if column else ():
                if row[0] and row[0] in path and row[column][:1].isupper():
                    yield row[column]


def game_without_rules(states: list[Data], each: bool = False) -> Data:
    """Return a game of turns with these states; `each`: players take turns, and units activate."""
    turn = {"name": _("Turn"), "last": 0, "each": each, "cite": ""}
    return {"round": turn, "phases": [], "states": states, "breaks": [], "activates": each,
            "activated": None, "score": None}  # fmt: skip


def _named(part: Any) -> Data:
    """Return the name of a part of the rules, and its source."""
    return {"name": say(part.name), "cite": str(part.citation)}


def _pair(share: Share) -> tuple[int, int]:
    return share.numerator, share.denominator


def _use(name: str, number: int, each: str = "", says: str = "") -> Data:
    return {"name": name, "max": number, "each": each, "says": says}


def _cast(name: str) -> Data:
    return _use(name, 1, "turn")


def _health_word(unit: UnitView) -> str:
    return unit.health_name or _("Health Points")


def hits_of(total: int, per: int, box: int) -> list[int]:
    """Return the steps in which health goes at a tap, the smallest first."""
    if total <= 1:
        return [1] if total else []
    larger = 2 * box if box > 1 else per if 1 < per < total else 5
    return [box, larger] if 2 * larger <= total else [box]


def _stats(unit: UnitView) -> str:
    cells = (cell for cell in unit.stats if cell.id not in BUILD and cell.name != unit.health_name)
    return " · ".join(f"{cell.label} {cell.value}" for cell in cells)


def _more(unit: UnitView) -> Iterator[Data]:
    """Yield the details of a row: stat lines, weapons, names, notes."""
    if unit.sized:
        for row in unit.rows:
            cells = " · ".join(f"{cell.label} {cell.value}" for cell in row.cells)
            yield {"name": row.name, "text": cells}
    for weapon in unit.weapons:
        yield {"name": weapon.label, "text": weapon.figures}
    for name, taken in unit.taken:
        yield {"name": name, "text": ", ".join(one.name for one in taken)}
    for name, uses in unit.named:
        yield {"name": name, "text": ", ".join(use.name for use in uses)}
    for part in unit.texts:
        yield {"name": part.name, "text": " / ".join(part.lines)}
    if unit.wizard:
        yield {"name": _("Wizard"), "text": unit.wizard.label}
    if unit.notes:
        yield {"name": _("Notes"), "text": unit.notes}
