"""Bounds: low <= a query <= high, for a list or for each of its parts, as data.

A kind of rule gives bounds. Only this module checks them and takes them apart in an actual line-up
(`terms`), and demands them of possible line-ups (`demand`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from armybuilder.engine.about import WHOLE_LIST, About, AboutCopies, AboutUnit
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import Edge, End, Fixed
from armybuilder.engine.names import name_key
from armybuilder.engine.queries import OfMembers, Query
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import FALSE, TRUE, Literal
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.view import THE_LIST, Items, N, Subject, View


class Each(ABC):
    """Subjects of a bound: one number is checked for each of them."""

    @abstractmethod
    def subjects(self, view: View[N], own: End | None = None) -> Iterable[Subject]:
        """Return the subjects on the list, or those that are possible; perhaps without those that
        pass an end of their own at once.
        """

    def about(self, subject: Subject) -> About:
        """Return the subject of a finding about one item: by default its unit."""
        return subject.about or AboutUnit(subject.key)


@dataclass(frozen=True, slots=True, eq=False)
class ForFound(Each):
    """For subjects that a rule finds."""

    find: Callable[[View[Any]], Iterable[Subject]]

    def subjects(self, view: View[N], own: End | None = None) -> Iterable[Subject]:
        return self.find(view)


@dataclass(frozen=True, slots=True)
class ForList(Each):
    """For the list."""

    what: About = WHOLE_LIST

    def subjects(self, view: View[N], own: End | None = None) -> Iterable[Subject]:
        return (THE_LIST,)

    def about(self, subject: Subject) -> About:
        return self.what


@dataclass(frozen=True, slots=True)
class ForUnit(Each):
    """For each unit that a selector matches; `number` is that of the selector. The rule of the id
    may be lifted from some.
    """

    selector: Selector
    number: int | None = None
    rule: str = ""

    def subjects(self, view: View[N], own: End | None = None) -> Iterator[Subject]:
        for member, meant in view.matched(self.selector, self.rule):
            yield Subject(member.key, ((member, TRUE),), (), (meant,))


@dataclass(frozen=True, slots=True)
class ForSame(Each):
    """For all models of one and the same unit that a selector matches, or of one and the same
    Unique name (`by` "unique"). Without a selector all units are meant.
    """

    selector: Selector | None = None
    number: int | None = None
    rule: str = ""
    by: str = ""

    def subjects(self, view: View[N], own: End | None = None) -> Iterator[Subject]:
        same: dict[str, list[tuple[Any, Literal]]] = {}
        unique = self.by == "unique"
        every = ((member, TRUE) for member in view.members)
        meant = every if self.selector is None else view.matched(self.selector, self.rule)
        for member, here in meant:
            unit = member.unit
            key = unit.ref if not unique else unit.unique and name_key(unit.unique)
            if key:
                same.setdefault(key, []).append((member, here))
        for key, members in same.items():
            some = (
                members[0][1]
                if len(members) == 1
                else view.algebra.any_of(here for _, here in members)
            )
            yield Subject(key, members, (), (some,) if self.selector is not None else ())

    def about(self, subject: Subject) -> About:
        return AboutCopies(subject.key)


@dataclass(frozen=True, slots=True)
class ForHaving(Each):
    """For each unit with options that the selector of a number counts: these are its items; or for
    the subjects that a rule finds (`find`) among them. `always`: the bound may also be required of
    units without such options. Without a number all options are meant.
    """

    number: int | None
    always: bool = False
    find: Callable[[View[Any], Any, Items], Iterable[Subject]] | None = None

    def subjects(self, view: View[N], own: End | None = None) -> Iterator[Subject]:
        for member, items in view.having(self.number):
            if own is not None and own.passes(member, items):
                continue
            if self.find is not None:
                yield from self.find(view, member, items)
            else:
                when = () if self.always else (member.present,)
                yield Subject(member.key, ((member, TRUE),), items, when)


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """One requirement. `name` labels the number on a page. Both ends are counted in parts, `whole`
    parts to a unit of the count. `sized`: only where units are of several models, or are not.
    """

    head: RuleHead
    query: Query
    low: End | None = None
    high: End | None = None
    each: Each = ForList()
    name: str = ""
    whole: int = 1
    sized: bool | None = None
    #: Both ends, if they are the same on every list.
    fixed: tuple[int | None, int | None] | None = field(init=False, default=None)
    #: The one end of which each subject has its own; whether there is but the list; and the number
    #: of the selector without which there is nothing.
    own: End | None = field(init=False, default=None)
    of_list: bool = field(init=False, default=False)
    number: int | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        numbers = tuple(
            end.number * self.whole if isinstance(end, Fixed) else end
            for end in (self.low, self.high)
        )
        if all(end is None or isinstance(end, int) for end in numbers):
            object.__setattr__(self, "fixed", numbers)
        ends = (end for end in (self.low, self.high) if end is not None and end.own)
        object.__setattr__(self, "own", next(ends, None))
        object.__setattr__(self, "of_list", isinstance(self.each, ForList))
        object.__setattr__(self, "number", getattr(self.each, "number", None))

    @property
    def reads(self) -> int | None:
        """Number of the selector whose counts alone decide whether the list is in bounds, besides
        the game size, the settings and the counts of conditions; None: more does.
        """
        grows = any(end is not None and end.grows for end in (self.low, self.high))
        return self.query.reads if self.of_list and not grows else None

    def subjects(self, view: View[N], own: End | None = None) -> Iterable[Subject]:
        """Return the items that it bounds on a list, or in a space of lists."""
        if self.sized is None or self.sized == view.system.sized:
            return self.each.subjects(view, own)
        return ()

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the numbers in a line-up that it bounds, and that of the list in any case."""
        for subject in self.subjects(tally):
            if FALSE in subject.when and not self.name:
                continue
            low, high = self._ends(tally, subject)
            if low is not None or high is not None or not subject.members:
                measured = self.query.measure(tally, subject)
                yield self._term(tally, subject, measured, low, high)

    def broken(self, tally: Tally) -> Sequence[Term]:
        """Return those of its numbers in a line-up that are out of bounds."""
        if self.number is not None and not tally.picks_by[self.number]:
            return ()
        low, high = ends = (None, None) if self.own else self._ends(tally, THE_LIST)
        if self.of_list:
            measured = self.query.measure(tally, THE_LIST)
            if (low is None or measured >= low) and (high is None or measured <= high):
                return ()
            return (self._term(tally, THE_LIST, measured, low, high),)
        if isinstance(self.each, ForUnit) and isinstance(self.query, OfMembers):
            for worth in self.query.worths(tally):
                if (low is not None and worth < low) or (high is not None and worth > high):
                    break
            else:
                return ()
        return list(self._broken(tally, ends))

    def _broken(self, tally: Tally, ends: tuple[int | None, int | None]) -> Iterator[Term]:
        own, measure = self.own, self.query.measure
        for subject in self.subjects(tally, own):
            measured = measure(tally, subject)
            if own is not None:
                ends = self._ends(tally, subject)
            low, high = ends
            out = (low is not None and measured < low) or (high is not None and measured > high)
            if out and FALSE not in subject.when:
                yield self._term(tally, subject, measured, *ends)

    def _ends(self, tally: Tally, subject: Subject) -> tuple[int | None, int | None]:
        if self.fixed is not None:
            return self.fixed
        low = None if self.low is None else self.low.lower(tally, subject)
        high = None if self.high is None else self.high.upper(tally, subject)
        if self.whole > 1:
            low, high = low and low * self.whole, high and high * self.whole
        return low, high

    def _term(
        self, tally: Tally, subject: Subject, measured: int, low: int | None, high: int | None
    ) -> Term:
        query = self.query
        of, of_list = query.selector, self.of_list
        return Term(
            self.head,
            query.field,
            measured,
            low,
            high,
            partial(query.parts, tally, subject),
            self.each.about(subject),
            culprits_of=partial(query.culprits, tally, subject),
            of=of,
            role=query.role or (of.role_among(tally.system.roles) if of is not None else ""),
            name=self.name,
            setting=query.setting,
            against=tuple(query.against(tally, subject)),
            minimum=self.low if of_list else None,
            maximum=self.high if of_list else None,
        )

    def demand(self, space: Space, head: RuleHead) -> None:
        """Demand the bound of possible lists, in one line-up, by the head of its rule."""
        alone = self.low is not None and self.low.own
        for subject in self.subjects(space):
            about, when = self.each.about(subject), subject.when
            barred = self.query.barred(space, subject)
            for literals in barred or ():
                space.forbid(head, *literals, *when, about=about)
            if barred is None:
                number, low, high = self._stated(space, subject)
                space.bound(head, number, low, high, when, about, alone)

    def kept(self, view: View[N]) -> Literal:
        """Return whether a list, or possible lists, keep the bound."""
        kept = []
        for subject in self.subjects(view):
            number, low, high = self._stated(view, subject)
            sides: list[Literal] = [~literal for literal in subject.when]
            if low is not None:
                enough = view.algebra.at_least(number * low.times - low.value, 0)
                kept.append(view.algebra.any_of([enough, ~low.exists, *sides]))
            if high is not None:
                few = view.algebra.at_least(high.value - number * high.times, 0)
                kept.append(view.algebra.any_of([few, ~high.exists, *sides]))
        return view.algebra.all_of(kept)

    def _stated(self, view: View[N], subject: Subject) -> tuple[N, Edge[N] | None, Edge[N] | None]:
        """Return a number, with its limits."""
        number = self.query.measure(view, subject)
        low, high = (
            None if end is None else end.edge(view, subject) for end in (self.low, self.high)
        )
        if self.whole > 1:
            low = low and low._replace(value=low.value * self.whole)
            high = high and high._replace(value=high.value * self.whole)
        return number, low, high

    def army_tags(self) -> set[str]:
        """Return the tags that its ends count in the whole army."""
        ends = (end for end in (self.low, self.high) if end is not None)
        return {tag for end in ends for tag in end.army_tags()}

    @property
    def lasts(self) -> bool:
        """Return whether an excess stays when units or options are added."""
        only_most = self.low is None and self.high is not None and not self.high.grows
        return only_most and not (self.army_tags() or self.query.crosses)
