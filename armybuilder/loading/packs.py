"""Event packs: rules of an event besides those of the game, from JSON.

A catalogue `at_event` has the game's rules as the event plays them, and the event's own; everything
that checks, offers or repairs lists by a catalogue obeys the event with it. The game's own verdict
is that of the catalogue without the pack: the two are never mixed.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import Citation, Origin
from armybuilder.engine.event_report import Score
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.engine.rules import Rule
from armybuilder.engine.teams import Team, read_team_rule
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Attribute
from armybuilder.engine.weights import read_weights
from armybuilder.engine.wording import marked, say
from armybuilder.loading.books import revision_of
from armybuilder.loading.open_facts import SET, SET_KINDS, Readings, names_set, rules_of
from armybuilder.loading.problems import Problem, pointer
from armybuilder.loading.references import (
    Complaint,
    Names,
    citation_complaints,
    complaint,
    found_at,
    numbers_of,
    text_complaints,
)
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import read_head, summary_of
from armybuilder.loading.values import Cite, Values, read_citation

Data = Mapping[str, Any]
#: Rules of events come after those of the game.
AFTER = 10_000


@dataclass(frozen=True, slots=True)
class Lifted:
    """A rule, by its id, that does not hold at an event, and where the pack says so.

    `books`: only for lists of these.
    """

    rule: str
    citation: Citation
    replaced: bool
    books: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Pack:
    """An event pack; `revision` is the hash of its content."""

    id: str
    name: str
    about: str
    system: str
    revision: str
    data: Data = field(repr=False)

    def cite(self, cite: Cite) -> Citation:
        """Return a citation of the pack."""
        return read_citation(self.data["sources"], cite)

    @cached_property
    def lifted(self) -> tuple[Lifted, ...]:
        """The rules that do not hold, or that another takes the place of."""
        return tuple(
            Lifted(one["rule"], self.cite(cite), "by" in one, tuple(part.get("books", ())))
            for _path, part in _parts(self.data)
            for key in ("lift", "replace")
            for one in part.get(key, ())
            for cite in [one["by"]["cite"] if "by" in one else one["cite"]]
        )

    @cached_property
    def resolved(self) -> Data:
        """The pack's document, with classes and the numbers of restrictions written out."""
        classes = {one["id"]: one["of"] for one in self.data.get("classes", ())}
        resolved: Data = _resolved(self.data, classes)
        return resolved

    def text_of(self, text: Data) -> str:
        """Return a text for players; a rule's id in braces is the number of that rule."""
        said: str = text["text"]
        return say(said, **_numbers(self.data)) if "{" in said else say(said)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The game sizes that it is for, in points; none where it does not say."""
        sizes = (rule["sizes"] for rule in self.data["rules"] if rule["kind"] == "game-size")
        return tuple(next(sizes, ()))

    @property
    def lists(self) -> int:
        """Number of lists that a player submits."""
        lists: int = self.data.get("entry", {}).get("lists", 1)
        return lists

    @property
    def roles(self) -> Mapping[str, str]:
        """The roles of players in a team, one each, by their keys; none for most packs."""
        roles: Mapping[str, str] = self.data.get("entry", {}).get("roles", {})
        return roles

    @property
    def list_sizes(self) -> tuple[int, ...]:
        """The size of each of these lists in points, in their order; none where all are alike."""
        return tuple(self.data.get("entry", {}).get("sizes", ()))


@lru_cache(maxsize=256)
def pack_for(pack: Pack, number: int) -> Pack:
    """Return the pack of list `number` (from 1) where each that a player hands in has its own size.

    The pack itself where all lists are alike.
    """
    if not 1 <= number <= len(pack.list_sizes):
        return pack
    rules = list(pack.data["rules"])
    place = next(place for place, rule in enumerate(rules) if rule["kind"] == "game-size")
    rules[place] = {**rules[place], "sizes": [pack.list_sizes[number - 1]]}
    entry = {key: value for key, value in pack.data["entry"].items() if key != "sizes"}
    named = {"id": f"{pack.id}-{number}", "name": f"{pack.name} ({number})"}
    data = {**pack.data, **named, "rules": rules, "entry": {**entry, "lists": 1}}
    return replace(pack, **named, revision=revision_of(data), data=data)


def pack_of_size(pack: Pack, size: int) -> Pack:
    """Return the same by the size of a list in points; where no list has it, the pack itself."""
    sizes = pack.list_sizes
    return pack_for(pack, sizes.index(size) + 1) if size in sizes else pack


def build_pack(
    data: Any, systems: Mapping[str, System], file: str
) -> tuple[Pack | None, list[Problem]]:
    """Return the pack, or None and all its mistakes."""
    problems = schema_problems("pack", data, file)
    if not problems:
        problems = [Problem(file, *one) for one in _complaints(data, systems)]
    if problems:
        return None, problems
    revision = revision_of(data)
    pack = Pack(data["id"], data["name"], data["about"], data["system"], revision, data)
    return pack, []


def _complaints(data: Data, systems: Mapping[str, System]) -> Iterator[Complaint]:
    system = systems.get(data["system"])
    if system is None:
        message = marked("There is no game system “{system}” here.")
        yield complaint(("system",), message, system=data["system"])
        return
    yield from citation_complaints(dict(data), (), data["sources"])
    seen = {rule.head.id for rule in system.rules}
    yield from _lift_complaints(data, seen)
    names = Names.of_system(system)
    classes = data.get("classes", ())
    certain = _with_classes(names, [one for one in classes if not names_set(one)])
    names = _with_classes(names, classes, SET)
    for number, one in enumerate(classes):
        yield from names.check({"of": {"any": one["of"]}}, ("classes", number))
    for path, rule in _all_rules(data, ()):
        if rule["id"] in seen:
            message, advice = marked(("The id “{id}” is taken.", "Give it another."))
            yield complaint((*path, "id"), message, advice, id=rule["id"])
        seen.add(rule["id"])
        yield from (names if rule["kind"] in SET_KINDS else certain).check(rule, path)
        if rule["kind"] == "some-of" and rule["least"] > (number := len(rule["among"])):
            message, advice = marked(("Only {number} are listed.", "Ask for fewer, or add some."))
            yield complaint((*path, "least"), message, advice, number=number)
    for place in ("scores/*", "team/rules/*"):
        for path, entry in found_at(data, place):
            yield from certain.check(entry, path)
    for path, text in found_at(data, "texts/*/text"):
        yield from text_complaints(text, _numbers(data), path)
    yield from _size_complaints(data)


def _with_classes(names: Names, classes: Iterable[Data], *more: str) -> Names:
    """Return the names of a game with those of classes, and more kinds of tags."""
    values = {one["id"]: one["name"] for one in classes}
    attributes = {**names.attributes, "class": Attribute("class", "class", values)}
    return replace(names, attributes=attributes, asked={*names.asked, *more})


#: Beginnings of the ids of rules that books bring.
_OF_BOOKS = ("category-", "must-", "unchecked")


def _lift_complaints(data: Data, game: Collection[str]) -> Iterator[Complaint]:
    """Yield lifted rules that don't exist. For some books a pack may lift its own rules, too."""
    own = {rule["id"] for rule in data["rules"]}
    for path, part in _parts(data):
        known = {*game, *(own if path else ())}
        for place in ("lift/*/rule", "replace/*/rule"):
            for where, rule in found_at(part, place):
                if rule not in known and not rule.startswith(_OF_BOOKS):
                    message = marked("The game has no rule “{rule}”.")
                    yield complaint((*path, *where), message, rule=rule)


