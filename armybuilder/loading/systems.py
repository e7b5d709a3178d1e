"""System files: from JSON that has passed the schema to a frozen System; abilities of books."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from armybuilder.engine import vocabulary
from armybuilder.engine.abilities import Ability, AbilityUse, Wounds
from armybuilder.engine.army_facts import ARMY_FACTS
from armybuilder.engine.catalogue import System
from armybuilder.engine.citations import Citation, Given, Origin, RuleHead, Severity
from armybuilder.engine.facts import GAME_FACTS, FactHead, FactRule, ShareFact, Steps, Worth
from armybuilder.engine.meaning import Meaning, NameKind
from armybuilder.engine.odds_rules import OddsRules, OddsWhen
from armybuilder.engine.options import Keyword, keyword_tag
from armybuilder.engine.play_rules import (
    PlayRules,
    PlayScore,
    ScoreResult,
)
from armybuilder.engine.prices import Formula, Share
from armybuilder.engine.rulebook import rule_kinds, rules_of_all
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector, SelectorIndex
from armybuilder.engine.traits import TraitNeeds, read_trait
from armybuilder.engine.vocabulary import Table
from armybuilder.engine.wording import Later, marked
from armybuilder.loading import references
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import (
    Complaint,
    Names,
    Path,
    complaint,
    duplicates,
    numbers_of,
    read_given,
)

Entry = Mapping[str, Any]
Cite = Callable[[str | Mapping[str, str]], Citation]
T = TypeVar("T")
F = TypeVar("F", bound=FactRule)


def odds_problems(data: Entry) -> Iterator[Complaint]:
    """Yield names in the odds that the system file does not define."""
    odds = data.get("odds", {})
    stats = odds.get("stats", {}).values()
    yield from Names.in_file(data).unknown("stats", stats, ("odds", "stats"))
    yield from duplicates(odds.get("ticks", ()), ("odds", "ticks"))


def read_odds(data: Entry, cite: Cite) -> OddsRules | None:
    """Return the odds of a valid system file; None if it has none."""
    odds = data.get("odds")
    if odds is None:
        return None
    return _made(OddsRules, odds, cite)


_types_of: Callable[[Any], dict[str, Any]] = cache(get_type_hints)
#: Keys of files whose fields have another name.
_FIELD_NAMES = {"cite": "citation", "for": "given"}
#: How values of some types are read.
_READERS: Mapping[Any, Callable[[Any], Any]] = {
    Share: Share.read,
    Selector: Selector.read,
    Given: read_given,
    OddsWhen: lambda when: OddsWhen(
        **{key: frozenset(map(str.casefold, names)) for key, names in when.items()}
    ),
}


def _made(kind: type[T], data: Entry, cite: Cite) -> T:
    """Return an object of a file as a value of its class: each field as its type says."""
    types = _types_of(kind)
    fields = {_FIELD_NAMES.get(key, key): value for key, value in data.items()}
    return kind(**{key: _value_of_type(types[key], value, cite) for key, value in fields.items()})


def _value_of_type(kind: Any, value: Any, cite: Cite) -> Any:
    """Return a value of a file as a type says: lists are tuples or sets, objects of classes."""
    if kind in _READERS:
        return _READERS[kind](value)
    if kind is Citation:
        return cite(value)
    origin, inner = get_origin(kind), get_args(kind)
    if origin is tuple and inner[1] is ...:
        return tuple(_value_of_type(inner[0], one, cite) for one in value)
    if origin is Mapping:
        return {key: _value_of_type(inner[1], one, cite) for key, one in value.items()}
    if origin in (tuple, frozenset):
        return origin(value)
    if type(None) in inner:
        return _value_of_type(inner[0], value, cite)
    return _made(kind, value, cite) if hasattr(kind, "__annotations__") else value


def play_problems(data: Entry) -> Iterator[Complaint]:
    """Yield names in the play rules that the system file does not define."""
    play = data.get("play", {})
    score, names = play.get("score", {}), Names.in_file(data)
    kinds = {fact["id"]: fact["kind"] for fact in data["facts"]}
    wanted = [("breaks", fact, "share") for fact in play.get("breaks", ())]
    wanted += [
        ("activated", play.get("activated"), "steps"),
        ("score", score.get("worth"), "worth"),
    ]
    for key, fact, kind in wanted:
        if fact is not None and kinds.get(fact) != kind:
            message = marked("There is no fact “{name}” of the kind “{kind}”.")
            yield complaint(("play", key), message, "Fix the spelling.", name=fact, kind=kind)
    for number, pool in enumerate(play.get("pools", ())):
        yield from names.check(pool, ("play", "pools", number))
    for number, step in enumerate(score.get("steps", ())):
        yield from names.check(step, ("play", "score", "steps", number))
    yield from _astray(data, play, score)


def _astray(data: Entry, play: Entry, score: Entry) -> Iterator[Complaint]:
    """Yield the names of reminders, states and tables that there are none of."""
    message = marked("There is nothing called “{name}” there.")
    reminders = {entry["name"] for entry in data.get("reminders", ())}
    phases = enumerate(play.get("phases", ()))
    named: list[tuple[Path, Iterable[str], set[str]]] = [
        (("phases", at), phase.get("reminders", ()), reminders) for at, phase in phases
    ]
    states = {*data.get("states", ()), *(state["name"] for state in play.get("states", ()))}
    named.append((("score", "parts"), (part["state"] for part in score.get("parts", ())), states))
    tables = {
        table["name"]
        for table in data.get("tables", ())
        if all(cell.isdecimal() for row in table["rows"] for cell in row[1:3])
    }
    result = [score["result"]["table"]] if "result" in score else []
    named.append((("score", "result"), result, tables))
    for path, given, known in named:
        for name in given:
            if name not in known:
                yield complaint(("play", *path), message, "Fix the spelling.", name=name)


def read_play(
    data: Entry, cite: Cite, facts: Iterable[FactRule], tables: Iterable[Table]
) -> PlayRules | None:
    """Return the play rules of a valid system file; None if it has none."""
    if "play" not in data:
        return None
    play = dict(data["play"])
    by_id = {fact.head.id: fact for fact in facts}

    def fact(name: str | None, kind: type[F]) -> F | None:
        found = by_id.get(name or "")
        return found if isinstance(found, kind) else None

    breaks = (fact(name, ShareFact) for name in play.pop("breaks", ()))
    activated, score = fact(play.pop("activated", None), Steps), play.pop("score", None)
    return replace(
        _made(PlayRules, play, cite),
        breaks=tuple(one for one in breaks if one is not None),
        activated=activated,
        score=_score(score, fact(score.get("worth"), Worth), tables, cite) if score else None,
    )


def _score(data: Entry, worth: Worth | None, tables: Iterable[Table], cite: Cite) -> PlayScore:
    plain = {key: value for key, value in data.items() if key not in ("worth", "result")}
    result = _result(data["result"], tables) if "result" in data else None
    return replace(_made(PlayScore, plain, cite), worth=worth, result=result)


def _result(data: Entry, tables: Iterable[Table]) -> ScoreResult:
    """Return the table of a game in numbers: "up to 5" is 5, a cell without any number no end."""
    table = next(table for table in tables if table.name == data["table"])
    rows = []
    for first, winner, loser, *_others in table.rows:
        number = re.search(r"\d+", first)
        rows.append((int(number[0]) if number else None, int(winner), int(loser)))
    more = {key: data[key] for key in ("objective", "goal") if key in data}
    return ScoreResult(data["name"], tuple(rows), table.citation, **more)


def build_system(data: Mapping[str, Any], file: str) -> tuple[System | None, list[Problem]]:
    """Return the system, or None and all its wrong references."""
    found = (
        *references.system_problems(data),
        *references.sentence_problems(data),
        *play_problems(data),
        *odds_problems(data),
    )
    problems = [Problem(file, *problem) for problem in found]
    return (None if problems else _Builder(data).system()), problems


#: Every kind of fact by its name in system files.
ALL_FACT_KINDS = {kind.kind: kind for kind in (*GAME_FACTS, *ARMY_FACTS)}


class _Builder:
    """Reads one system file; every method returns one part of the system."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.selector_index = SelectorIndex()

    def cite(self, cite: str | Mapping[str, str]) -> Citation:
        return read_citation(cite, self.data["sources"])

    def system(self) -> System:
        data = self.data
        points, formula, facts = data["points"], None, tuple(self.facts())
        if "formula" in points:
            parts = ("weights", "minus", "from", "divide", "minimum")
            formula = Formula(*(points["formula"][part] for part in parts))
        rules, tables = tuple(self.rules()), tuple(self._all(Table, "tables"))
        traits = [read_trait(entry, self.cite(entry["cite"])) for entry in data.get("traits", ())]
        return System(
            id=data["id"],
            name=data["name"],
            about=data["about"],
            source=next(iter(data["sources"].values()))["title"],
            points_name=points["name"],
            sizes=tuple(points["sizes"]),
            default_size=points["default"],
            model_word=data["words"]["model"],
            warband_word=data["words"]["list"],
            stats={stat["id"]: vocabulary.Stat(**stat) for stat in data["stats"]},
            attributes={entry["id"]: vocabulary.Attribute(**entry) for entry in data["attributes"]},
            abilities={
                entry["id"]: read_definition(entry, self.cite(entry["cite"]))
                for entry in data["abilities"]
            },
            spells={spell["id"]: self.spell(spell) for spell in data.get("spells", ())},
            roles={role.id: role for role in self._all(vocabulary.Role, "roles")},
            settings={entry["id"]: _setting(entry) for entry in data["settings"]},
            rules=rules,
            always=rules_of_all(),
            facts=facts,
            tables=tables,
            reminders=tuple(self.reminders()),
            selector_index=self.selector_index,
            faction=next(filter(None, (rule.sides for rule in rules)), None),
            formula=formula,
            own_models=data.get("own_models", False),
            sized=data.get("sized", False),
            formations=data.get("formations", False),
            sometimes=data.get("sometimes", ""),
            sets=tuple(data.get("sets", ())),
            family=data.get("family", ""),
            read_at=data.get("read_at", ""),
            reservation=Later(data["reservation"]) if "reservation" in data else "",
            gains={
                entry["by"]: tuple(Keyword(name, keyword_tag(name)) for name in entry["keywords"])
                for entry in data.get("gains", ())
            },
            unit_form=_made(vocabulary.UnitForm, data.get("unit_form", {}), self.cite),
            texts={part["id"]: vocabulary.TextPart(**part) for part in data.get("texts", ())},
            states=tuple(data.get("states", ())),
            traits={trait.id: trait for trait in traits},
            asked=TraitNeeds.by(traits),
            wishes={wish.id: wish for wish in self._all(vocabulary.Wish, "wishes")},
            glossary=tuple(self.glossary("glossary")),
            terms=tuple(self.glossary("terms")),
            armour=next(self._all(vocabulary.ArmourTable, "armour"), None),
            weapons=next(self._all(vocabulary.WeaponTable, "weapons"), None),
            play=read_play(data, self.cite, facts, tables),
            odds=read_odds(data, self.cite),
        )

    def _all(self, kind: type[T], key: str) -> Iterator[T]:
        """Yield the values of a class in a list of the file, or in the one object there."""
        entries = self.data.get(key, ())
        for entry in [entries] if isinstance(entries, Mapping) else entries:
            yield _made(kind, entry, self.cite)

    def spell(self, entry: Mapping[str, Any]) -> Meaning:
        cite = self.cite(entry["cite"])
        return Meaning(entry["name"], NameKind.SPELL, entry["summary"], cite)

    def rules(self) -> Iterator[Rule]:
        for number, entry in enumerate(self.data["rules"]):
            head = read_head(
                entry, f"/rules/{number}", number, self.cite, self.data.get("sentences", {})
            )
            yield rule_kinds()[entry["kind"]].read(head, entry, self.selector_index)

    def facts(self) -> Iterator[FactRule]:
        for entry in self.data["facts"]:
            cite = self.cite(entry["cite"])
            given = read_given(entry.get("for"))
            head = FactHead(entry["id"], entry["name"], cite, entry.get("note", ""), given)
            yield ALL_FACT_KINDS[entry["kind"]].read(head, entry)

    def glossary(self, key: str) -> Iterator[Meaning]:
        for group in self.data.get(key, ()):
            for entry in group["entries"]:
                yield Meaning(
                    name=entry["name"],
                    kind=NameKind(entry.get("kind", group.get("kind", "rule"))),
                    summary=entry.get("summary", ""),
                    citation=self.cite(entry["cite"]),
                    group=group["name"],
                    aliases=tuple(entry.get("aliases", ())),
                )

    def reminders(self) -> Iterator[vocabulary.Reminder]:
        for entry in self.data.get("reminders", ()):
            tags = frozenset(f"ability:{ability}" for ability in entry.get("abilities", ()))
            yield vocabulary.Reminder(entry["name"], entry["text"], self.cite(entry["cite"]), tags)


