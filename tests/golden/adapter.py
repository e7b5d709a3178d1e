"""Turns the neutral golden cases into our books and documents, and reports into their figures.

The files in `cases/` name models and lists without any catalogue format; this is the one place
that knows both sides. It reads what a case says and answers nothing by itself.
"""

import json
import re
from pathlib import Path
from typing import Any

from armybuilder.engine import Report, Severity
from armybuilder.engine.catalogue import Book, Catalogue, System
from armybuilder.loading.books import build_book
from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.loading.schemas import schema_problems
from tests.golden import armies, chosen, creatures
from tests.golden.chosen import slug, words

CASES_DIR = Path(__file__).parent / "cases"

#: The example book of The Ninth Age's cases, written by hand in our format.
OZ = Path(__file__).parent / "books" / "wizard-of-oz.json"


def load(file: str) -> dict[str, Any]:
    return json.loads((CASES_DIR / file).read_text(encoding="utf-8"))


def book_of(cases: dict[str, Any], system: System) -> Book:
    """The cases' models as one of our books, checked like any other."""
    data = {
        "format": "book/1",
        "id": "golden",
        "system": system.id,
        "name": "Golden cases",
        "about": "The models of the golden cases.",
        "kind": "invented",
        "source": {"title": "Golden cases"},
    }
    if "book" in cases:
        data |= armies.book_of(cases["book"])
    else:
        data["units"] = [unit_of(key, model, system) for key, model in cases["models"].items()]
    return checked_book(data, system)


def checked_book(data: dict[str, Any], system: System) -> Book:
    assert schema_problems("book", data, "golden") == []
    book, problems = build_book(data, system, "golden")
    assert book is not None, problems
    return book


def unit_of(key: str, model: dict[str, Any], system: System) -> dict[str, Any]:
    unit: dict[str, Any] = {
        "id": slug(key),
        "name": model.get("name", key),
        "points": model.get("cost", model.get("points")),
    }
    if system.attributes.get("faction") is not None and system.attributes["faction"].several:
        unit |= creatures.creature_of(model, system)
    elif system.formula is not None:
        unit["stats"] = {"quality": model["quality"], "combat": model["combat"]}
        unit["abilities"] = [special(name, system) for name in model["specials"]]
    else:
        attributes = {"faction": faction_of(model.get("faction"), system)}
        if model.get("alignment"):
            attributes["alignment"] = slug(model["alignment"])
        unit["attributes"] = attributes
        unit["abilities"] = list(creatures.abilities_of(model, system))
    return unit


def special(name: str, system: System) -> Any:
    """Lethal names its enemy ("Lethal vs Undead"); "Shooter (long)" is a rule of its own, and so is
    "Heavy Armour" in whatever spelling.
    """
    lethal = re.match(r"(?i)^lethal\W+(?:vs\.?\s+|against\s+)?(.+?)\W*$", name)
    if lethal:
        return {"ability": "lethal", "target": lethal[1]}
    told = words(name.lower().replace("armour", "armor"))
    known = [key for key in system.abilities if words(key) <= told]
    return {"ability": max(known, key=lambda key: len(words(key)), default=slug(name))}


def faction_of(name: str | None, system: System) -> str:
    """A faction's id by its id or its name: "mercenary" is the 2001 word for none."""
    return creatures.value_named(name, "faction", system) if name else "none"


def catalogue_of(cases: dict[str, Any]) -> Catalogue:
    return catalogue_for(cases, cases["system"])


def catalogue_for(cases: dict[str, Any], system_id: str) -> Catalogue:
    """The cases' models in one system; a file may hold cases for several editions of a game."""
    system = shipped_library().system(system_id)
    return make_catalogue(system, [book_of(cases, system)])


def oz_catalogue() -> Catalogue:
    """The hand-written example book, which the cases of The Ninth Age fit as well."""
    system = shipped_library().system("t9a-2023")
    data = json.loads(OZ.read_text(encoding="utf-8"))
    return make_catalogue(system, [checked_book(data, system)])


def document_of(case: dict[str, Any], system: System) -> dict[str, Any]:
    """The case's list as one of our documents."""
    entry = armies.entry_of if system.sized else entry_of
    units = [entry(written) for written in listed(case["list"])]
    units += [
        {"unit": f"golden/{slug(key)}", "models": 1, "roles": ["reserve"]}
        for key in reserve_of(case)
    ]
    document = {
        "format": "armylist/1",
        "system": system.id,
        "books": [{"id": "golden"}],
        "name": case["name"],
        "limit": chosen.points_of(case),
        "settings": chosen.settings_of(case, system),
        "units": [{"id": f"u{number}", **unit} for number, unit in enumerate(units, 1)],
    }
    assert schema_problems("armylist", document, case["name"]) == []
    return document


def listed(written: Any) -> list[Any]:
    """The entries of a list: by name with their number, or one after another."""
    if isinstance(written, dict):
        return [{"unit": key, "models": models} for key, models in written.items() if models]
    return [{"unit": entry} if isinstance(entry, str) else entry for entry in written]


def entry_of(entry: dict[str, Any]) -> dict[str, Any]:
    """A line of single models as ours, whatever it calls the model and their number."""
    names = {"model": "unit", "creature": "unit", "count": "models", "number": "models"}
    known = {names.get(key, key): value for key, value in entry.items()}
    made = armies.entry_of({**known, "unit": slug(known["unit"])})
    return {**made, "roles": ["reserve"]} if entry.get("reserve") else made


def reserve_of(case: dict[str, Any]) -> list[str]:
    """The models in reserve, each as often as it is there."""
    reserve = case.get("reserve") or (case.get("settings") or {}).get("reserve") or []
    if isinstance(reserve, dict):
        return [key for key, models in reserve.items() for _ in range(models)]
    return [reserve] if isinstance(reserve, str) else reserve


def figures(report: Report) -> dict[str, Any]:
    """The figures a case may ask for, as the report shows them."""
    told: dict[str, Any] = {
        "spent": report.spent,
        "unit_prices": [line.points for line in report.lines.values()],
        "category_points": {
            gauge.head.id.removeprefix("category-").rpartition("-points-")[0]: gauge.used
            for gauge in report.gauges
            if gauge.head.id.startswith("category-")
        },
    }
    told["models"] = told["creatures"] = report.models
    told["faction"] = _faction(report)
    for gauge in report.gauges:
        if gauge.name == "Command capacity" and "capacity" not in told:
            told["capacity"], told["needed"] = gauge.maximum, gauge.used
        if gauge.name == "Commander limit" and "limit" not in told:
            told["limit"], told["troops"] = gauge.maximum, gauge.used
        if gauge.name == "Personalities":
            told["personality_points"] = gauge.used
    return told


def _faction(report: Report) -> str | None:
    """The warband's faction by its name: the one its commanders give it, or the one chosen."""
    rule = report.system.faction
    if rule is not None:
        return report.faction and rule.names(report.system, [report.faction])[0]
    attribute = report.full.system.attributes.get("faction")
    chosen_one = report.full.roster.settings.get("faction")
    return attribute.values[str(chosen_one)] if attribute and chosen_one else None


def codes(report: Report, severity: Severity) -> list[str]:
    return sorted({finding.code for finding in report.of(severity)})
