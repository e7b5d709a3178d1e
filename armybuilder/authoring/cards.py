"""The form of a card, whatever the game: its fields, and the way between them and a unit of a
book document.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from armybuilder.authoring.abilities_text import Abilities
from armybuilder.authoring.army_parts import CapPart, CategoriesPart, ProfileStatPart, SizePart
from armybuilder.authoring.card_parts import (
    AbilitiesPart,
    AttributePart,
    FlagPart,
    KeywordsPart,
    LinesPart,
    NumberPart,
    SpellsPart,
    StatPart,
    TextCardPart,
    UniquePart,
)
from armybuilder.authoring.fields import (
    CardField,
    CardPart,
    CardReading,
    Entry,
    Mistake,
    ReadCard,
    Wrong,
)
from armybuilder.authoring.options_text import OptionsPart
from armybuilder.authoring.wording import BookNames
from armybuilder.engine.catalogue import System
from armybuilder.engine.vocabulary import Stat
from armybuilder.engine.wording import Later
from armybuilder.loading.documents import Document
from armybuilder.loading.unit_fields import UNIT_FIELDS, Form

#: Other headings that tables have for statistics, by their ids.
_STAT_ALIASES = {
    "level": ("lv", "lvl"),
    "speed": ("move", "movement", "spd"),
    "armor": ("armour", "ac", "armor class"),
    "ac": ("armor class", "armour class", "armor"),
    "def": ("defense", "defence"),
    "health": ("hp", "hit points", "wounds"),
    "hp": ("health", "hit points", "wounds"),
    "melee_attack": ("attack", "atk", "melee atk", "att"),
    "melee_damage": ("damage", "dam", "dmg"),
    "ranged_attack": ("ranged atk", "shooting"),
    "ranged_range": ("ranged range",),
    "ranged_damage": ("ranged dmg", "ranged dam"),
    "quality": ("q",),
    "combat": ("c",),
    "adv": ("advance",),
    "mar": ("march",),
}


def card_fields(system: System, book: Document) -> tuple[CardField, ...]:
    """Return the fields of a card of the game, in the order a player reads the card."""
    return CardForm(system, book).fields


def fill_fields(unit: Entry, system: System, book: Document) -> dict[str, str]:
    """Return each field's text; several ids joined with ",", flags as "yes" or "". Fields that
    cannot show what the unit has are left out: see `hidden_fields`.
    """
    return CardForm(system, book).fill(unit)


def hidden_fields(unit: Entry, system: System, book: Document) -> tuple[CardField, ...]:
    """Return the fields whose part of the unit is more than the form can show and change."""
    card = CardForm(system, book)
    shown = card.fill(unit)
    return tuple(field for field in card.fields if field.name not in shown)


def read_card(
    values: Mapping[str, str], system: System, book: Document, base: Entry | None = None
) -> ReadCard:
    """Read a card; what is not shown, named or changed is kept from `base`."""
    return CardForm(system, book).read(values, base)


class CardForm:
    """The card of a game and a book, laid out once: to read many cards, make one of these."""

    def __init__(self, system: System, book: Document) -> None:
        self.system = system
        self.parts = tuple(_parts(system, book))
        self.fields = tuple(part.field for part in self.parts)

    def fill(self, unit: Entry) -> dict[str, str]:
        """See `fill_fields`."""
        texts = {part.field.name: part.fill(unit) for part in self.parts}
        return {name: text for name, text in texts.items() if text is not None}

    def read(self, values: Mapping[str, str], base: Entry | None = None) -> ReadCard:
        """See `read_card`."""
        reading = CardReading(dict(base or {}))
        mistakes: list[Mistake] = []
        for part in self.parts:
            name = part.field.name
            if name not in values and (base is not None or not part.needed):
                continue
            try:
                self._read_part(part, _normal(values.get(name, "")), reading, base)
            except Wrong as wrong:
                told, label = _("{field}: {wrong}"), part.field.label
                mistakes += [
                    Mistake(name, told.format(field=label, wrong=message))
                    for message in wrong.messages
                ]
        self._settle(reading.unit, base)
        return ReadCard(reading.unit, tuple(reading.abilities.values()), tuple(mistakes))

    def _read_part(
        self, part: CardPart, text: str, reading: CardReading, base: Entry | None
    ) -> None:
        if base is not None:
            shown = part.fill(base)
            if shown is None and text.strip():
                raise Wrong(
                    _("There is more here than this field can hold; leave it empty to keep it.")
                )
            if shown is None or (text == _normal(shown) and (text or not part.needed)):
                return
        part.read(text, reading)

    def _settle(self, unit: dict[str, Any], base: Entry | None) -> None:
        """Settle what follows from a change: points, whether suggested, the stat line's name."""
        had = base or {}
        if self.system.formula is None:
            unit.setdefault("points", None)
            if unit["points"] != had.get("points"):
                unit.pop("suggested", None)
        elif any(unit.get(key) != had.get(key) for key in ("stats", "abilities")):
            unit.pop("points", None)
        lines = unit.get("profiles", ())
        if len(lines) == 1 and lines[0]["name"] == had.get("name") and unit.get("name"):
            unit["profiles"] = [{**lines[0], "name": unit["name"]}]


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()


