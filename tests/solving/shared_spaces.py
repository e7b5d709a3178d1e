"""Many lists in one space of lists: constraints that are built once and asked of each of them.

A space holds the units of the first list, with all their options, and as many new ones as any other
list has beside them, with the options that some list takes on them; each list is a point in it. So
the constraints are asked of what a solver asks them of: entries that are changed or gone, units
that are new. What no new unit can be, such as one with a card filled in or larger than its book
lets it be, stands in the space as an entry of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import NamedTuple

from armybuilder.engine.about import About, AboutName
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.constraining import PossibleLists, Scope, possible_lists
from armybuilder.engine.entry_bounds import Path
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Pick, Roster, SettingValue
from armybuilder.engine.space.candidates import Candidate, Level, Takable
from armybuilder.engine.space.constraints import FALSE, Constraints, Linear, Owner, is_true

#: Settings whose choice the list itself makes.
OWN = ("faction", "organisation", "terrain", "tactical_advantage", "map")


class Game(NamedTuple):
    """What all lists of a space have alike: their books, and what is no unknown in it."""

    catalogue: Catalogue
    limit: int
    settings: tuple[tuple[str, SettingValue], ...]


def game_of(roster: Roster, catalogue: Catalogue) -> Game:
    """Return what another roster must have alike to be in one space with this one."""
    known = catalogue.system.settings
    settled = (
        (key, value)
        for key, value in roster.settings.items()
        if key not in OWN or known[key].kind == "number"
    )
    return Game(catalogue, roster.limit, tuple(sorted(settled)))


def spaces_of(
    rosters: Sequence[tuple[Roster, Catalogue]], most: int, legal: bool = False
) -> Iterator[tuple[list[int], SharedSpace]]:
    """Return spaces in which rosters are, at `most` so many in each, with their places in the
    sequence. `legal`: only legal lists are of interest, so each that cannot be is by itself.
    """
    games: dict[tuple[Game, int], list[int]] = {}
    for place, (roster, catalogue) in enumerate(rosters):
        apart = place + 1 if legal and _names(roster) else 0
        games.setdefault((game_of(roster, catalogue), apart), []).append(place)
    for (game, _), places in games.items():
        for start in range(0, len(places), most):
            some = places[start : start + most]
            yield some, SharedSpace([rosters[one][0] for one in some], game.catalogue, legal)


class SharedSpace:
    """Rosters of one game in one space."""

    def __init__(
        self, rosters: Sequence[Roster], catalogue: Catalogue, legal: bool = False
    ) -> None:
        self.rosters = rosters
        self.game = game_of(rosters[0], catalogue)
        self.first = {pick.id: pick for pick in rosters[0].picks}
        self.entries = dict(self.first)
        self.added: Counter[str] = Counter()
        #: By the key of a new unit: the options that some list takes on it.
        self.taken: dict[str, set[Path]] = {}
        self.keys = [self._place(roster, number) for number, roster in enumerate(rosters)]
        strays = dict.fromkeys(stray for roster in rosters for stray in roster.strays)
        every = replace(rosters[0], picks=tuple(self.entries.values()), strays=tuple(strays))
        scope = Scope(self.added, OWN, wanted=self._is_wanted, legal=legal)
        self.possible = possible_lists(every, catalogue, scope)
        self.candidates: dict[str, list[Candidate]] = {}
        for candidate in self.possible.candidates:
            self.candidates.setdefault(candidate.key, []).append(candidate)
        #: The values that are the first roster.
        self.decisions = self.possible.as_it_stands()
        for key in self.candidates.keys() - self.first.keys():
            self.decisions |= self._gone(key)

    @cached_property
    def asked(self) -> Asked:
        """The constraints, asked of the first roster."""
        return Asked(self.possible.constraints, self.decisions)

    def _place(self, roster: Roster, number: int) -> list[str]:
        """Return the keys of the candidates that a roster's entries are; make room for them."""
        new: Counter[str] = Counter()
        keys = [self._key(pick, number, new) for pick in roster.picks]
        self.added |= new
        return keys

    def _key(self, pick: Pick, number: int, new: Counter[str]) -> str:
        there, unit = self.first.get(pick.id), self.game.catalogue.units.get(pick.ref)
        if there is not None and _is_same(pick, there):
            return pick.id
        if pick.unit is None or pick.unit is not unit or not self._is_plain(pick):
            key = f"{pick.id} of {number}"
            self.entries[key] = pick if pick.unit is None else replace(pick, id=key)
            return key
        if there is not None and there.unit is unit:
            return pick.id
        key = f"+{pick.ref}:{new[pick.ref]}"
        new[pick.ref] += 1
        self.taken.setdefault(key, set()).update(_paths(pick.picks))
        return key

    def _is_wanted(self, candidate: Candidate, takable: Takable) -> bool:
        """Return whether some list may take an option."""
        key = candidate.key
        return key in self.first or takable.path in self.taken.get(key, ())

    def _is_plain(self, pick: Pick) -> bool:
        """Return whether a pick is what a new unit of the books may become."""
        return entry_point(_new(self.game, pick.ref), pick) is not None

    def _gone(self, key: str) -> Point:
        """Return the values with which an entry is not there."""
        candidates = self.candidates.get(key, ())
        return {one: 0 for candidate in candidates for one in candidate.as_it_stands()}

    def point(self, number: int) -> Point | None:
        """Return where one of the rosters differs from the first: the values; None where it is not
        in the space.
        """
        roster, keys = self.rosters[number], self.keys[number]
        point = settings_point(self.possible, roster)
        if point is None:
            return None
        for key in self.first.keys() - set(keys):
            point |= self._gone(key)
        for pick, key in zip(roster.picks, keys, strict=True):
            there = self.first.get(key)
            if pick.unit is None or (there is not None and _is_same(pick, there)):
                continue
            values = entry_point(self.candidates[key], pick)
            if values is None:
                return None
            point |= self._gone(key) | values
        return point

    def broken(self, number: int) -> frozenset[str] | None:
        """Return the rules that one of the rosters breaks, by their ids; None where it is not in
        the space.
        """
        point = self.point(number)
        if point is None:
            return None
        names = _names(self.rosters[number])
        return frozenset(
            _id_of(owner) for owner in self.asked.broken(point) if not _is_foreign(owner, names)
        )


