"""System files: from JSON that has passed the schema to a frozen System; abilities of books."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from armybuilder.engine.abilities import Ability, AbilityUse
from armybuilder.engine.army_facts import ARMY_FACTS
from armybuilder.engine.catalogue import System
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.facts import GAME_FACTS, FactHead, FactRule, ShareFact, Steps, Worth
from armybuilder.engine.meaning import Meaning, NameKind
from armybuilder.engine.options import Keyword, keyword_tag
from armybuilder.engine.play_rules import ScoreResult
from armybuilder.engine.prices import Formula
from armybuilder.engine.rulebook import rule_kinds, rules_of_all
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import SelectorIndex
from armybuilder.engine.traits import TraitNeeds, read_trait
from armybuilder.engine.vocabulary import Reminder
from armybuilder.engine.wording import Later, marked
from armybuilder.loading import references
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import (
    NOTHING_CALLED,
    Complaint,
    complaint,
    found_at,
    numbers_of,
)
from armybuilder.loading.values import Values

Entry = Mapping[str, Any]


#: Where play rules name facts, of which kind.
_PLAY_FACTS = {"play/breaks/*": "share", "play/activated": "steps", "play/score/worth": "worth"}


def play_problems(data: Entry) -> Iterator[Complaint]:
    """Yield the names in the play rules that the system file does not define."""
    kinds = {fact["id"]: fact["kind"] for fact in data["facts"]}
    for place, kind in _PLAY_FACTS.items():
        for path, fact in found_at(data, place):
            if kinds.get(fact) != kind:
                message = marked("There is no fact “{name}” of the kind “{kind}”.")
                yield complaint(path, message, name=fact, kind=kind)
    states = (state["name"] for _, state in found_at(data, "play/states/*"))
    known = {
        "play/phases/*/reminders/*": {name for _, name in found_at(data, "reminders/*/name")},
        "play/score/parts/*/state": {*data.get("states", ()), *states},
        "play/score/result/table": {
            table["name"]
            for table in data.get("tables", ())
            if all(cell.isdecimal() for row in table["rows"] for cell in row[1:3])
        },
    }
    for place, names in known.items():
        for path, name in found_at(data, place):
            if name not in names:
                yield complaint(path, NOTHING_CALLED, name=name)


def build_system(data: Mapping[str, Any], file: str) -> tuple[System | None, list[Problem]]:
    """Return the system, or None and all its wrong references."""
    found = (
        *references.system_problems(data),
        *references.sentence_problems(data),
        *play_problems(data),
    )
    problems = [Problem(file, *problem) for problem in found]
    return (None if problems else _Builder(data).system()), problems


#: Every kind of fact by its name in system files.
ALL_FACT_KINDS = {kind.kind: kind for kind in (*GAME_FACTS, *ARMY_FACTS)}


class _Builder:
    """Reads one system file; every method returns one part of the system."""

    def __init__(self, data: Entry) -> None:
        self.data = data
        self.selector_index = SelectorIndex()
        self.facts: dict[str, FactRule] = {}
        # Play rules name facts, and a table, that the file has elsewhere.
        more = dict.fromkeys((ShareFact, Steps, Worth), self.facts.get)
        self.values = Values(data["sources"], {**more, ScoreResult: self.score_result})
        self.cite = self.values.cite
        self.facts |= {entry["id"]: self.fact(entry) for entry in data["facts"]}

    def system(self) -> System:
        data, points = self.data, self.data["points"]
        rules = tuple(self.rules())
        traits = [read_trait(entry, self.cite(entry["cite"])) for entry in data.get("traits", ())]
        return self.values.make(
            System,
            data,
            source=next(iter(data["sources"].values()))["title"],
            points_name=points["name"],
            sizes=tuple(points["sizes"]),
            default_size=points["default"],
            formula=self.values.make(Formula, points["formula"]) if "formula" in points else None,
            model_word=data["words"]["model"],
            warband_word=data["words"]["list"],
            spells={
                entry["id"]: self.values.make(Meaning, entry, kind=NameKind.SPELL)
                for entry in data.get("spells", ())
            },
            rules=rules,
            always=rules_of_all(),
            facts=tuple(self.facts.values()),
            reminders=tuple(self.reminders()),
            selector_index=self.selector_index,
            faction=next(filter(None, (rule.sides for rule in rules)), None),
            gains={
                entry["by"]: tuple(Keyword(name, keyword_tag(name)) for name in entry["keywords"])
                for entry in data.get("gains", ())
            },
            traits={trait.id: trait for trait in traits},
            asked=TraitNeeds.by(traits),
            glossary=tuple(self.glossary("glossary")),
            terms=tuple(self.glossary("terms")),
        )

    def rules(self) -> Iterator[Rule]:
        sentences = self.data.get("sentences", {})
        for number, entry in enumerate(self.data["rules"]):
            place = f"/rules/{number}"
            head = read_head(self.values, entry, place, number, sentences=sentences)
            yield rule_kinds()[entry["kind"]].read(head, entry, self.selector_index)

    def fact(self, entry: Entry) -> FactRule:
        head = self.values.make(FactHead, entry)
        return self.values.make(ALL_FACT_KINDS[entry["kind"]], entry, head=head)

    def glossary(self, key: str) -> Iterator[Meaning]:
        for group in self.data.get(key, ()):
            shared = {"kind": group.get("kind", "rule"), "summary": ""}
            for entry in group["entries"]:
                yield self.values.make(Meaning, {**shared, **entry}, group=group["name"])

    def reminders(self) -> Iterator[Reminder]:
        for entry in self.data.get("reminders", ()):
            tags = frozenset(f"ability:{ability}" for ability in entry.get("abilities", ()))
            yield self.values.make(Reminder, entry, tags=tags)

    def score_result(self, entry: Entry) -> ScoreResult:
        """Return a table in numbers: "up to 5" is 5, a cell without any number no end."""
        table = next(one for one in self.data["tables"] if one["name"] == entry["table"])
        rows = []
        for first, winner, loser, *_others in table["rows"]:
            number = re.search(r"\d+", first)
            rows.append((int(number[0]) if number else None, int(winner), int(loser)))
        return self.values.make(ScoreResult, {**entry, "cite": table["cite"]}, rows=tuple(rows))


def summary_of(rule: Mapping[str, Any]) -> Later:
    """Return the text of a rule; numbers in braces are those of the rule."""
    text = rule["summary"]
    return Later(text, **numbers_of(rule)) if "{" in text else Later(text)


def read_head(values: Values, entry: Entry, pointer: str, order: int, **more: Any) -> RuleHead:
    """Return the common fields of a rule from its JSON object at `pointer`, with some `more`."""
    return values.make(
        RuleHead,
        entry,
        pointer=pointer,
        order=order,
        severity=Severity(entry.get("severity", Severity.ERROR)),
        summary=summary_of(entry),
        **more,
    )


Data = Mapping[str, Any]

#: Keys that a system never inherits.
OWN = ("format", "id", "name", "about", "extends", "base_books")
#: Sections whose entries are added to the other's, or replace the one of the same id; `sentences`
#: are those of the same code.
MERGED = ("abilities", "spells")


def extend(data: Data, base: Data) -> dict[str, Any]:
    """Return the system file with inherited parts; citations keep their file's first source."""
    first = next(iter(base["sources"]))
    inherited = {key: _cited(value, first) for key, value in base.items() if key not in OWN}
    extended = {**inherited, **data}
    own = data.get("sources", {})
    extended["sources"] = own | {
        key: source for key, source in base["sources"].items() if key not in own
    }
    for section in MERGED:
        entries = {entry["id"]: entry for entry in inherited.get(section, ())}
        entries |= {entry["id"]: entry for entry in data.get(section, ())}
        extended[section] = list(entries.values())
    told = {**inherited.get("sentences", {}), **data.get("sentences", {})}
    return {**extended, "sentences": told} if told else extended


