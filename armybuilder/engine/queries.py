"""Queries: the amount of a field over the matches of a selector, on a list or part of it.

Each is measured by one function, over an actual list or a space of lists; `parts` give the parts of
an actual number.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Count, Selector
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import WORTHS, Contribution, Tally, setting_points
from armybuilder.engine.terms import (
    BARRED,
    GROUPS,
    MODELS,
    PICKS,
    PIECES,
    POINTS,
    UNITS,
    Part,
    options_of,
    part_of,
)
from armybuilder.engine.view import N, Subject, View
from armybuilder.engine.vocabulary import Piece
from armybuilder.engine.wording import say


class Query(ABC):
    """A query of `field`, the name used in terms.

    `selector`: whose, None if no selector says so; `setting`: in which setting.
    """

    @property
    @abstractmethod
    def field(self) -> str:
        """Name of the counted field in terms."""

    @property
    def selector(self) -> Selector | None:
        """Selector of the counted things; None if no selector says so."""
        return None

    @property
    def setting(self) -> str:
        """In which setting; "" for none."""
        return ""

    @property
    def reads(self) -> int | None:
        """Number of the selector whose counts alone it is; None: it is more."""
        return None

    @property
    def role(self) -> str:
        """Role of the counted things; "" if the selector may say so."""
        return ""

    @property
    def crosses(self) -> bool:
        """Return whether the selection depends on the warband's faction."""
        return self.selector is not None and self.selector.mentions(CROSS_FACTION)

    @abstractmethod
    def measure(self, view: View[N], subject: Subject) -> N:
        """Return the number on a list, or in a space of lists."""

    @abstractmethod
    def parts(self, tally: Tally, subject: Subject) -> Iterable[Part]:
        """Return the parts that add up to the number."""

    def barred(self, space: Space, subject: Subject) -> Iterable[Sequence[Literal]] | None:
        """Return the combinations of literals that the bound forbids; None: state its number."""
        return None

    def against(self, tally: Tally, subject: Subject) -> Iterable[Part]:
        """Return the parts that add up to the bound's own ends, if the list determines these."""
        return ()

    def culprits(self, tally: Tally, subject: Subject) -> Iterable[str]:
        """Return the ids of the picks that it is made of."""
        return (part.unit for part in self.parts(tally, subject) if part.unit)


@dataclass(frozen=True, slots=True)
class OfList(Query):
    """A count over the whole list."""

    count: Count

    @property
    def field(self) -> str:
        return self.count.field

    @property
    def selector(self) -> Selector:
        return self.count.selector

    def measure(self, view: View[N], subject: Subject) -> N:
        return view.counted(self.count)

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        for one in tally.contributions(self.count):
            yield self._part(one)
        if self.field == POINTS and self.selector == EVERYTHING:
            for setting, points in setting_points(tally.roster, tally.system):
                yield Part("", setting.name, points, key=setting.id)

    def culprits(self, tally: Tally, subject: Subject) -> Iterable[str]:
        return tally.meant(self.count)

    @property
    def reads(self) -> int | None:
        """Number of the selector, if the faction doesn't say whom it means."""
        return self.count.number if self.count.by_selector else None

    def _part(self, one: Contribution) -> Part:
        line, total = one.line, getattr(one, self.field)
        unknown = self.field == POINTS and line.unit.price.start is None
        name = say("{unit} (points unknown)", unit=line.name) if unknown else line.name
        if one.whole:
            return Part(line.pick.id, name, total, line, each_of(line, self.field))
        options = tuple((taken, self._worth(taken, line)) for taken in one.taken)
        return Part(line.pick.id, name, total, line, 0, False, options)

    def _worth(self, taken: Taken, line: Line) -> int:
        """Return how much an option that counts by itself adds."""
        if self.field == POINTS:
            return taken.total
        return line.models if self.field == MODELS else taken.number * line.units


@dataclass(frozen=True, slots=True)
class OfMembers(Query):
    """A share of members of the list in a count: a unit, or all models of one unit.

    `worth`: to which field, if other than `field`.
    """

    field: str
    selector: Selector | None = None
    worth: str = ""

    def measure(self, view: View[N], subject: Subject) -> N:
        worth, count, members = view.worth, self.worth or self.field, subject.members
        if len(members) == 1:
            return worth(members[0][0], count, members[0][1])
        return view.algebra.sum([worth(member, count, meant) for member, meant in members])

    def worths(self, tally: Tally) -> list[int]:
        """Return each line's addition, even if it is not selected."""
        count = self.worth or self.field
        name = WORTHS.get(count, count)
        return [getattr(line, name) for line in tally.lines]

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        for line, meant in subject.members:
            worth = tally.worth(line, self.worth or self.field, meant)
            yield part_of(line, worth, each_of(line, self.field))


