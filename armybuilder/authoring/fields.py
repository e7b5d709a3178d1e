"""The form kit: fields of a form, their place in a unit, and how a page draws them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

#: A unit of a book document, or the document.
Entry = Mapping[str, Any]
#: Abilities of the book's own by id, which grow while cards are read.
OwnAbilities = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class CardField:
    """A field of the form, or a column of a table.

    `kind` is "text", "number", "choice", "choices", "lines" or "flag"; `choices` are (id, name);
    `aliases` are other headings of a table.
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
    """A mistake in a field, in words for the person who filled it in."""

    field: str
    message: str


@dataclass(frozen=True, slots=True)
class ReadCard:
    """A card as read: the unit ("id" only where it is old), own abilities it needs, mistakes."""

    unit: dict[str, Any]
    abilities: tuple[dict[str, Any], ...]
    mistakes: tuple[Mistake, ...]


class Wrong(Exception):
    """The mistakes in a field's text, one sentence each."""

    def __init__(self, *messages: str) -> None:
        super().__init__(*messages)
        self.messages = messages


def read_each(entries: Iterable[str], read: Callable[[str], T]) -> list[T]:
    """Return the values read from entries. Raises Wrong with the mistakes of all."""
    values: list[T] = []
    mistakes: list[str] = []
    for entry in entries:
        try:
            values.append(read(entry))
        except Wrong as wrong:
            mistakes += wrong.messages
    if mistakes:
        raise Wrong(*mistakes)
    return values


def _is_nothing(value: object) -> bool:
    """Return whether a unit leaves out a key of that value; 0 is something."""
    return value is None or value is False or value in ("", [], {})


@dataclass(frozen=True)
class CardPart:
    """A field of a card, its place in the unit, and the conversion from text to value and back.

    The value is under `key`, or under `inner` in an object there. `read` takes the text, the unit
    so far and the book's own abilities; `show` raises Wrong if the field can't express the value,
    and `read` if a text has none. `same` makes values comparable. A card without a `needed` field
    is wrong; an `open` one is null in the file if unknown.
    """

    field: CardField
    key: str
    read: Callable[[str, Entry, OwnAbilities], Any]
    show: Callable[[Any], str] = str
    same: Callable[[Any], Any] = lambda value: value
    inner: str = ""
    needed: bool = False
    open: bool = False

    def value(self, unit: Entry) -> Any:
        return unit.get(self.key, {}).get(self.inner) if self.inner else unit.get(self.key)

    def put(self, unit: dict[str, Any], value: Any) -> None:
        """Set the value in the unit; nothing, an empty text or container take it away."""
        if self.inner:
            rest = {key: each for key, each in unit.get(self.key, {}).items() if key != self.inner}
            value = rest if _is_nothing(value) else {**rest, self.inner: value}
        if _is_nothing(value) and not self.open:
            unit.pop(self.key, None)
        else:
            unit[self.key] = value

    def fill(self, unit: Entry) -> str | None:
        """Return the text of the field; None where the unit says more there than it can."""
        try:
            value = self.value(unit)
            if _is_nothing(value):
                return ""
            text = self.show(value)
            again = self.read(text, unit, {})
        except Wrong:
            return None
        return text if not _is_nothing(again) and self.same(again) == self.same(value) else None


@dataclass(frozen=True, slots=True)
class Input:
    """A field as a page draws it, with its text. `offered` are texts of other cards.

    `completed` names what its words are; `more`: the unit has more than the field shows; `first`:
    focus.
    """

    field: Any
    value: str
    mistake: str = ""
    offered: tuple[str, ...] = ()
    completed: str = ""
    more: bool = False
    first: bool = False

    @property
    def chosen(self) -> frozenset[str]:
        return frozenset(self.value.split(","))

    @property
    def one_line(self) -> bool:
        """Return whether it is drawn as one line, so that the Enter key saves."""
        return self.field.kind != "lines" or bool(self.completed and "\n" not in self.value)

    @property
    def lines(self) -> int:
        """The lines of a text area that are seen at once: those it has, and one to go on."""
        return min(max(self.value.count("\n") + 2, 2), 14)

    @property
    def may_be_open(self) -> bool:
        """Return whether it may be empty without a choice that means empty."""
        return all(key for key, _ in self.field.choices)

    @property
    def described(self) -> str:
        """The ids of what explains the field, as aria-describedby wants them."""
        parts = {
            "wrong": self.mistake,
            "help": self.field.help,
            "hint": self.completed,
            "more": self.more,
        }
        return " ".join(f"{part}-{self.field.name}" for part, says in parts.items() if says)


#: The inputs of a form under their headings.
Sections = list[tuple[str, list[Input]]]


def in_sections(inputs: Iterable[Input]) -> Sections:
    """Return inputs under the headings of their fields, in their order."""
    sections: dict[str, list[Input]] = {}
    for each in inputs:
        sections.setdefault(each.field.section, []).append(each)
    return list(sections.items())
