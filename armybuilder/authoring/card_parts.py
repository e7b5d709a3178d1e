"""The parts of a card whatever the game: name, points, attributes, stats, abilities, texts."""

from collections.abc import Callable, Mapping
from functools import partial

from django.utils.translation import gettext as _

from armybuilder.authoring.abilities_text import Abilities
from armybuilder.authoring.fields import (
    CardField,
    CardPart,
    CardReading,
    Entry,
    InnerPart,
    Wrong,
    read_each,
)
from armybuilder.authoring.wording import (
    UNKNOWN,
    BookNames,
    listed,
    one_line,
    paragraph,
    short,
    whole_number,
    yes,
)
from armybuilder.engine.catalogue import System
from armybuilder.engine.vocabulary import Attribute, Stat
from armybuilder.engine.wording import inside
from armybuilder.loading.abilities import read_ability

LONGEST_LINE = 600
MOST_LINES = 30
MOST_SPELLS = 60
LONGEST_STAT = 60


class TextCardPart(CardPart):
    """A key of the unit that holds one text, of one line (`kind` "text") or more."""

    def __init__(self, field: CardField, longest: int, needed: bool = False) -> None:
        super().__init__(field)
        self.longest = longest
        self.needed = needed

    def text(self, unit: Entry) -> str:
        return str(unit.get(self.field.name, ""))

    def read(self, text: str, reading: CardReading) -> None:
        clean = paragraph if self.field.kind == "lines" else one_line
        value = clean(text, self.longest)
        if self.needed and not value:
            raise Wrong(_("This cannot be empty."))
        reading.put(self.field.name, value)


class UniquePart(TextCardPart):
    """The name shared by a unit's versions. "yes" means its own, as far as the comma."""

    def read(self, text: str, reading: CardReading) -> None:
        try:
            said = yes(text)
        except Wrong:
            super().read(text, reading)
            return
        name = reading.unit.get("name", "").partition(",")[0].strip()
        reading.put("unique", name[: self.longest] if said else "")


class NumberPart(CardPart):
    """A key of the unit that holds a whole number. `open`: null where it is not known."""

    def __init__(self, field: CardField, low: int, high: int, open_: bool = False) -> None:
        super().__init__(field)
        self.low, self.high, self.open = low, high, open_

    def text(self, unit: Entry) -> str:
        value = unit.get(self.field.name)
        return "" if value is None else str(value)

    def read(self, text: str, reading: CardReading) -> None:
        if text.strip() not in UNKNOWN:
            reading.unit[self.field.name] = whole_number(text, self.low, self.high)
        elif self.open:
            reading.unit[self.field.name] = None
        else:
            reading.put(self.field.name, None)


class FlagPart(CardPart):
    """A key of the unit that is true or left out."""

    empty = False

    def text(self, unit: Entry) -> str:
        value = unit.get(self.field.name, False)
        if not isinstance(value, bool):
            raise Wrong("It depends on something.")
        return "yes" if value else ""

    def read(self, text: str, reading: CardReading) -> None:
        reading.put(self.field.name, yes(text))


class AttributePart(InnerPart):
    """An attribute of the system: one of its values, or several."""

    key = "attributes"

    def __init__(self, field: CardField, attribute: Attribute, system: System) -> None:
        super().__init__(field, attribute.id)
        self.attribute = attribute
        self.system = system
        aliases = ((word, attribute.values[key], key) for word, key in attribute.aliases.items())
        names = ((key, name, key) for key, name in attribute.values.items())
        self.names = BookNames([*names, *aliases])

    def text(self, unit: Entry) -> str:
        values = self.said(unit)
        if len(values) > 1 and not self.attribute.several:
            raise Wrong("It has several.")
        return ",".join(values)

    def read(self, text: str, reading: CardReading) -> None:
        told = _("{game} has no {attribute} “{entry}”.").format
        about = {"attribute": inside(self.attribute.name), "game": self.system.name}
        values = read_values(text, self.names, partial(told, **about))
        if len(values) > 1 and not self.attribute.several:
            raise Wrong(_("Only one is allowed here."))
        several = self.attribute.several and len(values) > 1
        value: object = values if several else (values or [""])[0]
        reading.put_in(self.key, self.inner, value)

    def said(self, unit: Entry) -> list[str]:
        value = unit.get(self.key, {}).get(self.inner, [])
        return [value] if isinstance(value, str) else list(value)


def read_values(text: str, names: BookNames[str], unknown: Callable[..., str]) -> list[str]:
    """Return the ids of named values. Raises Wrong with what `unknown` says, and the values."""
    text = one_line(text.replace("\n", ", "), LONGEST_LINE)
    if text in UNKNOWN:
        return []
    whole = names.get(text)
    if whole is not None:
        return [whole]
    values: list[str] = []
    for entry in listed(text, ",;/|"):
        value = names.get(entry) or names.begun(entry)
        if value is None:
            near = names.near(entry)
            meant = _("Did you mean {near}?").format(near=near) if near else names.some()
            raise Wrong(f"{unknown(entry=short(entry))} {meant}")
        if value not in values:
            values.append(value)
    return values


