"""Restrictions that stand in words only: in the name of an entry, or in an item's text.

`Destiny's Call (only on Standard)` binds nobody who reads the limits of the file alone. Every
wording of the files is one of `WORDINGS`; what looks like a restriction and is none of them cannot
be told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from operator import attrgetter, methodcaller
from typing import Literal, NamedTuple

from tests.second_reading.reader.books import GENERAL, Book, Selection
from tests.second_reading.reader.facts import Fact
from tests.second_reading.reader.judging import ITEM, At, Counting, Fault, around
from tests.second_reading.reader.parts import Place, Profile

# What a model is by the source: its Height and Type, whether it is on foot, a wizard, which rules
# it has. Three answers: yes, no, and None where the source does not say.
#
# Of the rulebook this takes what the file cannot say: a mounted character has the Height and Type
# of its mount (19.B.1), characters are on foot unless they take a mount (8.D.b.e), models are
# mounted by a part with Harnessed (19.A.c), and what is Gigantic has Towering Presence (19, table
# 10).

SIZE = "0 Size"
#: Tables of statistics; those of weapons, armour and items have other numbers.
STATS = re.compile(r"[0-3] |[A-D] - (?:Size|Global|Defensive|Offensive)")
MOUNT = re.compile(r"^Mounts?\b")
WIZARDS = ("Wizard Apprentice", "Wizard Adept", "Wizard Master")
#: Rules that only wizards have.
MAGIC = ("Protean Magic", *WIZARDS)
PATH = re.compile(r"\b(Magic Path|Path of Magic)\b")
STANDARD_BEARER = "Battle Standard Bearer"
#: What the model becomes by an option, where a rule of the option says so.
BECOMES_WIZARD = re.compile(r"\b(gains|is a|becomes a)\b[^.]*\bWizard (Apprentice|Adept|Master)\b")
BECOMES_BEARER = re.compile(r"\bbecomes the Battle Standard Bearer\b")


@dataclass(frozen=True, eq=False)
class Body:
    """A unit of an army, asked what it is."""

    unit: Selection
    counting: Counting

    @cached_property
    def mount(self) -> Selection | None:
        """What it rides: taken from a group of mounts, or an option with a size of its own."""
        for one in self.unit.walk():
            if one is not self.unit and not is_model(one.place) and is_mount(one.place):
                fact = self.facts.get(one.place.id)
                if fact is None or fact.is_mount:
                    return one
        return None

    @cached_property
    def size(self) -> Profile | None:
        """Its row of Height and Type: the mount's, if it has one; None: the source has none."""
        if self.mount is not None:
            return size_of(self.mount.place)
        models = (one.place for one in self.unit.inner if is_model(one.place))
        found = (size_of(place) for place in (self.unit.place, *models))
        return next((size for size in found if size is not None), None)

    @cached_property
    def fact(self) -> Fact | None:
        """What another edition says of the mount, if it has one, else of the unit."""
        return self.facts.get((self.mount or self.unit).place.id)

    @property
    def facts(self) -> Mapping[str, Fact]:
        return self.counting.army.book.facts

    @property
    def height(self) -> str:
        return self._value("Height")

    @property
    def type(self) -> str:
        return self._value("Type")

    def _value(self, column: Literal["Height", "Type"]) -> str:
        """Its Height or Type, "" where nobody tells: of a mount also what all units say that ride
        it, or are called as it is.
        """
        told = "" if self.size is None else self.size.cells.get(column, "")
        told = told or _told(self.fact, column)
        if told or self.mount is None:
            return told
        riders = {_size_of_unit(unit, self.facts, column) for unit in self.riders}
        return riders.pop() if len(riders) == 1 else ""

    @cached_property
    def riders(self) -> tuple[Place, ...]:
        """The units of the book that ride its mount, or are called as it is."""
        name = self.mount.place.what.name.removeprefix("Mount: ") if self.mount else ""
        book = self.counting.army.book
        return tuple(
            unit for unit in book.units.values()
            if name in (unit.what.name, *_ridden(unit, self.facts))
        )  # fmt: skip

    def has_height(self, *heights: str) -> bool | None:
        return self.height in heights if self.height else None

    def has_type(self, type_: str) -> bool | None:
        return self.type == type_ if self.type else None

    @cached_property
    def heights(self) -> frozenset[int]:
        """The Heights that it may have where files number them: that in its mount's name. On foot
        it is smaller than all that it may ride, or of Height 1.
        """
        if self.mount is not None:
            told = number_of(self.mount.place)
            return frozenset({told}) if told else ALL_HEIGHTS
        numbers = [number_of(place) for place in self.unit.place.walk() if is_mount(place)]
        least = min(filter(None, numbers), default=6)
        return frozenset(range(1, max(2, least)))

    @property
    def on_foot(self) -> bool:
        """Whether it is on foot: no mount, and no part of it is Harnessed."""
        riding = self.type == "Cavalry"
        return self.mount is None and not riding and not self.has_rule("Harnessed")

    @property
    def towering(self) -> bool | None:
        if self.has_rule("Towering Presence") or self.has_height("Gigantic"):
            return True
        return False if self.known and self.height else None

    @property
    def wizard(self) -> bool:
        """Whether it is a wizard: of a type, or with a path of magic to choose from, or made one by
        what an option's own rule says.
        """
        if any(map(self.has_rule, MAGIC)) or any(map(BECOMES_WIZARD.search, self.texts)):
            return True
        return any(
            one.place.what.name in WIZARDS or any(PATH.search(g.name) for g in one.place.groups)
            for one in self.unit.walk()
        )

    @property
    def master(self) -> bool:
        return self.has_rule("Wizard Master") or self.has_taken("Wizard Master")

    def has_taken(self, name: str) -> bool:
        return any(one.place.what.name == name for one in self.unit.walk())

    @property
    def leads(self) -> bool:
        """Whether it is the General or the Battle Standard Bearer."""
        return self.has_taken(GENERAL) or self.has_taken(STANDARD_BEARER)

    @property
    def may_lead(self) -> bool | None:
        """Whether it is without Not a Leader. Where the source has no rules of it, what it offers
        tells: whoever can be marked as the General has not that rule.
        """
        if self.has_taken(STANDARD_BEARER) or any(map(BECOMES_BEARER.search, self.texts)):
            return False
        if any("loses Not a Leader" in text for text in self.texts):
            return True
        if self.has_rule("Not a Leader"):
            return False
        marks = (place for place in self.unit.place.walk() if place.what.name == GENERAL)
        return True if self.known or any(marks) else None

    @cached_property
    def known(self) -> bool:
        """Whether the source, or another edition, has a stat line of it, mount and all: of the
        mount by itself, or as a part of units that ride it.
        """
        mounted = self.mount is None or any(map(is_stat_line, profiles(self.mount.place)))
        return (mounted or self._is_fact(self.mount) or bool(self.riders)) and (
            has_stat_line(self.unit.place) or self._is_fact(self.unit)
        )

    def _is_fact(self, one: Selection | None) -> bool:
        fact = self.facts.get(one.place.id) if one is not None else None
        return fact is not None and fact.whole

    @cached_property
    def rules(self) -> frozenset[str]:
        """The names of its special rules, those of all that is taken on it among them."""
        return frozenset(self._rules())

    def _rules(self) -> Iterator[str]:
        for one in self.unit.walk():
            at = At(one, one.parent)
            if one in (self.unit, self.mount) and one.place.id in self.facts:
                yield from self.facts[one.place.id].rules
            for part in one.place.parts:
                for told in part.rules:
                    if not self.counting.flag(told.hidden, told.modifiers, at):
                        yield told.name
            for row in filter(is_stat_line, profiles(one.place)):
                yield from filter(None, row.cells.get("Rules", "").split(", "))

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """What the rules say that its options have of their own."""
        parts = (part for one in self.unit.walk() for part in one.place.parts)
        return tuple(told.text for part in parts for told in part.rules if told.text)

    def has_rule(self, name: str) -> bool:
        return name in self.rules


