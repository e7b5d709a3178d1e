"""Constraints, asked of many lists that differ in little."""

from collections.abc import Iterator, Mapping

from armybuilder.engine.space.constraints import Clause, Constraints, Linear, Owner, is_true


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
        self.constraints = constraints
        self.definitions = constraints.definitions
        self.values = constraints.complete(decisions)
        #: By the variable: which definitions read it for that list, and which constraints hold it.
        self.read_by: dict[int, list[int]] = {}
        self.held_by: dict[int, list[int]] = {}
        self.all: list[Clause | Linear] = [*constraints.clauses, *constraints.linear]
        self._note()
        self.unmet = {place for place, one in enumerate(self.all) if not _is_met(one, self.values)}

    def _note(self) -> None:
        values = _Read(self.values)
        for place, (_, worth) in enumerate(self.definitions):
            values.read.clear()
            worth(values)
            for variable in values.read:
                self.read_by.setdefault(variable, []).append(place)
        for place, one in enumerate(self.all):
            literals = one.literals if isinstance(one, Clause) else one.when
            variables = {max(literal, ~literal) for literal in literals}
            if isinstance(one, Linear):
                variables.update(one.variables)
            for variable in variables:
                self.held_by.setdefault(variable, []).append(place)

    def broken(self, decisions: Mapping[int, int]) -> Iterator[Owner | None]:
        """Return whose constraints do not hold where the unknowns have these values; None where it
        is one that says what things mean.
        """
        before = self.values
        values = list(before)
        changed = [one for one, value in decisions.items() if before[one] != value]
        for variable in changed:
            values[variable] = decisions[variable]
        changed += self._follow(values, changed)
        touched = {place for variable in changed for place in self.held_by.get(variable, ())}
        for place in self.unmet - touched:
            yield self.all[place].owner
        for place in touched:
            if not _is_met(self.all[place], values):
                yield self.all[place].owner

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


def _is_met(one: Clause | Linear, values: list[int]) -> bool:
    """Return whether a constraint holds."""
    if isinstance(one, Clause):
        return any(is_true(literal, values) for literal in one.literals)
    if not all(is_true(literal, values) for literal in one.when):
        return True
    pairs = zip(one.variables, one.factors, strict=True)
    total = sum(factor * values[variable] for variable, factor in pairs)
    return (one.low is None or total >= one.low) and (one.high is None or total <= one.high)
