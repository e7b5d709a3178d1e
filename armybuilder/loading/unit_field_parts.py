"""What the description of a unit's field is made of: how it is read, how the form of a card asks
for it, and where pages and papers tell it. The fields themselves are in `unit_fields`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from armybuilder.engine.catalogue import System
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import Later
from armybuilder.loading.unit_reading import Read

#: The heading of the form that fields stand under which name no other.
CARD = Later("Card")
#: Letters of a text, where a field does not say how many.
MAX_TEXT = 120


@dataclass(frozen=True, slots=True)
class Form:
    """How the form of a card asks for a field, and a pasted table fills it.

    `kind` is "text" (one line), "lines", "number", "flag" or "choices"; `most` is the most letters
    or the largest number. `aliases` are other headings of a table, with commas between. The form
    of a game has it where `asked` holds. `needed`: a card without it is wrong; `open`: where it is
    not known, the file says so. `offered`: texts of the book's other cards are offered again;
    `kept`: the next new card starts with the same; `completed`: what its words are, where they are
    completed. `column` heads a column of the book's own table, where a card says something.
    A field whose label is "" is as many inputs as the game has such things, named by it.
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


class Place(Enum):
    """Where pages and papers tell a field in words."""

    #: Behind the book's note on a unit: on a list's page, on sheets and cards, in the library.
    NOTE = 1
    #: A row of its own where units stand beside each other.
    BESIDE = 2
    #: Among what differs when a book or an edition changes.
    CHANGES = 3
    #: A unit of the API, as a value, where there is one.
    API = 4


@dataclass(frozen=True, slots=True)
class Told:
    """What a unit says in a field, as `words` ("" for nothing), what it is called, and where."""

    label: Later
    words: Callable[[Unit], str]
    at: frozenset[Place]


@dataclass(frozen=True, slots=True)
class PriceRemark:
    """What stands beside the points of a unit where a field is set: by themselves, where they are
    those of one model of several, and as a sentence.
    """

    mark: Later
    each: Later
    sentence: Later


@dataclass(frozen=True, slots=True)
class UnitField:
    """A field of a unit. `key` is its name in a book's file, `also` others that are read with it;
    `read` makes the `attribute` of the unit (the same name where it has no other), and is None
    where another field's reader reads it. `on_price` stands beside the points where it is set.
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