ALL_HEIGHTS = frozenset(range(1, 6))
NUMBER = re.compile(r"\(([1-5])\)$")


def number_of(mount: Place) -> int:
    """The Height in a mount's name; 0: none."""
    found = NUMBER.search(mount.what.name)
    return int(found.group(1)) if found else 0


def is_mount(place: Place) -> bool:
    named = any(MOUNT.match(name) for name in place.names)
    grouped = any(MOUNT.match(group.name) for group in place.groups)
    return named or grouped or (size_of(place) is not None and place.owner is not None)


def _told(fact: Fact | None, column: Literal["Height", "Type"]) -> str:
    if fact is None:
        return ""
    return fact.height if column == "Height" else fact.type


def _size_of_unit(unit: Place, facts: Mapping[str, Fact], column: Literal["Height", "Type"]) -> str:
    sizes = (row for row in rows_of(unit) if row.table == SIZE)
    told = next(filter(None, (row.cells.get(column, "") for row in sizes)), "")
    return told or _told(facts.get(unit.id), column)


def _ridden(unit: Place, facts: Mapping[str, Fact]) -> frozenset[str]:
    """The names of the Harnessed parts of a unit."""
    rows = (row for row in rows_of(unit) if "Harnessed" in row.cells.get("Rules", "").split(", "))
    fact = facts.get(unit.id)
    return frozenset(map(_part, rows)) | (fact.ridden if fact else frozenset())


