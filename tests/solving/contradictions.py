"""`python -m tests.solving.contradictions --lists 2000`: compare what verbs say of lists of small
random games with all lists of these.

Prints each contradiction, and at the end one line: lists, games, contradictions, seconds of
processor. Ends with status 1 if there are any. `--share 2/3` does the second of three shares.
"""

import argparse
import logging
import os
import sys
from collections.abc import Iterator
from time import process_time
from typing import Any

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()

from armybuilder.loading.armylist import ArmyList
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import Filling, filling
from armybuilder.solving.look_ahead import Fate, look_ahead, options_ahead
from armybuilder.solving.questions import Question, Sought, answer
from armybuilder.solving.repair import repairs
from armybuilder.solving.taste import NO_WISHES, Wishes
from tests.solving.worlds import Tried, World, drawn

#: Long enough that no answer depends on the machine.
LONG = 20.0
SOLVER = CpSat()
#: Lists of each game.
LISTS = 4


class Comparing:
    """One list of a game, what becomes of it by adding alone, and all that is legal."""

    def __init__(self, world: World, made: ArmyList, seed: int) -> None:
        self.world = world
        self.made = made
        self.seed = seed
        self.tried = [one for one in world.tried if world.may_repair(one.army_list, made)]
        self.legal = [one for one in self.tried if not one.broken]
        self.reached = [one for one in self.legal if world.grows(one.army_list, made)]

    def all(self) -> Iterator[str]:
        yield from self._repaired()
        yield from self._ahead()
        yield from self._options()
        for few in (False, True):
            yield from self._filled(NO_WISHES, few)
        yield from self._filled(Wishes(no_copies=True), few=False)
        yield from self._answered()
        yield from self._explained()

    def _repaired(self) -> Iterator[str]:
        found = repairs(self.made, self.world.catalogue, SOLVER, seconds=LONG)
        if found.impossible and self.legal:
            yield f"repair: impossible, but {text(self.legal[0])}"
        for way in found.found:
            if self._broken(way.army_list):
                yield f"repair: illegal {text(way.army_list)}"

    def _broken(self, army_list: ArmyList) -> bool:
        return bool(self.world.judged(army_list).broken)

    def _ahead(self) -> Iterator[str]:
        world = self.world
        outlook = look_ahead(self.made, world.catalogue, SOLVER, seconds=LONG)
        if outlook.whole is Fate.DEAD and self.reached:
            yield f"ahead: dead, but {text(self.reached[0])}"
        if outlook.whole is Fate.OPEN and not self.reached:
            yield "ahead: open, but nothing"
        for ref, fate in outlook.units.items():
            had = world.number_of(ref, self.made)
            more = [one for one in self.reached if world.number_of(ref, one.army_list) > had]
            if fate is Fate.DEAD and more:
                yield f"ahead: {ref} dead, but {text(more[0])}"
            if fate is Fate.OPEN and not more:
                yield f"ahead: {ref} open, but nothing"

    def _options(self) -> Iterator[str]:
        for entry in self.made.units:
            ahead = options_ahead(self.made, self.world.catalogue, SOLVER, entry.id, seconds=LONG)
            for path, fate in ahead.items():
                having = [one for one in self.reached if self._takes(one.army_list, entry.id, path)]
                if fate is Fate.DEAD and having:
                    yield f"ahead: {path} dead, but {text(having[0])}"

    def _takes(self, after: ArmyList, entry: str, path: tuple[str, ...]) -> bool:
        """Whether a list has an option on what has become of an entry."""
        return self.world.keeps_with(after, self.made, entry, path)

    def _filled(self, wishes: Wishes, few: bool) -> Iterator[str]:
        world, what = self.world, f"fill{'-few' * few}{'-once' * wishes.no_copies}"
        filled: Filling = filling(
            self.made, world.catalogue, SOLVER, self.seed, wishes, LONG, few=few
        )
        reached = [one for one in self.reached if self._wished(one.army_list, wishes)]
        if filled.impossible and reached:
            yield f"{what}: impossible, but {text(reached[0])}"
        one = filled.filled
        if one is None or one.unfinished or one.partly:
            return
        judged = world.judged(one.army_list)
        if judged.broken or not world.grows(one.army_list, self.made):
            yield f"{what}: no filling {text(one.army_list)}"
        if one.proved:
            least = min(reached, key=lambda other: abs(world.limit - other.points), default=judged)
            if abs(one.left) > abs(world.limit - least.points):
                yield f"{what}: {one.left} left, but {text(least)}"

    def _wished(self, after: ArmyList, wishes: Wishes) -> bool:
        if not wishes.no_copies:
            return True
        number, made = self.world.number_of, self.made
        refs = {one.ref for one in after.units}
        return all(number(ref, after) <= max(1, number(ref, made)) for ref in refs)

    def _answered(self) -> Iterator[str]:
        for sought, best in ((Sought.MODELS, max), (Sought.CHEAPEST, min)):
            reply = answer(Question(sought), self.made, self.world.catalogue, SOLVER, LONG)
            if reply.impossible and self.reached:
                yield f"{sought}: impossible, but {text(self.reached[0])}"
            if reply.proved and self.reached:
                models = sought is Sought.MODELS
                value = best(one.models if models else one.points for one in self.reached)
                if best(value, reply.value) != reply.value:
                    yield f"{sought}: {reply.value} proved, but {value}"
            if reply.army_list is not None and self._broken(reply.army_list):
                yield f"{sought}: illegal"

    def _explained(self) -> Iterator[str]:
        world, made = self.world, self.made
        core = explain(made, world.catalogue, SOLVER, seconds=LONG)
        if core is None:
            return
        if self.reached:
            yield f"core: but {text(self.reached[0])}"
        held, units = {head.pointer for head in core.rules}, frozenset(core.units)
        for one in self.tried:
            if not one.broken & held and self._keeps(one, units):
                yield f"core {sorted(held)} {sorted(units)}: but {text(one)}"
                break
        if not core.minimal or not world.is_closed(held):
            return
        for rule in core.rules:
            rest = held - {rule.pointer}
            if world.is_closed(rest) and not any(
                not one.broken & rest and self._keeps(one, units) for one in self.tried
            ):
                yield f"core {sorted(held)} {sorted(units)}: without {rule.id} nothing"
        for unit in units:
            some = units - {unit}
            if not any(not one.broken & held and self._keeps(one, some) for one in self.tried):
                yield f"core {sorted(held)} {sorted(units)}: without {unit} nothing"

    def _keeps(self, one: Tried, units: frozenset[str]) -> bool:
        """Whether a list has what some units are, and the settings that were chosen."""
        world = self.world
        settings = world.settings_grow(one.army_list, self.made)
        return settings and world.keeps(one.army_list, self.made, units)


