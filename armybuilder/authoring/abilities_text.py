"""Abilities as a card prints them, read and written: "Commander 4, Fight +2 (undead); Rage +1"."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.authoring.fields import Entry, Wrong, read_each
from armybuilder.authoring.wording import (
    INCHES,
    BookNames,
    at_most,
    check_formula,
    lasting_slug,
    listed,
    one_line,
    short,
)
from armybuilder.engine.abilities import RATING_FORMS
from armybuilder.engine.catalogue import System
from armybuilder.languages import Typed, typed, typed_pattern
from armybuilder.loading.systems import read_ability

MOST_ABILITIES = 60
LONGEST_NAME = 80
LONGEST_TARGET = 60
MOST_USES = 20
HIGHEST_RATING = 999
#: Unknown names that may be mistyped ones, looked up for one form or table: a table of more names
#: of its own is not meant to hold the game's.
MOST_GUESSED = 500

_USED = Typed("typed", "uses|use")
_DC = Typed("typed", "dc")
_LEVEL = Typed("typed", "level|lvl")
_BRACKETS = re.compile(r"(?P<name>.*?[^\s(])\s*\((?P<target>.+)\)$")
_COLON = re.compile(r"(?P<name>[^:(]*[^:(\s])\s*:\s*(?P<target>.+)$")


@cache
def _rating() -> re.Pattern[str]:
    words, inches = typed_pattern(_DC, _LEVEL), typed_pattern(INCHES)
    return re.compile(
        rf"(?P<name>.*?[^\s+×−?-])"
        rf"(?:\s+(?P<mark>[x×*+−-]|{words})?\s*|\s*(?P<sign>[+×−])\s*|(?=\?))"
        rf"(?P<number>\d{{1,9}}|\?)\s*(?P<after>\+|[\"″”]|''|’’|{inches})?$",
        re.I,
    )


@cache
def _styles() -> Mapping[str, str]:
    return {
        **dict.fromkeys(("+", "-", "−"), "plus"),
        **dict.fromkeys(("x", "×", "*"), "times"),
        **dict.fromkeys(typed(_DC), "dc"),
        **dict.fromkeys(typed(_LEVEL), "level"),
    }


@dataclass(frozen=True, slots=True)
class Known:
    """An ability that a card can name; `own`: it is the book's, and its style may still change."""

    id: str
    name: str
    rating: str = "none"
    rating_optional: bool = False
    target: str = ""
    target_optional: bool = False
    own: Mapping[str, Any] | None = None


#: Keys of an ability of a game, or of a book's entry.
_KEYS = ("id", "name", "rating", "rating_optional", "target", "target_optional")


@dataclass(frozen=True, slots=True)
class Written:
    """One way to take an entry apart. `style` is how the rating is written, "" where none is."""

    name: str
    rating: int | None = None
    style: str = ""
    target: str = ""


