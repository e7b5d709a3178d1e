"""Offers: options for one unit of a roster, with prices and reasons against.

The counterpart of `choices` inside a unit: a tree of groups and options for its current state.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from armybuilder.engine.conditions import Place
from armybuilder.engine.holding import TIMES
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import count_taken, lacking, open_slot, slot_doubts
from armybuilder.engine.options import Group, Offer, Option, Slot
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.report import Report
from armybuilder.engine.rulebook import cap_top
from armybuilder.engine.wording import say


class OptionOffer(NamedTuple):
    """An option on a unit.

    `path` is its ids from the unit ("standard-bearer/banner"); `number` is how often it is taken
    and `most` its maximum; `points` the price of one here; `why` the reason against it, or "".
    `held` is the number in the army and its maximum, if counted. `pieces` are the choices for an
    enchantment if several fit, `on` the chosen one. A `given` option is always included. `inner`
    are its own options, once it is taken. `unchecked` is a restriction of the book that can't be
    checked, in words, or "".
    """

    option: Option
    path: str
    number: int
    most: int | None
    points: int
    why: str
    held: tuple[int, int] | None
    pieces: tuple[str, ...]
    on: str
    given: bool
    inner: tuple[OptionOffer | GroupOffer, ...]
    unchecked: str = ""

    @property
    def spent(self) -> int:
        """Its points as often as it is taken, with its own options."""
        return self.points * self.number + sum(part.spent for part in self.inner)

    @property
    def army(self) -> str:
        """Number in the army and its maximum: "1 of 2 in the army"; "" if unlimited."""
        if self.held is None:
            return ""
        if self.option.cap is not None and self.option.cap.one_of_a_kind:
            return say("one of a kind")
        has, most = self.held
        return say("{number} of {most} in the army", number=has, most=most)


class GroupOffer(NamedTuple):
    """A group on a unit: `number` taken of `least` to `most`, for `spent` points of the
    `allowance`. `why`: the reason against all of it, or ""."""

    group: Group
    path: str
    number: int
    least: int
    most: int | None
    spent: int
    allowance: int | None
    why: str
    inner: tuple[OptionOffer | GroupOffer, ...]

    @property
    def ok(self) -> bool:
        """Return whether the choices keep the group's limits."""
        return not self.over and (bool(self.why) or self.number >= self.least)

    @property
    def over(self) -> bool:
        """Return whether more is taken than the group allows."""
        many = self.most is not None and self.number > self.most
        return many or (self.allowance is not None and self.spent > self.allowance)


def offers(line: Line, report: Report) -> tuple[OptionOffer | GroupOffer, ...]:
    """Return the tree of possible options of a line's unit, in the order of the book."""
    return tuple(_Offers(line, report).level(line.unit.offer, line.pick.picks, ""))


def flat(offered: Iterable[OptionOffer | GroupOffer]) -> Iterator[OptionOffer]:
    """Yield the options of groups within groups; not those on other options."""
    for offer in offered:
        if isinstance(offer, OptionOffer):
            yield offer
        else:
            yield from flat(offer.inner)


class _Level(NamedTuple):
    """Options of a unit or an option, by id; their slots; the choices in groups that allow one."""

    picks: Mapping[str, OptionPick]
    open_slots: Mapping[str, Slot]
    singles: Mapping[Group, list[OptionPick]]
    path: str

    def rivals(self, slot: Slot) -> tuple[OptionPick, ...]:
        """Return the picks that the option of a slot would replace, if they matter to it."""
        if not slot.needs and slot.option.cap is None:
            return ()
        found = (pick for group in slot.groups for pick in self.singles.get(group, ()))
        return tuple(dict.fromkeys(found))


