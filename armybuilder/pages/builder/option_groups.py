"""Groups of a unit's options as players know them: those a book splits by source are one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from armybuilder.engine.offers import GroupOffer, OptionOffer

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
