"""From a roster of units to the army of its sheet: units by category, armour, health, wizards."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.engine import Report
from armybuilder.engine.about import AboutCategory
from armybuilder.engine.bounds import Bound, PerCent
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import bears_battle_standard
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Keyword, slug
from armybuilder.engine.profiles import StatLine, health, stat_lines
from armybuilder.engine.roster import Pick, Roster
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import POINTS, Gauge, Term
from armybuilder.engine.vocabulary import ArmourTable
from armybuilder.engine.wizard_facts import Caster, Casters
from armybuilder.loading.deadline import checked
from armybuilder.loading.unit_fields import origin_words, remark_words
from armybuilder.sheets.content.hidden import hidden, letters
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.content.structure import (
    UNKNOWN_UNIT,
    CategoryShare,
    Division,
    SheetArmy,
    StatColumn,
    StatRow,
    TakenLine,
    UnitBlock,
    Wizard,
)
from armybuilder.sheets.content.unit_words import role_names, unknown

_OPEN = gettext_lazy(
    "Open list (Rulebook 8.E.a): special items and anything that works like them "
    "are left out, with their points and all notes. The verdict is for the whole "
    "list."
)
#: The kind of item that is put on a unit's standard, or on the army's.
BANNER, BATTLE_STANDARD = "banner-enchantment", "Battle Standard Bearer"
#: Statistics that say what a model is, told beside its unit's name.
_BUILD = ("height", "type", "base")


class ArmyMaker:
    """Makes the army of one sheet: `shown` reports what it shows, `judged` the whole `roster`."""

    def __init__(
        self, catalogue: Catalogue, roster: Roster, shown: Report, judged: Report, kind: str
    ) -> None:
        self.system = catalogue.system
        self.categories = {
            key: name for book in catalogue.books for key, name in book.categories.items()
        }
        self.shown = shown
        self.judged = judged
        self.kind = kind
        self.letters = letters(roster)
        self.lines = {line.pick.id: line for line in shown.full.lines}
        self.rows = {pick_id: stat_lines(line) for pick_id, line in self.lines.items()}
        # Statistics that some row has, in the system's order.
        there = {stat for rows in self.rows.values() for row in rows for stat in row.stats}
        self.columns = tuple(
            StatColumn(stat.id, stat.short, stat.name)
            for stat in self.system.stats.values()
            if stat.id in there and stat.id not in _BUILD
        )
        self.armour = catalogue.system.armour
        self.casters = next((fact for fact in self.system.facts if isinstance(fact, Casters)), None)

    def make(self) -> SheetArmy:
        """Return the army. The points and state of an open list lack the hidden items."""
        spent, limit = self.shown.spent, self.shown.limit
        codes = {finding.code for finding in self.shown.findings}
        found = next((side for side in ("over", "under") if f"points.{side}" in codes), "ok")
        state = _told(found, self.judged)
        bound = _("at most {number}").format(number=limit)
        return SheetArmy(
            kind=self.kind,
            hint=str(_OPEN) if self.kind == "open" else "",
            columns=self.columns,
            shares=tuple(shares(self.shown, self.judged)),
            total=CategoryShare(_("Army"), spent, per_cent(spent, limit), bound, state),
            left=limit - spent if self.kind == "full" else None,
            divisions=tuple(self._divisions()),
        )

    def _divisions(self) -> Iterator[Division]:
        others = {"": _("For the whole army"), "?": _("Not in the books")}
        blocks: dict[str, list[UnitBlock]] = {}
        for pick in checked(self.shown.full.roster.picks):
            categories = ("?",) if pick.unit is None else pick.unit.categories or ("",)
            blocks.setdefault(categories[0], []).append(self._block(pick))
        for category in dict.fromkeys([*self.categories, *blocks]):
            if category in blocks:
                name = category.replace("-", " ").capitalize()
                title = others.get(category) or self.categories.get(category, name)
                yield Division(title, tuple(blocks[category]))

    def _block(self, pick: Pick) -> UnitBlock:
        own_name = one_line(pick.name)
        line = self.lines.get(pick.id)
        if pick.unit is None or line is None:
            return UnitBlock(**unknown(pick), remark=str(UNKNOWN_UNIT))
        unit = pick.unit
        unit_name = one_line(unit.name) or _("Unnamed")
        rows = self.rows[pick.id]
        chosen, items, given = _options(line)
        caster = self.casters.of(line) if self.casters else None
        armour = armour_of(line, rows, self.armour) if self.armour else None
        replaced = armour.replaced if armour else ()
        standard = (BATTLE_STANDARD,) if bears_battle_standard(line) else ()
        return UnitBlock(
            id=pick.id,
            name=own_name or unit_name,
            models=pick.models,
            counts=unit.counts,
            unit_name=unit_name if own_name else "",
            letter=self.letters.get(pick.id, ""),
            points=line.points if unit.price.start is not None else None,
            marks=(*role_names(line.pick, self.system), *standard),
            scoring="keyword:scoring" in line.tags,
            build=_build(rows),
            stats=tuple(made for row in rows if any((made := self._row(row)).values)),
            chosen=tuple(taken for taken in chosen if not caster or taken.name not in caster.paths),
            items=tuple(items),
            given=tuple(given),
            rules=tuple(name for name in rules(line, rows) if name not in replaced),
            healthy="hp" in self.system.stats,
            each=None if self.system.formations else health(line, rows),
            formed=self.system.formations,
            more=caster.health if caster else 0,
            wizard=_wizard(caster, line) if caster else None,
            armour=armour_words(armour, line),
            notes=tidy(pick.notes),
            remark=remark_words(unit),
        )

    def _row(self, row: StatLine) -> StatRow:
        short = {stat.id: stat.short for stat in self.system.stats.values()}
        notes = [f"{short.get(stat, stat)} {number:+d}" for stat, number in row.moved]
        # That of a unit's own row is a remark on the unit.
        notes += [origin_words(row.origin)] if row.origin and row.option else []
        values = tuple(row.stats.get(column.id, "") for column in self.columns)
        return StatRow(row.name, values, ", ".join(notes))


def _options(line: Line) -> tuple[list[TakenLine], list[TakenLine], list[str]]:
    chosen: list[TakenLine] = []
    items: list[TakenLine] = []
    given: list[str] = []
    for taken in line.loadout.taken:
        option = taken.option
        name = f"{taken.number} × {option.name}" if taken.number > 1 else option.name
        if taken.pick.on:
            piece = _piece(taken.pick.on, _names(line))
            name = _("{option} (on {piece})").format(option=name, piece=piece)
        if taken.pick.given and not hidden(taken.pick):
            given.append(name)
        else:
            on = _carrier(taken, line)
            kind = items if hidden(taken.pick) else chosen
            kind.append(TakenLine(name, taken.points, option.name, taken.number, on))
    return chosen, items, given


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
    """Return the name of a piece of equipment; what every model has is no option."""
    return names.get(piece, piece.replace("-", " ").title())


def _names(line: Line) -> dict[str, str]:
    return {taken.option.id: taken.option.name for taken in line.loadout.taken}


def _build(rows: tuple[StatLine, ...]) -> str:
    """Return height, type and base: "Standard Infantry, 20×20 mm"; a mount's before its rider's."""
    values: dict[str, str] = {}
    for row in rows:
        for stat in _BUILD:
            value = row.stats.get(stat, "")
            if value and value != "C" and (row.option or stat not in values):
                values[stat] = value
    kind = " ".join(values[stat] for stat in ("height", "type") if stat in values)
    return ", ".join(filter(None, (kind, f"{values['base']} mm" if "base" in values else "")))


def rules(line: Line, rows: Iterable[StatLine]) -> Iterator[str]:
    """Yield keywords of unit and options, then rules of its rows, with every value they have.

    "Aegis (4+, against Melee Attacks)" and "Aegis (5+)" are two, "Aegis" is none beside them.
    """
    names = [keyword.name for keyword in _keywords(line)]
    names += [rule for row in rows for rule in row.rules]
    forms: dict[str, dict[str, str]] = {}
    for name in names:
        rule, _bracket, value = name.partition("(")
        by_value = forms.setdefault(rule.strip().casefold(), {})
        by_value[slug(value)] = max(by_value.get(slug(value), ""), name, key=len)
    for by_value in forms.values():
        bare = by_value.pop("", "")
        yield from by_value.values() or [bare]


def _keywords(line: Line) -> Iterator[Keyword]:
    given = (keyword for taken in line.loadout.taken for keyword in taken.option.keywords)
    for keyword in (*line.unit.keywords, *given):
        if keyword.condition is None or keyword.condition.holds(line.place):
            yield keyword


def _wizard(caster: Caster, line: Line) -> Wizard:
    """Return the wizard, or the champion that is one, with its type by name."""
    names = _names(line)
    names |= {keyword.tag.removeprefix("keyword:"): keyword.name for keyword in _keywords(line)}
    kind = caster.leader or names.get(caster.type, _("Wizard"))
    return Wizard(kind, caster.path, caster.spells, caster.rule)


def shares(shown: Report, judged: Report) -> Iterator[CategoryShare]:
    """Yield the army's categories as its book measures them, by what is shown of it."""
    by_category: dict[str, list[Term]] = {}
    for rule in shown.system.rules:
        if rule.category:
            by_category.setdefault(rule.category, []).extend(rule.terms(shown.full))
    for terms in by_category.values():
        points = next((term for term in terms if term.count == POINTS), None)
        if points is None:
            continue
        bounds: list[str] = []
        states: list[str] = []
        for term in terms:
            if term.minimum is not None and term.low is not None:
                least = _bound(term.minimum, term.low, shown.full)
                bounds.append(_("at least {what}").format(what=least))
            if term.maximum is not None and term.high is not None:
                most = _bound(term.maximum, term.high, shown.full)
                bounds.append(_("at most {what}").format(what=most))
            state = "over" if term.is_over else "under" if term.is_short else "ok"
            states.append(_told(state, judged))
        state = next((state for state in states if state != "ok"), "ok")
        name = next(term.name for term in terms if term.name)
        share = per_cent(points.measured, shown.limit)
        bound = ", ".join(bounds) or _("no limit")
        yield CategoryShare(name, points.measured, share, bound, state)


