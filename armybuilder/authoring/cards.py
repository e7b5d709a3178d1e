"""The card form for all games: from its fields to a unit of a book document and back.

`UNIT_FIELDS` says how a form asks for a field; this module reads and writes its text.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from armybuilder.authoring.abilities_text import Abilities
from armybuilder.authoring.fields import (
    CardField,
    CardPart,
    Entry,
    Mistake,
    OwnAbilities,
    ReadCard,
    Wrong,
    read_each,
)
from armybuilder.authoring.options_text import read_options, show_options
from armybuilder.authoring.wording import (
    UNKNOWN,
    BookNames,
    at_most,
    listed,
    one_line,
    paragraph,
    short,
    whole_number,
    yes,
)
from armybuilder.engine.catalogue import System
from armybuilder.engine.vocabulary import Attribute, Stat
from armybuilder.engine.wording import Later, inside
from armybuilder.languages import Typed, typed_pattern
from armybuilder.loading.documents import Document
from armybuilder.loading.systems import read_ability
from armybuilder.loading.unit_fields import UNIT_FIELDS, Form

LONGEST_LINE = 600
LONGEST_KEYWORD = 80
LONGEST_STAT = 60
MAX_LINES = 30
MAX_SPELLS = 60

_TO = Typed("typed", "to")
_MODELS = Typed("typed", "models|model")
_CAP = re.compile(r"(?:0\s*[-–]\s*)?(\d{1,4})", re.I)

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


def _field(key: str, form: Form) -> CardField:
    aliases = tuple(form.aliases.split(", ")) if form.aliases else ()
    english = form.label.text if isinstance(form.label, Later) else ""
    label, section = str(form.label), str(form.section)
    return CardField(key, label, form.kind, str(form.help), (), section, aliases, english)


def _plain(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    """Yield the unlabelled part of a field, as its kind or `_WRITTEN` reads it."""
    field = _field(key, form)
    if key in _WRITTEN:
        show, read = _WRITTEN[key]
        yield CardPart(field, key, read, show)
    elif form.kind == "number":
        yield CardPart(
            field,
            key,
            lambda text, *_: None if text.strip() in UNKNOWN else whole_number(text, 0, form.most),
            open=form.open,
        )
    elif form.kind == "flag":
        yield CardPart(field, key, lambda text, *_: yes(text), _show_flag)
    else:
        yield CardPart(field, key, partial(_read_text, form), needed=form.needed)


def _read_text(form: Form, text: str, *_rest: Any) -> str:
    value = (paragraph if form.kind == "lines" else one_line)(text, form.most)
    if form.needed and not value:
        raise Wrong(_("This cannot be empty."))
    return value


def _show_flag(value: object) -> str:
    if value is not True:
        raise Wrong("It depends on something.")
    return "yes"


def _points(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    for part in _plain(key, form, system, book):
        if system.sized:
            told = f"{_('Price of the smallest unit, all its models together.')} {part.field.help}"
            part = replace(part, field=replace(part.field, help=told))
        yield part


def _unique(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    """Yield the name that a unit's versions share. "yes" means its own, as far as the comma."""

    def read(text: str, unit: Entry, own: OwnAbilities) -> str:
        try:
            is_unique = yes(text)
        except Wrong:
            return one_line(text, form.most)
        name: str = unit.get("name", "").partition(",")[0].strip()
        return name[: form.most] if is_unique else ""

    yield CardPart(_field(key, form), key, read)


