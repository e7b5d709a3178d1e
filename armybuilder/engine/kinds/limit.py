"""Kind "limit": a count or sum over the whole list lies between bounds.

Counts points, models, picks (units or options) of what a selector matches, or the pieces
chosen in a setting.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import ClassVar

from armybuilder.engine.about import WHOLE_LIST, About, AboutCategory
from armybuilder.engine.bounds import Bound, limits_of, read_bound
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.fields import counted, given
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Selector
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Contribution, Tally, setting_points
from armybuilder.engine.terms import MODELS, PICKS, PIECES, POINTS, UNITS, Part, Term
from armybuilder.engine.vocabulary import Piece
from armybuilder.engine.wording import say


@dataclass(frozen=True, slots=True, eq=False)
class Limit(Rule):
    kind: ClassVar[str] = "limit"
    says: ClassVar[frozenset[str]] = frozenset(["what", "names"])
    can_be_lifted: ClassVar[bool] = True
    stands: ClassVar[bool] = True
    count: str = given()
    number: int = counted("of")
    selector: Selector = given("of", Selector.read, default=EVERYTHING)
    minimum: Bound | None = given("min", read_bound, default=None)
    maximum: Bound | None = given("max", read_bound, default=None)
    setting: str = given(default="")
    name: str = given("gauge", default="")
    what: str = ""
    category: str = ""

    def numbered_in(self, selector_index: SelectorIndex) -> "Limit":
        """Return the same, which counts by that index's number of its selector."""
        return replace(self, number=selector_index.add(self.selector))

    def judge(self, tally: Tally) -> Iterator[Finding]:
        measured = self.measure(tally)
        low, top = self._bounds(tally)
        broken = None
        if top is not None and measured > top:
            broken = top
        elif low is not None and measured < low:
            broken = low
        if broken is not None:
            values = self._values(tally)
            if top == low:
                values["bound"] = say("exactly")
            culprits = self._culprits(tally)
            yield self.finding(culprits, measured, broken, values, self.about)

    def measure(self, tally: Tally) -> int:
        """Return the count or sum in this line-up."""
        if self.count == "pieces":
            return len(matching_pieces(self, tally))
        if self.head.id in tally.lifts:
            return sum(part.amount for part in self._parts(tally))
        if self.selector is EVERYTHING or self.selector == EVERYTHING:
            if self.count == "points":
                return tally.points
            lines = tally.lines
            return tally.models if self.count == "models" else sum(one.units for one in lines)
        if self.count == "units":
            return sum(line.units for line in tally.matching(self.selector))
        if self.selector.mentions(CROSS_FACTION):
            return sum(amount(self.count, line) for line in tally.matching(self.selector))
        by = {
            "points": tally.points_by,
            "models": tally.models_by,
            "picks": tally.picks_by,
        }
        return by[self.count][self.number]

    def constrain(self, space: Space) -> None:
        if self.count == PIECES:
            measured = space.pieces(self.setting, lambda piece: self.selector.matches(piece.tags))
        else:
            measured = space.counted(self.count, self.selector, self.number, self.head.id)
        low = limits_of(self.minimum, space)
        high = limits_of(self.maximum, space)
        space.bound(self.head, measured, low=low, high=high, about=self.about)

    @property
    def lasting(self) -> tuple[RuleHead, ...]:
        """What is too much stays so where the bound and who is meant hang on nothing that comes."""
        only_most = self.minimum is None and self.maximum is not None and not self.maximum.grows
        moves = self.army_tags() or self.selector.mentions(CROSS_FACTION)
        return (self.head,) if only_most and not moves else ()

    @property
    def about(self) -> About:
        """The category that it bounds, or the list."""
        return AboutCategory(self.category) if self.category else WHOLE_LIST

    @property
    def needed(self) -> Selector | None:
        return self.selector if self.minimum is not None else None

    @property
    def of_all_points(self) -> bool:
        """Whether it counts the points of the whole list."""
        return self.count == POINTS and self.selector == EVERYTHING

    @property
    def is_budget(self) -> bool:
        return self.of_all_points and self.maximum is not None

    def most_points(self, roster: Roster) -> int | None:
        """Return its bound, where it is one of all points that hangs on the game alone."""
        budget = self.maximum if self.is_budget else None
        return budget.top_of_game(roster) if budget is not None else None

    def least_points(self, roster: Roster) -> int | None:
        """Return its lower bound, where it is one of all points that hangs on the game alone."""
        least = self.minimum if self.of_all_points else None
        return least.top_of_game(roster) if least is not None else None

    @property
    def wants_some(self) -> bool:
        return self.count == MODELS and self.selector == EVERYTHING and self.minimum is not None

    def army_tags(self) -> set[str]:
        bounds = filter(None, (self.minimum, self.maximum))
        return {tag for bound in bounds for tag in bound.army_tags()}

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the one number it bounds."""
        low, top = self._bounds(tally)
        yield Term(
            self.head,
            self.count,
            self.measure(tally),
            low,
            top,
            partial(self._parts, tally),
            self.about,
            of=self.selector,
            role=self.selector.role_among(tally.system.roles),
            name=self.name,
            setting=self.setting,
            minimum=self.minimum,
            maximum=self.maximum,
        )

    def _bounds(self, tally: Tally) -> tuple[int | None, int | None]:
        low = None if self.minimum is None else self.minimum.lower(tally)
        return low, None if self.maximum is None else self.maximum.upper(tally)

    def _culprits(self, tally: Tally) -> tuple[str, ...]:
        if self.count == "pieces":
            return ()
        meant = tally.meant(self.selector, self.number)
        return tuple(line.pick.id for line in meant if not tally.spares(self.head.id, line))

    def _meant(self, tally: Tally) -> Iterator[Contribution]:
        """Return what each line adds, those left out from which a unit lifts the rule."""
        for part in tally.contributions(self.selector, self.number):
            if not tally.spares(self.head.id, part.line):
                yield part

    def _values(self, tally: Tally) -> dict[str, object]:
        if self.count == "pieces":
            return {"names": [piece.name for piece in matching_pieces(self, tally)]}
        values: dict[str, object] = {"what": self.what or self.name}
        return {**values, "count": PICKS} if self.what and self.count != POINTS else values

    def _label(self, line: Line) -> str:
        unknown = self.count == "points" and line.unit.price.start is None
        return say("{unit} (points unknown)", unit=line.name) if unknown else line.name

    def _parts(self, tally: Tally) -> Iterator[Part]:
        if self.count == PIECES:
            for piece in matching_pieces(self, tally):
                yield Part("", piece.name, 1, key=piece.id)
            return
        for part in self._meant(tally):
            # A unit counts as one only as a whole, not by what is taken on it.
            if part.whole or self.count != UNITS:
                yield self._part(part)
        if self.count == POINTS and self.selector == EVERYTHING:
            for setting, points in setting_points(tally.roster, tally.system):
                yield Part("", setting.name, points, key=setting.id)

    def _worth(self, taken: Taken, line: Line) -> int:
        """Return what an option adds that counts by itself."""
        if self.count == POINTS:
            return taken.total
        return line.models if self.count == MODELS else taken.number * line.units

    def _part(self, part: Contribution) -> Part:
        line, total = part.line, getattr(part, self.count)
        if part.whole:
            single = self.count != POINTS and line.unit.size is None
            each = int(self.count == MODELS or single)
            return Part(line.pick.id, self._label(line), total, line, each)
        options = tuple((taken, self._worth(taken, line)) for taken in part.taken)
        return Part(line.pick.id, self._label(line), total, line, 0, False, options)


def amount(count: str, line: Line) -> int:
    """Return what a line adds to a count of points, models or picks."""
    if count == "points":
        return line.points
    return line.models if count == "models" else line.units


def matching_pieces(limit: Limit, tally: Tally) -> tuple[Piece, ...]:
    """Return the pieces chosen in the limit's setting that its selector matches."""
    values = tally.system.settings[limit.setting].values
    return tuple(
        values[piece]
        for piece in tally.roster.chosen(limit.setting)
        if piece in values and limit.selector.matches(values[piece].tags)
    )
