"""The categories of a book and the ways to organise its army."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from armybuilder.loading.problems import Refusal
from bookimport.amounts import Change
from bookimport.conditions import Translator
from bookimport.drafts import Notes, Unsayable
from bookimport.ledger import parts_of
from bookimport.logic import is_of_army
from bookimport.names import kebab, without_local
from bookimport.source import (
    CategoryLink,
    Constraint,
    Modifier,
    SourceFile,
    SourceForce,
)
from bookimport.survey import Survey

#: A category of a force: what limits it and what changes that.
Shares = tuple[dict[str, int], list[Change]]


def category_ids(book: SourceFile, system: SourceFile) -> dict[str, str]:
    """Return our id for each category that a force of the book has, by the file's id."""
    links = [link for force in shown(book) for link in force.categories]
    found: dict[str, str] = {}
    for link in links:
        name = book.names.get(link.target) or system.names.get(link.target) or link.name
        found.setdefault(link.target, unused(kebab(without_local(name)), found.values()))
    return found


def same_categories(ids: dict[str, str], book: SourceFile, system: SourceFile) -> dict[str, str]:
    """Return our ids for all categories that are named like one of the army's, theirs included."""
    by_name = {
        without_local(system.names.get(id_, book.names.get(id_, ""))): ours
        for id_, ours in ids.items()
    }
    others = [*book.categories, *system.categories]
    names = {id_: without_local(book.names.get(id_) or system.names[id_]) for id_ in others}
    return {**{id_: by_name[name] for id_, name in names.items() if name in by_name}, **ids}


def with_forces(book: SourceFile, system: SourceFile) -> SourceFile:
    """Return a book that says no way to organise its army with those of its game: the one that has
    the army's name, else all.
    """
    if any(not force.hidden for force in book.forces):
        return book
    title = kebab(book.name)
    own = [force for force in system.forces if title.startswith(kebab(force.name))]
    return replace(book, forces=tuple(own) or system.forces)


def force_ids(book: SourceFile) -> dict[str, str]:
    """Return our id for each force; empty where there is only one."""
    forces = shown(book)
    found: dict[str, str] = {}
    for force in forces:
        found[force.id] = unused(kebab(force.name), found.values())
    return found if len(forces) > 1 else {}


def shown(book: SourceFile) -> list[SourceForce]:
    """The book's forces, the one named like the book first. Raises Refusal if there is none."""
    forces = [force for force in book.forces if not force.hidden]
    if not forces:
        raise Refusal(f"{book.file}: the catalogue has no force, so no categories.")
    title = kebab(book.name)
    return sorted(forces, key=lambda force: not title.startswith(kebab(force.name)))


def unused(id_: str, used: Any) -> str:
    """Return the id, or the first of id-2, id-3, ... that is not used yet."""
    taken = set(used)
    if id_ not in taken:
        return id_
    return next(found for n in range(2, 10_000) if (found := f"{id_}-{n}") not in taken)


def categories(
    survey: Survey, translator: Translator, ids: dict[str, str], forces: dict[str, str]
) -> list[dict[str, Any]]:
    """Return the book's categories; what differs in other forces stands under `when`."""
    book = survey.book
    default, *others = shown(book)
    shares = {
        force.id: {link.target: _share(link, survey, translator) for link in force.categories}
        for force in [default, *others]
    }
    found = []
    for target, id_ in ids.items():
        limits, changes = shares[default.id].get(target, ({}, []))
        entry: dict[str, Any] = {"id": id_, "name": without_local(survey.name(target)), **limits}
        when = list(changes)
        for force in others:
            moved = shares[force.id].get(target, ({"max": 0}, []))[0]
            when += _differences(limits, moved, forces[force.id], survey.notes, id_)
        shown_limits = {
            key: f"{value}%" if key in {"min", "max"} else value for key, value in limits.items()
        }
        found.append({**entry, **shown_limits, **({"when": when} if when else {})})
    return found


def _differences(
    limits: dict[str, int], moved: dict[str, int], force: str, notes: Notes, id_: str
) -> list[Change]:
    for key in limits:
        if key not in moved:
            notes.doubt(f"category {id_}", f"has no {key} in the organisation {force}")
    changed = {key: value for key, value in moved.items() if limits.get(key) != value}
    return [{"if": {"organisation": force}, "set": changed}] if changed else []