def text(one: Tried | ArmyList) -> str:
    """A list in a line."""
    army_list = one.army_list if isinstance(one, Tried) else one
    units = ", ".join(
        f"{unit.models} {unit.ref} {'/'.join(unit.roles)}"
        f" {[each.to_dict() for each in unit.options] or ''}"
        for unit in army_list.units
    )
    return f"[{units}] {dict(army_list.settings)} at {army_list.limit}"


def contradictions(seed: int, sized: bool, lists: int) -> Iterator[str]:
    """Yield what the verbs say of some lists of a game that is not so."""
    world = drawn(seed, sized)
    for number in range(lists):
        made = world.start()
        for one in Comparing(world, made, number).all():
            yield f"{seed} {sized} {number} {text(made)}: {one}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--share", default="1/1")
    asked: Any = parser.parse_args()
    which, _, shares = asked.share.partition("/")
    logging.disable(logging.CRITICAL)
    found, games = 0, range(int(which) - 1, asked.lists // LISTS, int(shares))
    for game in games:
        for one in contradictions(asked.seed + game // 2, game % 2 == 1, LISTS):
            print(one, flush=True)
            found += 1
    lists, seconds = LISTS * len(games), round(process_time())
    print(f"{lists} lists of {len(games)} games: {found} contradictions, {seconds} s")
    return int(found > 0)


if __name__ == "__main__":
    sys.exit(main())
