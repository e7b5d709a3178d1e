"""Lists as a player writes them, with what is found of them in a line: tables of claims.

    "soldier 9, knight reserve"                      models and roles
    "lord +horse(lance+plate) +flask*3 +rune@sword"  options, what is on them, how often, on what
    "giant | limit=50 ground=cave terrain=idol+rock" the game size and settings

A verdict tells of each finding its code, the number and its bound, the units and the line-up:
"58/57 u1 u2". "tiny." goes without saying, and so does the code of rules of one table, "tiny.rule".
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from armybuilder.engine import Finding, Report, Severity
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from tests.building.regiments import army
from tests.building.tiny import Data, game, judge, take

#: A game, and lists with what is found of them.
Claim = tuple[Callable[[], Catalogue], Mapping[str, str]]


def judged(catalogue: Catalogue, text: str) -> Report:
    """Return the report on a list."""
    entries, _, settings = text.partition("|")
    chosen = dict(map(_setting, settings.split()))
    return judge(catalogue, *listed(entries), **chosen)


def listed(text: str) -> list[Data]:
    return [_entry(*part.split()) for part in text.split(",") if part.strip()]


def _entry(unit: str, *words: str) -> Data:
    options = [option(word[1:]) for word in words if word.startswith("+")]
    models = [int(word) for word in words if word.isdigit()]
    roles = [word for word in words if word.isalpha()]
    return take(unit, *(models or [1]), *roles, **({"options": options} if options else {}))


def option(text: str) -> Data:
    """Return what a list says of "flask*3", "rune@sword" or "horse(lance+plate)"."""
    text, _, inner = text.removesuffix(")").partition("(")
    text, _, piece = text.partition("@")
    name, _, number = text.partition("*")
    made: Data = {"id": name}
    if number:
        made["number"] = int(number)
    if piece:
        made["on"] = piece
    if inner:
        made["options"] = [option(one) for one in inner.split("+")]
    return made


def _setting(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    if value.isdigit():
        return name, int(value)
    return name, value.split("+") if name in ("terrain", "pool") else value


def verdict(report: Report) -> str:
    return "; ".join(map(_told, report.findings))


def _told(finding: Finding) -> str:
    code = finding.code.removeprefix("tiny.")
    mild = finding.severity if finding.severity is not Severity.ERROR else ""
    numbers = "" if finding.measured is None else f"{finding.measured}/{finding.allowed}"
    lineup = finding.lineup and f"({finding.lineup})"
    words = (mild, "" if code == "rule" else code, numbers, *finding.units, lineup)
    return " ".join(filter(None, words))


def said(report: Report) -> str:
    """Return what is told of a list, in sentences."""
    return " ".join(map(sentence, report.findings))


def claim(*rules: Data, lists: Mapping[str, str], **more: Any) -> Claim:
    """Return what the tiny game with these rules finds of lists."""
    return partial(game, *rules, **more), lists


def army_claim(*units: Data, lists: Mapping[str, str], **more: Any) -> Claim:
    """Return what the game of regiments finds of lists of these units."""
    return partial(army, *units, **more), lists


def claims(of: Mapping[str, Claim]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("made", "lists"), of.values(), ids=of)


def hold(made: Callable[[], Catalogue], lists: Mapping[str, str]) -> None:
    """Assert that a claim holds."""
    catalogue = made()
    assert {text: verdict(judged(catalogue, text)) for text in lists} == lists
