"""A unit's armour in all, and what its weapons make of the statistics of who bears them."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Keyword, slug
from armybuilder.engine.profiles import StatLine
from armybuilder.engine.vocabulary import ArmourTable, Stat, Weapon, WeaponTable
from armybuilder.sheets.content.unit_view import WeaponLine, WeaponUse

#: What an option gives at once: "Heavy Armour and Crossbow (4+)", "Halberd, Shield".
_PARTS = re.compile(r",? and | & |, ")
#: How the names of pieces of armour end, of known ones and others.
_ARMOUR = re.compile(r"\b(armour|shields?|unarmoured)$", re.IGNORECASE)


#: What a rule adds in its brackets: "+1 Str".
_ADDED = re.compile(r"(\+\d+) ([A-Za-z ]+)")


def keywords_of(line: Line) -> Iterator[Keyword]:
    """Yield keywords of unit and options that hold at its place."""
    given = (keyword for taken in line.loadout.taken for keyword in taken.option.keywords)
    for keyword in (*line.unit.keywords, *given):
        if keyword.condition is None or keyword.condition.holds(line.place):
            yield keyword


class Armour(NamedTuple):
    """Total armour, at most the game's maximum, and the names of its pieces."""

    total: int
    worn: tuple[str, ...]


class Suits:
    """Armour that a unit has by name: its suits, its shield, and the suit that counts.

    A suit that was chosen takes the place of the model's own (The Ninth Age, Rulebook 21.E).
    """

    def __init__(self, line: Line, rows: Sequence[StatLine], table: ArmourTable) -> None:
        self.rows, self.table = rows, table
        there = [*keywords_of(line)]
        own = [
            *(rule for row in rows for rule in row.rules),
            *(keyword.name for keyword in line.unit.keywords if keyword in there),
        ]
        given: list[str] = []
        chosen: list[str] = []
        for taken in line.loadout.taken:
            names = [taken.option.name, *(keyword.name for keyword in taken.option.keywords)]
            (given if taken.pick.given else chosen).extend(names)
        self.all = [*_pieces([*chosen, *own, *given])]
        suits = [
            [piece for piece in _pieces(names) if slug(piece) in table.suits]
            for names in (chosen, [*own, *given])
        ]
        self.worn = max(suits[0] or suits[1], key=lambda suit: table.suits[slug(suit)], default="")
        # A suit of an army book's own takes the place of those the model has by itself, too.
        plain = [
            taken.option.name
            for taken in line.loadout.taken
            if not taken.pick.given and not taken.option.item
        ]
        foreign = any(not self._knows(piece) for piece in _pieces(plain))
        own_suits = {*_pieces(own)} if foreign else set()
        self.replaced = tuple(
            suit
            for part in suits
            for suit in part
            if slug(suit) != slug(self.worn) or suit in own_suits
        )

    def _knows(self, piece: str) -> bool:
        return self.table.knows(slug(piece))

    def armour(self) -> Armour | None:
        """Return the unit's armour (Rulebook 5.B.b, 21.E); None where some of it is not known.

        A mount's "C+2" adds to its rider's; under a rider of a Gigantic mount the mount's alone
        counts (21.A.b.23).
        """
        table = self.table
        values = [(row, row.stats[table.stat]) for row in self.rows if row.stats.get(table.stat)]
        if not values or not values[0][1].isdigit():
            return None
        mounts = [(row, value) for row, value in values[1:] if value.isdigit()]
        if mounts:
            row, value = mounts[0]
            return (
                Armour(int(value), (row.name,)) if row.stats.get("height") == "Gigantic" else None
            )
        if not all(map(self._knows, self.all)):
            return None
        shield = next((piece for piece in self.all if slug(piece) in table.shields), "")
        total = int(values[0][1])
        total += table.suits.get(slug(self.worn), 0) + table.shields.get(slug(shield), 0)
        for _row, value in values[1:]:
            total += int(value.removeprefix("C").strip(" +") or 0)
        return Armour(min(total, table.most), tuple(filter(None, (self.worn, shield))))


