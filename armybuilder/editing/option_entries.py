"""Options as a document writes them: with what is taken on them, those three deep by id alone."""

from typing import Any

from django.utils.translation import gettext as _

from armybuilder.engine.roster import OptionPick
from armybuilder.loading.problems import Refusal

Entry = dict[str, Any]


def folded(options: list[Entry], level: int = 1) -> list[Any]:
    """Options as a document writes them: those three deep by their ids alone. Raises Refusal where
    more would have to be said of them.
    """
    if level < 3:
        return [
            {**entry, "options": folded(entry["options"], level + 1)}
            if "options" in entry
            else entry
            for entry in options
        ]
    if any(entry.keys() != {"id"} for entry in options):
        raise Refusal(_("An option three deep is taken once, with nothing on it."))
    return [entry["id"] for entry in options]


def unfolded(options: list[Any]) -> list[Entry]:
    """Options as a document writes them, each as an entry of its own."""
    entries: list[Entry] = [{"id": entry} if isinstance(entry, str) else entry for entry in options]
    return [
        {**entry, "options": unfolded(entry["options"])} if "options" in entry else entry
        for entry in entries
    ]


def chosen_options(picks: tuple[OptionPick, ...]) -> list[Entry]:
    """What a document writes down of picks: those that are chosen, not those that are given."""
    chosen: list[Entry] = []
    for pick in picks:
        if not pick.given:
            entry: Entry = {"id": pick.id}
            if pick.number > 1:
                entry["number"] = pick.number
            if inner := chosen_options(pick.picks):
                entry["options"] = inner
            chosen.append(entry)
    return chosen
