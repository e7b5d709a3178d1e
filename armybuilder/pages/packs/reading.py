"""A pack as a page to read: each rule with its place in the pack."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack


class PackRule(NamedTuple):
    """A rule of a pack as it is read: what it says, where in the pack; `lifted` is what the rule of
    the game says whose place it takes, or that holds no longer. `among` are the restrictions of
    which some must be kept.
    """

    summary: str
    citation: str
    lifted: str = ""
    among: tuple[str, ...] = ()


def pack_context(pack: Pack) -> dict[str, Any]:
    """Return what the template `packs/_pack.html` shows of a pack."""
    library = shipped_library()
    system = library.systems[pack.system]
    names = {book.id: book.name for book in library.books[system.id].values()}
    data = pack.data
    return {
        "pack": pack,
        "system": system,
        "rules": list(_rules(pack, data["rules"])),
        "changed": list(_changed(pack, system)),
        "of_books": [
            (", ".join(names.get(one, one) for one in part["books"]), _rules(pack, part["rules"]))
            for part in data.get("book_rules", ())
        ],
        "entry": data.get("entry", {}),
        "team": data.get("team"),
        "team_rules": list(_rules(pack, data.get("team", {}).get("rules", ()))),
        "scores": [(one, str(pack.cite(one["cite"]))) for one in data.get("scores", ())],
        "texts": [(one, str(pack.cite(one["cite"]))) for one in data.get("texts", ())],
    }


def written(data: Mapping[str, Any]) -> str:
    """Return a pack as the text of its file."""
    return json.dumps(data, indent=2, ensure_ascii=False)


def _rules(pack: Pack, rules: Any) -> Iterator[PackRule]:
    for rule in rules:
        among = tuple(_(one["name"]) for one in rule.get("among", ()))
        yield PackRule(_(rule["summary"]), str(pack.cite(rule["cite"])), among=among)


def _changed(pack: Pack, system: System) -> Iterator[PackRule]:
    """Yield what of the game does not hold, and what takes its place."""
    said: Mapping[str, str] = {rule.head.id: str(rule.head.summary) for rule in system.rules}
    own = {one["rule"]: _(one["by"]["summary"]) for one in pack.data.get("replace", ())}
    for one in pack.lifted:
        yield PackRule(own.get(one.rule, ""), str(one.citation), said.get(one.rule, one.rule))