class StatPart(InnerPart):
    """A statistic of the unit. `needed`: the price cannot be worked out without it."""

    key = "stats"

    def __init__(self, field: CardField, stat: Stat, needed: bool = False) -> None:
        super().__init__(field, stat.id)
        self.stat = stat
        self.needed = needed
        self.low = stat.low if stat.low is not None else -99 if stat.plus else 0
        self.high = 9999 if stat.high is None else stat.high

    def text(self, unit: Entry) -> str:
        return str(unit.get("stats", {}).get(self.stat.id, ""))

    def read(self, text: str, reading: CardReading) -> None:
        reading.put_in(self.key, self.inner, self.value(text))

    def value(self, text: str) -> int | str | None:
        """Return the value that the text means; None where it is not known."""
        if text.strip() in UNKNOWN:
            if self.needed:
                told = _("Needed for the points. Write a number from {low} to {high}.")
                raise Wrong(told.format(low=self.low, high=self.high))
            return None
        if not self.stat.text:
            return whole_number(text, self.low, self.high, self.stat.suffix)
        value = one_line(text, LONGEST_STAT)
        if self.stat.suffix == "″":
            value = value.removesuffix("''").rstrip('″”" ')
        return value


class AbilitiesPart(CardPart):
    """The abilities of a unit, as its card prints them."""

    def __init__(self, field: CardField, abilities: Abilities) -> None:
        super().__init__(field)
        self.abilities = abilities

    def text(self, unit: Entry) -> str:
        return self.abilities.text(unit.get("abilities", []))

    def read(self, text: str, reading: CardReading) -> None:
        entries = "" if text.strip() in UNKNOWN else text
        reading.put("abilities", self.abilities.read(entries, reading.abilities))

    def said(self, unit: Entry) -> object:
        return [read_ability(entry) for entry in unit.get("abilities", ())]


class SpellsPart(CardPart):
    """The spells on a unit's card: "command ×2, bless +1"."""

    def __init__(self, field: CardField, system: System) -> None:
        super().__init__(field)
        self.system = system
        self.names = BookNames((key, name, key) for key, name in system.spells.items())

    def text(self, unit: Entry) -> str:
        return ", ".join(map(self._printed, unit.get("spells", ())))

    def _printed(self, entry: str) -> str:
        spell, _, uses = entry.partition(" x")
        name = self.system.spells.get(spell, spell)
        return f"{name} ×{uses}" if uses else name

    def read(self, text: str, reading: CardReading) -> None:
        entries = [] if text.strip() in UNKNOWN else listed(text)
        if len(entries) > MOST_SPELLS:
            told = _("{number} spells are too many; maximum {most}.")
            raise Wrong(told.format(number=len(entries), most=MOST_SPELLS))
        reading.put("spells", read_each(entries, self._spell))

    def _spell(self, entry: str) -> str:
        entry = one_line(entry, 120)
        spell = self.names.get(entry)
        if spell is not None:
            return spell
        name, boxes = _boxes(entry)
        spell = self.names.get(name)
        if spell is None:
            near = self.names.near(name) or self.names.near(entry)
            told = _("{game} has no spell “{name}”.").format(
                game=self.system.name, name=short(name)
            )
            meant = (
                _("Did you mean {near}?") if near else _("Write it as an ability, or in the note.")
            )
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


class LinesPart(InnerPart):
    """A part of the card with free lines, by the system's texts."""

    key = "texts"
    empty: object = []

    def text(self, unit: Entry) -> str:
        return "\n".join(unit.get(self.key, {}).get(self.inner, ()))

    def read(self, text: str, reading: CardReading) -> None:
        whole = paragraph(text, LONGEST_LINE * MOST_LINES)
        lines = [line for line in map(str.strip, whole.split("\n")) if line]
        if len(lines) > MOST_LINES:
            told = _("{number} lines are too many; maximum {most}.")
            raise Wrong(told.format(number=len(lines), most=MOST_LINES))
        for line in lines:
            if len(line) > LONGEST_LINE:
                told = _("A line of {number} characters is too long; maximum {most}.")
                raise Wrong(told.format(number=len(line), most=LONGEST_LINE))
        reading.put_in(self.key, self.inner, lines)


class KeywordsPart(CardPart):
    """Keywords by name, with commas or line ends between them."""

    longest = 80
    empty: object = []

    def text(self, unit: Entry) -> str:
        keywords = unit.get("keywords", ())
        if any(isinstance(keyword, Mapping) for keyword in keywords):
            raise Wrong("Some hold only under a condition.")
        return ", ".join(keywords)

    def read(self, text: str, reading: CardReading) -> None:
        clean = paragraph(text, LONGEST_LINE * 10)
        keywords = list(dict.fromkeys(" ".join(entry.split()) for entry in listed(clean)))
        for keyword in keywords:
            if len(keyword) > self.longest:
                told = _("“{keyword}” is too long for a keyword; maximum {most} characters.")
                raise Wrong(told.format(keyword=short(keyword), most=self.longest))
        reading.put("keywords", keywords)
