"""Writes to collections, within bounds: numbers set, added and raised, rows moved and brought."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.accounts.quotas import NoRoom
from armybuilder.collection.models import MAX_NUMBER, OwnedUnit
from armybuilder.collection.selectors import collection_of, owned_numbers
from armybuilder.loading.problems import Refusal
from armybuilder.writable import count_bytes

#: Units in a collection, and in all of a holder's.
MAX_UNITS, MAX_ALL = 6_000, 20_000
#: Rows of one statement.
_AT_ONCE = 500


class Owned(NamedTuple):
    """Models of a unit, as a row of a collection keeps them."""

    ref: str
    name: str
    number: int
    painted: int | None = None
    note: str = ""


@transaction.atomic
def put_units(
    holder: str, game: str, units: Iterable[Owned], keep: bool = False, instead: bool = False
) -> int:
    """Write rows over those of the same units; return how many.

    A row without models and note goes. `keep`: the painted numbers and notes there are stay.
    `instead`: the collection holds these alone. Raises NoRoom.
    """
    rows = [
        OwnedUnit(holder=holder, game=game, **unit._asdict())
        for unit in {unit.ref: unit for unit in units}.values()
    ]
    written = ("name", "number") if keep else ("name", "number", "painted", "note")
    if instead:
        collection_of(holder, game).delete()
    OwnedUnit.objects.bulk_create(
        rows,
        _AT_ONCE,
        update_conflicts=True,
        unique_fields=["holder", "game", "ref"],
        update_fields=written,
    )
    collection_of(holder, game).filter(number=0, note="").delete()
    _check_room(holder, game)
    count_bytes(sum(len(row.ref) + len(row.name) + len(row.note) for row in rows))
    return len(rows)


def _check_room(holder: str, game: str) -> None:
    mine = OwnedUnit.objects.filter(holder=holder)
    for most, number in (
        (MAX_UNITS, mine.filter(game=game).count()),
        (MAX_ALL, mine.count()),
    ):
        if number > most:
            sentence = _("A collection holds at most {most} units. Nothing was saved.")
            raise NoRoom(sentence.format(most=most))


@transaction.atomic
def add_models(
    holder: str, game: str, models: Mapping[str, int], names: Mapping[str, str], add: bool
) -> int:
    """Add models to a collection, or raise its numbers to them; return how many came.

    With `add`, numbers may be below 0: no row falls below 0. Raises NoRoom.
    """
    rows = collection_of(holder, game).filter(ref__in=list(models)).select_for_update()
    owned = dict(rows.values_list("ref", "number"))
    changed = []
    for ref, number in models.items():
        had = owned.get(ref, 0)
        now = min(MAX_NUMBER, max(0, had + number) if add else max(had, number))
        if now != had:
            changed.append(Owned(ref, names.get(ref, ref)[:200], now))
    put_units(holder, game, changed, keep=True)
    return sum(unit.number - owned.get(unit.ref, 0) for unit in changed)


def read_unit(facts: Mapping[str, Any]) -> OwnedUnit:
    """Return a row from elsewhere, of no holder yet. Raises Refusal for an invalid one."""
    row = OwnedUnit(**{key: facts.get(key) for key in ("game", *Owned._fields)})
    try:
        row.clean_fields(exclude=["holder"])
    except (ValidationError, TypeError, ValueError) as error:
        raise Refusal(_("We can’t read this unit of a collection.")) from error
    return row


def bring_units(holder: str, rows: Iterable[OwnedUnit]) -> int:
    """Add rows from elsewhere of units that the holder has none of; return how many.

    Raises NoRoom.
    """
    by_game: dict[str, dict[str, Owned]] = {}
    for row in rows:
        unit = Owned(*(getattr(row, key) for key in Owned._fields))
        by_game.setdefault(row.game, {})[row.ref] = unit
    new = 0
    for game, units in by_game.items():
        here = owned_numbers(holder, game)
        new += put_units(holder, game, [unit for ref, unit in units.items() if ref not in here])
    return new


def move_units(old: str, new: str, **_signal: Any) -> int:
    """Give one holder's rows to another, who keeps those of units that are there already."""
    moving = OwnedUnit.objects.filter(holder=old)
    there = dict[str, set[str]]()
    for game, ref in OwnedUnit.objects.filter(holder=new).values_list("game", "ref"):
        there.setdefault(game, set()).add(ref)
    twice = [
        key
        for key, game, ref in moving.values_list("pk", "game", "ref")
        if ref in there.get(game, ())
    ]
    for start in range(0, len(twice), _AT_ONCE):
        OwnedUnit.objects.filter(pk__in=twice[start : start + _AT_ONCE]).delete()
    return moving.update(holder=new)
