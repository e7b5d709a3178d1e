"""The form of a card, whatever the game: from its fields to a unit of a book document and back."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.authoring.card_parts import card_parts
from armybuilder.authoring.fields import (
    CardField,
    CardPart,
    Entry,
    Mistake,
    OwnAbilities,
    ReadCard,
    Wrong,
)
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document


class CardForm:
    """The card of a game and a book, laid out once: to read many cards, make one of these."""

    def __init__(self, system: System, book: Document) -> None:
        self.system = system
        self.parts = tuple(card_parts(system, book))
        self.fields = tuple(part.field for part in self.parts)

    def fill(self, unit: Entry) -> dict[str, str]:
        """Return each field's text; several ids joined with ",", flags as "yes" or "".

        Fields that cannot show what the unit has are left out: see `hidden`.
        """
        texts = {part.field.name: part.fill(unit) for part in self.parts}
        return {name: text for name, text in texts.items() if text is not None}

    def hidden(self, unit: Entry) -> tuple[CardField, ...]:
        """Return the fields whose part of the unit is more than the form can show and change."""
        shown = self.fill(unit)
        return tuple(field for field in self.fields if field.name not in shown)

    def read(self, values: Mapping[str, str], base: Entry | None = None) -> ReadCard:
        """Read a card; what is not shown, named or changed is kept from `base`."""
        unit: dict[str, Any] = dict(base or {})
        abilities: OwnAbilities = {}
        mistakes: list[Mistake] = []
        for part in self.parts:
            name, label = part.field.name, part.field.label
            if name not in values and (base is not None or not part.needed):
                continue
            text = _normal(values.get(name, ""))
            try:
                if base is None or _is_changed(part, text, base):
                    part.put(unit, part.read(text, unit, abilities))
            except Wrong as wrong:
                told = _("{field}: {wrong}")
                mistakes += [
                    Mistake(name, told.format(field=label, wrong=message))
                    for message in wrong.messages
                ]
        self._settle(unit, base or {})
        return ReadCard(unit, tuple(abilities.values()), tuple(mistakes))

    def _settle(self, unit: dict[str, Any], base: Entry) -> None:
        """Settle what follows from a change: points, whether suggested, the stat line's name."""
        if self.system.formula is None:
            unit.setdefault("points", None)
            if unit["points"] != base.get("points"):
                unit.pop("suggested", None)
        elif any(unit.get(key) != base.get(key) for key in ("stats", "abilities")):
            unit.pop("points", None)
        lines = unit.get("profiles", ())
        if len(lines) == 1 and lines[0]["name"] == base.get("name") and unit.get("name"):
            unit["profiles"] = [{**lines[0], "name": unit["name"]}]


def _is_changed(part: CardPart, text: str, base: Entry) -> bool:
    """Return whether a text is to be read. Raises Wrong where it would replace what is hidden."""
    shown = part.fill(base)
    if shown is None:
        if text.strip():
            raise Wrong(
                _("There is more here than this field can hold; leave it empty to keep it.")
            )
        return False
    return text != _normal(shown) or (part.needed and not text)


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