def has_stat_line(unit: Place) -> bool:
    return any(rows_of(unit))


def rows_of(unit: Place) -> Iterator[Profile]:
    """The rows of statistics of a unit and its models."""
    models = (place for place in unit.inner if is_model(place))
    for place in (unit, *models):
        yield from filter(is_stat_line, profiles(place))


def names_of(unit: Place) -> tuple[str, ...]:
    """What a unit is called, and what its parts are called in its stat lines."""
    return tuple(dict.fromkeys((unit.name, *map(_part, rows_of(unit)))))


def _part(row: Profile) -> str:
    """What part of a model a row is of: "Shrine Priest" of the row "Shrine Priest Offensive" in the
    table "3 Offensive".
    """
    return row.name.removesuffix(row.table.partition(" ")[2]).strip()


def is_model(place: Place) -> bool:
    """Whether an entry is a unit's models: of that kind, or something it must have."""
    return place.what.type == "model" or bool(place.needs and not place.groups)


def is_stat_line(row: Profile) -> bool:
    """Whether a table row is one of statistics: items and weapons have rows, too."""
    return STATS.match(row.table) is not None


def profiles(place: Place) -> Iterator[Profile]:
    for part in place.parts:
        yield from part.profiles


def size_of(place: Place) -> Profile | None:
    """The row of Height and Type of an entry; None where it has none."""
    return next((row for row in profiles(place) if row.table == SIZE), None)


#: Does the model keep it: yes, no, or the source does not say.
Ask = Callable[[Body], bool | None]
#: What stands in brackets or behind a dash.
PHRASE = re.compile(r"\(([^()]*)\)| - (.*)$")
RESTRICTS = re.compile(r"\b(only|not|no|cannot|except|unless|without)\b", re.IGNORECASE)
#: What a group's name keeps out of it.
KEPT_OUT = re.compile(r"No (.+)")


class Restriction(NamedTuple):
    """A wording at an entry; `source` tells where it stands, `asks` are all to be kept, () where
    nobody knows how to read it.
    """

    wording: str
    source: Literal["name", "text"]
    asks: tuple[Ask, ...]


@dataclass(frozen=True)
class Wording:
    """A pattern that a whole phrase has, and what it asks, of the words in the pattern's groups."""

    pattern: re.Pattern[str]
    asks: Callable[[str], tuple[Ask, ...]]


