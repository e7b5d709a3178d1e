"""Edits that settle findings and that no other button makes: several units at once off the list,
and names that nobody knows. Pure functions from a document to the next one, as in `unit_edits`.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.editing import unit_edits
from armybuilder.editing.option_entries import Entry, folded, unfolded
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal

#: What a name that nobody knows may stand for on a unit, and on the list itself.
ON_UNITS = ("option", "role", "ability")
KINDS = (*ON_UNITS, "setting")


def remove_several(document: Document, entry_ids: Iterable[str]) -> Document:
    """Take several units off the list. Raises Refusal where one is gone, or none is named."""
    gone = list(entry_ids)
    if not gone:
        raise Refusal(_("No unit was named."))
    for entry_id in gone:
        document = unit_edits.remove(document, entry_id)
    return document


def forget(
    document: Document, catalogue: Catalogue, kind: str, entry_id: str, name: str
) -> Document:
    """Leave out what nobody knows: an option, role or ability of a unit, or a setting's value.
    Raises Refusal where there is no such thing, or the books know it.
    """
    if kind not in KINDS:
        raise Refusal(_("The page asked for something the app cannot do."))
    if kind == "setting":
        kept = _settings(document, catalogue, name)
        after = {**document, "settings": kept} if "settings" in document else document
    else:
        after = unit_edits.change_entry(
            document, entry_id, lambda entry: _without(entry, catalogue, kind, name)
        )
    if after == document:
        raise Refusal(_("“{name}” is no longer on the list.").format(name=name[:60]))
    return after


def _without(entry: Entry, catalogue: Catalogue, kind: str, name: str) -> Entry:
    if kind == "role":
        known = name in catalogue.system.roles
        rest = [role for role in entry.get("roles", ()) if known or role != name]
        return _with(entry, "roles", rest)
    if kind == "ability":
        profile = entry.get("profile")
        if profile is None or name in catalogue.abilities:
            return entry
        uses = [use for use in profile["abilities"] if use["ability"] != name]
        return {**entry, "profile": {**profile, "abilities": uses}}
    unit = catalogue.units.get(entry.get("unit", ""))
    slots = unit.offer.slots if unit is not None else {}
    options = _unknown_left(unfolded(entry.get("options", [])), slots, name)
    return _with(entry, "options", folded(options))


def _unknown_left(options: list[Entry], slots: Mapping[str, Any], name: str) -> list[Entry]:
    """The options without those told of by a name: not offered where they stand, written down
    twice, or put on what they do not fit ("rune on lance").
    """
    left: list[Entry] = []
    for option in options:
        known = slots.get(option["id"])
        twice = option["id"] in [had["id"] for had in left]
        if (known is None or twice) and option["id"] == name:
            continue
        if option.get("on") and name == f"{option['id']} on {option['on']}":
            option = {key: value for key, value in option.items() if key != "on"}
        inner = known[0].option.offer.slots if known else {}
        below = _unknown_left(option.get("options", []), inner, name)
        left.append(_with(option, "options", below))
    return left


def _settings(document: Document, catalogue: Catalogue, name: str) -> dict[str, Any]:
    """The settings without a key, a piece or a value that is told of under this name."""
    kept: dict[str, Any] = {}
    system = catalogue.system
    for key, value in document.get("settings", {}).items():
        setting = system.settings.get(key)
        if setting is None and key == name:
            continue
        if setting is not None and setting.kind in ("pieces", "pool"):
            known = unit_edits.pieces_of(catalogue, key)
            pieces = value if isinstance(value, list) else [value]
            if name not in known and name in map(str, pieces):
                value = [piece for piece in pieces if str(piece) != name]
        elif setting is not None and name == f"{setting.name}: {value}":
            continue
        kept[key] = value
    return kept


def _with(entry: Entry, key: str, value: list[Any]) -> Entry:
    rest = {had: known for had, known in entry.items() if had != key}
    return {**rest, key: value} if value else rest
