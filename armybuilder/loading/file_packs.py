"""Event packs for games from files (`pack/2`): rules of an event besides those of the files.

Checks, repairs and fillings use its rules as bounds of the kernel: see
`battlescribe.files.event_rules`. A rule that only people can check has the kind "by-hand".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from armybuilder.engine.wording import marked
from armybuilder.loading.books import revision_of
from armybuilder.loading.forcelist import GameName
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Problem
from armybuilder.loading.references import Complaint, citation_complaints, complaint, duplicates
from armybuilder.loading.schemas import schema_problems

FORMAT: Final = "pack/2"

Data = Mapping[str, Any]


@dataclass(frozen=True, eq=False)
class FilePack(Pack):
    """An event pack for a game from files."""

    @property
    def game(self) -> GameName:
        """The game, by its files."""
        return GameName.from_dict(self.data["game"])

    @property
    def rules(self) -> list[Data]:
        """Its rules, in their order."""
        return list(self.data["rules"])

    @property
    def limits(self) -> dict[str, int]:
        """Limit of a list, by cost."""
        return {rule["cost"]["id"]: rule["max"] for rule in self.rules if rule["kind"] == "limit"}

    @property
    def by_hand(self) -> list[Data]:
        """The rules that only people can check."""
        return [rule for rule in self.rules if rule["kind"] == "by-hand"]


def is_file_pack(data: object) -> bool:
    """Return whether parsed JSON says that it is a pack for a game from files."""
    return isinstance(data, dict) and data.get("format") == FORMAT


def build_file_pack(data: Any, file: str) -> tuple[FilePack | None, list[Problem]]:
    """Return the pack, or None and all its mistakes."""
    problems = schema_problems("filepack", data, file)
    if not problems:
        problems = [Problem(file, *one) for one in _complaints(data)]
    if problems:
        return None, problems
    system = GameName.from_dict(data["game"]).address
    revision = revision_of(data)
    return FilePack(data["id"], data["name"], data["about"], system, revision, data), []


def _complaints(data: Data) -> Iterator[Complaint]:
    yield from citation_complaints(dict(data), (), data["sources"])
    repeated = {one.pointer: one for one in duplicates(data["rules"], ("rules",))}
    limited = set()
    for number, rule in enumerate(data["rules"]):
        path: tuple[object, ...] = ("rules", number)
        if again := repeated.get(f"/rules/{number}/id"):
            yield again
        if rule.get("min", 0) > rule.get("max", rule.get("min", 0)):
            message, advice = marked(("The minimum is above the maximum.", "Swap them."))
            yield complaint((*path, "min"), message, advice)
        if rule.get("per_cent") and len(rule["of"]) > 1:
            message = marked("A percentage can limit only one unit, option or category.")
            yield complaint((*path, "of"), message, "Write a rule for each.")
        if rule["kind"] == "limit":
            if rule["cost"]["id"] in limited:
                message, advice = marked(("This cost has a limit already.", "Keep one of them."))
                yield complaint((*path, "cost"), message, advice)
            limited.add(rule["cost"]["id"])