#: What the body itself answers.
_standard, _gigantic = (methodcaller("has_height", height) for height in ("Standard", "Gigantic"))
_foot, _towering, _wizard, _master, _may_lead, _leads = map(
    attrgetter, ("on_foot", "towering", "wizard", "master", "may_lead", "leads")
)


def _horse(body: Body) -> bool | None:
    return body.mount is not None and body.mount.place.what.name.endswith("Horse")


def _not(ask: Ask) -> Ask:
    def turned(body: Body) -> bool | None:
        answer = ask(body)
        return None if answer is None else not answer

    return turned


def _number(words: str) -> Ask:
    """Has one of these Heights: "5", "1-3"."""
    first, _, last = words.partition("-")
    wanted = frozenset(range(int(first), int(last or first) + 1))

    def asked(body: Body) -> bool | None:
        if body.heights <= wanted:
            return True
        return None if body.heights & wanted else False

    return asked


def _open(body: Body) -> bool | None:
    """Something that no file explains: "exclusive"."""
    return None


def _ambush(body: Body) -> bool | None:
    """Taken as an option or a rule of its own. An Ambush with conditions is one, too."""
    taken = any(one.name.startswith("Ambush") for one in body.unit.walk())
    return True if taken or body.has_rule("Ambush") else (False if body.known else None)


def _with(name: str) -> Ask:
    """Has a rule, or has taken something, so called; nobody knows where rules are not told."""

    def asked(body: Body) -> bool | None:
        taken = any(one.name.startswith(name) for one in body.unit.walk())
        offered = any(place.name.startswith(name) for place in body.unit.place.walk())
        told = body.known or offered
        return True if taken or body.has_rule(name) else (False if told else None)

    return asked


def listed_in(names: str) -> list[str]:
    return re.split(r", and | and |, ", names.strip(" ."))


def _singular(name: str) -> str:
    return name.removesuffix("s").casefold()


@cache
def _unit_names(book: Book) -> frozenset[str]:
    """What the units of a book are called, and the parts of them that have a stat line."""
    return frozenset(_singular(name) for unit in book.units.values() for name in names_of(unit))


def _units(names: str) -> Ask:
    """Is one of these units. Where one of the names is no unit of the book, it may be another."""
    wanted = tuple(map(_singular, listed_in(names)))

    def asked(body: Body) -> bool | None:
        if "bsb" in wanted and body.has_taken(STANDARD_BEARER):
            return True
        if any(_singular(name).endswith(wanted) for name in names_of(body.unit.place)):
            return True
        units = _unit_names(body.counting.army.book)
        strange = any(not any(unit.endswith(one) for unit in units) for one in wanted)
        return None if strange and "bsb" not in wanted else False

    return asked


def _riding(names: str) -> Ask:
    """Rides one of these, by a word of their names."""
    words = names.split(", ")

    def asked(body: Body) -> bool | None:
        return body.mount is not None and any(w in body.mount.name.split() for w in words)

    return asked


def _core(body: Body) -> bool | None:
    ids = body.counting.categories[body.unit]
    return any(body.counting.army.book.name_of(id_).startswith("Core") for id_ in ids)


def _unarmed(body: Body) -> bool | None:
    return not any(
        "Weapon Enchantment" in group.name for one in body.unit.walk() for group in one.place.groups
    )


def _one(*asks: Ask) -> Callable[[str], tuple[Ask, ...]]:
    return lambda words: asks


def _wording(pattern: str, asks: Callable[[str], tuple[Ask, ...]]) -> Wording:
    return Wording(re.compile(pattern, re.IGNORECASE), asks)


