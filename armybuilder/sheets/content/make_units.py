"""From a unit of a list, or one of a book, to its view: statistics, armour, options and rules."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property

from django.utils.translation import gettext as _

from armybuilder.engine import Report
from armybuilder.engine.army_facts import Caster, Casters
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.describe import (
    bears_battle_standard,
    endurance,
    side_marks,
    unit_attributes,
)
from armybuilder.engine.lines import Line, make_lines
from armybuilder.engine.loadout import Taken
from armybuilder.engine.meanings import UNTOLD
from armybuilder.engine.options import slug
from armybuilder.engine.profiles import StatLine, health, stat_lines, worked_out
from armybuilder.engine.report import LineNumbers
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.tally import line_ups
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import BUILD, Stat
from armybuilder.loading.deadline import checked
from armybuilder.loading.unit_fields import (
    certainty_words,
    origin_words,
    price_remark,
    remark_words,
)
from armybuilder.sheets.content.equipment import Arms, Suits, armour_words, keywords_of
from armybuilder.sheets.content.hidden import hidden
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.content.unit_view import (
    MOST_BOXES,
    UNKNOWN_UNIT,
    BookEntry,
    Lines,
    PathSpell,
    StatCell,
    StatRow,
    TakenLine,
    UnitView,
    Uses,
    Wizard,
)
from armybuilder.sheets.content.unit_words import (
    cap_words,
    offered_groups,
    option_names,
    role_names,
    size_of,
    source_of,
    unique_words,
    unknown,
)

#: The kind of item that is put on a unit's standard, or on the army's.
BANNER, BATTLE_STANDARD = "banner-enchantment", "Battle Standard Bearer"


#: Files and ranks of a formation.
_RANKS = re.compile(r"(\d+)×(\d+)")

NO_LETTERS: Mapping[str, str] = {}


class ViewMaker:
    """Makes views of the units of a list; `letters` separate those of the same look."""

    def __init__(self, report: Report, letters: Mapping[str, str] = NO_LETTERS) -> None:
        self.report, self.letters = report, letters
        self.system = report.system
        self.lines = {line.pick.id: line for line in report.full.lines}
        self.short = {stat.id: stat.short for stat in self.system.stats.values()}
        self.kinds = {book.id: book.kind for book in report.catalogue.books}
        self.casters = next((fact for fact in self.system.facts if isinstance(fact, Casters)), None)

    @cached_property
    def summaries(self) -> Mapping[str, str]:
        """Effects of the game's spells, by name."""
        return {spell.name: spell.summary for spell in self.system.spells.values()}

    @cached_property
    def paths(self) -> Mapping[str, tuple[PathSpell, ...]]:
        """The spells of each path that the game's tables have."""
        paths: dict[str, list[PathSpell]] = {}
        for table in (table for table in self.system.tables if table.paths):
            for row in table.rows:
                told = dict(zip(table.columns, row, strict=True))
                number, name = told.get("No.", ""), told["Spell"]
                values = (told.get(name, "") for name in ("Casting value", "Range", "Type"))
                text = ", ".join(value for value in values if value and value != UNTOLD)
                if name == UNTOLD:  # a line to write on, where others of its path are known
                    name, text = "", "_" * 30
                if number or name:
                    spell = PathSpell(f"{number} {name}".strip(), text)
                    paths.setdefault(told["Path"], []).append(spell)
        return {path: tuple(spells) for path, spells in paths.items()}

    @cached_property
    def namesakes(self) -> set[str]:
        """The names that units of several books have."""
        return self.report.catalogue.namesakes()

    def make(self, pick: Pick) -> UnitView:
        """Return the view of a unit of the list."""
        line = self.lines.get(pick.id)
        if pick.unit is None or line is None:
            lost, why = UnitView(**unknown(pick), sized=self.system.sized), str(UNKNOWN_UNIT)
            return replace(lost, remark=why) if lost.sized else replace(lost, about=why)
        unit, numbers = pick.unit, self.report.lines[pick.id]
        own_name, unit_name = one_line(pick.name), one_line(unit.name) or _("Unnamed")
        priced = unit.price.start is not None
        rows = stat_lines(line)
        view = UnitView(
            id=pick.id,
            name=own_name or unit_name,
            models=pick.models,
            unit_name=unit_name if own_name else "",
            points=numbers.points if priced else None,
            each=numbers.each if priced else None,
            price_remark=price_remark(unit),
            sized=self.system.sized,
            roles=tuple(role_names(pick, self.system)),
            marks=tuple(self._marks(line, numbers)),
            rows=tuple(self._rows(line, rows)),
            states=self.system.states,
            abilities=tuple(
                Uses(one_line(use.label), use.boxes, one_line(use.ability.summary))
                for use in unit.abilities
            ),
            spells=tuple(
                Uses(one_line(spell.name), spell.uses, self.summaries.get(spell.name, ""))
                for spell in unit.spells
            ),
            texts=tuple(
                Lines(part.name, lines)
                for part in self.system.texts.values()
                if (lines := tuple(filter(None, map(one_line, unit.texts.get(part.id, ())))))
            ),
            own=unit.own,
            book=one_line(unit.book_name) if unit.name in self.namesakes else "",
            notes=tidy(pick.notes),
            remark=one_line(remark_words(unit)),
            source=source_of(unit, self.system, self.kinds.get(unit.book, "")),
        )
        return self._of_army(view, line, rows) if self.system.sized else self._single(view, line)

    def _single(self, view: UnitView, line: Line) -> UnitView:
        """Return the view of a single model with what only those have."""
        unit, takes = line.unit, endurance(line.unit, self.system)
        stats = self.system.stats.values()
        # What the player writes in: what the rules need, and the health the table needs.
        blanks = [blank.name[:1].upper() + blank.name[1:] for blank in unit.blanks]
        blanks += [stat.name for stat in stats if stat.health and stat.id not in unit.stats]
        return replace(
            view,
            about=unit_attributes(unit, self.system) or unit.group,
            health=takes.each if takes else None,
            health_name=takes.name if takes else "",
            health_box=_box(takes.each, takes.box) if takes else 1,
            half=bool(takes and takes.half),
            health_in_stats=any(stat.health and stat.id in unit.stats for stat in stats),
            options=tuple(map(TakenLine, option_names(line.pick.picks))),
            rules=tuple(one_line(keyword.name) for keyword in unit.keywords),
            blanks=tuple(blanks),
        )

    def _of_army(self, view: UnitView, line: Line, rows: tuple[StatLine, ...]) -> UnitView:
        """Return the view of a unit of an army with what only those have."""
        chosen, items, given = _options(line, self.system)
        caster = self.casters.of(line) if self.casters else None
        suits = Suits(line, rows, self.system.armour) if self.system.armour else None
        armour = suits.armour() if suits else None
        replaced = suits.replaced if suits else ()
        names = tuple(name for name in rules(line, rows) if name not in replaced)
        arms = self.system.weapons and Arms(
            line, worked_out(line, rows), self.system.weapons, self.system.stats
        )
        return replace(
            view,
            counts=line.unit.counts,
            letter=self.letters.get(line.pick.id, ""),
            scoring="keyword:scoring" in line.tags,
            about=_build(rows),
            options=tuple(one for one in chosen if not caster or one.name not in caster.paths),
            items=tuple(items),
            given=tuple(name for name in given if name not in names),
            rules=names,
            healthy="hp" in self.system.stats,
            health=health(line, rows),
            formed=sum(one.ranks for one in chosen) or 1 if self.system.formations else 0,
            more=caster.health if caster else 0,
            wizard=self._wizard(caster, line) if caster else None,
            armour=armour_words(armour, line),
            armour_total=armour.total if armour else None,
            worn=armour.worn if armour else (),
            weapons=tuple(arms.lines()) if arms else (),
        )

    def _wizard(self, caster: Caster, line: Line) -> Wizard:
        """Return the wizard, or the champion that is one, with its type by name."""
        names = _names(line)
        keywords = keywords_of(line)
        names |= {word.tag.removeprefix("keyword:"): word.name for word in keywords}
        kind = caster.leader or names.get(caster.type, _("Wizard"))
        spells = tuple(
            spell for path in self.paths if path in caster.path for spell in self.paths[path]
        )
        return Wizard(kind, caster.path, caster.spells, caster.rule, spells)

    def make_entry(self, unit: Unit) -> UnitView:
        """Return the view of a unit of a book, as the only one on a list."""
        (pick,) = self.report.full.roster.picks
        grows = unit.size is not None and unit.size[0].base != unit.size[1].base
        entry = BookEntry(
            heading=one_line(unit.group),
            size=size_of(unit) if self.system.sized and unit.counts else "",
            cap=cap_words(unit) if self.system.sized else "",
            extra=unit.price.extra if self.system.sized and grows else 0,
            groups=tuple(offered_groups(unit.offer.nodes)),
            origin=" ".join(filter(None, (unit.origin, certainty_words(unit)))),
            sources=unit.sources,
        )
        return replace(self.make(pick), id=unit.ref, entry=entry)

    def _marks(self, line: Line, numbers: LineNumbers) -> Iterator[str]:
        yield from role_names(line.pick, self.system)
        if bears_battle_standard(line):
            yield BATTLE_STANDARD
        if unique := unique_words(line.unit):
            yield unique
        yield from side_marks(numbers)

    def _rows(self, line: Line, rows: tuple[StatLine, ...]) -> Iterator[StatRow]:
        """Yield the stat lines of its parts; of a model without any, that of its card."""
        stats = self.system.stats.values()
        if card := line.unit.stats:
            shown = (_cell(stat, stat.shown(card[stat.id])) for stat in stats if stat.id in card)
            yield StatRow("", tuple(shown))
        for row in worked_out(line, rows):
            notes = [f"{self.short.get(stat, stat)} {number:+d}" for stat, number in row.moved]
            # That of a unit's own row is a remark on the unit.
            notes += [origin_words(row.origin)] if row.origin and row.option else []
            if line.pick.profiles and not row.option:
                notes.append(_("written in by the player"))
            told = ((stat, row.stats.get(stat.id, "")) for stat in stats if stat.id not in BUILD)
            cells = tuple(_cell(stat, text) for stat, text in told if text)
            if cells:
                yield from StatRow.apart(row.name, cells, ", ".join(notes))