def _set(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    field = replace(_field(key, form), label=pgettext("of a card", "Set"), english="Set")
    yield CardPart(field, key, partial(_read_text, form))


def _attributes(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    for attribute in system.attributes.values():
        # What tables shorten the heading to: "Align."
        shortened = (attribute.id[:5], attribute.id[:3]) if len(attribute.id) > 5 else ()
        field = CardField(
            f"attr-{attribute.id}",
            attribute.name,
            "choices" if attribute.several else "choice",
            choices=tuple(attribute.values.items()),
            section=str(form.section),
            aliases=(attribute.id, f"{attribute.name}s", f"{attribute.id}s", *shortened),
        )
        aliases = ((word, attribute.values[key], key) for word, key in attribute.aliases.items())
        values = ((key, name, key) for key, name in attribute.values.items())
        names = BookNames([*values, *aliases])
        read = partial(_read_attribute, attribute, system, names)
        # Where one is allowed, several are read as wrong: then the field does not show them.
        yield CardPart(
            field, key, read, lambda value: ",".join(_several(value)), _several, attribute.id
        )


def _several(value: str | list[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


def _read_attribute(
    attribute: Attribute, system: System, names: BookNames[str], text: str, *_rest: Any
) -> str | list[str]:
    told = _("{game} has no {attribute} “{entry}”.").format
    values = _read_values(
        text, names, partial(told, attribute=inside(attribute.name), game=system.name)
    )
    if len(values) > 1 and not attribute.several:
        raise Wrong(_("Only one is allowed here."))
    return values if len(values) > 1 else "".join(values)


def _read_values(text: str, names: BookNames[str], unknown: Callable[..., str]) -> list[str]:
    """Return the ids of named values. Raises Wrong with what `unknown` says, and the values."""
    text = one_line(text.replace("\n", ", "), LONGEST_LINE)
    if text in UNKNOWN:
        return []
    whole = names.get(text)
    if whole is not None:
        return [whole]
    values: dict[str, None] = {}
    for entry in listed(text, ",;/|"):
        value = names.get(entry) or names.begun(entry)
        if value is None:
            near = names.near(entry)
            meant = _("Did you mean {near}?").format(near=near) if near else names.some()
            raise Wrong(f"{unknown(entry=short(entry))} {meant}")
        values[value] = None
    return list(values)


def _categories(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    """Yield the army categories by id or name, the unit's own first."""
    choices = tuple((entry["id"], entry["name"]) for entry in book.get("categories", ()))
    names = BookNames((each, name, each) for each, name in choices)

    def read(text: str, unit: Entry, own: OwnAbilities) -> list[str]:
        unknown = _("“{entry}” is not a category of the book.").format
        values = _read_values(text, names, unknown)
        kept = [value for value in dict.fromkeys(unit.get(key, ())) if value in values]
        return [*kept, *(value for value in values if value not in kept)]

    yield CardPart(replace(_field(key, form), choices=choices), key, read, ",".join)


def _read_size(text: str, *_rest: Any) -> int | list[int] | None:
    """Return the models of a unit: "15-40", or one number if there is no choice."""
    text = one_line(text, 40)
    if text in UNKNOWN:
        return None
    to, models = typed_pattern(_TO), typed_pattern(_MODELS)
    sizes = rf"(\d{{1,4}})(?:\s*(?:-|–|—|{to}|\.\.)\s*(\d{{1,4}}))?(?:\s*{models})?"
    match = re.fullmatch(sizes, text, re.I)
    if match is None:
        raise Wrong(_("“{text}” is not a size. Write “15-40”, or “1”.").format(text=short(text)))
    low = int(match[1])
    high = int(match[2]) if match[2] else low
    if not 1 <= low <= high:
        raise Wrong(_("Write the minimum first, 1 or more, then the maximum: “15-40”."))
    return [low, high] if match[2] else low


def _read_cap(text: str, *_rest: Any) -> int | None:
    """Return how many of it an army may have: "0-3" or "3"."""
    text = one_line(text, 40)
    match = _CAP.fullmatch(text)
    if match is None and text not in UNKNOWN:
        told = _("“{text}” is not a limit. Write “0-3”, or nothing for no limit.")
        raise Wrong(told.format(text=short(text)))
    return int(match[1]) if match else None


def _stats(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    formula = system.formula
    needed = (*formula.weights, formula.statistic) if formula else ()
    for stat in system.stats.values():
        aliases = (stat.short, stat.id.replace("_", " "), *_STAT_ALIASES.get(stat.id, ()))
        kind, section = "text" if stat.text else "number", str(form.section)
        field = CardField(f"stat-{stat.id}", stat.name, kind, _(stat.help), (), section, aliases)
        if system.sized:
            yield ProfilePart(
                field,
                stat.id,
                lambda text, *_: one_line(text, LONGEST_STAT) if text.strip() else None,
            )
        else:
            read = partial(_read_stat, stat, stat.id in needed)
            yield CardPart(field, key, read, inner=stat.id, needed=stat.id in needed)


def _read_stat(stat: Stat, needed: bool, text: str, *_rest: Any) -> int | str | None:
    """Return a statistic; None where it is not known. A price may need it."""
    low = stat.low if stat.low is not None else -99 if stat.plus else 0
    high = 9999 if stat.high is None else stat.high
    if text.strip() in UNKNOWN:
        if needed:
            told = _("Needed for the points. Write a number from {low} to {high}.")
            raise Wrong(told.format(low=low, high=high))
        return None
    if not stat.text:
        return whole_number(text, low, high, stat.suffix)
    value = one_line(text, LONGEST_STAT)
    return value.removesuffix("''").rstrip('″”" ') if stat.suffix == "″" else value


@dataclass(frozen=True)
class ProfilePart(CardPart):
    """A statistic, named by `key`, of the only stat line of a unit that has its as profiles."""

    def value(self, unit: Entry) -> str:
        """Return the statistic. Raises Wrong where the unit has several stat lines."""
        lines = unit.get("profiles", ())
        if len(lines) > 1 or _stat_line(unit).get("when"):
            raise Wrong("It has several stat lines.")
        return str(_stat_line(unit).get("stats", {}).get(self.key, ""))

    def put(self, unit: dict[str, Any], value: str | None) -> None:
        """Set the statistic in the unit's stat line, which goes where it says nothing."""
        line = _stat_line(unit)
        stats = {key: stat for key, stat in line.get("stats", {}).items() if key != self.key}
        if value is not None:
            stats[self.key] = value
        if stats or line.get("rules"):
            name = unit.get("name") or "Unit"
            unit["profiles"] = [{"name": name, **line, "stats": stats}]
        else:
            unit.pop("profiles", None)


def _stat_line(unit: Entry) -> Mapping[str, Any]:
    return next(iter(unit.get("profiles", ())), {})


def _abilities(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    own = tuple(book.get("abilities", ()))
    if not system.abilities and not own:
        return
    abilities = Abilities(system, own)

    def read(text: str, unit: Entry, new: OwnAbilities) -> list[str | dict[str, Any]]:
        return abilities.read("" if text.strip() in UNKNOWN else text, new)

    def same(uses: list[Any]) -> list[dict[str, Any]]:
        return [read_ability(use) for use in uses]

    yield CardPart(_field(key, form), key, read, abilities.text, same)


def _spells(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    """Yield the spells on a unit's card: "command ×2, bless +1"."""
    spells = {key: spell.name for key, spell in system.spells.items()}
    names = BookNames((key, name, key) for key, name in spells.items())

    def printed(entry: str) -> str:
        spell, _, uses = entry.partition(" x")
        name = spells.get(spell, spell)
        return f"{name} ×{uses}" if uses else name

    def read(text: str, unit: Entry, own: OwnAbilities) -> list[str]:
        entries = [] if text.strip() in UNKNOWN else listed(text)
        at_most(len(entries), MAX_SPELLS, _("{number} spells; the maximum is {most}."))
        return read_each(entries, partial(_read_spell, system, names))

    yield CardPart(_field(key, form), key, read, lambda spells: ", ".join(map(printed, spells)))


def _read_spell(system: System, names: BookNames[str], entry: str) -> str:
    entry = one_line(entry, 120)
    spell = names.get(entry)
    if spell is not None:
        return spell
    name, boxes = _boxes(entry)
    spell = names.get(name)
    if spell is None:
        near = names.near(name) or names.near(entry)
        told = _("{game} has no spell “{name}”.").format(game=system.name, name=short(name))
        meant = _("Did you mean {near}?") if near else _("Write it as an ability, or in the note.")
        raise Wrong(f"{told} {meant.format(near=near)}")
    if not 1 <= boxes <= 99:
        raise Wrong(_("{name}: a spell has 1 to 99 boxes.").format(name=name))
    return f"{spell} x{boxes}" if boxes > 1 else spell


def _boxes(entry: str) -> tuple[str, int]:
    """Return a spell's name, and the number of boxes behind it: "×2", "[2]" or "□□"."""
    bare = entry.rstrip("□☐▢")
    if bare != entry:
        return bare.strip(), len(entry) - len(bare)
    if entry.endswith("]"):
        name, _, number = entry[:-1].rpartition("[")
    else:
        name, _, number = entry.replace("×", "x").rpartition("x")
    number = number.strip()
    is_number = number.isascii() and number.isdigit() and len(number) < 4
    return (name.strip(), int(number)) if is_number else (entry, 1)


def _texts(key: str, form: Form, system: System, book: Entry) -> Iterator[CardPart]:
    for part in system.texts.values():
        told, section = _(part.help), str(form.section)
        field = CardField(f"text-{part.id}", part.name, "lines", told, (), section, (part.id,))
        yield CardPart(field, key, _read_lines, "\n".join, inner=part.id)


def _read_lines(text: str, *_rest: Any) -> list[str]:
    whole = paragraph(text, LONGEST_LINE * MAX_LINES)
    lines = [line for line in map(str.strip, whole.split("\n")) if line]
    at_most(len(lines), MAX_LINES, _("{number} lines; the maximum is {most}."))
    for line in lines:
        too_long = _("A line of {number} characters is too long; maximum {most}.")
        at_most(len(line), LONGEST_LINE, too_long)
    return lines


def _show_keywords(keywords: list[Any]) -> str:
    if any(isinstance(keyword, Mapping) for keyword in keywords):
        raise Wrong("Some hold only under a condition.")
    return ", ".join(keywords)


def _read_keywords(text: str, *_rest: Any) -> list[str]:
    clean = paragraph(text, LONGEST_LINE * 10)
    keywords = list(dict.fromkeys(" ".join(entry.split()) for entry in listed(clean)))
    for keyword in keywords:
        if len(keyword) > LONGEST_KEYWORD:
            told = _("“{keyword}” is too long for a keyword; maximum {most} characters.")
            raise Wrong(told.format(keyword=short(keyword), most=LONGEST_KEYWORD))
    return keywords


#: Fields of their own kind, beyond text, number or flag: how they are shown and read.
_WRITTEN: dict[str, tuple[Callable[[Any], str], Callable[[str, Entry, OwnAbilities], Any]]] = {
    "size": (
        lambda size: "-".join(map(str, size)) if isinstance(size, list) else str(size),
        _read_size,
    ),
    "cap": ("0-{}".format, _read_cap),
    "keywords": (_show_keywords, _read_keywords),
    "options": (show_options, lambda text, unit, _own: read_options(text, unit.get("options", ()))),
}
#: Fields that need to know the game or the book, or that are several inputs.
_MAKERS: dict[str, Callable[[str, Form, System, Entry], Iterator[CardPart]]] = {
    "points": _points,
    "attributes": _attributes,
    "categories": _categories,
    "stats": _stats,
    "abilities": _abilities,
    "spells": _spells,
    "texts": _texts,
    "unique": _unique,
    "set": _set,
}


class CardForm:
    """The card of a game and a book, laid out once: to read many cards, make one of these."""

    def __init__(self, system: System, book: Document) -> None:
        self.system = system
        # In the order a player reads the card.
        forms = [(row.key, row.form) for row in UNIT_FIELDS if row.form and row.form.asked(system)]
        made = (_MAKERS.get(key, _plain)(key, form, system, book) for key, form in forms)
        self.parts = tuple(chain.from_iterable(made))
        self.fields = tuple(part.field for part in self.parts)

    def fill(self, unit: Entry) -> dict[str, str]:
        """Return each field's text; several ids joined with ",", flags as "yes" or "".

        Fields that cannot show the unit's value are left out: see `hidden`.
        """
        texts = {part.field.name: part.fill(unit) for part in self.parts}
        return {name: text for name, text in texts.items() if text is not None}

    def hidden(self, unit: Entry) -> tuple[CardField, ...]:
        """Return the fields whose part of the unit is more than the form can show and change."""
        shown = self.fill(unit)
        return tuple(field for field in self.fields if field.name not in shown)

    def read(self, values: Mapping[str, str], base: Entry | None = None) -> ReadCard:
        """Read a card; values that are not shown, named or changed are kept from `base`."""
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
        # What follows from a change: points, whether suggested, the stat line's name.
        before = base or {}
        if self.system.formula is None:
            unit.setdefault("points", None)
            if unit["points"] != before.get("points"):
                unit.pop("suggested", None)
        elif any(unit.get(key) != before.get(key) for key in ("stats", "abilities")):
            unit.pop("points", None)
        lines = unit.get("profiles", ())
        if len(lines) == 1 and lines[0]["name"] == before.get("name") and unit.get("name"):
            unit["profiles"] = [{**lines[0], "name": unit["name"]}]
        return ReadCard(unit, tuple(abilities.values()), tuple(mistakes))


def _is_changed(part: CardPart, text: str, base: Entry) -> bool:
    """Return whether to read a text. Raises Wrong if it would replace a hidden value."""
    shown = part.fill(base)
    if shown is None:
        if text.strip():
            raise Wrong(_("This field can’t show the whole value. Leave it empty to keep it."))
        return False
    return text != _normal(shown) or (part.needed and not text)


def _normal(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").strip()
