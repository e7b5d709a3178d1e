"""Options after a unit's name: split into names, and matched with places of the unit's options.

A piece is a name, or several: "Shield and Lance", "Mount: Horse", "Champion (Totem Bearer (Black
Wing Totem))", "FCG". Unknown ones stay as written.

A name may have several places (a shield of the rider and one of the mount). Then the reading with
the points of the text wins, of several the one that fits the entry best.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, pairwise, product
from typing import Any

from armybuilder.engine.catalogue import System
from armybuilder.engine.names import simple
from armybuilder.engine.options import Offer, Option
from armybuilder.engine.units import Unit
from armybuilder.exchange.pasting.entries import times
from armybuilder.exchange.pasting.names import (
    ALIKE,
    EXACT,
    GUESS,
    IDLE,
    NONE,
    NameMatch,
    Patience,
    ReadNames,
    command_names,
    in_part,
    matched,
)
from armybuilder.exchange.pasting.parts import pieces, shape
from armybuilder.languages import Typed, typed_pattern
from armybuilder.loading.armylist import ListOption
from armybuilder.loading.limits import DEEPEST, MAX_OPTIONS, MAX_TIMES

#: Readings of one line that are tried.
MOST_READINGS = 48
#: Readings of all lines together.
MOST_READINGS_OF_TEXT = 6_000
#: Names on one line that are looked up: as many as a document has room for on one unit.
MOST_PIECES = MAX_OPTIONS
#: What the player says to a name that is to be left out.
LEAVE_OUT = "-"
#: How deep names can be nested, in brackets or after "and".
_DEEPEST = 3
#: Words without a comma that may be several names.
_MOST_WORDS = 12

_AND = Typed("typed", "and|with|w/")
_OR = re.compile(r"\s+(?:or|oder|ou)\s+", re.I)
#: Something and, in brackets behind it, its options: "Cannon (4+) (Rune Crafted)".
_IN_BRACKETS = re.compile(r"(.+?)\s?\(((?:[^()]|\([^()]*\))+)\)")
#: The same behind a colon: "Catapult (4+): Rune Crafted". Before it may be a heading
#: that is no name: "Special Equipment: Shield".
_BEHIND_COLON = re.compile(r"([^:]{1,60}):\s+(\S.*)")
#: "Shield (10 pts)", "Banner +50": the points of an option.
_PRICED = shape(
    r"(.*\S)\s*(?:<open>\s*\+?\d{1,4}\s*<points>?\s*<close>|\s\+\d{1,4}|\s\d{1,4}\s*<points>)"
)
#: Words before a thing: "armed with a Spear", "riding a Dragon".
_BEFORE = re.compile(
    r"^(?:(?:with|carrying|wielding|riding|wearing|armed with|mounted on|plus|also|has)\s+"
    r"(?:(?:an?|the)\s+)?|(?:an?|the)\s+)",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]{3}")

#: The points of a unit in these roles with these options, and in how many ways they depart from its
#: entry.
Judge = Callable[[tuple[str, ...], tuple[ListOption, ...]], tuple[int, int]]


@dataclass(frozen=True, slots=True)
class OptionSpot:
    """An option of a unit at a `path` of ids; `given`: included without a choice.

    `group` is the name of its group, `groups` are the ids of all enclosing ones, `single` the paths
    of alternatives of which one can be taken.
    """

    path: tuple[str, ...]
    option: Option
    given: bool
    group: str
    groups: tuple[str, ...] = ()
    single: frozenset[tuple[str, ...]] = frozenset()

    @property
    def address(self) -> str:
        """The path as a form sends it: "horse/barding"."""
        return "/".join(self.path)


@dataclass(frozen=True, slots=True)
class ReadChoice:
    """A choice for the player: the value that a form sends, and its label."""

    value: str
    label: str


@dataclass(frozen=True, slots=True)
class ReadPiece:
    """A name on a line, with its meaning.

    `kind` is "option", "role", "given" (the unit has it anyway) or "unknown"; `sure` as in `names`;
    of `choices` one is `chosen`, `picked` by the player. `within` names the option that it goes
    with where only one of the two may be taken.
    """

    text: str
    kind: str
    sure: str
    name: str = ""
    choices: tuple[ReadChoice, ...] = ()
    chosen: str = ""
    picked: bool = False
    within: str = ""


@dataclass(frozen=True, slots=True)
class WantedOption:
    """A name on a line with the places it may mean. `on` are ids of pieces that carry it."""

    text: str
    match: NameMatch[OptionSpot]
    number: int = 0
    on: tuple[str, ...] = ()
    role: str = ""
    picked: bool = False


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """Result for a line: roles, options as in documents, and each name with its outcome."""

    roles: tuple[str, ...]
    options: tuple[ListOption, ...]
    pieces: tuple[ReadPiece, ...]


def _between() -> str:
    """Return the pattern of the text between two things that belong together."""
    return rf"{typed_pattern(_AND)}|y|e|&|\+|w\.?"


class NameSplitter:
    """Takes apart the text about one unit, by the names of options, roles and rules."""

    def __init__(self, names: ReadNames[Any], roles: ReadNames[str], rules: ReadNames[str]) -> None:
        self.names = names
        self.roles = roles
        self.rules = rules

    def texts(self, rest: str) -> Iterator[str]:
        """Yield the names; of "Pyromancy or Alchemy" those that were not there before."""
        earlier = set()
        for text in self._longest(rest):
            parts = _OR.split(text)
            if len(parts) > 1 and not self.is_known(text) and all(map(self.is_known, parts)):
                yield from (part for part in parts if simple(part) not in earlier)
            else:
                yield text
            earlier.add(simple(text))

    def ids(self, piece: str) -> tuple[str, ...]:
        """Return the ids that a piece of equipment may have by its name, likeliest first."""
        match = self.names.known(piece)
        known = [spot.option.id for spot in match.values]
        named = simple(piece).replace(" ", "-")
        return tuple(dict.fromkeys((*known, named) if match.sure == EXACT else (named, *known)))

    def is_known(self, text: str) -> bool:
        """Return whether it is the name of an option, a role or a rule, also with a number."""
        known = (self.names, self.roles, self.rules)
        said = dict.fromkeys((text, put_on(times(text)[0])[0]))
        return any(names.known(name).values for name in said for names in known)

    def understands(self, text: str) -> bool:
        """Return whether all of a piece is known."""
        return all(map(self.is_known, self._alone(text)))

    def _longest(self, rest: str) -> Iterator[str]:
        """Yield the names in a text, the longest first where names hold commas."""
        parts = []
        for piece in pieces(rest):
            behind = _BEHIND_COLON.fullmatch(piece)
            # A heading, such as the name of a group, is no name.
            heading = behind and not (self.is_known(piece) or self.is_known(behind[1]))
            parts.append(behind[2] if behind and heading else piece)
        most = self.names.most_commas
        place = 0
        while place < len(parts):
            for end in range(min(place + 1 + most, len(parts)), place + 1, -1):
                joined = ", ".join(parts[place:end])
                if self.names.known(joined).values or self.names.known(times(joined)[0]).values:
                    yield joined
                    place = end
                    break
            else:
                yield from self._alone(parts[place])
                place += 1

    def _alone(self, text: str, deepest: int = _DEEPEST) -> list[str]:
        """Return the known names in a piece, as far as it has any."""
        whole = self._understood(text, deepest)
        if whole is not None:
            return whole
        for parts in self._parted(text) if deepest else ():
            if len(parts) > 1 and any(self._understood(part, deepest) for part in parts):
                return [name for part in parts for name in self._alone(part, deepest - 1)]
        return self._run_together(text.split()[:_MOST_WORDS]) or [text]

    def _run_together(self, words: Sequence[str]) -> list[str]:
        """Return the names in words without commas, "Champion Musician"; none unless all are."""
        for end in range(len(words) - 1, 0, -1):
            first, rest = " ".join(words[:end]), words[end:]
            if self.names.known(first).values or self.roles.known(first).values:
                more = [" ".join(rest)] if self.is_known(" ".join(rest)) else []
                if more := more or self._run_together(rest):
                    return [first, *more]
        return []

    def _understood(self, text: str, deepest: int = _DEEPEST) -> list[str] | None:
        """Return the names in a piece of which all is known; None where something is not."""
        if self.is_known(text):
            return [text]
        if IDLE.fullmatch(text):
            return []
        bare = _BEFORE.sub("", text)
        if bare != text:
            return self._understood(bare, deepest)
        priced = _PRICED.fullmatch(text)
        if priced and self.is_known(priced[1]):
            return [priced[1]]
        if text.endswith("."):
            return self._understood(text.rstrip(". "), deepest)
        short, looked = command_names(text), (self.names, self.roles)
        had = [name for name in short if any(names.known(name).values for names in looked)]
        if len(had) == len(short) > 0 or len(had) > 1:
            return had
        if deepest == 0:
            return None
        between = rf"\s+(?:{_between()})\s+|\s*/\s*|\s+[-–]\s+"
        for parts in (re.split(between, text, flags=re.I), *self._parted(text)):
            understood = [self._understood(part, deepest - 1) for part in parts if part != text]
            if understood and all(names is not None for names in understood):
                return [name for names in understood for name in names or ()]
        return None

    def _parted(self, text: str) -> Iterator[list[str]]:
        brackets = _IN_BRACKETS.fullmatch(text)
        if brackets and _WORD.search(brackets[2]):
            yield self._carried(brackets[1], pieces(brackets[2]))
        behind = _BEHIND_COLON.fullmatch(text)
        if behind:
            yield self._carried(behind[1], pieces(behind[2]))

    def _carried(self, piece: str, texts: Sequence[str]) -> list[str]:
        """Return a piece of equipment, unless every model has it, and the items on it."""
        ids = self.ids(piece)
        spots = [self.names.known(times(text)[0]).values for text in texts]
        on_it = [
            f"{text} (on {piece})"
            if any(set(ids) & set(spot.option.on) for spot in options)
            else text
            for text, options in zip(texts, spots, strict=True)
        ]
        if self.names.known(piece).values or self.roles.known(piece).values:
            return [piece, *on_it]
        short = [name for name in command_names(piece) if self.names.known(name).values]
        if short:  # "BSB (Banner of Speed)", "C/M/S (Legion Standard)"
            return [*short, *on_it]
        # An item, or "Wizard Adept" of a "Wizard", says what it is on.
        items = any(spot.option.item for options in spots for spot in options)
        idle = items or any(simple(piece) in simple(text).split() for text in texts)
        return on_it if idle else [piece, *on_it]


def put_on(name: str) -> tuple[str, str]:
    """Return an enchantment and the piece of equipment that it is on, "" if not given."""
    match = matched("{option} (on {piece})", name)
    return (match[0], match[1]) if len(match) == 2 else (name, "")


class OptionNames:
    """Names of a unit's possible options at all depths, its roles, and its equipment."""

    def __init__(self, system: System, unit: Unit, guesses: Patience, readings: Patience) -> None:
        self.readings = readings
        self.spots = list(_spots(unit.offer))
        self.by_address = {spot.address: spot for spot in self.spots}
        names = [(spot.option.name, spot) for spot in self.spots]
        self.names = ReadNames(names, guesses, in_part(names))
        self.role_names = {role.id: role.name for role in system.roles.values()}
        self.roles = ReadNames((name, role) for role, name in self.role_names.items())
        profiles = (rule for profile in unit.profiles for rule in profile.rules)
        rules = [*(keyword.name for keyword in unit.keywords), *profiles]
        rules += [said for use in unit.abilities for said in (use.label, use.ability.name)]
        # Programs name the models of a unit among what it takes.
        rules += [unit.name, *(profile.name for profile in unit.profiles)]
        for key, values in unit.attributes.items():
            rules += [system.attributes[key].values.get(value, value) for value in values]
        # "L 9", "Lvl 9", "Level 9"; of statistics that the book does not know any number.
        unknown = [r"(?!)"]
        for key, stat in system.stats.items():
            said = [stat.name, stat.short, stat.name[0]]
            if key in unit.stats:
                rules += [f"{name}{gap}{unit.stats[key]}" for name in said for gap in (" ", "")]
            else:
                unknown += map(re.escape, said)
        self.unknown_stats = re.compile(rf"(?:{'|'.join(unknown)})\W*\d{{1,2}}", re.I)
        self.rules = ReadNames((rule, rule) for rule in rules)
        self.splitter = NameSplitter(self.names, self.roles, self.rules)

    def read(
        self, rest: str, chosen: Mapping[int, str], judge: Judge, points: int | None
    ) -> ReadOptions:
        """Read what follows a unit's name; `chosen` by number, `points` in the text."""
        texts = self.splitter.texts(rest)
        wanted = [
            self._wanted(text, chosen.get(number, ""))
            for number, text in enumerate(islice(texts, MOST_PIECES))
        ]
        more = [ReadPiece(text, "unknown", NONE) for text in texts]
        roles = tuple(dict.fromkeys(one.role for one in wanted if one.role))
        arranged = _arrange(wanted, partial(judge, roles), points, self.readings)
        spots = _one_of_each(rest, wanted, arranged, partial(judge, roles), points)
        read = [self._read_piece(one, spot) for one, spot in zip(wanted, spots, strict=True)]
        for place, (before, spot) in enumerate(zip(arranged, spots, strict=True)):
            if before and not spot:
                kept = next(spot for spot in spots if spot and spot.single & before.single)
                name = kept.option.name
                read[place] = ReadPiece(wanted[place].text, "given", ALIKE, name, within=name)
        options = _tree(zip(wanted, spots, strict=True))[0]
        return ReadOptions(roles, options, (*read, *more))

    def _wanted(self, text: str, chosen: str) -> WantedOption:
        name, number = times(text)
        match = self.names.known(text)
        if match.values:
            name, number = text, 0
        else:
            match = self.names.known(name)
        on: tuple[str, ...] = ()
        if not match.values:
            bare, piece = put_on(name)
            if piece:
                match, on = self.names.known(bare), self.splitter.ids(piece)
        if chosen == LEAVE_OUT:
            return WantedOption(text, NameMatch())
        if chosen in self.by_address:
            match = NameMatch((self.by_address[chosen],), EXACT)
            return WantedOption(text, match, number, on, picked=True)
        role = self.roles.known(name)
        if role.values and match.sure != EXACT:
            return WantedOption(text, NameMatch((), role.sure), role=role.values[0])
        if not match.values and not self.rules.known(name).values:
            match = self.names.find(name)
            role = self.roles.find(name)
            if role.values and not match.values:
                return WantedOption(text, NameMatch((), GUESS), role=role.values[0])
        return WantedOption(text, match, number, on)

    def _read_piece(self, wanted: WantedOption, spot: OptionSpot | None) -> ReadPiece:
        text, match = wanted.text, wanted.match
        if wanted.role:
            return ReadPiece(text, "role", match.sure, self.role_names[wanted.role])
        doubtful = wanted.picked or match.sure not in (EXACT, ALIKE)
        near = self.names.alike(times(text)[0]) if doubtful else []
        offered = [*match.values, *(spot for spot in near if not spot.given)]
        several = len(offered) > 1 or doubtful
        choices = tuple(_choices(offered, self.by_address)) if several else ()
        if spot is not None:
            kind = "given" if spot.given else "option"
            name = spot.option.name
            return ReadPiece(text, kind, match.sure, name, choices, spot.address, wanted.picked)
        rule = self.rules.known(times(text)[0])
        if rule.values:
            return ReadPiece(text, "given", rule.sure, rule.values[0])
        if self.unknown_stats.fullmatch(text):
            return ReadPiece(text, "given", ALIKE, text)
        return ReadPiece(text, "unknown", NONE, "", choices)