def _parts(system: System, book: Entry) -> Iterator[CardPart]:
    for described in UNIT_FIELDS:
        form = described.form
        if form is not None and form.asked(system):
            yield from _MAKERS.get(described.key, _plain)(described.key, form, system, book)


def _field(key: str, form: Form) -> CardField:
    """A field that every game has, its label looked up; those of a game are called as it says."""
    label, told, section = str(form.label), str(form.help), str(form.section)
    aliases = tuple(form.aliases.split(", ")) if form.aliases else ()
    english = form.label.text if isinstance(form.label, Later) else ""
    return CardField(key, label, form.kind, told, (), section, aliases, english)


def _plain(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    """Yield the part of a field that holds a text, a number or a flag."""
    field = _field(key, form)
    if form.kind == "number":
        yield NumberPart(field, 0, form.most, open_=form.open)
    elif form.kind == "flag":
        yield FlagPart(field)
    else:
        yield TextCardPart(field, form.most, form.needed)


def _points(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    for part in _plain(key, form, system, book):
        if system.sized:
            told = f"{_('For the smallest unit, all its models together.')} {part.field.help}"
            part.field = replace(part.field, help=told)
        yield part


def _attributes(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    for attribute in system.attributes.values():
        field = CardField(
            f"attr-{attribute.id}",
            attribute.name,
            "choices" if attribute.several else "choice",
            choices=tuple(attribute.values.items()),
            section=str(form.section),
            aliases=(attribute.id, f"{attribute.name}s", f"{attribute.id}s", *_short(attribute.id)),
        )
        yield AttributePart(field, attribute, system)


def _short(attribute: str) -> tuple[str, ...]:
    """Return what tables shorten the heading to: "Align."."""
    return (attribute[:5], attribute[:3]) if len(attribute) > 5 else ()


def _categories(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    choices = tuple((entry["id"], entry["name"]) for entry in book.get("categories", ()))
    field = replace(_field(key, form), choices=choices)
    yield CategoriesPart(field, BookNames((each, name, each) for each, name in choices))


def _stats(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    formula = system.formula
    needed = (*formula.weights, formula.statistic) if formula else ()
    for stat in system.stats.values():
        field = _stat_field(stat, str(form.section))
        if system.sized:
            yield ProfileStatPart(field, stat)
        else:
            yield StatPart(field, stat, stat.id in needed)


def _stat_field(stat: Stat, section: str) -> CardField:
    spoken = stat.id.replace("_", " ")
    aliases = (stat.short, spoken, *_STAT_ALIASES.get(stat.id, ()))
    kind = "text" if stat.text else "number"
    return CardField(f"stat-{stat.id}", stat.name, kind, _(stat.help), (), section, aliases)


def _abilities(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    own = tuple(book.get("abilities", ()))
    if system.abilities or own:
        yield AbilitiesPart(_field(key, form), Abilities(system, own))


def _texts(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    section = str(form.section)
    for part in system.texts.values():
        told = _(part.help)
        field = CardField(f"text-{part.id}", part.name, "lines", told, (), section, (part.id,))
        yield LinesPart(field, part.id)


def _set(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    field = replace(_field(key, form), label=pgettext("of a card", "Set"), english="Set")
    yield TextCardPart(field, form.most)


Maker = Callable[[str, Form, System, Entry], Iterable[CardPart]]

#: The fields that are more than a text, a number or a flag.
_MAKERS: dict[str, Maker] = {
    "points": _points,
    "attributes": _attributes,
    "categories": _categories,
    "size": lambda key, form, *_: [SizePart(_field(key, form))],
    "cap": lambda key, form, *_: [CapPart(_field(key, form))],
    "stats": _stats,
    "abilities": _abilities,
    "spells": lambda key, form, system, _: [SpellsPart(_field(key, form), system)],
    "texts": _texts,
    "keywords": lambda key, form, *_: [KeywordsPart(_field(key, form))],
    "options": lambda key, form, *_: [OptionsPart(_field(key, form))],
    "unique": lambda key, form, *_: [UniquePart(_field(key, form), form.most)],
    "set": _set,
}
