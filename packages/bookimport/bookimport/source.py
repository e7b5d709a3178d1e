"""What a BattleScribe file says, as frozen values, and where each id of it points."""

from dataclasses import dataclass, field
from typing import Final, Literal

Field = Literal["selections", "points", "limit"]
#: What an entry is: a unit, its models, an option, a group of options, a link to one of these.
Kind = Literal["unit", "model", "upgrade", "group", "link"]


@dataclass(frozen=True, eq=False)
class Constraint:
    """A least or most; `value` -1 means none. `share`: per cent of the game size. `strange`: what
    of it is not understood; then only id and type tell something.
    """

    id: str
    type: Literal["min", "max"]
    field: Field
    scope: Literal["parent", "roster", "elsewhere"]
    value: int
    strange: str = ""


@dataclass(frozen=True, eq=False)
class SourceCondition:
    """One comparison: so many of `child` in `scope` (ids, or words like parent and roster). Of the
    type STRANGE it is none, and `child` says what is not understood.
    """

    type: str
    field: Field
    scope: str
    child: str
    value: int


@dataclass(frozen=True, eq=False)
class Conditions:
    """Conditions of which all (`and`) or any (`or`) must hold."""

    op: Literal["and", "or"]
    parts: tuple["SourceCondition | Conditions", ...]


@dataclass(frozen=True, eq=False)
class Repeat:
    """The change applies once for each `value` of `child` in `scope`."""

    field: Field
    scope: str
    child: str
    value: int
    round_up: bool


@dataclass(frozen=True, eq=False)
class Modifier:
    """A change of `field` (a word, or the id of a constraint or characteristic)."""

    type: str
    field: str
    value: str
    when: Conditions
    repeats: tuple[Repeat, ...]

    @property
    def is_plain(self) -> bool:
        """Whether it always applies, once."""
        return not self.when.parts and not self.repeats


@dataclass(frozen=True, eq=False)
class SourceProfile:
    """A row of values: (characteristic id, name, text) each; texts of effects are not kept."""

    id: str
    name: str
    type: str
    cells: tuple[tuple[str, str, str], ...]
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class Info:
    """A rule's name, or a link to a rule or profile."""

    name: str
    target: str
    is_profile: bool
    hidden: bool
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class SourceEntry:
    """A unit, model, option, group or link. `sentences` are those of its texts that restrict it,
    `strange` what of it is not understood; `exported`: books that link to its file have it too,
    `collective`: all models of a unit take it, or none; `written`: its name as the file has it.
    """

    id: str
    name: str
    written: str
    kind: Kind
    hidden: bool
    target: str
    default: str
    cost: int | None
    constraints: tuple[Constraint, ...]
    modifiers: tuple[Modifier, ...]
    categories: tuple[tuple[str, bool], ...]
    infos: tuple[Info, ...]
    profiles: tuple[SourceProfile, ...]
    sentences: tuple[str, ...]
    children: tuple["SourceEntry", ...]
    strange: str = ""
    exported: bool = True
    collective: bool = False

    @property
    def is_group(self) -> bool:
        """Whether it is a group itself (a link to one is not)."""
        return self.kind == "group"


@dataclass(frozen=True, eq=False)
class CategoryLink:
    """A category, by itself or in a force: its shares and numbers, what changes them, and what of
    it is not understood.
    """

    target: str
    name: str
    constraints: tuple[Constraint, ...]
    modifiers: tuple[Modifier, ...]
    strange: str = ""


@dataclass(frozen=True, eq=False)
class SourceForce:
    """A way to organise the army, with its categories."""

    id: str
    name: str
    hidden: bool
    categories: tuple[CategoryLink, ...]


#: The type of a condition that is not understood.
STRANGE: Final = "strange"


@dataclass
class SourceFile:
    """One parsed file: its root entries in order and everything in it that has an id."""

    file: str
    id: str
    name: str
    revision: str
    roots: tuple[SourceEntry, ...]
    forces: tuple[SourceForce, ...]
    categories: dict[str, CategoryLink]
    rules: tuple[Info, ...]
    entries: dict[str, SourceEntry] = field(default_factory=dict)
    profiles: dict[str, SourceProfile] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    constraints: dict[str, Constraint] = field(default_factory=dict)
    #: What root entries were made of that stand in the file as a link: (link, its target).
    linked: dict[SourceEntry, tuple[SourceEntry, SourceEntry]] = field(default_factory=dict)
    #: What was made of several root links to one entry, by its id.
    copies: dict[str, list[SourceEntry]] = field(default_factory=dict)
