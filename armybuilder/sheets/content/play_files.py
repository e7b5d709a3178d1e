"""A list of a community's files for playing, with what its profiles and costs say."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.view import UnitLines
from armybuilder.sheets.content.file_lists import FileList
from armybuilder.sheets.content.play import Data, game_without_rules, hits_of

#: Columns of profiles that tell how much damage a model can take, as files call them.
_HEALTH = frozenset(("w", "wounds", "hp", "hit points", "health", "health points"))


def play_file_side(one: FileList, game: str) -> Data:
    """Return a list of files for playing; `game` separates its files from others."""
    sheet, view = one.sheet, one.view
    units = [unit for unit in view.units if not unit.is_plain]
    return {
        "name": sheet.title,
        "system": f"files-{game}",
        "about": " · ".join(filter(None, (sheet.system, sheet.price))),
        "books": list(sheet.books),
        "hash": sheet.hash,
        "limit": 0,
        "verdict": sheet.verdicts,
        "rows": [_row(unit) for unit in units],
        "game": game_without_rules(
            [{"name": _("Gone"), "cite": "", "out": True, "casualty": True}], each=True
        ),
    }


def _row(unit: UnitLines) -> Data:
    pick = unit.pick
    models = max(pick.models, 1)
    per = _health(unit)
    total = per * models if per else models if models > 1 else 0
    tables = [
        {"name": f"{table.type}: {name}", "text": _cells(cells)}
        for table in unit.tables
        for name, cells in table.named_rows
    ]
    rules = [{"name": named.type, "text": ", ".join(named.names)} for named in unit.named]
    taken = [{"name": _("Options"), "text": pick.options_words}] if pick.options else []
    models_taken = [{"name": _("Models"), "text": line.line} for line in pick.lines]
    notes = [{"name": _("Notes"), "text": pick.notes}] if pick.notes else []
    cost = unit.costs[0].number if unit.costs else None
    return {
        "id": unit.id,
        "name": f"{models} {pick.own or pick.name}" if models > 1 else pick.own or pick.name,
        "about": " · ".join(filter(None, (pick.name if pick.own else "", unit.price))),
        "stats": "",
        "more": [*tables, *models_taken, *taken, *rules, *notes],
        "models": models,
        "price": int(cost) if cost is not None else None,
        "worth": int(cost) if cost is not None else None,
        "extra": 0,
        "health": total,
        "over": False,
        "per": per or (1 if total else 0),
        "word": _("Health") if per else _("Models"),
        "hits": hits_of(total, per or 1, 1),
        "at": [[0, 0]] if total else [],
        "ticks": [0],
        "unknown": not per,
        "uses": [],
    }


def _cells(cells: Iterable[tuple[str, str]]) -> str:
    return " · ".join(f"{column} {value}" for column, value in cells if value)


def _health(unit: UnitLines) -> int:
    """Return the health of each model; 0 if the profiles have none, or several."""
    found = {
        value
        for table in unit.tables
        for _name, cells in table.named_rows
        for column, value in cells
        if column.casefold() in _HEALTH and value.strip()
    }
    text = found.pop().strip() if len(found) == 1 else ""
    return int(text) if text.isdecimal() and len(text) <= 3 else 0
