"""The fields of a unit: where a book's file, the form of a card, pages and papers have each.

A new field is a row of `UNIT_FIELDS`, an attribute of `Unit` and a property in
`catalogs/schema/book.schema.json`; `catalogs/README.md` explains it to those who write books.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from armybuilder.engine.abilities import Ability, Spell
from armybuilder.engine.amounts import Amount, read_changes
from armybuilder.engine.catalogue import System
from armybuilder.engine.condition_reading import Resolve, read_condition
from armybuilder.engine.prices import Price
from armybuilder.engine.selectors import Selector
from armybuilder.engine.units import Lift, PriceChange, Shift, Unit
from armybuilder.engine.wording import Later, say
from armybuilder.loading import options
from armybuilder.loading.systems import read_use

#: The size of a unit that says none, in systems whose entries are units.
_ONE_MODEL = (Amount(1), Amount(1))


@dataclass(frozen=True)
class Raw:
    """A unit as its book's file has it; `abilities` are those of the system and of the book."""

    entry: Mapping[str, Any]
    book: Mapping[str, Any]
    system: System
    builder: options.OptionBuilder
    abilities: Mapping[str, Ability]

    @property
    def ref(self) -> str:
        """The unit's ref: "book/id"."""
        return f"{self.book['id']}/{self.entry['id']}"

    def all(self, key: str) -> Sequence[Any]:
        """Return the list under a key, empty if it is left out."""
        found: Sequence[Any] = self.entry.get(key, ())
        return found

    @cached_property
    def resolve(self) -> Resolve:
        """Return the resolution of names in the unit's conditions."""
        return self.builder.names.resolver(self.entry)

    @cached_property
    def size(self) -> tuple[Amount, Amount] | None:
        """The least and most models; None where models are bought singly."""
        return options.read_size(self.entry, self.resolve) or (
            _ONE_MODEL if self.system.sized else None
        )


#: Reads the value of one field of a unit.
Read = Callable[[Raw], Any]


def _value(key: str, default: object) -> Read:
    return lambda raw: raw.entry.get(key, default)


def _several(key: str) -> Read:
    return lambda raw: tuple(raw.all(key))


def _spells(raw: Raw) -> tuple[Spell, ...]:
    parts = (entry.partition(" x") for entry in raw.all("spells"))  # "id" or "id x2"
    return tuple(Spell(raw.system.spells[spell].name, int(uses or 1)) for spell, _, uses in parts)


def _price(raw: Raw) -> Price:
    points = raw.entry.get("points")
    if raw.size is None or points is None:
        return Price.each(points)
    return Price(points, raw.size[0].base or 1, raw.entry.get("points_per_model", 0))


def _category_changes(raw: Raw) -> tuple[Shift, ...]:
    changes = []
    for entry in raw.all("when"):
        condition = read_condition(entry["if"], raw.resolve) if "if" in entry else None
        gains, loses = (
            frozenset([f"category:{entry[field]}"] if field in entry else ())
            for field in ("add_category", "remove_category")
        )
        if gains or loses:
            changes.append(Shift(condition, gains, loses))
    return tuple(changes)


def _group(raw: Raw) -> str:
    """Return the heading of a unit: its own, or its first category's name; "": none."""
    own: str = raw.entry.get("group", "")
    first = next(iter(raw.all("categories")), None)
    names = (one["name"] for one in raw.book.get("categories", ()) if one["id"] == first)
    return own or next(names, "")


#: The form's heading for fields that name no other.
CARD = Later("Card")
#: Letters of a text, where a field does not say how many.
MAX_TEXT = 120