class Abilities:
    """The abilities that cards of a book can have: those of the system, and the book's own."""

    def __init__(self, system: System, own: tuple[Entry, ...]) -> None:
        self.system = system
        self._of_system = _system_names(system)
        known = [_own(entry) for entry in own]
        self._own = BookNames((ability.id, ability.name, ability) for ability in known)
        self._by_id = {**_by_id(system), **{ability.id: ability for ability in known}}
        self._guessed: set[str] = set()

    def read(self, text: str, own: dict[str, dict[str, Any]]) -> list[str | dict[str, Any]]:
        """Read a card's abilities; `own` gets those that the book must define. Raises Wrong."""
        uses: list[str | dict[str, Any]] = []
        entries = listed(text)
        at_most(len(entries), MOST_ABILITIES, _("{number} abilities; the maximum is {most}."))

        def read(entry: str) -> None:
            use, known = self._use(one_line(entry, 200), own)
            if use in uses and not known.target:
                raise Wrong(_("{name} appears twice; remove one.").format(name=known.name))
            uses.append(use)

        read_each(entries, read)
        return uses

    def text(self, entries: list[str | Mapping[str, Any]]) -> str:
        """Return the abilities of a unit as its card prints them."""
        return ", ".join(map(self._text, entries))

    def _text(self, entry: str | Mapping[str, Any]) -> str:
        """Return one ability; by its id, if its printed form would be read as something else."""
        use = read_ability(entry)
        known = self._by_id.get(use["ability"], Known(use["ability"], use["ability"]))
        printed = _label(known, use)
        try:
            again = self._use(printed, {})[0] if len(listed(printed)) == 1 else None
        except Wrong:
            again = None
        same = again is not None and read_ability(again) == use
        return printed if same else _label(replace(known, name=known.id), use)

    def _use(
        self, entry: str, own: dict[str, dict[str, Any]]
    ) -> tuple[str | dict[str, Any], Known]:
        check_formula(entry, entry.startswith("="))
        kept = entry.startswith("!")
        entry, uses = entry.removeprefix("!").strip(), 0
        # Boxes behind the name: "Smite +2 [3]", "Smite +2 □□□".
        boxes = rf"\[\s*(?P<number>\d{{1,3}})\s*(?:{typed_pattern(_USED)}|×|x)?\s*\]"
        if match := re.search(rf"\s*(?:{boxes}|(?P<boxes>[□☐▢]{{1,40}}))$", entry, re.I):
            uses = int(match["number"]) if match["number"] else len(match["boxes"])
            if not 1 <= uses <= MOST_USES:
                message = _("“{entry}”: an ability has 1 to {most} boxes.")
                raise Wrong(message.format(entry=short(entry), most=MOST_USES))
            entry = entry[: match.start()].strip()
        ways = list(_ways(entry)) or [Written(entry)]
        for way in ways:
            known = self._find(way.name, own)
            if known is not None:
                break
        else:
            way = ways[-1]
            known = self._free(way, () if kept else {way.name for way in ways})
        if known.own is None:
            _check_rating(known, way)
        else:
            known = self._fitting(known, way, own)
        return _written(known, way, uses), known

    def _find(self, name: str, own: Mapping[str, Mapping[str, Any]]) -> Known | None:
        known = self._of_system.get(name) or self._own.get(name)
        if known is None and (made := own.get(lasting_slug(name))) is not None:
            return _own(made)
        return _own(own[known.id]) if known and known.own is not None and known.id in own else known

    def _free(self, way: Written, names: set[str] | tuple[str, ...]) -> Known:
        """Return an ability that is unknown yet, unless it looks like a mistyped one."""
        for name in sorted(names):
            # The ability that was probably meant; none after many names.
            if len(self._guessed) >= MOST_GUESSED and name not in self._guessed:
                continue
            self._guessed.add(name)
            if near := self._of_system.near(name) or self._own.near(name):
                message = _(
                    "“{name}” is unknown. Did you mean {near}? Write “!{name}” to keep it as it is."
                )
                raise Wrong(message.format(name=short(name), near=near))
        if not any(map(str.isalpha, way.name)):
            message = _("“{name}” has no letters; write the name of an ability.")
            raise Wrong(message.format(name=short(way.name)))
        if len(way.name) > LONGEST_NAME:
            message = _(
                "“{name}” is too long for an ability; maximum {most} characters. Separate "
                "several with commas."
            )
            raise Wrong(message.format(name=short(way.name), most=LONGEST_NAME))
        ability_id = lasting_slug(way.name)
        if ability_id in self._by_id:
            message = _("“{name}” is too similar to {other}.")
            raise Wrong(message.format(name=short(way.name), other=self._by_id[ability_id].name))
        return Known(ability_id, way.name, own={"id": ability_id, "name": way.name})

    def _fitting(self, known: Known, way: Written, own: dict[str, dict[str, Any]]) -> Known:
        """Return an ability of the book's own, changed where it could not be written this way."""
        if way.rating is not None and abs(way.rating) > HIGHEST_RATING:
            told = _("{name}: write a number up to {most}.")
            raise Wrong(told.format(name=known.name, most=HIGHEST_RATING))
        before = dict(known.own or {})
        below_zero = way.rating is not None and way.rating < 0
        if known.id in self._by_id or known.id in own:
            wider = widened(before, way.style, below_zero)
        else:
            wider = {**before, "rating": way.style} if way.style else dict(before)
        if known.target and not known.target_optional and not way.target:
            wider["target_optional"] = True
        if wider != before or known.id not in self._by_id:
            own[known.id] = wider
        return _own(wider)


@lru_cache(maxsize=64)
def _system_names(system: System) -> BookNames[Known]:
    every = ((known.id, known.name, known) for known in _by_id(system).values())
    return BookNames(every, lasting=True)


