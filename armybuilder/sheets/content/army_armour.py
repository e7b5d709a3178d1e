"""What armour a unit has in all: its own, its suit, its shield, and its mount's; or nothing where
that cannot be told from names.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from armybuilder.engine.lines import Line
from armybuilder.engine.options import slug
from armybuilder.engine.profiles import StatLine
from armybuilder.engine.vocabulary import ArmourTable

#: What an option gives at once: "Heavy Armour and Crossbow (4+)", "Halberd, Shield".
_PARTS = re.compile(r",? and | & |, ")
#: How the names of pieces of armour end, of known ones and others.
_ARMOUR = re.compile(r"\b(armour|shields?|unarmoured)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Armour:
    """Armour in all, at most the game's most, the armour that it is made of by name, and the suits
    that are replaced.
    """

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
    own = [*(rule for row in rows for rule in row.rules), *(one.name for one in line.unit.keywords)]
    chosen: list[str] = []
    given: list[str] = []
    for taken in line.loadout.taken:
        names = [taken.option.name, *(keyword.name for keyword in taken.option.keywords)]
        (given if taken.pick.given else chosen).extend(names)
    pieces = [list(_pieces(names)) for names in (chosen, [*own, *given])]
    if any(not table.knows(slug(piece)) for part in pieces for piece in part):
        return None
    suits = [[piece for piece in part if slug(piece) in table.suits] for part in pieces]
    suit = max(suits[0] or suits[1], key=lambda piece: table.suits[slug(piece)], default="")
    shield = next((one for part in pieces for one in part if slug(one) in table.shields), "")
    total = int(values[0][1]) + table.suits.get(slug(suit), 0) + table.shields.get(slug(shield), 0)
    for _row, value in values[1:]:
        total += int(value.removeprefix("C").strip(" +") or 0)
    replaced = tuple(one for part in suits for one in part if slug(one) != slug(suit))
    return Armour(min(total, table.most), tuple(filter(None, (suit, shield))), replaced)


def _pieces(names: Iterable[str]) -> Iterator[str]:
    """Return the pieces of armour among names, each by itself."""
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
        said = _("Armour {number} ({save}) without special items: {worn}")
    else:
        said = _("Armour {number} ({save}): {worn}")
    return said.format(number=armour.total, save=save, worn=worn)
