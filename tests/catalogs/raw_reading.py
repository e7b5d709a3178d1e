"""What of a list its books leave open, read from their JSON by other means than the engine's.

It shares no code with what makes a report: it looks up every unit and option of a document in the
book file, and answers conditions with True, False, None (the book does not say) or `SKIPPED` where
this small reading does not know; then it makes no claim.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from armybuilder.loading.library import CATALOGUE_DIR
from armybuilder.loading.restrictions import stated_restriction

Data = dict[str, Any]
FOLDER = CATALOGUE_DIR / "t9a-2023"
SKIPPED = "skipped"
#: The system's words for models: what a trait is made of; 2024 has the same.
TRAITS = {
    trait["id"]: trait["if"]
    for trait in json.loads((FOLDER / "system.json").read_text("utf-8"))["traits"]
}


def words_of(name: str) -> str:
    """The id of a special rule: "Fly (8)" is "fly"."""
    plain = "".join(one if one.isalnum() else " " for one in name.split("(")[0].casefold())
    return "-".join(plain.split())


def listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


class Book:
    """A book file with its shared options by id."""

    def __init__(self, name: str, system: str = FOLDER.name) -> None:
        file = CATALOGUE_DIR / system / f"{name}.json"
        self.data: Data = json.loads(file.read_text("utf-8"))
        self.shared = {self.head(node): node for node in self.data.get("options", ())}
        self.units = {unit["id"]: unit for unit in self.data["units"]}

    @staticmethod
    def head(node: Data) -> str:
        return str(node.get("group") or node.get("id"))

    def trails(self, nodes: Iterable[Data], above: tuple[Data, ...] = ()) -> Iterator[list[Data]]:
        """Every option of one level with what leads to it: groups, uses, and itself at the end."""
        for node in nodes:
            way = (*above, node)
            if "use" in node:
                yield from self.trails([self.shared[node["use"]]], way)
            elif "group" in node:
                yield from self.trails(node["options"], way)
            else:
                yield list(way)

    def found(self, nodes: Iterable[Data], picks: Iterable[Data]) -> Iterator[list[list[Data]]]:
        """For each option taken, at any depth, the trails that it may stand on."""
        every = list(self.trails(nodes))
        for pick in picks:
            ways = [way for way in every if way[-1]["id"] == pick["id"]]
            if ways:
                yield ways
                yield from self.found(ways[0][-1].get("options", ()), pick.get("options", ()))

    def given(self, nodes: Iterable[Data]) -> Iterator[list[list[Data]]]:
        """What is always there, so that no list writes it down."""
        for way in self.trails(nodes):
            number = next((node["number"] for node in way if "number" in node), None)
            if number == [1, 1] and not any(is_bound(node) for node in way):
                yield [way]


def is_bound(node: Data) -> bool:
    return bool(node.get("needs") or node.get("not_with"))


class Place:
    """A unit of a document, as its book file has it."""

    def __init__(self, book: Book, document: Data, entry: Data) -> None:
        self.book, self.document, self.entry = book, document, entry
        self.unit = book.units[entry["unit"].split("/")[1]]
        nodes = self.unit.get("options", ())
        self.taken = list(book.found(nodes, entry.get("options", ())))
        around = [ways[0] for ways in (*self.taken, *book.given(nodes))]
        self.nodes = [node for way in around for node in way]
        self.ids = {Book.head(node) for node in self.nodes if "use" not in node}

    def told(self, condition: Any) -> Any:
        """Whether a condition of a book or trait holds here."""
        ((kind, value),) = [one for one in condition.items() if one[0] in KINDS] or [("", None)]
        return KINDS[kind](self, condition, value) if kind else SKIPPED

    def trait(self, _: Data, name: str) -> Any:
        return self.told(TRAITS[name])

    def negated(self, _: Data, inner: Data) -> Any:
        answer = self.told(inner)
        return not answer if isinstance(answer, bool) else answer

    def every(self, _: Data, inner: list[Data]) -> Any:
        return decided([self.told(one) for one in inner], by=False)

    def some(self, _: Data, inner: list[Data]) -> Any:
        return decided([self.told(one) for one in inner], by=True)

    def stat(self, condition: Data, name: str) -> Any:
        mounts = [node for node in self.nodes if node.get("mount")]
        rows = [row for one in (mounts or [self.unit]) for row in one.get("profiles", ())]
        if any("when" in row for row in rows):
            return SKIPPED
        values = {row["stats"][name].strip().casefold() for row in rows if name in row["stats"]}
        return condition["value"].casefold() in values if values else None

    def keyword(self, _: Data, name: str) -> Any:
        answers = [
            self.told(word["if"]) if isinstance(word, dict) else True
            for node in (self.unit, *self.nodes)
            for word in node.get("keywords", ())
            if words_of(word["name"] if isinstance(word, dict) else word) == name
        ]
        if answers:
            return decided(answers, by=True)
        if name == "not-a-leader" and "battle-standard-bearer" in self.ids:
            return True
        if name in self.unit.get("without", ()):
            return False
        if any(node.get("mount") and not node.get("profiles") for node in self.nodes):
            return SKIPPED
        return None if self.unit.get("sparse") else False

    def has(self, _: Data, name: str) -> bool:
        return name in self.ids

    def count(self, condition: Data, names: Any) -> Any:
        if condition.get("in") != "army":
            here = any(name in self.ids for name in listed(names))
            return True if here and not condition.keys() - {"taken"} else SKIPPED
        number = sum(
            times_in(entry, name) for entry in self.document["units"] for name in listed(names)
        )
        return condition.get("at_least", 1) <= number <= condition.get("at_most", number)

    def limit(self, _: Data, bounds: Data) -> bool:
        limit = self.document["limit"]
        return bool(bounds.get("at_least", limit) <= limit <= bounds.get("at_most", limit))

    def role(self, _: Data, name: str) -> bool:
        return name in self.entry.get("roles", ())

    def is_unit(self, _: Data, names: Any) -> bool:
        return self.unit["id"] in listed(names)

    def doubts(self) -> Iterator[str]:
        """What is not certain of this unit, in words."""
        yield from self.open(self.unit)
        if "needs" in self.unit and self.told(self.unit["needs"]) is None:
            yield f"{self.unit['name']}: who it is for"
        for ways in self.taken:
            found = [list(self.on_the_way(way)) for way in ways]
            if all(found):
                yield from found[0]

    def on_the_way(self, way: list[Data]) -> Iterator[str]:
        for node in way:
            yield from self.open(node)
            if "needs" in node and self.told(node["needs"]) is None:
                yield f"{way[-1]['name']}: who it is for"
            words = stated_restriction(node.get("name", ""))
            if words and not any(is_bound(one) for one in way):
                yield f"{way[-1]['name']}: its name says {words}"

    def open(self, node: Data) -> Iterator[str]:
        """What the book itself says that it cannot say."""
        for one in node.get("unchecked", ()):
            if self.told(one["if"]) in (True, None) if "if" in one else True:
                yield f"{node.get('name', self.unit['name'])}: {one['what']}"


def _is_whole(mount: Data) -> bool:
    """Whether it has a stat line, its own or another edition's: not only a size of that."""
    rows = mount.get("profiles", ())
    return any("from" not in row or row["stats"].keys() - {"height", "type"} for row in rows)


