"""Groups of a unit's options as players know them: those a book splits by source are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.engine.describe import size_words
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.offers import GroupOffer, OptionOffer

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
            "{size}, {points} point per model above {number}",
            "{size}, {points} points per model above {number}",
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


OfferNode = OptionOffer | GroupOffer


def joined(offered: Iterable[OfferNode], book: str) -> tuple[OfferNode, ...]:
    """Return offers in which twins are one group: "Artefacts" and "Highborn Elves Artefacts".

    The name of the `book` is left out where no other group is called so without it. A group that
    is all of another is taken out of it.
    """
    groups: dict[object, OfferNode] = {}
    for place, offer in enumerate(offered):
        key: object = place
        offer = offer._replace(inner=joined(offer.inner, book))
        if isinstance(offer, GroupOffer):
            offer = _without_shell(offer)
            if not _bounded(offer):
                key = _kind(offer, book)
        twin = groups.get(key)
        if isinstance(twin, GroupOffer) and isinstance(offer, GroupOffer):
            # Options in both are listed once.
            inner = tuple({node.path: node for node in (*twin.inner, *offer.inner)}.values())
            offer = twin._replace(
                group=min(twin.group, offer.group, key=lambda group: len(group.name)),
                number=sum(node.number for node in inner),
                inner=inner,
            )
        groups[key] = offer
    kinds = Counter(_kind(node, book) for node in groups.values() if isinstance(node, GroupOffer))
    return tuple(
        _named(node, book)
        if isinstance(node, GroupOffer) and kinds[_kind(node, book)] == 1
        else node
        for node in groups.values()
    )


def _without_shell(offer: GroupOffer) -> GroupOffer:
    """Return a group without a group that is all of it, whose bounds it takes over."""
    while len(offer.inner) == 1 and isinstance(inner := offer.inner[0], GroupOffer):
        bounds = (inner.least, inner.most) if _bounded(inner) else (offer.least, offer.most)
        both = _bounded(inner) and (offer.least or offer.most is not None)
        if both or inner.allowance is not None or inner.why not in ("", offer.why):
            break
        offer = offer._replace(inner=inner.inner, least=bounds[0], most=bounds[1])
    return offer


def _bounded(offer: GroupOffer) -> bool:
    return bool(offer.least) or offer.most is not None or offer.allowance is not None


def _kind(offer: GroupOffer, book: str) -> tuple[str, str]:
    """Return the common part of group names of one kind, without the book's name and a plural."""
    name = offer.group.name.removeprefix(f"{book} ").casefold().replace("&", "and")
    return name.removesuffix("s"), offer.why


def _named(offer: GroupOffer, book: str) -> GroupOffer:
    if not (book and offer.group.name.startswith(f"{book} ")):
        return offer
    return offer._replace(
        group=replace(offer.group, name=offer.group.name.removeprefix(f"{book} "))
    )
