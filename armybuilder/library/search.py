"""Finding units by words: what each can be found by, and by which of it a search found it."""

from collections.abc import Iterator

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import unit_facts
from armybuilder.engine.units import Unit

#: So many reasons are told for one unit; more would only be read past.
MOST_REASONS = 3


def found_by(unit: Unit, text: str, catalogue: Catalogue) -> tuple[str, ...] | None:
    """The special rules, options and facts by which a unit matches all the words of `text`: ()
    where its name has them all, None where it does not match.
    """
    name = unit.name.casefold()
    words = [word for word in text.casefold().split() if word not in name]
    if not words:
        return ()
    said = dict.fromkeys(_said(unit, catalogue))
    phrase = " ".join(words)
    whole = [one for one in said if phrase in one.casefold()]
    if whole:
        return tuple(whole[:MOST_REASONS])
    reasons = [next((one for one in said if word in one.casefold()), None) for word in words]
    if None in reasons:
        return None
    return tuple(dict.fromkeys(reason for reason in reasons if reason))


def _said(unit: Unit, catalogue: Catalogue) -> Iterator[str]:
    """Everything beside its name that a unit can be found by, the nearest to it first."""
    for use in unit.abilities:
        yield use.label
    for spell in unit.spells:
        yield spell.name
    for keyword in unit.keywords:
        yield keyword.name
    for profile in unit.profiles:
        yield from profile.rules
    for option in unit.offer.options():
        yield option.name
        for keyword in option.keywords:
            yield keyword.name
    if unit.group:
        yield unit.group
    yield from unit_facts(unit, catalogue.system).split(" · ")