def in_table(gauge: Gauge) -> bool:
    """Return whether the table of categories has a gauge: points of one, or of the army."""
    of_army = gauge.term.count == POINTS and gauge.term.is_of_all
    return isinstance(gauge.term.about, AboutCategory) or of_army


def _bound(bound: Bound, number: int, tally: Tally) -> str:
    if isinstance(bound, PerCent):
        return f"{bound.amount.number(tally.place)} % ({number})"
    return ngettext("{number} unit", "{number} units", number).format(number=number)


def _told(state: str, judged: Report) -> str:
    """Return the state of what is shown: no want of it that the whole list has none of."""
    missing = any(finding.state is State.MISSING for finding in judged.findings)
    return "ok" if state == "under" and not missing else state


def per_cent(points: int, limit: int) -> str:
    """Return the share of the game size with one decimal, rounded: "39.6"."""
    tenths = (2000 * points + limit) // (2 * limit) if limit else 0
    return f"{tenths // 10}.{tenths % 10}"


#: What an option gives at once: "Heavy Armour and Crossbow (4+)", "Halberd, Shield".
_PARTS = re.compile(r",? and | & |, ")
#: How the names of pieces of armour end, of known ones and others.
_ARMOUR = re.compile(r"\b(armour|shields?|unarmoured)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Armour:
    """Armour in all, at most the game's most, what it is made of by name, and suits replaced."""

    total: int
    worn: tuple[str, ...]
    replaced: tuple[str, ...] = ()


def armour_of(line: Line, rows: Sequence[StatLine], table: ArmourTable) -> Armour | None:
    """Return a unit's armour (Rulebook 5.B.b, 21.E); None where some of it is not known.

    A suit that was chosen takes the place of the model's own; a mount's "C+2" adds to its rider's;
    under a rider of a Gigantic mount the mount's alone counts (21.A.b.23).
    """
    values = [(row, row.stats[table.stat]) for row in rows if row.stats.get(table.stat)]
    if not values or not values[0][1].isdigit():
        return None
    mounts = [(row, value) for row, value in values[1:] if value.isdigit()]
    if mounts:
        row, value = mounts[0]
        return Armour(int(value), (row.name,)) if row.stats.get("height") == "Gigantic" else None
    own = [
        *(rule for row in rows for rule in row.rules),
        *(keyword.name for keyword in line.unit.keywords),
    ]
    chosen: list[str] = []
    given: list[str] = []
    for taken in line.loadout.taken:
        names = [taken.option.name, *(keyword.name for keyword in taken.option.keywords)]
        (given if taken.pick.given else chosen).extend(names)
    # What an option gives at once, each piece of armour by itself.
    pieces = [
        [
            part
            for name in names
            for part in _PARTS.split(name.split("(")[0].strip())
            if _ARMOUR.search(part)
        ]
        for names in (chosen, [*own, *given])
    ]
    if any(not table.knows(slug(piece)) for part in pieces for piece in part):
        return None
    suits = [[piece for piece in part if slug(piece) in table.suits] for part in pieces]
    suit = max(suits[0] or suits[1], key=lambda piece: table.suits[slug(piece)], default="")
    shield = next((piece for part in pieces for piece in part if slug(piece) in table.shields), "")
    total = int(values[0][1]) + table.suits.get(slug(suit), 0) + table.shields.get(slug(shield), 0)
    for _row, value in values[1:]:
        total += int(value.removeprefix("C").strip(" +") or 0)
    replaced = tuple(piece for part in suits for piece in part if slug(piece) != slug(suit))
    return Armour(min(total, table.most), tuple(filter(None, (suit, shield))), replaced)


def armour_words(armour: Armour | None, line: Line) -> str:
    """Return such as "Armour 5 (2+): Heavy Armour, Shield"; "" where the stat line says it all."""
    if armour is None or not armour.total or not armour.worn:
        return ""
    worn, save = ", ".join(armour.worn), f"{max(2, 7 - armour.total)}+"
    items = (taken.option.item for taken in line.loadout.taken)
    if any(item and not item.endswith("banner-enchantment") for item in items):
        text = _("Armour {number} ({save}) without special items: {worn}")
    else:
        text = _("Armour {number} ({save}): {worn}")
    return text.format(number=armour.total, save=save, worn=worn)
