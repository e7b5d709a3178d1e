"""Armies in which something goes wrong: numbers, options, the General, the size of the game."""

from __future__ import annotations

from copy import deepcopy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.second_reading.growing import Draft


def spoil(draft: Draft) -> None:
    """Let some of it go wrong."""
    for _ in range(draft.rng.randint(1, 5)):
        act = draft.rng.choice(ACTS)
        if draft.units:
            act(draft)


def _other_number(draft: Draft) -> None:
    entry = draft.rng.choice(draft.units)
    entry["models"] = max(1, entry["models"] + draft.rng.choice((-3, -1, 1, 2, 10)))


def _more_options(draft: Draft) -> None:
    entry = draft.rng.choice(draft.units)
    offer = draft.unit(entry).offer
    if offer.slots:
        taken = {one["id"]: one for one in entry.get("options", ())}
        for _ in range(3):
            id_ = draft.rng.choice(list(offer.slots))
            taken[id_] = draft.option(offer, id_)
        entry["options"] = list(taken.values())


def _other_general(draft: Draft) -> None:
    """Another General, one more, or none."""
    if draft.rng.random() < 0.5:
        for entry in draft.units:
            entry.pop("roles", None)
    among = [entry for entry in draft.units if "characters" in draft.unit(entry).categories]
    if among and draft.rng.random() < 0.8:
        draft.rng.choice(among)["roles"] = ["general"]


def _other_size(draft: Draft) -> None:
    draft.document["limit"] = draft.rng.choice((1500, 3000, 4500, 8000))


def _one_more(draft: Draft) -> None:
    """A unit of the list once more, as it is."""
    draft.number += 1
    draft.units.append(deepcopy(draft.rng.choice(draft.units)) | {"id": f"u{draft.number}"})


def _one_less(draft: Draft) -> None:
    draft.units.pop(draft.rng.randrange(len(draft.units)))


ACTS = (_other_number, _more_options, _other_general, _other_size, _one_more, _one_less)