def read_citation(cite: str | Mapping[str, str], sources: Mapping[str, Any]) -> Citation:
    """Return a citation; one that names no source cites the first."""
    if isinstance(cite, str):
        return Citation(next(iter(sources.values()))["short"], cite)
    return Citation(sources[cite["source"]]["short"], cite["place"])


def summary_of(rule: Mapping[str, Any]) -> Later:
    """Return the text of a rule; numbers in braces are those of the rule."""
    text = rule["summary"]
    return Later(text, **numbers_of(rule)) if "{" in text else Later(text)


def read_head(
    entry: Mapping[str, Any],
    pointer: str,
    order: int,
    cite: Callable[[str | Mapping[str, str]], Citation],
    sentences: Mapping[str, str],
    origin: Origin = Origin.GAME,
) -> RuleHead:
    """Return the common fields of a rule from its JSON object at `pointer`."""
    return RuleHead(
        id=entry["id"],
        pointer=pointer,
        order=order,
        code=entry["code"],
        severity=Severity(entry.get("severity", "error")),
        citation=cite(entry["cite"]),
        summary=summary_of(entry),
        reading=Later(entry["reading"]) if "reading" in entry else "",
        each_lineup=entry.get("each_lineup", False),
        given=read_given(entry.get("for")),
        sentences=sentences,
        origin=origin,
    )