@dataclass(frozen=True, slots=True)
class Form:
    """Input of a field in a card's form, and in a pasted table.

    `kind` is "text" (one line), "lines", "number", "flag" or "choices"; `most` limits letters or
    the number; `aliases` are other headings, separated by commas. Games have it if `asked` holds.
    `needed`: a card without it is wrong; `open`: unknown is written down. `offered`: suggests texts
    of other cards; `kept`: the next card starts with it; `completed`: completes names; `column`
    heads one of the book's table. Label "": one input for each of the game's things, by its name.
    """

    label: Later | str = ""
    kind: str = "text"
    section: Later = CARD
    help: Later | str = ""
    aliases: str = ""
    most: int = MAX_TEXT
    asked: Callable[[System], object] = lambda system: True
    needed: bool = False
    open: bool = False
    offered: bool = False
    kept: bool = False
    completed: Later | None = None
    column: Later | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A unit's field in `words` ("" for nothing), with its label.

    They follow the book’s note on a unit: on a list’s page, on sheets, cards and in the library.
    A unit of the API has them, too, if `in_api`.
    """

    label: Later
    words: Callable[[Unit], str]
    in_api: bool = False


@dataclass(frozen=True, slots=True)
class PriceRemark:
    """Words beside points: for all of them, for those of one model of several, a sentence."""

    mark: Later
    each: Later
    sentence: Later


@dataclass(frozen=True, slots=True)
class UnitField:
    """A field of a unit: its `key` in a book's file, and `also` others read with it.

    `read` makes the `attribute` of the unit (by default of the key's name); None: another field's
    does. `on_price` is shown beside points.
    """

    key: str
    read: Read | None = None
    attribute: str = ""
    also: tuple[str, ...] = ()
    form: Form | None = None
    told: Told | None = None
    on_price: PriceRemark | None = None

    @property
    def name(self) -> str:
        """The name of the unit's attribute."""
        return self.attribute or self.key


def origin_words(origin: str) -> str:
    """Return that a stat line is from another edition, by its name; "" where it is the book's."""
    return say("{edition}, not this book’s file", edition=origin) if origin else ""


# Headings of the form.
_ABILITIES = Later("Abilities")
_BOOK = Later("In your book")


def _sized(system: System) -> bool:
    return system.sized


#: All fields, in the order of the form. Laid out by hand: one that fits is a row, another a few.
UNIT_FIELDS = (
    UnitField("name", _value("name", ""), form=Form(
        Later("Name"), needed=True,
        aliases="unit, model, creature, miniature, mini, figure, figurine, card, title, unit name, "
        "model name, creature name, miniature name, card name, full name")),
    UnitField("points", _price, "price", form=Form(
        Later("Points"), "number", help=Later("Leave it empty if they are unknown."),
        aliases="cost, costs, price, pts, pt, point cost, points cost, point value",
        most=9999, asked=lambda system: system.formula is None, open=True)),
    UnitField("points_per_model", form=Form(
        Later("Points per model"), "number", help=Later("For each model above the minimum."),
        aliases="per model, points per extra model, extra model, each",
        most=9999, asked=lambda system: system.sized and system.formula is None)),
    UnitField("when", lambda raw: tuple(
        PriceChange(field == "points_per_model", change)
        for field in ("points", "points_per_model")
        for change in read_changes(raw.all("when"), field, raw.resolve)
    ), "price_changes"),
    UnitField("when", _category_changes, "category_changes"),
    UnitField("attributes", lambda raw: {
        attribute: (value,) if isinstance(value, str) else tuple(value)
        for attribute, value in raw.entry.get("attributes", {}).items()
    }, form=Form()),
    UnitField("subtype", _value("subtype", ""), form=Form(
        Later("Subtype"), help=Later("Such as Human."), offered=True,
        asked=lambda system: "type" in system.attributes)),
    UnitField("categories", _several("categories"), form=Form(
        Later("Categories"), "choices", help=Later("With several, it appears under the first."),
        aliases="category, army category, army categories", asked=_sized, kept=True)),
    UnitField("models_in", lambda raw: options.category_tags(raw.all("models_in"))),
    UnitField("size", lambda raw: raw.size, form=Form(
        Later("Size"), asked=_sized, aliases="models, unit size, models per unit",
        help=Later("Minimum and maximum models, as 15-40; one number if there is no choice."))),
    UnitField(
        "cap", lambda raw: options.read_cap(raw.entry, raw.resolve, f"unit:{raw.ref}"),
        also=("cap_models", "cap_points", "one_of_a_kind"), form=Form(
            Later("Limit per army"), help=Later("Minimum and maximum per army, such as 0-3."),
            aliases="limit, 0-x, per army, max per army", asked=_sized)),
    UnitField("army_min"),  # The book's rules read it.
    UnitField(
        "can_lead", lambda raw: options.read_fact(raw.entry, "can_lead", raw.resolve), form=Form(
            Later("Can be the General"), "flag", aliases="general, leader, may lead",
            asked=_sized)),
    UnitField("must_lead", lambda raw: options.read_must_lead(raw.entry, raw.resolve)),
    UnitField("needs", lambda raw: options.read_needs(raw.entry, raw.resolve), also=("not_with",)),
    UnitField("army_choice", lambda raw: not raw.entry.get("army_choice", False), "counts"),
    UnitField("stats", _value("stats", {}), form=Form(section=Later("Stats"))),
    UnitField("profiles", lambda raw: tuple(
        options.read_profile(profile, raw.resolve) for profile in raw.all("profiles")),
        told=Told(Later("Stat line"), lambda unit: origin_words(
            next(filter(None, (row.origin or row.filled for row in unit.profiles)), "")))),
    UnitField("abilities", lambda raw: tuple(
        read_use(ability, raw.abilities) for ability in raw.all("abilities")), form=Form(
        Later("Abilities"), "lines", _ABILITIES, completed=Later("abilities"),
        help=Later(
            "As printed on the card, separated by commas. Unknown abilities are added to "
            "this book."),
        aliases="ability, special abilities, special rules, special, rules")),
    UnitField("spells", _spells, form=Form(
        Later("Spells"), "lines", _ABILITIES, Later("Separated by commas; boxes as ×2."),
        aliases="spell", asked=lambda system: system.spells, completed=Later("spells"))),
    UnitField("texts", lambda raw: {
        part: tuple(lines) for part, lines in raw.entry.get("texts", {}).items()
    }, form=Form(section=Later("Card text"))),
    UnitField(
        "keywords",
        lambda raw: options.read_keywords(raw.entry, raw.resolve, raw.system.gains), form=Form(
            Later("Keywords"), "lines", _ABILITIES, Later("Separated by commas."),
            aliases="keyword, types, type, special rules, rules, special",
            asked=lambda system: system.texts or system.sized, completed=Later("keywords"))),
    UnitField("item_limits", _value("item_limits", {})),
    UnitField("lifts", lambda raw: tuple(
        Lift(lift["rule"], Selector.read(lift["of"])) for lift in raw.all("lifts"))),
    UnitField("sparse", _value("sparse", False)),
    UnitField("without", _several("without")),
    UnitField("unchecked", lambda raw: options.read_unchecked(raw.entry, raw.resolve)),
    UnitField("options", lambda raw: raw.builder.offer(raw.entry), "offer", form=Form(
        Later("Options"), "lines", Later("Options"), asked=_sized, help=Later(
            "One per line: “Champion, 20”, “Shields, 2 per model”, or a choice: “Weapon: "
            "Spears free | Halberds, 3 per model”; “Banners (up to 2): ...” if more than "
            "one may be chosen."))),
    UnitField(
        "group", _group, form=Form(
            Later("Heading"), section=_BOOK, help=Later("The heading it appears under."),
            aliases="group, section", offered=True, kept=True)),
    UnitField("owned", _value("owned", None), form=Form(
        Later("Copies owned"), "number", _BOOK, Later("How many you own."), most=999,
        aliases="copies, owned, qty, quantity, count, have, own, number owned",
        column=Later("Owned"))),
    UnitField(
        "unique", _value("unique", ""), form=Form(
            Later("Unique name"), section=_BOOK, aliases="unique", offered=True,
            help=Later(
                "The name shared by all its versions. A warband can have only one of them."),
            asked=lambda system: system.texts)),
    # The book's own word, or one that all books use.
    UnitField("certainty", lambda raw: raw.entry.get("certainty") or raw.entry.get(
        "confidence", ""), also=("confidence",)),
    UnitField("set", _value("set", ""), "origin", form=Form(
        # The form looks this label up with its context: the word has several meanings.
        "Set", section=_BOOK, aliases="box, expansion, edition", offered=True, kept=True)),
    UnitField("number", _value("number", ""), form=Form(
        Later("Collector number"), section=_BOOK, most=20,
        help=Later("As printed, such as 12/60."),
        aliases="number, no, nr, card number, card no, collector no")),
    UnitField(
        "product", _value("product", ""), form=Form(
            Later("Product number"), section=_BOOK, most=20, asked=lambda system: not system.sized,
            help=Later("The manufacturer’s number, such as 88520."),
            aliases="product, product code, item number, order number, sku",
            column=Later("Product number")),
        told=Told(Later("Product number"), lambda unit: unit.product, in_api=True)),
    UnitField("note", _value("note", ""), "remark", form=Form(
        Later("Note"), "lines", _BOOK, most=600,
        aliases="notes, comment, comments, remark, remarks")),
    UnitField("suggested", _value("suggested", False), on_price=PriceRemark(
        Later("suggested"), Later("suggested each"),
        Later("Suggested points, not published ones."))),
    UnitField("sources", _several("sources")),
    UnitField("provenance", _value("provenance", "")),
)  # fmt: skip


def remark_words(unit: Unit) -> str:
    """Return the book's note on a unit, and its fields' words after that."""
    told = (field.told for field in UNIT_FIELDS if field.told)
    facts = [f"{fact.label}: {words}" for fact in told if (words := fact.words(unit))]
    note = unit.remark.rstrip(".") if facts else unit.remark
    return ". ".join(filter(None, (note, *facts)))


#: How sure numbers are, by the words of books.
_SURE = {
    "rulebook": Later("numbers from the rulebook"),
    "rulebook-probable": Later("numbers probably from the rulebook"),
    "high": Later("numbers confirmed"),
    "medium": Later("numbers probably right"),
    "low": Later("numbers uncertain"),
}


def certainty_words(unit: Unit) -> str:
    """Return how sure the numbers of a unit are; "" where its book does not say."""
    return str(_SURE.get(unit.certainty, unit.certainty))


def price_remark(card: Unit | Mapping[str, Any]) -> PriceRemark | None:
    """Return the words next to the points of a unit, or of an entry of a book's file."""
    for field in UNIT_FIELDS:
        if field.on_price:
            value = getattr(card, field.name) if isinstance(card, Unit) else card.get(field.key)
            if value:
                return field.on_price
    return None
