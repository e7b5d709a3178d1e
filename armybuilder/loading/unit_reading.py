"""Reading a unit of a book file, field by field: from JSON that has passed the schema to the
engine's values.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from armybuilder.engine.abilities import Ability, AbilityUse, Spell
from armybuilder.engine.amounts import Amount, read_changes
from armybuilder.engine.catalogue import System
from armybuilder.engine.condition_reading import Resolve, read_condition
from armybuilder.engine.prices import Price
from armybuilder.engine.selectors import Selector
from armybuilder.engine.units import CategoryChange, Lift, PriceChange
from armybuilder.loading.abilities import read_use
from armybuilder.loading.options import OptionBuilder, read_size

#: The size of a unit that says none, in systems whose entries are units.
ONE_MODEL = (Amount(1), Amount(1))


@dataclass(frozen=True)
class Raw:
    """A unit as its book's file has it; `abilities` are those of the system and of the book."""

    entry: Mapping[str, Any]
    book: Mapping[str, Any]
    system: System
    builder: OptionBuilder
    abilities: Mapping[str, Ability]

    @property
    def ref(self) -> str:
        """The unit's ref: "book/id"."""
        return f"{self.book['id']}/{self.entry['id']}"

    def all(self, key: str) -> Sequence[Any]:
        """Return the list that stands under a key, empty where it is left out."""
        found: Sequence[Any] = self.entry.get(key, ())
        return found

    @cached_property
    def resolve(self) -> Resolve:
        """What the names in the unit's conditions mean."""
        return self.builder.names.resolver(self.entry)

    @cached_property
    def size(self) -> tuple[Amount, Amount] | None:
        """The least and most models; None where models are bought singly."""
        return read_size(self.entry, self.resolve) or (ONE_MODEL if self.system.sized else None)


#: Reads the value of one field of a unit.
Read = Callable[[Raw], Any]


def value(key: str, default: object) -> Read:
    """Read the value that stands under a key, else the default."""
    return lambda raw: raw.entry.get(key, default)


def several(key: str) -> Read:
    """Read the list that stands under a key, empty where it is left out."""
    return lambda raw: tuple(raw.all(key))


def read_attributes(raw: Raw) -> dict[str, tuple[str, ...]]:
    """Return the values of each attribute."""
    return {
        attribute: (value,) if isinstance(value, str) else tuple(value)
        for attribute, value in raw.entry.get("attributes", {}).items()
    }


def read_abilities(raw: Raw) -> tuple[AbilityUse, ...]:
    """Return the abilities, as the unit has them."""
    return tuple(read_use(ability, raw.abilities) for ability in raw.all("abilities"))


def read_spells(raw: Raw) -> tuple[Spell, ...]:
    """Return the spells, written "id" or "id x2"."""
    parts = (entry.partition(" x") for entry in raw.all("spells"))
    return tuple(Spell(raw.system.spells[spell], int(uses or 1)) for spell, _, uses in parts)


def read_price(raw: Raw) -> Price:
    """The price: models bought singly, or the smallest unit and so much for each model more."""
    points = raw.entry.get("points")
    if raw.size is None or points is None:
        return Price.each(points)
    return Price(points, raw.size[0].base or 1, raw.entry.get("points_per_model", 0))


def read_price_changes(raw: Raw) -> tuple[PriceChange, ...]:
    """Return the changes of its points and of those of each further model."""
    when = raw.all("when")
    return tuple(
        PriceChange(field == "points_per_model", change)
        for field in ("points", "points_per_model")
        for change in read_changes(when, field, raw.resolve)
    )


def read_category_changes(raw: Raw) -> tuple[CategoryChange, ...]:
    """Return the categories that it joins or leaves where a condition holds."""
    changes = []
    for entry in raw.all("when"):
        condition = read_condition(entry["if"], raw.resolve) if "if" in entry else None
        for field, joins in (("add_category", True), ("remove_category", False)):
            if field in entry:
                changes.append(CategoryChange(entry[field], joins, condition))
    return tuple(changes)


def read_lifts(raw: Raw) -> tuple[Lift, ...]:
    """Return the rules that it lifts."""
    return tuple(Lift(lift["rule"], Selector.read(lift["of"])) for lift in raw.all("lifts"))


def read_texts(raw: Raw) -> dict[str, tuple[str, ...]]:
    """Return the free lines of its card, by the system's parts."""
    return {part: tuple(lines) for part, lines in raw.entry.get("texts", {}).items()}


def read_group(raw: Raw) -> str:
    """The heading it stands under: its own, or the name of its first category; "" for none."""
    own: str = raw.entry.get("group", "")
    first = next(iter(raw.all("categories")), None)
    names = (one["name"] for one in raw.book.get("categories", ()) if one["id"] == first)
    return own or next(names, "")


def read_certainty(raw: Raw) -> str:
    """How sure its numbers are: the book's own word, or one of those that all books use."""
    sure: str = raw.entry.get("certainty") or raw.entry.get("confidence", "")
    return sure