def _cited(value: Any, source: str) -> Any:
    """Return the value; each `cite` that names no source names the one it was written for."""
    if isinstance(value, list):
        return [_cited(inner, source) for inner in value]
    if not isinstance(value, dict):
        return value
    return {
        key: {"source": source, "place": inner}
        if key == "cite" and isinstance(inner, str)
        else _cited(inner, source)
        for key, inner in value.items()
    }


def section_mistakes(data: Data, sources: Data) -> Iterator[references.Complaint]:
    """Yield repeated ids and unknown sources in merged sections, by their place in this file."""
    if "extends" not in data:
        return
    for section in MERGED:
        yield from references.duplicates(data.get(section, ()), (section,))
        yield from references.citation_complaints(data.get(section, []), (section,), sources)


# Abilities as books write them: the short form, and abilities that a book brings itself.

_ABILITY = re.compile(r"^(?P<id>[a-z0-9-]+)(?: (?P<rating>-?\d+|\?))?(?:: (?P<target>.+))?$")


def read_ability(entry: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the long form: "commander ?" is {"ability": "commander", "rating": None}."""
    if not isinstance(entry, str):
        return dict(entry)
    match = _ABILITY.match(entry)
    if match is None:
        raise ValueError(f"not an ability: {entry!r}")
    use: dict[str, Any] = {"ability": match["id"]}
    if match["rating"] is not None:
        use["rating"] = None if match["rating"] == "?" else int(match["rating"])
    if match["target"] is not None:
        use["target"] = match["target"]
    return use


def read_use(entry: str | Mapping[str, Any], known: Mapping[str, Ability]) -> AbilityUse:
    """Return the ability as a unit has it; `known` holds those of the system and of the book."""
    use = read_ability(entry)
    rating = use.get("rating")
    return AbilityUse(
        ability=known[use["ability"]],
        rating=rating,
        target=use.get("target", ""),
        uses=use.get("uses", 0),
        known="rating" not in use or rating is not None,
    )


def own_abilities(book: Mapping[str, Any]) -> dict[str, Ability]:
    """Return the abilities that a book brings, by id."""
    values = Values({"book": {"short": book["name"]}})
    shared = {"group": "Own", "summary": "", "cite": ""}
    return {
        entry["id"]: values.make(Ability, {**shared, **entry})
        for entry in book.get("abilities", ())
    }