def _spots(offer: Offer, path: tuple[str, ...] = ()) -> Iterator[OptionSpot]:
    for option_id, slots in offer.slots.items():
        here = (*path, option_id)
        always = any(slots[0].option is option for option in offer.given)
        groups = slots[0].groups
        name = groups[-1].name if groups else ""
        ids = tuple(one.id for one in groups)
        single = frozenset((*path, one.id) for one in groups if one.most.base == 1)
        yield OptionSpot(here, slots[0].option, always, name, ids, single)
        if len(here) < DEEPEST:
            yield from _spots(slots[0].option.offer, here)


def _choices(
    spots: Sequence[OptionSpot], by_address: Mapping[str, OptionSpot]
) -> Iterator[ReadChoice]:
    """Return each place once, described with its parent options, and groups if necessary."""
    named: dict[tuple[str, ...], list[OptionSpot]] = {}
    for address in dict.fromkeys(spot.address for spot in spots):
        path = by_address[address].path
        steps = (by_address["/".join(path[:end])] for end in range(1, len(path) + 1))
        names = tuple(step.option.name for step in steps)
        named.setdefault(names, []).append(by_address[address])
    for (*above, name), alike in named.items():
        for spot in alike:
            group = (spot.group,) if len(alike) > 1 and spot.group else ()
            yield ReadChoice(spot.address, " › ".join((*above, *group, name)))


