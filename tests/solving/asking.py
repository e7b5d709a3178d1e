"""Constraints, asked of many lists that differ in little."""

from collections.abc import Iterator, Mapping

from armybuilder.engine.space.constraints import Constraints, Linear, Owner, is_true


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
