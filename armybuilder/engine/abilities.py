"""Special rules and spells: those that a game defines, and those of one unit."""

from collections.abc import Iterable
from dataclasses import dataclass

from armybuilder.engine.citations import Citation
from armybuilder.engine.fields import given
from armybuilder.engine.selectors import Tags

#: How an ability's rating prints, by the style its definition names.
RATING_FORMS = {
    "none": "{name}",
    "number": "{name} {rating}",
    "level": "{name} {rating}",
    "dc": "{name} {rating}",
    "plus": "{name} {rating}",
    "times": "{name} ×{rating}",
    "inches": "{name} {rating}″",
    "roll": "{name} {rating}+",
}


def own_tags(names: Iterable[str]) -> Tags:
    """Return the tags by which a game's selectors match what its file tags so."""
    return frozenset(f"tag:{name}" for name in names)


@dataclass(frozen=True, slots=True)
class Wounds:
    """Number of wounds of a model: a number, or one of its statistics."""

    minuend: int = given("from")
    minus: str = given()


@dataclass(frozen=True, slots=True, eq=False)
class Ability:
    """A special rule a unit can have. `points` feed the system's price formula, if it has one;
    `uses` is how often a game it is used, where every card has it so often; `wounds` are those
    that a model with it takes.
    """

    id: str
    name: str
    group: str
    summary: str
    citation: Citation
    rating: str = "none"
    rating_optional: bool = False
    target: str = ""
    target_optional: bool = False
    points: int = 0
    note: str = ""
    tags: Tags = given(read=own_tags, default=frozenset())
    declared: bool = False
    uses: int = 0
    wounds: Wounds | None = None


@dataclass(frozen=True, slots=True)
class AbilityUse:
    """An ability as one unit has it. `rating` None where the ability has one: not known."""

    ability: Ability
    rating: int | None = None
    target: str = ""
    uses: int = 0
    known: bool = True

    @property
    def label(self) -> str:
        """Printed form: "Commander 4", "Difficult Troop ×2", "Lethal (Orcs)"."""
        form = RATING_FORMS[self.ability.rating]
        if self.rating is None and self.ability.rating_optional and self.known:
            form = "{name}"
        rating = "?" if self.rating is None else str(self.rating)
        if self.ability.rating == "plus" and not rating.startswith("-"):
            rating = f"+{rating}"
        label = form.format(name=self.ability.name, rating=rating)
        return f"{label} ({self.target})" if self.target else label

    @property
    def boxes(self) -> int:
        """Boxes behind it on a sheet: its uses by the card, or by the game."""
        return self.uses or self.ability.uses


@dataclass(frozen=True, slots=True)
class Spell:
    """A spell on a unit's card. `uses` is the number of boxes behind it (0: no boxes)."""

    name: str
    uses: int = 0
