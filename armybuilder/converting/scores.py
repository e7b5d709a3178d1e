"""Input and output of a conversion: dice, scores and choices; a card with its steps."""

import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from typing import Any, Final, Literal

HALF: Final = Fraction(1, 2)
MAX_DICE: Final = 40
MAX_SIDES: Final = 100
_TERM = re.compile(r"([+-]?)(?:(\d{1,3})d(\d{1,3})|(\d{1,4}(?:\.\d{1,3}|/\d{1,3})?))")
_PLAIN = re.compile(r"\d{1,3}(/\d{1,2})?")
_DICE = re.compile(r"(\d{1,3}(?:/\d{1,2})?)\s*d\s*\d")

#: Ends of a number that would be divided by zero.
ZEROS: Final = ("/0", "/00", "/000")


def average(text: str) -> Fraction:
    """Return the exact average of "2d6+4", "1d8+1 plus 1d6", "7.5" or "15/2".

    A hit deals at least 1: "1d4-2" is 1.25. Raises `ValueError` on anything else.
    """
    compact = re.sub(r"\s|plus", lambda match: "+" if match[0] == "plus" else "", text.lower())
    terms = _terms(compact.replace("−", "-").replace("–", "-"))
    rolled = [(sign, dice, sides) for sign, dice, sides, _ in terms if dice]
    fixed = sum((sign * number for sign, _, _, number in terms), Fraction(0))
    if sum(dice for _, dice, _ in rolled) > MAX_DICE:
        raise ValueError(text)
    mean = fixed + sum(sign * Fraction(dice * (sides + 1), 2) for sign, dice, sides in rolled)
    least = fixed + sum(dice if sign > 0 else -dice * sides for sign, dice, sides in rolled)
    if least >= 1:
        return mean
    spread = Counter({0: 1})
    for sign, dice, sides in rolled:
        for _ in range(dice):
            wider: Counter[int] = Counter()
            for (roll, ways), face in product(spread.items(), range(1, sides + 1)):
                wider[roll + sign * face] += ways
            spread = wider
    worth = sum(ways * max(Fraction(1), fixed + roll) for roll, ways in spread.items())
    return Fraction(worth) / spread.total()


def hit_dice(text: str) -> Fraction:
    """Return the hit dice of "4d8+11", "1/2 d8", "2d8 plus 4d12" or "4"; `ValueError` otherwise."""
    parts = _DICE.findall(text)
    if not parts and not _PLAIN.fullmatch(text.strip()):
        raise ValueError(text)
    return sum((Fraction(part) for part in parts or [text.strip()]), Fraction(0))


def nearest(value: Fraction) -> int:
    """Return the nearest whole number, halves up."""
    return math.floor(value + HALF)


def nearest_low(value: Fraction) -> int:
    """Return the nearest whole number, halves down."""
    return math.ceil(value - HALF)


def shown(value: Fraction | int) -> str:
    """Return the number for reading: 7.5, 3, or two digits of one that does not end: 2.83."""
    exact = Fraction(value)
    digits = f"{math.floor(abs(exact) * 100 + HALF):03d}"
    text = f"{digits[:-2]}.{digits[-2:]}".rstrip("0").rstrip(".")
    return f"−{text}" if exact < 0 else text


def signed(value: int) -> str:
    """Return a number with its sign: +3, +0, −1."""
    return f"−{-value}" if value < 0 else f"+{value}"


def _terms(text: str) -> list[tuple[int, int, int, Fraction]]:
    """Return sign, dice, sides and fixed number of each term; all of the text must be terms."""
    terms, place = [], 0
    while place < len(text):
        match = _TERM.match(text, place)
        if match is None or (place and not match[1]):
            raise ValueError(text)
        place = match.end()
        dice, sides, number = int(match[2] or 0), int(match[3] or 1), match[4] or "0"
        if (match[2] and not dice) or not 1 <= sides <= MAX_SIDES or number.endswith(ZEROS):
            raise ValueError(text)
        terms.append((-1 if match[1] == "-" else 1, dice, sides, Fraction(number)))
    if not terms:
        raise ValueError(text)
    return terms


Alignment = Literal["good", "neutral", "evil"]
RangedKind = Literal["thrown", "projectile"]

#: From small to large.
SIZES: Final = (
    *("fine", "diminutive", "tiny", "small", "medium"),
    *("large", "huge", "gargantuan", "colossal"),
)
#: By their ids: "magical-beast" is called "Magical beast".
TYPES: Final = {
    name: name.replace("-", " ").capitalize()
    for name in (
        *("aberration", "animal", "beast", "construct", "dragon", "elemental", "fey", "giant"),
        *("humanoid", "magical-beast", "monstrous-humanoid", "ooze", "outsider", "plant"),
        *("shapechanger", "undead", "vermin"),
    )
}