def _size_complaints(data: Data) -> Iterator[Complaint]:
    """Yield faults in the sizes of a player's lists, if each list has its own."""
    entry, path = data.get("entry", {}), ("entry", "sizes")
    if "sizes" not in entry:
        return
    number, lists = len(entry["sizes"]), entry.get("lists", 1)
    if number != lists:
        message = marked("There are {number} sizes for {lists} lists.")
        yield complaint(path, message, "Give one for each list.", number=number, lists=lists)
    rule = next((one for one in data["rules"] if one["kind"] == "game-size"), None)
    if rule is None or not set(entry["sizes"]) <= set(rule["sizes"]):
        message = marked("No rule in the pack allows these sizes.")
        yield complaint(path, message, "Add a “game-size” rule with all of them.")


Path = tuple[object, ...]


def _parts(data: Data, books: Collection[str] = ()) -> Iterator[tuple[Path, Data]]:
    """Yield the pack itself, and its parts for some books: for these, or for any."""
    yield (), data
    for number, part in enumerate(data.get("book_rules", ())):
        if not books or not set(books).isdisjoint(part["books"]):
            yield ("book_rules", number), part


def _all_rules(data: Data, books: Collection[str] = ()) -> Iterator[tuple[Path, Data]]:
    for path, part in _parts(data, books):
        for number, rule in enumerate(part.get("rules", ())):
            yield (*path, "rules", number), rule
        for number, one in enumerate(part.get("replace", ())):
            yield (*path, "replace", number, "by"), one["by"]


