"""One unit of a roster as an entry of a document, and the outcome of everything on it."""

from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from armybuilder.battlescribe.rosters.choosing import GENERAL, ON
from armybuilder.battlescribe.rosters.matching import PartFinder, plain
from armybuilder.battlescribe.rosters.parsing import BsSelection
from armybuilder.battlescribe.rosters.remarks import Remarks
from armybuilder.battlescribe.rosters.roster_ids import in_order
from armybuilder.battlescribe.rosters.sites import Site
from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ListOption, ListUnit
from armybuilder.loading.limits import (
    DEEPEST,
    MAX_MODELS,
    MAX_NAME,
    MAX_NOTES,
    MAX_OPTIONS,
    MAX_TIMES,
)


@dataclass
class _Level:
    """Options of the unit or of one option, by id in the order of the file."""

    offer: Offer
    entries: dict[str, "_Taken"] = field(default_factory=dict)


@dataclass
class _Taken:
    number: int
    on: str
    inner: _Level
    order: int | None = None


class RosterUnitReader:
    """Reads one unit. `finder` knows its places, `unit` is its entry in the book."""

    def __init__(
        self, selection: BsSelection, finder: PartFinder, unit: Unit, remarks: Remarks
    ) -> None:
        self.selection = selection
        self.unit = unit
        self.remarks = remarks
        self.finder = finder
        self.site = finder.unit
        self.models = 0
        self.is_general = False
        self.top = _Level(unit.offer)

    def entry(self) -> ListUnit:
        """Return the entry, without an id."""
        self._inner(self.selection, self.site, [self.top])
        notes = self._notes()
        models = self._models()
        options = self._written(self.top, 1)
        name = self.remarks.cut(self.selection.own_name, MAX_NAME, self.unit.name)
        roles = ("general",) if self.is_general else ()
        return ListUnit(
            "", models, self.unit.ref, roles=roles, options=options, name=name, notes=notes
        )

    def _notes(self) -> str:
        """Return the unit's notes; their first line may say that it is the General."""
        notes = self.selection.notes
        first, _line_end, rest = notes.partition("\n")
        if first.strip() == GENERAL:
            self.is_general = True
            notes = rest
        return self.remarks.cut(notes, MAX_NOTES, self.unit.name)

    def _models(self) -> int:
        if any(site.role == "models" for site in self.site.children) and not self.models:
            self.remarks.note(
                self.unit.name, _("The file doesn’t say how many models this unit has.")
            )
            return self.unit.smallest
        if self.models > MAX_MODELS:
            said = _("{number} models is too many; we used {most}.")
            said = said.format(number=self.models, most=MAX_MODELS)
            self.remarks.note(self.unit.name, said)
        return min(max(self.models, 1), MAX_MODELS)

    def _inner(self, above: BsSelection, site: Site, levels: list[_Level]) -> None:
        for selection in above.inner:
            self._read(selection, site, levels)

    def _read(self, selection: BsSelection, above: Site, levels: list[_Level]) -> None:
        """Read something chosen on `above`, whose offers and those around it are `levels`."""
        match = self.finder.find(selection, above)
        if match is None:
            self.remarks.left_out(self.unit.name, _what(selection))
            self._inner(selection, above, levels)
            return
        site = match.site
        if match.by_name:
            self.remarks.guessed(self.unit.name, _what(selection), site.name, match.several)
        inner = levels
        if site.role == "models":
            self.models += selection.number
        elif site.role == "general":
            self.is_general = True
        elif site.role == "option":
            inner = self._take(selection, site.ours, levels)
        elif site.role == "other":
            self.remarks.left_out(self.unit.name, _what(selection))
        if selection.own_name or (selection.notes and not selection.notes.startswith(ON)):
            said = _("{name}: its own name and notes are left out.").format(name=site.name)
            self.remarks.note(self.unit.name, said)
        self._inner(selection, site, inner)

    def _take(self, selection: BsSelection, option_id: str, levels: list[_Level]) -> list[_Level]:
        """Select an option on the nearest thing that offers it. Returns the levels of its own."""
        for depth in range(len(levels) - 1, -1, -1):
            level = levels[depth]
            slots = level.offer.slots.get(option_id)
            if slots is None:
                continue
            taken = level.entries.get(option_id)
            if taken is None:
                option = slots[0].option
                taken = _Taken(0, "", _Level(option.offer), selection.order)
                level.entries[option_id] = taken
                taken.on = self._on(selection, option.on)
            taken.number += selection.number
            return [*levels[: depth + 1], taken.inner]
        self.remarks.left_out(self.unit.name, _what(selection))
        return levels

    def _on(self, selection: BsSelection, pieces: tuple[str, ...]) -> str:
        """Return the piece of equipment that an enchantment is put on, which its notes say."""
        if not selection.notes.startswith(ON):
            return ""
        said = selection.notes.removeprefix(ON)
        found = next((piece for piece in pieces if plain(piece) == plain(said)), "")
        if not found:
            told = _("{name}: its notes say “{notes}”, but it can’t go on that.")
            told = told.format(name=selection.name[:MAX_NAME], notes=said[:MAX_NAME])
            self.remarks.note(self.unit.name, told)
        return found

    def _written(self, level: _Level, depth: int) -> tuple[ListOption, ...]:
        """Return a level as a document writes it, without its constant parts."""
        given = {option.id: option.given for option in level.offer.given}
        found: list[ListOption] = []
        for option_id, taken in in_order(level.entries.items(), lambda one: one[1].order):
            number = min(taken.number, MAX_TIMES)
            if number < taken.number:
                self._too_much(level, option_id)
            if number <= max(1, given.get(option_id, 0)):
                number = 1
            inner = self._written(taken.inner, depth + 1) if depth < DEEPEST else ()
            entry = ListOption(option_id, number, taken.on, inner)
            bare = ListOption(option_id)
            if option_id in given and entry == bare:
                continue
            if len(found) == MAX_OPTIONS or (depth == DEEPEST and entry != bare):
                self._too_much(level, option_id)
            if len(found) < MAX_OPTIONS:
                found.append(entry if depth < DEEPEST else bare)
        return tuple(found)

    def _too_much(self, level: _Level, option_id: str) -> None:
        name = level.offer.slots[option_id][0].option.name
        said = _("{name}: more than a list can hold; the rest is left out.").format(name=name)
        self.remarks.note(self.unit.name, said)


def _what(selection: BsSelection) -> str:
    """Return the name of a selection in remarks."""
    name = selection.name.strip()[:MAX_NAME] or _("something unnamed")
    return f"{selection.number} × {name}" if selection.number > 1 else name