WORDINGS: tuple[Wording, ...] = (
    _wording(r"only (?:on )?H?(\d(?:-\d)?)", lambda words: (_number(words),)),
    _wording(r"not (?:on )?(\d(?:-\d)?)", lambda words: (_not(_number(words)),)),
    _wording(
        r"not on (\d(?:-\d)?) or (?:Construct|exclusive)",
        lambda words: (_not(_number(words)), _open),
    ),
    _wording(r"not Fly, (\d)", lambda words: (_not(_number(words)), _open)),
    _wording(r"only on 1-3 or MonRev|IA, only on foot, 1-2|only on HW, PW", _one(_open)),
    _wording(r"only on Standard", _one(_standard)),
    _wording(r"Standard Sized? (?:Models )?only", _one(_standard)),
    _wording(r"only on Standard and Foot", _one(_standard, _foot)),
    _wording(
        r"only on Standard and Large", _one(lambda body: body.has_height("Standard", "Large"))
    ),
    _wording(
        r"Standard size infantry models on foot only",
        _one(_standard, lambda body: body.has_type("Infantry"), _foot),
    ),
    _wording(r"Standard size (\w+) only", lambda words: (_standard, _units(words))),
    _wording(r"(?:only on foot|(?:models )?on foot only)", _one(_foot)),
    _wording(r"Cavalry (?:models )?only", _one(lambda body: body.has_type("Cavalry"))),
    _wording(r"only on Horse", _one(_horse)),
    _wording(r"(.+) mounted on Horse only", lambda words: (_units(words), _horse)),
    _wording(r"(?:not on|cannot be taken by models with) Towering Presence", _one(_not(_towering))),
    _wording(r"Cannot be taken by Gigantic(?: models)?", _one(_not(_gigantic))),
    _wording(r"(?:only (?:on )?Wizards?|Wizards only)", _one(_wizard)),
    _wording(r"not on Wizards", _one(_not(_wizard))),
    _wording(r"not on Wizard Master", _one(_not(_master))),
    _wording(r"(?:not with|cannot be taken by models with) Not a Leader", _one(_may_lead)),
    _wording(r"(?:only on General/BSB|General/BSB only)", _one(_leads)),
    _wording(r"not on Ambush", _one(_not(_ambush))),
    _wording(r"cannot be taken by models with (.+)", lambda words: (_not(_with(words)),)),
    _wording(r"models with (.+) only", lambda words: (_with(words),)),
    _wording(r"not on (Horror, Dragon, Court|Throne)", lambda words: (_not(_riding(words)),)),
    _wording(
        r"(?:cannot be taken by (?:Core units|units that count toward Core)|not (?:on )?Core)",
        _one(_not(_core)),
    ),
    _wording(r"cannot be taken by (.+)", lambda words: (_not(_units(words)),)),
    # A group around it bears the same words: all whom the file offers it to keep it.
    _wording(r"Parent Units Only", _one(lambda body: True)),
    _wording(r"Triumvirat only", _one(_open)),
    _wording(r"only (Vassal)", lambda words: (lambda body: words in body.unit.place.name,)),
    _wording(r"General Only", _one(lambda body: body.has_taken(GENERAL))),
    _wording(r"The bearer cannot take Weapon Enchantments", _one(_unarmed)),
    _wording(r"only (BSB, .+)", lambda words: (_units(words),)),
)
#: Names of units; what else ends so in a text ("One use only") speaks of something else.
UNITS_ONLY = _wording(r"(.+) only", lambda words: (_units(words),))