def _is_same(pick: Pick | OptionPick, other: Pick | OptionPick) -> bool:
    if isinstance(pick, Pick) and isinstance(other, Pick):
        alike = pick.unit is other.unit and (pick.ref, pick.models) == (other.ref, other.models)
        alike = alike and set(pick.roles) == set(other.roles)
    elif isinstance(pick, OptionPick) and isinstance(other, OptionPick):
        alike = (pick.id, pick.number, pick.on) == (other.id, other.number, other.on)
    else:
        return False
    if not alike or len(pick.picks) != len(other.picks):
        return False
    return all(map(_is_same, pick.picks, other.picks))


def _paths(picks: Iterable[OptionPick], above: Path = ()) -> Iterator[Path]:
    """Return where options are taken."""
    for pick in picks:
        path = (*above, pick.id)
        yield path
        yield from _paths(pick.picks, path)


def _id_of(owner: Owner | None) -> str:
    if owner is None:
        raise ValueError("the values contradict what the unknowns mean")
    return owner.head.id


def _is_foreign(owner: Owner | None, names: Container[About]) -> bool:
    """Return whether a name that leads nowhere is another list's."""
    return owner is not None and isinstance(owner.about, AboutName) and owner.about not in names


def _names(roster: Roster) -> set[About]:
    names = {AboutName(one.kind, one.pick, one.name) for one in roster.strays}
    return names | {
        AboutName("unit", pick.id, pick.ref) for pick in roster.picks if pick.unit is None
    }


@lru_cache(maxsize=512)
def _new(game: Game, ref: str) -> tuple[Candidate, ...]:
    """Return the candidates of a new unit, in a space of its own."""
    nobody = Roster(game.limit, (), dict(game.settings))
    return possible_lists(nobody, game.catalogue, Scope({ref: 1}, OWN)).candidates


#: Values by their variables, as far as they are decisions.
Point = dict[int, int]


def entry_point(candidates: Sequence[Candidate], pick: Pick) -> Point | None:
    """Return the values with which one of an entry's candidates is a pick; None where none can be
    it.
    """
    for candidate in candidates:
        if set(candidate.roles) == {one for one in pick.roles if one not in candidate.free_roles}:
            return _point_of(candidate, pick)
    return None


def settings_point(possible: PossibleLists, roster: Roster) -> Point | None:
    """Return the values that are a roster's own settings; None where they cannot be chosen."""
    values = replace(possible, roster=roster, candidates=()).as_it_stands()
    return values if _is_within(values, possible.constraints) else None


def _point_of(candidate: Candidate, pick: Pick) -> Point | None:
    values = {candidate.size_variable: pick.models - candidate.least}
    if candidate.unit.size is not None:
        values[candidate.present] = 1
    for role, variable in candidate.free_roles.items():
        values[variable] = int(role in pick.roles)
    for takable, had in _options(candidate.root, pick.picks):
        decided = _option_point(takable, had)
        if decided is None:
            return None
        values |= decided
    return values if _is_within(values, candidate.constraints) else None


def _options(
    level: Level, picks: Sequence[OptionPick]
) -> Iterator[tuple[Takable, OptionPick | None]]:
    """Return all that may be taken, each with what is taken of it."""
    picked = {pick.id: pick for pick in picks}
    for option_id, takable in level.options.items():
        had = picked.get(option_id)
        yield takable, had
        if takable.level is not None:
            yield from _options(takable.level, had.picks if had else ())


def _option_point(takable: Takable, had: OptionPick | None) -> Point | None:
    """Return the values with which an option is taken so; None where it cannot be."""
    number = had.number if had else 0
    put_on = had.on if had else ""
    settled = 0 if takable.taken == FALSE else takable.given
    if (takable.variable is None and number > settled) or (put_on and put_on not in takable.on):
        return None
    values = {variable: int(piece == put_on) for piece, variable in takable.on.items()}
    if takable.variable is not None:
        values[takable.variable] = max(0, number - takable.given)
    return values