def entry_views(
    units: Iterable[Unit], catalogue: Catalogue, roster: Roster | None = None
) -> Iterator[UnitView]:
    """Yield units as adding each to an empty list makes it: an army of one.

    The list has the game and settings of `roster`, else the usual ones.
    """
    system = catalogue.system
    usual = {key: setting.default for key, setting in system.settings.items()}
    empty = roster or Roster(system.default_size, (), usual)
    for unit in checked(units):
        pick = Pick("", unit.ref, unit, unit.smallest, picks=unit.fresh)
        alone = replace(empty, picks=(pick,), strays=())
        tallies = line_ups(alone, system, make_lines(alone, system), system.faction)
        yield ViewMaker(Report((), tallies, catalogue)).make_entry(unit)


def _cell(stat: Stat, text: str) -> StatCell:
    return StatCell(stat.short, text, stat.help or stat.name, stat.id, stat.name)


def _options(line: Line, system: System) -> tuple[list[TakenLine], list[TakenLine], list[str]]:
    chosen: list[TakenLine] = []
    items: list[TakenLine] = []
    given: list[str] = []
    for taken in line.loadout.taken:
        option = taken.option
        if option.is_counter:
            continue
        name = f"{taken.number} × {option.name}" if taken.number > 1 else option.name
        if taken.pick.on:
            piece = _piece(taken.pick.on, _names(line))
            name = _("{option} (on {piece})").format(option=name, piece=piece)
        if taken.pick.given and not hidden(taken.pick):
            given.append(name)
        else:
            on = _carrier(taken, line)
            kind = items if hidden(taken.pick) else chosen
            ranks = _ranks(option.name) if system.formations else 0
            once = bool(system.play and option.name in system.play.once)
            kind.append(TakenLine(name, taken.points, option.name, taken.number, on, ranks, once))
    return chosen, items, given


