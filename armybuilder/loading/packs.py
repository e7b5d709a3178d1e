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
from armybuilder.engine.weights import read_weights
from armybuilder.engine.wording import marked
from armybuilder.loading.books import revision_of
from armybuilder.loading.problems import Problem, pointer
from armybuilder.loading.references import Complaint, Names, citation_complaints, complaint
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import read_citation, read_head

Data = Mapping[str, Any]
#: Rules of events come after those of the game.
AFTER = 10_000


@dataclass(frozen=True, slots=True)
class Lifted:
    """A rule of the game, by its id, that does not hold at an event, and where the pack says so."""

    rule: str
    citation: Citation
    replaced: bool


@dataclass(frozen=True, eq=False)
class Pack:
    """An event pack; `revision` is the hash of its content."""

    id: str
    name: str
    about: str
    system: str
    revision: str
    data: Data = field(repr=False)

    def cite(self, cite: str | Mapping[str, str]) -> Citation:
        """Return a citation of the pack."""
        return read_citation(cite, self.data["sources"])

    @cached_property
    def lifted(self) -> tuple[Lifted, ...]:
        """The rules of the game that do not hold, or that another takes the place of."""
        lifted, replaced = self.data.get("lift", ()), self.data.get("replace", ())
        return (
            *(Lifted(one["rule"], self.cite(one["cite"]), False) for one in lifted),
            *(Lifted(one["rule"], self.cite(one["by"]["cite"]), True) for one in replaced),
        )

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
        yield complaint(("system",), message, "Fix the spelling.", system=data["system"])
        return
    yield from citation_complaints(dict(data), (), data["sources"])
    seen = {rule.head.id for rule in system.rules}
    for part in ("lift", "replace"):
        for number, one in enumerate(data.get(part, ())):
            if one["rule"] not in seen:
                message, where = marked("The game has no rule “{rule}”."), (part, number, "rule")
                yield complaint(where, message, "Fix the spelling.", rule=one["rule"])
    names = Names.of_system(system)
    for path, rule in _all_rules(data, ()):
        if rule["id"] in seen:
            message, advice = marked(("The id “{id}” is taken.", "Give it another."))
            yield complaint((*path, "id"), message, advice, id=rule["id"])
        seen.add(rule["id"])
        yield from names.check(rule, path)
        if rule["kind"] == "some-of" and rule["least"] > (number := len(rule["among"])):
            message, advice = marked(("Only {number} are listed.", "Ask for fewer, or add some."))
            yield complaint((*path, "least"), message, advice, number=number)
    for number, score in enumerate(data.get("scores", ())):
        yield from names.check(score, ("scores", number))
    for number, rule in enumerate(data.get("team", {}).get("rules", ())):
        yield from names.check(rule, ("team", "rules", number))
    yield from _size_complaints(data)


def _size_complaints(data: Data) -> Iterator[Complaint]:
    """Yield what is wrong with the sizes that a player's lists have, each its own."""
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


def _all_rules(data: Data, books: Collection[str]) -> Iterator[tuple[tuple[object, ...], Data]]:
    for number, rule in enumerate(data["rules"]):
        yield ("rules", number), rule
    for number, one in enumerate(data.get("replace", ())):
        yield ("replace", number, "by"), one["by"]
    for number, part in enumerate(data.get("book_rules", ())):
        if not books or not set(books).isdisjoint(part["books"]):
            for place, rule in enumerate(part["rules"]):
                yield ("book_rules", number, "rules", place), rule


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
    """Return the same, with what the event scores and asks of teams."""
    system = catalogue.system.apart()
    index = system.selector_index
    gone = {lifted.rule for lifted in pack.lifted}
    kept = tuple(rule for rule in system.rules if rule.head.id not in gone)
    books = [book.id for book in catalogue.books]
    own = []
    for number, (path, data) in enumerate(_all_rules(pack.data, books)):
        place = f"/pack{pointer(path)}"
        head = read_head(data, place, AFTER + number, pack.cite, {}, Origin.EVENT)
        own.append(rule_kinds()[data["kind"]].read(head, data, index).drawing_on(catalogue.books))
    # What is kept of a game by its revision is not that of the game as an event plays it.
    revision = f"{system.revision}+{pack.revision}"
    system = replace(system, rules=(*kept, *own), revision=revision)
    scores = []
    for score in pack.data.get("scores", ()):
        weights, whole = read_weights(score["counts"], index)
        about = score["id"], score["name"], pack.cite(score["cite"])
        scores.append(Score(*about, weights, whole, score["points"], score.get("from", 0)))
    team = pack.data.get("team")
    if team is not None:
        rules = (read_team_rule(rule, pack.cite(rule["cite"]), index) for rule in team["rules"])
        team = Team(team["lists"], tuple(rules))
    units = {ref: _at_event(unit, gone, own) for ref, unit in catalogue.units.items()}
    made = Catalogue(system, catalogue.books, units, catalogue.abilities)
    return EventRules(made, tuple(scores), team)


def _at_event(unit: Unit, gone: Collection[str], own: Iterable[Rule]) -> Unit:
    """Return the unit without faults that no longer count, and with those that the event finds."""
    kept = tuple(fault for fault in unit.faults if fault.head.id not in gone)
    found = tuple(fault for rule in own for fault in rule.faults(unit))
    return unit if kept == unit.faults and not found else replace(unit, faults=(*kept, *found))