class _Offers:
    """Common facts of all offers of one unit."""

    def __init__(self, line: Line, report: Report) -> None:
        self.line = line
        self.place = line.place
        self.report = report
        self.taken = {id(taken.pick): taken for taken in line.loadout.taken}
        #: The unit's place without what goes when another option is taken.
        self.apart: dict[tuple[OptionPick, ...], Place] = {(): line.place}

    def level(
        self, offer: Offer, picks: tuple[OptionPick, ...], path: str
    ) -> Iterator[OptionOffer | GroupOffer]:
        by_id = {pick.id: pick for pick in picks}
        open_slots = {key: open_slot(slots, self.place) for key, slots in offer.slots.items()}
        level = _Level(by_id, open_slots, self._singles(picks), path)
        yield from self._nodes(offer.nodes, level, ())

    def _nodes(
        self, nodes: tuple[Option | Group, ...], level: _Level, groups: tuple[Group, ...]
    ) -> Iterator[OptionOffer | GroupOffer]:
        for node in nodes:
            if isinstance(node, Group):
                inner = tuple(self._nodes(node.nodes, level, (*groups, node)))
                if inner:
                    yield self._group(node, inner, level.path)
            else:
                slot = level.open_slots[node.id]
                # A shared option with several places is offered at an open one.
                if slot.option is node and slot.groups == groups:
                    yield self._option(slot, level)

    def _group(
        self, group: Group, inner: tuple[OptionOffer | GroupOffer, ...], path: str
    ) -> GroupOffer:
        return GroupOffer(
            group=group,
            path=f"{path}{group.id}",
            number=sum(part.number for part in inner),
            least=group.least.number(self.place),
            most=group.most.at(self.place),
            spent=sum(part.spent for part in inner),
            allowance=group.allowance.at(self.place),
            why=lacking((group.needs,) if group.needs else (), self.place),
            inner=inner,
        )

    def _option(self, slot: Slot, level: _Level) -> OptionOffer:
        option, place = slot.option, self.place
        pick = level.picks.get(option.id)
        here = f"{level.path}{option.id}"
        number = pick.number if pick is not None else 0
        inner: tuple[OptionOffer | GroupOffer, ...] = ()
        if pick is not None and option.offer:
            inner = tuple(self.level(option.offer, pick.picks, f"{here}/"))
        rivals = level.rivals(slot) if pick is None and level.singles else ()
        why, held = self._army(option, number, rivals)
        return OptionOffer(
            option=option,
            path=here,
            number=number,
            most=option.most.at(place),
            points=option.points.number(place) + option.each.number(place) * place.models,
            # Options that it would replace count neither for nor against it.
            why=lacking(slot.needs, self._without(rivals)) or ("" if number else why),
            held=held,
            pieces=self._pieces(pick),
            on=pick.on if pick is not None else "",
            given=pick.given if pick is not None else False,
            inner=inner,
            unchecked=", ".join(doubt.restriction.what for doubt in slot_doubts(slot, place, ())),
        )

    def _army(
        self, option: Option, number: int, rivals: tuple[OptionPick, ...]
    ) -> tuple[str, tuple[int, int] | None]:
        """Return (why the army has no room for one more, number in it, maximum), without the
        option that it would replace."""
        cap, full, units = option.cap, self.report.full, self.line.units
        if cap is None:
            return "", None
        top = cap_top(cap, self.report, Place(self._without(rivals).army) if rivals else None)
        if top is None:
            return "", None
        held = full.held.get(cap.key)
        has = held.counted(TIMES, full) if held is not None else 0
        has -= units * sum(_held_on(cap.key, rival) for rival in rivals)
        why = ""
        if cap.one_of_a_kind and held is not None and has != number * units:
            names = {line.pick.id: line.name for line in full.lines}
            why = say(
                "already in the army: {unit}", unit=", ".join(names[one] for one in held.units)
            )
        elif not cap.one_of_a_kind and has >= top:
            why = say("the army has the maximum")
        return why, (has, top)

    def _singles(self, picks: tuple[OptionPick, ...]) -> dict[Group, list[OptionPick]]:
        """Return the picks of groups that allow one: another option replaces them."""
        found: dict[Group, list[OptionPick]] = {}
        for pick in picks:
            taken = None if pick.given else self.taken.get(id(pick))
            for group in taken.slot.groups if taken is not None else ():
                if group.most.at(self.place) == 1:
                    found.setdefault(group, []).append(pick)
        return found

    def _without(self, rivals: tuple[OptionPick, ...]) -> Place:
        """Return the unit's place without some of its options."""
        found = self.apart.get(rivals)
        if found is None:
            gone = count_taken(rivals)
            of_all = {tag: number * self.line.units for tag, number in gone.items()}
            army = self.place.army._replace(counts=_less(self.place.army.counts, of_all))
            found = self.place._replace(army=army, taken=_less(self.place.taken, gone))
            self.apart[rivals] = found
        return found

    def _pieces(self, pick: OptionPick | None) -> tuple[str, ...]:
        """Return the pieces that an enchantment could be put on, if there is a choice."""
        taken = self.taken.get(id(pick)) if pick is not None else None
        if taken is None or not taken.slot.option.on:
            return ()
        found = (rule.fitting(self.line, taken) for rule in self.report.system.rules)
        pieces: tuple[str, ...] = next(filter(None, found), ())
        return pieces if len(pieces) > 1 or taken.pick.on else ()


def _less(counts: Mapping[str, int], gone: Mapping[str, int]) -> dict[str, int]:
    """Return counts reduced by other counts."""
    return {tag: number - gone.get(tag, 0) for tag, number in counts.items()}


def _held_on(key: str, pick: OptionPick) -> int:
    """Return how much an option, with the options on it, adds to a cap's count."""
    cap = pick.option.cap
    own = pick.number if cap is not None and cap.key == key else 0
    return own + sum(_held_on(key, inner) for inner in pick.picks)