def _is_within(values: Point, constraints: Constraints) -> bool:
    low, high = constraints.low, constraints.high
    return all(low[one] <= value <= high[one] for one, value in values.items())


class _Read(list[int]):
    """Values that note which of them are read."""

    def __init__(self, values: list[int]) -> None:
        super().__init__(values)
        self.read: set[int] = set()

    def __getitem__(self, place: int) -> int:  # type: ignore[override]  # nobody takes a slice
        self.read.add(place)
        return super().__getitem__(place)


class Asked:
    """What `complete` and `broken` of some constraints say, with their work done once, for one
    list: of another only what hangs on a number that differs is worked out again.
    """

    def __init__(self, constraints: Constraints, decisions: Mapping[int, int]) -> None:
        self.definitions = constraints.definitions
        self.clauses = constraints.clauses
        self.linear = constraints.linear
        self.values = constraints.complete(decisions)
        #: By the variable: the definitions that read it for that list; the clauses that have it;
        #: the inequalities that hold only by it, and those that have it in their sum, how often.
        self.read_by: dict[int, list[int]] = {}
        self.in_clauses: dict[int, list[int]] = {}
        self.in_guards: dict[int, list[int]] = {}
        self.in_sums: dict[int, list[tuple[int, int]]] = {}
        self._note()
        self.sums = [_sum(one, self.values) for one in self.linear]
        clauses, linear = range(len(self.clauses)), range(len(self.linear))
        self.unmet_clauses = {one for one in clauses if not self._is_clause_met(one, self.values)}
        self.unmet_linear = {
            one for one in linear if not self._is_sum_met(one, self.sums[one], self.values)
        }

    def _note(self) -> None:
        values = _Read(self.values)
        for place, (_, worth) in enumerate(self.definitions):
            values.read.clear()
            worth(values)
            for variable in values.read:
                self.read_by.setdefault(variable, []).append(place)
        for place, clause in enumerate(self.clauses):
            for literal in clause.literals:
                self.in_clauses.setdefault(max(literal, ~literal), []).append(place)
        for place, one in enumerate(self.linear):
            for literal in one.when:
                self.in_guards.setdefault(max(literal, ~literal), []).append(place)
            for variable, factor in zip(one.variables, one.factors, strict=True):
                self.in_sums.setdefault(variable, []).append((place, factor))

    def broken(self, decisions: Mapping[int, int]) -> Iterator[Owner | None]:
        """Return whose constraints do not hold where these unknowns have other values; None where
        it is one that says what things mean.
        """
        before = self.values
        values = list(before)
        changed = [one for one, value in decisions.items() if before[one] != value]
        for variable in changed:
            values[variable] = decisions[variable]
        changed += self._follow(values, changed)
        clauses = {one for variable in changed for one in self.in_clauses.get(variable, ())}
        for place in self.unmet_clauses - clauses:
            yield self.clauses[place].owner
        for place in clauses:
            if not self._is_clause_met(place, values):
                yield self.clauses[place].owner
        more = self._more(values, changed)
        for place in self.unmet_linear - more.keys():
            yield self.linear[place].owner
        for place, difference in more.items():
            if not self._is_sum_met(place, self.sums[place] + difference, values):
                yield self.linear[place].owner

    def _more(self, values: list[int], changed: list[int]) -> dict[int, int]:
        """Return the inequalities that hang on what has changed, with how much more their sums
        are.
        """
        found = {place: 0 for variable in changed for place in self.in_guards.get(variable, ())}
        for variable in changed:
            difference = values[variable] - self.values[variable]
            for place, factor in self.in_sums.get(variable, ()):
                found[place] = found.get(place, 0) + factor * difference
        return found

    def _follow(self, values: list[int], changed: list[int]) -> list[int]:
        """Work out anew what follows from what has changed, in the order in which it was made;
        return what changes with it.
        """
        read_by, found = self.read_by, []
        stale = bytearray(len(self.definitions))
        for variable in changed:
            for place in read_by.get(variable, ()):
                stale[place] = 1
        place = stale.find(1)
        while place >= 0:
            variable, worth = self.definitions[place]
            value = worth(values)
            if value != values[variable]:
                values[variable] = value
                found.append(variable)
                for following in read_by.get(variable, ()):
                    stale[following] = 1
            place = stale.find(1, place + 1)
        return found

    def _is_clause_met(self, place: int, values: list[int]) -> bool:
        for literal in self.clauses[place].literals:
            if values[literal] == 1 if literal >= 0 else values[~literal] == 0:
                return True
        return False

    def _is_sum_met(self, place: int, total: int, values: list[int]) -> bool:
        one = self.linear[place]
        low, high = one.low, one.high
        if (low is None or total >= low) and (high is None or total <= high):
            return True
        return not all(is_true(literal, values) for literal in one.when)


def _sum(one: Linear, values: list[int]) -> int:
    pairs = zip(one.variables, one.factors, strict=True)
    return sum(factor * values[variable] for variable, factor in pairs)
