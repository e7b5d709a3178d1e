"""Restrictions that cannot be judged, put where they apply: on units, options and the book."""

from collections.abc import Iterable
from typing import Any

from armybuilder.battlescribe.books.drafts import BookDraft, Open, UnitDraft
from armybuilder.battlescribe.books.logic import Cond, all_of, any_of
from armybuilder.battlescribe.books.source import SourceEntry
from armybuilder.battlescribe.books.survey import Survey

Node = BookDraft | UnitDraft
Written = dict[str, Any]


def attach(survey: Survey, units: Iterable[UnitDraft], nodes: Iterable[Node]) -> list[Written]:
    """Put every restriction noted into the facts of the draft it is about; what is about none of
    them, for the book as a whole.
    """
    by_source: dict[SourceEntry, Node] = {
        node.source: node
        for node in nodes
        if not (isinstance(node, BookDraft) and node.kind == "use")
    }
    by_source |= {unit.source: unit for unit in units}
    of_book: list[Written] = []
    for one in survey.notes.opens:
        if one.left_out:
            continue
        home = _home(survey, one, by_source)
        if one.at is None or not home:
            of_book.append(_written(one, True))
        for node, cond in home:
            entries = node.facts.setdefault("unchecked", [])
            written = _written(one, cond)
            if written not in entries:
                entries.append(written)
    return of_book


def _home(survey: Survey, one: Open, by_source: dict[SourceEntry, Node]) -> list[tuple[Node, Cond]]:
    """The drafts a restriction is about, each with the condition that it is meant there: itself or
    what it links to, in the units that reach it by that link; else the units it stands in.
    """
    if one.at is None:
        return []
    target = survey.target(one.at) if one.at.kind == "link" else one.at
    owners = survey.owners[one.at]
    if target in by_source:
        here: Cond = True
        if target is not one.at and owners < survey.owners[target]:
            here = any_of({"unit": owner} for owner in sorted(owners, key=survey.order.index))
        return [(by_source[target], here)]
    return [(by_source[owner], True) for owner in survey.book.roots if owner in owners]


def _written(one: Open, here: Cond) -> Written:
    cond = all_of([one.cond, here])
    return {"what": one.what, "why": one.why, **({} if cond is True else {"if": cond})}
