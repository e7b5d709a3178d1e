"""Size of the open unit, and the buttons that change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine.describe import size_words
from armybuilder.engine.lines import Line, size_bounds

#: Units that can grow by this number of models get buttons for several at once.
STRIDE = 5


#: A button of the size: its label, to how many models, its name, and the act.
SizeStep = tuple[str, int, str, str]


def size_view(line: Line) -> dict[str, Any] | None:
    """Return how many models a unit has and may have; None where there is nothing to choose.

    `top`, if many steps away, is the most.
    """
    models = line.pick.models
    if line.unit.size is None and line.unit.counts:
        # An entry of a game that bounds it by its other rules alone.
        fewer = _steps(models, (1,), [max(1, models - 1)], fewer=True)
        more = _steps(models, (1,), [models + 1])
        return {"models": models, "low": 1, "fewer": list(fewer), "more": list(more)}
    low, high = size_bounds(line.unit, line)
    if line.unit.size is None or (low == high == models) or not line.unit.counts:
        return None
    words, price = size_words(low, high), line.unit.price
    if price.extra and not line.unit.price_changes:
        words = ngettext(
            "{size}, {points} point each above {number}",
            "{size}, {points} points each above {number}",
            price.extra,
        ).format(size=words, points=price.extra, number=price.size)

    def inside(number: int) -> int:
        return max(low, number if high is None else min(number, high))

    wide = high is None or high - low >= 2 * STRIDE
    strides = (1, STRIDE) if wide else (1,)
    less = [inside(models - by) if models > low else models for by in strides]
    full = high is not None and models >= high
    greater = [models if full else inside(models + by) for by in strides]
    return {
        "models": models,
        "low": low,
        "high": high,
        "words": words,
        "fewer": [*_steps(models, strides, less, fewer=True)][::-1],
        "more": [*_steps(models, strides, greater)],
        "top": high if wide else None,
    }


def _steps(
    models: int, strides: Iterable[int], targets: Iterable[int], fewer: bool = False
) -> Iterator[SizeStep]:
    """Yield the buttons; a step of one is relative to the current size."""
    for stride, target in zip(strides, targets, strict=True):
        if stride == 1:
            # A size outside the book's goes to the nearest inside.
            near = abs(target - models) == 1
            act = ("fewer" if fewer else "more") if near else f"models:{target}"
            yield "", target, _("One fewer model") if fewer else _("One more model"), act
        else:
            text = _("{number} fewer models") if fewer else _("{number} more models")
            act = f"step:{-stride if fewer else stride}"
            yield str(stride), target, text.format(number=stride), act