@dataclass(frozen=True, slots=True)
class OfItems(Query):
    """Number of items taken on a unit."""

    field: str = PICKS

    def measure(self, view: View[N], subject: Subject) -> N:
        items = subject.items
        if len(items) == 1:
            only: N = items[0][1]
            return only
        return view.algebra.sum([number for _, number in items])

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        ((line, _),) = subject.members
        yield options_of(line, subject.items)


@dataclass(frozen=True, slots=True)
class OfBarred(Query):
    """Items of a unit of which there must be none, or members of the list where it has no items."""

    field: str = BARRED
    role: str = ""

    def measure(self, view: View[N], subject: Subject) -> N:
        if subject.items:
            return view.algebra.sum([number for _, number in subject.items])
        return view.algebra.sum(
            [view.worth(one, self._worth, here) for one, here in subject.members]
        )

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        if subject.items:
            yield options_of(subject.members[0][0], subject.items)
            return
        for line, here in subject.members:
            worth = tally.worth(line, self._worth, here)
            yield part_of(line, worth, each_of(line, self._worth))

    def barred(self, space: Space, subject: Subject) -> Iterator[tuple[Literal, ...]]:
        """Return each of the items, or each of the members."""
        if subject.items:
            return ((space.algebra.at_least(number, 1),) for _, number in subject.items)
        return ((member.present, here) for member, here in subject.members)

    @property
    def _worth(self) -> str:
        return MODELS if self.field == MODELS else UNITS


@dataclass(frozen=True, slots=True)
class Pieces(Query):
    """The pieces chosen in a setting that a selector means; or, without one, those that the other
    settings do not allow.
    """

    setting: str
    selector: Selector | None = None
    field: str = PIECES

    def measure(self, view: View[N], subject: Subject) -> N:
        return view.pieces(self.setting, self._meant(view))

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        values = tally.system.settings[self.setting].values
        meant = self._meant(tally)
        for key in tally.roster.chosen(self.setting):
            if key in values and meant(values[key]) == TRUE:
                yield Part("", values[key].name, 1, key=values[key].id)

    def _meant(self, view: View[N]) -> Callable[[Piece], Literal]:
        selector = self.selector
        if selector is None:
            return lambda piece: view.algebra.any_of(~view.among(*needed) for needed in piece.needs)
        return lambda piece: TRUE if selector.matches(piece.tags) else FALSE


@dataclass(frozen=True, slots=True)
class Chosen(Query):
    """The choice of one of some values, or of any value of an attribute, in a setting."""

    setting: str
    values: Sequence[str | int] = ()
    attribute: str = ""
    field: str = BARRED

    def values_in(self, view: View[N]) -> Iterable[str | int]:
        """Return the values."""
        return view.system.attributes[self.attribute].values if self.attribute else self.values

    def measure(self, view: View[N], subject: Subject) -> N:
        return view.algebra.number(view.among(self.setting, frozenset(self.values_in(view))))

    def parts(self, tally: Tally, subject: Subject) -> tuple[()]:
        return ()

    def barred(self, space: Space, subject: Subject) -> Iterable[Sequence[Literal]] | None:
        """Return that none of the values is chosen."""
        values = (
            range(one, one + 1) if isinstance(one, int) else {one} for one in self.values_in(space)
        )
        return ([~space.among(self.setting, value) for value in values],)


class Groups(Query):
    """Number of groups of members, each counted once."""

    field = GROUPS

    @abstractmethod
    def groups(self, view: View[N]) -> Mapping[str, Sequence[tuple[Any, Literal]]]:
        """Return the groups, each with its members and whether these are there."""

    def measure(self, view: View[N], subject: Subject) -> N:
        groups = [members for members in self.groups(view).values() if members]
        if len(groups) < 2:
            return view.algebra.constant(len(groups))
        return view.algebra.sum(
            view.algebra.number(view.algebra.any_of(here for _, here in one)) for one in groups
        )

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        for group, members in self.groups(tally).items():
            yield from (part_of(line, 1, group=group) for line, _ in members)


def each_of(line: Line, field: str) -> int:
    """Return every model's addition to a count; 0 if the count isn't by models."""
    return int(field == MODELS or (field in (UNITS, PICKS) and line.unit.size is None))
