"""A tiny game of our own, built through the real loader, to show one rule at a time."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

from armybuilder.engine import Finding, Report, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import Roster
from armybuilder.engine.rulebook import rule_kinds
from armybuilder.engine.sentences import COMMON, TEMPLATES
from armybuilder.loading.books import build_book
from armybuilder.loading.documents import check_document, make_roster
from armybuilder.loading.library import make_catalogue
from armybuilder.loading.schemas import schema_problems
from armybuilder.loading.systems import build_system
from tests.building.documents import list_of, value_of

Data = dict[str, Any]


def rule(kind: str, code: str = "tiny.rule", **more: Any) -> Data:
    """A rule of a system file; `of` and the like as in the file."""
    names = {"id": "rule", "kind": kind, "code": code, "cite": "1", "summary": "The tiny rule."}
    return {**names, **more}


def titled(entry_id: str, **more: Any) -> Data:
    """A part of a file with its id, and its name after that."""
    return {"id": entry_id, "name": entry_id.replace("-", " ").title(), **more}


def ability(ability_id: str, **more: Any) -> Data:
    made = titled(ability_id, group="All", cite="2")
    return {**made, "summary": f"Is {made['name']}.", **more}


@cache
def shipped_sentences() -> Mapping[str, str]:
    """The sentences of all shipped games, for rules that borrow their codes."""
    files = sorted((Path(__file__).parents[2] / "catalogs").glob("*/system.json"))
    systems = (json.loads(file.read_text(encoding="utf-8")) for file in files)
    return {key: text for data in systems for key, text in data.get("sentences", {}).items()}


def sentences_of(rules: Sequence[Data]) -> Data:
    """Sentences for the codes of rules: a shipped game's, as far as they name what these rules
    tell, or the rule's summary.
    """
    kinds: dict[str, set[str]] = {}
    for entry in rules:
        inner = [entry[key]["code"] for key in ("choose", "open") if key in entry]
        for code in filter(None, (entry["code"], entry.get("under"), *inner)):
            kinds.setdefault(code, set()).add(entry["kind"])
    told = {
        key: text
        for key, text in shipped_sentences().items()
        if key.split()[0] in kinds and _fits(text, kinds[key.split()[0]])
    }
    plain = {code for code, of in kinds.items() if all(rule_kinds()[kind].plain for kind in of)}
    missing = kinds.keys() - plain - {key.split()[0] for key in (*told, *TEMPLATES)}
    return {**told, **dict.fromkeys(sorted(missing), "{summary}")}


def _fits(text: str, kinds: set[str]) -> bool:
    known = COMMON.union(*(rule_kinds()[kind].says for kind in kinds))
    return known.issuperset(name for _, name, _, _ in Formatter().parse(text) if name)


FACTIONS = {"red": "Red", "blue": "Blue", "green": "Green", "none": "No faction"}
SIDES = {"good": "Good", "neutral": "Neutral", "evil": "Evil"}
RESERVE: Data = {"act": "Put in reserve", "end": "Take out", "summary": "There half the time."}
RESERVE |= {"cite": "4", "price": "1/2"}
GENERAL: Data = {"act": "Make General", "end": "Dismiss", "summary": "Leads.", "cite": "5"}


def settings() -> list[Data]:
    """The settings of the tiny system."""
    cave = {"needs": {"ground": ["cave"]}}
    pieces = [
        titled("tree", needs={"ground": ["open"]}),
        titled("rock"),
        titled("idol", tags=["lone"], **cave),
        titled("altar", tags=["lone"]),
    ]
    return [
        titled("players", kind="number", default=2, low=2, high=9),
        titled("bonus", kind="number", default=0, low=0, high=99, points=2),
        titled("ground", kind="choice", default="open", values=[titled("open"), titled("cave")]),
        titled("faction", name="Faction on a tie", kind="attribute", attribute="faction"),
        titled("terrain", kind="pieces", values=pieces),
    ]


def system_data(*rules: Data, **changes: Any) -> Data:
    """A small, whole system file. Without rules it asks only for complete cards."""
    data: Data = {
        "format": "system/1",
        "id": "tiny",
        "name": "Tiny",
        "about": "A game for tests.",
        "sources": {
            "book": {"title": "The tiny rulebook", "short": "Tiny"},
            "faq": {"title": "The tiny questions", "short": "Tiny FAQ"},
        },
        "points": {"name": "Points", "sizes": [50, 100], "default": 100},
        "words": {"model": "model", "list": "band"},
        "stats": [
            {"id": "nerve", "name": "Nerve", "short": "N"},
            {"id": "speed", "name": "Speed", "short": "S", "text": True},
        ],
        "attributes": [
            titled("faction", values=dict(FACTIONS)),
            titled("side", values=dict(SIDES)),
        ],
        "abilities": [
            ability("chief", rating="number"),
            ability("scout", rating="plus"),
            ability("hard", rating="times"),
            ability("reach", rating="inches", rating_optional=True),
            ability("wild"),
            ability("big", tags=["size"]),
            ability("huge", tags=["size"]),
            ability("bow", tags=["shooter"]),
            ability("aim"),
            ability("sharp-eye"),
            ability("slayer", target="enemy"),
        ],
        "spells": [{"id": "spark", "name": "spark", "summary": "Sparks.", "cite": "3"}],
        "roles": [titled("reserve", **RESERVE), titled("general", **GENERAL)],
        "settings": settings(),
        "rules": list(rules) or [rule("complete", "unit.incomplete")],
        "sentences": sentences_of(rules),
        "facts": [],
    }
    return {**data, **changes}


#: Settings of the kinds that the tiny system itself has not: a pool, and choices left open.
POOL = titled("pool", kind="pool")
MOST = titled("most", name="Most models", kind="number", default=None, low=1, high=99)
MAP = titled(
    "map",
    kind="choice",
    default=None,
    values=[titled("field"), titled("yard", tags=["half"], needs={"ground": ["open"]})],
)


def with_settings(*more: Data) -> list[Data]:
    """The settings of the tiny system, and these."""
    return [*settings(), *more]


def unit(unit_id: str, points: int | None = 5, *abilities: Any, **more: Any) -> Data:
    """A unit of a book file; `faction` and `side` are its attributes, the rest its own keys."""
    attributes = {key: more.pop(key) for key in ("faction", "side") if key in more}
    data = titled(unit_id, points=points, attributes=attributes)
    return {**data, "abilities": list(abilities), **more}


#: What most tests take: plain models of 5 and 8 points, and one of each of the abilities.
UNITS = (
    unit("soldier", 5),
    unit("knight", 8),
    unit("giant", 20, "big"),
    unit("titan", 30, "big", "huge"),
    unit("archer", 7, "bow"),
)


def book_data(*units: Data, **changes: Any) -> Data:
    """A small, whole book file of the tiny system."""
    data: Data = {
        "format": "book/1",
        "id": "book",
        "system": "tiny",
        "name": "Tiny book",
        "about": "Units for tests.",
        "kind": "invented",
        "source": {"title": "Made up for tests"},
        "units": list(units or UNITS),
    }
    return {**data, **changes}


def game(*rules: Data, units: Sequence[Data] = UNITS, **changes: Any) -> Catalogue:
    """The tiny game with these rules and these units, checked as a file would be."""
    return catalogue(system_data(*rules, **changes), book_data(*units))


def catalogue(system: Data, *books: Data) -> Catalogue:
    assert schema_problems("system", system, "system.json") == []
    built, problems = build_system(system, "system.json")
    assert built is not None, problems
    made = []
    for data in books:
        assert schema_problems("book", data, "book.json") == []
        book, problems = build_book(data, built, "book.json")
        assert book is not None, problems
        made.append(book)
    return make_catalogue(built, made)


def take(unit_id: str, models: int = 1, *roles: str, **more: Any) -> Data:
    """An entry of an army list; `judge` gives it the id u1, u2, ... by its place."""
    entry: Data = {"unit": unit_id if "/" in unit_id else f"book/{unit_id}", "models": models}
    return {**entry, **({"roles": list(roles)} if roles else {}), **more}


def document(
    *entries: Data,
    limit: int = 100,
    settings: Mapping[str, Any] | None = None,
    system: str = "tiny",
    books: Sequence[str] = ("book",),
) -> Data:
    data = list_of(system, books, entries, limit=limit, settings=settings)
    return check_document(data).to_dict()


def roster(data: Data, catalogue: Catalogue) -> Roster:
    return make_roster(value_of(data), catalogue)


def judge(catalogue: Catalogue, *entries: Data, limit: int = 100, **settings: Any) -> Report:
    """The report on a list of these entries."""
    data = document(
        *entries,
        limit=limit,
        settings=settings,
        system=catalogue.system.id,
        books=[book.id for book in catalogue.books],
    )
    return validate(make_roster(value_of(data), catalogue), catalogue)


def only(report: Report) -> Finding:
    """The one finding of a report."""
    assert len(report.findings) == 1, report.findings
    return report.findings[0]


def codes(report: Report) -> list[str]:
    return [finding.code for finding in report.findings]


def write_folder(directory: Path, system: Data, *books: Data) -> None:
    """Write the folder of a system, with its books as files of their ids."""
    folder = directory / system["id"]
    folder.mkdir(exist_ok=True)
    for name, data in [("system", system), *((book["id"], book) for book in books)]:
        (folder / f"{name}.json").write_text(json.dumps(data), encoding="utf-8")


def edition(system_id: str = "second", extends: str = "tiny", **more: Data | list[Data]) -> Data:
    """A system file that extends another and says nothing but what it is given."""
    head: Data = {"format": "system/1", "id": system_id, "name": system_id.title()}
    if "rules" in more:
        head["sentences"] = sentences_of(list(more["rules"]))
    return {**head, "about": "Another edition.", "extends": extends, **more}
