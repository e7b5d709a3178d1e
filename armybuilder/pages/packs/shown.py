"""A pack as a page shows it: each restriction with its place in the pack."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.authoring.pack_entries import contradictions
from armybuilder.engine.wording import Words
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.systems import summary_of


def pack_context(pack: Pack) -> dict[str, Any]:
    """Return the context of the template `packs/_pack.html` for a pack.

    A `changed` rule comes with the rule of the game that is `lifted` or replaced.
    """
    if isinstance(pack, FilePack):
        return _of_files(pack)
    library = shipped_library()
    system = library.systems[pack.system]
    names = {book.id: book.name for book in library.books[system.id].values()}
    data = pack.data
    summaries = {rule.head.id: rule.head.summary for rule in system.rules}
    summaries |= {rule["id"]: summary_of(rule) for rule in data["rules"]}
    return {
        "pack": pack,
        "system": system,
        "rules": list(_rules(pack, pack.resolved["rules"])),
        "changed": list(_changed(pack, data, summaries)),
        "of_books": [
            (
                ", ".join(names.get(key, key) for key in part["books"]),
                [*_rules(pack, part.get("rules", ())), *_changed(pack, part, summaries)],
            )
            for part in pack.resolved.get("book_rules", ())
        ],
        "contradictions": contradictions(data),
        "entry": data.get("entry", {}),
        "team": data.get("team"),
        "team_rules": list(_rules(pack, data.get("team", {}).get("rules", ()))),
        "scores": [(one, str(pack.cite(one["cite"]))) for one in data.get("scores", ())],
        "texts": [
            (one["name"], pack.text_of(one), str(pack.cite(one["cite"])))
            for one in data.get("texts", ())
        ],
    }


def _changed(
    pack: Pack, part: Mapping[str, Any], summaries: Mapping[str, Words]
) -> Iterator[dict[str, Any]]:
    """Yield the rules that a pack, or its part for some books, lifts or replaces."""
    for one in part.get("lift", ()):
        lifted = summaries.get(one["rule"], one["rule"])
        yield {"summary": "", "citation": pack.cite(one["cite"]), "lifted": lifted}
    for one in part.get("replace", ()):
        lifted, by = summaries.get(one["rule"], one["rule"]), one["by"]
        yield {"summary": summary_of(by), "citation": pack.cite(by["cite"]), "lifted": lifted}


def _of_files(pack: FilePack) -> dict[str, Any]:
    """Return the context of a pack for a game from files; each rule with its subject."""
    rules = [
        {
            "summary": rule["summary"],
            "citation": pack.cite(rule["cite"]),
            "among": [one["name"] for one in rule.get("of", ())],
            "by_hand": rule["kind"] == "by-hand",
        }
        for rule in pack.rules
    ]
    return {"pack": pack, "game": pack.game, "rules": rules, "entry": pack.data.get("entry", {})}


def _rules(pack: Pack, rules: Any) -> Iterator[dict[str, Any]]:
    """Yield rules: what each says, where in the pack, and `among` what some must be kept."""
    for rule in rules:
        among = [_(restriction["name"]) for restriction in rule.get("among", ())]
        yield {"summary": summary_of(rule), "citation": pack.cite(rule["cite"]), "among": among}


def written(data: Mapping[str, Any]) -> str:
    """Return a pack as the text of its file."""
    return json.dumps(data, indent=2, ensure_ascii=False)
