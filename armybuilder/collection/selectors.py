"""Reads: the models that a holder owns."""

from collections.abc import Collection, Mapping
from hashlib import sha256
from typing import NamedTuple

from django.db.models import Count, QuerySet, Sum

from armybuilder.collection.models import OwnedUnit
from armybuilder.engine.catalogue import System

#: Units that are asked for by name; of more all rows are read.
_NAMED = 200


class CollectionSize(NamedTuple):
    """Numbers of units, models and painted models of a collection."""

    units: int
    models: int
    painted: int


def collection_of(holder: str, game: str) -> QuerySet[OwnedUnit]:
    """Return the rows of a holder's collection for a game."""
    return _owned(holder).filter(game=game)


def _owned(holder: str) -> QuerySet[OwnedUnit]:
    """Return the rows of a holder; none without a session."""
    return OwnedUnit.objects.filter(holder=holder) if holder else OwnedUnit.objects.none()


def owned_numbers(holder: str, game: str, refs: Collection[str] | None = None) -> Mapping[str, int]:
    """Return how many models of each unit somebody owns; of these units alone, or all."""
    rows = collection_of(holder, game)
    if refs is not None and len(refs) <= _NAMED:
        rows = rows.filter(ref__in=list(refs))
    return dict(rows.values_list("ref", "number"))


def game_of_models(system: System) -> str:
    """Return the game that a collection is for: all editions are played with the same models."""
    return system.family or system.id


def game_of_files(system_id: str) -> str:
    """Return the game that a collection is for: all sets of files of a system count for one."""
    return f"files-{sha256(system_id.encode()).hexdigest()[:32]}"


def collections_of(holder: str, games: Collection[str]) -> dict[str, dict[str, int]]:
    """Return the numbers of somebody's collections for some games, by game: one query."""
    collections: dict[str, dict[str, int]] = {}
    rows = _owned(holder).filter(game__in=games)
    for game, ref, number in rows.values_list("game", "ref", "number"):
        collections.setdefault(game, {})[ref] = number
    return collections


def collection_sizes(holder: str) -> Mapping[str, CollectionSize]:
    """Return the sizes of somebody's collections, by game."""
    rows = _owned(holder).values("game")
    sums = rows.annotate(units=Count("pk"), models=Sum("number"), all_painted=Sum("painted"))
    return {
        row["game"]: CollectionSize(row["units"], row["models"], row["all_painted"] or 0)
        for row in sums.order_by("game")
    }