def times_in(entry: Data, name: str) -> int:
    """How often a unit, an option or an option of one unit is in a unit of a list."""
    unit, _, option = name.rpartition("/")
    if unit and not entry["unit"].endswith(f"/{unit}"):
        return 0
    own = int(not unit and entry["unit"].endswith(f"/{option}"))
    return own + sum(times_taken(pick, option) for pick in entry.get("options", ()))


def times_taken(pick: Data, option: str) -> int:
    here = int(pick.get("number", 1)) if pick["id"] == option else 0
    return here + sum(times_taken(inner, option) for inner in pick.get("options", ()))


def decided(answers: list[Any], by: bool) -> Any:
    """All of them, or any: one answer of `by` decides."""
    for answer in (by, SKIPPED, None):
        if any(one is answer for one in answers):
            return answer
    return not by


KINDS = {
    "is": Place.trait, "not": Place.negated, "all": Place.every, "any": Place.some,
    "stat": Place.stat, "keyword": Place.keyword, "option": Place.has, "group": Place.has,
    "taken": Place.count, "limit": Place.limit, "role": Place.role, "unit": Place.is_unit,
}  # fmt: skip


def doubts(document: Data, book: Book) -> list[str]:
    """Everything in a list that its book leaves open or tells in a name alone."""
    of_all = [f"{book.data['name']}: {one['what']}" for one in book.data.get("unchecked", ())]
    places = [Place(book, document, entry) for entry in document["units"]]
    return [*of_all, *(doubt for place in places for doubt in place.doubts())]
