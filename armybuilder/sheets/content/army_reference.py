"""What an army's units name and the rulebook explains: each rule once, by when it matters."""

from collections.abc import Iterator

from armybuilder.engine.catalogue import System
from armybuilder.engine.options import slug
from armybuilder.sheets.content.army import SheetArmy, UnitBlock
from armybuilder.sheets.content.structure import SheetEntry


def army_glossary(army: SheetArmy, system: System) -> tuple[SheetEntry, ...]:
    """Return the entries of the game's glossary that some unit of the army names, in its order."""
    named = {slug(name) for unit in army.units for name in _names(unit)}
    return tuple(
        SheetEntry(entry.name, entry.summary, "", str(entry.citation), entry.group)
        for entry in system.glossary
        if slug(entry.name) in named
    )


def _names(unit: UnitBlock) -> Iterator[str]:
    yield from unit.rules
    yield from unit.marks
    yield from (taken.plain for taken in unit.chosen)
    if unit.wizard:
        yield unit.wizard.kind
    if unit.scoring:
        yield "Scoring"