class Words:
    """The restrictions in words of one book, worked out once for each place."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.units = _unit_names(book)
        self._known: dict[Place, tuple[Restriction, ...]] = {}

    def of(self, place: Place) -> tuple[Restriction, ...]:
        """The restrictions in the names and the texts of an entry; what stands in both is the
        name's.
        """
        if place not in self._known:
            self._known[place] = () if place.is_group else tuple(self._read(place))
        return self._known[place]

    def _read(self, place: Place) -> Iterator[Restriction]:
        # Its own name last: what that says too is no stale word of a link.
        named = {phrase: name for name in reversed(place.names) for phrase in _phrases(name)}
        for phrase, name in named.items():
            asks = _asks(phrase, WORDINGS) or _asks_units(phrase)
            stale = _bare(name) != _bare(place.what.name)
            if stale and self._is_anothers(place, phrase):
                continue
            yield Restriction(phrase, "name", tuple(map(_perhaps, asks)) if stale else asks)
        for group in place.groups:
            for phrase in _phrases(group.name):
                if (found := KEPT_OUT.fullmatch(phrase)) and found.group(1) in place.names:
                    yield Restriction(phrase, "name", (lambda body: False,))
        if not named:
            for sentence in dict.fromkeys(_sentences(place)):
                if asks := _asks(sentence, WORDINGS) or self._of_units(sentence):
                    yield Restriction(sentence, "text", asks)

    def _is_anothers(self, place: Place, phrase: str) -> bool:
        """Whether a phrase of a name that is another item's is for units of the book of which none
        is offered the item.
        """
        found = UNITS_ONLY.pattern.fullmatch(phrase)
        wanted = tuple(map(_singular, listed_in(found.group(1)))) if found else ()
        offered = (
            unit for unit in self.book.units.values()
            if any(one.what is place.what for one in unit.walk())
        )  # fmt: skip
        names = {_singular(name) for unit in offered for name in names_of(unit)}
        is_known = any(unit.endswith(wanted) for unit in self.units)
        return is_known and not any(name.endswith(wanted) for name in names)

    def _of_units(self, sentence: str) -> tuple[Ask, ...]:
        """What a sentence asks that names units of the book."""
        found = UNITS_ONLY.pattern.fullmatch(sentence)
        if not found:
            return ()
        names = map(_singular, listed_in(found.group(1)))
        known = any(unit.endswith(name) for name in names for unit in self.units)
        return _asks_units(sentence) if known else ()


@cache
def words_of(book: Book) -> Words:
    return Words(book)


def _asks(phrase: str, wordings: tuple[Wording, ...]) -> tuple[Ask, ...]:
    """What a phrase asks; () where nobody knows."""
    for wording in wordings:
        found = wording.pattern.fullmatch(phrase.strip(" ."))
        if found:
            return wording.asks(found.group(1) if found.groups() else "")
    return ()


def _asks_units(phrase: str) -> tuple[Ask, ...]:
    return _asks(phrase, (UNITS_ONLY,))


def _phrases(name: str) -> Iterator[str]:
    for brackets, dash in PHRASE.findall(name):
        phrase = (brackets or dash).removesuffix(" - Dominant")
        if RESTRICTS.search(phrase):
            yield phrase


def _bare(name: str) -> str:
    """A name without what stands behind it in brackets or dashes, and without the mark of
    Dominant items.
    """
    return PHRASE.sub("", name.removesuffix(" - Dominant")).strip("° ").casefold()


def _perhaps(ask: Ask) -> Ask:
    """The restriction of a link that is called otherwise than the item it leads to: perhaps that of
    another item, which stood there before.
    """
    return lambda body: True if ask(body) else None


def _sentences(place: Place) -> Iterator[str]:
    """What an entry's own text says: that of the item, and of the rule that it brings."""
    texts = [text for row in profiles(place) if row.table == ITEM for text in row.cells.values()]
    texts += [told.text for part in place.parts for told in part.rules]
    for text in texts:
        yield from (one.strip(" .") for one in re.split(r"(?<=\.)\s", text) if one)


def word_faults(counting: Counting) -> Iterator[Fault]:
    """Restrictions in words that an army breaks, or of which the source does not tell."""
    words = words_of(counting.army.book)
    for number, unit in enumerate(counting.army.units):
        body = Body(unit, counting)
        for one in unit.walk():
            for restriction in words.of(one.place):
                answers = [ask(body) for ask in restriction.asks] or [None]
                if all(answers):
                    continue
                yield Fault(
                    "named", one.name, around(one.place), number,
                    members=() if body.mount is None else (body.mount.place.id,),
                    wording=restriction.wording,
                    source=restriction.source,
                    answer="broken" if False in answers else "cannot be told",
                )  # fmt: skip