def _arrange(
    wanted: Sequence[WantedOption],
    judge: Callable[[tuple[ListOption, ...]], tuple[int, int]],
    points: int | None,
    patience: Patience,
) -> tuple[OptionSpot | None, ...]:
    """Return each name's place: the best of a bounded number of readings, first of equals."""
    matches = [each.match.values for each in wanted]
    sure = {values[0].path for values in matches if len(values) == 1}

    def order(spot: OptionSpot) -> tuple[bool, bool, int]:
        return spot.given, len(spot.path) > 1 and spot.path[:-1] not in sure, len(spot.path)

    ways: list[list[OptionSpot | None]] = [
        [*sorted(values, key=order)] or [None] for values in matches
    ]
    best: tuple[OptionSpot | None, ...] = tuple(way[0] for way in ways)
    if all(len(way) == 1 for way in ways):
        return best

    def badness(reading: Sequence[OptionSpot | None]) -> tuple[int, ...]:
        options, loose = _tree(zip(wanted, reading, strict=True))
        cost, breaches = judge(options)
        idle = sum(spot is not None and spot.given for spot in reading)
        return int(points is not None and cost != points), loose, breaches, idle

    least = badness(best)
    for spots in islice(product(*reversed(ways)), 1, MOST_READINGS):
        if not any(least) or not patience.try_once():
            break
        reading = tuple(reversed(spots))
        bad = badness(reading)
        if bad < least:
            least, best = bad, reading
    return best