def _box(health: int, box: int) -> int:
    """Return the points of a box: twice the game's, if that makes too many boxes."""
    return box if health <= box * MOST_BOXES else 2 * box


def _ranks(name: str) -> int:
    """Return how many models a formation such as "5×3" has; 0 if its name has no number."""
    ranks = _RANKS.match(name)
    return int(ranks[1]) * int(ranks[2]) if ranks else 0


def _carrier(taken: Taken, line: Line) -> str:
    """Return the name of what something is taken on, where that is certain; else ""."""
    if taken.parent >= 0:
        return line.loadout.taken[taken.parent].option.name
    names = _names(line)
    if taken.pick.on:
        return _piece(taken.pick.on, names)
    there = [names[piece] for piece in taken.option.on if piece in names]
    if len(there) == 1:
        return there[0]
    if taken.option.item != BANNER:
        return ""
    return BATTLE_STANDARD if bears_battle_standard(line) else names.get("standard-bearer", "")


def _piece(piece: str, names: Mapping[str, str]) -> str:
    """Return the name of a piece of equipment; one that every model has isn't an option."""
    return names.get(piece, piece.replace("-", " ").title())


def _names(line: Line) -> dict[str, str]:
    return {taken.option.id: taken.option.name for taken in line.loadout.taken}


def _build(rows: tuple[StatLine, ...]) -> str:
    """Return height, type and base: "Standard Infantry, 20×20 mm"; a mount's before its rider's."""
    values: dict[str, str] = {}
    for row in rows:
        for stat in BUILD:
            value = row.stats.get(stat, "")
            if value and value != "C" and (row.option or stat not in values):
                values[stat] = value
    kind = " ".join(values[stat] for stat in ("height", "type") if stat in values)
    return ", ".join(filter(None, (kind, f"{values['base']} mm" if "base" in values else "")))


def rules(line: Line, rows: Iterable[StatLine]) -> Iterator[str]:
    """Return keywords of unit and options, then rules of its rows, with each of their values.

    "Aegis (4+, against Melee Attacks)" and "Aegis (5+)" are two, "Aegis" is none beside them.
    """
    names = [keyword.name for keyword in keywords_of(line)]
    names += [rule for row in rows for rule in row.rules]
    forms: dict[str, dict[str, str]] = {}
    for name in names:
        rule, _bracket, value = name.partition("(")
        by_value = forms.setdefault(rule.strip().casefold(), {})
        by_value[slug(value)] = max(by_value.get(slug(value), ""), name, key=len)
    for by_value in forms.values():
        bare = by_value.pop("", "")
        yield from by_value.values() or [bare]
