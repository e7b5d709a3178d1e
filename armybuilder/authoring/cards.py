"""The form of a card, whatever the game: its fields, and the way between them and a unit of a
book document.
"""

from collections.abc import Iterator, Mapping
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
    TextPart,
    UniquePart,
)
from armybuilder.authoring.fields import Entry, Field, Mistake, Part, ReadCard, Reading, Wrong
from armybuilder.authoring.names import Names
from armybuilder.authoring.options_text import OptionsPart
from armybuilder.engine.catalogue import Stat, System
from armybuilder.engine.wording import marked
from armybuilder.loading.documents import Document

__all__ = [
    "Card",
    "Field",
    "Mistake",
    "ReadCard",
    "card_fields",
    "fill_fields",
    "hidden_fields",
    "read_card",
]

MAX_NAME = 120
MAX_NOTE = 600
MAX_POINTS = 9999
MAX_OWNED = 999

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


def card_fields(system: System, book: Document) -> tuple[Field, ...]:
    """The fields of a card of the game, in the order a player reads the card."""
    return Card(system, book).fields


def fill_fields(unit: Entry, system: System, book: Document) -> dict[str, str]:
    """The text of each field; "choices" fields as ids joined with ",", flags as "yes" or "".
    A field that cannot show what the unit has is left out: see `hidden_fields`.
    """
    return Card(system, book).fill(unit)


def hidden_fields(unit: Entry, system: System, book: Document) -> tuple[Field, ...]:
    """The fields whose part of the unit is more than the form can show and change."""
    card = Card(system, book)
    shown = card.fill(unit)
    return tuple(field for field in card.fields if field.name not in shown)


def read_card(
    values: Mapping[str, str], system: System, book: Document, base: Entry | None = None
) -> ReadCard:
    """The card that the fields say. What the form does not show, and fields that `values` does
    not name, are kept from `base`; so is everything whose text has not changed.
    """
    return Card(system, book).read(values, base)


class Card:
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
        reading = Reading(dict(base or {}))
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

    def _read_part(self, part: Part, text: str, reading: Reading, base: Entry | None) -> None:
        if base is not None:
            shown = part.fill(base)
            if shown is None and text.strip():
                raise Wrong(_("It has more than can be written here; leave this empty to keep it."))
            if shown is None or (text == _normal(shown) and (text or not part.needed)):
                return
        part.read(text, reading)

    def _settle(self, unit: dict[str, Any], base: Entry | None) -> None:
        """What follows from a change: points that a formula decides, points no longer suggested,
        the name of the only stat line.
        """
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


def _parts(system: System, book: Entry) -> Iterator[Part]:
    card = _("Card")
    yield TextPart(_field("name", marked("Name"), "text", "", card, _NAMES), MAX_NAME, needed=True)
    yield from _price_parts(system)
    for attribute in system.attributes.values():
        field = Field(
            f"attr-{attribute.id}",
            attribute.name,
            "choices" if attribute.several else "choice",
            choices=tuple(attribute.values.items()),
            section=card,
            aliases=(attribute.id, f"{attribute.name}s", f"{attribute.id}s", *_short(attribute.id)),
        )
        yield AttributePart(field, attribute, system)
    if "type" in system.attributes:
        field = _field("subtype", marked("Subtype"), "text", _("Such as Human."), card)
        yield TextPart(field, MAX_NAME)
    if system.sized:
        yield from _army_parts(book)
    yield from _stat_parts(system)
    yield from _ability_parts(system, book)
    yield from _owner_parts(system)


#: Words for one thing.
Words = tuple[str, ...]

_NAMES = (
    *("unit", "model", "creature", "miniature", "mini", "figure", "figurine", "card", "title"),
    *("unit name", "model name", "creature name", "miniature name", "card name", "full name"),
)
_POINTS = ("cost", "costs", "price", "pts", "pt", "point cost", "points cost", "point value")


def _field(
    name: str,
    label: str,
    kind: str,
    told: str,
    section: str,
    aliases: Words = (),
    choices: tuple[tuple[str, str], ...] = (),
) -> Field:
    """A field that every game has, its label looked up; those of a game are called as it says."""
    return Field(name, _(label), kind, told, choices, section, aliases, english=label)


def _short(attribute: str) -> tuple[str, ...]:
    """What tables shorten the heading to: "Align."."""
    return (attribute[:5], attribute[:3]) if len(attribute) > 5 else ()


def _price_parts(system: System) -> Iterator[Part]:
    if system.formula is not None:
        return
    card, told = _("Card"), _("Leave it empty where they are not known.")
    if system.sized:
        told = f"{_('Of the smallest unit, all its models together.')} {told}"
    field = _field("points", marked("Points"), "number", told, card, _POINTS)
    yield NumberPart(field, 0, MAX_POINTS, open_=True)
    if system.sized:
        told = _("Of every model above the least.")
        aliases = ("per model", "points per extra model", "extra model", "each")
        field = _field(
            "points_per_model", marked("Points per model"), "number", told, card, aliases
        )
        yield NumberPart(field, 0, MAX_POINTS)