def _one_of_each(
    rest: str,
    wanted: Sequence[WantedOption],
    spots: tuple[OptionSpot | None, ...],
    judge: Callable[[tuple[ListOption, ...]], tuple[int, int]],
    points: int | None,
) -> tuple[OptionSpot | None, ...]:
    """Return the places without those of "Spear and Shield" of which only one may be taken.

    That one is taken which breaks least and has the points in the text, else the first.
    """

    def badness(way: Sequence[OptionSpot | None]) -> tuple[int, bool]:
        cost, breaches = judge(_tree(zip(wanted, way, strict=True))[0])
        return breaches, points is not None and cost != points

    for place, (one, other) in enumerate(pairwise(spots)):
        if not one or not other or one.path == other.path or not one.single & other.single:
            continue
        texts = (re.escape(wanted[at].text) for at in (place, place + 1))
        if re.search(rf"\s*(?:{_between()}|/|-)\s*".join(texts), rest, re.I):
            first = (*spots[: place + 1], None, *spots[place + 2 :])
            second = (*spots[:place], None, *spots[place + 1 :])
            spots = min(spots, first, second, key=badness)
    return spots


@dataclass
class _Node:
    """An option while its line is read, with its options by id."""

    number: int = 1
    on: str = ""
    inner: dict[str, "_Node"] = field(default_factory=dict)