@lru_cache(maxsize=64)
def _by_id(system: System) -> dict[str, Known]:
    return {
        ability.id: Known(**{key: getattr(ability, key) for key in _KEYS})
        for ability in system.abilities.values()
    }


def _own(entry: Entry) -> Known:
    return Known(**{key: entry[key] for key in _KEYS if key in entry}, own=entry)


def _ways(entry: str) -> Iterator[Written]:
    """Yield the ways to take an entry apart, whole first. The last counts where none is known."""
    yield from _plain(entry, "")
    for pattern in (_BRACKETS, _COLON):
        match = pattern.match(entry)
        if match:
            yield from _plain(match["name"], match["target"])
    for way in _rated(entry, ""):
        match = _BRACKETS.match(way.name)
        if match:
            yield replace(way, name=match["name"], target=match["target"])


def _plain(text: str, target: str) -> Iterator[Written]:
    """Yield the text as a name, and with a rating. A question mark isn't part of a name."""
    if "?" not in text:
        yield Written(text, target=target)
    yield from _rated(text, target)


def _rated(text: str, target: str) -> Iterator[Written]:
    match = _rating().match(text)
    if match is None:
        return
    mark = (match["mark"] or match["sign"] or "").casefold()
    number = None if match["number"] == "?" else int(match["number"])
    if number is not None and mark in ("-", "−"):
        number = -number
    style = _styles().get(mark, "number")
    if match["after"]:
        style = "roll" if match["after"] == "+" else "inches"
    yield Written(match["name"], number, style, target)


def _check_rating(known: Known, way: Written) -> None:
    name = known.name
    if known.rating == "none" and way.style:
        raise Wrong(_("{name} has no number; write “{name}”.").format(name=name))
    if known.rating != "none" and not way.style and not known.rating_optional:
        shown = _label(known, {"rating": 2, "target": way.target})
        unknown = _label(known, {"rating": None, "target": way.target})
        message = _("{name} needs a number: write “{shown}”, or “{unknown}” if it is unknown.")
        raise Wrong(message.format(name=name, shown=shown, unknown=unknown))
    if known.target and not known.target_optional and not way.target:
        use: dict[str, Any] = {"rating": way.rating} if way.style else {}
        shown = _label(known, {**use, "target": known.target})
        message = _("{name} must say which {target}: write “{shown}”.")
        raise Wrong(message.format(name=name, target=known.target, shown=shown))
    lowest = -HIGHEST_RATING if known.rating == "plus" else 0
    if way.rating is not None and not lowest <= way.rating <= HIGHEST_RATING:
        message = _("{name}: write a number from {low} to {high}.")
        raise Wrong(message.format(name=name, low=lowest, high=HIGHEST_RATING))


def widened(entry: Entry, style: str, below_zero: bool = False) -> dict[str, Any]:
    """Return an own ability that can be written in the style too ("" without a rating)."""
    wider = dict(entry)
    before = wider.get("rating", "none")
    if style and before == "none":
        wider |= {"rating": style, "rating_optional": True}
    elif not style and before != "none":
        wider["rating_optional"] = True
    if below_zero:
        wider["rating"] = "plus"
    return wider


def _written(known: Known, way: Written, uses: int) -> str | dict[str, Any]:
    """Return the ability as a unit holds it: the short form, or the long one where it has boxes."""
    if len(way.target) > LONGEST_TARGET:
        told = _("{name}: “{target}” is too long; maximum {most} characters.")
        raise Wrong(told.format(name=known.name, target=short(way.target, 30), most=LONGEST_TARGET))
    if uses or "_" in known.id:
        use: dict[str, Any] = {"ability": known.id}
        if way.style:
            use["rating"] = way.rating
        if way.target:
            use["target"] = way.target
        return {**use, "uses": uses} if uses else use
    rating = "" if not way.style else " ?" if way.rating is None else f" {way.rating}"
    return f"{known.id}{rating}{f': {way.target}' if way.target else ''}"


def _label(known: Known, use: Mapping[str, Any]) -> str:
    form = RATING_FORMS[known.rating] if "rating" in use else "{name}"
    rating = use.get("rating")
    shown = "?" if rating is None else f"{rating:+d}" if known.rating == "plus" else str(rating)
    if rating is None and known.rating == "plus":
        shown = "+?"
    label = form.format(name=known.name, rating=shown)
    if use.get("target"):
        label += f" ({use['target']})"
    return f"{label} [{use['uses']}]" if use.get("uses") else label
