"""Turns the neutral golden cases into our books and documents, and reports into their figures.

The files in `cases/` name models and lists without any catalogue format; this is the one place
that knows both sides. It reads what a case says and answers nothing by itself.
"""

import json
import re
from pathlib import Path
from typing import Any

from armybuilder.engine import Report, Severity
from armybuilder.engine.catalogue import Book, Catalogue, Setting, System
from armybuilder.loading.books import build_book
from armybuilder.loading.library import make_catalogue, shipped_library
from armybuilder.loading.schemas import schema_problems
from tests.golden import armies

CASES_DIR = Path(__file__).parent / "cases"

#: The example book of The Ninth Age's cases, written by hand in our format.
OZ = Path(__file__).parent / "books" / "wizard-of-oz.json"


def slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


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
        "points": model.get("cost"),
    }
    if "factions" in model:
        unit |= creature_of(model)
    elif system.formula is not None:
        unit["stats"] = {"quality": model["quality"], "combat": model["combat"]}
        unit["abilities"] = [special(name) for name in model["specials"]]
    else:
        attributes = {"faction": faction_of(model.get("faction"), system)}
        if model.get("alignment"):
            attributes["alignment"] = slug(model["alignment"])
        unit["attributes"] = attributes
        unit["abilities"] = [rated(name) for name in model.get("abilities", ())]
    return unit


def creature_of(model: dict[str, Any]) -> dict[str, Any]:
    """What a creature of D&D Miniatures has: without an alignment it is unaligned."""
    attributes = {
        "faction": [slug(faction) for faction in model["factions"]],
        "alignment": slug(model.get("alignment") or "unaligned"),
        "size": slug(model.get("size", "Medium")),
        "card": "epic" if model.get("epic") else "standard",
    }
    unit: dict[str, Any] = {"attributes": attributes, "keywords": model.get("keywords", [])}
    if "champion" in model:
        unit["abilities"] = [{"ability": "champion", "rating": model["champion"]}]
    if model.get("unique"):
        unit["unique"] = model["unique"]
    if "warband_building" in model:
        admitted = model["warband_building"]["admits"]
        unit["lifts"] = [
            {"rule": "faction", "of": {key: slug(value) for key, value in admitted.items()}}
        ]
    return unit


def special(name: str) -> Any:
    """Lethal names its enemy ("Lethal vs Undead"); "Shooter (long)" is a rule of its own."""
    lethal = re.match(r"(?i)^lethal\W+(?:vs\.?\s+|against\s+)?(.+?)\W*$", name)
    return {"ability": "lethal", "target": lethal[1]} if lethal else {"ability": slug(name)}


def faction_of(name: str | None, system: System) -> str:
    """A faction's id by its id or its name: "mercenary" is the 2001 word for none."""
    names = {slug(shown): key for key, shown in system.attributes["faction"].values.items()}
    return names.get(slug(name), slug(name)) if name else "none"


def rated(name: str) -> dict[str, Any]:
    """Such as "Difficult Troop x3", "Scout +4", "Commander 4", "Wild Troop", "Commander ?"."""
    match = re.match(r"^(.*?)\s*[x×+]?(-?\d+|\?)?$", name)
    assert match
    use: dict[str, Any] = {"ability": slug(match[1])}
    if match[2]:
        use["rating"] = None if match[2] == "?" else int(match[2])
    return use


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
    if isinstance(case["list"], list):
        units = [armies.entry_of(entry) for entry in case["list"]]
    else:
        units = [
            {"unit": f"golden/{slug(key)}", "models": models}
            for key, models in case["list"].items()
        ]
    reserve = case.get("reserve") or []
    if isinstance(reserve, dict):
        reserve = [key for key, models in reserve.items() for _ in range(models)]
    units += [
        {"unit": f"golden/{slug(key)}", "models": 1, "roles": ["reserve"]}
        for key in ([reserve] if isinstance(reserve, str) else reserve)
    ]
    document = {
        "format": "armylist/1",
        "system": system.id,
        "books": [{"id": "golden"}],
        "name": case["name"],
        "limit": case.get("points", case.get("army_points")),
        "settings": {
            key: setting(value, system.settings.get(key))
            for key, value in settings_of(case).items()
        },
        "units": [{"id": f"u{number}", **unit} for number, unit in enumerate(units, 1)],
    }
    assert schema_problems("armylist", document, case["name"]) == []
    return document


#: How the cases of D&D Miniatures name a way to play, and what we call it.
ALIASES = {
    "creature_limit": {"creatures", "max_creatures", "creature-limit"},
    "max_cost": {"maximum_cost", "max-cost", "maximum-cost"},
}
FORMATS = {"sealed": "sealed", "sealed-boosters": "sealed", "sealed-booster": "sealed"}


def settings_of(case: dict[str, Any]) -> dict[str, Any]:
    """The case's settings by our ids. Where it names a format of D&D Miniatures, the game size
    says which of the constructed ones; a pool is named by the models it holds.
    """
    settings = dict(case.get("settings", {}))
    if "format" in settings:
        settings["game"] = FORMATS.get(slug(settings.pop("format")), "constructed")
    pool = settings.pop("pool", case.get("pool"))
    if isinstance(pool, dict):
        pool = [key for key, models in pool.items() for _ in range(models)]
    if pool is not None:
        settings["pool"] = [f"golden/{slug(key)}" for key in pool]
    for known, others in ALIASES.items():
        for other in others & settings.keys():
            settings[known] = settings.pop(other)
    if settings.pop("sealed", False) or settings.get("scenario") == "sealed":
        settings["game"] = "sealed"
        settings["scenario"] = "assault"
    for key in ("epic", "epic_allowed", "epics"):
        if isinstance(settings.get(key), bool):
            settings["epic"] = "yes" if settings.pop(key) else "no"
    return settings


def setting(value: Any, known: Setting | None = None) -> Any:
    """Our form of a setting's value, which a case names by its id or its name."""
    if isinstance(value, str) and known is not None:
        by_name = {slug(piece.name): piece.id for piece in known.values.values()}
        return by_name.get(slug(value), slug(value))
    if isinstance(value, list) and any("/" in piece for piece in value):
        return value
    if isinstance(value, list):
        return [slug(piece) for piece in value]
    return slug(value) if isinstance(value, str) else value


def figures(report: Report) -> dict[str, Any]:
    """The figures a case may ask for, as the report shows them."""
    told: dict[str, Any] = {
        "spent": report.spent,
        "unit_prices": [line.points for line in report.lines.values()],
        "category_points": {
            gauge.rule.id.removeprefix("category-").rpartition("-points-")[0]: gauge.used
            for gauge in report.gauges
            if gauge.rule.id.startswith("category-")
        },
    }
    rule = report.full.system.faction
    if rule is not None and report.faction is not None:
        told["faction"] = rule.names(report.full, [report.faction])[0]
    for gauge in report.gauges:
        if gauge.name == "Command capacity" and "capacity" not in told:
            told["capacity"], told["needed"] = gauge.maximum, gauge.used
        if gauge.name == "Commander limit" and "limit" not in told:
            told["limit"], told["troops"] = gauge.maximum, gauge.used
        if gauge.name == "Personalities":
            told["personality_points"] = gauge.used
    return told


def codes(report: Report, severity: Severity) -> list[str]:
    return sorted({finding.code for finding in report.of(severity)})
