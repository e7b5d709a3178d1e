"""What players write for short, in the language of the page and of English books."""

import re
from collections.abc import Mapping
from functools import cache

from armybuilder.exchange.pasting.names import simple
from armybuilder.languages import Typed, typed

#: What players write for short, and what it stands for.
_SHORT: Mapping[Typed, tuple[str, ...]] = {
    Typed("typed", "bsb"): ("Battle Standard Bearer",),
    Typed("typed", "fcg|full command|full command group"): (
        "Champion",
        "Musician",
        "Standard Bearer",
    ),
    Typed("typed", "c|champ"): ("Champion",),
    Typed("typed", "m|mus"): ("Musician",),
    Typed("typed", "s|standard|banner"): ("Standard Bearer",),
}
#: What players write for short of the names in English books.
_ENGLISH: Mapping[str, tuple[str, ...]] = {
    "fc": ("Champion", "Musician", "Standard Bearer"),
    "pw": ("Paired Weapons",),
    "gw": ("Great Weapon",),
    "tw": ("Throwing Weapons",),
    "ha": ("Heavy Armour",),
    "la": ("Light Armour",),
    "pa": ("Plate Armour",),
    "master": ("Wizard Master",),
    "adept": ("Wizard Adept",),
    "apprentice": ("Wizard Apprentice",),
    "army general": ("General",),
}
#: What says nothing that is not there anyway: how many spells a wizard has, what an item is.
_IDLE = re.compile(r"\d{1,2} (?:learned )?spells?\.?|dominant", re.I)


@cache
def short_names() -> Mapping[str, tuple[str, ...]]:
    """Return what each short name stands for."""
    written = {simple(word): names for one, names in _SHORT.items() for word in typed(one)}
    return {**_ENGLISH, **written}


def parts_of_name(name: str) -> frozenset[str]:
    """Return what players write of a long name: "Greed", "Favour of Greed" and "Favour of Sugulag"
    of "Favour of Sugulag, God of Greed", "Vapour" of "Character - Vapour", "Champion" of "Favoured
    Champion".
    """
    first, dash, second = name.partition(" - ")
    if dash:
        return frozenset({first, second})
    what, comma, title = name.partition(", ")
    if comma and " of " in what and title.count(" of ") == 1:
        kind, whom = what.split(" of ", 1)
        god = title.split(" of ")[1]
        return frozenset({what, title, whom, god, f"{kind} of {god}"})
    favoured = name.removeprefix("Favoured ")
    return frozenset({favoured} if favoured != name else ())


def says_nothing(text: str) -> bool:
    """Return whether a piece of a line tells what is so anyway."""
    return _IDLE.fullmatch(text) is not None