class BadScores(Exception):
    """Scores that cannot be read: `errors` has a sentence for every field that is wrong."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(" ".join(f"{field}: {sentence}" for field, sentence in errors.items()))
        self.errors = dict(errors)


@dataclass(frozen=True)
class Blows:
    """Attacks of one kind: bonus, average damage of a hit in hit points, how many a round."""

    bonus: int
    damage: Fraction
    number: int = 1


@dataclass(frozen=True)
class Scores:
    """A creature as D&D 3.x describes it; `fields.read_scores` makes one and checks the ranges.

    Speeds are in feet, damage in hit points. The attack bonus excludes the −2 for fighting with two
    weapons, a flurry or rapid shots; `melee_penalty` and `ranged_penalty` say that it applies.
    `intelligence` is None for mindless creatures, `charisma` is the modifier, `commander` the
    Commander rating given by a person (None: not a commander), `powerful` None if undecided,
    `turning_level` the cleric level for turning undead (0: it can't). `abilities` have the short
    form of books, "sneak-attack 1".
    """

    name: str
    type: str
    alignment: Alignment
    hit_dice: Fraction
    hit_points: int
    speed: int
    armor_class: int
    fortitude: int
    reflex: int
    will: int
    size: str = "medium"
    subtype: str = ""
    fly: int = 0
    burrow: int = 0
    melee: Blows | None = None
    second: Blows | None = None
    melee_blunt: bool = False
    melee_penalty: bool = False
    ranged: Blows | None = None
    ranged_kind: RangedKind = "projectile"
    ranged_penalty: bool = False
    one_shot: bool = False
    intelligence: int | None = None
    charisma: int = 0
    base_attack: int | None = None
    commander: int | None = None
    dwarf: bool = False
    player_character: bool = False
    commoner: bool = False
    powerful: bool | None = None
    turning_level: int = 0
    feats: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()

    def has(self, feat: str) -> bool:
        """Return whether it has the feat, ignoring case and hyphens."""
        return plain(feat) in map(plain, self.feats)

    @property
    def level(self) -> int:
        """Hit dice as a whole number; less than one counts as one."""
        return max(1, int(self.hit_dice))


@dataclass(frozen=True)
class ConversionChoices:
    """Decisions that the book leaves to the person who converts.

    damage: which way exactly half a point of damage is rounded; the attack is moved against it.
    health: rounding of hit points / 5. attacks: how several kinds of attack become one line: their
    `average`, the `main` one alone, or all as `one` blow with the damage of all. flight: whether a
    creature with two speeds has the one in the air or on the ground. difficulty: the multiple of
    Difficult Troop. orders: the rating of Independent Troop. power_attack: whether a creature with
    that feat always uses it.
    """

    damage: Literal["up", "down"] = "up"
    health: Literal["near", "up", "down"] = "near"
    attacks: Literal["average", "main", "one"] = "average"
    flight: Literal["fly", "walk"] = "fly"
    difficulty: int = 2
    orders: int = 0
    power_attack: bool = False
    faction: str = "none"
    group: str = ""


def plain(name: str) -> str:
    """Return a name to compare by: small letters, and spaces for hyphens."""
    return " ".join(name.casefold().replace("-", " ").split())


@dataclass(frozen=True)
class WorkStep:
    """Derivation of a value on the card. `cite`: 2001 rulebook; `choice`: the alternative."""

    what: str
    given: str
    how: str
    result: str
    cite: str
    choice: str = ""


@dataclass(frozen=True)
class Conversion:
    """A unit of a book without id and points, the steps to it, and feats that found no place."""

    unit: dict[str, Any]
    steps: tuple[WorkStep, ...]
    left_out: tuple[str, ...] = ()


@dataclass
class ConvertedCard:
    """A card in the making: statistics by id, abilities in short form, and steps."""

    stats: dict[str, int | str] = field(default_factory=dict)
    abilities: list[str] = field(default_factory=list)
    steps: list[WorkStep] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def tell(
        self, what: str, given: str, how: str, result: object, page: int = 67, choice: str = ""
    ) -> None:
        """Add a step, with its page of the rulebook."""
        self.steps.append(WorkStep(what, given, how, str(result), f"p. {page}", choice))

    def give(self, ability: str) -> None:
        """Add an ability; the same one of the same kind ("immune: fire") gives way."""

        def kind(ability: str) -> tuple[str, str]:
            return ability_id(ability), ability.partition(":")[2]

        others = [other for other in self.abilities if kind(other) != kind(ability)]
        self.abilities = [*others, ability]


def ability_id(ability: str) -> str:
    """Return the id of an ability in short form."""
    return ability.split(":")[0].split(" ")[0]