def read_definition(entry: Mapping[str, Any], citation: Citation) -> Ability:
    """Return an ability as a system or a book defines it."""
    fields = {key: value for key, value in entry.items() if key not in ("cite", "tags", "wounds")}
    tags = frozenset(f"tag:{tag}" for tag in entry.get("tags", ()))
    wounds = entry.get("wounds")
    taken = Wounds(wounds["from"], wounds["minus"]) if wounds else None
    return Ability(citation=citation, tags=tags, wounds=taken, **fields)


def _setting(entry: Mapping[str, Any]) -> vocabulary.Setting:
    apart = ("values", "for", "besides")
    fields = {key: value for key, value in entry.items() if key not in apart}
    values = {
        value["id"]: vocabulary.Piece(
            value["id"],
            value["name"],
            value.get("summary", ""),
            frozenset(f"tag:{tag}" for tag in value.get("tags", ())),
            read_given(value.get("needs")),
        )
        for value in entry.get("values", ())
    }
    besides = frozenset(entry.get("besides", ()))
    return vocabulary.Setting(
        values=values, given=read_given(entry.get("for")), besides=besides, **fields
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
    citation = Citation(book["name"], "")
    return {
        entry["id"]: read_definition({"group": "Own", "summary": "", **entry}, citation)
        for entry in book.get("abilities", ())
    }
