"""The categories of a book and the ways to organise its army."""

from dataclasses import replace
from typing import Any

from armybuilder.battlescribe.books.amounts import Change
from armybuilder.battlescribe.books.conditions import Translator
from armybuilder.battlescribe.books.drafts import Notes, Unsayable
from armybuilder.battlescribe.books.ledger import parts_of
from armybuilder.battlescribe.books.logic import is_of_army
from armybuilder.battlescribe.books.names import kebab, without_local
from armybuilder.battlescribe.books.source import CategoryLink, SourceFile, SourceForce
from armybuilder.battlescribe.books.survey import Survey
from armybuilder.loading.problems import Refusal

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
    others = [*book.category_limits, *system.category_limits]
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
    for part in link.constraints:
        if part.strange or part.field == "points":
            said = part.strange or f"a limit in {part.field}"
            name = survey.name(link.target)
            raise Refusal(f"{survey.book.file}: the share of {name}: {said} is not understood.")
    limits = {
        _key(part.field, part.type): part.value for part in link.constraints if part.value >= 0
    }
    survey.notes.ledger.judged(*link.constraints)
    keys = {part.id: _key(part.field, part.type) for part in link.constraints}
    survey.notes.read["limits"] += len(limits)
    survey.notes.read["changes"] += len(link.modifiers)
    share = f"the share of {survey.name(link.target)}"
    changes: list[Change] = []
    for modifier in link.modifiers:
        key = keys.get(modifier.field)
        if key is None or modifier.repeats or modifier.type not in _SIGNS:
            survey.notes.open_change(None, share, modifier)
            continue
        try:
            number = _SIGNS[modifier.type] * int(float(modifier.value))
            cond = translator.cond(modifier.when, survey.book.roots[0])
        except (Unsayable, ValueError) as error:
            survey.notes.open_change(None, f"{share}: the file {error}", modifier)
            continue
        if not is_of_army(cond):
            survey.notes.open_change(None, f"{share}: it asks about a unit", modifier)
            continue
        survey.notes.ledger.judged(*parts_of(modifier))
        if cond is not False:
            op = "set" if modifier.type == "set" else "add"
            changes.append({**({} if cond is True else {"if": cond}), op: {key: number}})
    return limits, changes


_SIGNS = {"set": 1, "increment": 1, "decrement": -1}


def _key(field: str, type_: str) -> str:
    return type_ if field == "limit" else f"{type_}_units"
