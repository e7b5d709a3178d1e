"""Settings named in a pasted list: "Battle map: Hill Fort", "200pt CE"."""

import re
from typing import Final

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.names import simple
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.vocabulary import Setting
from armybuilder.exchange.pasting.entries import times
from armybuilder.exchange.pasting.head import title_words, without_game
from armybuilder.exchange.pasting.names import ALIKE, EXACT, ReadNames
from armybuilder.exchange.pasting.parts import pieces, shape
from armybuilder.languages import in_every_language
from armybuilder.loading.limits import MAX_PIECES

_TIMES: Final = shape(r"(.*\S)\s<x>\s?(\d{1,3})")
#: Words in a title besides factions and alignments.
_BESIDE: Final = shape(r"\d[\d., ]*\s*<points>?|\b(?:<list>|faction|alignment)\b")


def read_traits(text: str, catalogue: Catalogue) -> list[tuple[Setting | None, str]]:
    """Return the factions and alignments that a title names, each with its setting if it has one.

    None where it says anything else, but for numbers: "200pt CE".
    """
    named = {
        simple(name): (attribute.id, value)
        for attribute in catalogue.system.attributes.values()
        if attribute.filter
        for value, name in [
            *attribute.values.items(),
            *((value, name) for name, value in attribute.aliases.items()),
        ]
    }
    chosen = {one.attribute: one for one in catalogue.system.settings.values() if one.attribute}
    words = without_game(title_words(_BESIDE.sub(" ", text)), catalogue.system).split()
    found: list[tuple[Setting | None, str]] = []
    while words:
        end = next((end for end in (3, 2, 1) if " ".join(words[:end]) in named), 0)
        if not end:
            return []
        attribute, value = named[" ".join(words[:end])]
        found.append((chosen.get(attribute), value))
        words = words[end:]
    return found


def read_setting(text: str, catalogue: Catalogue) -> tuple[Setting, SettingValue] | None:
    """Return a line's setting and value; None where it is none. An unknown value is None."""
    # "Map: Hill Fort", "Terrain pieces - Hill"
    name, mark, value = text.partition(next((sign for sign in ":=" if sign in text), " - "))
    name = name.strip().removesuffix(" pieces")
    settings = catalogue.system.settings.values() if mark else ()
    setting = next((one for one in settings if name in in_every_language(one.name)), None)
    if setting is None:
        # "Map" of "Battle map".
        short = [one for one in settings if simple(name) in (one.id, simple(one.name).split()[-1])]
        setting = short[0] if len(short) == 1 else None
    return (setting, _value(setting, value.strip(), catalogue)) if setting else None


def _value(setting: Setting, text: str, catalogue: Catalogue) -> SettingValue:
    if setting.kind == "number":
        number = re.match(r"\d{1,4}", text)
        return int(number[0]) if number else None
    if setting.kind == "attribute":
        names = catalogue.system.attributes[setting.attribute].values
        return _one(ReadNames((name, key) for key, name in names.items()), text)
    if setting.kind == "pool":
        known = ReadNames((unit.name, unit.ref) for unit in catalogue.units.values())
    else:
        known = ReadNames(
            (said, piece.id)
            for piece in setting.values.values()
            for said in in_every_language(piece.name)
        )
    return _one(known, text) if setting.kind == "choice" else _several(known, text)


def _one(names: ReadNames[str], text: str) -> str | None:
    match = names.known(text)
    return match.values[0] if match.sure in (EXACT, ALIKE) else None


def _several(names: ReadNames[str], text: str) -> tuple[str, ...] | None:
    values: list[str] = []
    parts = pieces(text)
    place = 0
    while place < len(parts):
        for end in range(min(place + 1 + names.most_commas, len(parts)), place, -1):
            said = ", ".join(parts[place:end])
            behind = _TIMES.fullmatch(said)
            name, number = (behind[1], int(behind[2])) if behind else times(said)
            value = _one(names, said) or _one(names, name)
            if value:
                values += [value] * min(number or 1, MAX_PIECES)
                place = end
                break
        else:
            return None
    return tuple(values[:MAX_PIECES])
