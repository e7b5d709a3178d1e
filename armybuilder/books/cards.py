"""The form of a card, whatever the game: its fields, and the way between them and a unit of a
book document.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.books.abilities_text import Abilities
from armybuilder.books.army_parts import CapPart, CategoriesPart, ProfileStatPart, SizePart
from armybuilder.books.card_parts import (
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
from armybuilder.books.fields import Entry, Field, Mistake, Part, ReadCard, Reading, Wrong
from armybuilder.books.names import Names
from armybuilder.books.options_text import OptionsPart
from armybuilder.engine.catalogue import Stat, System
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
                told = (f"{part.field.label}: {message}" for message in wrong.messages)
                mistakes += [Mistake(name, message) for message in told]
        self._settle(reading.unit, base)
        return ReadCard(reading.unit, tuple(reading.abilities.values()), tuple(mistakes))

    def _read_part(self, part: Part, text: str, reading: Reading, base: Entry | None) -> None:
        if base is not None:
            shown = part.fill(base)
            if shown is None and text.strip():
                raise Wrong("It has more than can be written here; leave this empty to keep it.")
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
    yield TextPart(
        Field("name", "Name", "text", section="Card", aliases=_NAMES), MAX_NAME, needed=True
    )
    yield from _price_parts(system)
    for attribute in system.attributes.values():
        field = Field(
            f"attr-{attribute.id}",
            attribute.name,
            "choices" if attribute.several else "choice",
            choices=tuple(attribute.values.items()),
            section="Card",
            aliases=(attribute.id, f"{attribute.name}s", f"{attribute.id}s", *_short(attribute.id)),
        )
        yield AttributePart(field, attribute, system)
    if "type" in system.attributes:
        yield TextPart(
            Field("subtype", "Subtype", "text", "Such as Human.", section="Card"), MAX_NAME
        )
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


def _short(attribute: str) -> tuple[str, ...]:
    """What tables shorten the heading to: "Align."."""
    return (attribute[:5], attribute[:3]) if len(attribute) > 5 else ()


def _price_parts(system: System) -> Iterator[Part]:
    if system.formula is not None:
        return
    told = "Of the smallest unit, all its models together. " if system.sized else ""
    told += "Leave it empty where they are not known."
    field = Field("points", "Points", "number", told, section="Card", aliases=_POINTS)
    yield NumberPart(field, 0, MAX_POINTS, open_=True)
    if system.sized:
        field = Field(
            "points_per_model",
            "Points per model",
            "number",
            "Of every model above the least.",
            section="Card",
            aliases=("per model", "points per extra model", "extra model", "each"),
        )
        yield NumberPart(field, 0, MAX_POINTS)


def _army_parts(book: Entry) -> Iterator[Part]:
    categories = [(entry["id"], entry["name"]) for entry in book.get("categories", ())]
    field = Field(
        "categories",
        "Categories",
        "choices",
        "Of several it stands under the first.",
        tuple(categories),
        "Card",
        ("category", "army category", "army categories"),
    )
    yield CategoriesPart(field, Names((key, name, key) for key, name in categories))
    told = "Least and most models, as 15-40; one number where there is no choice."
    aliases: Words = ("models", "unit size", "models per unit")
    yield SizePart(Field("size", "Size", "text", told, section="Card", aliases=aliases))
    told = "How many of it an army may have, as 0-3."
    aliases = ("limit", "0-x", "per army", "max per army")
    yield CapPart(Field("cap", "In an army", "text", told, section="Card", aliases=aliases))
    aliases = ("general", "leader", "may lead")
    yield FlagPart(Field("can_lead", "Can be the General", "flag", section="Card", aliases=aliases))


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
    return Field(f"stat-{stat.id}", stat.name, kind, stat.help, section="Stats", aliases=aliases)


def _ability_parts(system: System, book: Entry) -> Iterator[Part]:
    own = tuple(book.get("abilities", ()))
    if system.abilities or own:
        told = (
            "As the card prints them, with commas between. What the game does not know becomes "
            "an ability of this book."
        )
        aliases: Words = ("ability", "special abilities", "special rules", "special", "rules")
        field = Field("abilities", "Abilities", "lines", told, (), "Abilities", aliases)
        yield AbilitiesPart(field, Abilities(system, own))
    if system.spells:
        told = "With commas between; boxes as ×2."
        field = Field("spells", "Spells", "lines", told, section="Abilities", aliases=("spell",))
        yield SpellsPart(field, system)
    for part in system.texts.values():
        aliases = (part.id,)
        field = Field(f"text-{part.id}", part.name, "lines", part.help, (), "Card text", aliases)
        yield LinesPart(field, part.id)
    if system.texts or system.sized:
        aliases: Words = ("keyword", "types", "type", "special rules", "rules", "special")
        told = "With commas between."
        yield KeywordsPart(Field("keywords", "Keywords", "lines", told, (), "Abilities", aliases))
    if system.sized:
        yield OptionsPart(
            Field("options", "Options", "lines", _OPTIONS_HELP, section="Options", aliases=())
        )


_OPTIONS_HELP = (
    "One to a line: “Champion, 20”, “Shields, 2 a model”, or a choice: “Weapon: Spears free | "
    "Halberds, 3 a model”; “Banners (up to 2): ...” where it is not just one."
)


def _owner_parts(system: System) -> Iterator[Part]:
    section = "In your book"
    aliases: Words = ("group", "section")
    told = "What it stands under in the book."
    yield TextPart(Field("group", "Heading", "text", told, (), section, aliases), MAX_NAME)
    aliases = ("copies", "owned", "qty", "quantity", "count", "have", "own", "number owned")
    told = "How many of it you have."
    field = Field("owned", "Copies owned", "number", told, (), section, aliases)
    yield NumberPart(field, 0, MAX_OWNED)
    if system.texts:
        told = "The name that all its versions share, where a warband may have one of them."
        field = Field("unique", "Unique name", "text", told, (), section, ("unique",))
        yield UniquePart(field, MAX_NAME)
    aliases = ("box", "expansion", "edition")
    yield TextPart(Field("set", "Set", "text", "", (), section, aliases), MAX_NAME)
    aliases = ("number", "no", "nr", "card number", "card no", "collector no")
    told = "As it is printed, such as 12/60."
    yield TextPart(Field("number", "Collector number", "text", told, (), section, aliases), 20)
    aliases = ("notes", "comment", "comments", "remark", "remarks")
    yield TextPart(Field("note", "Note", "lines", "", (), section, aliases), MAX_NOTE)
