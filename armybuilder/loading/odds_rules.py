"""Reader of a system file's dice: checks the names in them and makes `OddsRules`."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from armybuilder.engine.citations import Citation
from armybuilder.engine.odds_rules import OddsRules, OddsStep, OddsTick, OddsWhen
from armybuilder.loading.references import Complaint, Names, duplicates

Entry = Mapping[str, Any]
Cite = Callable[[str | Mapping[str, str]], Citation]


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
    return OddsRules(
        kind=odds["kind"],
        modes=odds["modes"],
        stats=odds["stats"],
        steps=tuple(OddsStep(**_read(step, cite)) for step in odds["steps"]),
        ticks=tuple(OddsTick(**_read(tick, cite)) for tick in odds["ticks"]),
        **{key: tuple(map(tuple, odds[key])) for key in ("to_hit", "to_wound") if key in odds},
    )


def _read(data: Entry, cite: Cite) -> dict[str, Any]:
    fields = {key: value for key, value in data.items() if key != "cite"}
    if "modes" in fields:
        fields["modes"] = frozenset(fields["modes"])
    if "when" in fields:
        fields["when"] = tuple(
            OddsWhen(**{key: frozenset(map(str.casefold, names)) for key, names in one.items()})
            for one in fields["when"]
        )
    return {**fields, "citation": cite(data["cite"])}
