"""Edits that settle findings and that no other button makes: several units at once off the list,
and unknown names. Pure functions from a document to the next one, as in `unit_edits`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.options import Slot
from armybuilder.engine.roster import Roster, SettingValue
from armybuilder.loading.armylist import (
    ArmyList,
    ListOption,
    ListUnit,
    changed,
    pieces_in,
    setting_text,
    with_settings,
)
from armybuilder.loading.problems import Refusal

#: What a name that is unknown may stand for on a unit, and on the list itself.
ON_UNITS = ("option", "role", "ability")
KINDS = (*ON_UNITS, "setting")


def remove_several(document: ArmyList, entry_ids: Iterable[str]) -> ArmyList:
    """Take several units off the list. Raises Refusal where one is gone, or none is named."""
    gone = list(entry_ids)
    if not gone:
        raise Refusal(_("No unit was named."))
    for entry_id in gone:
        document = unit_edits.remove(document, entry_id)
    return document


def forget(
    document: ArmyList, catalogue: Catalogue, kind: str, entry_id: str, name: str
) -> ArmyList:
    """Leave out an unknown option, role, ability or setting. Raises Refusal: gone, or known."""
    if kind not in KINDS:
        raise Refusal(_("The page asked for something the app cannot do."))
    after = _forgotten(document, catalogue, kind, entry_id, name)
    if after == document:
        raise Refusal(_("“{name}” is no longer on the list.").format(name=name[:60]))
    return after


def forget_all(document: ArmyList, catalogue: Catalogue, roster: Roster) -> ArmyList:
    """Leave out all that the roster of a document names and that is unknown, but for books."""
    for stray in roster.strays:
        kind = "option" if stray.kind == "repeated" else stray.kind
        if kind in KINDS:
            document = _forgotten(document, catalogue, kind, stray.pick, stray.name)
    gone = {pick.id for pick in roster.picks if pick.unit is None}
    units = tuple(entry for entry in document.units if entry.id not in gone)
    return replace(document, units=units) if gone else document


def _forgotten(
    document: ArmyList, catalogue: Catalogue, kind: str, entry_id: str, name: str
) -> ArmyList:
    if kind == "setting":
        kept = _settings(document, catalogue, name)
        return with_settings(document, kept) if document.settings else document
    return unit_edits.change_entry(
        document, entry_id, lambda entry: _without(entry, catalogue, kind, name)
    )


def _without(entry: ListUnit, catalogue: Catalogue, kind: str, name: str) -> ListUnit:
    if kind == "role":
        known = name in catalogue.system.roles
        return changed(entry, roles=tuple(role for role in entry.roles if known or role != name))
    if kind == "ability":
        profile = entry.profile
        if profile is None or name in catalogue.abilities:
            return entry
        uses = tuple(use for use in profile.abilities if use.ability != name)
        return replace(entry, profile=replace(profile, abilities=uses))
    unit = catalogue.units.get(entry.ref)
    slots = unit.offer.slots if unit is not None else {}
    return changed(entry, options=_unknown_left(entry.options, slots, name))


def _unknown_left(
    options: Iterable[ListOption], slots: Mapping[str, tuple[Slot, ...]], name: str
) -> tuple[ListOption, ...]:
    """Return the options without a name not offered, repeated, or misplaced ("rune on lance")."""
    left: list[ListOption] = []
    for option in options:
        known = slots.get(option.id)
        twice = option.id in [had.id for had in left]
        if (known is None or twice) and option.id == name:
            continue
        if option.on and name == f"{option.id} on {option.on}":
            option = replace(option, on="")
        inner = known[0].option.offer.slots if known else {}
        left.append(changed(option, options=_unknown_left(option.options, inner, name)))
    return tuple(left)


def _settings(document: ArmyList, catalogue: Catalogue, name: str) -> dict[str, SettingValue]:
    """Return the settings without a key, a piece or a value that is told of under this name."""
    kept: dict[str, SettingValue] = {}
    system = catalogue.system
    for key, value in document.settings.items():
        setting = system.settings.get(key)
        if setting is None and key == name:
            continue
        if setting is not None and setting.kind in ("pieces", "pool"):
            known = unit_edits.pieces_of(catalogue, key)
            pieces = [str(piece) for piece in pieces_in(value)]
            if name not in known and name in pieces:
                value = tuple(piece for piece in pieces if piece != name)
        elif setting is not None and name == f"{setting.name}: {setting_text(value)}":
            continue
        kept[key] = value
    return kept
