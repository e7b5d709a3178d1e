"""The act that adds several units of the shelf at once, each so many times, as one change."""

from dataclasses import dataclass
from typing import ClassVar, Self

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, Fields, ListAct
from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.units import Unit
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.problems import Refusal

#: What a tick's field is called: this and the unit's reference.
TICK = "tick-"
#: How many of one unit can be added at once.
MOST_OF_ONE = 20

#: So many kinds of units an act names.
MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class AddSeveral(ListAct):
    """The units that are ticked, `number` of each; all of them or, where one cannot be, none."""

    name: ClassVar[str] = "add-several"
    adds: ClassVar[bool] = True
    refs: tuple[str, ...]
    number: int

    @classmethod
    def read(cls, form: Fields) -> Self:
        refs = tuple(field.removeprefix(TICK) for field in form if field.startswith(TICK))
        if not refs:
            raise Refusal(_("Tick what to add first."))
        number = unit_edits.whole_number(
            form.get("number") or "1", 1, MOST_OF_ONE, _("How many of each")
        )
        return cls(refs, number)

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after, entry, said = army_list, "", []
        for ref in self.refs:
            after, entry, added = add_number(after, catalogue, ref, self.number)
            said.append(_named(catalogue.units[ref], added))
        return ActResult(after, _sentence(said), entry)


def add_number(
    document: ArmyList, catalogue: Catalogue, ref: str, number: int
) -> tuple[ArmyList, str, int]:
    """Add so many of a unit: units where they have sizes, else models. Returns the entry that the
    last went to, and how many were added: more where fewer cannot be. Raises Refusal where the
    books have no such unit or the list is full.
    """
    added = 0
    entry = ""
    while added < number:
        entries = len(document.units)
        document, entry = unit_edits.add_unit(document, catalogue, ref)
        unit = catalogue.units[ref]
        new = len(document.units) > entries
        added += unit.smallest if new and unit.size is None else 1
    return document, entry, added


def _named(unit: Unit, number: int) -> str:
    return f"{number} × {unit.name}" if number > 1 else unit.name


def _sentence(said: list[str]) -> str:
    if len(said) > MOST_NAMED:
        names, more = ", ".join(said[: MOST_NAMED - 1]), len(said) - MOST_NAMED + 1
        return _("Added {names} and {number} more.").format(names=names, number=more)
    return _("Added {names}.").format(names=", ".join(said))
