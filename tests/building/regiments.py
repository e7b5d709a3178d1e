"""A tiny game of regiments: units of many models, options in groups, categories and caps."""

from collections.abc import Sequence
from typing import Any

from armybuilder.engine import Finding, Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.conditions import Army, Place
from tests.building.tiny import Data, book_data, catalogue, judge, rule, system_data

#: What rules of kind "entry" tell, each by a code of its own.
ASPECTS = (
    "too-small",
    "too-large",
    "unavailable",
    "too-often",
    "group-over",
    "group-under",
    "allowance",
)
ENTRY = tuple(
    rule("entry", f"tiny.{aspect}", id=aspect, aspect=aspect, cite=f"8.{number}")
    for number, aspect in enumerate(ASPECTS)
)
#: Half of a cap in games of up to 50 points, twice as much from 200 on.
SCALE = [{"share": "1/2", "at_most": 50}, {"share": "2/1", "at_least": 200}]
CAPS = (
    rule("cap", "tiny.cap", id="caps", cite="9", scale=SCALE),
    rule("cap", "tiny.lone", id="lone", cite="10", one_of_a_kind=True),
)


def named(entry_id: str) -> str:
    return entry_id.replace("-", " ").capitalize()


def unit(unit_id: str, points: int = 10, *nodes: Data, **more: Any) -> Data:
    entry: Data = {"id": unit_id, "name": named(unit_id), "points": points, **more}
    return {**entry, "options": list(nodes)} if nodes else entry


def option(option_id: str, points: int = 0, *inner: Data, **more: Any) -> Data:
    entry: Data = {"id": option_id, "name": named(option_id), "points": points, **more}
    return {**entry, "options": list(inner)} if inner else entry


def group(group_id: str, *inner: Data, **more: Any) -> Data:
    return {"group": group_id, "name": named(group_id), **more, "options": list(inner)}


def army(
    *units: Data,
    rules: Sequence[Data] = ENTRY,
    shared: Sequence[Data] = (),
    roles: Sequence[Data] | None = None,
    facts: Sequence[Data] = (),
    traits: Sequence[Data] = (),
    gains: Sequence[Data] = (),
    **book: Any,
) -> Catalogue:
    """The game with these rules and a book of these units, checked as files would be."""
    changes: Data = {"sized": True, "facts": list(facts), "settings": [], "gains": list(gains)}
    if traits:
        changes["traits"] = list(traits)
        changes["stats"] = [{"id": "height", "name": "Height", "short": "H", "text": True}]
    if roles is not None:
        changes["roles"] = list(roles)
    data = book_data(*units, name="The Tiny Horde", **book)
    if shared:
        data["options"] = list(shared)
    return catalogue(system_data(*rules, **changes), data)


def taken(option_id: str, *inner: Any, **more: Any) -> Data:
    """An option of a list; `inner` are taken on it."""
    entry: Data = {"id": option_id, **more}
    return {**entry, "options": _entries(inner)} if inner else entry


def field(unit_id: str, *options: Any, models: int = 1, **more: Any) -> Data:
    """A unit of a list with what is taken on it, by id or as `taken` makes it."""
    entry: Data = {"unit": f"book/{unit_id}", "models": models, **more}
    return {**entry, "options": _entries(options)} if options else entry


def _entries(options: Sequence[Any]) -> list[Data]:
    return [{"id": one} if isinstance(one, str) else one for one in options]


def spent(catalogue: Catalogue, *entries: Data, limit: int = 100, **settings: Any) -> int:
    return judge(catalogue, *entries, limit=limit, **settings).spent


def of_code(report: Report, code: str) -> list[Finding]:
    return [finding for finding in report.findings if finding.code == code]


def place(limit: int = 100, models: int = 1, tags: Sequence[str] = (), **taken: int) -> Place:
    """A place to ask conditions in. `taken` counts options: great_weapon=1 is "great-weapon"."""
    counts = {f"option:{name.replace('_', '-')}": number for name, number in taken.items()}
    return Place(Army(limit, {}, {}), counts, models, frozenset(tags))
