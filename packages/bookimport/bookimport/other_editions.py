"""Stat lines that a book's own file lacks, as other editions of the same army have them.

`catalogs/<game>/facts/stat_lines.json` has them by book, then by unit or mount: the edition that
it is `from`, with `profiles` and `keywords`, or single `values` of a stat line that the book has
but for these, or no more than a `size`: Height and Type; or `what` shows that it is no `mount`.
`without` are rules that it certainly has not, by no mount either; where it is `unsure`, all but
these stay open. "=" is what the game that this one is `like` has there.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from bookimport.mends import nodes_of
from bookimport.units import NO_STAT_LINE, NOT_A_LEADER

FILE: Final = "facts/stat_lines.json"
#: What stands behind keywords and stat lines in an entry of a book.
BEHIND: Final = ("options", "when", "unchecked", "note")

Fact = Mapping[str, Any]
#: By book, then by the id of the unit or mount; in a file perhaps "=".
Facts = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class OtherEditions:
    """What other editions say of the units and mounts of a game's books."""

    units: Facts = field(default_factory=dict)
    mounts: Facts = field(default_factory=dict)

    @classmethod
    def read(cls, game: Path) -> "OtherEditions":
        """Return those in the folder of a game; none where it has no such file."""
        file = game / FILE
        if not file.is_file():
            return cls()
        data = json.loads(file.read_text("utf-8"))
        like = cls.read(game.parent / data["like"]) if "like" in data else cls()
        editions = data["editions"]
        return cls(
            _resolved(data["units"], like.units, editions),
            _resolved(data["mounts"], like.mounts, editions),
        )

    def complete(self, book: dict[str, Any]) -> None:
        """Give the units and mounts of a book the stat lines that it lacks, in place."""
        units, mounts = (facts.get(book["id"], {}) for facts in (self.units, self.mounts))
        given = set()
        for unit in book["units"]:
            if (fact := units.get(unit["id"])) and _give(unit, fact):
                given.add(unit["id"])
                _settle(unit, fact)
        for node in nodes_of(book):
            if not node.get("mount") or not (fact := mounts.get(node.get("id", ""))):
                continue
            if fact.get("mount", True):
                _give(node, fact)
            else:
                del node["mount"], node["keywords"]
                book["gaps"].append({"where": node["id"], "what": fact["what"]})
        lacking = (gap for gap in book["gaps"] if gap["what"] == NO_STAT_LINE)
        known = [gap for gap in lacking if gap["where"] in given]
        book["gaps"] = [gap for gap in book["gaps"] if gap not in known]


#: Of books that are made of their own files alone.
OWN_EDITION: Final = OtherEditions()


def _resolved(facts: Facts, like: Facts, editions: Fact) -> Facts:
    """Return the facts, each with the name of its edition; "=" is that of the other game."""
    return {
        book: {
            id_: like[book][id_]
            if fact == "="
            else {**fact, "from": editions[fact["from"]]["name"]}
            for id_, fact in by_id.items()
        }
        for book, by_id in facts.items()
    }


def _give(entry: dict[str, Any], fact: Fact) -> bool:
    """Give an entry what is known of it; return whether that is a stat line, which it had not. One
    that it has keeps its values.
    """
    if rows := entry.get("profiles"):
        missing = {
            stat: value
            for stat, value in fact.get("values", {}).items()
            if not any(stat in row["stats"] for row in rows)
        }
        if missing:
            rows[0]["stats"] |= missing
            rows[0]["filled"] = f"{', '.join(missing)}: {fact['from']}"
        return False
    size = [{"name": entry["name"], "stats": fact["size"]}] if "size" in fact else []
    if not (rows := fact.get("profiles", size)):
        return False
    first, *others = rows
    words = [*entry.get("keywords", ()), *fact.get("keywords", ())]
    behind: dict[str, Any] = {key: entry.pop(key) for key in BEHIND if key in entry}
    if words:
        entry["keywords"] = words
    entry["profiles"] = [{**first, "from": fact["from"]}, *others]
    entry |= behind
    return not size


def _settle(unit: dict[str, Any], fact: Fact) -> None:
    """Take from a unit, in place, what was said only because nobody knew its rules."""
    if without := dict.fromkeys([*unit.pop("without", ()), *fact.get("without", ())]):
        unit["without"] = list(without)
    if fact.get("unsure"):
        return
    unit.pop("sparse", None)
    kept = [one for one in unit.pop("unchecked", ()) if one["why"] != "stat-line"]
    if kept:
        unit["unchecked"] = kept
    rules = (rule for row in unit["profiles"] for rule in row.get("rules", ()))
    if NOT_A_LEADER in (*unit.get("keywords", ()), *rules):
        unit.pop("can_lead", None)
