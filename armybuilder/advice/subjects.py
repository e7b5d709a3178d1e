"""What advice about a list is worked out from: the list, its books and its report, no page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Roster
from armybuilder.loading.armylist import ArmyList


class OtherBook(Protocol):
    """A book by its id and name."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A list to advise on. `names` are what its player knows each entry by, by its id;
    `other_books` those that it could draw from and does not.
    """

    document: ArmyList
    catalogue: Catalogue
    roster: Roster
    report: Report
    names: Mapping[str, str]
    other_books: Sequence[OtherBook] = ()

    @property
    def system(self) -> System:
        return self.catalogue.system