def _pieces(names: Iterable[str]) -> Iterator[str]:
    """Yield pieces of armour that names say, each by itself."""
    for name in names:
        for part in _PARTS.split(name.split("(")[0].strip()):
            if _ARMOUR.search(part):
                yield part


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


def _plain(name: str) -> str:
    """Return the slug of a name without its brackets."""
    return slug(name.partition("(")[0])


def _sums(first: Mapping[str, int], more: Mapping[str, int]) -> dict[str, int]:
    return {stat: first.get(stat, 0) + more.get(stat, 0) for stat in {**first, **more}}


class Arms:
    """Effects of a unit's weapons on its statistics (The Ninth Age, Rulebook 8.D.b, 21.F).

    A weapon whose bearer is uncertain has the change only.
    """

    def __init__(
        self, line: Line, rows: Sequence[StatLine], table: WeaponTable, stats: Mapping[str, Stat]
    ) -> None:
        self.line, self.rows, self.table, self.stats = line, rows, table, stats
        self.armed = [
            row
            for row in rows
            if row.stats.keys() & {*table.shown}
            and not {*table.unarmed} & set(map(_plain, row.rules))
        ]
        on_rows = {_plain(rule) for row in rows for rule in row.rules}
        own = {*line.unit.keywords}
        loose = [word for word in keywords_of(line) if _plain(word.name) not in on_rows]
        #: What the unit has by name and no stat line of it: all parts have it (21.G).
        self.common = [word.name for word in loose if word in own]
        #: Whether an option brings a charge, and no stat line whose it would be.
        self.is_open = any(
            _plain(word.name) == table.charge
            for taken in line.loadout.taken
            if not self._parts(taken)
            for word in taken.option.keywords
        )

    def lines(self) -> Iterator[WeaponLine]:
        """Yield the weapons that the game knows and that change something."""
        kinds = [row.stats.get(self.table.type, "") for row in self.rows]
        # A mount's type goes before its rider's.
        kind = next((kind for kind in reversed(kinds) if kind not in ("", "C")), "")
        items = (taken.option.item for taken in self.line.loadout.taken)
        bare = any(item and not item.endswith("banner-enchantment") for item in items)
        for name, weapon, row in self._borne():
            text, uses = self._words(weapon, row), self._uses(weapon, row)
            if text and not weapon.suits(kind):
                uses = ()
                text = _("not for {type}").format(type=kind)
            elif text and bare and not weapon.range:
                text = _("{figures}, without special items").format(figures=text)
            if text:
                bearer = row.name if row and len(self.armed) > 1 else ""
                yield WeaponLine(name, bearer, text, uses)

    def _borne(self) -> Iterator[tuple[str, Weapon, StatLine | None]]:
        """Yield weapons of stat lines, then of options and of the unit, each with its bearer."""
        named = [(rule, [row]) for row in self.armed for rule in row.rules]
        on_rows = {_plain(rule) for rule, _rows in named}
        own = [row for row in self.armed if not row.option]
        for taken in self.line.loadout.taken:
            parts = self._parts(taken)
            theirs = [row for row in self.armed if row.option in parts] if parts else own
            words = (taken.option.name, *(word.name for word in taken.option.keywords))
            named += [(part, theirs) for name in words for part in _PARTS.split(name)]
        named += [(name, own) for name in self.common]
        borne: dict[tuple[str, int], tuple[str, Weapon, StatLine | None]] = {}
        for name, rows in named:
            key, weapon = _plain(name), self.table.of(_plain(name))
            is_of_row = len(rows) == 1 and name in rows[0].rules
            if weapon is not None and (is_of_row or key not in on_rows):
                row = rows[0] if len(rows) == 1 else None
                place = (key, id(row))
                if place not in borne or len(name) > len(borne[place][0]):
                    borne[place] = (name, weapon, row)
        yield from borne.values()

    def _parts(self, taken: Taken) -> set[str]:
        """Return the ids of an option, and of the one that carries it, if they have stat lines."""
        above = self.line.loadout.taken[taken.parent].option if taken.parent >= 0 else taken.option
        return {option.id for option in (taken.option, above) if option.profiles}

    def _words(self, weapon: Weapon, row: StatLine | None) -> str:
        """Return figures as "Att 3, Str 6, AP 3, Agi 0; charging Str 7"; "" where none changes."""
        fixed = self._fixed(weapon, row)
        charger = None if self.is_open else row
        charging = self._charging(weapon, charger)
        if not (weapon.range or weapon.add or fixed or charging or weapon.first_round):
            return ""
        shown = self.table.shot if weapon.range else self.table.shown
        base = [
            *self._figures(weapon.add, fixed, row, (*(shown if row else ()), *weapon.add, *fixed))
        ]
        number = int(weapon.shots or 0)
        shots = ngettext("{number} shot", "{number} shots", number).format(number=number)
        shot = (weapon.range, shots) if weapon.range else ()
        words = [", ".join((*shot, *base, *filter(None, (weapon.rules,))))]
        for text, bearer, more in (
            (_("charging {figures}"), charger, charging),
            (_("first round, not charging: {figures}"), row, weapon.first_round),
        ):
            added = _sums(weapon.add, more)
            if figures := ", ".join(self._figures(added, fixed, bearer, more)):
                words.append(text.format(figures=figures))
        return "; ".join(filter(None, words))

    def _uses(self, weapon: Weapon, row: StatLine | None) -> tuple[WeaponUse, ...]:
        """Return all statistics of a certain bearer in each way that it uses the weapon."""
        if row is None:
            return ()
        fixed, charging = self._fixed(weapon, row), {}
        if not self.is_open:
            charging = self._charging(weapon, row)
        ways = [("", {}), (_("charging"), charging), (_("first round"), weapon.first_round)]
        return tuple(
            WeaponUse(
                note,
                tuple(self._values(_sums(weapon.add, more), fixed, row, self.stats)),
                weapon.shots,
            )
            for note, more in ways
            if more or not note
        )

    def _fixed(self, weapon: Weapon, row: StatLine | None) -> Mapping[str, str]:
        """Return the statistics that a weapon sets, but for who keeps its own."""
        keeps = row is not None and weapon.unless in map(_plain, (*row.rules, *self.common))
        return {} if keeps else weapon.set

    def _charging(self, weapon: Weapon, row: StatLine | None) -> dict[str, int]:
        """Return what weapon and rules add to statistics, charging."""
        charging = self._charge(row) if row and not weapon.range else {}
        return _sums(charging, weapon.charging)

    def _figures(
        self,
        added: Mapping[str, int],
        fixed: Mapping[str, str],
        row: StatLine | None,
        wanted: Iterable[str],
    ) -> Iterator[str]:
        """Yield statistics as "Str 5", or of no certain bearer as "Str +2"."""
        for stat, value in self._values(added, fixed, row, wanted):
            yield f"{self.stats[stat].short} {value}"

    def _values(
        self,
        added: Mapping[str, int],
        fixed: Mapping[str, str],
        row: StatLine | None,
        wanted: Iterable[str],
    ) -> Iterator[tuple[str, str]]:
        for stat in (stat for stat in self.stats if stat in wanted):
            value, more = (
                fixed.get(stat) or (row.stats.get(stat, "") if row else ""),
                added.get(stat, 0),
            )
            if value.isdigit():
                number = int(value) + more
                value = str(min(number, self.table.most.get(stat, number)))
            elif more:
                value = f"{value}{more:+}"
            if value:
                yield stat, value

    def _charge(self, row: StatLine) -> dict[str, int]:
        """Return additions to the bearer's statistics by its rule for charges; several add up."""
        names = {
            name.casefold(): key
            for key, stat in self.stats.items()
            for name in (stat.short, stat.name)
        }
        added: dict[str, int] = {}
        for rule in (*row.rules, *self.common):
            if _plain(rule) == self.table.charge:
                for number, name in _ADDED.findall(rule):
                    if key := names.get(name.strip().casefold()):
                        added[key] = added.get(key, 0) + int(number)
        return added