def _share(link: CategoryLink, survey: Survey, translator: Translator) -> Shares:
    """Return what limits a category. A limit that cannot be said, or whose changes cannot, is told
    as not checked and left out.
    """
    notes, name = survey.notes, f"the share of {survey.name(link.target)}"
    sources = list(survey.in_category(link))
    counted = _counted(link.target, survey)
    lost = {_key(*kind, counted) for source in sources if source.strange for kind in _KINDS}
    for strange in filter(None, (source.strange for source in sources)):
        notes.unchecked(None, f"{name}: the file has {strange}", "condition")
    parts = list(
        _readable([part for source in sources for part in source.constraints], name, notes)
    )
    keys = {part.id: _key(part.field, part.type, counted) for part in parts}
    limits: dict[str, int] = {}
    for part in parts:
        key, narrower = keys[part.id], max if part.type == "min" else min
        if part.value >= 0:
            limits[key] = narrower(limits.get(key, part.value), part.value)
    notes.read["limits"] += len(limits)
    changes: list[Change] = []
    for modifier in (part for source in sources for part in source.modifiers):
        notes.read["changes"] += 1
        key = keys.get(modifier.field, "")
        try:
            found = _moves(modifier, key, survey, translator)
        except Unsayable as error:
            notes.open_change(None, f"{name}: the file {error}", modifier)
            lost.add(key)
            continue
        for change in found:
            if len(change) > 1:
                changes.append(change)
            elif "set" in change:
                limits[key] = change["set"][key]
            else:
                limits[key] = limits.get(key, 0) + change["add"][key]
    for part in parts:
        if keys[part.id] in lost:
            notes.ledger.unchecked(name, part)
        else:
            notes.ledger.judged(part)
    kept = [move for move in changes if not lost & {*move.get("set", ()), *move.get("add", ())}]
    return {key: value for key, value in limits.items() if key not in lost}, kept


def _readable(parts: list[Constraint], name: str, notes: Notes) -> Iterator[Constraint]:
    """Yield the limits that are understood; the others are told as not checked."""
    for part in parts:
        if not part.strange and part.field != "points":
            yield part
            continue
        what = f"{name}: the file has {part.strange or 'a limit in points'}"
        notes.unchecked(None, what, "condition")
        notes.ledger.unchecked(what, part)


_KINDS: Final = [(field, type_) for field in ("limit", "selections") for type_ in ("min", "max")]
_SIGNS: Final = {"set": 1, "increment": 1, "decrement": -1}


def _moves(modifier: Modifier, key: str, survey: Survey, translator: Translator) -> list[Change]:
    """Return what a change makes of the limit with this key. Raises Unsayable."""
    if not key or modifier.type not in _SIGNS or (modifier.repeats and modifier.type == "set"):
        raise Unsayable(f"changes it by “{modifier.type} {modifier.field[:60]}”")
    at = survey.book.roots[0]
    number = re.fullmatch(r"(-?\d{1,6})(?:\.0*)?", modifier.value)
    if number is None:
        raise Unsayable(f"has the number “{modifier.value[:40]}”")
    cond = translator.cond(modifier.when, at)
    counts = translator.counts(modifier, at)
    if not all(map(is_of_army, (cond, *counts))):
        raise Unsayable("asks about a unit")
    survey.notes.ledger.judged(*parts_of(modifier))
    if cond is False or (modifier.repeats and not counts):
        return []
    op = "set" if modifier.type == "set" else "add"
    base: Change = {} if cond is True else {"if": cond}
    moved = {op: {key: _SIGNS[modifier.type] * int(number[1])}}
    return [{**base, "for_each": count, **moved} for count in counts] or [{**base, **moved}]


def _counted(category: str, survey: Survey) -> str:
    """Return what a number in a category counts: units, or models where these alone are in it."""
    inside = [one for one in survey.order if category in {id_ for id_, _ in one.categories}]
    models = set(survey.models.values())
    return "models" if inside and models.issuperset(inside) else "units"


def _key(field: str, type_: str, counted: str) -> str:
    return type_ if field == "limit" else f"{type_}_{counted}"
