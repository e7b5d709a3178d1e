"""Edits: how one list differs from another, as a builder can make it and a player can read it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from armybuilder.engine.kernel.conditions import Kind
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.wording import say


class Edit(NamedTuple):
    """A change of a list: "remove" a pick, set its "number", or "add" something on it.

    `pick` is the id of that pick, or of the force; `taken`, where something is added, it with all
    that is on it.
    """

    act: str
    pick: str
    definition: Definition
    number: int
    words: str
    taken: Pick | None = None


def edits_between(before: PickList, after: PickList) -> tuple[Edit, ...]:
    """Return the edits that make one list of another."""
    return tuple(_edits(before.forces, after.forces, "", ""))


def _edits(before: Iterable[Pick], after: Iterable[Pick], above: str, name: str) -> Iterator[Edit]:
    left = {pick.id: pick for pick in after}
    had = {pick.id: pick for pick in before}
    for pick in had.values():
        now, called = left.get(pick.id), pick.definition.name
        if now is None:
            words = say("Remove {name}.", name=called)
            yield Edit("remove", pick.id, pick.definition, 0, words)
        elif now is not pick:
            if now.number != pick.number:
                words = say(
                    "{name}: {number} instead of {was}.",
                    name=called,
                    number=now.number,
                    was=pick.number,
                )
                yield Edit("number", pick.id, pick.definition, now.number, words)
            yield from _edits(pick.below, now.below, pick.id, called)
    for pick in left.values():
        if pick.id not in had:
            called = pick.definition.name
            if pick.number > 1:
                called = f"{pick.number} × {called}"
            if pick.definition.kind is Kind.FORCE and pick.below:
                inside = ", ".join(below.definition.name.strip() for below in pick.below)
                called = f"{called} ({inside})"
            words = say("Add {name} to {to}.", name=called, to=name) if name else ""
            words = words or say("Add {name}.", name=called)
            yield Edit("add", above, pick.definition, pick.number, words, pick)