def _numbers(data: Data) -> dict[str, str]:
    """Return the number of each rule by its id."""
    rules = [rule for _path, rule in _all_rules(data, ())] + data.get("team", {}).get("rules", [])
    numbers = ((rule["id"], numbers_of(rule).get("number")) for rule in rules)
    return {rule: number for rule, number in numbers if number}


def _resolved(value: Any, classes: Mapping[str, Any]) -> Any:
    """Return selectors with their classes written out, and restrictions with their numbers."""
    if isinstance(value, list):
        return [_resolved(one, classes) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: _resolved(one, classes) for key, one in value.items() if key != "class"}
    if "counts" in made and "name" in made and "{" in made["name"]:
        made["name"] = made["name"].format(**numbers_of(made))
    if "class" not in value:
        return made
    wanted = value["class"]
    meant = [one for each in ([wanted] if isinstance(wanted, str) else wanted)
             for one in classes[each]]  # fmt: skip
    return {"all": [{"any": meant}, made]} if made else {"any": meant}


class EventRules(NamedTuple):
    """Rules for lists at an event, its scores, and its demands on a team."""

    catalogue: Catalogue
    scores: tuple[Score, ...]
    team: Team | None


def at_event(catalogue: Catalogue, pack: Pack) -> Catalogue:
    """Return the catalogue by which lists are judged at an event, the same for the same two.

    It has the game's rules but for those that the pack lifts, and the pack's.
    """
    return event_of(catalogue, pack).catalogue


@lru_cache(maxsize=64)
def event_of(catalogue: Catalogue, pack: Pack) -> EventRules:
    """Return the catalogue with the pack's rules, and the event's scoring and team rules."""
    system = catalogue.system.apart()
    index = system.selector_index
    books = {book.id for book in catalogue.books}
    gone = {one.rule for one in pack.lifted if not one.books or not books.isdisjoint(one.books)}
    kept = tuple(rule for rule in system.rules if gone.isdisjoint((rule.head.id, rule.head.parent)))
    values = Values(pack.data["sources"])
    own: list[Rule] = []
    for number, (path, data) in enumerate(_all_rules(pack.resolved, books)):
        if data["id"] in gone:
            continue
        place = f"/pack{pointer(path)}"
        head = read_head(values, data, place, AFTER + number, origin=Origin.EVENT)
        kind = rule_kinds()[data["kind"]]
        if (readings := Readings.of(data, system)) is not None:
            own += rules_of(readings, kind, head, system)
        else:
            own.append(kind.read(head, data, index).drawing_on(catalogue.books))
    # Caches by a game's revision don't apply to the game with an event's rules.
    revision = f"{system.revision}+{pack.revision}"
    system = replace(system, rules=(*kept, *own), revision=revision)
    scores = []
    for score in pack.resolved.get("scores", ()):
        weights, whole = read_weights(score["counts"], index)
        scores.append(values.make(Score, score, weights=weights, whole=whole))
    team = pack.resolved.get("team")
    if team is not None:
        rules = (
            read_team_rule(rule, pack.cite(rule["cite"]), summary_of(rule), index)
            for rule in team["rules"]
        )
        team = Team(team["lists"], tuple(rules))
    units = {ref: _at_event(unit, gone, own) for ref, unit in catalogue.units.items()}
    made = Catalogue(system, catalogue.books, units, catalogue.abilities)
    return EventRules(made, tuple(scores), team)


def _at_event(unit: Unit, gone: Collection[str], own: Iterable[Rule]) -> Unit:
    """Return the unit without faults that no longer count, and with those that the event finds."""
    kept = tuple(fault for fault in unit.faults if fault.head.id not in gone)
    found = tuple(fault for rule in own for fault in rule.faults(unit))
    return unit if kept == unit.faults and not found else replace(unit, faults=(*kept, *found))
