"""What a card's form is made of: its fields, and the parts that read and fill them."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")

#: A unit of a book document, or the document.
Entry = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CardField:
    """A field of the form, or a column of a table. `kind` is "text", "number", "choice", "choices",
    "lines" or "flag"; `choices` are (id, name); `aliases` are other headings of a table.
    """

    name: str
    label: str
    kind: str
    help: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    section: str = ""
    aliases: tuple[str, ...] = ()
    english: str = ""


@dataclass(frozen=True, slots=True)
class Mistake:
    """What is wrong in a field, in words for the person who filled it in."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card as read: the unit ("id" only where it is old), own abilities it needs, mistakes."""

    unit: dict[str, Any]
    abilities: tuple[dict[str, Any], ...]
    mistakes: tuple[Mistake, ...]


class Wrong(Exception):
    """What is wrong with the text of a field, one sentence for each mistake."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


def read_each(entries: Iterable[str], read: Callable[[str], T]) -> list[T]:
    """Return what each entry is read as. Raises Wrong with the mistakes of all."""
    found: list[T] = []
    mistakes: list[str] = []
    for entry in entries:
        try:
            found.append(read(entry))
        except Wrong as wrong:
            mistakes += wrong.messages
    if mistakes:
        raise Wrong(*mistakes)
    return found


@dataclass
class CardReading:
    """A card while it is read: the unit so far, and abilities of the book's own by id."""

    unit: dict[str, Any]
    abilities: dict[str, dict[str, Any]] = field(default_factory=dict)

    def put(self, key: str, value: object) -> None:
        """Set a key of the unit; nothing, an empty text or container take it away."""
        if value is None or value is False or value in ("", [], {}):
            self.unit.pop(key, None)
        else:
            self.unit[key] = value

    def put_in(self, key: str, inner: str, value: object) -> None:
        """Set a key of an object of the unit, such as one of its stats."""
        values = {had: kept for had, kept in self.unit.get(key, {}).items() if had != inner}
        if value not in (None, "", []):
            values[inner] = value
        self.put(key, values)


class CardPart(ABC):
    """One field of a card, and how it is written in a unit."""

    #: Whether a card without it is wrong.
    needed = False
    #: What a unit without it says there, to compare units.
    empty: object = None

    def __init__(self, field: CardField) -> None:
        self.field = field

    @abstractmethod
    def text(self, unit: Entry) -> str:
        """Return the unit's text for the field. Raises Wrong where the field cannot say it."""

    @abstractmethod
    def read(self, text: str, reading: CardReading) -> None:
        """Put what the text says into the unit. Raises Wrong."""

    def said(self, unit: Entry) -> object:
        """Return what the unit says there, to compare two units; equal where they mean the same."""
        return unit.get(self.field.name, self.empty)

    def fill(self, unit: Entry) -> str | None:
        """The text of the field, or None where the unit says more there than the field can."""
        bare = self.bare(unit)
        try:
            text = self.text(unit)
            if not text and self.said(bare) == self.said(unit):
                return ""
            reading = CardReading(bare)
            self.read(text, reading)
        except Wrong:
            return None
        return text if self.said(reading.unit) == self.said(unit) else None

    def bare(self, unit: Entry) -> dict[str, Any]:
        """Return the unit without what the field says, so that reading it puts it there anew."""
        return {key: value for key, value in unit.items() if key != self.field.name}


class InnerPart(CardPart):
    """One field of a card that stands in an object of the unit, such as one of its stats."""

    key: str

    def __init__(self, field: CardField, inner: str) -> None:
        super().__init__(field)
        self.inner = inner

    def said(self, unit: Entry) -> object:
        return unit.get(self.key, {}).get(self.inner, self.empty)

    def bare(self, unit: Entry) -> dict[str, Any]:
        reading = CardReading(dict(unit))
        reading.put_in(self.key, self.inner, None)
        return reading.unit