def _army_parts(book: Entry) -> Iterator[Part]:
    card, told = _("Card"), _("Of several it stands under the first.")
    categories = tuple((entry["id"], entry["name"]) for entry in book.get("categories", ()))
    aliases: Words = ("category", "army category", "army categories")
    field = _field("categories", marked("Categories"), "choices", told, card, aliases, categories)
    yield CategoriesPart(field, Names((key, name, key) for key, name in categories))
    told = _("Least and most models, as 15-40; one number where there is no choice.")
    aliases = ("models", "unit size", "models per unit")
    yield SizePart(_field("size", marked("Size"), "text", told, card, aliases))
    told = _("How many of it an army may have, as 0-3.")
    aliases = ("limit", "0-x", "per army", "max per army")
    yield CapPart(_field("cap", marked("In an army"), "text", told, card, aliases))
    aliases = ("general", "leader", "may lead")
    yield FlagPart(_field("can_lead", marked("Can be the General"), "flag", "", card, aliases))


def _stat_parts(system: System) -> Iterator[Part]:
    formula = system.formula
    needed = (*formula.weights, formula.statistic) if formula else ()
    for stat in system.stats.values():
        field = _stat_field(stat)
        if system.sized:
            yield ProfileStatPart(field, stat)
        else:
            yield StatPart(field, stat, stat.id in needed)


def _stat_field(stat: Stat) -> Field:
    spoken = stat.id.replace("_", " ")
    aliases = (stat.short, spoken, *_STAT_ALIASES.get(stat.id, ()))
    kind = "text" if stat.text else "number"
    return Field(f"stat-{stat.id}", stat.name, kind, stat.help, (), _("Stats"), aliases)


def _ability_parts(system: System, book: Entry) -> Iterator[Part]:
    own, section = tuple(book.get("abilities", ())), _("Abilities")
    if system.abilities or own:
        told = _(
            "As the card prints them, with commas between. What the game does not know becomes "
            "an ability of this book."
        )
        aliases: Words = ("ability", "special abilities", "special rules", "special", "rules")
        field = _field("abilities", marked("Abilities"), "lines", told, section, aliases)
        yield AbilitiesPart(field, Abilities(system, own))
    if system.spells:
        told = _("With commas between; boxes as ×2.")
        field = _field("spells", marked("Spells"), "lines", told, section, ("spell",))
        yield SpellsPart(field, system)
    for part in system.texts.values():
        aliases = (part.id,)
        field = Field(f"text-{part.id}", part.name, "lines", part.help, (), _("Card text"), aliases)
        yield LinesPart(field, part.id)
    if system.texts or system.sized:
        aliases = ("keyword", "types", "type", "special rules", "rules", "special")
        told = _("With commas between.")
        yield KeywordsPart(_field("keywords", marked("Keywords"), "lines", told, section, aliases))
    if system.sized:
        yield OptionsPart(_options_field())


def _options_field() -> Field:
    told = _(
        "One to a line: “Champion, 20”, “Shields, 2 a model”, or a choice: “Weapon: Spears free | "
        "Halberds, 3 a model”; “Banners (up to 2): ...” where it is not just one."
    )
    return _field("options", marked("Options"), "lines", told, _("Options"))


def _owner_parts(system: System) -> Iterator[Part]:
    section = _("In your book")
    aliases: Words = ("group", "section")
    told = _("What it stands under in the book.")
    yield TextPart(_field("group", marked("Heading"), "text", told, section, aliases), MAX_NAME)
    aliases = ("copies", "owned", "qty", "quantity", "count", "have", "own", "number owned")
    told = _("How many of it you have.")
    field = _field("owned", marked("Copies owned"), "number", told, section, aliases)
    yield NumberPart(field, 0, MAX_OWNED)
    if system.texts:
        told = _("The name that all its versions share, where a warband may have one of them.")
        field = _field("unique", marked("Unique name"), "text", told, section, ("unique",))
        yield UniquePart(field, MAX_NAME)
    aliases = ("box", "expansion", "edition")
    label = pgettext("of a card", "Set")
    yield TextPart(Field("set", label, "text", "", (), section, aliases, english="Set"), MAX_NAME)
    aliases = ("number", "no", "nr", "card number", "card no", "collector no")
    told = _("As it is printed, such as 12/60.")
    field = _field("number", marked("Collector number"), "text", told, section, aliases)
    yield TextPart(field, 20)
    aliases = ("notes", "comment", "comments", "remark", "remarks")
    yield TextPart(_field("note", marked("Note"), "lines", "", section, aliases), MAX_NOTE)
