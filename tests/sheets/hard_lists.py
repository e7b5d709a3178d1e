"""Eighteen lists that are hard to print: long, empty, broken, in any script, of custom models."""

from collections.abc import Callable, Iterator
from typing import Any

from tests.sheets.papers import document, illegal_list, legal_list, own_model, practice, sbh_list
from tests.sheets.printed import EXAMPLES, example, long_army
from tests.sheets.test_letters import OTHER

Data = dict[str, Any]

WORDS = "a word that is long enough to be read and then some more of the same kind "
ARMY = "t9a-2023/the-princes-dragon"


def _everywhere(name: str, text: str) -> Data:
    """An example whose list, units and notes are called so."""
    whole = example(name)
    units = [unit | {"name": text, "notes": f"{text}\n{text}"} for unit in whole["units"]]
    return whole | {"units": units, "name": text, "notes": text}


def _many(number: int) -> Data:
    units = [practice("gatehouse-recruit", name=f"Unit {one}") for one in range(number)]
    return document(*units, limit=9999)


def _large(name: str, models: int) -> Data:
    whole = example(name)
    return whole | {"units": [unit | {"models": models} for unit in whole["units"]]}


def _made() -> Iterator[tuple[str, Callable[[], Data]]]:
    yield "an army too dear", long_army
    yield "an army of wide names", lambda: _everywhere(ARMY, "W" * 120)
    yield "an army of narrow names", lambda: _everywhere(ARMY, "i" * 120)
    yield "an army of sentences", lambda: _everywhere(ARMY, (WORDS * 2)[:120])
    yield "an army in Hebrew", lambda: _everywhere(ARMY, OTHER["Hebrew"])
    yield "an army in Chinese", lambda: _everywhere(ARMY, OTHER["Chinese"] * 4)
    yield "an army of one model a unit", lambda: _large(ARMY, 1)
    yield "an army of regiments", lambda: _large(ARMY, 60)
    yield "an army of nothing", lambda: example(ARMY) | {"units": []}
    yield "a warband", legal_list
    yield "a warband against the rules", illegal_list
    yield "a warband of nobody", document
    yield "a warband of sixty", lambda: _many(60)
    yield "a warband in Arabic", lambda: _everywhere(_first("chainmail-2002"), OTHER["Arabic"])
    yield "a warband of emoji", lambda: _everywhere(_first("sbh"), OTHER["emoji"])
    yield "creatures of wide names", lambda: _everywhere(_first("ddm-2008"), "W" * 120)
    yield "hordes", lambda: _large(_first("sbh"), 40)
    yield "a model of one's own", lambda: sbh_list(own_model(WORDS[:60], "leader", "lethal"))


def _first(game: str) -> str:
    return next(name for name in EXAMPLES if name.startswith(game))


HARD = dict(_made())