def _tree(
    taken: Iterable[tuple[WantedOption, OptionSpot | None]],
) -> tuple[tuple[ListOption, ...], int]:
    """Return the options, and how often a name is repeated or its parent wasn't named."""
    root = _Node()
    found = [(wanted, spot) for wanted, spot in taken if spot is not None]
    named = {spot.path for _, spot in found}
    seen: set[tuple[str, ...]] = set()
    loose = 0
    for wanted, spot in found:
        if spot.given:
            loose += len(spot.path) > 1 and spot.path[:-1] not in named
            continue
        node = root
        for depth, step in enumerate(spot.path, 1):
            loose += spot.path[:depth] not in named and depth < len(spot.path)
            node = node.inner.setdefault(step, _Node())
        twice = spot.path in seen
        loose += twice
        seen.add(spot.path)
        number = max(1, wanted.number) + (node.number if twice else 0)
        if number > 1:
            node.number = min(number, MAX_TIMES)
        node.on = next((one for one in wanted.on if one in spot.option.on), "") or node.on
    return _written(root.inner), loose


def _written(level: Mapping[str, _Node], depth: int = 1) -> tuple[ListOption, ...]:
    """Return the tree as a document can write it: the third level by its ids alone."""
    if depth >= DEEPEST:
        return tuple(map(ListOption, level))
    return tuple(
        ListOption(option_id, node.number, node.on, _written(node.inner, depth + 1))
        for option_id, node in level.items()
    )
