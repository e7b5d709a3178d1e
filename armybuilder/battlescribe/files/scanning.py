"""Scan of a file's groups, made once for all places that use them.

Large games put hundreds of entries into groups that every unit links to. What none of them asks for
need not be looked at in each unit.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, NamedTuple, TypeAlias

from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement, is_far, modifiers_of
from armybuilder.engine.kernel.owned import CountedUnit

GROUPS: Final = {"selectionEntryGroups", "sharedSelectionEntryGroups"}
ENTRIES: Final = {"selectionEntries", "sharedSelectionEntries"}
#: Lists of an element that hold what may be taken on it.
HOLDING: Final = ("selectionEntries", "entryLinks", "selectionEntryGroups")
#: Fields that say how something is shown, or what is taken with it at first, and no verdict; and
#: limits of formats before 2.0, which later ones have as constraints.
SHOWN: Final = {
    *("name", "description", "page", "annotation", "publicationId", "readme"),
    *("defaultAmount", "defaultSelectionEntryId"),
    *("minSelections", "maxSelections", "minPoints", "maxPoints"),
}
#: Lists of an element that are read, and those that say how it is shown.
LISTS: Final = {
    *(*HOLDING, "categoryLinks", "costs", "constraints", "modifiers", "modifierGroups"),
    *("forceEntries", "forceEntryLinks", "associations", "alias", "description"),
    *("profiles", "rules", "infoGroups", "infoLinks"),
}
#: Attributes of an element that are read, or that say how it is shown. Those of a query remain on
#: some entries that editors made of a condition.
ATTRIBUTES: Final = {
    *("id", "name", "hidden", "type", "subType", "targetId", "primary", "import", "collective"),
    *("defaultAmount", "defaultSelectionEntryId", "step", "publicationId", "page", "comment"),
    *("description", "alias", "readme", "sortIndex", "collapsible", "flatten", "$text"),
    *("childForcesLabel", "exportable", "profileTypeId"),
    *("value", "field", "scope", "childId", "shared"),
    *("includeChildSelections", "includeChildForces", "percentValue"),
}
#: Letters of the id and the name of a unit that a collection counts.
MAX_NAME: Final = 200
#: How many groups may stand in each other and be passed over.
_MAX_HEIGHT: Final = 20
#: Modifiers, each with the groups around it.
Modifiers: TypeAlias = tuple[tuple[FileElement, tuple[FileElement, ...]], ...]


class Held(NamedTuple):
    """Contents of a group: whether it, or anything in it, `asks` to be taken or is by default;
    and whether it, or a group in it, `speaks` to the player or may not be understood."""

    asks: bool
    speaks: bool
    height: int = 0


class Scanner:
    """Looks into groups of a catalogue and of its sources, each once."""

    def __init__(self, game: GameFiles, costs: Collection[str]) -> None:
        self._game = game
        self._quiet = {"hidden", "category", *SHOWN, *costs}
        self._known: dict[FileElement, Held] = {}
        self._units: dict[tuple[FileElement, CountedUnit | None], dict[str, str]] = {}

    def parts(self, element: FileElement) -> tuple[FileElement, ...]:
        """Return an element, or the target of a link and then the link; only the link if its
        target can't be taken."""
        if element.place == "entryLinks":
            target = self._game.find(element.get("targetId"), element)
            if target is not None and target.place in GROUPS | ENTRIES:
                return target, element
        return (element,)

    def held(self, group: FileElement) -> Held:
        """Return the contents of a group, or of the target of a link."""
        known = self._known.get(group)
        if known is None:
            self._known[group] = Held(True, True, _MAX_HEIGHT)  # a group within itself
            known = self._known[group] = self._look(self.parts(group))
        return known

    def units(self, element: FileElement, upgrade: CountedUnit | None = None) -> Mapping[str, str]:
        """Return the units in an entry, and its models outside of units: their names by id.

        `upgrade` is the one that has the entry. Entries with very long ids are left out.
        """
        parts = self.parts(element)
        main = parts[0]
        names = self._units.get((main, upgrade))
        if names is None:
            names = self._units[main, upgrade] = {}
            kind = "group" if main.place in GROUPS else main.get("type", "unit")
            own = CountedUnit(main.id, (main.get("name") or element.get("name")).strip())
            if kind in ("unit", "model"):
                unit = own.within(upgrade if kind == "model" else None)
                names |= {unit.id: unit.name[:MAX_NAME]} if len(unit.id) <= MAX_NAME else {}
                upgrade = None
            elif kind != "group":
                upgrade = own
            for part in parts if kind != "unit" else ():
                for child in part.all(*HOLDING):
                    names |= self.units(child, upgrade)
        return names

    def _look(self, parts: tuple[FileElement, ...]) -> Held:
        wants = any(map(asks, parts))
        speaks = any(map(self._speaks, parts))
        height = 0
        for child in (child for part in parts for child in part.all(*HOLDING)):
            inner = self.parts(child)
            if inner[0].place in GROUPS:
                held = self.held(child)
                wants, speaks = wants or held.asks, speaks or held.speaks
                height = max(height, held.height + 1)
            else:
                wants = wants or any(map(asks, inner))
                speaks = speaks or inner[0].place == "entryLinks"
        too_high = height > _MAX_HEIGHT
        return Held(wants or too_high, speaks or too_high, height)

    def _speaks(self, element: FileElement) -> bool:
        if not element.lists.keys() <= LISTS or "associations" in element.lists:
            return True
        bounds = {constraint.id for constraint in element.all("constraints")}
        for modifier, _around in modifiers_of(element):
            field = modifier.get("field")
            if field not in self._quiet | bounds or is_far(modifier):
                return True
        return False


def asks(element: FileElement) -> bool:
    """Return whether some of an element must be taken, or may have to be, or is by default."""
    if any(one.get("type") != "max" for one in element.all("constraints")):
        return True
    fields = (modifier.get("field") for modifier, _around in modifiers_of(element))
    return bool(element.get("defaultAmount")) or "defaultAmount" in fields
