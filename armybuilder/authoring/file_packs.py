"""A new event pack for a game from files, made from a form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from armybuilder.authoring.wording import free_id
from armybuilder.engine.wording import listed, say
from armybuilder.loading.file_packs import FORMAT
from armybuilder.loading.forcelist import GameName
from armybuilder.loading.problems import Refusal

#: Ids by name, as the files call things: of one name there may be several.
IdsByName = Mapping[str, list[str]]


@dataclass(frozen=True, slots=True)
class FilePackForm:
    """Requirements for lists, as a form sends them.

    `limits` are by a cost's id and name; `catalogues` and `forces` by id with their names (none:
    all); `most` has a line "Name: number" each, `by_hand` a rule that people check.
    """

    name: str
    limits: Mapping[tuple[str, str], int] = field(default_factory=dict)
    catalogues: Mapping[str, str] = field(default_factory=dict)
    forces: Mapping[str, str] = field(default_factory=dict)
    most: str = ""
    by_hand: str = ""
    lists: int = 1


def new_file_pack(form: FilePackForm, game: GameName, ids: IdsByName) -> dict[str, Any]:
    """Return the pack; `ids` are those of units and categories. Raises Refusal: no such name."""
    rules: list[dict[str, Any]] = []
    for rule in _rules(form, ids):
        place = str(len(rules) + 1)
        rules.append({"id": f"rule-{place}", "cite": place, **rule})
    return {
        "format": FORMAT,
        "id": free_id(form.name, (), "pack"),
        "name": form.name,
        "about": form.name,
        "game": game.to_dict(),
        "sources": {"pack": {"title": form.name, "short": say("Event pack")}},
        "rules": rules,
        "entry": {"lists": form.lists},
    }


def _rules(form: FilePackForm, ids: IdsByName) -> Iterator[dict[str, Any]]:
    for (cost, name), most in form.limits.items():
        text = say("Lists of at most {most} {cost}.", most=most, cost=name)
        yield {"kind": "limit", "cost": {"id": cost, "name": name}, "max": most, "summary": text}
    if form.catalogues:
        text = say("Only these catalogues: {names}.", names=listed(form.catalogues.values()))
        yield {"kind": "catalogues", "of": _named(form.catalogues.items()), "summary": text[:600]}
    if form.forces:
        text = say("Only these forces: {names}.", names=listed(form.forces.values()))
        yield {"kind": "forces", "of": _named(form.forces.items()), "summary": text[:600]}
    for line in filter(None, map(str.strip, form.most.splitlines())):
        yield _most(line, ids)
    for line in filter(None, map(str.strip, form.by_hand.splitlines())):
        yield {"kind": "by-hand", "summary": line[:600]}


def _most(line: str, ids: IdsByName) -> dict[str, Any]:
    """Return the rule of a line such as "Dragon: 1". Raises Refusal."""
    name, _colon, number = (part.strip() for part in line.rpartition(":"))
    if not number.isdecimal() or len(number) > 4:
        said = say("“{line}”: write a name, a colon and a number, such as Dragon: 1.")
        raise Refusal(said.format(line=line[:80]))
    if not (found := ids.get(name.casefold())):
        said = say("There is no unit or category “{name}” in these catalogues.")
        raise Refusal(said.format(name=name[:80]))
    most = int(number)
    text = say("Not allowed: {name}.") if not most else say("At most {most} in a list: {name}.")
    summary = text.format(most=most, name=name)
    of = _named((id, name) for id in found)
    return {"kind": "count", "of": of, "max": most, "summary": summary}


def _named(pairs: Iterable[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"id": id, "name": name[:200]} for id, name in pairs]
