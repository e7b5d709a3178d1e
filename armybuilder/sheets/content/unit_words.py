"""A unit in words: its size, its possible options, those taken; unknown units."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.engine.catalogue import System
from armybuilder.engine.describe import option_cost, size_words
from armybuilder.engine.options import Group, Option
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick
from armybuilder.engine.units import Unit
from armybuilder.sheets.content.printable import one_line, tidy
from armybuilder.sheets.content.unit_view import OfferedGroup, OfferedOption

#: Boxes that a card's line names, or has drawn: "(1 box)", "(range 5; 2 boxes)", "1 use: …".
_BOXES = re.compile(
    r"\s*\((\d+) box(?:es)?\)|[;,]?\s*\b(\d+) box(?:es)?\b|^(\d+) uses?: |\s*([☐□]+)"
)
#: Boxes of a line at most.
_MOST = 10


def boxed(line: str) -> tuple[str, int]:
    """Return a card's line without its words of boxes, and how many to draw (recharges: one)."""
    found = _BOXES.search(line)
    if found is None:
        return line, int("recharge" in line.casefold())
    number = int(found[1] or found[2] or found[3] or len(found[4]))
    return line[: found.start()] + line[found.end() :], min(number, _MOST)


#: What small print calls a kind of book: "made of files" and "for practice" tell a player nothing.
KINDS = {
    "official": gettext_lazy("official"),
    "collected": gettext_lazy("from public pages"),
    "imported": "",
    "invented": "",
    "house": gettext_lazy("house rules"),
    "converted": gettext_lazy("converted"),
    "own": gettext_lazy("own book"),
}


def source_of(unit: Unit, system: System, kind: str = "") -> str:
    """Return the small print: collector number and set, the book, its kind, and the game."""
    told = (unit.number, unit.origin, unit.book_name, str(KINDS.get(kind, kind)), system.name)
    return one_line(" · ".join(dict.fromkeys(filter(None, told))))


def size_of(unit: Unit) -> str:
    """Return how many models it may have: "20 to 50 models"."""
    least, most = (amount.base for amount in unit.size) if unit.size else (1, 1)
    return size_words(least or 1, most)


def cap_words(unit: Unit) -> str:
    """Return how many of it an army may hold; "" where the book does not limit it."""
    if unit.cap is None:
        return ""
    if unit.cap.one_of_a_kind:
        return _("one of a kind")
    most = unit.cap.number.base
    return "" if most is None else _("0–{most} per army").format(most=most)


def unknown(pick: Pick) -> dict[str, Any]:
    """Return the fields of a unit that the chosen books don't have."""
    own_name, ref = one_line(pick.name), one_line(pick.ref)
    return {
        "id": pick.id,
        "name": own_name or ref,
        "models": pick.models,
        "known": False,
        "unit_name": ref if own_name else "",
        "notes": tidy(pick.notes),
    }


def role_names(pick: Pick, system: System) -> Iterator[str]:
    """Return what its player made of a unit: "General"."""
    return (system.roles[role].name for role in pick.roles)


def unique_words(unit: Unit) -> str:
    """Return by which name it is unique, "Unique: Pat (Champion)"; "" where it is not."""
    if not unit.unique:
        return ""
    same = unit.name.casefold().startswith(unit.unique.casefold())
    title = unit.name[len(unit.unique) :].lstrip(" ,") if same else unit.name
    name = f"{unit.unique} ({title})" if title else unit.unique
    return _("Unique: {name}").format(name=one_line(name))


def option_names(picks: Iterable[OptionPick]) -> Iterator[str]:
    """Return the picks, each with those taken on it, by name and number."""
    for pick in picks:
        yield pick.option.name if pick.number == 1 else f"{pick.number} × {pick.option.name}"
        yield from option_names(pick.picks)


def offered_groups(nodes: Iterable[Option | Group]) -> Iterator[OfferedGroup]:
    """Yield the options outside of groups, then groups with their options."""
    nodes = tuple(nodes)
    loose = [node for node in nodes if isinstance(node, Option)]
    if options := tuple(_offered(loose)):
        yield OfferedGroup(_("Options"), options)
    for node in nodes:
        if isinstance(node, Group) and (options := tuple(_offered(node.nodes))):
            yield OfferedGroup(one_line(node.name), options, node.allowance.base)


def _offered(nodes: Iterable[Option | Group]) -> Iterator[OfferedOption]:
    """Yield what of it is not there without being chosen, each once by its name and price."""
    seen: set[OfferedOption] = set()
    for node in nodes:
        options: Iterable[OfferedOption] = ()
        if isinstance(node, Group):
            options = _offered(node.nodes)
        elif not node.given:
            inner = (group.whole for group in offered_groups(node.offer.nodes))
            options = [OfferedOption(one_line(node.name), option_cost(node), ", ".join(inner))]
        for option in options:
            if option not in seen:
                seen.add(option)
                yield option
